//! Turns flags, environment and kubeconfig into a client. Sends no request, but may run a credential plugin.

use std::env::consts;
use std::time::Duration;

use http::Uri;
use http::uri::Authority;
use kube::config::{AuthInfo, ExecConfig};
use rustls::pki_types::ServerName;

use super::auth::Authorization;
use super::exec::ExecPlugin;
use super::exec_auth::ExecAuthLayer;
use super::failure;
use super::kubeconfig::{Kubeconfigs, ResolvedContext};
use super::target::Target;
use super::tls::{Identity, ServerVerification};
use super::transport::{Transport, TransportConfig};
use super::warnings::Warnings;
use super::{Connection, auth, client, in_cluster, overrides, proxy};
use crate::error::{Failure, FailureKind};

/// The longest time to wait for a connection, so that a firewall that drops packets is noticed.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(10);
/// The same when requests have no timeout, as in kubectl.
const CONNECT_TIMEOUT_UNBOUNDED: Duration = Duration::from_secs(30);

pub(crate) async fn connect(target: &Target) -> Result<Connection, Failure> {
    let mut resolved = resolve_context(target)?;
    overrides::apply_to_cluster(target, &mut resolved.cluster);
    overrides::apply_to_user(target, &mut resolved.user)?;
    let address = ServerAddress::new(&resolved, target.server.is_some())?;
    auth::check_impersonation(&resolved.user, &resolved.user_display, target)?;
    auth::check_one_method(&resolved.user, &resolved.user_display)?;
    if address.uri.scheme_str() != Some("https") && auth::withhold(&mut resolved.user) {
        target.log.write(|| format!("credentials are not sent to {}: it is not https", address.display));
    }
    let exec_config = take_exec(&mut resolved)?;
    let authorization = Authorization::take_from(&mut resolved, target)?;
    // A plugin is for users with no other way to log in.
    let exec_config = exec_config.filter(|_| authorization.is_none());
    let config = transport_config(target, &resolved, &address)?;
    let mut identity = Identity::from_user(&resolved.user)?;
    let exec = match exec_config {
        Some(exec_config) => {
            let ResolvedContext { cluster_display, cluster, user_display, .. } = &resolved;
            let plugin = ExecPlugin::new(target, exec_config, user_display, cluster, cluster_display)?;
            let mut credential = plugin.run().await?;
            identity = credential.identity.take().or(identity);
            Some((plugin, credential))
        }
        None => None,
    };
    let transport = Transport::new(config, identity.as_ref())?;
    let exec_auth =
        exec.map(|(plugin, credential)| ExecAuthLayer::new(plugin, &credential, transport.clone()));
    let config = kube_config(target, resolved, &address);
    let warnings = Warnings::default();
    let client = client::build(&config, transport, authorization, exec_auth, warnings.clone(), &target.log)
        .map_err(|error| failure::from_kube(&error, &address.display))?;
    Ok(Connection { client, server: address.display, warnings })
}

/// This program's platform as Go and krew spell it, such as `linux/amd64`.
pub fn platform() -> String {
    let os = if consts::OS == "macos" { "darwin" } else { consts::OS };
    let arch = match consts::ARCH {
        "x86_64" => "amd64",
        "aarch64" => "arm64",
        other => other,
    };
    format!("{os}/{arch}")
}

/// A kubeconfig takes precedence over the service account of a Pod; `--server` needs neither.
fn resolve_context(target: &Target) -> Result<ResolvedContext, Failure> {
    let kubeconfigs = Kubeconfigs::load(target)?;
    if !kubeconfigs.is_empty() {
        return kubeconfigs.resolve(target);
    }
    match in_cluster::service_account(&target.env) {
        Some(account) if may_use_service_account(target) => Ok(account),
        _ if target.server.is_some() || flags_name_one(target) => kubeconfigs.resolve(target),
        _ => Err(kubeconfigs.no_cluster(target)),
    }
}

/// Whether flags name a part of a kubeconfig.
fn flags_name_one(target: &Target) -> bool {
    target.context.is_some() || target.cluster.is_some() || target.user.is_some()
}

/// The token of a service account is for its own API server: it is never sent to an address from a flag.
fn may_use_service_account(target: &Target) -> bool {
    target.kubeconfig.is_none() && target.server.is_none() && !flags_name_one(target)
}

