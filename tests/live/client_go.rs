//! The same kubeconfig and environment for kubectl, which is client-go, and for kubectl-op: both must send the same
//! credentials, trust the same servers and use the same proxies.

use std::io::{BufRead as _, BufReader, Read as _};
use std::net::{IpAddr, Ipv4Addr, SocketAddr, TcpListener, TcpStream};
use std::os::unix::fs::PermissionsExt as _;
use std::process::{Command, Stdio};
use std::sync::{Arc, Mutex, PoisonError};

use anyhow::{Result, ensure};
use lab::Lab;
use lab::certs::{Authority, Identity, Purpose, is_authority};
use rustls::crypto::ring;
use rustls::pki_types::pem::PemObject as _;
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use rustls::{ServerConfig, ServerConnection, StreamOwned};
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::binary::run_command;
use crate::harness::{Test, in_time, shared};

pub(crate) fn tests() -> Vec<Test> {
    vec![
        shared("client_go::the_same_credentials_are_sent", the_same_credentials_are_sent),
        shared("client_go::plugins_are_told_the_same", plugins_are_told_the_same),
        shared("client_go::the_same_servers_are_trusted", the_same_servers_are_trusted),
        shared("client_go::the_same_proxies_are_used", the_same_proxies_are_used),
    ]
}

async fn the_same_credentials_are_sent(lab: Lab, _: String) -> Result<()> {
    let authority = Authority::new("here")?;
    let server = Recorder::start(Some(&authority.issue(&[], &[Ipv4Addr::LOCALHOST.into()])?))?;
    let plain = Recorder::start(None)?;
    let test = Pair::new(&lab)?;
    let (file, empty) = (test.file("token", "from-file\n")?, test.file("empty", "")?);
    // None without any credentials: kubectl then asks for a user name.
    let users = [
        json!({"token": "inline"}),
        json!({"tokenFile": file}),
        json!({"token": "inline", "tokenFile": file}),
        json!({"token": "inline", "tokenFile": empty}),
        json!({"tokenFile": empty}),
        json!({"username": "u", "password": "p"}),
        json!({"token": "inline", "username": "u", "password": "p"}),
        json!({"token": "inline", "auth-provider": {"name": "gcp"}}),
        json!({"auth-provider": {"name": "gcp", "config": {"cmd-path": "true", "access-token": "a"}}}),
        json!({"auth-provider": {"name": "oidc", "config": {"idp-issuer-url": "https://x", "client-id": "c",
            // {"exp":99999999999}
            "id-token": "e30.eyJleHAiOjk5OTk5OTk5OTk5fQ.c2ln"}}}),
        json!({"auth-provider": {"name": "oidc", "config": {"idp-issuer-url": "https://x", "client-id": "c"}}}),
        json!({"token": "inline", "as": "jane", "as-groups": ["a", "b"]}),
        json!({"token": "in\nline"}),
    ];
    for user in users {
        for (server, authority) in [(&server, Some(authority.certificate())), (&plain, None)] {
            let config = test.kubeconfig(&cluster(&server.url(), authority), &user)?;
            in_time(async || {
                let (kubectl, op) = test.both(&config, &[], || server.take()).await?;
                ensure!(kubectl == op, "{user} at {}: kubectl {kubectl:?}, kubectl-op {op:?}", server.url());
                Ok(())
            })
            .await?;
        }
    }
    Ok(())
}

