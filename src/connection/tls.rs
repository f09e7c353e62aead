//! Server verification and client certificates, from kubeconfig, flags and credential plugins to rustls.

use std::path::Path;
use std::sync::Arc;

use base64::Engine as _;
use kube::config::{AuthInfo, Cluster};
use rustls::client::danger::{HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier};
use rustls::client::{WebPkiServerVerifier, verify_server_name};
use rustls::crypto::{CryptoProvider, ring};
use rustls::pki_types::pem::PemObject as _;
use rustls::pki_types::{CertificateDer, PrivateKeyDer, ServerName, UnixTime};
use rustls::server::ParsedCertificate;
use rustls::{
    CertificateError, ClientConfig, DigitallySignedStruct, OtherError, RootCertStore, SignatureScheme,
};
use rustls_platform_verifier::BuilderVerifierExt as _;
use secrecy::ExposeSecret;

use super::{authority, file};
use crate::error::{Failure, FailureKind};

/// How a server's certificate is verified.
#[derive(Clone)]
pub(super) enum ServerVerification {
    /// Against these certificate authorities.
    Authorities(Vec<CertificateDer<'static>>),
    /// Against the authorities that the system trusts.
    SystemRoots,
    /// Not at all: `insecure-skip-tls-verify`.
    Skip,
    /// Every certificate is rejected; for connections without TLS.
    NoRoots,
}

/// A client certificate with its chain and its key.
pub(super) struct Identity {
    chain: Vec<CertificateDer<'static>>,
    key: PrivateKeyDer<'static>,
}

impl Clone for Identity {
    fn clone(&self) -> Self {
        Self { chain: self.chain.clone(), key: self.key.clone_key() }
    }
}

impl ServerVerification {
    /// Reads the settings of a cluster; `cluster_display` names it in errors.
    pub(super) fn from_cluster(cluster: &Cluster, cluster_display: &str) -> Result<Self, Failure> {
        if cluster.insecure_skip_tls_verify == Some(true) {
            return Ok(Self::Skip);
        }
        let Some(pem) = read_certificate_authority(cluster, cluster_display)? else {
            return Ok(Self::SystemRoots);
        };
        let certificates: Vec<_> = CertificateDer::pem_slice_iter(&pem).filter_map(Result::ok).collect();
        if certificates.is_empty() {
            let what = format!(
                "the certificate authority{} contains no PEM certificate",
                of_cluster(cluster_display)
            );
            return Err(invalid(&what).hint("expected PEM that starts with -----BEGIN CERTIFICATE-----"));
        }
        Ok(Self::Authorities(certificates))
    }
}

impl Identity {
    /// The client certificate of a user, if there is one.
    pub(super) fn from_user(user: &AuthInfo) -> Result<Option<Self>, Failure> {
        let secret = user.client_key_data.as_ref().map(ExposeSecret::expose_secret);
        let source = |field, data, file| PemSource { field, owner: "", data, file };
        let certificate = source(
            "client-certificate",
            user.client_certificate_data.as_deref(),
            user.client_certificate.as_deref(),
        );
        let key = source("client-key", secret, user.client_key.as_deref());
        match (certificate.read()?, key.read()?) {
            (None, None) => Ok(None),
            (Some(_), None) => Err(key.missing(&certificate)),
            (None, Some(_)) => Err(certificate.missing(&key)),
            (Some(chain), Some(secret)) => Self::from_pem(&chain, &secret).map(Some).map_err(|error| {
                let (what, hint) = match error {
                    IdentityError::NoCertificate => (
                        format!("{} contains no certificate", certificate.location()),
                        "expected PEM that starts with -----BEGIN CERTIFICATE-----",
                    ),
                    IdentityError::NoKey => (
                        format!("{} contains no private key", key.location()),
                        "expected an unencrypted PEM key, such as -----BEGIN PRIVATE KEY-----",
                    ),
                    IdentityError::KeyMismatch => (
                        format!("{} does not match {}", key.location(), certificate.location()),
                        "use a certificate and a key that were issued together",
                    ),
                };
                invalid(&what).hint(hint)
            }),
        }
    }

