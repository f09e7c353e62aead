//! The connection to a real server: credentials, proxies, retries, TLS, and what `-v` logs.

use std::io::{Read as _, Write as _};
use std::net::{Ipv4Addr, SocketAddr, TcpListener, TcpStream};
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, bail, ensure};
use http::{HeaderValue, header};
use kubectl_op::connection::Target;
use kubectl_op::source::cluster::Cluster;
use lab::certs::{Authority, Identity};
use lab::faults::error_response::{status, with_header};
use lab::faults::{ErrorResponse, Fault, Match, Proxy};
use lab::supervisor::State;
use lab::wait::{DEFAULT_TIMEOUT, until};
use lab::{Lab, User};
use rustls::crypto::ring;
use rustls::pki_types::pem::PemObject as _;
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use rustls::server::WebPkiClientVerifier;
use rustls::{RootCertStore, ServerConfig, ServerConnection, StreamOwned};
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::binary::{CommandOutput, run_command};
use crate::harness::{Test, in_time, own, shared};

pub(crate) fn tests() -> Vec<Test> {
    vec![
        shared("connection::a_plugin_is_run_once", a_plugin_is_run_once),
        shared("connection::a_refused_token_is_asked_for_once_more", a_refused_token_is_asked_for_once_more),
        shared("connection::a_plugin_that_hangs_is_given_up", a_plugin_that_hangs_is_given_up),
        shared("connection::a_plugin_that_fails_is_named", a_plugin_that_fails_is_named),
        shared("connection::certificates_log_in", certificates_log_in),
        shared("connection::a_bad_token_is_sent_once", a_bad_token_is_sent_once),
        shared("connection::proxies_are_obeyed_and_gone_around", proxies_are_obeyed_and_gone_around),
        shared("connection::reads_are_tried_again_when_it_helps", reads_are_tried_again_when_it_helps),
        shared("connection::many_requests_share_one_connection", many_requests_share_one_connection),
        shared("connection::a_server_with_http1_only_is_supported", a_server_with_http1_only_is_supported),
        shared("connection::requests_are_logged_without_secrets", requests_are_logged_without_secrets),
        shared("connection::warnings_are_kept", warnings_are_kept),
        shared("connection::servers_that_cannot_be_trusted", servers_that_cannot_be_trusted),
        own("connection::a_server_that_stopped_is_noticed", a_server_that_stopped_is_noticed),
    ]
}

const VERSION: &str = "/version";

async fn a_plugin_is_run_once(lab: Lab, _: String) -> Result<()> {
    in_time(async || {
        let (proxy, home) = (guarded(&lab).await?, TestHome::new()?);
        let login = home.plugin(&format!(
            "echo run >> {runs}; {}",
            TestHome::says("lab-viewer-token"),
            runs = home.runs()
        ))?;
        let config = home.kubeconfig(&lab, &proxy.url(), &exec(&login))?;
        let output = home.version(&["--kubeconfig", &config]).await?;
        ensure!(output.has_server_version(), "{output:?}");
        ensure!(home.count() == 1, "it was run {} times", home.count());
        ensure!(proxy.requests().len() == 1, "{:?}", proxy.requests());
        Ok(())
    })
    .await
}

async fn a_refused_token_is_asked_for_once_more(lab: Lab, _: String) -> Result<()> {
    in_time(async || {
        let (proxy, home) = (guarded(&lab).await?, TestHome::new()?);
        // The second run gives a better one.
        let (bad, good, runs) = (TestHome::says("s3cr3t"), TestHome::says("lab-viewer-token"), home.runs());
        let login =
            home.plugin(&format!("if [ -e {runs} ]; then {good}; else {bad}; fi; echo run >> {runs}"))?;
        let config = home.kubeconfig(&lab, &proxy.url(), &exec(&login))?;
        let output = home.version(&["--kubeconfig", &config]).await?;
        ensure!(output.has_server_version() && home.count() == 2, "{output:?} {}", home.count());
        // One that never gives a better one is not asked a third time.
        let home = TestHome::new()?;
        let login = home.plugin(&format!("echo run >> {}; {bad}", home.runs()))?;
        let config = home.kubeconfig(&lab, &proxy.url(), &exec(&login))?;
        let output = home.version(&["--kubeconfig", &config]).await?;
        ensure!(
            !output.has_server_version() && output.stderr.contains("Unauthorized") && home.count() == 2,
            "{output:?}"
        );
        Ok(())
    })
    .await
}

