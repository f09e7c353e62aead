//! What a failed request is called: kube's errors in kubectl's words.
//!
//! kube writes for developers: it prints whole structures, and for a login helper what it wrote, which may be
//! a token. So its own words are never shown; errors are told apart by type and named here.

use std::error::Error;
use std::io;

use k8s_openapi::jiff::Timestamp;
use kube::client::AuthError;
use kube::core::Status;
use rustls::CertificateError;
use rustls::pki_types::UnixTime;

use super::proxy::{ProxyError, ProxyOrigin};
use crate::error::{Failure, Kind};

/// Names a failed request to `server`.
pub(crate) fn from_kube(error: &kube::Error, server: &str) -> Failure {
    match error {
        kube::Error::Api(status) => from_status(status, server),
        kube::Error::Auth(error) => from_auth(error),
        kube::Error::SerdeError(_) | kube::Error::FromUtf8(_) => {
            Failure::new(Kind::Server, format!("{server} answers, but not like a Kubernetes API server"))
                .hint("check the address with --server, or the context with --context")
        }
        other => from_transport(other, server),
    }
}

/// A server that let the time run out.
pub(crate) fn timed_out(server: &str) -> Failure {
    Failure::new(
        Kind::Connection,
        format!("unable to connect to the server: {server} did not answer in time"),
    )
    .hint("is it running? A longer wait is --request-timeout 2m")
}

/// A file's error in the words that kubectl and the shell use.
pub(super) fn io_reason(error: &io::Error) -> String {
    match error.kind() {
        io::ErrorKind::NotFound => "no such file or directory".to_owned(),
        kind => kind.to_string(),
    }
}

/// The server answered with an error.
pub(crate) fn from_status(status: &Status, server: &str) -> Failure {
    // A server's Status always has metadata. Without, it is kube's wrapping of a proxy's whole page.
    if status.metadata.is_none() {
        let message = format!("{server} answers with an error that is not a Kubernetes API server's");
        return Failure::new(Kind::Server, message)
            .hint("a proxy may stand between; check --server or the context");
    }
    let Status { code, reason, message, .. } = status;
    match code {
        401 => {
            let message = "you must be logged in to the server (Unauthorized)";
            Failure::new(Kind::Server, format!("{message}: {server} does not accept these credentials"))
                .hint("they may have expired; check the user of the context")
        }
        403 => Failure::new(Kind::Forbidden, format!("from server (Forbidden): {message}"))
            .hint("kubectl auth can-i --list shows what you may do; --as looks as somebody else"),
        404 => Failure::new(Kind::NotFound, format!("from server (NotFound): {message}")),
        _ if reason.is_empty() => Failure::new(Kind::Server, format!("from server (HTTP {code}): {message}")),
        _ => Failure::new(Kind::Server, format!("from server ({reason}): {message}")),
    }
}

/// Getting credentials failed. What a login helper printed is never repeated.
fn from_auth(error: &AuthError) -> Failure {
    let invalid = |what: String| Failure::new(Kind::Configuration, format!("getting credentials: {what}"));
    match error {
        AuthError::AuthExecStart(error) => {
            invalid(format!("the exec plugin cannot be started: {}", io_reason(error)))
                .hint("the user of the context names it as exec.command; is it installed?")
        }
        // Its arguments may hold a secret as well as its output.
        AuthError::AuthExecRun { out, .. } => invalid(format!("the exec plugin failed: {}", out.status))
            .hint("run it by hand to see why, or log in again"),
        AuthError::ReadTokenFile(error, path) => {
            invalid(format!("token file {} cannot be read: {}", path.display(), io_reason(error)))
                .hint("or pass --token")
        }
        AuthError::InvalidBearerToken(_) | AuthError::InvalidBasicAuth(_) => {
            invalid("the token, user name or password holds characters that cannot be sent".into())
                .hint("a line break at its end is the usual cause")
        }
        AuthError::AuthExecParse(_) | AuthError::ExecPluginFailed => {
            invalid("the exec plugin's answer holds no credentials".into())
                .hint("run it by hand to see what it says")
        }
        _ => invalid("the user of the context cannot log in".into()).hint("log in again, or pass --token"),
    }
}

