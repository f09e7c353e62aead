//! The lab's certificate authority: serving certificates for the API server, the proxy, webhooks and
//! extension servers.

use std::net::IpAddr;

use anyhow::{Context as _, Result};
use rcgen::{
    BasicConstraints, CertificateParams, DnType, ExtendedKeyUsagePurpose, IsCa, Issuer, KeyPair,
    KeyUsagePurpose, SanType,
};

/// What a certificate says before it is signed.
pub type Params = CertificateParams;
/// What the key of a certificate may be used for.
pub type KeyUse = KeyUsagePurpose;
/// What a certificate may be used for.
pub type Purpose = ExtendedKeyUsagePurpose;

/// For `is_ca` of a certificate that may sign others.
pub fn is_authority() -> IsCa {
    IsCa::Ca(BasicConstraints::Unconstrained)
}

/// For `is_ca` of a certificate that says that it may not sign others.
pub fn no_authority() -> IsCa {
    IsCa::ExplicitNoCa
}

/// A certificate authority that lives as long as its lab.
pub struct Authority {
    certificate: String,
    issuer: Issuer<'static, KeyPair>,
}

/// A certificate and its private key, both PEM.
#[derive(Clone, Debug)]
pub struct Identity {
    pub certificate: String,
    pub key: String,
}

impl Authority {
    /// Makes a new authority with a key of its own.
    pub fn new(name: &str) -> Result<Self> {
        Self::odd(name, |_| ())
    }

    /// Makes one whose own certificate `change` has made odd.
    pub fn odd(name: &str, change: impl FnOnce(&mut Params)) -> Result<Self> {
        let mut params = CertificateParams::default();
        params.distinguished_name.push(DnType::CommonName, name);
        params.is_ca = is_authority();
        params.key_usages = vec![KeyUsagePurpose::KeyCertSign, KeyUsagePurpose::DigitalSignature];
        change(&mut params);
        let key = KeyPair::generate().context("failed to make a key for the lab's authority")?;
        let certificate = params.self_signed(&key).context("failed to sign the lab's authority")?.pem();
        Ok(Self { certificate, issuer: Issuer::new(params, key) })
    }

    /// The authority's own certificate as PEM: a kubeconfig's CA, a webhook's `caBundle`.
    pub fn certificate(&self) -> &str {
        &self.certificate
    }

    /// Issues a serving certificate for these names and addresses.
    pub fn issue(&self, dns: &[&str], addresses: &[IpAddr]) -> Result<Identity> {
        self.issue_odd(dns, addresses, |_| ())
    }

    /// Issues one that `change` has made expired, a client's, or odd in another way.
    pub fn issue_odd(
        &self,
        dns: &[&str],
        addresses: &[IpAddr],
        change: impl FnOnce(&mut Params),
    ) -> Result<Identity> {
        let mut params = CertificateParams::default();
        let name = dns.first().copied().unwrap_or("lab");
        params.distinguished_name.push(DnType::CommonName, name);
        params.extended_key_usages = vec![ExtendedKeyUsagePurpose::ServerAuth];
        params.key_usages = vec![KeyUsagePurpose::DigitalSignature];
        for dns in dns {
            params.subject_alt_names.push(SanType::DnsName((*dns).try_into().context("not a DNS name")?));
        }
        params.subject_alt_names.extend(addresses.iter().map(|ip| SanType::IpAddress(*ip)));
        change(&mut params);
        let key = KeyPair::generate().context("failed to make a key")?;
        let certificate = params.signed_by(&key, &self.issuer).context("failed to sign a certificate")?;
        Ok(Identity { certificate: certificate.pem(), key: key.serialize_pem() })
    }
}