async fn a_plugin_that_hangs_is_given_up(lab: Lab, _: String) -> Result<()> {
    let home = TestHome::new()?;
    let login = home.plugin("exec sleep 600")?;
    let config = home.kubeconfig(&lab, lab.server(), &exec(&login))?;
    let asked = Instant::now();
    let output = home.version(&["--kubeconfig", &config, "--request-timeout", "1s"]).await?;
    ensure!(output.exit_code == 2 && output.stderr.contains("did not finish within 30s"), "{output:?}");
    ensure!(asked.elapsed() < DEFAULT_TIMEOUT, "{:?}", asked.elapsed());
    Ok(())
}

async fn a_plugin_that_fails_is_named(lab: Lab, _: String) -> Result<()> {
    let home = TestHome::new()?;
    for (script, words) in [
        ("echo s3cr3t; exit 3", "failed: exit status: 3"),
        ("echo s3cr3t", "did not print JSON"),
        ("echo '{\"token\": \"s3cr3t\"}'", "something other than an ExecCredential"),
    ] {
        let login = home.plugin(script)?;
        let config = home.kubeconfig(&lab, lab.server(), &exec(&login))?;
        let output = home.version(&["--kubeconfig", &config]).await?;
        ensure!(
            output.exit_code == 2 && output.stderr.contains(words) && !output.stderr.contains("s3cr3t"),
            "{output:?}"
        );
        ensure!(output.stderr.contains("user \"who\"") && output.stderr.contains(&login), "{output:?}");
    }
    let config = home.kubeconfig(&lab, lab.server(), &exec("no-such-helper"))?;
    let output = home.version(&["--kubeconfig", &config]).await?;
    ensure!(output.exit_code == 2 && output.stderr.contains("hint: install it with care"), "{output:?}");
    Ok(())
}

async fn certificates_log_in(lab: Lab, _: String) -> Result<()> {
    in_time(async || {
        let home = TestHome::new()?;
        let authority = lab.authority();
        let server = Http1Server::start(
            &authority.issue(&[], &[Ipv4Addr::LOCALHOST.into()])?,
            Some(authority.certificate()),
        )?;
        let output =
            home.version(&["--kubeconfig", &home.kubeconfig(&lab, &server.url(), &json!({}))?]).await?;
        ensure!(!output.has_server_version(), "a server that wants a certificate got none: {output:?}");
        let me = authority.issue_odd(&["jane"], &[], |params| params.extended_key_usages.clear())?;
        let (certificate, key) = (home.file("me.crt", &me.certificate)?, home.file("me.key", &me.key)?);
        let user = json!({"client-certificate": certificate, "client-key": key});
        let output = home.version(&["--kubeconfig", &home.kubeconfig(&lab, &server.url(), &user)?]).await?;
        ensure!(output.has_server_version(), "{output:?}");
        // The same pair from a plugin.
        let said = json!({
            "apiVersion": "client.authentication.k8s.io/v1", "kind": "ExecCredential",
            "status": {"clientCertificateData": me.certificate, "clientKeyData": me.key},
        });
        let answer = home.file("answer", &said.to_string())?;
        let login = home.plugin(&format!("echo run >> {}; cat {answer}", home.runs()))?;
        let config = home.kubeconfig(&lab, &server.url(), &exec(&login))?;
        let output = home.version(&["--kubeconfig", &config]).await?;
        ensure!(output.has_server_version() && home.count() == 1, "{output:?}");
        // A key of somebody else.
        let other = home.file("other.key", &authority.issue(&["joe"], &[])?.key)?;
        let user = json!({"client-certificate": certificate, "client-key": other});
        let output = home.version(&["--kubeconfig", &home.kubeconfig(&lab, &server.url(), &user)?]).await?;
        ensure!(
            output.exit_code == 2 && output.stderr.contains("other.key does not match client-certificate"),
            "{output:?}"
        );
        Ok(())
    })
    .await
}

async fn a_bad_token_is_sent_once(lab: Lab, _: String) -> Result<()> {
    in_time(async || {
        let (proxy, home) = (Proxy::start(&lab).await?, TestHome::new()?);
        let config = home.kubeconfig(&lab, &proxy.url(), &json!({"token": "s3cr3t"}))?;
        let output = home.version(&["--kubeconfig", &config]).await?;
        ensure!(output.stderr.contains("Unauthorized") && !output.stderr.contains("s3cr3t"), "{output:?}");
        ensure!(proxy.requests().len() == 1, "{:?}", proxy.requests());
        Ok(())
    })
    .await
}

