//! Which objects may belong to a root without an owner reference.

use std::collections::HashSet;

use super::ident::GroupKind;
use super::kind::Kind;

/// Longer values are not names.
const MAX_VALUE_LENGTH: usize = 512;

/// Matches objects by labels with the name or uid of a root, and objects that a root refers to. A match is only a
/// candidate: `inspect` decides.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CandidateFilter {
    pub uids: HashSet<String>,
    pub names: HashSet<String>,
    /// Objects that the roots refer to, by kind and name.
    pub named: HashSet<(GroupKind, String)>,
    pub keep_labels: KeepLabels,
}

/// Whose labels and annotations are kept.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum KeepLabels {
    #[default]
    Candidates,
    /// Those of every kept object, to filter by.
    All,
}

impl CandidateFilter {
    /// Whether an object may be in the tree of a root; `values` are those of its labels and annotations.
    pub fn matches<'a>(&self, kind: &Kind, name: &str, mut values: impl Iterator<Item = &'a str>) -> bool {
        if self.names.is_empty() && self.uids.is_empty() {
            return false;
        }
        self.names.contains(name)
            || is_always_candidate(kind)
            || (!self.named.is_empty() && self.named.contains(&(kind.group_kind(), name.to_owned())))
            || values.any(|value| self.names_root(value))
    }

    /// Whether the value of a label or annotation contains a root's uid or name: alone, as `NAMESPACE/NAME`, or as
    /// `NAME:...`.
    fn names_root(&self, value: &str) -> bool {
        if value.is_empty() || value.len() > MAX_VALUE_LENGTH {
            return false;
        }
        let last = value.rsplit('/').next().unwrap_or_default();
        let first = value.split(':').next().unwrap_or_default();
        self.uids.contains(value)
            || self.names.contains(value)
            || self.names.contains(last)
            || self.names.contains(first)
    }
}

/// Whether all objects of a kind are candidates: `EndpointSlice`s may refer to their Service by a label only, and claims
/// to their `StatefulSet` by their name.
fn is_always_candidate(kind: &Kind) -> bool {
    matches!(
        (kind.group.as_str(), kind.kind.as_str()),
        ("discovery.k8s.io", "EndpointSlice") | ("", "PersistentVolumeClaim")
    )
}