    /// Reads PEM; the key may be PKCS #8, PKCS #1 or SEC 1.
    pub(super) fn from_pem(chain: &[u8], key: &[u8]) -> Result<Self, IdentityError> {
        let chain: Vec<_> = CertificateDer::pem_slice_iter(chain).filter_map(Result::ok).collect();
        if chain.is_empty() {
            return Err(IdentityError::NoCertificate);
        }
        let key = PrivateKeyDer::from_pem_slice(key).map_err(|_| IdentityError::NoKey)?;
        ring::sign::any_supported_type(&key).map_err(|_| IdentityError::NoKey)?;
        let identity = Self { chain, key };
        identity.config(&ServerVerification::NoRoots).map_err(|_| IdentityError::KeyMismatch)?;
        Ok(identity)
    }

    fn config(&self, verification: &ServerVerification) -> Result<ClientConfig, rustls::Error> {
        config_builder(verification)?.with_client_auth_cert(self.chain.clone(), self.key.clone_key())
    }
}

/// The certificate authority of a cluster in PEM, if there is one.
pub(super) fn read_certificate_authority(
    cluster: &Cluster,
    cluster_display: &str,
) -> Result<Option<Vec<u8>>, Failure> {
    let pem = PemSource {
        field: "certificate-authority",
        owner: &of_cluster(cluster_display),
        data: cluster.certificate_authority_data.as_deref(),
        file: cluster.certificate_authority.as_deref(),
    };
    pem.read()
}

fn of_cluster(cluster: &str) -> String {
    if cluster.is_empty() { String::new() } else { format!(" of {cluster}") }
}

/// What is wrong with a client certificate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum IdentityError {
    NoCertificate,
    NoKey,
    /// The key is not the one of the certificate.
    KeyMismatch,
}

/// A certificate or key of a kubeconfig: base64 data in it, or a file.
struct PemSource<'a> {
    field: &'static str,
    owner: &'a str,
    data: Option<&'a str>,
    file: Option<&'a str>,
}

impl PemSource<'_> {
    fn read(&self) -> Result<Option<Vec<u8>>, Failure> {
        let Self { field, owner, data, file } = self;
        let result = match (data.filter(|data| !data.is_empty()), file) {
            // Data takes precedence over a file.
            (Some(data), _) => base64::engine::general_purpose::STANDARD
                .decode(data.trim())
                .map_err(|_| format!("{field}-data{owner} is not base64")),
            (None, Some(path)) => file::read(Path::new(path))
                .map_err(|error| format!("unable to read {field} {path}{owner}: {error}")),
            (None, None) => return Ok(None),
        };
        result.map(Some).map_err(|what| invalid(&what).hint(self.hint()))
    }

    fn missing(&self, other: &Self) -> Failure {
        invalid(&format!("{} is missing, but {} is set", self.field, other.field)).hint(self.hint())
    }

    fn hint(&self) -> String {
        format!("correct it, or pass --{} FILE", self.field)
    }

    fn location(&self) -> String {
        match (self.data, self.file) {
            (None, Some(file)) => format!("{} {file}", self.field),
            _ => format!("{}-data", self.field),
        }
    }
}

fn invalid(what: &str) -> Failure {
    Failure::new(FailureKind::Configuration, format!("invalid configuration: {what}"))
}

/// The TLS settings of a client.
pub(super) fn client_config(
    verification: &ServerVerification,
    identity: Option<&Identity>,
) -> Result<ClientConfig, Failure> {
    let built = match identity {
        Some(identity) => identity.config(verification),
        None => config_builder(verification).map(ClientConfigBuilder::with_no_client_auth),
    };
    built.map_err(|_| {
        invalid("the certificate authority cannot be used")
            .hint("it may be damaged or of an unsupported type; pass --certificate-authority FILE")
    })
}

/// An explicit provider: otherwise rustls looks for one at run time and panics if there is none.
fn provider() -> Arc<CryptoProvider> {
    Arc::new(ring::default_provider())
}

type ClientConfigBuilder = rustls::ConfigBuilder<ClientConfig, rustls::client::WantsClientCert>;

fn config_builder(verification: &ServerVerification) -> Result<ClientConfigBuilder, rustls::Error> {
    let builder = || ClientConfig::builder_with_provider(provider()).with_safe_default_protocol_versions();
    let none = || Ok(builder()?.with_root_certificates(RootCertStore::empty()));
    match verification {
        ServerVerification::Authorities(authorities) => {
            let verifier = Arc::new(AuthorityVerifier::new(authorities)?);
            Ok(builder()?.dangerous().with_custom_certificate_verifier(verifier))
        }
        ServerVerification::Skip => Ok(builder()?
            .dangerous()
            .with_custom_certificate_verifier(Arc::new(NoCertificateVerification(provider())))),
        // A system without authorities trusts no server; the handshake will report that.
        ServerVerification::SystemRoots => builder()?.with_platform_verifier().or_else(|_| none()),
        ServerVerification::NoRoots => none(),
    }
}

