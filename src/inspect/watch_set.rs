//! What must be watched so that an answer about some objects stays true.

use std::collections::{BTreeSet, HashSet};

use super::graph::Index;
use crate::known::child_kinds::child_kinds;
use crate::known::kinds::is_custom;
use crate::model::ident::GroupKind;
use crate::model::snapshot::Snapshot;

/// Objects and kinds to keep an eye on.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct WatchSet {
    /// The objects that the answer is about; their kinds are watched.
    pub members: Vec<Index>,
    /// Kinds that Kubernetes will make below them, though nothing of them is there yet.
    pub expected: Vec<GroupKind>,
    /// Members whose change may bring anything: whoever looks after them makes objects of kinds that nobody knows.
    pub may_create_children: Vec<Index>,
}

/// What an answer about `members` depends on.
pub fn watch_set(snapshot: &Snapshot, members: Vec<Index>) -> WatchSet {
    let kinds: BTreeSet<GroupKind> =
        members.iter().map(|index| snapshot.objects[*index].kind.group_kind()).collect();
    let (mut expected, mut open) = (BTreeSet::new(), kinds.iter().cloned().collect::<Vec<_>>());
    while let Some(kind) = open.pop() {
        for made in child_kinds(&kind) {
            if !kinds.contains(&made) && expected.insert(made.clone()) {
                open.push(made);
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
    fn what_kubernetes_will_make_is_expected_and_custom_resources_and_roots_sprout() {
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
