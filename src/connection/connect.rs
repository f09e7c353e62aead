//! Flags, environment and kubeconfig, turned into a client. Nothing is sent here; a credential plugin is run.

use std::env::consts;
use std::fs;
use std::time::Duration;

use http::Uri;
use http::uri::Authority;
use kube::config::{AuthInfo, ExecConfig};
use rustls::pki_types::ServerName;
use secrecy::ExposeSecret as _;

use super::exec::Plugin;
use super::fault;
use super::kubeconfig::{Kubeconfigs, Selected};
use super::login::Login;
use super::target::Target;
use super::tls::{Identity, Trust};
use super::warnings::Warnings;
use super::wire::{Road, Wire};
use super::{Connection, client, overrides, pod, proxy};
use crate::error::{Failure, Kind};

/// Making a connection takes no longer than this: a firewall that swallows packets is noticed.
const CONNECT: Duration = Duration::from_secs(10);
/// The same when a person waits as long as it takes; what kubectl allows.
const CONNECT_PATIENTLY: Duration = Duration::from_secs(30);

pub(crate) async fn connect(target: &Target) -> Result<Connection, Failure> {
    let mut selected = select(target)?;
    overrides::apply_to_cluster(target, &mut selected.cluster);
    overrides::apply_to_user(target, &mut selected.user)?;
    let address = Address::of(&selected, target.server.is_some())?;
    selected.cluster.server = Some(address.uri.to_string());
    let exec = take_exec(&mut selected.user);
    let road = road(target, &selected, &address)?;
    let mut identity = Identity::of(&selected.user)?;
    let ready = match exec {
        Some(exec) => {
            let Selected { named, cluster, user_named, .. } = &selected;
            let plugin = Plugin::new(target, exec, user_named, cluster, named)?;
            let mut credential = plugin.run().await?;
            identity = credential.identity.take().or(identity);
            Some((plugin, credential))
        }
        None => None,
    };
    let wire = Wire::new(road, identity.as_ref())?;
    let login = ready.map(|(plugin, credential)| Login::new(plugin, &credential, wire.clone()));
    let config = configure(target, selected, &address);
    let warnings = Warnings::default();
    let client = client::build(&config, wire, login, &warnings, &target.log)
        .map_err(|error| fault::explain(&error, &address.shown))?;
    Ok(Connection { client, server: address.shown, warnings })
}

/// `linux/amd64`: this program's platform as Go and krew spell it.
pub fn platform() -> String {
    let os = if consts::OS == "macos" { "darwin" } else { consts::OS };
    let arch = match consts::ARCH {
        "x86_64" => "amd64",
        "aarch64" => "arm64",
        other => other,
    };
    format!("{os}/{arch}")
}

/// A kubeconfig wins over the Pod around us, and a server named by flag needs neither.
fn select(target: &Target) -> Result<Selected, Failure> {
    let files = Kubeconfigs::load(target)?;
    if !files.is_empty() {
        return files.select(target);
    }
    let names_one = target.context.is_some() || target.cluster.is_some() || target.user.is_some();
    match pod::service_account(&target.env) {
        Some(account) if target.kubeconfig.is_none() && !names_one => Ok(account),
        _ if target.server.is_some() || names_one => files.select(target),
        _ => Err(files.nothing_found(target)),
    }
}

/// The way to the server.
fn road(target: &Target, selected: &Selected, address: &Address) -> Result<Road, Failure> {
    let Selected { cluster, named, .. } = selected;
    let proxy = proxy::choose(cluster.proxy_url.as_deref(), named, &target.env.proxies, &address.uri)?;
    if let Some(proxy) = &proxy {
        target.log.note(|| format!("through the proxy {} of {}", proxy.named.url, proxy.named.origin));
    }
    // Read even if there is no TLS: a file that is missing is a mistake either way, as with kubectl.
    let trust = Trust::of(cluster, named)?;
    let tls = address.uri.scheme_str() == Some("https");
    let name = cluster.tls_server_name.clone().filter(|name| !name.is_empty()).map(|name| {
        ServerName::try_from(name).map_err(|_| {
            Failure::new(Kind::Configuration, "invalid configuration: tls-server-name is not a host name")
                .hint("correct it, or pass --tls-server-name NAME")
        })
    });
    Ok(Road {
        trust: if tls { trust } else { Trust::Nobody },
        name: name.transpose()?,
        proxy,
        limit: target.request_timeout.map_or(CONNECT_PATIENTLY, |limit| limit.min(CONNECT)),
        http2: tls && !target.env.disable_http2,
    })
}

