//! Which proxy to use for a server, if any, by Go's rules, as kubectl. hyper-util's own matcher ignores ports in
//! `NO_PROXY` and does not except loopback.

use std::error::Error;
use std::fmt;
use std::net::IpAddr;

use http::{HeaderValue, Uri};
use ipnet::IpNet;
use percent_encoding::percent_decode_str;
use tower::BoxError;

use super::target::ProxyEnv;
use crate::error::{Failure, FailureKind};

/// A proxy to use. Not `Debug`: it contains a password.
#[derive(Clone)]
pub(super) struct Proxy {
    /// Scheme, host and port only. The scheme of a SOCKS proxy is `http`, because it is reached without TLS.
    pub(super) uri: Uri,
    pub(super) protocol: ProxyProtocol,
    /// Username and password.
    pub(super) user: Option<(String, String)>,
    /// What messages may show.
    pub(super) info: ProxyInfo,
}

/// The protocol of a proxy.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ProxyProtocol {
    /// `CONNECT`, over `http` or `https`.
    Connect,
    Socks5,
}

/// A proxy without its credentials, and where it was set.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct ProxyInfo {
    pub(super) url: String,
    pub(super) origin: ProxyOrigin,
}

/// Where a proxy was set.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum ProxyOrigin {
    /// `proxy-url` of a cluster, described as in errors.
    Kubeconfig(String),
    /// An environment variable.
    Environment(&'static str),
}

impl fmt::Display for ProxyOrigin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Kubeconfig(cluster) if cluster.is_empty() => f.write_str("proxy-url"),
            Self::Kubeconfig(cluster) => write!(f, "proxy-url of {cluster}"),
            Self::Environment(variable) => f.write_str(variable),
        }
    }
}

/// The connection to the proxy, or through it, failed.
#[derive(Debug)]
pub(super) struct ProxyError {
    pub(super) proxy: ProxyInfo,
    error: BoxError,
}

impl ProxyError {
    pub(super) fn new(proxy: ProxyInfo, error: BoxError) -> Self {
        Self { proxy, error }
    }

    /// Whether the proxy responded with 407. Found by text, because the error type of hyper-util is private.
    pub(super) fn requires_authentication(&self) -> bool {
        self.error.to_string().contains("authorization required")
    }
}

impl fmt::Display for ProxyError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "connection through proxy {} failed", self.proxy.url)
    }
}

impl Error for ProxyError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        Some(self.error.as_ref())
    }
}

impl Proxy {
    /// The value of `Proxy-Authorization`, when the proxy's URL has a user.
    pub(super) fn authorization(&self) -> Option<HeaderValue> {
        use base64::Engine as _;
        let (name, password) = self.user.as_ref()?;
        let encoded = base64::engine::general_purpose::STANDARD.encode(format!("{name}:{password}"));
        HeaderValue::try_from(format!("Basic {encoded}")).ok()
    }

    fn parse(text: &str, origin: ProxyOrigin) -> Result<Self, Failure> {
        // The URL is never shown: it may contain a password.
        let invalid = |what: &str| {
            Failure::new(
                FailureKind::Configuration,
                format!("invalid configuration: the proxy in {origin} {what}"),
            )
            .hint("expected a URL such as http://proxy.example:3128; http, https and socks5 are supported")
        };
        let text = text.trim();
        // `proxy:3128` is an http proxy, as in Go.
        let url = if text.contains("://") { text.to_owned() } else { format!("http://{text}") };
        let uri: Uri = url.parse().map_err(|_| invalid("is not a URL"))?;
        let host = uri.host().filter(|host| !host.is_empty()).ok_or_else(|| invalid("is not a URL"))?;
        let scheme = uri.scheme_str().unwrap_or_default().to_ascii_lowercase();
        let (protocol, connect_scheme, default_port) = match scheme.as_str() {
            "http" => (ProxyProtocol::Connect, "http", 80),
            "https" => (ProxyProtocol::Connect, "https", 443),
            "socks5" | "socks5h" => (ProxyProtocol::Socks5, "http", 1080),
            _ => return Err(invalid("has an unsupported scheme")),
        };
        let host_port = format!("{host}:{}", uri.port_u16().unwrap_or(default_port));
        let user =
            uri.authority().and_then(|authority| authority.as_str().rsplit_once('@')).map(|(user, _)| {
                let decode = |text: &str| percent_decode_str(text).decode_utf8_lossy().into_owned();
                let (name, password) = user.split_once(':').unwrap_or((user, ""));
                (decode(name), decode(password))
            });
        // The protocol has one byte for the length of each.
        let too_long = |(name, password): &(String, String)| name.len() > 255 || password.len() > 255;
        if protocol == ProxyProtocol::Socks5 && user.as_ref().is_some_and(too_long) {
            return Err(invalid("has a username or password of more than 255 bytes"));
        }
        let address =
            format!("{connect_scheme}://{host_port}").parse().map_err(|_| invalid("is not a URL"))?;
        let info = ProxyInfo { url: format!("{scheme}://{host_port}"), origin };
        Ok(Self { uri: address, protocol, user, info })
    }
}

