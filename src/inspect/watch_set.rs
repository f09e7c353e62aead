//! What must be watched to keep a report about some objects up to date.

use std::collections::{BTreeSet, HashSet};

use super::graph::Index;
use crate::known::child_kinds::child_kinds;
use crate::known::kinds::is_custom;
use crate::model::ident::GroupKind;
use crate::model::snapshot::Snapshot;

/// Objects and kinds to watch.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct WatchSet {
    /// The objects of the report; their kinds are watched.
    pub members: Vec<Index>,
    /// Kinds that Kubernetes will create below them, but has not created yet.
    pub expected: Vec<GroupKind>,
    /// Members whose controllers may create objects of any kind when they change.
    pub may_create_children: Vec<Index>,
}

/// What a report about `members` depends on.
pub fn watch_set(snapshot: &Snapshot, members: Vec<Index>) -> WatchSet {
    let kinds: BTreeSet<GroupKind> =
        members.iter().map(|index| snapshot.objects[*index].kind.group_kind()).collect();
    let (mut expected, mut open) = (BTreeSet::new(), kinds.iter().cloned().collect::<Vec<_>>());
    while let Some(kind) = open.pop() {
        for child in child_kinds(&kind) {
            if !kinds.contains(&child) && expected.insert(child.clone()) {
                open.push(child);
            }
        }
    }
    let roots: HashSet<&str> = snapshot.roots.iter().map(|uid| uid.0.as_str()).collect();
    let may_create = |index: &Index| {
        let object = &snapshot.objects[*index];
        is_custom(&object.kind) || roots.contains(object.meta.uid.0.as_str())
    };
    let may_create_children = members.iter().copied().filter(may_create).collect();
    WatchSet { members, expected: expected.into_iter().collect(), may_create_children }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::model::ident::{ObjectName, Uid};
    use crate::model::kind::Kind;
    use crate::model::meta::Meta;
    use crate::model::object::Object;

    fn object(group: &str, word: &str) -> Object {
        let kind = Kind {
            group: group.into(),
            version: "v1".into(),
            kind: word.into(),
            plural: word.to_lowercase(),
            ..Kind::default()
        };
        let name = ObjectName {
            api_version: kind.api_version(),
            kind: word.into(),
            namespace: None,
            name: "a".into(),
        };
        let meta = Meta { name, uid: Uid(word.into()), ..Meta::default() };
        Object::metadata(Arc::new(kind), meta)
    }

    #[test]
    fn kinds_that_kubernetes_creates_are_expected_and_custom_resources_and_roots_may_create_children() {
        let snapshot = Snapshot {
            roots: vec![Uid("ConfigMap".into())],
            objects: vec![
                object("", "ConfigMap"),
                object("example.com", "Site"),
                object("apps", "Deployment"),
                object("", "Secret"),
            ],
            ..Snapshot::default()
        };
        let watch_set = watch_set(&snapshot, vec![0, 1, 2]);
        let expected: Vec<String> = watch_set.expected.iter().map(ToString::to_string).collect();
        assert_eq!(expected, ["Pod", "ReplicaSet.apps"]);
        assert_eq!(watch_set.may_create_children, [0, 1]);
    }
}
