//! Credential plugins: programs that a kubeconfig names to get a token or a certificate.
//!
//! kube could run them, but it runs them three times, passes them our stdin and prints their output. That output is
//! a secret and never shown here; their stderr is passed through.

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

use super::auth;
use super::kuberc::PluginPolicy;
use super::log::Log;
use super::target::Target;
use super::tls::{self, Identity};
use crate::error::{Failure, FailureKind};

const API_VERSIONS: [&str; 2] = ["client.authentication.k8s.io/v1", "client.authentication.k8s.io/v1beta1"];
/// The extension of a cluster that is passed to its plugin.
const CLUSTER_EXTENSION: &str = "client.authentication.k8s.io/exec";
/// The least time that a plugin gets, whatever the request timeout: it may use the network.
const MIN_TIMEOUT: Duration = Duration::from_secs(30);
/// The same at a terminal, where it may wait for a password or a browser.
const MIN_TIMEOUT_INTERACTIVE: Duration = Duration::from_secs(300);
/// The most output that is read; no credential is longer.
const MAX_OUTPUT: u64 = 1 << 20;

/// A plugin whose configuration has been checked.
pub(super) struct ExecPlugin {
    /// `user "x" in FILE`
    user: String,
    api_version: String,
    command: String,
    exec: ExecConfig,
    stdin: Stdin,
    cluster_info: Option<Value>,
    timeout: Option<Duration>,
    policy: PluginPolicy,
    log: Log,
}

/// The stdin of a plugin.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stdin {
    Inherit,
    Null,
}

/// What a plugin returned. Not `Debug`: it is a secret.
pub(super) struct Credential {
    token: Option<HeaderValue>,
    pub(super) identity: Option<Identity>,
}

impl Credential {
    /// The value of `Authorization`, if there is a token.
    pub(super) fn authorization(&self) -> Option<HeaderValue> {
        self.token.clone()
    }
}

impl ExecPlugin {
    /// Checks the configuration of a plugin as far as possible without running it.
    pub(super) fn new(
        target: &Target,
        exec: ExecConfig,
        user: &str,
        cluster: &Cluster,
        cluster_display: &str,
    ) -> Result<Self, Failure> {
        let user = if user.is_empty() { "the user".to_owned() } else { user.to_owned() };
        let invalid = |what: String| {
            Failure::new(
                FailureKind::Configuration,
                format!("getting credentials: the exec configuration of {user} {what}"),
            )
        };
        let Some(command) = exec.command.clone().filter(|command| !command.is_empty()) else {
            return Err(invalid("has no command".into()).hint("correct the kubeconfig, or pass --token"));
        };
        let api_version = exec.api_version.clone().unwrap_or_default();
        if !API_VERSIONS.contains(&api_version.as_str()) {
            let what = if api_version.is_empty() {
                "has no apiVersion".to_owned()
            } else {
                format!("has unsupported apiVersion {api_version}")
            };
            return Err(invalid(what).hint(format!("use {} or {}", API_VERSIONS[0], API_VERSIONS[1])));
        }
        let stdin = stdin(exec.interactive_mode.as_ref(), io::stdin().is_terminal()).ok_or_else(|| {
            invalid(format!(
                "runs {command} with interactiveMode Always, but standard input is not a terminal"
            ))
            .hint("run this in a terminal, or pass --token")
        })?;
        let cluster_info =
            if exec.provide_cluster_info { Some(describe_cluster(cluster, cluster_display)?) } else { None };
        Ok(Self {
            user,
            api_version,
            command,
            stdin,
            cluster_info,
            timeout: timeout(target.request_timeout, io::stdin().is_terminal()),
            policy: PluginPolicy::load(target)?,
            log: target.log.clone(),
            exec,
        })
    }