/// How to reach the server.
fn transport_config(
    target: &Target,
    resolved: &ResolvedContext,
    address: &ServerAddress,
) -> Result<TransportConfig, Failure> {
    let ResolvedContext { cluster, cluster_display, .. } = resolved;
    let proxy =
        proxy::select(cluster.proxy_url.as_deref(), cluster_display, &target.env.proxy, &address.uri)?;
    if let Some(proxy) = &proxy {
        target.log.write(|| format!("using proxy {} from {}", proxy.info.url, proxy.info.origin));
    }
    // Read even without TLS: a missing file is an error either way, as with kubectl.
    let verification = ServerVerification::from_cluster(cluster, cluster_display)?;
    let tls = address.uri.scheme_str() == Some("https");
    let server_name = cluster.tls_server_name.clone().filter(|name| !name.is_empty()).map(|name| {
        ServerName::try_from(name).map_err(|_| {
            Failure::new(
                FailureKind::Configuration,
                "invalid configuration: tls-server-name is not a valid host name",
            )
            .hint("correct it, or pass --tls-server-name NAME")
        })
    });
    Ok(TransportConfig {
        verification: if tls { verification } else { ServerVerification::NoRoots },
        server_name: server_name.transpose()?,
        proxy,
        connect_timeout: target
            .request_timeout
            .map_or(CONNECT_TIMEOUT_UNBOUNDED, |timeout| timeout.min(CONNECT_TIMEOUT)),
        http2: tls && !target.env.disable_http2,
    })
}

/// Removes the credential plugin from the user, because kube would run it too.
fn take_exec(resolved: &mut ResolvedContext) -> Result<Option<ExecConfig>, Failure> {
    let ResolvedContext { user, user_display, .. } = resolved;
    let exec = user.exec.take();
    if exec.is_some() && user.auth_provider.is_some() {
        // kubectl's words
        let message = format!(
            "invalid configuration: authProvider cannot be provided in combination with an exec plugin for {user_display}"
        );
        return Err(
            Failure::new(FailureKind::Configuration, message).hint("remove one of them, or pass --token")
        );
    }
    Ok(exec)
}

/// The settings of kube's own layers: address, headers, namespace.
fn kube_config(target: &Target, resolved: ResolvedContext, address: &ServerAddress) -> kube::Config {
    let mut config = kube::Config::new(address.uri.clone());
    if let Some(namespace) = target.namespace.clone().or(resolved.namespace) {
        config.default_namespace = namespace;
    }
    config.disable_compression = resolved.cluster.disable_compression == Some(true);
    config.auth_info = resolved.user;
    let user_agent = format!("{}/{} ({})", env!("CARGO_PKG_NAME"), env!("CARGO_PKG_VERSION"), platform());
    if let Ok(value) = user_agent.parse() {
        config.headers.push((http::header::USER_AGENT, value));
    }
    config
}

/// The server's address, for the client and for messages; both without a password.
#[derive(Debug, PartialEq, Eq)]
struct ServerAddress {
    uri: Uri,
    display: String,
}

impl ServerAddress {
    fn new(resolved: &ResolvedContext, by_flag: bool) -> Result<Self, Failure> {
        let cluster = &resolved.cluster;
        let origin = if by_flag { "--server" } else { resolved.cluster_display.as_str() };
        let Some(server) = cluster.server.as_ref().filter(|server| !server.is_empty()) else {
            let what = if origin.is_empty() {
                "no cluster is selected".into()
            } else {
                format!("{origin} has no server")
            };
            return Err(
                Failure::new(FailureKind::Configuration, what).hint("pass --server https://HOST:PORT")
            );
        };
        let url = if server.contains("://") {
            server.clone()
        } else if cluster.insecure_skip_tls_verify == Some(true)
            || cluster.certificate_authority.is_some()
            || cluster.certificate_authority_data.is_some()
            || has_certificate(&resolved.user)
        {
            format!("https://{server}")
        } else {
            // HOST:PORT without any TLS setting means http, as with kubectl.
            format!("http://{server}")
        };
        Self::parse(&url).ok_or_else(|| {
            // The address is not shown: it may contain a password.
            let what = if by_flag { origin.to_owned() } else { format!("the server of {origin}") };
            Failure::new(FailureKind::Configuration, format!("{what} is not a valid address"))
                .hint("expected a URL or HOST:PORT, such as https://10.0.0.1:6443")
        })
    }

