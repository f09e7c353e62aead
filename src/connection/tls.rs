//! Whom to trust and what to show: certificates from a kubeconfig, flags and plugins, as TLS wants them.

use std::fs;
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

use super::fault;
use crate::error::{Failure, Kind};

/// Which servers are believed to be who they say they are.
#[derive(Clone)]
pub(super) enum Trust {
    /// Those that one of these authorities vouches for.
    Authorities(Vec<CertificateDer<'static>>),
    /// Those that the system trusts.
    System,
    /// All.
    Anyone,
    /// None: there is no TLS on the way.
    Nobody,
}

/// Who we are: a certificate with its chain, and its key.
pub(super) struct Identity {
    chain: Vec<CertificateDer<'static>>,
    key: PrivateKeyDer<'static>,
}

impl Clone for Identity {
    fn clone(&self) -> Self {
        Self { chain: self.chain.clone(), key: self.key.clone_key() }
    }
}

impl Trust {
    /// What the kubeconfig says about the cluster, which errors call `named`.
    pub(super) fn of(cluster: &Cluster, named: &str) -> Result<Self, Failure> {
        if cluster.insecure_skip_tls_verify == Some(true) {
            return Ok(Self::Anyone);
        }
        let Some(pem) = authority(cluster, named)? else { return Ok(Self::System) };
        let found: Vec<_> = CertificateDer::pem_slice_iter(&pem).filter_map(Result::ok).collect();
        if found.is_empty() {
            let what = format!("the certificate authority{} is not PEM", of(named));
            return Err(invalid(&what).hint("it starts with -----BEGIN CERTIFICATE-----"));
        }
        Ok(Self::Authorities(found))
    }
}

impl Identity {
    /// The client certificate of a user, when there is one.
    pub(super) fn of(user: &AuthInfo) -> Result<Option<Self>, Failure> {
        let secret = user.client_key_data.as_ref().map(ExposeSecret::expose_secret);
        let material = |field, data, file| Material { field, of: "", data, file };
        let certificate = material(
            "client-certificate",
            user.client_certificate_data.as_deref(),
            user.client_certificate.as_deref(),
        );
        let key = material("client-key", secret, user.client_key.as_deref());
        match (certificate.read()?, key.read()?) {
            (None, None) => Ok(None),
            (Some(_), None) => Err(key.missing()),
            (None, Some(_)) => Err(certificate.missing()),
            (Some(chain), Some(secret)) => Self::from_pem(&chain, &secret).map(Some).map_err(|bad| {
                let (what, way_on) = match bad {
                    BadIdentity::Certificate => (
                        format!("{} holds no certificate", certificate.place()),
                        "it starts with -----BEGIN CERTIFICATE-----",
                    ),
                    BadIdentity::Key => (
                        format!("{} holds no private key", key.place()),
                        "it starts with -----BEGIN PRIVATE KEY-----, and has no password",
                    ),
                    BadIdentity::Pair => (
                        format!("{} does not belong to {}", key.place(), certificate.place()),
                        "take both from the same place",
                    ),
                };
                invalid(&what).hint(way_on)
            }),
        }
    }

    /// Reads PEM; the key may be PKCS #8, PKCS #1 or SEC 1.
    pub(super) fn from_pem(chain: &[u8], key: &[u8]) -> Result<Self, BadIdentity> {
        let chain: Vec<_> = CertificateDer::pem_slice_iter(chain).filter_map(Result::ok).collect();
        if chain.is_empty() {
            return Err(BadIdentity::Certificate);
        }
        let key = PrivateKeyDer::from_pem_slice(key).map_err(|_| BadIdentity::Key)?;
        ring::sign::any_supported_type(&key).map_err(|_| BadIdentity::Key)?;
        let identity = Self { chain, key };
        identity.config(&Trust::Nobody).map_err(|_| BadIdentity::Pair)?;
        Ok(identity)
    }

    fn config(&self, trust: &Trust) -> Result<ClientConfig, rustls::Error> {
        verifying(trust)?.with_client_auth_cert(self.chain.clone(), self.key.clone_key())
    }
}

/// The certificate authority of a cluster as it is written, when one is named.
pub(super) fn authority(cluster: &Cluster, named: &str) -> Result<Option<Vec<u8>>, Failure> {
    let authority = Material {
        field: "certificate-authority",
        of: &of(named),
        data: cluster.certificate_authority_data.as_deref(),
        file: cluster.certificate_authority.as_deref(),
    };
    authority.read()
}

fn of(cluster: &str) -> String {
    if cluster.is_empty() { String::new() } else { format!(" of {cluster}") }
}

/// What is wrong with a client certificate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum BadIdentity {
    Certificate,
    Key,
    /// The two do not belong together.
    Pair,
}

/// One certificate or key of a kubeconfig, inside it or beside it.
struct Material<'a> {
    field: &'static str,
    of: &'a str,
    data: Option<&'a str>,
    file: Option<&'a str>,
}

