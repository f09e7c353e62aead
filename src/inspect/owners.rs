//! Findings about broken owner references: the garbage collector may delete objects because of them.

use std::collections::BTreeSet;

use super::graph::{Index, Occurrence, Traversal};
use super::related::ObjectGraph;
use crate::known::codes;
use crate::model::code::Code;
use crate::model::health::Finding;
use crate::model::ident::{GroupKind, ObjectName};
use crate::model::kind::KindScope;
use crate::model::meta::{Meta, Owner};
use crate::model::snapshot::Snapshot;

/// Owners of objects in the tree whose uid is not in the snapshot; each is looked up.
pub(super) fn unknown_owners(
    snapshot: &Snapshot,
    graph: &ObjectGraph<'_>,
    traversal: &Traversal,
) -> Vec<ObjectName> {
    let metas = traversal.primary().map(|position| &snapshot.objects[position.object].meta);
    let owners = metas.flat_map(|meta| meta.owners.iter().map(move |owner| (meta, owner)));
    let unknown_owners: BTreeSet<ObjectName> = owners
        .filter(|(_, owner)| !graph.by_uid.contains_key(owner.uid.0.as_str()))
        .filter_map(|(meta, owner)| Some(owner_name(meta, owner, scope_of(snapshot, owner)?)))
        .collect();
    unknown_owners.into_iter().collect()
}

/// The owner of a reference whose uid is not in the snapshot; `None` if its kind is not served.
pub(super) fn unknown_owner(
    snapshot: &Snapshot,
    graph: &ObjectGraph<'_>,
    meta: &Meta,
    owner: &Owner,
) -> Option<ObjectName> {
    if graph.by_uid.contains_key(owner.uid.0.as_str()) {
        None
    } else {
        Some(owner_name(meta, owner, scope_of(snapshot, owner)?))
    }
}

/// The findings about the owner references of the objects in the tree, each with its object.
pub(super) fn findings(
    snapshot: &Snapshot,
    graph: &ObjectGraph<'_>,
    traversal: &Traversal,
) -> Vec<(Index, Finding)> {
    let mut found = Vec::new();
    for position in &traversal.positions {
        let meta = &snapshot.objects[position.object].meta;
        match position.occurrence {
            Occurrence::Primary => {
                let broken = meta.owners.iter().filter_map(|owner| check(snapshot, graph, meta, owner));
                found.extend(broken.map(|finding| (position.object, finding)));
            }
            Occurrence::Cycle => found.push((position.object, cycle(meta))),
            Occurrence::Repeated => {}
        }
    }
    found
}

fn check(snapshot: &Snapshot, graph: &ObjectGraph<'_>, meta: &Meta, owner: &Owner) -> Option<Finding> {
    let owner_text = format!("{}/{}", owner.kind, owner.name);
    let Some(real) = graph.by_uid.get(owner.uid.0.as_str()) else { return missing(snapshot, meta, owner) };
    let real = &snapshot.objects[*real].meta;
    let same_kind = GroupKind::of(&owner.api_version, &owner.kind)
        == GroupKind::of(&real.name.api_version, &real.name.kind);
    if !same_kind || owner.name != real.name.name {
        let message = format!("its owner reference names {owner_text}, but the uid belongs to {}", real.name);
        return Some(finding(Code::OwnerMismatch, meta, message));
    }
    if real.name.namespace.is_some() && real.name.namespace != meta.name.namespace {
        let namespace = real.name.namespace.as_deref().unwrap_or_default();
        let message = format!(
            "its owner {owner_text} is in namespace {namespace}: the garbage collector will delete it"
        );
        return Some(finding(Code::OwnerInOtherNamespace, meta, message));
    }
    None
}

/// The finding for an owner whose uid is not in the snapshot.
fn missing(snapshot: &Snapshot, meta: &Meta, owner: &Owner) -> Option<Finding> {
    let owner_text = format!("{}/{}", owner.kind, owner.name);
    let Some(scope) = scope_of(snapshot, owner) else {
        let message =
            format!("its owner {owner_text} is of a kind that is not served ({})", owner.api_version);
        return Some(finding(Code::OwnerKindNotServed, meta, message));
    };
    let name = owner_name(meta, owner, scope);
    let same_name = snapshot.objects.iter().find(|object| {
        let known = &object.meta.name;
        known.name == name.name
            && known.namespace == name.namespace
            && GroupKind::of(&known.api_version, &known.kind) == GroupKind::of(&name.api_version, &name.kind)
    });
    if same_name.is_some() {
        let message =
            format!("its owner {owner_text} was deleted and recreated: the garbage collector will delete it");
        return Some(finding(Code::OwnerRecreated, meta, message));
    }
    snapshot.absent.contains(&name).then(|| {
        let message = format!("its owner {owner_text} does not exist: the garbage collector will delete it");
        finding(Code::OwnerNotFound, meta, message)
    })
}

fn cycle(meta: &Meta) -> Finding {
    let message =
        "it is its own owner through a cycle of owner references: a foreground deletion never finishes"
            .to_owned();
    finding(Code::OwnerCycle, meta, message)
}

fn finding(code: Code, meta: &Meta, message: String) -> Finding {
    let severity = codes::entry(code).severity;
    Finding { code, severity, object: meta.name.clone(), message, hint: None }
}

/// The scope of the owner's kind; `None` if the kind is not served.
fn scope_of(snapshot: &Snapshot, owner: &Owner) -> Option<KindScope> {
    let wanted = GroupKind::of(&owner.api_version, &owner.kind);
    snapshot.kinds.iter().find(|kind| kind.group_kind() == wanted).map(|kind| kind.scope)
}

fn owner_name(meta: &Meta, owner: &Owner, scope: KindScope) -> ObjectName {
    ObjectName {
        api_version: owner.api_version.clone(),
        kind: owner.kind.clone(),
        namespace: meta.name.namespace.clone().filter(|_| scope == KindScope::Namespaced),
        name: owner.name.clone(),
    }
}