/// Takes the credential plugin out, which kube would run, too. It is not run when there is another way to log in.
fn take_exec(user: &mut AuthInfo) -> Option<ExecConfig> {
    user.token = user.token.take().filter(|token| !token.expose_secret().is_empty());
    let exec = user.exec.take();
    let basic = user.username.is_some() && user.password.is_some();
    let other = basic || user.token.is_some() || user.token_file.is_some() || user.auth_provider.is_some();
    exec.filter(|_| !other)
}

/// What kube's own layers need to know: address, log-in, headers.
fn configure(target: &Target, selected: Selected, address: &Address) -> kube::Config {
    let mut config = kube::Config::new(address.uri.clone());
    if let Some(namespace) = target.namespace.clone().or(selected.namespace) {
        config.default_namespace = namespace;
    }
    config.disable_compression = selected.cluster.disable_compression == Some(true);
    config.auth_info = selected.user;
    trim_token_file(&mut config.auth_info);
    let agent = format!("{}/{} ({})", env!("CARGO_PKG_NAME"), env!("CARGO_PKG_VERSION"), platform());
    if let Ok(value) = agent.parse() {
        config.headers.push((http::header::USER_AGENT, value));
    }
    config
}

/// A token file may end in a line break, which kubectl does not mind and kube does.
fn trim_token_file(user: &mut AuthInfo) {
    if let (None, Some(file)) = (&user.token, &user.token_file)
        && let Ok(text) = fs::read_to_string(file)
        && text.trim() != text
    {
        user.token = Some(text.trim().to_owned().into());
    }
}

/// Where the server is: for the client, and for people. A password in it is for neither.
#[derive(Debug, PartialEq, Eq)]
struct Address {
    uri: Uri,
    shown: String,
}

impl Address {
    fn of(selected: &Selected, by_flag: bool) -> Result<Self, Failure> {
        let cluster = &selected.cluster;
        let named = if by_flag { "--server" } else { selected.named.as_str() };
        let Some(server) = cluster.server.as_ref().filter(|server| !server.is_empty()) else {
            let what = if named.is_empty() {
                "no cluster is named".into()
            } else {
                format!("{named} has no server")
            };
            return Err(Failure::new(Kind::Configuration, what).hint("add --server https://HOST:PORT"));
        };
        let url = if server.contains("://") {
            server.clone()
        } else if cluster.insecure_skip_tls_verify == Some(true)
            || cluster.certificate_authority.is_some()
            || cluster.certificate_authority_data.is_some()
            || has_certificate(&selected.user)
        {
            format!("https://{server}")
        } else {
            // HOST:PORT with nothing about TLS around it means plain http, as with kubectl.
            format!("http://{server}")
        };
        Self::parse(&url).ok_or_else(|| {
            // The address itself is not repeated: a password may stand in it.
            let what = if by_flag { named.to_owned() } else { format!("the server of {named}") };
            Failure::new(Kind::Configuration, format!("{what} is not an address"))
                .hint("host must be a URL or a host:port pair, like https://10.0.0.1:6443")
        })
    }

    /// `None` when it is no URL of a server.
    fn parse(url: &str) -> Option<Self> {
        let uri: Uri = url.parse().ok()?;
        let scheme = uri.scheme_str().filter(|scheme| ["http", "https"].contains(scheme))?.to_owned();
        let host = uri.host().filter(|host| !host.is_empty())?;
        let place = match uri.port_u16() {
            Some(port) => format!("{host}:{port}"),
            None => host.to_owned(),
        };
        let shown = format!("{scheme}://{place}");
        let mut parts = uri.into_parts();
        parts.authority = Some(Authority::try_from(place).ok()?);
        Some(Self { uri: Uri::from_parts(parts).ok()?, shown })
    }
}