impl Material<'_> {
    fn read(&self) -> Result<Option<Vec<u8>>, Failure> {
        let Self { field, of, data, file } = self;
        let result = match (data.filter(|data| !data.is_empty()), file) {
            // Data wins over a file.
            (Some(data), _) => base64::engine::general_purpose::STANDARD
                .decode(data.trim())
                .map_err(|_| format!("{field}-data{of} is not base64")),
            (None, Some(file)) => fs::read(file)
                .map_err(|error| format!("unable to read {field} {file}{of}: {}", fault::reason(&error))),
            (None, None) => return Ok(None),
        };
        result.map(Some).map_err(|what| invalid(&what).hint(self.way_on()))
    }

    fn missing(&self) -> Failure {
        invalid(&format!("{}{} is missing, and its other half is there", self.field, self.of))
            .hint(self.way_on())
    }

    fn way_on(&self) -> String {
        format!("correct it, or pass --{} FILE", self.field)
    }

    fn place(&self) -> String {
        match (self.data, self.file) {
            (None, Some(file)) => format!("{} {file}", self.field),
            _ => format!("{}-data", self.field),
        }
    }
}

fn invalid(what: &str) -> Failure {
    Failure::new(Kind::Configuration, format!("invalid configuration: {what}"))
}

/// TLS as a client: whom to trust, and who we are.
pub(super) fn config(trust: &Trust, identity: Option<&Identity>) -> Result<ClientConfig, Failure> {
    let made = match identity {
        Some(identity) => identity.config(trust),
        None => verifying(trust).map(Verifying::with_no_client_auth),
    };
    made.map_err(|_| {
        invalid("the certificate authority cannot be used")
            .hint("a certificate of another kind, or a damaged one, stands in it; pass --certificate-authority FILE")
    })
}

/// The provider is named: without, rustls looks for one at run time, and panics if there is none.
fn provider() -> Arc<CryptoProvider> {
    Arc::new(ring::default_provider())
}

type Verifying = rustls::ConfigBuilder<ClientConfig, rustls::client::WantsClientCert>;

fn verifying(trust: &Trust) -> Result<Verifying, rustls::Error> {
    let builder = || ClientConfig::builder_with_provider(provider()).with_safe_default_protocol_versions();
    let none = || Ok(builder()?.with_root_certificates(RootCertStore::empty()));
    match trust {
        Trust::Authorities(authorities) => {
            let verifier = Arc::new(Vouched::new(authorities)?);
            Ok(builder()?.dangerous().with_custom_certificate_verifier(verifier))
        }
        Trust::Anyone => {
            Ok(builder()?.dangerous().with_custom_certificate_verifier(Arc::new(Anyone(provider()))))
        }
        // A system without any authority trusts nobody, and the handshake will say so.
        Trust::System => builder()?.with_platform_verifier().or_else(|_| none()),
        Trust::Nobody => none(),
    }
}

/// Believes what the given authorities vouch for, and a server whose own certificate was given as an authority:
/// kubectl takes that as a match, rustls alone would not (kube-rs/kube#1767).
#[derive(Debug)]
struct Vouched {
    authorities: Vec<CertificateDer<'static>>,
    inner: Arc<WebPkiServerVerifier>,
}

impl Vouched {
    fn new(authorities: &[CertificateDer<'static>]) -> Result<Self, rustls::Error> {
        let mut roots = RootCertStore::empty();
        // A bundle may hold one that is odd; it is as good as the rest of it.
        let (good, _) = roots.add_parsable_certificates(authorities.iter().cloned());
        if good == 0 {
            return Err(CertificateError::BadEncoding.into());
        }
        let inner = WebPkiServerVerifier::builder_with_provider(Arc::new(roots), provider())
            .build()
            .map_err(|error| rustls::Error::General(error.to_string()))?;
        Ok(Self { authorities: authorities.to_vec(), inner })
    }

    /// Whether this very certificate was given, and nothing is wrong with it but that it is no authority's, or an
    /// authority's. Both are found only after the dates have been checked; the name is still to be.
    fn is_given(&self, server: &CertificateDer<'_>, bad: &CertificateError) -> bool {
        let is_authority =
            |other: &OtherError| matches!(other.0.downcast_ref(), Some(webpki::Error::CaUsedAsEndEntity));
        let excusable = match bad {
            CertificateError::UnknownIssuer => true,
            CertificateError::Other(other) => is_authority(other),
            _ => false,
        };
        excusable && self.authorities.iter().any(|authority| authority.as_ref() == server.as_ref())
    }
}

impl ServerCertVerifier for Vouched {
    fn verify_server_cert(
        &self,
        server: &CertificateDer<'_>,
        intermediates: &[CertificateDer<'_>],
        name: &ServerName<'_>,
        ocsp: &[u8],
        now: UnixTime,
    ) -> Result<ServerCertVerified, rustls::Error> {
        match self.inner.verify_server_cert(server, intermediates, name, ocsp, now) {
            Err(rustls::Error::InvalidCertificate(bad)) if self.is_given(server, &bad) => {
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
        self.inner.verify_tls12_signature(message, certificate, signed)
    }

    fn verify_tls13_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signed: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, rustls::Error> {
        self.inner.verify_tls13_signature(message, certificate, signed)
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        self.inner.supported_verify_schemes()
    }
}

/// Believes everybody, because a person said so.
#[derive(Debug)]
struct Anyone(Arc<CryptoProvider>);

impl ServerCertVerifier for Anyone {
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