    /// Runs the plugin once and parses its output.
    pub(super) async fn run(&self) -> Result<Credential, Failure> {
        let program = self.policy.resolve(&self.command).map_err(|why| {
            self.failure(&format!("is not allowed: {why}")).hint("see credentialPluginPolicy in your kuberc")
        })?;
        let mut command = Command::new(program);
        command.args(self.exec.args.iter().flatten());
        for variable in self.exec.env.iter().flatten() {
            if let (Some(name), Some(value)) = (variable.get("name"), variable.get("value")) {
                command.env(name, value);
            }
        }
        command.env("KUBERNETES_EXEC_INFO", self.exec_info().to_string());
        command.stdin(if self.stdin == Stdin::Inherit { Stdio::inherit() } else { Stdio::null() });
        command.stdout(Stdio::piped()).stderr(Stdio::inherit()).kill_on_drop(true);
        let started = Instant::now();
        let (status, output) = self.wait_for_exit(command).await?;
        self.log
            .write(|| format!("exec plugin {} ran for {} ms", self.command, started.elapsed().as_millis()));
        if !status.success() {
            return Err(self
                .failure(&format!("failed: {status}"))
                .hint("run it manually to see why, or log in again"));
        }
        parse_credential(&output, &self.api_version, SystemTime::now())
            .map_err(|error| self.failure(error.message()).hint(error.hint()))
    }

    /// Waits until it exits; kills it after the timeout.
    async fn wait_for_exit(&self, mut command: Command) -> Result<(ExitStatus, Vec<u8>), Failure> {
        let mut child = command.spawn().map_err(|error| self.spawn_failure(&error))?;
        let stdout = child.stdout.take();
        let exit = async {
            let mut output = Vec::new();
            if let Some(stdout) = stdout {
                stdout.take(MAX_OUTPUT).read_to_end(&mut output).await?;
            }
            Ok::<_, io::Error>((child.wait().await?, output))
        };
        let result = match self.timeout {
            // Dropping the child kills it.
            Some(timeout) => tokio::time::timeout(timeout, exit).await.map_err(|_| {
                self.failure(&format!("did not finish within {}s", timeout.as_secs())).hint(
                    "run it manually to see what it waits for, or pass --request-timeout 2m to allow more time",
                )
            })?,
            None => exit.await,
        };
        result.map_err(|error| self.failure(&format!("printed output that cannot be read: {}", error.kind())))
    }

    fn spawn_failure(&self, error: &io::Error) -> Failure {
        let hint = self.exec.install_hint.as_deref().map(str::trim).filter(|hint| !hint.is_empty());
        match (error.kind(), hint) {
            (io::ErrorKind::NotFound, Some(hint)) => self.failure("is not installed").hint(hint),
            (io::ErrorKind::NotFound, None) => {
                self.failure("is not installed").hint("install it, correct the kubeconfig, or pass --token")
            }
            (kind, _) => self.failure(&format!("cannot be started: {kind}")).hint("check its permissions"),
        }
    }

    /// Names user and command, never the arguments, which may contain a secret.
    fn failure(&self, what: &str) -> Failure {
        let Self { user, command, .. } = self;
        Failure::new(
            FailureKind::Configuration,
            format!("getting credentials: the exec plugin {command} of {user} {what}"),
        )
    }

    fn exec_info(&self) -> Value {
        let mut exec_info = json!({
            "kind": "ExecCredential",
            "apiVersion": self.api_version,
            "spec": {"interactive": self.stdin == Stdin::Inherit},
        });
        if let Some(cluster) = &self.cluster_info {
            exec_info["spec"]["cluster"] = cluster.clone();
        }
        exec_info
    }
}

/// `None` when the plugin needs a terminal and there is none.
fn stdin(mode: Option<&ExecInteractiveMode>, terminal: bool) -> Option<Stdin> {
    match (mode, terminal) {
        (Some(ExecInteractiveMode::Never), _) => Some(Stdin::Null),
        (Some(ExecInteractiveMode::Always), false) => None,
        (_, true) => Some(Stdin::Inherit),
        (_, false) => Some(Stdin::Null),
    }
}

