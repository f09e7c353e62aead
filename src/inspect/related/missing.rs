//! What must be read to know the related objects.

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

/// The maximum number of objects with the same name that are read to compare values.
const MAX_SAME_NAME: usize = 20;

/// Asks for the bodies of objects with the root's name, and for objects that the root refers to and that were not
/// listed.
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
        // Other resources with the name are read too: one with the same value could have created it as well.
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

/// Asks for the Pods of a tree as a whole, and for what they refer to.
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