async fn proxies_are_obeyed_and_gone_around(lab: Lab, _: String) -> Result<()> {
    let home = TestHome::new()?;
    // A name that only the proxy can resolve.
    let port = lab.server().rsplit(':').next().context("a server has a port")?;
    let server = format!("https://cluster.example:{port}");
    let config = home.kubeconfig(&lab, &server, &json!({"token": User::Viewer.token()}))?;
    let flags = ["--kubeconfig", &config, "--tls-server-name", "localhost"];
    for kind in [ProxyKind::Connect, ProxyKind::Socks] {
        in_time(async || {
            let test_proxy = TestProxy::start(kind)?;
            let output = home.version_with(&flags, &[("HTTPS_PROXY", &test_proxy.url())]).await?;
            ensure!(
                output.has_server_version() && test_proxy.used() == 1,
                "{kind:?} {output:?} {}",
                test_proxy.used()
            );
            let output = home
                .version_with(&flags, &[("https_proxy", &test_proxy.url()), ("NO_PROXY", "other.example, ,")])
                .await?;
            ensure!(
                output.has_server_version() && test_proxy.used() == 2,
                "{kind:?} {output:?} {}",
                test_proxy.used()
            );
            let around =
                [("HTTPS_PROXY", test_proxy.url()), ("NO_PROXY", "x,.example:1,cluster.example,".to_owned())];
            let around: Vec<_> = around.iter().map(|(name, value)| (*name, value.as_str())).collect();
            let output = home.version_with(&flags, &around).await?;
            ensure!(
                !output.has_server_version() && !output.stderr.contains("proxy") && test_proxy.used() == 2,
                "{kind:?} {output:?}"
            );
            // The cluster's own proxy counts for more than NO_PROXY.
            let text = std::fs::read_to_string(&config)?;
            let mut own: Value = serde_json::from_str(&text)?;
            own["clusters"][0]["cluster"]["proxy-url"] = json!(test_proxy.url());
            let own = home.file("own", &own.to_string())?;
            let output = home
                .version_with(&["--kubeconfig", &own, "--tls-server-name", "localhost"], &[("NO_PROXY", "*")])
                .await?;
            ensure!(output.has_server_version() && test_proxy.used() == 3, "{kind:?} {output:?}");
            Ok(())
        })
        .await?;
    }
    Ok(())
}

async fn reads_are_tried_again_when_it_helps(lab: Lab, _: String) -> Result<()> {
    let (proxy, home) = (Proxy::start(&lab).await?, TestHome::new()?);
    let config = proxy.kubeconfig(User::Viewer)?.display().to_string();
    let never = "storage is (re)initializing: failed to list gadgets: conversion webhook for x failed";
    let never =
        with_header(status(429, "TooManyRequests", never, None), header::RETRY_AFTER, HeaderValue::from(1));
    let busy = ErrorResponse::TooManyRequests { retry_after: 1 };
    // fault, how many requests meet it, how many are sent, what the person reads
    let table: Vec<(Fault, u64, usize, &str)> = vec![
        (busy.into(), 1, 2, "Server Version"),
        (busy.into(), 9, 3, "TooManyRequests"),
        (ErrorResponse::Throttled { retry_after: 1 }.into(), 1, 2, "Server Version"),
        (ErrorResponse::TooManyRequests { retry_after: 26 }.into(), 9, 1, "TooManyRequests"),
        (never.into(), 9, 1, "conversion webhook for x failed"),
        (ErrorResponse::Unavailable.into(), 1, 2, "Server Version"),
        (ErrorResponse::Unavailable.into(), 9, 2, "apiserver is shutting down"),
        (ErrorResponse::DeadBackend.into(), 9, 1, "no server version"),
        (ErrorResponse::Internal.into(), 9, 1, "InternalError"),
        (ErrorResponse::Forbidden.into(), 9, 1, "Forbidden"),
        (Fault::Reset, 1, 2, "Server Version"),
        (Fault::Reset, 9, 2, "closed the connection"),
    ];
    for (fault, times, sent, words) in table {
        in_time(async || {
            proxy.clear();
            proxy.reset_records();
            proxy.on_first(times, Match::path(VERSION), fault.clone());
            let output = home.version(&["--kubeconfig", &config]).await?;
            let found = proxy.requests().len();
            ensure!(
                found == sent && output.combined().contains(words),
                "{fault:?} {times}: sent {found}, {output:?}"
            );
            Ok(())
        })
        .await?;
    }
    Ok(())
}