/// The request timeout, but at least the minimum of a plugin.
fn timeout(request_timeout: Option<Duration>, terminal: bool) -> Option<Duration> {
    let minimum = if terminal { MIN_TIMEOUT_INTERACTIVE } else { MIN_TIMEOUT };
    request_timeout.map(|timeout| timeout.max(minimum))
}

/// `spec.cluster` of the `ExecCredential` that a plugin with `provideClusterInfo` gets.
fn describe_cluster(cluster: &Cluster, cluster_display: &str) -> Result<Value, Failure> {
    let mut fields = serde_json::Map::new();
    let mut insert = |name: &str, value: Option<Value>| {
        if let Some(value) = value {
            fields.insert(name.to_owned(), value);
        }
    };
    insert("server", cluster.server.as_ref().map(|server| json!(server_without_query(server))));
    insert("tls-server-name", cluster.tls_server_name.as_ref().map(|name| json!(name)));
    insert(
        "insecure-skip-tls-verify",
        cluster.insecure_skip_tls_verify.filter(|skip| *skip).map(Value::Bool),
    );
    let authority = tls::read_certificate_authority(cluster, cluster_display)?;
    insert(
        "certificate-authority-data",
        authority.map(|pem| json!(base64::engine::general_purpose::STANDARD.encode(pem))),
    );
    insert("proxy-url", cluster.proxy_url.as_ref().map(|url| json!(url)));
    insert("disable-compression", cluster.disable_compression.filter(|disable| *disable).map(Value::Bool));
    let extension = cluster.extensions.iter().flatten().find(|candidate| candidate.name == CLUSTER_EXTENSION);
    insert("config", extension.map(|found| found.extension.clone()));
    Ok(Value::Object(fields))
}

/// The address as it was written, without the query and fragment of one with a path, as client-go passes it.
fn server_without_query(server: &str) -> &str {
    let has_path = server.parse::<http::Uri>().is_ok_and(|uri| uri.path().len() > 1);
    match server.find(['?', '#']).filter(|_| has_path) {
        Some(end) => &server[..end],
        None => server,
    }
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct ExecCredential {
    #[serde(default)]
    api_version: String,
    #[serde(default)]
    kind: String,
    status: Option<ExecCredentialStatus>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct ExecCredentialStatus {
    #[serde(default)]
    token: Option<String>,
    #[serde(default)]
    client_certificate_data: Option<String>,
    #[serde(default)]
    client_key_data: Option<String>,
    #[serde(default)]
    expiration_timestamp: Option<String>,
}

/// What is wrong with the output of a plugin.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum OutputError {
    NotJson,
    WrongKind,
    WrongApiVersion,
    NoStatus,
    NoCredential,
    IncompletePair,
    InvalidPair,
    InvalidToken,
    InvalidExpiration,
    Expired,
}

impl OutputError {
    fn message(self) -> &'static str {
        match self {
            Self::NotJson => "did not print JSON",
            Self::WrongKind => "printed something other than an ExecCredential",
            Self::WrongApiVersion => "returned an apiVersion other than the one in the kubeconfig",
            Self::NoStatus => "returned no status",
            Self::NoCredential => "returned neither a token nor a certificate",
            Self::IncompletePair => "returned only one of certificate and key",
            Self::InvalidPair => "returned an invalid certificate or key",
            Self::InvalidToken => "returned a token with characters that are not allowed in an HTTP header",
            Self::InvalidExpiration => "returned an invalid expirationTimestamp",
            Self::Expired => "returned a credential that has already expired",
        }
    }

    fn hint(self) -> &'static str {
        match self {
            Self::WrongApiVersion => "correct exec.apiVersion in the kubeconfig, or update the plugin",
            Self::Expired => "log in again, and check this computer's clock",
            _ => "run it manually to see what it prints, or log in again",
        }
    }
}

