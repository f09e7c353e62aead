//! What must be read before the related objects are known.

use super::reference::Reference;
use super::selectors::Subtree;
use super::{NameIndex, pod_references, referenced, same_name, selectors};
use crate::inspect::graph::Index;
use crate::inspect::health;
use crate::known::kinds::is_custom;
use crate::model::fetch_plan::FetchPlan;
use crate::model::ident::{GroupKind, ObjectName, group_of};
use crate::model::object::Detail;
use crate::model::snapshot::Snapshot;

/// So many objects of the same name are read to look for a value.
const MAX_SAME_NAME: usize = 20;

/// The content of objects with the root's name, and objects that the root names and that were not listed.
pub(super) fn of_root(
    root: Index,
    references: &[Reference],
    snapshot: &Snapshot,
    name_index: &NameIndex<'_>,
    plan: &mut FetchPlan,
) {
    let object = &snapshot.objects[root];
    let same = name_index.by_name.get(object.meta.name.name.as_str()).map_or(&[][..], Vec::as_slice);
    let is_candidate = |index: &&Index| same_name::is_candidate(object, &snapshot.objects[**index]);
    let candidates: Vec<Index> = same.iter().filter(is_candidate).take(MAX_SAME_NAME).copied().collect();
    if !candidates.is_empty() {
        // A resource of that name which holds the same value could have made it as well, so that it is read too.
        let rivals = same.iter().copied().filter(|index| is_custom(&snapshot.objects[*index].kind));
        for index in candidates.into_iter().chain(rivals.take(MAX_SAME_NAME)) {
            plan.want(index, Detail::Whole);
        }
    }
    for Reference { to, .. } in references {
        if !was_listed(snapshot, to) && name_index.find(snapshot, to).is_none() {
            look_up(to.clone(), plan);
        }
    }
}

/// The Pods of a tree, whole, and what they name.
pub(super) fn of_pods(subtree: &Subtree<'_>, name_index: &NameIndex<'_>, plan: &mut FetchPlan) {
    for index in selectors::pods(subtree) {
        let Some(body) = subtree.snapshot.objects[index].whole() else {
            plan.want(index, Detail::Whole);
            continue;
        };
        for reference in pod_references::pod_references(body) {
            let name = referenced(subtree.snapshot, index, &reference);
            if name_index.find(subtree.snapshot, &name).is_none() {
                look_up(name, plan);
            }
        }
    }
}

/// An object is looked up with its body only if there is something in it to judge.
fn look_up(name: ObjectName, plan: &mut FetchPlan) {
    let is_judged = health::needs_body(&GroupKind::of(&name.api_version, &name.kind));
    plan.look_up(name, if is_judged { Detail::Pruned } else { Detail::Metadata });
}

/// Whether an object would be in the snapshot if it existed.
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
