//! Kubernetes' version priority: stable before beta before alpha, newer before older, and names of any other form last,
//! alphabetically.

use std::cmp::{Ordering, Reverse};

/// Compares two versions; the preferred one is less.
pub(super) fn by_priority(a: &str, b: &str) -> Ordering {
    match (parse_parts(a), parse_parts(b)) {
        (Some(a), Some(b)) => Reverse(a).cmp(&Reverse(b)),
        (Some(_), None) => Ordering::Less,
        (None, Some(_)) => Ordering::Greater,
        (None, None) => a.cmp(b),
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Stability {
    Alpha,
    Beta,
    Stable,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct VersionParts {
    stability: Stability,
    major: u64,
    minor: u64,
}

/// Parses `v1`, `v2beta3` and the like.
fn parse_parts(version: &str) -> Option<VersionParts> {
    let rest = version.strip_prefix('v')?;
    let digits = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
    let (major, rest) = rest.split_at(digits);
    let (stability, minor) = match rest.strip_prefix("alpha") {
        Some(minor) => (Stability::Alpha, minor),
        None => match rest.strip_prefix("beta") {
            Some(minor) => (Stability::Beta, minor),
            None if rest.is_empty() => (Stability::Stable, "0"),
            None => return None,
        },
    };
    let minor_is_number = minor.bytes().all(|byte| byte.is_ascii_digit());
    let minor = if minor_is_number { minor.parse().ok()? } else { return None };
    Some(VersionParts { stability, major: major.parse().ok()?, minor })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_preferred_as_kubernetes_does() {
        let expected = [
            "v10",
            "v2",
            "v1",
            "v11beta2",
            "v10beta3",
            "v3beta1",
            "v12alpha1",
            "v11alpha2",
            "foo1",
            "foo10",
            "v1x",
        ];
        let mut versions = expected;
        versions.reverse();
        versions.sort_by(|a, b| by_priority(a, b));
        assert_eq!(versions, expected);
    }
}