/// Parses the output of a plugin. `now` is the local time, which the plugin uses too.
fn parse_credential(output: &[u8], api_version: &str, now: SystemTime) -> Result<Credential, OutputError> {
    // Empty output would be valid YAML.
    if output.trim_ascii().is_empty() {
        return Err(OutputError::NotJson);
    }
    // kubectl accepts YAML from plugins too.
    let output: ExecCredential = serde_json::from_slice(output)
        .ok()
        .or_else(|| {
            let value: serde_json::Value = serde_saphyr::from_str(std::str::from_utf8(output).ok()?).ok()?;
            serde_json::from_value(value).ok()
        })
        .ok_or(OutputError::NotJson)?;
    if output.kind != "ExecCredential" {
        return Err(OutputError::WrongKind);
    }
    if output.api_version != api_version {
        return Err(OutputError::WrongApiVersion);
    }
    let status = output.status.ok_or(OutputError::NoStatus)?;
    let non_empty = |text: Option<String>| text.filter(|text| !text.is_empty());
    if let Some(expires) = non_empty(status.expiration_timestamp) {
        let expires: Timestamp = expires.parse().map_err(|_| OutputError::InvalidExpiration)?;
        if Timestamp::try_from(now).is_ok_and(|now| expires <= now) {
            return Err(OutputError::Expired);
        }
    }
    let identity = match (non_empty(status.client_certificate_data), non_empty(status.client_key_data)) {
        (Some(chain), Some(key)) => {
            Some(Identity::from_pem(chain.as_bytes(), key.as_bytes()).map_err(|_| OutputError::InvalidPair)?)
        }
        (None, None) => None,
        _ => return Err(OutputError::IncompletePair),
    };
    let token = non_empty(status.token)
        .map(|token| auth::bearer(token.trim()).ok_or(OutputError::InvalidToken))
        .transpose()?;
    if token.is_none() && identity.is_none() {
        return Err(OutputError::NoCredential);
    }
    Ok(Credential { token, identity })
}

#[cfg(test)]
mod tests {
    use super::*;

    const V1: &str = "client.authentication.k8s.io/v1";

