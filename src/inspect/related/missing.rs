//! What must be read to know the related objects.

use super::reference::{MAX_REFERENCES, Reference};
use super::selectors::Subtree;
use super::{Indexes, NameIndex, pod_references, reference_of_pod, same_name, selectors};
use crate::inspect::graph::{EdgeKind, Index, OwnerIndex};
use crate::inspect::health;
use crate::known::child_kinds::owned_kinds;
use crate::known::kinds::is_custom;
use crate::model::fetch_plan::{FetchPlan, NamespaceList};
use crate::model::ident::{GroupKind, ObjectName, group_of};
use crate::model::object::Detail;
use crate::model::snapshot::Snapshot;

/// The maximum number of objects with the same name that are read to compare values.
const MAX_SAME_NAME: usize = 20;

/// The maximum number of objects that are read by name because they were not listed, for all roots together.
const MAX_LOOKUPS: usize = 200;
/// The maximum number of lists in other namespaces.
const MAX_LISTS: usize = 30;

/// Counts references to objects that were not listed, whether they were read already or not, so that no inspection of
/// the same objects follows more of them than the one before.
#[derive(Debug, Default)]
pub(super) struct Lookups(usize);

/// There are more references than are followed.
pub(super) struct TooMany;

/// Asks for the bodies of objects with the root's name.
pub(super) fn of_root(root: Index, indexes: &Indexes<'_>, plan: &mut FetchPlan) {
    let snapshot = indexes.snapshot;
    let object = &snapshot.objects[root];
    let same = indexes.names.same_name(&object.meta.name);
    let is_candidate = |index: &&Index| same_name::is_candidate(object, &snapshot.objects[**index]);
    let candidates: Vec<Index> = same.iter().filter(is_candidate).take(MAX_SAME_NAME).copied().collect();
    if !candidates.is_empty() {
        // Other resources with the name are read too: one with the same value could have created it as well.
        let rivals = same.iter().copied().filter(|index| is_custom(&snapshot.objects[*index].kind));
        for index in candidates.into_iter().chain(rivals.take(MAX_SAME_NAME)) {
            plan.want(index, Detail::Whole);
        }
    }
}

/// Asks for objects that were not listed and that a resource refers to.
pub(super) fn of_references(
    references: &[Reference],
    indexes: &Indexes<'_>,
    lookups: &mut Lookups,
    plan: &mut FetchPlan,
) -> Result<(), TooMany> {
    let snapshot = indexes.snapshot;
    for Reference { to, .. } in references {
        if was_listed(snapshot, to) {
            continue;
        }
        lookups.0 += 1;
        if lookups.0 > MAX_LOOKUPS {
            return Err(TooMany);
        }
        if indexes.names.find(snapshot, to).is_none() {
            look_up(to.clone(), plan);
        }
    }
    if references.len() < MAX_REFERENCES { Ok(()) } else { Err(TooMany) }
}

/// Asks for what the controllers of Kubernetes have created for members of a tree in other namespaces than the one that
/// was listed.
pub(super) fn in_other_namespaces(subtree: &Subtree<'_>, owner_index: &OwnerIndex, plan: &mut FetchPlan) {
    let snapshot = subtree.snapshot;
    let Some(listed) = snapshot.coverage.scope.namespace() else { return };
    for (index, parent) in subtree.parents {
        let object = &snapshot.objects[*index];
        let Some(namespace) = object.meta.name.namespace.as_deref().filter(|own| *own != listed) else {
            continue;
        };
        let mut edges = owner_index.children(*parent).iter();
        if !edges.any(|edge| edge.to == *index && edge.kind != EdgeKind::Named) {
            continue;
        }
        for kind in owned_kinds(&object.kind.group_kind()) {
            plan.lists.insert(NamespaceList { kind, namespace: namespace.to_owned() });
        }
    }
}

/// Drops lists above the limit.
pub(super) fn limit_lists(plan: &mut FetchPlan) -> Result<(), TooMany> {
    let is_within_limit = plan.lists.len() <= MAX_LISTS;
    while plan.lists.len() > MAX_LISTS {
        plan.lists.pop_last();
    }
    if is_within_limit { Ok(()) } else { Err(TooMany) }
}

/// Asks for the Pods of a tree as a whole, and for what they refer to.
pub(super) fn of_pods(subtree: &Subtree<'_>, name_index: &NameIndex<'_>, plan: &mut FetchPlan) {
    for index in selectors::pods(subtree) {
        let Some(body) = subtree.snapshot.objects[index].whole() else {
            plan.want(index, Detail::Whole);
            continue;
        };
        for reference in pod_references::pod_references(body) {
            let name = reference_of_pod(subtree.snapshot, index, &reference);
            if name_index.find(subtree.snapshot, &name).is_none() {
                look_up(name, plan);
            }
        }
    }
}

/// Asks for an object; its body is read only if its kind has health rules.
fn look_up(name: ObjectName, plan: &mut FetchPlan) {
    let has_health = health::needs_body(&GroupKind::of(&name.api_version, &name.kind));
    plan.look_up(name, if has_health { Detail::Pruned } else { Detail::Metadata });
}

/// Whether the kind and namespace of an object were listed.
fn was_listed(snapshot: &Snapshot, name: &ObjectName) -> bool {
    let group = group_of(&name.api_version);
    let is_listed = snapshot
        .kinds
        .iter()
        .find(|known| known.group == group && known.kind == name.kind)
        .is_some_and(|known| snapshot.counts.contains_key(&known.full_name()));
    let scope = snapshot.coverage.scope.namespace();
    is_listed && scope.is_none_or(|namespace| name.namespace.as_deref() == Some(namespace))
}
