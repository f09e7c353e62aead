//! Credential plugins: the program that a kubeconfig names to get a token or a certificate.
//!
//! It is run by us and not by kube, which runs it three times, hands it our stdin and prints what it said. What
//! it writes to stdout is a secret and is never shown; its stderr is the person's.

use std::io::{self, IsTerminal as _};
use std::process::{ExitStatus, Stdio};
use std::time::{Duration, Instant, SystemTime};

use base64::Engine as _;
use http::HeaderValue;
use k8s_openapi::jiff::Timestamp;
use kube::config::{Cluster, ExecConfig, ExecInteractiveMode};
use serde::Deserialize;
use serde_json::{Value, json};
use tokio::io::AsyncReadExt as _;
use tokio::process::Command;

use super::kuberc::Policy;
use super::log::{Log, milliseconds};
use super::target::Target;
use super::tls::{self, Identity};
use crate::error::{Failure, Kind};

const VERSIONS: [&str; 2] = ["client.authentication.k8s.io/v1", "client.authentication.k8s.io/v1beta1"];
/// The extension of a cluster that is meant for its plugin.
const EXTENSION: &str = "client.authentication.k8s.io/exec";
/// A plugin asks somebody over the network: it gets this long even when a request gets less.
const AT_LEAST: Duration = Duration::from_secs(30);
/// With a person at the terminal it may be waiting for a password or a browser.
const AT_LEAST_WITH_A_PERSON: Duration = Duration::from_secs(300);
/// No credential is longer than this.
const LONGEST: u64 = 1 << 20;

/// A plugin that may be run.
pub(super) struct Plugin {
    /// `user "x" in FILE`
    user: String,
    version: String,
    command: String,
    exec: ExecConfig,
    stdin: Stdin,
    cluster: Option<Value>,
    limit: Option<Duration>,
    policy: Policy,
    log: Log,
}

/// Whether the plugin may talk to the person.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stdin {
    Ours,
    None,
}

/// What a plugin gave. Without `Debug`: it is a secret.
pub(super) struct Credential {
    token: Option<HeaderValue>,
    pub(super) identity: Option<Identity>,
}

impl Credential {
    /// `Authorization`, when there is a token.
    pub(super) fn header(&self) -> Option<HeaderValue> {
        self.token.clone()
    }
}

impl Plugin {
    /// The plugin that a user names, checked as far as it can be without running it.
    pub(super) fn new(
        target: &Target,
        exec: ExecConfig,
        user: &str,
        cluster: &Cluster,
        cluster_named: &str,
    ) -> Result<Self, Failure> {
        let user = if user.is_empty() { "the user".to_owned() } else { user.to_owned() };
        let broken = |what: String| {
            Failure::new(Kind::Configuration, format!("getting credentials: exec of {user} {what}"))
        };
        let Some(command) = exec.command.clone().filter(|command| !command.is_empty()) else {
            return Err(broken("names no command".into()).hint("correct the kubeconfig, or pass --token"));
        };
        let version = exec.api_version.clone().unwrap_or_default();
        if !VERSIONS.contains(&version.as_str()) {
            let what = if version.is_empty() {
                "has no apiVersion".to_owned()
            } else {
                format!("has apiVersion {version}")
            };
            return Err(broken(what).hint(format!("{} and {} are understood", VERSIONS[0], VERSIONS[1])));
        }
        let stdin = stdin(exec.interactive_mode.as_ref(), io::stdin().is_terminal()).ok_or_else(|| {
            broken(format!(
                "wants to talk to a person (interactiveMode: Always), and {command} has no terminal to do so"
            ))
            .hint("call this from a terminal, or pass --token")
        })?;
        let info = if exec.provide_cluster_info { Some(cluster_info(cluster, cluster_named)?) } else { None };
        Ok(Self {
            user,
            version,
            command,
            stdin,
            cluster: info,
            limit: limit(target.request_timeout, io::stdin().is_terminal()),
            policy: Policy::read(target)?,
            log: target.log.clone(),
            exec,
        })
    }

    /// Runs it once, and reads what it says.
    pub(super) async fn run(&self) -> Result<Credential, Failure> {
        let program = self.policy.allow(&self.command).map_err(|why| {
            self.failed(&format!("is not run: {why}"))
                .hint("kubectl's settings say so: credentialPluginPolicy in kuberc")
        })?;
        let mut command = Command::new(program);
        command.args(self.exec.args.iter().flatten());
        for variable in self.exec.env.iter().flatten() {
            if let (Some(name), Some(value)) = (variable.get("name"), variable.get("value")) {
                command.env(name, value);
            }
        }
        command.env("KUBERNETES_EXEC_INFO", self.info().to_string());
        command.stdin(if self.stdin == Stdin::Ours { Stdio::inherit() } else { Stdio::null() });
        command.stdout(Stdio::piped()).stderr(Stdio::inherit()).kill_on_drop(true);
        let started = Instant::now();
        let (status, said) = self.finish(command).await?;
        self.log
            .note(|| format!("exec plugin {} ran for {} ms", self.command, milliseconds(started.elapsed())));
        if !status.success() {
            return Err(self
                .failed(&format!("failed: {status}"))
                .hint("run it by hand to see why, or log in again"));
        }
        read(&said, &self.version, SystemTime::now())
            .map_err(|bad| self.failed(bad.words()).hint(bad.way_on()))
    }