/// No answer came. The cause is somewhere in the chain, under layers that only wrap it.
fn from_transport(error: &(dyn Error + 'static), server: &str) -> Failure {
    match root_cause(error) {
        RootCause::Failure(failure) => duplicate(failure),
        RootCause::Auth(error) => from_auth(error),
        RootCause::Proxy(proxy_error) => from_proxy(proxy_error, server),
        RootCause::Tls(error) => {
            let (why, hint) = tls_reason(error);
            Failure::new(Kind::Connection, format!("unable to connect to the server: {server}: {why}"))
                .hint(hint)
        }
        RootCause::Io(error) => from_io(error, server),
        RootCause::KeepAliveTimeout => timed_out(server),
        RootCause::ConnectionClosed => connection_closed(server),
        RootCause::Unknown => Failure::new(
            Kind::Connection,
            format!("unable to connect to the server: {server} broke off the talk"),
        )
        .hint("is it a Kubernetes API server? Check --server or the context"),
    }
}

/// What is at the bottom of an error.
enum RootCause<'a> {
    Failure(&'a Failure),
    Auth(&'a AuthError),
    Proxy(&'a ProxyError),
    Tls(&'a rustls::Error),
    Io(&'a io::Error),
    /// No sign of life on a connection that was up.
    KeepAliveTimeout,
    /// A connection that was up ended.
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
        if let Some(error) = error.downcast_ref() {
            return RootCause::Auth(error);
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

/// A failure that was found in words already.
fn duplicate(failure: &Failure) -> Failure {
    let same = Failure::new(failure.kind(), failure.to_string());
    match failure.way_on() {
        Some(hint) => same.hint(hint),
        None => same,
    }
}

fn connection_closed(server: &str) -> Failure {
    Failure::new(Kind::Connection, format!("unable to connect to the server: {server} closed the connection"))
        .hint("is it running, and is this the context you mean?")
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
        // The system's own words: no such host, no route, network unreachable.
        _ => format!("unable to connect to the server: {server}: {error}"),
    };
    Failure::new(Kind::Connection, message).hint("is it running, and is this the context you mean?")
}

/// The proxy is the one to name: the server was never reached.
fn from_proxy(proxy_error: &ProxyError, server: &str) -> Failure {
    let (proxy, origin) = (&proxy_error.proxy.url, &proxy_error.proxy.origin);
    let message = match proxy_error.source().map(root_cause) {
        _ if proxy_error.requires_authentication() => {
            format!("the proxy {proxy} wants a user name and a password")
        }
        Some(RootCause::Tls(error)) => {
            format!("unable to connect to the proxy {proxy}: {}", tls_reason(error).0)
        }
        Some(RootCause::Io(error)) if error.kind() == io::ErrorKind::ConnectionRefused => {
            format!("the connection to the proxy {proxy} was refused")
        }
        Some(RootCause::Io(error)) if error.kind() == io::ErrorKind::TimedOut => {
            format!("the proxy {proxy} did not lead to {server} in time")
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
            format!("; NO_PROXY={host} goes around it")
        }
    };
    Failure::new(Kind::Connection, message).hint(format!("{origin} names this proxy{bypass}"))
}

/// Why TLS failed; the words are those of Go's x509, which people search for.
fn tls_reason(error: &rustls::Error) -> (String, &'static str) {
    let (why, hint) = match error {
        rustls::Error::InvalidCertificate(bad) => return certificate_reason(bad),
        rustls::Error::InvalidMessage(_) => {
            ("it does not speak TLS", "is its address http://, not https://?")
        }
        rustls::Error::AlertReceived(_) => {
            ("it refused the TLS handshake", "it may want a client certificate")
        }
        _ => ("the TLS handshake failed", "is it a Kubernetes API server? Check --server or the context"),
    };
    (why.to_owned(), hint)
}

/// What is wrong with a server's certificate.
fn certificate_reason(bad: &CertificateError) -> (String, &'static str) {
    use CertificateError as Bad;
    let clock = "is this computer's clock right? If so, the server needs a new certificate";
    let unknown = "name the authority with --certificate-authority FILE, or trust blindly with --insecure-skip-tls-verify";
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
            return (why, "name one of them with --tls-server-name");
        }
        Bad::NotValidForName | Bad::NotValidForNameContext { .. } => (
            "x509: certificate is valid for other names than this one",
            "name one of them with --tls-server-name",
        ),
        Bad::Other(other) => match other.0.downcast_ref() {
            Some(webpki::Error::UnsupportedCertVersion) => (
                "x509: certificate is of version 1, and only version 3 can be trusted",
                "the server needs a new certificate; until then --insecure-skip-tls-verify trusts blindly",
            ),
            Some(webpki::Error::CaUsedAsEndEntity) => (
                "x509: the server shows the certificate of an authority as its own",
                "give that very certificate as --certificate-authority FILE, or trust blindly with --insecure-skip-tls-verify",
            ),
            _ => ("x509: certificate cannot be used", "--insecure-skip-tls-verify trusts blindly"),
        },
        _ => ("x509: certificate cannot be used", "--insecure-skip-tls-verify trusts blindly"),
    };
    (why.to_owned(), hint)
}

fn format_time(time: UnixTime) -> String {
    let seconds = i64::try_from(time.as_secs()).unwrap_or(i64::MAX);
    Timestamp::from_second(seconds).map_or_else(|_| "a far day".to_owned(), |time| time.to_string())
}

/// webpki writes `DnsName("a.example")` and `IpAddress(10.0.0.1)`.
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
    fn a_forbidden_answer_has_the_servers_words_and_its_own_kind() {
        let failure = api(403, "Forbidden", "configmaps is forbidden");
        assert_eq!(failure.kind(), Kind::Forbidden);
        assert_eq!(failure.to_string(), "from server (Forbidden): configmaps is forbidden");
    }

    #[test]
    fn other_answers_keep_their_reason() {
        let failure = api(503, "ServiceUnavailable", "etcd is away");
        assert_eq!(failure.to_string(), "from server (ServiceUnavailable): etcd is away");
    }

    #[test]
    fn a_page_of_a_proxy_is_not_repeated() {
        for code in [401, 403, 502] {
            let page = Status::failure("<html>sign in</html>", "Failed to parse error data").with_code(code);
            let failure = from_kube(&kube::Error::Api(Box::new(page)), SERVER);
            assert_eq!(failure.kind(), Kind::Server);
            assert_eq!(
                failure.to_string(),
                "https://a:6443 answers with an error that is not a Kubernetes API server's"
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
            assert!(failure.way_on().is_some());
        }
    }

    #[test]
    fn certificates_that_are_odd_are_explained() {
        use rustls::OtherError;
        use std::sync::Arc;
        for (odd, message) in [
            (OtherError(Arc::new(webpki::Error::UnsupportedCertVersion)), "of version 1"),
            (OtherError(Arc::new(webpki::Error::CaUsedAsEndEntity)), "of an authority as its own"),
        ] {
            let (why, hint) = certificate_reason(&CertificateError::Other(odd));
            assert!(why.contains(message) && hint.contains("--insecure-skip-tls-verify"), "{why} {hint}");
        }
    }

    #[test]
    fn trouble_with_a_proxy_names_the_proxy() {
        use super::super::proxy::ProxyInfo;
        let proxy_error = |error: Box<dyn Error + Send + Sync>, origin| {
            let named = ProxyInfo { url: "http://p:3128".into(), origin };
            from_service(ProxyError::new(named, error))
        };
        let refused = || Box::new(io::Error::from(io::ErrorKind::ConnectionRefused));
        let failure = proxy_error(refused(), ProxyOrigin::Environment("HTTPS_PROXY"));
        assert_eq!(failure.to_string(), "the connection to the proxy http://p:3128 was refused");
        assert_eq!(failure.way_on(), Some("HTTPS_PROXY names this proxy; NO_PROXY=a:6443 goes around it"));
        let failure = proxy_error("unsuccessful".into(), ProxyOrigin::Kubeconfig("cluster \"c\"".into()));
        assert_eq!(failure.to_string(), "the proxy http://p:3128 refused to connect to https://a:6443");
        assert_eq!(failure.way_on(), Some("proxy-url of cluster \"c\" names this proxy"));
        let silent = Box::new(io::Error::from(io::ErrorKind::TimedOut));
        let failure = proxy_error(silent, ProxyOrigin::Environment("HTTPS_PROXY"));
        assert_eq!(failure.to_string(), "the proxy http://p:3128 did not lead to https://a:6443 in time");
    }

    #[cfg(unix)]
    #[test]
    fn what_a_login_helper_printed_is_never_repeated() {
        use std::os::unix::process::ExitStatusExt as _;
        let out = std::process::Output {
            status: std::process::ExitStatus::from_raw(256),
            stdout: b"s3cr3t".to_vec(),
            stderr: b"s3cr3t".to_vec(),
        };
        let error = AuthError::AuthExecRun { cmd: "login --password s3cr3t".into(), out: Box::new(out) };
        let failure = from_service(io::Error::other(error));
        assert!(!format!("{failure:?}").contains("s3cr3t"));
        assert_eq!(failure.to_string(), "getting credentials: the exec plugin failed: exit status: 1");
    }
}
