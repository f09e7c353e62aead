//! Which certificates may sign those of servers, by Go's rules. rustls takes every given certificate for an authority,
//! so that whoever has the key of a single server in a bundle could pose as any other.

/// The extensions that are looked at, by the bytes of their object identifiers.
const KEY_USAGE: &[u8] = &[0x55, 0x1d, 0x0f];
const BASIC_CONSTRAINTS: &[u8] = &[0x55, 0x1d, 0x13];
const EXTENDED_KEY_USAGE: &[u8] = &[0x55, 0x1d, 0x25];
/// `anyExtendedKeyUsage` and `id-kp-serverAuth`.
const SERVER_PURPOSES: [&[u8]; 2] =
    [&[0x55, 0x1d, 0x25, 0x00], &[0x2b, 0x06, 0x01, 0x05, 0x05, 0x07, 0x03, 0x01]];

/// The tags of DER that occur here.
mod tag {
    pub(super) const BOOLEAN: u8 = 0x01;
    pub(super) const BIT_STRING: u8 = 0x03;
    pub(super) const OCTET_STRING: u8 = 0x04;
    pub(super) const OBJECT_IDENTIFIER: u8 = 0x06;
    pub(super) const SEQUENCE: u8 = 0x30;
    /// `[0]` and `[3]` of a `TBSCertificate`.
    pub(super) const VERSION: u8 = 0xa0;
    pub(super) const EXTENSIONS: u8 = 0xa3;
}

/// Whether a certificate in DER may sign the certificate of a server. One that cannot be parsed may not.
pub(super) fn may_sign_servers(certificate: &[u8]) -> bool {
    parse(certificate).is_some_and(|constraints| {
        constraints.is_authority.unwrap_or(!constraints.is_version_3)
            && constraints.signs_certificates
            && constraints.is_for_servers
    })
}

/// What a certificate says about its own use.
struct Constraints {
    is_version_3: bool,
    /// `None` without basic constraints.
    is_authority: Option<bool>,
    signs_certificates: bool,
    is_for_servers: bool,
}

fn parse(certificate: &[u8]) -> Option<Constraints> {
    let fields = elements(expect(tag::SEQUENCE, expect(tag::SEQUENCE, certificate)?)?)?;
    let field = |wanted| fields.iter().find(|(tag, _)| *tag == wanted).map(|(_, content)| *content);
    let mut constraints = Constraints {
        is_version_3: field(tag::VERSION).and_then(|version| version.last()) == Some(&2),
        is_authority: None,
        signs_certificates: true,
        is_for_servers: true,
    };
    let Some(extensions) = field(tag::EXTENSIONS) else { return Some(constraints) };
    for (_, extension) in elements(expect(tag::SEQUENCE, extensions)?)? {
        // An identifier, perhaps whether it is critical, and the value.
        let parts = elements(extension)?;
        let (Some((tag::OBJECT_IDENTIFIER, id)), Some((tag::OCTET_STRING, value))) =
            (parts.first(), parts.last())
        else {
            return None;
        };
        match *id {
            BASIC_CONSTRAINTS => {
                let is_true = |(tag, content): &(u8, &[u8])| {
                    *tag == tag::BOOLEAN && content.iter().any(|byte| *byte != 0)
                };
                constraints.is_authority =
                    Some(elements(expect(tag::SEQUENCE, value)?)?.first().is_some_and(is_true));
            }
            KEY_USAGE => {
                // The number of unused bits, then the bits; the sixth is keyCertSign. None at all is no restriction.
                let bits = expect(tag::BIT_STRING, value)?.get(1..)?;
                constraints.signs_certificates =
                    bits.iter().all(|byte| *byte == 0) || bits.first()? & 0x04 != 0;
            }
            EXTENDED_KEY_USAGE => {
                let purposes = elements(expect(tag::SEQUENCE, value)?)?;
                constraints.is_for_servers = purposes.is_empty()
                    || purposes.iter().any(|(_, purpose)| SERVER_PURPOSES.contains(purpose));
            }
            _ => {}
        }
    }
    Some(constraints)
}

/// The content of the first element, if it has this tag.
fn expect(tag: u8, der: &[u8]) -> Option<&[u8]> {
    let (found, content, _) = element(der)?;
    (found == tag).then_some(content)
}

fn elements(mut der: &[u8]) -> Option<Vec<(u8, &[u8])>> {
    let mut found = Vec::new();
    while !der.is_empty() {
        let (tag, content, rest) = element(der)?;
        found.push((tag, content));
        der = rest;
    }
    Some(found)
}

/// Tag and content of the first element, and what follows it.
fn element(der: &[u8]) -> Option<(u8, &[u8], &[u8])> {
    let (&tag, rest) = der.split_first()?;
    let (&first, rest) = rest.split_first()?;
    let (length, rest) = match first {
        ..0x80 => (usize::from(first), rest),
        // DER knows no indefinite length.
        0x80 => return None,
        // The number of bytes that the length has.
        0x81.. => {
            let (bytes, rest) = rest.split_at_checked(usize::from(first & 0x7f))?;
            let length = bytes
                .iter()
                .try_fold(0_usize, |length, byte| length.checked_mul(256)?.checked_add(usize::from(*byte)))?;
            (length, rest)
        }
    };
    let (content, rest) = rest.split_at_checked(length)?;
    Some((tag, content, rest))
}

#[cfg(test)]
mod tests {
    use lab::certs::{Authority, Params};
    use proptest::prelude::*;
    use rustls::pki_types::CertificateDer;
    use rustls::pki_types::pem::PemObject as _;

    use super::*;

    fn may_sign(pem: &str) -> bool {
        may_sign_servers(&CertificateDer::from_pem_slice(pem.as_bytes()).unwrap())
    }

    #[test]
    fn only_authorities_for_servers_may_sign() {
        use lab::certs::{KeyUse, Purpose};
        let root = Authority::new("root").unwrap();
        assert!(may_sign(root.certificate()));
        let issued =
            |change: fn(&mut Params)| may_sign(&root.issue_odd(&["a"], &[], change).unwrap().certificate);
        assert!(!issued(|_| ()), "the certificate of a server");
        assert!(!issued(|params| params.key_usages.clear()), "without basic constraints");
        assert!(issued(|params| {
            params.is_ca = lab::certs::is_authority();
            params.key_usages.clear();
        }));
        assert!(!issued(|params| {
            params.is_ca = lab::certs::is_authority();
            params.key_usages = vec![KeyUse::DigitalSignature];
        }));
        for (purposes, expected) in [
            (vec![], true),
            (vec![Purpose::ServerAuth], true),
            (vec![Purpose::Any], true),
            (vec![Purpose::ClientAuth], false),
            (vec![Purpose::ClientAuth, Purpose::ServerAuth], true),
        ] {
            let signed = root.issue_odd(&["a"], &[], |params| {
                params.is_ca = lab::certs::is_authority();
                params.key_usages.clear();
                params.extended_key_usages.clone_from(&purposes);
            });
            assert_eq!(may_sign(&signed.unwrap().certificate), expected, "{purposes:?}");
        }
    }

    proptest! {
        #[test]
        fn never_panics(bytes in proptest::collection::vec(any::<u8>(), 0..64), at in 0_usize..400, byte: u8) {
            may_sign_servers(&bytes);
            let root = Authority::new("root").unwrap();
            let mut der = CertificateDer::from_pem_slice(root.certificate().as_bytes()).unwrap().to_vec();
            if let Some(changed) = der.get_mut(at) {
                *changed = byte;
            }
            may_sign_servers(&der);
        }
    }
}