async fn plugins_are_told_the_same(lab: Lab, _: String) -> Result<()> {
    let authority = Authority::new("here")?;
    let server = Recorder::start(Some(&authority.issue(&[], &[Ipv4Addr::LOCALHOST.into()])?))?;
    let test = Pair::new(&lab)?;
    let info = test.path("info");
    let credential = json!({"apiVersion": "client.authentication.k8s.io/v1", "kind": "ExecCredential",
        "status": {"token": "from-plugin"}});
    let login = test.file(
        "login",
        &format!("#!/bin/sh\nprintf %s \"$KUBERNETES_EXEC_INFO\" > {info}\necho '{credential}'\n"),
    )?;
    std::fs::set_permissions(&login, std::fs::Permissions::from_mode(0o755))?;
    let user = json!({"exec": {"apiVersion": "client.authentication.k8s.io/v1", "command": login,
        "interactiveMode": "Never", "provideClusterInfo": true}});
    for suffix in ["", "/", "/k8s/c-1", "/k8s/c-1?a=b"] {
        let mut cluster = cluster(&format!("{}{suffix}", server.url()), Some(authority.certificate()));
        cluster["extensions"] =
            json!([{"name": "client.authentication.k8s.io/exec", "extension": {"audience": "x"}}]);
        let config = test.kubeconfig(&cluster, &user)?;
        in_time(async || {
            let told = || {
                let told = std::fs::read_to_string(&info).unwrap_or_default();
                let _ = std::fs::remove_file(&info);
                (serde_json::from_str::<Value>(&told).ok(), server.take())
            };
            let (kubectl, op) = test.both(&config, &[], told).await?;
            ensure!(
                kubectl.0.is_some() && kubectl == op,
                "{suffix:?}: kubectl {kubectl:?}, kubectl-op {op:?}"
            );
            Ok(())
        })
        .await?;
    }
    Ok(())
}

async fn the_same_servers_are_trusted(lab: Lab, _: String) -> Result<()> {
    let here = [Ipv4Addr::LOCALHOST.into()];
    let root = Authority::new("root")?;
    let own = root.issue(&["a"], &here)?;
    let client =
        root.issue_odd(&["a"], &here, |params| params.extended_key_usages = vec![Purpose::ClientAuth])?;
    // what is trusted, what the server shows, and whether that is enough
    let mut table: Vec<(&str, String, Identity, bool)> = vec![
        ("an authority", root.certificate().to_owned(), own.clone(), true),
        ("another authority", Authority::new("other")?.certificate().to_owned(), own.clone(), false),
        ("the server's own certificate", own.certificate.clone(), own.clone(), true),
        ("the server's own certificate, which is a client's", client.certificate.clone(), client, false),
    ];
    let purposes = |purposes: &'static [Purpose]| {
        Authority::odd("odd", move |params| params.extended_key_usages = purposes.to_vec())
    };
    for (what, authority, trusted) in [
        ("an authority for clients", purposes(&[Purpose::ClientAuth])?, false),
        ("an authority for servers", purposes(&[Purpose::ServerAuth])?, true),
        (
            "not an authority",
            Authority::odd("odd", |params| params.is_ca = lab::certs::no_authority())?,
            false,
        ),
        ("an authority without usages", Authority::odd("odd", |params| params.key_usages.clear())?, true),
        (
            "an authority that may not sign",
            Authority::odd("odd", |params| {
                params.is_ca = is_authority();
                params.key_usages = vec![lab::certs::KeyUse::DigitalSignature];
            })?,
            false,
        ),
    ] {
        let identity = authority.issue(&["a"], &here)?;
        table.push((what, authority.certificate().to_owned(), identity.clone(), trusted));
        // One certificate that is of no use does not spoil the others.
        let bundle = format!("{}{}", authority.certificate(), root.certificate());
        table.push(("the same in a bundle", bundle.clone(), identity, trusted));
        table.push(("the other one of that bundle", bundle, own.clone(), true));
    }
    let test = Pair::new(&lab)?;
    for (what, authority, identity, trusted) in table {
        let server = Recorder::start(Some(&identity))?;
        let config = test.kubeconfig(&cluster(&server.url(), Some(&authority)), &json!({"token": "t"}))?;
        in_time(async || {
            let (kubectl, op) = test.both(&config, &[], || !server.take().is_empty()).await?;
            ensure!((kubectl, op) == (trusted, trusted), "{what}: kubectl {kubectl}, kubectl-op {op}");
            Ok(())
        })
        .await?;
    }
    Ok(())
}

