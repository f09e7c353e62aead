//! The edges from a resource to objects that it does not own, by the strongest evidence for each.

use std::collections::{BTreeMap, HashMap, HashSet};

use super::labels::{LabelMatch, Specificity};
use super::reference::{Reference, ReferenceLevel, Section};
use super::{
    Indexes, InferredEdge, NameIndex, ObjectGraph, Strength, label_guess, labels, reference, same_name,
};
use crate::inspect::graph::Index;
use crate::known::kinds::is_custom;
use crate::known::references::is_definition;
use crate::model::ident::ObjectName;
use crate::model::object::Object;
use crate::model::snapshot::Snapshot;

/// The edges from a root.
pub(super) fn of_root(
    root: Index,
    references: &[Reference],
    indexes: &Indexes<'_>,
    graph: &ObjectGraph<'_>,
) -> Vec<InferredEdge> {
    let snapshot = indexes.snapshot;
    let object = &snapshot.objects[root];
    let (below, above) = (graph.owner_index.reachable(root), ancestors(root, snapshot, graph));
    let is_unrelated = |index: Index| index != root && !below.contains_key(&index) && !above.contains(&index);
    let mut inferred: BTreeMap<Index, InferredEdge> = BTreeMap::new();
    let mut add = |edge: InferredEdge| {
        let to = edge.to;
        match inferred.get_mut(&to) {
            Some(known) if known.strength <= edge.strength => known.evidence.extend(edge.evidence),
            _ => drop(inferred.insert(to, edge)),
        }
    };
    for to in indexes.names.candidates(object, snapshot).into_iter().filter(|to| is_unrelated(*to)) {
        if let Some((strength, evidence)) = infer(root, to, indexes, &below) {
            add(InferredEdge { from: root, to, evidence, strength });
        }
    }
    let by_reference = referenced(root, references, indexes).into_iter();
    let attached = indexes.attached.edges(root, snapshot);
    by_reference.chain(attached).filter(|edge| is_unrelated(edge.to)).for_each(&mut add);
    let mut edges: Vec<InferredEdge> = inferred.into_values().collect();
    if is_definition(&object.kind) {
        // Its instances are related to it, but it has not failed because one of them has.
        for edge in &mut edges {
            edge.strength = Strength::Named;
        }
    }
    edges
}

/// The edges from an object to those that it refers to.
pub(super) fn referenced(from: Index, references: &[Reference], indexes: &Indexes<'_>) -> Vec<InferredEdge> {
    let objects = &indexes.snapshot.objects;
    let above: HashSet<&ObjectName> = references
        .iter()
        .filter(|found| found.level == ReferenceLevel::Above)
        .map(|found| &found.to)
        .collect();
    let edge = |found: &Reference| {
        let to = indexes.names.find(indexes.snapshot, &found.to)?;
        let mut evidence = vec![format!("{} of the {} refers to it", found.path, objects[from].kind.kind)];
        let back = reference::back_reference(&objects[to], &objects[from].meta.name);
        let strength = match (found.section, back) {
            _ if above.contains(&found.to) => Strength::Named,
            (_, Some(field)) => {
                evidence.push(format!("{field} refers back"));
                Strength::Declared
            }
            (Section::Status, None) => Strength::Referred,
            (Section::Spec, None) => Strength::Named,
        };
        Some(InferredEdge { from, to, evidence, strength })
    };
    references.iter().filter_map(edge).collect()
}

/// The strongest evidence that an object belongs to a root that does not own it.
fn infer(
    root: Index,
    to: Index,
    indexes: &Indexes<'_>,
    below: &HashMap<Index, Index>,
) -> Option<(Strength, Vec<String>)> {
    let Indexes { snapshot, names, .. } = indexes;
    let objects = &snapshot.objects;
    let (root_object, object) = (&objects[root], &objects[to]);
    let found = labels::label_match(root_object, &object.meta, &snapshot.kinds);
    if let Some(LabelMatch::Uid(key)) = &found {
        return Some((Strength::Uid, vec![format!("{key} = uid of the {}", root_object.kind.kind)]));
    }
    // An object with another owner belongs to that owner, whatever its labels say.
    let owned_elsewhere = object
        .meta
        .owners
        .iter()
        .any(|owner| !below.keys().chain([&root]).any(|index| objects[*index].meta.uid == owner.uid));
    if owned_elsewhere {
        return None;
    }
    match found {
        Some(LabelMatch::Own { evidence, specificity }) => {
            let clear = specificity == Specificity::KindAndName || !has_rival(root_object, snapshot, names);
            clear.then(|| (Strength::Declared, vec![evidence]))
        }
        Some(LabelMatch::Common(evidence)) => Some((Strength::Guessed, vec![evidence])),
        None => label_guess::evidence(root, to, snapshot, names, |index| below.contains_key(&index))
            .or_else(|| same_name_evidence(root, to, indexes))
            .map(|evidence| (Strength::Guessed, evidence)),
        Some(LabelMatch::Uid(_)) => None,
    }
}

/// The evidence for an object with the same name, unless another resource could have created it as well.
fn same_name_evidence(root: Index, to: Index, indexes: &Indexes<'_>) -> Option<Vec<String>> {
    let objects = &indexes.snapshot.objects;
    let (root_object, object) = (&objects[root], &objects[to]);
    if !same_name::is_candidate(root_object, object) {
        return None;
    }
    let evidence = same_name::evidence(root_object, object)?;
    let is_rival = |index: &Index| {
        let other = &objects[*index];
        *index != root && is_custom(&other.kind) && same_name::shared_value(other, object).is_some()
    };
    (!indexes.names.same_name(&object.meta.name).iter().any(is_rival)).then_some(evidence)
}

/// Whether a resource of another kind in the same domain has the same name: a label with the name could mean either.
fn has_rival(root: &Object, snapshot: &Snapshot, name_index: &NameIndex<'_>) -> bool {
    let mut same = name_index.same_name(&root.meta.name).iter().map(|index| &snapshot.objects[*index]);
    same.any(|other| {
        other.kind.group_kind() != root.kind.group_kind()
            && labels::shares_domain(&other.kind.group, &root.kind.group)
    })
}

/// All direct and indirect owners of an object.
fn ancestors(of: Index, snapshot: &Snapshot, graph: &ObjectGraph<'_>) -> HashSet<Index> {
    let mut found = HashSet::new();
    let mut open = vec![of];
    while let Some(index) = open.pop() {
        for owner in &snapshot.objects[index].meta.owners {
            if let Some(owner) = graph.by_uid.get(owner.uid.0.as_str())
                && found.insert(*owner)
            {
                open.push(*owner);
            }
        }
    }
    found
}