    /// Waits for its end, but not forever; then it is killed.
    async fn finish(&self, mut command: Command) -> Result<(ExitStatus, Vec<u8>), Failure> {
        let mut child = command.spawn().map_err(|error| self.not_started(&error))?;
        let stdout = child.stdout.take();
        let work = async {
            let mut said = Vec::new();
            if let Some(stdout) = stdout {
                stdout.take(LONGEST).read_to_end(&mut said).await?;
            }
            Ok::<_, io::Error>((child.wait().await?, said))
        };
        let done = match self.limit {
            // Dropping the child kills it.
            Some(limit) => tokio::time::timeout(limit, work).await.map_err(|_| {
                self.failed(&format!("did not end within {} seconds", limit.as_secs()))
                    .hint("run it by hand to see what it waits for; --request-timeout 2m waits longer")
            })?,
            None => work.await,
        };
        done.map_err(|error| self.failed(&format!("cannot be read: {}", error.kind())))
    }

    fn not_started(&self, error: &io::Error) -> Failure {
        let hint = self.exec.install_hint.as_deref().map(str::trim).filter(|hint| !hint.is_empty());
        match (error.kind(), hint) {
            (io::ErrorKind::NotFound, Some(hint)) => self.failed("is not installed").hint(hint),
            (io::ErrorKind::NotFound, None) => {
                self.failed("is not installed").hint("install it, or correct the kubeconfig, or pass --token")
            }
            (kind, _) => self.failed(&format!("cannot be started: {kind}")).hint("check its permissions"),
        }
    }

    /// Names user and command; never the arguments, which may hold a secret.
    fn failed(&self, what: &str) -> Failure {
        let Self { user, command, .. } = self;
        Failure::new(
            Kind::Configuration,
            format!("getting credentials: the exec plugin {command} of {user} {what}"),
        )
    }

    fn info(&self) -> Value {
        let mut info = json!({
            "kind": "ExecCredential",
            "apiVersion": self.version,
            "spec": {"interactive": self.stdin == Stdin::Ours},
        });
        if let Some(cluster) = &self.cluster {
            info["spec"]["cluster"] = cluster.clone();
        }
        info
    }
}

/// `None` when the plugin needs a person and there is none.
fn stdin(mode: Option<&ExecInteractiveMode>, terminal: bool) -> Option<Stdin> {
    match (mode, terminal) {
        (Some(ExecInteractiveMode::Never), _) => Some(Stdin::None),
        (Some(ExecInteractiveMode::Always), false) => None,
        (_, true) => Some(Stdin::Ours),
        (_, false) => Some(Stdin::None),
    }
}

/// How long a plugin may take: as a request, but never less than it needs.
fn limit(request_timeout: Option<Duration>, terminal: bool) -> Option<Duration> {
    let least = if terminal { AT_LEAST_WITH_A_PERSON } else { AT_LEAST };
    request_timeout.map(|limit| limit.max(least))
}