async fn many_requests_share_one_connection(lab: Lab, _: String) -> Result<()> {
    let proxy = Proxy::start(&lab).await?;
    proxy.set_round_trip(Duration::from_millis(20));
    let cluster = Arc::new(connect(&proxy.kubeconfig(User::Viewer)?).await?);
    let mut asking = tokio::task::JoinSet::new();
    for _ in 0..32 {
        let cluster = Arc::clone(&cluster);
        asking.spawn(async move { cluster.version(DEFAULT_TIMEOUT).await.map(drop) });
    }
    while let Some(done) = asking.join_next().await {
        done??;
    }
    let requests = proxy.requests();
    ensure!(
        requests.len() == 32 && proxy.connections() == 1,
        "{} over {}",
        requests.len(),
        proxy.connections()
    );
    let agent = format!("kubectl-op/{} (linux/", env!("CARGO_PKG_VERSION"));
    for request in requests {
        ensure!(request.protocol == http::Version::HTTP_2, "{request:?}");
        ensure!(request.user_agent().starts_with(&agent), "{request:?}");
        ensure!(request.headers[header::ACCEPT_ENCODING] == "gzip", "{request:?}");
    }
    let config = proxy.kubeconfig(User::Viewer)?.display().to_string();
    let home = TestHome::new()?;
    in_time(async || {
        proxy.reset_records();
        let output = home.version(&["--kubeconfig", &config, "--disable-compression"]).await?;
        ensure!(
            output.has_server_version() && !proxy.requests()[0].headers.contains_key(header::ACCEPT_ENCODING),
            "{output:?}"
        );
        let output = home.version_with(&["--kubeconfig", &config], &[("DISABLE_HTTP2", "1")]).await?;
        ensure!(
            output.has_server_version() && proxy.requests()[1].protocol == http::Version::HTTP_11,
            "{output:?}"
        );
        Ok(())
    })
    .await
}

async fn a_server_with_http1_only_is_supported(lab: Lab, _: String) -> Result<()> {
    in_time(async || {
        let home = TestHome::new()?;
        let server = Http1Server::start(&lab.authority().issue(&[], &[Ipv4Addr::LOCALHOST.into()])?, None)?;
        let config = home.kubeconfig(&lab, &server.url(), &json!({}))?;
        let output = home.version(&["--kubeconfig", &config]).await?;
        ensure!(output.has_server_version(), "{output:?}");
        Ok(())
    })
    .await
}

async fn requests_are_logged_without_secrets(lab: Lab, _: String) -> Result<()> {
    in_time(async || {
        let (proxy, home) = (Proxy::start(&lab).await?, TestHome::new()?);
        let config = proxy.kubeconfig(User::Viewer)?.display().to_string();
        let output = home.version(&["--kubeconfig", &config, "-v", "6"]).await?;
        let line = format!("GET {}/version 200 OK in ", proxy.url());
        ensure!(
            output.has_server_version()
                && output.stderr.starts_with(&line)
                && output.stderr.lines().count() == 1,
            "{output:?}"
        );
        proxy.on_first(1, Match::path(VERSION), ErrorResponse::Unavailable);
        let output = home.version(&["--kubeconfig", &config, "-v", "8"]).await?;
        ensure!(
            output.stderr.contains("/version 503 ") && output.stderr.contains("/version 200 OK in "),
            "{output:?}"
        );
        ensure!(output.stderr.contains("    content-type: application/json\n"), "{output:?}");
        ensure!(
            !output.stderr.contains(User::Viewer.token()) && !output.stderr.contains("uthorization"),
            "{output:?}"
        );
        let quiet = home.version(&["--kubeconfig", &config]).await?;
        ensure!(quiet.stderr.is_empty(), "{quiet:?}");
        Ok(())
    })
    .await
}

