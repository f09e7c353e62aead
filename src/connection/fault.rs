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

use super::proxy::{Origin, Trouble};
use crate::error::{Failure, Kind};

/// Names a failed request to `server`.
pub(crate) fn explain(error: &kube::Error, server: &str) -> Failure {
    match error {
        kube::Error::Api(status) => answered(status, server),
        kube::Error::Auth(error) => login(error),
        kube::Error::SerdeError(_) | kube::Error::FromUtf8(_) => {
            Failure::new(Kind::Server, format!("{server} answers, but not like a Kubernetes API server"))
                .hint("check the address with --server, or the context with --context")
        }
        other => unreachable(other, server),
    }
}

/// A server that let the time run out.
pub(crate) fn no_answer(server: &str) -> Failure {
    Failure::new(
        Kind::Connection,
        format!("unable to connect to the server: {server} did not answer in time"),
    )
    .hint("is it running? A longer wait is --request-timeout 2m")
}

/// A file's error in the words that kubectl and the shell use.
pub(super) fn reason(error: &io::Error) -> String {
    match error.kind() {
        io::ErrorKind::NotFound => "no such file or directory".to_owned(),
        kind => kind.to_string(),
    }
}

/// The server answered with an error.
pub(crate) fn answered(status: &Status, server: &str) -> Failure {
    // A server's Status always has metadata. Without, it is kube's wrapping of a proxy's whole page.
    if status.metadata.is_none() {
        let words = format!("{server} answers with an error that is not a Kubernetes API server's");
        return Failure::new(Kind::Server, words)
            .hint("a proxy may stand between; check --server or the context");
    }
    let Status { code, reason, message, .. } = status;
    match code {
        401 => {
            let words = "you must be logged in to the server (Unauthorized)";
            Failure::new(Kind::Server, format!("{words}: {server} does not accept these credentials"))
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
fn login(error: &AuthError) -> Failure {
    let broken = |what: String| Failure::new(Kind::Configuration, format!("getting credentials: {what}"));
    match error {
        AuthError::AuthExecStart(error) => {
            broken(format!("the exec plugin cannot be started: {}", reason(error)))
                .hint("the user of the context names it as exec.command; is it installed?")
        }
        // Its arguments may hold a secret as well as its output.
        AuthError::AuthExecRun { out, .. } => broken(format!("the exec plugin failed: {}", out.status))
            .hint("run it by hand to see why, or log in again"),
        AuthError::ReadTokenFile(error, path) => {
            broken(format!("token file {} cannot be read: {}", path.display(), reason(error)))
                .hint("or pass --token")
        }
        AuthError::InvalidBearerToken(_) | AuthError::InvalidBasicAuth(_) => {
            broken("the token, user name or password holds characters that cannot be sent".into())
                .hint("a line break at its end is the usual cause")
        }
        AuthError::AuthExecParse(_) | AuthError::ExecPluginFailed => {
            broken("the exec plugin's answer holds no credentials".into())
                .hint("run it by hand to see what it says")
        }
        _ => broken("the user of the context cannot log in".into()).hint("log in again, or pass --token"),
    }
}

/// No answer came. The cause is somewhere in the chain, under layers that only wrap it.
fn unreachable(error: &(dyn Error + 'static), server: &str) -> Failure {
    match cause(error) {
        Cause::Known(failure) => again(failure),
        Cause::Login(error) => login(error),
        Cause::Proxy(trouble) => not_through(trouble, server),
        Cause::Tls(error) => {
            let (why, hint) = distrust(error);
            Failure::new(Kind::Connection, format!("unable to connect to the server: {server}: {why}"))
                .hint(hint)
        }
        Cause::Io(error) => unconnected(error, server),
        Cause::Silence => no_answer(server),
        Cause::Broken => closed(server),
        Cause::Unknown => Failure::new(
            Kind::Connection,
            format!("unable to connect to the server: {server} broke off the talk"),
        )
        .hint("is it a Kubernetes API server? Check --server or the context"),
    }
}

/// What is at the bottom of an error.
enum Cause<'a> {
    Known(&'a Failure),
    Login(&'a AuthError),
    Proxy(&'a Trouble),
    Tls(&'a rustls::Error),
    Io(&'a io::Error),
    /// No sign of life on a connection that was up.
    Silence,
    /// A connection that was up ended.
    Broken,
    Unknown,
}

fn cause<'a>(error: &'a (dyn Error + 'static)) -> Cause<'a> {
    let mut next = Some(error);
    let mut found = Cause::Unknown;
    while let Some(error) = next {
        if let Some(failure) = error.downcast_ref() {
            return Cause::Known(failure);
        }
        if let Some(error) = error.downcast_ref() {
            return Cause::Login(error);
        }
        if let Some(trouble) = error.downcast_ref() {
            return Cause::Proxy(trouble);
        }
        if let Some(error) = error.downcast_ref() {
            return Cause::Tls(error);
        }
        if let Some(error) = error.downcast_ref::<hyper::Error>() {
            found = match error {
                error if error.is_timeout() => Cause::Silence,
                error if error.is_parse() => Cause::Unknown,
                _ => Cause::Broken,
            };
        }
        next = match error.downcast_ref::<io::Error>() {
            Some(error) => {
                found = Cause::Io(error);
                // `source` would skip the error that an io::Error wraps.
                error.get_ref().map(|inner| inner as &(dyn Error + 'static))
            }
            None => error.source(),
        };
    }
    found
}

/// A failure that was found in words already.
fn again(failure: &Failure) -> Failure {
    let same = Failure::new(failure.kind(), failure.to_string());
    match failure.way_on() {
        Some(hint) => same.hint(hint),
        None => same,
    }
}

fn closed(server: &str) -> Failure {
    Failure::new(Kind::Connection, format!("unable to connect to the server: {server} closed the connection"))
        .hint("is it running, and is this the context you mean?")
}

fn unconnected(error: &io::Error, server: &str) -> Failure {
    let words = match error.kind() {
        io::ErrorKind::TimedOut => return no_answer(server),
        io::ErrorKind::UnexpectedEof | io::ErrorKind::ConnectionReset => return closed(server),
        io::ErrorKind::ConnectionRefused => {
            format!(
                "the connection to the server {server} was refused - did you specify the right host or port?"
            )
        }
        // The system's own words: no such host, no route, network unreachable.
        _ => format!("unable to connect to the server: {server}: {error}"),
    };
    Failure::new(Kind::Connection, words).hint("is it running, and is this the context you mean?")
}

/// The proxy is the one to name: the server was never reached.
fn not_through(trouble: &Trouble, server: &str) -> Failure {
    let (proxy, origin) = (&trouble.proxy.url, &trouble.proxy.origin);
    let words = match trouble.source().map(cause) {
        _ if trouble.wants_login() => format!("the proxy {proxy} wants a user name and a password"),
        Some(Cause::Tls(error)) => format!("unable to connect to the proxy {proxy}: {}", distrust(error).0),
        Some(Cause::Io(error)) if error.kind() == io::ErrorKind::ConnectionRefused => {
            format!("the connection to the proxy {proxy} was refused")
        }
        Some(Cause::Io(error)) if error.kind() == io::ErrorKind::TimedOut => {
            format!("the proxy {proxy} did not lead to {server} in time")
        }
        Some(Cause::Io(error)) if error.kind() != io::ErrorKind::UnexpectedEof => {
            format!("unable to connect to the proxy {proxy}: {error}")
        }
        _ => format!("the proxy {proxy} refused to connect to {server}"),
    };
    let around = match origin {
        Origin::Kubeconfig(_) => String::new(),
        Origin::Environment(_) => {
            let host = server.split("://").last().unwrap_or_default();
            format!("; NO_PROXY={host} goes around it")
        }
    };
    Failure::new(Kind::Connection, words).hint(format!("{origin} names this proxy{around}"))
}

/// Why TLS failed; the words are those of Go's x509, which people search for.
fn distrust(error: &rustls::Error) -> (String, &'static str) {
    let (why, hint) = match error {
        rustls::Error::InvalidCertificate(bad) => return mistrust(bad),
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
fn mistrust(bad: &CertificateError) -> (String, &'static str) {
    use CertificateError as Bad;
    let clock = "is this computer's clock right? If so, the server needs a new certificate";
    let unknown = "name the authority with --certificate-authority FILE, or trust blindly with --insecure-skip-tls-verify";
    let outdated = "x509: certificate has expired or is not yet valid";
    let (why, hint) = match bad {
        Bad::ExpiredContext { time, not_after } => {
            let why = format!("{outdated}: current time {} is after {}", told(*time), told(*not_after));
            return (why, clock);
        }
        Bad::NotValidYetContext { time, not_before } => {
            let why = format!("{outdated}: current time {} is before {}", told(*time), told(*not_before));
            return (why, clock);
        }
        Bad::Expired | Bad::NotValidYet => (outdated, clock),
        Bad::UnknownIssuer => ("x509: certificate signed by unknown authority", unknown),
        Bad::NotValidForNameContext { expected, presented } if !presented.is_empty() => {
            let names: Vec<_> = presented.iter().map(|name| bare(name)).collect();
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

fn told(time: UnixTime) -> String {
    let seconds = i64::try_from(time.as_secs()).unwrap_or(i64::MAX);
    Timestamp::from_second(seconds).map_or_else(|_| "a far day".to_owned(), |time| time.to_string())
}

/// webpki writes `DnsName("a.example")` and `IpAddress(10.0.0.1)`.
fn bare(name: &str) -> &str {
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
        explain(&kube::Error::Api(Box::new(status)), SERVER)
    }

    fn service(error: impl Error + Send + Sync + 'static) -> Failure {
        explain(&kube::Error::Service(Box::new(error)), SERVER)
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
            let failure = explain(&kube::Error::Api(Box::new(page)), SERVER);
            assert_eq!(failure.kind(), Kind::Server);
            assert_eq!(
                failure.to_string(),
                "https://a:6443 answers with an error that is not a Kubernetes API server's"
            );
        }
    }

    #[test]
    fn a_refused_connection_is_found_under_its_wrappers() {
        let failure = service(io::Error::other(io::Error::from(io::ErrorKind::ConnectionRefused)));
        assert_eq!(
            failure.to_string(),
            "the connection to the server https://a:6443 was refused - did you specify the right host or port?"
        );
    }

    #[test]
    fn certificates_are_told_apart() {
        for (bad, words) in [
            (CertificateError::UnknownIssuer, "signed by unknown authority"),
            (CertificateError::Expired, "has expired or is not yet valid"),
            (CertificateError::NotValidForName, "valid for other names"),
        ] {
            let tls = rustls::Error::InvalidCertificate(bad);
            let failure = service(io::Error::new(io::ErrorKind::InvalidData, tls));
            assert!(failure.to_string().contains(words), "{failure}");
            assert!(failure.way_on().is_some());
        }
    }

    #[test]
    fn certificates_that_are_odd_are_explained() {
        use rustls::OtherError;
        use std::sync::Arc;
        for (odd, words) in [
            (OtherError(Arc::new(webpki::Error::UnsupportedCertVersion)), "of version 1"),
            (OtherError(Arc::new(webpki::Error::CaUsedAsEndEntity)), "of an authority as its own"),
        ] {
            let (why, hint) = mistrust(&CertificateError::Other(odd));
            assert!(why.contains(words) && hint.contains("--insecure-skip-tls-verify"), "{why} {hint}");
        }
    }

    #[test]
    fn trouble_with_a_proxy_names_the_proxy() {
        use super::super::proxy::Named;
        let trouble = |error: Box<dyn Error + Send + Sync>, origin| {
            let named = Named { url: "http://p:3128".into(), origin };
            service(Trouble::new(named, error))
        };
        let refused = || Box::new(io::Error::from(io::ErrorKind::ConnectionRefused));
        let failure = trouble(refused(), Origin::Environment("HTTPS_PROXY"));
        assert_eq!(failure.to_string(), "the connection to the proxy http://p:3128 was refused");
        assert_eq!(failure.way_on(), Some("HTTPS_PROXY names this proxy; NO_PROXY=a:6443 goes around it"));
        let failure = trouble("unsuccessful".into(), Origin::Kubeconfig("cluster \"c\"".into()));
        assert_eq!(failure.to_string(), "the proxy http://p:3128 refused to connect to https://a:6443");
        assert_eq!(failure.way_on(), Some("proxy-url of cluster \"c\" names this proxy"));
        let silent = Box::new(io::Error::from(io::ErrorKind::TimedOut));
        let failure = trouble(silent, Origin::Environment("HTTPS_PROXY"));
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
        let failure = service(io::Error::other(error));
        assert!(!format!("{failure:?}").contains("s3cr3t"));
        assert_eq!(failure.to_string(), "getting credentials: the exec plugin failed: exit status: 1");
    }
}
