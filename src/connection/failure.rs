//! Error messages and hints for failed requests, in kubectl's wording.
//!
//! The messages of kube are for developers: they contain whole structures, and the output of a credential plugin,
//! which may be a token. They are never shown; errors are told apart by type and described here.

use std::error::Error;
use std::io;

use k8s_openapi::jiff::Timestamp;
use kube::core::Status;
use rustls::CertificateError;
use rustls::pki_types::UnixTime;

use super::proxy::{ProxyError, ProxyOrigin};
use crate::error::{Failure, FailureKind};

/// Describes a failed request to `server`.
pub(crate) fn from_kube(error: &kube::Error, server: &str) -> Failure {
    match error {
        kube::Error::Api(status) => from_status(status, server),
        kube::Error::SerdeError(_) | kube::Error::FromUtf8(_) => Failure::new(
            FailureKind::Server,
            format!("unexpected response from {server}: not a Kubernetes API server"),
        )
        .hint("check --server or the context"),
        other => from_transport(other, server),
    }
}

/// The server did not respond within the timeout.
pub(crate) fn timed_out(server: &str) -> Failure {
    Failure::new(
        FailureKind::Connection,
        format!("unable to connect to the server: {server} did not respond in time"),
    )
    .hint("check that it is running, or pass --request-timeout 2m to wait longer")
}

/// The server returned an error.
pub(crate) fn from_status(status: &Status, server: &str) -> Failure {
    // The Status of an API server always has metadata. Without, kube made it from the error page of a proxy.
    if status.metadata.is_none() {
        let message = format!("{server} returned an error that is not from a Kubernetes API server");
        return Failure::new(FailureKind::Server, message)
            .hint("a proxy may have responded in place of the API server; check --server or the context");
    }
    let Status { code, reason, message, .. } = status;
    match code {
        401 => Failure::new(
            FailureKind::Server,
            format!(
                "you must be logged in to the server (Unauthorized): {server} does not accept these credentials"
            ),
        )
        .hint("they may have expired; check the user of the context"),
        403 => Failure::new(FailureKind::Forbidden, format!("from server (Forbidden): {message}"))
            .hint("kubectl auth can-i --list shows what you may do; --as impersonates another user"),
        404 => Failure::new(FailureKind::NotFound, format!("from server (NotFound): {message}")),
        _ if reason.is_empty() => Failure::new(FailureKind::Server, format!("from server (HTTP {code}): {message}")),
        _ => Failure::new(FailureKind::Server, format!("from server ({reason}): {message}")),
    }
}