async fn warnings_are_kept(lab: Lab, _: String) -> Result<()> {
    let proxy = Proxy::start(&lab).await?;
    proxy.on(
        Match::path(VERSION),
        Fault::change(|mut answer| {
            for value in [r#"299 - "old kind""#, r#"299 - "old kind", 299 - "other""#] {
                answer.headers_mut().append(header::WARNING, HeaderValue::from_static(value));
            }
            answer
        }),
    );
    let cluster = connect(&proxy.kubeconfig(User::Viewer)?).await?;
    ensure!(cluster.warnings().is_empty());
    for _ in 0..2 {
        cluster.version(DEFAULT_TIMEOUT).await?;
    }
    ensure!(cluster.warnings() == ["old kind", "other"], "{:?}", cluster.warnings());
    Ok(())
}

async fn servers_that_cannot_be_trusted(lab: Lab, _: String) -> Result<()> {
    let home = TestHome::new()?;
    let stranger = Authority::new("stranger")?;
    let here = [Ipv4Addr::LOCALHOST.into()];
    let day =
        |params: &mut lab::certs::Params| params.not_after = params.not_before + Duration::from_secs(86400);
    let expired = lab.authority().issue_odd(&["localhost"], &here, day)?;
    let elsewhere = lab.authority().issue(&["other.example"], &[])?;
    let table: [(Identity, &[&str], &str); 5] = [
        (stranger.issue(&["localhost"], &here)?, &[], "x509: certificate signed by unknown authority"),
        (elsewhere.clone(), &[], "x509: certificate is valid for other.example, not 127.0.0.1"),
        (elsewhere, &["--tls-server-name", "other.example"], "Server Version"),
        (expired.clone(), &[], "is after 1975-01-02T00:00:00Z"),
        (expired, &["--insecure-skip-tls-verify"], "Server Version"),
    ];
    for (identity, flags, words) in table {
        let proxy = Proxy::before(lab.server(), lab.authority().certificate(), &identity).await?;
        let config = home.kubeconfig(&lab, &proxy.url(), &json!({"token": User::Viewer.token()}))?;
        in_time(async || {
            let output = home.version(&[&["--kubeconfig", &config], flags].concat()).await?;
            ensure!(output.combined().contains(words), "{words}: {output:?}");
            Ok(())
        })
        .await?;
    }
    // The server's own certificate may be given in place of an authority, if all else is right.
    let table = [
        (stranger.issue(&["localhost"], &here)?, "Server Version"),
        (stranger.issue(&["other.example"], &[])?, "is valid for other.example, not 127.0.0.1"),
        (stranger.issue_odd(&["localhost"], &here, day)?, "is after 1975-01-02T00:00:00Z"),
    ];
    for (own, words) in table {
        let proxy = Proxy::before(lab.server(), lab.authority().certificate(), &own).await?;
        for authority in [&own.certificate, stranger.certificate()] {
            let file = home.file("given.crt", authority)?;
            let flags = ["--certificate-authority", &file, "--token", User::Viewer.token()];
            in_time(async || {
                let output = home.version(&[&["--server", &proxy.url()], &flags[..]].concat()).await?;
                ensure!(output.combined().contains(words), "{words}: {output:?}");
                Ok(())
            })
            .await?;
        }
    }
    Ok(())
}

/// The connection is not closed: the process of the server just stops. Without a limit on the request, nothing else
/// shows it.
async fn a_server_that_stopped_is_noticed(lab: Lab) -> Result<()> {
    let cluster = connect(&lab.kubeconfig(User::Viewer)).await?;
    cluster.version(DEFAULT_TIMEOUT).await?;
    let State::Running(pid) = lab.state("kube-apiserver")? else { bail!("there is no server") };
    let signal = |name: &str| Command::new("kill").args([name, &pid.to_string()]).status();
    signal("-STOP")?;
    // Its threads stop one by one.
    until("the server to stand still", async || Ok(all_stopped(pid)?.then_some(()))).await?;
    let asked = Instant::now();
    let answer = cluster.version(DEFAULT_TIMEOUT * 3).await;
    signal("-CONT")?;
    let words = answer.err().context("a server that is stopped answered")?.to_string();
    ensure!(words.contains("did not respond in time"), "{words}");
    ensure!(asked.elapsed() < DEFAULT_TIMEOUT, "{:?}", asked.elapsed());
    Ok(())
}