async fn the_same_proxies_are_used(lab: Lab, _: String) -> Result<()> {
    let test = Pair::new(&lab)?;
    // Refuses whatever it is asked for: it only matters whether it is asked.
    let proxy = Recorder::start(None)?;
    // Go never uses a proxy for localhost and loopback addresses. These lead to this machine, too, and are neither.
    let direct = Recorder::start(None)?;
    let port = direct.address.port();
    let name = local_name();
    let servers = [name.as_deref().unwrap_or_default(), "0.0.0.0", "[::]"];
    for server in servers.into_iter().filter(|server| !server.is_empty()) {
        let config =
            test.kubeconfig(&cluster(&format!("https://{server}:{port}"), None), &json!({"token": "t"}))?;
        for (no_proxy, used) in [
            (String::new(), [true, true, true]),
            ("*".to_owned(), [false, false, false]),
            (NAME.to_owned(), [false, true, true]),
            (format!("x {NAME}"), [true, true, true]),
            (format!("x\t{NAME}"), [true, true, true]),
            (format!("x;{NAME}"), [true, true, true]),
            (format!("x, {NAME} ,"), [false, true, true]),
            (format!(".{NAME}"), [true, true, true]),
            (format!("*.{NAME}:{port}"), [true, true, true]),
            (format!("{NAME}:{port}"), [false, true, true]),
            (format!("{NAME}:443"), [true, true, true]),
            ("0.0.0.0".to_owned(), [true, false, true]),
            ("0.0.0.0/8".to_owned(), [true, false, true]),
            (".0.0,0.0".to_owned(), [true, true, true]),
            ("::".to_owned(), [true, true, false]),
            ("[::]".to_owned(), [true, true, true]),
            (format!("[::]:{port}"), [true, true, false]),
        ] {
            let expected = used[servers.iter().position(|other| other == &server).unwrap_or_default()];
            let url = proxy.url();
            let no_proxy = no_proxy.replace(NAME, servers[0]);
            let env = [("HTTPS_PROXY", url.as_str()), ("NO_PROXY", no_proxy.as_str())];
            let (kubectl, op) = test.both(&config, &env, || !proxy.take().is_empty()).await?;
            ensure!(
                (kubectl, op) == (expected, expected),
                "{no_proxy:?} {server}: kubectl {kubectl}, kubectl-op {op}"
            );
        }
    }
    Ok(())
}

// === Helpers ===

/// Stands for a name of this machine.
const NAME: &str = "NAME";

/// A name other than `localhost` that this machine knows by a loopback address without asking anybody.
fn local_name() -> Option<String> {
    let hosts = std::fs::read_to_string("/etc/hosts").ok()?;
    hosts.lines().find_map(|line| {
        let mut words = line.split('#').next()?.split_whitespace();
        words.next()?.parse::<IpAddr>().ok().filter(IpAddr::is_loopback)?;
        words.find(|name| *name != "localhost").map(str::to_owned)
    })
}

fn cluster(server: &str, authority: Option<&str>) -> Value {
    use base64::Engine as _;
    let mut cluster = json!({"server": server});
    if let Some(pem) = authority {
        cluster["certificate-authority-data"] = json!(base64::engine::general_purpose::STANDARD.encode(pem));
    }
    cluster
}

/// Both programs, and a folder that is the home of both.
struct Pair {
    lab: Lab,
    home: TempDir,
}

impl Pair {
    fn new(lab: &Lab) -> Result<Self> {
        Ok(Self { lab: lab.clone(), home: TempDir::new()? })
    }

    fn path(&self, name: &str) -> String {
        self.home.path().join(name).display().to_string()
    }

    fn file(&self, name: &str, content: &str) -> Result<String> {
        let path = self.path(name);
        std::fs::write(&path, content)?;
        Ok(path)
    }

    fn kubeconfig(&self, cluster: &Value, user: &Value) -> Result<String> {
        let config = json!({
            "apiVersion": "v1",
            "kind": "Config",
            "current-context": "here",
            "clusters": [{"name": "here", "cluster": cluster}],
            "users": [{"name": "who", "user": user}],
            "contexts": [{"name": "here", "context": {"cluster": "here", "user": "who"}}],
        });
        self.file("config", &config.to_string())
    }

