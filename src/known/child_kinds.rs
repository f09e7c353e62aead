//! Which kinds the built-in controllers create for an object: where there is one, the other may appear at any time.

use crate::model::ident::GroupKind;

/// (group, kind, group of the child, kind of the child), sorted. Source: the controllers in kubernetes pkg/controller.
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

/// The kinds that controllers create for an object of a kind.
pub fn child_kinds(kind: &GroupKind) -> impl Iterator<Item = GroupKind> {
    let lines = CHILD_KINDS.iter().filter(move |line| line.0 == kind.group && line.1 == kind.kind);
    lines.map(|line| GroupKind { group: line.2.to_owned(), kind: line.3.to_owned() })
}

/// The kinds that controllers create for an object of a kind with an owner reference, at any depth.
pub fn owned_kinds(kind: &GroupKind) -> Vec<GroupKind> {
    let mut found: Vec<GroupKind> = Vec::new();
    let mut open = vec![kind.clone()];
    while let Some(kind) = open.pop() {
        // Claims outlive their StatefulSet, so most have no owner.
        let owned = child_kinds(&kind).filter(|child| child.kind != "PersistentVolumeClaim");
        let new: Vec<GroupKind> = owned.filter(|child| !found.contains(child)).collect();
        open.extend(new.iter().cloned());
        found.extend(new);
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn owned_kinds_are_found_at_any_depth() {
        let names = |group: &str, kind: &str| {
            let kinds = owned_kinds(&GroupKind { group: group.into(), kind: kind.into() });
            kinds.iter().map(ToString::to_string).collect::<Vec<_>>()
        };
        assert_eq!(names("batch", "CronJob"), ["Job.batch", "Pod"]);
        assert_eq!(names("apps", "StatefulSet"), ["Pod"]);
        assert!(names("example.com", "Thing").is_empty());
    }

    #[test]
    fn the_table_is_sorted_and_has_no_duplicates() {
        assert!(CHILD_KINDS.is_sorted_by(|a, b| a < b));
    }
}