/// There was no response. The cause is in the chain of errors, below those that only wrap it.
fn from_transport(error: &(dyn Error + 'static), server: &str) -> Failure {
    match root_cause(error) {
        RootCause::Failure(failure) => duplicate(failure),
        RootCause::Proxy(proxy_error) => from_proxy(proxy_error, server),
        RootCause::Tls(error) => {
            let (why, hint) = tls_reason(error, "the server");
            Failure::new(FailureKind::Connection, format!("unable to connect to the server: {server}: {why}"))
                .hint(hint)
        }
        RootCause::Io(error) => from_io(error, server),
        RootCause::KeepAliveTimeout => timed_out(server),
        RootCause::ConnectionClosed => connection_closed(server),
        RootCause::Unknown => Failure::new(
            FailureKind::Connection,
            format!("unable to connect to the server: {server}: the connection failed"),
        )
        .hint("check that it is a Kubernetes API server, and check --server or the context"),
    }
}

/// The cause at the end of a chain of errors.
enum RootCause<'a> {
    /// An error that already has a message and a hint.
    Failure(&'a Failure),
    Proxy(&'a ProxyError),
    Tls(&'a rustls::Error),
    Io(&'a io::Error),
    /// An established connection did not respond to a ping.
    KeepAliveTimeout,
    /// An established connection was closed.
    ConnectionClosed,
    Unknown,
}

fn root_cause<'a>(error: &'a (dyn Error + 'static)) -> RootCause<'a> {
    let mut next = Some(error);
    let mut found = RootCause::Unknown;
    while let Some(error) = next {
        if let Some(failure) = error.downcast_ref() {
            return RootCause::Failure(failure);
        }
        if let Some(proxy_error) = error.downcast_ref() {
            return RootCause::Proxy(proxy_error);
        }
        if let Some(error) = error.downcast_ref() {
            return RootCause::Tls(error);
        }
        if let Some(error) = error.downcast_ref::<hyper::Error>() {
            found = match error {
                error if error.is_timeout() => RootCause::KeepAliveTimeout,
                error if error.is_parse() => RootCause::Unknown,
                _ => RootCause::ConnectionClosed,
            };
        }
        next = match error.downcast_ref::<io::Error>() {
            Some(error) => {
                found = RootCause::Io(error);
                // `source` would skip the error that an io::Error wraps.
                error.get_ref().map(|inner| inner as &(dyn Error + 'static))
            }
            None => error.source(),
        };
    }
    found
}

/// Copies a failure that is only borrowed.
fn duplicate(failure: &Failure) -> Failure {
    let same = Failure::new(failure.kind(), failure.to_string());
    match failure.hint_text() {
        Some(hint) => same.hint(hint),
        None => same,
    }
}

fn connection_closed(server: &str) -> Failure {
    Failure::new(
        FailureKind::Connection,
        format!("unable to connect to the server: {server} closed the connection"),
    )
    .hint("check that it is running and that this is the right context")
}

fn from_io(error: &io::Error, server: &str) -> Failure {
    let message = match error.kind() {
        io::ErrorKind::TimedOut => return timed_out(server),
        io::ErrorKind::UnexpectedEof | io::ErrorKind::ConnectionReset => return connection_closed(server),
        io::ErrorKind::ConnectionRefused => {
            format!(
                "the connection to the server {server} was refused - did you specify the right host or port?"
            )
        }
        // An error of another library, whose text may contain anything.
        io::ErrorKind::Other if error.get_ref().is_some() => {
            format!("unable to connect to the server: {server}: the connection failed")
        }
        // The system's own text: no such host, no route, network unreachable.
        _ => format!("unable to connect to the server: {server}: {error}"),
    };
    Failure::new(FailureKind::Connection, message)
        .hint("check that it is running and that this is the right context")
}

/// Names the proxy: the server was never reached.
fn from_proxy(proxy_error: &ProxyError, server: &str) -> Failure {
    let (proxy, origin) = (&proxy_error.proxy.url, &proxy_error.proxy.origin);
    let message = match proxy_error.source().map(root_cause) {
        _ if proxy_error.requires_authentication() => {
            format!("the proxy {proxy} requires a username and a password")
        }
        Some(RootCause::Tls(error)) => {
            format!("unable to connect to the proxy {proxy}: {}", tls_reason(error, "the proxy").0)
        }
        Some(RootCause::Io(error)) if error.kind() == io::ErrorKind::ConnectionRefused => {
            format!("the connection to the proxy {proxy} was refused")
        }
        Some(RootCause::Io(error)) if error.kind() == io::ErrorKind::TimedOut => {
            format!("the proxy {proxy} did not connect to {server} in time")
        }
        Some(RootCause::Io(error)) if error.kind() != io::ErrorKind::UnexpectedEof => {
            format!("unable to connect to the proxy {proxy}: {error}")
        }
        _ => format!("the proxy {proxy} refused to connect to {server}"),
    };
    let bypass = match origin {
        ProxyOrigin::Kubeconfig(_) => String::new(),
        ProxyOrigin::Environment(_) => {
            let host = server.split("://").last().unwrap_or_default();
            format!("; set NO_PROXY={host} to bypass it")
        }
    };
    Failure::new(FailureKind::Connection, message).hint(format!("the proxy is set by {origin}{bypass}"))
}

/// Why TLS failed, and a hint, in the wording of Go's x509, which users can search for.
fn tls_reason(error: &rustls::Error, peer: &str) -> (String, &'static str) {
    match error {
        rustls::Error::InvalidCertificate(bad) => certificate_reason(bad),
        rustls::Error::InvalidMessage(_) => (
            format!("{peer} did not respond with TLS"),
            "check whether its address should start with http://",
        ),
        rustls::Error::AlertReceived(_) => {
            (format!("{peer} refused the TLS handshake"), "it may require a client certificate")
        }
        _ => (
            "the TLS handshake failed".to_owned(),
            "check that it is a Kubernetes API server, and check --server or the context",
        ),
    }
}

/// What is wrong with a server's certificate, and a hint.
fn certificate_reason(bad: &CertificateError) -> (String, &'static str) {
    use CertificateError as Bad;
    let clock = "check this computer's clock; if it is right, the server needs a new certificate";
    let unknown = "pass its authority with --certificate-authority FILE, or skip verification with --insecure-skip-tls-verify";
    let outdated = "x509: certificate has expired or is not yet valid";
    let (why, hint) = match bad {
        Bad::ExpiredContext { time, not_after } => {
            let why = format!(
                "{outdated}: current time {} is after {}",
                format_time(*time),
                format_time(*not_after)
            );
            return (why, clock);
        }
        Bad::NotValidYetContext { time, not_before } => {
            let why = format!(
                "{outdated}: current time {} is before {}",
                format_time(*time),
                format_time(*not_before)
            );
            return (why, clock);
        }
        Bad::Expired | Bad::NotValidYet => (outdated, clock),
        Bad::UnknownIssuer => ("x509: certificate signed by unknown authority", unknown),
        Bad::NotValidForNameContext { expected, presented } if !presented.is_empty() => {
            let names: Vec<_> = presented.iter().map(|name| bare_name(name)).collect();
            let why =
                format!("x509: certificate is valid for {}, not {}", names.join(", "), expected.to_str());
            return (why, "pass one of them with --tls-server-name");
        }
        Bad::NotValidForName | Bad::NotValidForNameContext { .. } => (
            "x509: certificate is valid for other names, not this one",
            "pass one of them with --tls-server-name",
        ),
        Bad::Other(other) => match other.0.downcast_ref() {
            Some(webpki::Error::UnsupportedCertVersion) => (
                "x509: certificate has version 1, but version 3 is required",
                "the server needs a new certificate; until then, --insecure-skip-tls-verify skips verification",
            ),
            Some(webpki::Error::CaUsedAsEndEntity) => (
                "x509: the certificate of the server is a CA certificate",
                "pass that certificate with --certificate-authority FILE, or skip verification with --insecure-skip-tls-verify",
            ),
            _ => ("x509: certificate is invalid", "--insecure-skip-tls-verify skips verification"),
        },
        _ => ("x509: certificate is invalid", "--insecure-skip-tls-verify skips verification"),
    };
    (why.to_owned(), hint)
}

fn format_time(time: UnixTime) -> String {
    let seconds = i64::try_from(time.as_secs()).unwrap_or(i64::MAX);
    Timestamp::from_second(seconds).map_or_else(|_| "a date out of range".to_owned(), |time| time.to_string())
}

/// The name in webpki's `DnsName("a.example")` or `IpAddress(10.0.0.1)`.
fn bare_name(name: &str) -> &str {
    let inner = name.split_once('(').map_or(name, |(_, inner)| inner);
    inner.trim_end_matches(')').trim_matches('"')
}

#[cfg(test)]
mod tests {
    use k8s_openapi::apimachinery::pkg::apis::meta::v1::ListMeta;

    use super::*;

    const SERVER: &str = "https://a:6443";

    fn api(code: u16, reason: &str, message: &str) -> Failure {
        let mut status = Status::failure(message, reason).with_code(code);
        status.metadata = Some(ListMeta::default());
        from_kube(&kube::Error::Api(Box::new(status)), SERVER)
    }

    fn from_service(error: impl Error + Send + Sync + 'static) -> Failure {
        from_kube(&kube::Error::Service(Box::new(error)), SERVER)
    }

    #[test]
    fn a_forbidden_response_keeps_its_message_and_gets_its_own_kind() {
        let failure = api(403, "Forbidden", "configmaps is forbidden");
        assert_eq!(failure.kind(), FailureKind::Forbidden);
        assert_eq!(failure.to_string(), "from server (Forbidden): configmaps is forbidden");
    }

    #[test]
    fn other_responses_keep_their_reason() {
        let failure = api(503, "ServiceUnavailable", "etcd is away");
        assert_eq!(failure.to_string(), "from server (ServiceUnavailable): etcd is away");
    }

    #[test]
    fn the_error_page_of_a_proxy_is_not_shown() {
        for code in [401, 403, 502] {
            let page = Status::failure("<html>sign in</html>", "Failed to parse error data").with_code(code);
            let failure = from_kube(&kube::Error::Api(Box::new(page)), SERVER);
            assert_eq!(failure.kind(), FailureKind::Server);
            assert_eq!(
                failure.to_string(),
                "https://a:6443 returned an error that is not from a Kubernetes API server"
            );
        }
    }

    #[test]
    fn a_refused_connection_is_found_under_its_wrappers() {
        let failure = from_service(io::Error::other(io::Error::from(io::ErrorKind::ConnectionRefused)));
        assert_eq!(
            failure.to_string(),
            "the connection to the server https://a:6443 was refused - did you specify the right host or port?"
        );
    }

    #[test]
    fn certificates_are_told_apart() {
        for (bad, message) in [
            (CertificateError::UnknownIssuer, "signed by unknown authority"),
            (CertificateError::Expired, "has expired or is not yet valid"),
            (CertificateError::NotValidForName, "valid for other names"),
        ] {
            let tls = rustls::Error::InvalidCertificate(bad);
            let failure = from_service(io::Error::new(io::ErrorKind::InvalidData, tls));
            assert!(failure.to_string().contains(message), "{failure}");
            assert!(failure.hint_text().is_some());
        }
    }

    #[test]
    fn unusual_certificates_are_explained() {
        use rustls::OtherError;
        use std::sync::Arc;
        for (odd, message) in [
            (OtherError(Arc::new(webpki::Error::UnsupportedCertVersion)), "has version 1"),
            (OtherError(Arc::new(webpki::Error::CaUsedAsEndEntity)), "is a CA certificate"),
        ] {
            let (why, hint) = certificate_reason(&CertificateError::Other(odd));
            assert!(why.contains(message) && hint.contains("--insecure-skip-tls-verify"), "{why} {hint}");
        }
    }

    #[test]
    fn an_error_of_a_proxy_names_the_proxy() {
        use super::super::proxy::ProxyInfo;
        let proxy_error = |error: Box<dyn Error + Send + Sync>, origin| {
            let named = ProxyInfo { url: "http://p:3128".into(), origin };
            from_service(ProxyError::new(named, error))
        };
        let refused = || Box::new(io::Error::from(io::ErrorKind::ConnectionRefused));
        let failure = proxy_error(refused(), ProxyOrigin::Environment("HTTPS_PROXY"));
        assert_eq!(failure.to_string(), "the connection to the proxy http://p:3128 was refused");
        assert_eq!(
            failure.hint_text(),
            Some("the proxy is set by HTTPS_PROXY; set NO_PROXY=a:6443 to bypass it")
        );
        let failure = proxy_error("unsuccessful".into(), ProxyOrigin::Kubeconfig("cluster \"c\"".into()));
        assert_eq!(failure.to_string(), "the proxy http://p:3128 refused to connect to https://a:6443");
        assert_eq!(failure.hint_text(), Some("the proxy is set by proxy-url of cluster \"c\""));
        let silent = Box::new(io::Error::from(io::ErrorKind::TimedOut));
        let failure = proxy_error(silent, ProxyOrigin::Environment("HTTPS_PROXY"));
        assert_eq!(failure.to_string(), "the proxy http://p:3128 did not connect to https://a:6443 in time");
    }

    #[cfg(unix)]
    #[test]
    fn the_output_of_a_credential_plugin_is_never_shown() {
        use std::os::unix::process::ExitStatusExt as _;
        let out = std::process::Output {
            status: std::process::ExitStatus::from_raw(256),
            stdout: b"s3cr3t".to_vec(),
            stderr: b"s3cr3t".to_vec(),
        };
        let error = kube::client::AuthError::AuthExecRun {
            cmd: "login --password s3cr3t".into(),
            out: Box::new(out),
        };
        let failure = from_service(io::Error::other(error));
        assert!(!format!("{failure:?}").contains("s3cr3t"));
        assert_eq!(
            failure.to_string(),
            "unable to connect to the server: https://a:6443: the connection failed"
        );
    }
}