fn has_certificate(user: &AuthInfo) -> bool {
    user.client_certificate.is_some() || user.client_certificate_data.is_some()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn selected(server: &str) -> Selected {
        let cluster = kube::config::Cluster { server: Some(server.to_owned()), ..Default::default() };
        Selected {
            named: "cluster \"c\"".into(),
            cluster,
            user_named: "user \"u\"".into(),
            user: AuthInfo::default(),
            namespace: None,
        }
    }

    fn address(server: &str) -> Option<(String, String)> {
        Address::of(&selected(server), false).ok().map(|address| (address.uri.to_string(), address.shown))
    }

    #[test]
    fn an_address_is_a_url_or_a_host_and_port() {
        let both = |url: &str, shown: &str| Some((url.to_owned(), shown.to_owned()));
        assert_eq!(address("https://a:6443/k8s/c-1"), both("https://a:6443/k8s/c-1", "https://a:6443"));
        assert_eq!(address("https://me:secret@a"), both("https://a/", "https://a"));
        assert_eq!(
            address("https://[fd00::1]:6443"),
            both("https://[fd00::1]:6443/", "https://[fd00::1]:6443")
        );
        assert_eq!(address("localhost:8080"), both("http://localhost:8080/", "http://localhost:8080"));
        for wrong in ["", "https://", "ftp://a", "not an address", "https://a b"] {
            assert_eq!(address(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn a_bare_host_with_anything_about_tls_means_https() {
        let mut selected = selected("a:6443");
        selected.cluster.insecure_skip_tls_verify = Some(true);
        assert_eq!(Address::of(&selected, false).unwrap().uri, "https://a:6443/");
    }

    #[test]
    fn flags_reach_the_client() {
        let target = Target {
            namespace: Some("shop".into()),
            request_timeout: Some(Duration::from_secs(7)),
            ..Target::default()
        };
        let mut selected = selected("https://a:1");
        selected.cluster.disable_compression = Some(true);
        let address = Address::of(&selected, false).unwrap();
        let limit = |request_timeout| {
            let target = Target { request_timeout, ..target.clone() };
            road(&target, &selected, &address).unwrap().limit
        };
        let seconds = Duration::from_secs;
        assert_eq!(limit(Some(seconds(7))), seconds(7));
        assert_eq!(limit(Some(seconds(60))), CONNECT);
        assert_eq!(limit(None), CONNECT_PATIENTLY);
        let config = configure(&target, selected, &address);
        assert_eq!((config.default_namespace.as_str(), config.disable_compression), ("shop", true));
        let (name, value) = &config.headers[0];
        assert_eq!(name.as_str(), "user-agent");
        assert_eq!(
            value.to_str().unwrap(),
            format!("kubectl-op/{} ({})", env!("CARGO_PKG_VERSION"), platform())
        );
    }

    #[test]
    fn a_plugin_is_for_users_with_no_other_way_to_log_in() {
        let user = |more: serde_json::Value| -> AuthInfo {
            let mut user = serde_json::json!({"exec": {"command": "x"}});
            user.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
            serde_json::from_value(user).unwrap()
        };
        for (more, taken) in [
            (serde_json::json!({}), true),
            (serde_json::json!({"token": ""}), true),
            (serde_json::json!({"client-certificate": "c"}), true),
            (serde_json::json!({"token": "t"}), false),
            (serde_json::json!({"tokenFile": "/t"}), false),
            (serde_json::json!({"username": "u", "password": "p"}), false),
        ] {
            let mut user = user(more.clone());
            assert_eq!(take_exec(&mut user).is_some(), taken, "{more}");
            assert!(user.exec.is_none());
        }
    }

    #[test]
    fn a_line_break_at_the_end_of_a_token_file_does_no_harm() {
        let folder = tempfile::TempDir::new().unwrap();
        let file = folder.path().join("token");
        fs::write(&file, "t0ken\n").unwrap();
        let mut user = AuthInfo { token_file: Some(file.display().to_string()), ..AuthInfo::default() };
        trim_token_file(&mut user);
        assert_eq!(user.token.unwrap().expose_secret(), "t0ken");
    }
}
