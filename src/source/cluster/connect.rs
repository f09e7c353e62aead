//! Flags, environment and kubeconfig, turned into a client. Nothing is sent here.

use std::env::consts;
use std::sync::atomic::AtomicBool;

use kube::config::{
    AuthInfo, Context, KubeConfigOptions, Kubeconfig, NamedAuthInfo, NamedCluster, NamedContext,
};

use super::clock::Clock;
use super::kubeconfig::{Kubeconfigs, Selected};
use super::target::Target;
use super::{Cluster, fault, overrides, pod};
use crate::error::{Failure, Kind};

pub(super) async fn connect(target: &Target) -> Result<Cluster, Failure> {
    let mut selected = select(target)?;
    overrides::apply_to_cluster(target, &mut selected.cluster);
    overrides::apply_to_user(target, &mut selected.user)?;
    let address = Address::of(&selected, target.server.is_some())?;
    selected.cluster.server = Some(address.url);
    let config = configure(target, selected).await?;
    let client = kube::Client::try_from(config).map_err(|error| fault::explain(&error, &address.shown))?;
    Ok(Cluster {
        client,
        server: address.shown,
        timeout: target.request_timeout,
        clock: Clock::default(),
        streams: AtomicBool::new(false),
    })
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

async fn configure(target: &Target, selected: Selected) -> Result<kube::Config, Failure> {
    let named = selected.named.clone();
    let namespace = target.namespace.clone().or_else(|| selected.namespace.clone());
    let mut config = kube::Config::from_custom_kubeconfig(alone(selected), &KubeConfigOptions::default())
        .await
        .map_err(|error| fault::configuration(&error, &named))?;
    if config.root_cert.as_ref().is_some_and(Vec::is_empty) {
        return Err(fault::no_certificate(&named));
    }
    if let Some(namespace) = namespace {
        config.default_namespace = namespace;
    }
    // kube's own retry waits six minutes for a dead APIService.
    config.default_retry = false;
    config.connect_timeout = target.request_timeout;
    config.read_timeout = target.request_timeout;
    config.write_timeout = target.request_timeout;
    config.reset_reader_on_write = true;
    let agent = format!("{}/{} ({})", env!("CARGO_PKG_NAME"), env!("CARGO_PKG_VERSION"), platform());
    if let (Ok(name), Ok(value)) = ("user-agent".parse(), agent.parse()) {
        config.headers.push((name, value));
    }
    Ok(config)
}

/// A kubeconfig that holds the selected cluster and user and nothing else: kube can choose no other.
fn alone(selected: Selected) -> Kubeconfig {
    let name = String::from("selected");
    let context = Context { cluster: name.clone(), user: Some(name.clone()), ..Context::default() };
    let Selected { cluster, user, .. } = selected;
    Kubeconfig {
        clusters: vec![NamedCluster {
            name: name.clone(),
            cluster: Some(cluster),
            ..NamedCluster::default()
        }],
        auth_infos: vec![NamedAuthInfo {
            name: name.clone(),
            auth_info: Some(user),
            ..NamedAuthInfo::default()
        }],
        contexts: vec![NamedContext {
            name: name.clone(),
            context: Some(context),
            ..NamedContext::default()
        }],
        current_context: Some(name),
        ..Kubeconfig::default()
    }
}

/// Where the server is: for the client, and for people (who may not see a password in it).
#[derive(Debug, PartialEq, Eq)]
struct Address {
    url: String,
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
        Self::shown(&url).map(|shown| Self { url, shown }).ok_or_else(|| {
            // The address itself is not repeated: a password may stand in it.
            let what = if by_flag { named.to_owned() } else { format!("the server of {named}") };
            Failure::new(Kind::Configuration, format!("{what} is not an address"))
                .hint("host must be a URL or a host:port pair, like https://10.0.0.1:6443")
        })
    }

    /// The URL without user, password and path; `None` when it is no URL of a server.
    fn shown(url: &str) -> Option<String> {
        let url = kube::Config::new(url.parse().ok()?).cluster_url;
        let scheme = url.scheme_str().filter(|scheme| ["http", "https"].contains(scheme))?;
        let host = url.host().filter(|host| !host.is_empty())?;
        Some(match url.port_u16() {
            Some(port) => format!("{scheme}://{host}:{port}"),
            None => format!("{scheme}://{host}"),
        })
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
        Selected { named: "cluster \"c\"".into(), cluster, user: AuthInfo::default(), namespace: None }
    }

    fn address(server: &str) -> Option<(String, String)> {
        Address::of(&selected(server), false).ok().map(|address| (address.url, address.shown))
    }

    #[test]
    fn an_address_is_a_url_or_a_host_and_port() {
        let both = |url: &str, shown: &str| Some((url.to_owned(), shown.to_owned()));
        assert_eq!(address("https://a:6443/k8s/c-1"), both("https://a:6443/k8s/c-1", "https://a:6443"));
        assert_eq!(address("https://me:secret@a"), both("https://me:secret@a", "https://a"));
        assert_eq!(
            address("https://[fd00::1]:6443"),
            both("https://[fd00::1]:6443", "https://[fd00::1]:6443")
        );
        assert_eq!(address("localhost:8080"), both("http://localhost:8080", "http://localhost:8080"));
        for wrong in ["", "https://", "ftp://a", "not an address", "https://a b"] {
            assert_eq!(address(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn a_bare_host_with_anything_about_tls_means_https() {
        let mut selected = selected("a:6443");
        selected.cluster.insecure_skip_tls_verify = Some(true);
        assert_eq!(Address::of(&selected, false).unwrap().url, "https://a:6443");
    }

    #[tokio::test]
    async fn flags_reach_the_client() {
        let target = Target {
            server: Some("https://a:1".into()),
            namespace: Some("shop".into()),
            request_timeout: Some(std::time::Duration::from_secs(7)),
            ..Target::default()
        };
        let config = configure(&target, selected("https://a:1")).await.unwrap();
        assert_eq!(config.default_namespace, "shop");
        assert!(!config.default_retry);
        assert_eq!(
            [config.connect_timeout, config.read_timeout, config.write_timeout],
            [target.request_timeout; 3]
        );
        let (name, value) = &config.headers[0];
        assert_eq!(name.as_str(), "user-agent");
        assert_eq!(
            value.to_str().unwrap(),
            format!("kubectl-op/{} ({})", env!("CARGO_PKG_VERSION"), platform())
        );
    }
}
