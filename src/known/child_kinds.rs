//! What Kubernetes' own controllers make of an object: when the one is there, the other may appear at any time.

use crate::model::ident::GroupKind;

/// (group, kind, group made, kind made), sorted. Source: pkg/controller of kubernetes/kubernetes, the controllers of
/// the same names.
const CHILD_KINDS: [(&str, &str, &str, &str); 9] = [
    ("", "ReplicationController", "", "Pod"),
    ("", "Service", "discovery.k8s.io", "EndpointSlice"),
    ("apps", "DaemonSet", "", "Pod"),
    ("apps", "Deployment", "apps", "ReplicaSet"),
    ("apps", "ReplicaSet", "", "Pod"),
    ("apps", "StatefulSet", "", "PersistentVolumeClaim"),
    ("apps", "StatefulSet", "", "Pod"),
    ("batch", "CronJob", "batch", "Job"),
    ("batch", "Job", "", "Pod"),
];

/// The kinds that are made of a kind.
pub fn child_kinds(kind: &GroupKind) -> impl Iterator<Item = GroupKind> {
    let lines = CHILD_KINDS.iter().filter(move |line| line.0 == kind.group && line.1 == kind.kind);
    lines.map(|line| GroupKind { group: line.2.to_owned(), kind: line.3.to_owned() })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_is_sorted_and_has_no_doubles() {
        assert!(CHILD_KINDS.is_sorted_by(|a, b| a < b));
    }
}