fn all_stopped(pid: u32) -> Result<bool> {
    let mut threads = std::fs::read_dir(format!("/proc/{pid}/task"))?;
    threads.try_fold(true, |all, thread| {
        let stat = std::fs::read_to_string(thread?.path().join("stat"))?;
        Ok(all && stat.contains(") T "))
    })
}

// === Helpers ===

/// A proxy that lets only the viewer in: the server itself tells its version to anybody.
async fn guarded(lab: &Lab) -> Result<Proxy> {
    let proxy = Proxy::start(lab).await?;
    let expected = format!("Bearer {}", User::Viewer.token());
    let is_stranger = move |parts: &http::request::Parts| {
        parts.headers.get(header::AUTHORIZATION).is_none_or(|value| value != expected.as_str())
    };
    proxy.on(Match::any().when(is_stranger), ErrorResponse::Unauthorized);
    Ok(proxy)
}

async fn connect(kubeconfig: &Path) -> Result<Cluster> {
    let target = Target {
        kubeconfig: Some(kubeconfig.to_owned()),
        request_timeout: Some(DEFAULT_TIMEOUT),
        ..Target::default()
    };
    Ok(Cluster::connect(&target).await?)
}

fn exec(command: &str) -> Value {
    json!({"exec": {
        "apiVersion": "client.authentication.k8s.io/v1",
        "command": command,
        "interactiveMode": "IfAvailable",
        "installHint": "install it with care",
    }})
}

/// A folder of the test's own, which is the home of the calls it makes.
struct TestHome(TempDir);

impl TestHome {
    fn new() -> Result<Self> {
        Ok(Self(TempDir::new()?))
    }

    fn file(&self, name: &str, content: &str) -> Result<String> {
        let path: PathBuf = self.0.path().join(name);
        std::fs::write(&path, content)?;
        Ok(path.display().to_string())
    }

    fn plugin(&self, script: &str) -> Result<String> {
        let path = self.file("login", &format!("#!/bin/sh\n{script}\n"))?;
        std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755))?;
        Ok(path)
    }

    /// A line of shell by which a plugin gives this token.
    fn says(token: &str) -> String {
        let said = json!({
            "apiVersion": "client.authentication.k8s.io/v1", "kind": "ExecCredential",
            "status": {"token": token, "expirationTimestamp": "2999-01-01T00:00:00Z"},
        });
        format!("echo '{said}'")
    }

    fn runs(&self) -> String {
        self.0.path().join("runs").display().to_string()
    }

    fn count(&self) -> usize {
        std::fs::read_to_string(self.runs()).map_or(0, |text| text.lines().count())
    }

    fn kubeconfig(&self, lab: &Lab, server: &str, user: &Value) -> Result<String> {
        let authority = lab.folder().join("ca.crt");
        let config = json!({
            "apiVersion": "v1",
            "kind": "Config",
            "current-context": "here",
            "clusters": [{"name": "here", "cluster": {"server": server, "certificate-authority": authority}}],
            "users": [{"name": "who", "user": user}],
            "contexts": [{"name": "here", "context": {"cluster": "here", "user": "who"}}],
        });
        self.file("config", &config.to_string())
    }

    async fn version(&self, flags: &[&str]) -> Result<CommandOutput> {
        self.version_with(flags, &[]).await
    }

    async fn version_with(&self, flags: &[&str], env: &[(&str, &str)]) -> Result<CommandOutput> {
        let mut call = Command::new(env!("CARGO_BIN_EXE_kubectl-op"));
        call.env_clear().env("HOME", self.0.path()).env("PATH", "/usr/bin:/bin").envs(env.iter().copied());
        call.arg("version").args(flags).stdin(std::process::Stdio::null());
        run_command(call).await
    }
}

/// Which kind of proxy.
#[derive(Clone, Copy, Debug)]
enum ProxyKind {
    Connect,
    Socks,
}

/// A proxy that leads to loopback, whatever host it is asked for.
struct TestProxy {
    kind: ProxyKind,
    address: SocketAddr,
    used: Arc<AtomicUsize>,
}

impl TestProxy {
    fn start(kind: ProxyKind) -> Result<Self> {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?;
        let address = listener.local_addr()?;
        let used = Arc::new(AtomicUsize::new(0));
        let count = Arc::clone(&used);
        std::thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                count.fetch_add(1, Ordering::Relaxed);
                std::thread::spawn(move || relay(kind, stream));
            }
        });
        Ok(Self { kind, address, used })
    }

    fn url(&self) -> String {
        let scheme = match self.kind {
            ProxyKind::Connect => "http",
            ProxyKind::Socks => "socks5",
        };
        format!("{scheme}://{}", self.address)
    }

    fn used(&self) -> usize {
        self.used.load(Ordering::Relaxed)
    }
}