/// Selects the proxy for `server`: the one of the cluster, else the one of the environment.
pub(super) fn select(
    proxy_url: Option<&str>,
    cluster: &str,
    env: &ProxyEnv,
    server: &Uri,
) -> Result<Option<Proxy>, Failure> {
    if let Some(url) = proxy_url.filter(|url| !url.is_empty()) {
        return Proxy::parse(url, ProxyOrigin::Kubeconfig(cluster.to_owned())).map(Some);
    }
    let (variable, url) = match server.scheme_str() {
        Some("http") => ("HTTP_PROXY", &env.http_proxy),
        _ => ("HTTPS_PROXY", &env.https_proxy),
    };
    match url {
        Some(url) if !bypasses_proxy(server, env.no_proxy.as_deref().unwrap_or_default()) => {
            Proxy::parse(url, ProxyOrigin::Environment(variable)).map(Some)
        }
        _ => Ok(None),
    }
}

/// Whether the environment's proxy does not apply to this server. It never applies to loopback.
fn bypasses_proxy(server: &Uri, no_proxy: &str) -> bool {
    let host = server.host().unwrap_or_default().to_ascii_lowercase();
    let host = host.trim_start_matches('[').trim_end_matches(']');
    let port = server.port_u16().unwrap_or(if server.scheme_str() == Some("http") { 80 } else { 443 });
    let address: Option<IpAddr> = host.parse().ok();
    if host == "localhost" || address.is_some_and(|address| address.is_loopback()) {
        return true;
    }
    no_proxy
        .split(',')
        .map(str::trim)
        .filter(|entry| !entry.is_empty())
        .any(|entry| entry_matches(&entry.to_ascii_lowercase(), host, address, port))
}

/// Whether one entry of `NO_PROXY` matches the server.
fn entry_matches(entry: &str, host: &str, address: Option<IpAddr>, port: u16) -> bool {
    if entry == "*" {
        return true;
    }
    if let Ok(network) = entry.parse::<IpNet>() {
        return address.is_some_and(|address| network.contains(&address));
    }
    let (name, entry_port) = split_port(entry);
    if entry_port.is_some_and(|entry_port| entry_port != port.to_string()) {
        return false;
    }
    if let Ok(entry_address) = name.parse::<IpAddr>() {
        return address.is_some_and(|address| address.to_canonical() == entry_address.to_canonical());
    }
    // A name never matches an address, not even its end.
    if address.is_some() {
        return false;
    }
    // `*.a.b` and `.a.b` match subdomains only, `a.b` also itself.
    let suffix = name.strip_prefix('*').filter(|rest| rest.starts_with('.')).unwrap_or(name);
    match suffix.strip_prefix('.') {
        Some("") => false,
        Some(_) => host.ends_with(suffix),
        None => !suffix.is_empty() && (host == suffix || host.ends_with(&format!(".{suffix}"))),
    }
}

