//! A kind that the server serves.

use serde::Serialize;

use super::ident::GroupKind;

/// Whether objects of a kind are in a namespace.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub enum KindScope {
    #[default]
    Namespaced,
    Cluster,
}

/// Whether a kind has the `status` subresource, by which controllers write the status of its objects.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub enum StatusSubresource {
    /// In at least one of its served versions.
    Present,
    Absent,
    #[default]
    Unknown,
}

impl StatusSubresource {
    /// From a place that would list it.
    pub const fn listed(is_listed: bool) -> Self {
        if is_listed { Self::Present } else { Self::Absent }
    }

    /// What is known of a kind from two of its versions, or from two places.
    #[must_use]
    pub const fn or(self, other: Self) -> Self {
        match (self, other) {
            (Self::Present, _) | (_, Self::Present) => Self::Present,
            (Self::Absent, _) | (_, Self::Absent) => Self::Absent,
            (Self::Unknown, Self::Unknown) => Self::Unknown,
        }
    }
}

/// A resource type of an API group, in the server's preferred version.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Kind {
    /// Empty for the core group.
    pub group: String,
    pub version: String,
    pub kind: String,
    pub plural: String,
    pub singular: String,
    pub short_names: Vec<String>,
    pub categories: Vec<String>,
    pub scope: KindScope,
    pub verbs: Vec<String>,
    /// Every served version, the preferred first.
    pub versions: Vec<String>,
    pub status_subresource: StatusSubresource,
}

impl Kind {
    /// `apps/v1`, or `v1` in the core group.
    pub fn api_version(&self) -> String {
        if self.group.is_empty() { self.version.clone() } else { format!("{}/{}", self.group, self.version) }
    }

    /// `deployments.apps`, or `pods` in the core group: the name that is unique in a cluster.
    pub fn full_name(&self) -> String {
        if self.group.is_empty() { self.plural.clone() } else { format!("{}.{}", self.plural, self.group) }
    }

    /// The kind without its version.
    pub fn group_kind(&self) -> GroupKind {
        GroupKind { group: self.group.clone(), kind: self.kind.clone() }
    }

    /// Whether both are the same resource type of the same group, in any version.
    pub fn is_same_resource(&self, other: &Self) -> bool {
        self.plural == other.plural && self.group == other.group
    }

    /// Whether its objects can be listed.
    pub fn is_listable(&self) -> bool {
        self.verbs.iter().any(|verb| verb == "list")
    }

    /// The same kind in another of its served versions.
    #[must_use]
    pub fn in_version(&self, version: &str) -> Self {
        Self { version: version.to_owned(), ..self.clone() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_subresource_in_one_version_is_enough() {
        use StatusSubresource::{Absent, Present, Unknown};
        for (one, other, both) in [
            (Absent, Present, Present),
            (Present, Unknown, Present),
            (Absent, Unknown, Absent),
            (Absent, Absent, Absent),
            (Unknown, Unknown, Unknown),
        ] {
            assert_eq!((one.or(other), other.or(one)), (both, both));
        }
    }
}