/// Accepts what the given authorities signed, and a server whose own certificate was given as an authority. Go does
/// the same; rustls alone does not accept the latter (kube-rs/kube#1767), and takes any certificate for an authority.
#[derive(Debug)]
struct AuthorityVerifier {
    given: Vec<CertificateDer<'static>>,
    /// Verifies a server whose own certificate was given.
    listed: Arc<WebPkiServerVerifier>,
    /// Verifies all others; `None` if no given certificate may sign them.
    signed: Option<Arc<WebPkiServerVerifier>>,
}

impl AuthorityVerifier {
    fn new(given: &[CertificateDer<'static>]) -> Result<Self, rustls::Error> {
        let verifier = |certificates: &mut dyn Iterator<Item = &CertificateDer<'static>>| {
            let mut roots = RootCertStore::empty();
            // A bundle may contain certificates that cannot be parsed; the others still count.
            let (added, _) = roots.add_parsable_certificates(certificates.cloned());
            if added == 0 {
                return Err(CertificateError::BadEncoding.into());
            }
            WebPkiServerVerifier::builder_with_provider(Arc::new(roots), provider())
                .build()
                .map_err(|error| rustls::Error::General(error.to_string()))
        };
        Ok(Self {
            given: given.to_vec(),
            listed: verifier(&mut given.iter())?,
            signed: verifier(&mut given.iter().filter(|given| authority::may_sign_servers(given))).ok(),
        })
    }

    fn is_given(&self, server: &CertificateDer<'_>) -> bool {
        self.given.iter().any(|given| given.as_ref() == server.as_ref())
    }
}

/// Whether the only error is that no authority signed a certificate or that it is a CA certificate itself. Both come
/// after the check of the dates and usages and before that of the name.
fn is_only_unsigned(error: &CertificateError) -> bool {
    let is_authority =
        |other: &OtherError| matches!(other.0.downcast_ref(), Some(webpki::Error::CaUsedAsEndEntity));
    match error {
        CertificateError::UnknownIssuer => true,
        CertificateError::Other(other) => is_authority(other),
        _ => false,
    }
}

impl ServerCertVerifier for AuthorityVerifier {
    fn verify_server_cert(
        &self,
        server: &CertificateDer<'_>,
        intermediates: &[CertificateDer<'_>],
        name: &ServerName<'_>,
        ocsp: &[u8],
        now: UnixTime,
    ) -> Result<ServerCertVerified, rustls::Error> {
        if !self.is_given(server) {
            return match &self.signed {
                Some(signed) => signed.verify_server_cert(server, intermediates, name, ocsp, now),
                None => Err(CertificateError::UnknownIssuer.into()),
            };
        }
        match self.listed.verify_server_cert(server, intermediates, name, ocsp, now) {
            Err(rustls::Error::InvalidCertificate(error)) if is_only_unsigned(&error) => {
                verify_server_name(&ParsedCertificate::try_from(server)?, name)?;
                Ok(ServerCertVerified::assertion())
            }
            verdict => verdict,
        }
    }

    fn verify_tls12_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signed: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, rustls::Error> {
        self.listed.verify_tls12_signature(message, certificate, signed)
    }

    fn verify_tls13_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signed: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, rustls::Error> {
        self.listed.verify_tls13_signature(message, certificate, signed)
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        self.listed.supported_verify_schemes()
    }
}

/// Accepts every certificate, as `insecure-skip-tls-verify` asks for.
#[derive(Debug)]
struct NoCertificateVerification(Arc<CryptoProvider>);

impl ServerCertVerifier for NoCertificateVerification {
    fn verify_server_cert(
        &self,
        _: &CertificateDer<'_>,
        _: &[CertificateDer<'_>],
        _: &ServerName<'_>,
        _: &[u8],
        _: UnixTime,
    ) -> Result<ServerCertVerified, rustls::Error> {
        Ok(ServerCertVerified::assertion())
    }

    fn verify_tls12_signature(
        &self,
        _: &[u8],
        _: &CertificateDer<'_>,
        _: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, rustls::Error> {
        Ok(HandshakeSignatureValid::assertion())
    }

    fn verify_tls13_signature(
        &self,
        _: &[u8],
        _: &CertificateDer<'_>,
        _: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, rustls::Error> {
        Ok(HandshakeSignatureValid::assertion())
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        self.0.signature_verification_algorithms.supported_schemes()
    }
}