    /// `None` when this is not an http or https URL with a host.
    fn parse(url: &str) -> Option<Self> {
        let uri: Uri = url.parse().ok()?;
        let scheme = uri.scheme_str().filter(|scheme| ["http", "https"].contains(scheme))?.to_owned();
        let host = uri.host().filter(|host| !host.is_empty())?;
        let host_port = match uri.port_u16() {
            Some(port) => format!("{host}:{port}"),
            None => host.to_owned(),
        };
        let display = format!("{scheme}://{host_port}");
        let mut parts = uri.into_parts();
        parts.authority = Some(Authority::try_from(host_port).ok()?);
        Some(Self { uri: Uri::from_parts(parts).ok()?, display })
    }
}

fn has_certificate(user: &AuthInfo) -> bool {
    user.client_certificate.is_some() || user.client_certificate_data.is_some()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn resolved(server: &str) -> ResolvedContext {
        let cluster = kube::config::Cluster { server: Some(server.to_owned()), ..Default::default() };
        ResolvedContext {
            cluster_display: "cluster \"c\"".into(),
            cluster,
            user_display: "user \"u\"".into(),
            user: AuthInfo::default(),
            namespace: None,
        }
    }

    fn address(server: &str) -> Option<(String, String)> {
        ServerAddress::new(&resolved(server), false)
            .ok()
            .map(|address| (address.uri.to_string(), address.display))
    }

    #[test]
    fn an_address_is_a_url_or_a_host_and_port() {
        let expected = |url: &str, display: &str| Some((url.to_owned(), display.to_owned()));
        assert_eq!(address("https://a:6443/k8s/c-1"), expected("https://a:6443/k8s/c-1", "https://a:6443"));
        assert_eq!(address("https://me:secret@a"), expected("https://a/", "https://a"));
        assert_eq!(
            address("https://[fd00::1]:6443"),
            expected("https://[fd00::1]:6443/", "https://[fd00::1]:6443")
        );
        assert_eq!(address("localhost:8080"), expected("http://localhost:8080/", "http://localhost:8080"));
        for wrong in ["", "https://", "ftp://a", "not an address", "https://a b"] {
            assert_eq!(address(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn a_bare_host_with_anything_about_tls_means_https() {
        let mut resolved = resolved("a:6443");
        resolved.cluster.insecure_skip_tls_verify = Some(true);
        assert_eq!(ServerAddress::new(&resolved, false).unwrap().uri, "https://a:6443/");
    }

    #[test]
    fn flags_reach_the_client() {
        let target = Target {
            namespace: Some("shop".into()),
            request_timeout: Some(Duration::from_secs(7)),
            ..Target::default()
        };
        let mut resolved = resolved("https://a:1");
        resolved.cluster.disable_compression = Some(true);
        let address = ServerAddress::new(&resolved, false).unwrap();
        let connect_timeout = |request_timeout| {
            let target = Target { request_timeout, ..target.clone() };
            transport_config(&target, &resolved, &address).unwrap().connect_timeout
        };
        let seconds = Duration::from_secs;
        assert_eq!(connect_timeout(Some(seconds(7))), seconds(7));
        assert_eq!(connect_timeout(Some(seconds(60))), CONNECT_TIMEOUT);
        assert_eq!(connect_timeout(None), CONNECT_TIMEOUT_UNBOUNDED);
        let config = kube_config(&target, resolved, &address);
        assert_eq!((config.default_namespace.as_str(), config.disable_compression), ("shop", true));
        let (name, value) = &config.headers[0];
        assert_eq!(name.as_str(), "user-agent");
        assert_eq!(
            value.to_str().unwrap(),
            format!("kubectl-op/{} ({})", env!("CARGO_PKG_VERSION"), platform())
        );
    }

    #[test]
    fn a_plugin_and_a_provider_exclude_each_other() {
        let mut resolved = resolved("https://a:1");
        resolved.user = serde_json::from_value(serde_json::json!({
            "exec": {"command": "x"},
            "auth-provider": {"name": "oidc", "config": {}},
        }))
        .unwrap();
        let failure = take_exec(&mut resolved).unwrap_err();
        assert!(failure.to_string().contains("in combination with an exec plugin for user"), "{failure}");
    }

    #[test]
    fn the_service_account_of_a_pod_is_not_used_for_another_server() {
        let target = Target { server: Some("https://a:1".into()), ..Target::default() };
        assert!(!may_use_service_account(&target));
        assert!(may_use_service_account(&Target::default()));
    }
}