/// `a:80` and `[::1]:80` have a port; `::1` has none.
fn split_port(entry: &str) -> (&str, Option<&str>) {
    match entry.rsplit_once(':') {
        Some((name, port)) => match name.strip_prefix('[').and_then(|name| name.strip_suffix(']')) {
            Some(address) => (address, Some(port)),
            None if name.contains([':', '[', ']']) => (entry, None),
            None => (name, Some(port)),
        },
        None => (entry, None),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn no_proxy_follows_gos_rules() {
        // NO_PROXY, server -> direct
        let table = [
            ("", "https://a.example.com", false),
            ("", "https://localhost:6443", true),
            ("", "https://127.0.0.1:6443", true),
            ("", "https://127.9.0.1:6443", true),
            ("", "https://[::1]:6443", true),
            ("", "https://10.0.0.1:6443", false),
            ("*", "https://a.example.com", true),
            ("a.example.com", "https://a.example.com:6443", true),
            ("A.Example.COM", "https://a.example.com", true),
            ("a.example.com", "https://A.EXAMPLE.com", true),
            ("example.com", "https://a.example.com", true),
            ("example.com", "https://example.com", true),
            ("example.com", "https://badexample.com", false),
            (".example.com", "https://a.example.com", true),
            (".example.com", "https://example.com", false),
            ("*.example.com", "https://a.example.com", true),
            ("*.example.com", "https://example.com", false),
            ("a.example.com:6443", "https://a.example.com:6443", true),
            ("a.example.com:443", "https://a.example.com", true),
            ("a.example.com:80", "http://a.example.com", true),
            ("a.example.com:8443", "https://a.example.com:6443", false),
            ("a.example.com:nonsense", "https://a.example.com", false),
            ("10.0.0.1", "https://10.0.0.1:6443", true),
            ("10.0.0.1:6443", "https://10.0.0.1:6443", true),
            ("10.0.0.1:1", "https://10.0.0.1:6443", false),
            ("10.0.0.0/8", "https://10.1.2.3:6443", true),
            ("10.0.0.0/8", "https://11.1.2.3:6443", false),
            ("10.0.0.0/8", "https://10.example.com", false),
            ("10.0", "https://10.0.0.1", false),
            ("fd00::/8", "https://[fd00::1]:6443", true),
            ("fd00::1", "https://[fd00::1]:6443", true),
            ("[fd00::1]:6443", "https://[fd00::1]:6443", true),
            ("[fd00::1]:1", "https://[fd00::1]:6443", false),
            ("x, a.example.com ,", "https://a.example.com", true),
            (",, ,", "https://a.example.com", false),
            ("x a.example.com", "https://a.example.com", false),
            ("b.example.com,", "https://a.example.com", false),
            (".", "https://a.example.com", false),
            (":6443", "https://a.example.com:6443", false),
        ];
        for (no_proxy, server, direct) in table {
            assert_eq!(bypasses_proxy(&Uri::from_static(server), no_proxy), direct, "{no_proxy:?} {server}");
        }
    }

    fn selected(proxy_url: Option<&str>, env: &ProxyEnv, server: &'static str) -> Option<(String, String)> {
        let proxy = select(proxy_url, "cluster \"c\"", env, &Uri::from_static(server)).unwrap();
        proxy.map(|proxy| (proxy.info.url.clone(), proxy.info.origin.to_string()))
    }

    #[test]
    fn the_cluster_wins_over_the_environment() {
        let text = |text: &str| Some(text.to_owned());
        let env = ProxyEnv {
            https_proxy: text("http://s:1"),
            http_proxy: text("h:2"),
            no_proxy: text("direct.example"),
        };
        let expected = |url: &str, origin: &str| Some((url.to_owned(), origin.to_owned()));
        let remote = "https://a.example";
        assert_eq!(
            selected(Some("socks5://c"), &env, remote),
            expected("socks5://c:1080", "proxy-url of cluster \"c\"")
        );
        assert_eq!(
            selected(Some("http://c:3"), &env, "https://direct.example"),
            expected("http://c:3", "proxy-url of cluster \"c\"")
        );
        assert_eq!(selected(Some(""), &env, remote), expected("http://s:1", "HTTPS_PROXY"));
        assert_eq!(selected(None, &env, remote), expected("http://s:1", "HTTPS_PROXY"));
        assert_eq!(selected(None, &env, "http://a.example"), expected("http://h:2", "HTTP_PROXY"));
        assert_eq!(selected(None, &env, "https://direct.example"), None);
        assert_eq!(selected(None, &ProxyEnv::default(), remote), None);
    }

    #[test]
    fn a_password_is_used_and_never_shown() {
        let proxy = Proxy::parse("https://me:s3%40cr3t@p", ProxyOrigin::Environment("HTTPS_PROXY")).unwrap();
        assert_eq!(proxy.user, Some(("me".into(), "s3@cr3t".into())));
        assert_eq!(
            (proxy.uri.to_string(), proxy.info.url.as_str()),
            ("https://p:443/".into(), "https://p:443")
        );
        // me:s3@cr3t
        assert_eq!(proxy.authorization().unwrap(), "Basic bWU6czNAY3IzdA==");
        for url in ["ftp://me:s3cr3t@p", "http://me:s3cr3t@", "http://me:s3cr3t@a b"] {
            let failure = Proxy::parse(url, ProxyOrigin::Environment("HTTPS_PROXY")).err().unwrap();
            assert!(!format!("{failure:?}").contains("s3cr3t"), "{failure:?}");
            assert!(failure.to_string().contains("HTTPS_PROXY"), "{failure}");
        }
    }

    proptest! {
        #[test]
        fn never_panics(no_proxy in "[a-z0-9.:*,\\[\\]/ ]*|.*") {
            for server in ["https://a.example.com", "https://[fd00::1]:6443", "https://10.0.0.1"] {
                bypasses_proxy(&Uri::from_static(server), &no_proxy);
            }
        }
    }
}