    /// What `seen` gives after kubectl has asked for the version, and after kubectl-op has.
    async fn both<T>(&self, config: &str, env: &[(&str, &str)], seen: impl Fn() -> T) -> Result<(T, T)> {
        let call = |program: &std::path::Path, words: &[&str]| {
            let mut call = Command::new(program);
            call.env_clear().env("HOME", self.home.path()).env("PATH", "/usr/bin:/bin");
            call.envs(env.iter().copied()).args(words).args(["--kubeconfig", config]);
            call.arg("--request-timeout=2s").stdin(Stdio::null());
            call
        };
        run_command(call(self.lab.kubectl(), &["get", "--raw", "/version"])).await?;
        let kubectl = seen();
        let output = run_command(call(env!("CARGO_BIN_EXE_kubectl-op").as_ref(), &["version"])).await?;
        let op = seen();
        ensure!(!output.stderr.contains("did not respond in time") || !env.is_empty(), "{output:?}");
        Ok((kubectl, op))
    }
}

/// A server that answers everything with a version, and keeps who asked.
struct Recorder {
    address: SocketAddr,
    tls: bool,
    heads: Arc<Mutex<Vec<Vec<String>>>>,
}

impl Recorder {
    fn start(identity: Option<&Identity>) -> Result<Self> {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?;
        let address = listener.local_addr()?;
        let config = identity.map(tls_config).transpose()?.map(Arc::new);
        let heads = Arc::new(Mutex::new(Vec::new()));
        let (kept, tls) = (Arc::clone(&heads), config.is_some());
        std::thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let (kept, config) = (Arc::clone(&kept), config.clone());
                std::thread::spawn(move || record(stream, config, &kept));
            }
        });
        Ok(Self { address, tls, heads })
    }

    fn url(&self) -> String {
        format!("{}://{}", if self.tls { "https" } else { "http" }, self.address)
    }

    /// The credentials of each request since the last call, and the method and address of the others.
    fn take(&self) -> Vec<Vec<String>> {
        std::mem::take(&mut *self.heads.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

fn tls_config(identity: &Identity) -> Result<ServerConfig> {
    let chain = CertificateDer::from_pem_slice(identity.certificate.as_bytes())?;
    let key = PrivateKeyDer::from_pem_slice(identity.key.as_bytes())?;
    let builder = ServerConfig::builder_with_provider(Arc::new(ring::default_provider()));
    let mut config = builder
        .with_safe_default_protocol_versions()?
        .with_no_client_auth()
        .with_single_cert(vec![chain], key)?;
    config.alpn_protocols = vec![b"http/1.1".to_vec()];
    Ok(config)
}

fn record(stream: TcpStream, tls: Option<Arc<ServerConfig>>, heads: &Mutex<Vec<Vec<String>>>) -> Result<()> {
    match tls {
        Some(tls) => answer(StreamOwned::new(ServerConnection::new(tls)?, stream), heads),
        None => answer(stream, heads),
    }
}

fn answer(stream: impl std::io::Read + std::io::Write, heads: &Mutex<Vec<Vec<String>>>) -> Result<()> {
    let mut stream = BufReader::new(stream);
    let mut head = Vec::new();
    loop {
        let mut line = String::new();
        stream.read_line(&mut line)?;
        match line.trim_end() {
            "" => break,
            line => head.push(line.to_lowercase()),
        }
    }
    if head.is_empty() {
        return Ok(());
    }
    let is_proxied = head[0].starts_with("connect ");
    let names = ["authorization:", "impersonate-"];
    let mut kept: Vec<String> = head
        .into_iter()
        .filter(|line| is_proxied || names.iter().any(|name| line.starts_with(name)))
        .collect();
    kept.sort_unstable();
    kept.insert(0, "request".to_owned());
    heads.lock().unwrap_or_else(PoisonError::into_inner).push(kept);
    let body = r#"{"major":"1","minor":"36","gitVersion":"v1.36.0","gitCommit":"","gitTreeState":"","buildDate":"","goVersion":"","compiler":"","platform":"x"}"#;
    let status = if is_proxied { "403 Forbidden" } else { "200 OK" };
    let length = body.len();
    let stream = stream.get_mut();
    write!(
        stream,
        "HTTP/1.1 {status}\r\ncontent-type: application/json\r\ncontent-length: {length}\r\nconnection: close\r\n\r\n{body}"
    )?;
    stream.flush()?;
    // Until the client goes.
    std::io::copy(&mut stream.take(1 << 20), &mut std::io::sink())?;
    Ok(())
}
