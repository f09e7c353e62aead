//! What a failed request is called: kube's errors in kubectl's words.
//!
//! kube writes for developers: it prints whole structures, and for a login helper what it wrote, which may be
//! a token. So its own words are never shown; errors are told apart by type and named here.

use std::error::Error;
use std::io;

use kube::client::AuthError;
use kube::config::{KubeconfigError, LoadDataError};
use kube::core::Status;
use rustls::CertificateError;

use crate::error::{Failure, Kind};

/// Names a failed request to `server`.
pub(super) fn explain(error: &kube::Error, server: &str) -> Failure {
    match error {
        kube::Error::Api(status) => answered(status, server),
        kube::Error::InferKubeconfig(error) => configuration(error, ""),
        kube::Error::RustlsTls(_) => Failure::new(
            Kind::Configuration,
            "the client certificate or key, or the certificate authority, is not valid",
        )
        .hint("each must be PEM, and the key must belong to the certificate"),
        kube::Error::Auth(error) => login(error),
        kube::Error::SerdeError(_) | kube::Error::FromUtf8(_) => {
            Failure::new(Kind::Server, format!("{server} answers, but not like a Kubernetes API server"))
                .hint("check the address with --server, or the context with --context")
        }
        kube::Error::ProxyProtocolUnsupported { .. } | kube::Error::ProxyProtocolDisabled { .. } => {
            Failure::new(Kind::Configuration, "the proxy uses an unsupported protocol")
                .hint("proxy-url and HTTPS_PROXY may name http, https or socks5")
        }
        other => unreachable(other, server),
    }
}

/// A server that let the time run out.
pub(super) fn no_answer(server: &str) -> Failure {
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

/// What should be a certificate authority and holds no certificate.
pub(super) fn no_certificate(cluster: &str) -> Failure {
    let what = format!("the certificate authority{} is not PEM", of(cluster));
    Failure::new(Kind::Configuration, format!("invalid configuration: {what}"))
        .hint("it starts with -----BEGIN CERTIFICATE-----")
}

fn of(cluster: &str) -> String {
    if cluster.is_empty() { String::new() } else { format!(" of {cluster}") }
}

/// Names what is wrong with the files and values that `cluster` and its user are made of.
pub(super) fn configuration(error: &KubeconfigError, cluster: &str) -> Failure {
    let of_cluster = of(cluster);
    let broken = |what: String| Failure::new(Kind::Configuration, format!("invalid configuration: {what}"));
    match error {
        KubeconfigError::LoadCertificateAuthority(error) => {
            unreadable("certificate-authority", &of_cluster, error)
                .hint("correct it, or pass --certificate-authority FILE")
        }
        KubeconfigError::LoadClientCertificate(error) => {
            unreadable("client-certificate", "", error).hint("correct it, or pass --client-certificate FILE")
        }
        KubeconfigError::LoadClientKey(error) => {
            unreadable("client-key", "", error).hint("correct it, or pass --client-key FILE")
        }
        KubeconfigError::ParseCertificates(_) => no_certificate(cluster),
        KubeconfigError::ParseProxyUrl(_) => broken(format!("the proxy{of_cluster} is not a URL"))
            .hint("it stands in proxy-url of the cluster, or in HTTPS_PROXY"),
        KubeconfigError::ParseNoProxy(_) => broken("NO_PROXY is not a list of hosts".into())
            .hint("it is separated by commas, with none at the end"),
        _ => broken(format!("something{of_cluster} cannot be used")).hint("kubectl config view shows it"),
    }
}

fn unreadable(what: &str, of_cluster: &str, error: &LoadDataError) -> Failure {
    let words = match error {
        LoadDataError::ReadFile(error, path) => {
            format!("unable to read {what} {}{of_cluster}: {}", path.display(), reason(error))
        }
        LoadDataError::DecodeBase64(_) => format!("{what}-data{of_cluster} is not base64"),
        LoadDataError::NoBase64DataOrFile => {
            format!("{what}{of_cluster} is missing, and its other half is there")
        }
    };
    Failure::new(Kind::Configuration, format!("invalid configuration: {words}"))
}

/// The server answered with an error.
pub(super) fn answered(status: &Status, server: &str) -> Failure {
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
        403 => Failure::new(Kind::Forbidden, format!("from server (Forbidden): {message}")),
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
    let mut cause = Some(error);
    let mut last = None;
    while let Some(error) = cause {
        if let Some(error) = error.downcast_ref::<AuthError>() {
            return login(error);
        }
        if let Some(error) = error.downcast_ref::<rustls::Error>() {
            return untrusted(error, server);
        }
        if let Some(error) = error.downcast_ref::<io::Error>() {
            match error.get_ref() {
                // `source` would skip the error that an io::Error wraps.
                Some(inner) => {
                    cause = Some(inner);
                    last = Some(error);
                    continue;
                }
                None => return unconnected(error, server),
            }
        }
        cause = error.source();
    }
    match last {
        Some(error) => unconnected(error, server),
        None => Failure::new(
            Kind::Connection,
            format!("unable to connect to the server: {server} broke off the talk"),
        )
        .hint("is it a Kubernetes API server? Check --server or the context"),
    }
}

fn unconnected(error: &io::Error, server: &str) -> Failure {
    let words = match error.kind() {
        io::ErrorKind::TimedOut => return no_answer(server),
        io::ErrorKind::ConnectionRefused => {
            format!(
                "the connection to the server {server} was refused - did you specify the right host or port?"
            )
        }
        io::ErrorKind::UnexpectedEof | io::ErrorKind::ConnectionReset => {
            format!("unable to connect to the server: {server} closed the connection")
        }
        // The system's own words: no such host, no route, network unreachable.
        _ => format!("unable to connect to the server: {server}: {error}"),
    };
    Failure::new(Kind::Connection, words).hint("is it running, and is this the context you mean?")
}

/// TLS failed; the words are those of Go's x509, which people search for.
fn untrusted(error: &rustls::Error, server: &str) -> Failure {
    use CertificateError as Bad;
    let (why, hint) = match error {
        rustls::Error::InvalidCertificate(bad) => match bad {
            Bad::Expired | Bad::ExpiredContext { .. } | Bad::NotValidYet | Bad::NotValidYetContext { .. } => {
                ("x509: certificate has expired or is not yet valid", "is this computer's clock right?")
            }
            Bad::UnknownIssuer => (
                "x509: certificate signed by unknown authority",
                "name the authority with --certificate-authority FILE, or trust blindly with --insecure-skip-tls-verify",
            ),
            Bad::NotValidForName | Bad::NotValidForNameContext { .. } => (
                "x509: certificate is valid for other names than this one",
                "name one of them with --tls-server-name",
            ),
            _ => (
                "x509: certificate cannot be used",
                "a certificate authority must be one (CA:TRUE) and of version 3; --insecure-skip-tls-verify trusts blindly",
            ),
        },
        rustls::Error::InvalidMessage(_) => {
            ("it does not speak TLS", "is its address http://, not https://?")
        }
        rustls::Error::AlertReceived(_) => {
            ("it refused the TLS handshake", "it may want a client certificate")
        }
        _ => ("the TLS handshake failed", "is it a Kubernetes API server? Check --server or the context"),
    };
    Failure::new(Kind::Connection, format!("unable to connect to the server: {server}: {why}")).hint(hint)
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