fn relay(kind: ProxyKind, mut client: TcpStream) -> Result<()> {
    let port = match kind {
        ProxyKind::Connect => {
            let mut head = Vec::new();
            while !head.ends_with(b"\r\n\r\n") {
                let mut byte = [0];
                client.read_exact(&mut byte)?;
                head.extend(byte);
            }
            let head = String::from_utf8(head)?;
            ensure!(head.starts_with("CONNECT cluster.example:"), "{head}");
            client.write_all(b"HTTP/1.1 200 Connection established\r\n\r\n")?;
            head.split([':', ' ']).nth(2).context("no port")?.parse()?
        }
        ProxyKind::Socks => {
            let mut hello = [0; 3];
            client.read_exact(&mut hello)?;
            client.write_all(&[5, 0])?;
            let mut wish = [0; 5];
            client.read_exact(&mut wish)?;
            let mut rest = vec![0; usize::from(wish[4]) + 2];
            client.read_exact(&mut rest)?;
            ensure!(
                wish[3] == 3 && rest.starts_with(b"cluster.example"),
                "the name is the proxy's to look up"
            );
            client.write_all(&[5, 0, 0, 1, 127, 0, 0, 1, 0, 0])?;
            u16::from_be_bytes([rest[rest.len() - 2], rest[rest.len() - 1]])
        }
    };
    let server = TcpStream::connect((Ipv4Addr::LOCALHOST, port))?;
    let (mut from, mut to) = (server.try_clone()?, client.try_clone()?);
    std::thread::spawn(move || std::io::copy(&mut from, &mut to));
    std::io::copy(&mut client, &mut &server)?;
    Ok(())
}

/// A server that speaks HTTP/1.1 only, and may ask for a client's certificate.
struct Http1Server(SocketAddr);

impl Http1Server {
    fn start(identity: &Identity, clients: Option<&str>) -> Result<Self> {
        let provider = Arc::new(ring::default_provider());
        let builder = ServerConfig::builder_with_provider(Arc::clone(&provider))
            .with_safe_default_protocol_versions()?;
        let builder = match clients {
            Some(authority) => {
                let mut roots = RootCertStore::empty();
                roots.add(CertificateDer::from_pem_slice(authority.as_bytes())?)?;
                let verifier =
                    WebPkiClientVerifier::builder_with_provider(Arc::new(roots), provider).build()?;
                builder.with_client_cert_verifier(verifier)
            }
            None => builder.with_no_client_auth(),
        };
        let chain =
            CertificateDer::pem_slice_iter(identity.certificate.as_bytes()).collect::<Result<_, _>>()?;
        let mut config =
            builder.with_single_cert(chain, PrivateKeyDer::from_pem_slice(identity.key.as_bytes())?)?;
        config.alpn_protocols = vec![b"http/1.1".to_vec()];
        let (config, listener) = (Arc::new(config), TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?);
        let address = listener.local_addr()?;
        std::thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let config = Arc::clone(&config);
                std::thread::spawn(move || answer(config, stream));
            }
        });
        Ok(Self(address))
    }

    fn url(&self) -> String {
        format!("https://{}", self.0)
    }
}

fn answer(config: Arc<ServerConfig>, stream: TcpStream) -> Result<()> {
    let mut stream = StreamOwned::new(ServerConnection::new(config)?, stream);
    let mut head = [0; 4096];
    let read = stream.read(&mut head)?;
    ensure!(String::from_utf8_lossy(&head[..read]).starts_with("GET /version HTTP/1.1\r\n"));
    let body = json!({
        "major": "1", "minor": "36", "gitVersion": "v1.36.0", "gitCommit": "", "gitTreeState": "", "buildDate": "",
        "goVersion": "", "compiler": "", "platform": "linux/amd64",
    });
    let body = body.to_string();
    let answer = format!(
        "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: {}\r\n\r\n{body}",
        body.len()
    );
    stream.write_all(answer.as_bytes())?;
    stream.flush()?;
    // Until the client goes.
    std::io::copy(&mut stream, &mut std::io::sink())?;
    Ok(())
}
