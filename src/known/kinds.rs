//! How kinds are read: which are custom, which are listed whole, which are never listed, and which have moved to another
//! group.

use crate::model::ident::GroupKind;
use crate::model::kind::Kind;

/// Kinds that are never listed to find children, as (group, plural), sorted: their objects own nothing, are of no
/// interest as children, or are not stored. `*` is every resource of the group.
const NEVER_LISTED: [(&str, &str); 14] = [
    ("", "bindings"),
    ("", "componentstatuses"),
    ("", "endpoints"),
    ("", "events"),
    ("authentication.k8s.io", "*"),
    ("authorization.k8s.io", "*"),
    ("coordination.k8s.io", "leases"),
    ("custom.metrics.k8s.io", "*"),
    ("events.k8s.io", "*"),
    ("external.metrics.k8s.io", "*"),
    ("flowcontrol.apiserver.k8s.io", "*"),
    ("metrics.k8s.io", "*"),
    ("packages.operators.coreos.com", "*"),
    ("subresources.kubevirt.io", "*"),
];

/// Kinds of Kubernetes that refer to other objects in their spec, as (group, plural), sorted. They are listed with their
/// bodies, which avoids further reads.
const LISTED_WHOLE: [(&str, &str); 4] = [
    ("", "services"),
    ("autoscaling", "horizontalpodautoscalers"),
    ("networking.k8s.io", "ingresses"),
    ("policy", "poddisruptionbudgets"),
];

/// The group that Kubernetes emptied: its kinds moved to the groups of `MOVED` by version 1.22.
pub const EXTENSIONS: &str = "extensions";

/// Kinds that moved out of the group `extensions`, as (kind, group), sorted. Source: the deprecated API migration guide of
/// Kubernetes, versions 1.16 and 1.22.
const MOVED: [(&str, &str); 5] = [
    ("DaemonSet", "apps"),
    ("Deployment", "apps"),
    ("Ingress", "networking.k8s.io"),
    ("NetworkPolicy", "networking.k8s.io"),
    ("ReplicaSet", "apps"),
];

/// The group in which Kubernetes serves a kind today, if it has moved out of `group`.
pub fn moved_to(group: &str, kind: &str) -> Option<&'static str> {
    let found = MOVED.binary_search_by_key(&kind, |line| line.0).ok().filter(|_| group == EXTENSIONS);
    found.map(|at| MOVED[at].1)
}

/// The kind in the group in which Kubernetes serves it today.
pub fn current(of: GroupKind) -> GroupKind {
    match moved_to(&of.group, &of.kind) {
        Some(group) => GroupKind { group: group.to_owned(), kind: of.kind },
        None => of,
    }
}

/// Whether objects of a kind can be part of a tree.
pub fn is_worth_listing(kind: &Kind) -> bool {
    let matches =
        |(group, plural): &(&str, &str)| kind.group == *group && (*plural == "*" || kind.plural == *plural);
    kind.is_listable() && !NEVER_LISTED.iter().any(matches)
}

/// Whether objects of a kind are listed whole, not as metadata.
pub fn is_listed_whole(kind: &Kind) -> bool {
    LISTED_WHOLE.binary_search(&(kind.group.as_str(), kind.plural.as_str())).is_ok()
}

/// Whether a kind is custom: its group is a domain, and not one of Kubernetes itself.
pub fn is_custom(kind: &Kind) -> bool {
    kind.group.contains('.') && !kind.group.ends_with(".k8s.io")
        || kind.group.ends_with(".x-k8s.io")
        || kind.group == "gateway.networking.k8s.io"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_tables_are_sorted_and_have_no_duplicates() {
        assert!(NEVER_LISTED.is_sorted_by(|a, b| a < b));
        assert!(LISTED_WHOLE.is_sorted_by(|a, b| a < b));
        assert!(MOVED.is_sorted_by(|a, b| a.0 < b.0));
    }
}