    fn output(status: &str) -> String {
        format!(r#"{{"apiVersion": "{V1}", "kind": "ExecCredential", "status": {status}}}"#)
    }

    /// 2026-01-01T00:00:00Z
    fn now() -> SystemTime {
        SystemTime::UNIX_EPOCH + Duration::from_secs(1_767_225_600)
    }

    fn token(text: &str) -> Result<String, OutputError> {
        let credential = parse_credential(text.as_bytes(), V1, now())?;
        Ok(credential.token.unwrap().to_str().unwrap().to_owned())
    }

    #[test]
    fn a_token_is_read_from_json_and_yaml() {
        let bearer = Ok("Bearer t0ken".to_owned());
        assert_eq!(token(&output(r#"{"token": "t0ken"}"#)), bearer);
        assert_eq!(
            token(&output(r#"{"token": "t0ken", "expirationTimestamp": "2026-01-01T00:00:01Z"}"#)),
            bearer
        );
        assert_eq!(token(&output(r#"{"token": "t0ken", "expirationTimestamp": null}"#)), bearer);
        assert_eq!(
            token(&format!("apiVersion: {V1}\nkind: ExecCredential\nstatus: {{token: t0ken}}\n")),
            bearer
        );
    }

    #[test]
    fn errors_are_told_apart() {
        for (text, expected) in [
            (String::new(), OutputError::NotJson),
            ("t0ken".to_owned(), OutputError::NotJson),
            ("{".to_owned(), OutputError::NotJson),
            (r#"{"token": "t0ken"}"#.to_owned(), OutputError::WrongKind),
            (output("{}").replace("ExecCredential", "Pod"), OutputError::WrongKind),
            (output("{}").replace("/v1", "/v1beta1"), OutputError::WrongApiVersion),
            (output("null"), OutputError::NoStatus),
            (output("{}"), OutputError::NoCredential),
            (output(r#"{"token": ""}"#), OutputError::NoCredential),
            (output(r#"{"clientCertificateData": "x"}"#), OutputError::IncompletePair),
            (output(r#"{"clientKeyData": "x", "token": "t0ken"}"#), OutputError::IncompletePair),
            (output(r#"{"clientCertificateData": "x", "clientKeyData": "y"}"#), OutputError::InvalidPair),
            (output(r#"{"token": "a\nb"}"#), OutputError::InvalidToken),
            (
                output(r#"{"token": "t0ken", "expirationTimestamp": "tomorrow"}"#),
                OutputError::InvalidExpiration,
            ),
            (
                output(r#"{"token": "t0ken", "expirationTimestamp": "2025-12-31T23:59:59Z"}"#),
                OutputError::Expired,
            ),
        ] {
            assert_eq!(token(&text), Err(expected), "{text}");
        }
    }

    #[test]
    fn only_an_interactive_plugin_at_a_terminal_gets_stdin() {
        use ExecInteractiveMode::{Always, IfAvailable, Never};
        for (mode, terminal, expected) in [
            (None, true, Some(Stdin::Inherit)),
            (None, false, Some(Stdin::Null)),
            (Some(Never), true, Some(Stdin::Null)),
            (Some(IfAvailable), true, Some(Stdin::Inherit)),
            (Some(IfAvailable), false, Some(Stdin::Null)),
            (Some(Always), true, Some(Stdin::Inherit)),
            (Some(Always), false, None),
        ] {
            assert_eq!(stdin(mode.as_ref(), terminal), expected, "{mode:?} {terminal}");
        }
    }

    #[test]
    fn a_plugin_gets_the_time_it_needs() {
        let seconds = |seconds| Some(Duration::from_secs(seconds));
        assert_eq!(timeout(seconds(5), false), seconds(30));
        assert_eq!(timeout(seconds(120), false), seconds(120));
        assert_eq!(timeout(seconds(5), true), seconds(300));
        assert_eq!(timeout(None, false), None);
    }

    #[test]
    fn a_plugin_gets_the_cluster_info() {
        let cluster: Cluster = serde_json::from_value(json!({
            "server": "https://a:6443",
            "certificate-authority-data": "Y2E=",
            "extensions": [{"name": CLUSTER_EXTENSION, "extension": {"audience": "x"}}, {"name": "other", "extension": {}}],
        }))
        .unwrap();
        let expected = json!({
            "server": "https://a:6443",
            "certificate-authority-data": "Y2E=",
            "config": {"audience": "x"},
        });
        assert_eq!(describe_cluster(&cluster, "").unwrap(), expected);
    }

    #[cfg(unix)]
    #[tokio::test]
    async fn a_plugin_that_hangs_is_killed() {
        let folder = tempfile::TempDir::new().unwrap();
        let pid_file = folder.path().join("alive");
        // `exec`, so that there is one process and not two.
        let script = format!("echo $$ > {}; exec sleep 600", pid_file.display());
        let exec = ExecConfig {
            api_version: Some(V1.to_owned()),
            command: Some("/bin/sh".to_owned()),
            args: Some(vec!["-c".to_owned(), script]),
            ..ExecConfig::default()
        };
        let mut plugin =
            ExecPlugin::new(&Target::default(), exec, "user \"u\"", &Cluster::default(), "").unwrap();
        plugin.timeout = Some(Duration::from_millis(500));
        let error = plugin.run().await.err().unwrap();
        assert_eq!(
            error.to_string(),
            "getting credentials: the exec plugin /bin/sh of user \"u\" did not finish within 0s"
        );
        let pid = std::fs::read_to_string(pid_file).unwrap().trim().to_owned();
        let gone = || !std::path::Path::new(&format!("/proc/{pid}")).exists();
        for _ in 0..100 {
            if gone() {
                return;
            }
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
        panic!("process {pid} is still running");
    }
}