/// What a plugin is told about the cluster when it asks to be.
fn cluster_info(cluster: &Cluster, named: &str) -> Result<Value, Failure> {
    let mut info = serde_json::Map::new();
    let mut put = |name: &str, value: Option<Value>| {
        if let Some(value) = value {
            info.insert(name.to_owned(), value);
        }
    };
    put("server", cluster.server.as_ref().map(|server| json!(server)));
    put("tls-server-name", cluster.tls_server_name.as_ref().map(|name| json!(name)));
    put("insecure-skip-tls-verify", cluster.insecure_skip_tls_verify.filter(|skip| *skip).map(Value::Bool));
    let authority = tls::authority(cluster, named)?;
    put(
        "certificate-authority-data",
        authority.map(|pem| json!(base64::engine::general_purpose::STANDARD.encode(pem))),
    );
    put("proxy-url", cluster.proxy_url.as_ref().map(|url| json!(url)));
    put("disable-compression", cluster.disable_compression.filter(|disable| *disable).map(Value::Bool));
    let mine = cluster.extensions.iter().flatten().find(|extension| extension.name == EXTENSION);
    put("config", mine.map(|extension| extension.extension.clone()));
    Ok(Value::Object(info))
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Said {
    #[serde(default)]
    api_version: String,
    #[serde(default)]
    kind: String,
    status: Option<Status>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Status {
    #[serde(default)]
    token: Option<String>,
    #[serde(default)]
    client_certificate_data: Option<String>,
    #[serde(default)]
    client_key_data: Option<String>,
    #[serde(default)]
    expiration_timestamp: Option<String>,
}

/// What is wrong with what a plugin said.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Bad {
    Rubbish,
    Kind,
    Version,
    Status,
    Empty,
    Half,
    Identity,
    Token,
    Time,
    Expired,
}

impl Bad {
    fn words(self) -> &'static str {
        match self {
            Self::Rubbish => "did not answer in JSON",
            Self::Kind => "answered with something else than an ExecCredential",
            Self::Version => "answered in another apiVersion than the kubeconfig asks for",
            Self::Status => "answered without a status",
            Self::Empty => "gave neither a token nor a certificate",
            Self::Half => "gave only one of certificate and key",
            Self::Identity => "gave a certificate and key that cannot be used",
            Self::Token => "gave a token that cannot be sent",
            Self::Time => "gave an expirationTimestamp that is not a time",
            Self::Expired => "gave a credential that has already expired",
        }
    }

    fn way_on(self) -> &'static str {
        match self {
            Self::Version => "correct exec.apiVersion in the kubeconfig, or update the plugin",
            Self::Expired => "log in again; or is this computer's clock right?",
            _ => "run it by hand to see what it says, or log in again",
        }
    }
}

/// Reads a plugin's answer. `now` is this computer's clock, which the plugin goes by, too.
fn read(said: &[u8], version: &str, now: SystemTime) -> Result<Credential, Bad> {
    // Nothing would be YAML, too.
    if said.trim_ascii().is_empty() {
        return Err(Bad::Rubbish);
    }
    // YAML as well, which kubectl takes from plugins.
    let said: Said = serde_json::from_slice(said)
        .ok()
        .or_else(|| {
            let value: serde_json::Value = serde_saphyr::from_str(std::str::from_utf8(said).ok()?).ok()?;
            serde_json::from_value(value).ok()
        })
        .ok_or(Bad::Rubbish)?;
    if said.kind != "ExecCredential" {
        return Err(Bad::Kind);
    }
    if said.api_version != version {
        return Err(Bad::Version);
    }
    let status = said.status.ok_or(Bad::Status)?;
    let given = |text: Option<String>| text.filter(|text| !text.is_empty());
    if let Some(expires) = given(status.expiration_timestamp) {
        let expires: Timestamp = expires.parse().map_err(|_| Bad::Time)?;
        if Timestamp::try_from(now).is_ok_and(|now| expires <= now) {
            return Err(Bad::Expired);
        }
    }
    let identity = match (given(status.client_certificate_data), given(status.client_key_data)) {
        (Some(chain), Some(key)) => {
            Some(Identity::from_pem(chain.as_bytes(), key.as_bytes()).map_err(|_| Bad::Identity)?)
        }
        (None, None) => None,
        _ => return Err(Bad::Half),
    };
    let token = given(status.token).map(bearer).transpose()?;
    if token.is_none() && identity.is_none() {
        return Err(Bad::Empty);
    }
    Ok(Credential { token, identity })
}

#[expect(clippy::needless_pass_by_value, reason = "it stands in map")]
fn bearer(token: String) -> Result<HeaderValue, Bad> {
    let mut value = HeaderValue::try_from(format!("Bearer {}", token.trim())).map_err(|_| Bad::Token)?;
    value.set_sensitive(true);
    Ok(value)
}

#[cfg(test)]
mod tests {
    use super::*;

    const V1: &str = "client.authentication.k8s.io/v1";

