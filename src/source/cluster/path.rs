//! URL paths of objects.

use std::fmt::Write as _;

use crate::model::kind::{Kind, KindScope};

/// The path of a list of a kind, in one namespace or in all.
pub(super) fn list(kind: &Kind, namespace: Option<&str>) -> String {
    let root = if kind.group.is_empty() { "/api".to_owned() } else { format!("/apis/{}", kind.group) };
    match namespace.filter(|_| kind.scope == KindScope::Namespaced) {
        Some(namespace) => {
            format!("{root}/{}/namespaces/{}/{}", kind.version, segment(namespace), kind.plural)
        }
        None => format!("{root}/{}/{}", kind.version, kind.plural),
    }
}

/// The path of one object.
pub(super) fn object(kind: &Kind, namespace: Option<&str>, name: &str) -> String {
    format!("{}/{}", list(kind, namespace), segment(name))
}

/// Percent-encodes a path segment: the names of some kinds, such as roles, can contain almost any character.
pub(super) fn segment(name: &str) -> String {
    name.bytes().fold(String::new(), |mut path, byte| {
        if byte.is_ascii_alphanumeric() || b"-._~:@".contains(&byte) {
            path.push(char::from(byte));
        } else {
            // Writing to a String does not fail.
            let _ = write!(path, "%{byte:02X}");
        }
        path
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_stays_one_segment_whatever_it_contains() {
        assert_eq!(segment("system:node-proxier"), "system:node-proxier");
        assert_eq!(segment("a/b?c d\u{fc}"), "a%2Fb%3Fc%20d%C3%BC");
    }
}