    fn said(status: &str) -> String {
        format!(r#"{{"apiVersion": "{V1}", "kind": "ExecCredential", "status": {status}}}"#)
    }

    /// 2026-01-01T00:00:00Z
    fn now() -> SystemTime {
        SystemTime::UNIX_EPOCH + Duration::from_secs(1_767_225_600)
    }

    fn token(text: &str) -> Result<String, Bad> {
        let credential = read(text.as_bytes(), V1, now())?;
        Ok(credential.token.unwrap().to_str().unwrap().to_owned())
    }

    #[test]
    fn a_token_is_read_from_json_and_yaml() {
        let bearer = Ok("Bearer t0ken".to_owned());
        assert_eq!(token(&said(r#"{"token": "t0ken"}"#)), bearer);
        assert_eq!(
            token(&said(r#"{"token": "t0ken", "expirationTimestamp": "2026-01-01T00:00:01Z"}"#)),
            bearer
        );
        assert_eq!(token(&said(r#"{"token": "t0ken", "expirationTimestamp": null}"#)), bearer);
        assert_eq!(
            token(&format!("apiVersion: {V1}\nkind: ExecCredential\nstatus: {{token: t0ken}}\n")),
            bearer
        );
    }

    #[test]
    fn what_is_wrong_is_told_apart() {
        for (text, bad) in [
            (String::new(), Bad::Rubbish),
            ("t0ken".to_owned(), Bad::Rubbish),
            ("{".to_owned(), Bad::Rubbish),
            (r#"{"token": "t0ken"}"#.to_owned(), Bad::Kind),
            (said("{}").replace("ExecCredential", "Pod"), Bad::Kind),
            (said("{}").replace("/v1", "/v1beta1"), Bad::Version),
            (said("null"), Bad::Status),
            (said("{}"), Bad::Empty),
            (said(r#"{"token": ""}"#), Bad::Empty),
            (said(r#"{"clientCertificateData": "x"}"#), Bad::Half),
            (said(r#"{"clientKeyData": "x", "token": "t0ken"}"#), Bad::Half),
            (said(r#"{"clientCertificateData": "x", "clientKeyData": "y"}"#), Bad::Identity),
            (said(r#"{"token": "a\nb"}"#), Bad::Token),
            (said(r#"{"token": "t0ken", "expirationTimestamp": "tomorrow"}"#), Bad::Time),
            (said(r#"{"token": "t0ken", "expirationTimestamp": "2025-12-31T23:59:59Z"}"#), Bad::Expired),
        ] {
            assert_eq!(token(&text), Err(bad), "{text}");
        }
    }

    #[test]
    fn stdin_is_for_plugins_that_may_talk_to_somebody() {
        use ExecInteractiveMode::{Always, IfAvailable, Never};
        for (mode, terminal, expected) in [
            (None, true, Some(Stdin::Ours)),
            (None, false, Some(Stdin::None)),
            (Some(Never), true, Some(Stdin::None)),
            (Some(IfAvailable), true, Some(Stdin::Ours)),
            (Some(IfAvailable), false, Some(Stdin::None)),
            (Some(Always), true, Some(Stdin::Ours)),
            (Some(Always), false, None),
        ] {
            assert_eq!(stdin(mode.as_ref(), terminal), expected, "{mode:?} {terminal}");
        }
    }

    #[test]
    fn a_plugin_gets_the_time_it_needs() {
        let seconds = |seconds| Some(Duration::from_secs(seconds));
        assert_eq!(limit(seconds(5), false), seconds(30));
        assert_eq!(limit(seconds(120), false), seconds(120));
        assert_eq!(limit(seconds(5), true), seconds(300));
        assert_eq!(limit(None, false), None);
    }

    #[test]
    fn a_plugin_learns_about_the_cluster() {
        let cluster: Cluster = serde_json::from_value(json!({
            "server": "https://a:6443",
            "certificate-authority-data": "Y2E=",
            "extensions": [{"name": EXTENSION, "extension": {"audience": "x"}}, {"name": "other", "extension": {}}],
        }))
        .unwrap();
        let expected = json!({
            "server": "https://a:6443",
            "certificate-authority-data": "Y2E=",
            "config": {"audience": "x"},
        });
        assert_eq!(cluster_info(&cluster, "").unwrap(), expected);
    }

    #[cfg(unix)]
    #[tokio::test]
    async fn a_plugin_that_hangs_is_killed() {
        let folder = tempfile::TempDir::new().unwrap();
        let sign = folder.path().join("alive");
        // `exec`, so that there is one process and not two.
        let script = format!("echo $$ > {}; exec sleep 600", sign.display());
        let exec = ExecConfig {
            api_version: Some(V1.to_owned()),
            command: Some("/bin/sh".to_owned()),
            args: Some(vec!["-c".to_owned(), script]),
            ..ExecConfig::default()
        };
        let mut plugin =
            Plugin::new(&Target::default(), exec, "user \"u\"", &Cluster::default(), "").unwrap();
        plugin.limit = Some(Duration::from_millis(500));
        let failure = plugin.run().await.err().unwrap();
        assert_eq!(
            failure.to_string(),
            "getting credentials: the exec plugin /bin/sh of user \"u\" did not end within 0 seconds"
        );
        let pid = std::fs::read_to_string(sign).unwrap().trim().to_owned();
        let gone = || !std::path::Path::new(&format!("/proc/{pid}")).exists();
        for _ in 0..100 {
            if gone() {
                return;
            }
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
        panic!("process {pid} still runs");
    }
}
