//! Children without an owner reference, each with the evidence for it. The strongest first: the uid of the resource in a
//! label, a reference from the resource, its name in a label of its own domain, the same name and a common value, common
//! labels; and the selectors and targets of Kubernetes itself.
//!
//! | to find                                           | look in             |
//! |---------------------------------------------------|---------------------|
//! | references in spec and status                     | `reference.rs`      |
//! | labels and annotations                            | `labels.rs`         |
//! | the same name and a value of the resource         | `same_name.rs`      |
//! | Services, autoscalers, disruption budgets, claims | `selectors.rs`      |
//! | those that may refer to a given tree              | `selector_index.rs` |
//! | what a Pod refers to                              | `pod_references.rs` |
//! | words in the keys of labels and fields            | `words.rs`          |
//! | what must be read to know all this                | `missing.rs`        |

mod labels;
mod missing;
pub mod pod_references;
pub(super) mod reference;
mod same_name;
mod selector_index;
mod selectors;
#[cfg(test)]
mod tests;
mod words;

use std::collections::{BTreeMap, HashMap, HashSet};
use std::sync::Arc;

use labels::{LabelMatch, Specificity};
use reference::{Reference, Section};
use selector_index::SelectorIndex;
use selectors::Subtree;

use crate::inspect::graph::{Edge, EdgeKind, Index, OwnerIndex};
use crate::inspect::parallel;
use crate::known::kinds::is_custom;
use crate::model::candidate::CandidateFilter;
use crate::model::fetch_plan::FetchPlan;
use crate::model::ident::{GroupKind, ObjectName};
use crate::model::kind::Kind;
use crate::model::object::Object;
use crate::model::snapshot::Snapshot;

/// Related objects can have related objects; this many steps are followed.
const MAX_STEPS: usize = 4;

/// Which relations are followed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Relations {
    /// Owner references only.
    Owned,
    #[default]
    Related,
    /// Also the objects that Pods refer to: configuration, claims, service accounts.
    Deep,
}

/// An edge that is not an owner reference.
#[derive(Clone, Debug, PartialEq, Eq)]
struct InferredEdge {
    from: Index,
    to: Index,
    evidence: Vec<String>,
    strength: Strength,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Strength {
    Uid,
    Declared,
    Named,
    Guessed,
}

/// Which object belongs to which, and why. Built once per inspection of a snapshot.
#[derive(Debug, Default)]
pub struct ObjectGraph<'a> {
    pub owner_index: OwnerIndex,
    /// The index of each object by uid.
    pub by_uid: HashMap<&'a str, Index>,
    /// What must be read to complete the graph.
    pub missing: FetchPlan,
    /// The evidence for each edge that is not an owner reference.
    evidence: HashMap<(Index, Index), Vec<String>>,
}

#[cfg(test)]
thread_local! {
    /// How many graphs this thread has built.
    pub(crate) static BUILT: std::cell::Cell<usize> = const { std::cell::Cell::new(0) };
}

/// Which objects may belong to these roots, as a filter for lists.
pub fn candidates(roots: &[Object], kinds: &[Arc<Kind>]) -> CandidateFilter {
    let mut filter = CandidateFilter::default();
    let references = parallel::map(roots.iter().collect(), |root| reference::references(root, kinds));
    for (root, references) in roots.iter().zip(references) {
        filter.uids.insert(root.meta.uid.0.clone());
        filter.names.insert(root.meta.name.name.clone());
        let named = references.into_iter();
        filter
            .named
            .extend(named.map(|found| (GroupKind::of(&found.to.api_version, &found.to.kind), found.to.name)));
    }
    filter.uids.remove("");
    filter
}

/// Matches no candidates, for reports by owner references only.
pub fn no_candidates(_: &[Object], _: &[Arc<Kind>]) -> CandidateFilter {
    CandidateFilter::default()
}

impl<'a> ObjectGraph<'a> {
    /// Builds the graph around some roots.
    pub fn build(snapshot: &'a Snapshot, roots: &[Index], relations: Relations) -> Self {
        #[cfg(test)]
        BUILT.set(BUILT.get() + 1);
        let by_uid =
            snapshot.objects.iter().enumerate().map(|(index, object)| (object.meta.uid.0.as_str(), index));
        let by_uid: HashMap<&str, Index> = by_uid.collect();
        let owner_index = OwnerIndex::of(&snapshot.objects, &by_uid);
        let mut graph = Self { owner_index, by_uid, ..Self::default() };
        if relations == Relations::Owned {
            return graph;
        }
        let name_index = NameIndex::of(snapshot);
        let selector_index = SelectorIndex::of(snapshot);
        let references = parallel::map(roots.to_vec(), |root| {
            reference::references(&snapshot.objects[root], &snapshot.kinds)
        });
        for (root, references) in roots.iter().zip(references) {
            missing::of_root(*root, &references, snapshot, &name_index, &mut graph.missing);
            let edges = of_root(*root, &references, snapshot, &name_index, &graph);
            graph.add(edges, snapshot);
            graph.follow(*root, snapshot, &selector_index, &name_index, relations);
        }
        graph
    }

    /// Adds the objects related to those below a root, step by step.
    fn follow(
        &mut self,
        root: Index,
        snapshot: &Snapshot,
        selector_index: &SelectorIndex<'_>,
        name_index: &NameIndex<'_>,
        relations: Relations,
    ) {
        for step in 0..=MAX_STEPS {
            let parents = self.owner_index.reachable(root);
            let subtree = Subtree { snapshot, root, parents: &parents };
            if relations == Relations::Deep {
                missing::of_pods(&subtree, name_index, &mut self.missing);
            }
            if step == MAX_STEPS {
                break;
            }
            let mut edges = selectors::edges(&subtree, selector_index, &self.by_uid);
            if relations == Relations::Deep {
                edges.extend(pod_edges(&subtree, name_index));
            }
            if edges.is_empty() {
                break;
            }
            self.add(edges, snapshot);
        }
    }

    /// The evidence for an edge that is not an owner reference.
    pub fn evidence(&self, edge: Edge) -> &[String] {
        self.evidence.get(&(edge.from, edge.to)).map_or(&[], Vec::as_slice)
    }

    fn add(&mut self, inferred: Vec<InferredEdge>, snapshot: &Snapshot) {
        if inferred.is_empty() {
            return;
        }
        let mut edges = Vec::new();
        for edge in inferred {
            let kind = if edge.strength == Strength::Named { EdgeKind::Named } else { EdgeKind::Related };
            edges.push(Edge { from: edge.from, to: edge.to, kind });
            self.evidence.insert((edge.from, edge.to), edge.evidence);
        }
        self.owner_index.add(&edges, &snapshot.objects);
    }
}

/// Objects by name and by the values of their labels and annotations. Built once for all roots.
struct NameIndex<'a> {
    by_label_value: HashMap<&'a str, Vec<Index>>,
    by_name: HashMap<&'a str, Vec<Index>>,
}

impl<'a> NameIndex<'a> {
    fn of(snapshot: &'a Snapshot) -> Self {
        let mut by_label_value: HashMap<&str, Vec<Index>> = HashMap::new();
        for (index, object) in snapshot.objects.iter().enumerate() {
            for value in object.meta.labels.values().chain(object.meta.annotations.values()) {
                let words = [
                    value.as_str(),
                    value.rsplit('/').next().unwrap_or_default(),
                    value.split(':').next().unwrap_or_default(),
                ];
                for word in words {
                    let entry = by_label_value.entry(word).or_default();
                    if entry.last() != Some(&index) {
                        entry.push(index);
                    }
                }
            }
        }
        let mut by_name: HashMap<&str, Vec<Index>> = HashMap::new();
        for (index, object) in snapshot.objects.iter().enumerate() {
            by_name.entry(object.meta.name.name.as_str()).or_default().push(index);
        }
        Self { by_label_value, by_name }
    }

    /// The object with a name, in any version.
    fn find(&self, snapshot: &Snapshot, name: &ObjectName) -> Option<Index> {
        let same = self.by_name.get(name.name.as_str()).into_iter().flatten();
        same.copied().find(|index| snapshot.objects[*index].meta.name.is_same_object(name))
    }

    fn candidates(&self, root: &Object) -> Vec<Index> {
        let (name, uid) = (root.meta.name.name.as_str(), root.meta.uid.0.as_str());
        let labelled = [name, uid].into_iter().filter_map(|word| self.by_label_value.get(word)).flatten();
        let mut all: Vec<Index> =
            labelled.chain(self.by_name.get(name).into_iter().flatten()).copied().collect();
        all.sort_unstable();
        all.dedup();
        all
    }
}

/// The edges from a root.
fn of_root(
    root: Index,
    references: &[Reference],
    snapshot: &Snapshot,
    name_index: &NameIndex<'_>,
    graph: &ObjectGraph<'_>,
) -> Vec<InferredEdge> {
    let objects = &snapshot.objects;
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
    for to in name_index.candidates(&objects[root]).into_iter().filter(|to| is_unrelated(*to)) {
        if let Some((strength, evidence)) = infer(root, to, snapshot, name_index, &below) {
            add(InferredEdge { from: root, to, evidence, strength });
        }
    }
    for found in references {
        let same = name_index.by_name.get(found.to.name.as_str()).into_iter().flatten();
        let is_meant = |to: &Index| is_unrelated(*to) && objects[*to].meta.name.is_same_object(&found.to);
        for to in same.copied().filter(is_meant) {
            let strength = match found.section {
                Section::Status => Strength::Declared,
                Section::Spec => Strength::Named,
            };
            let evidence = vec![format!("{} of the {} refers to it", found.path, objects[root].kind.kind)];
            add(InferredEdge { from: root, to, evidence, strength });
        }
    }
    inferred.into_values().collect()
}

/// The strongest evidence that an object belongs to a root that does not own it.
fn infer(
    root: Index,
    to: Index,
    snapshot: &Snapshot,
    name_index: &NameIndex<'_>,
    below: &HashMap<Index, Index>,
) -> Option<(Strength, Vec<String>)> {
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
            let clear =
                specificity == Specificity::KindAndName || !has_rival(root_object, snapshot, name_index);
            clear.then(|| (Strength::Declared, vec![evidence]))
        }
        Some(LabelMatch::Common(evidence)) => Some((Strength::Guessed, vec![evidence])),
        None if same_name::is_candidate(root_object, object) => {
            let evidence = same_name::evidence(root_object, object)?;
            // Another resource with the same name and value could have created it as well.
            let is_rival = |index: &&Index| {
                let other = &objects[**index];
                **index != root && is_custom(&other.kind) && same_name::shared_value(other, object).is_some()
            };
            let mut same = name_index.by_name.get(object.meta.name.name.as_str()).into_iter().flatten();
            same.find(is_rival).is_none().then_some((Strength::Guessed, evidence))
        }
        Some(LabelMatch::Uid(_)) | None => None,
    }
}

/// Whether a resource of another kind in the same domain has the same name: a label with the name could mean either.
fn has_rival(root: &Object, snapshot: &Snapshot, name_index: &NameIndex<'_>) -> bool {
    let same = name_index.by_name.get(root.meta.name.name.as_str()).into_iter().flatten();
    let mut same = same.map(|index| &snapshot.objects[*index]);
    same.any(|other| {
        other.kind.group_kind() != root.kind.group_kind()
            && other.meta.name.namespace == root.meta.name.namespace
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

/// Edges to what the Pods of a tree refer to, from the workload that all of those Pods belong to.
fn pod_edges(subtree: &Subtree<'_>, name_index: &NameIndex<'_>) -> Vec<InferredEdge> {
    let mut wanted: BTreeMap<Index, (Vec<Index>, String)> = BTreeMap::new();
    for (pod, reference) in selectors::pod_references(subtree) {
        let name = referenced(subtree.snapshot, pod, &reference);
        if let Some(to) = name_index.find(subtree.snapshot, &name).filter(|to| !subtree.contains(*to)) {
            wanted.entry(to).or_insert_with(|| (Vec::new(), reference.location.clone())).0.push(pod);
        }
    }
    let edge = |(to, (mut pods, location)): (Index, (Vec<Index>, String))| {
        pods.dedup();
        let from = subtree.above(&pods)?;
        let evidence = match pods.len() {
            1 => format!("1 Pod refers to it: {location}"),
            many => format!("{many} Pods refer to it: {location}"),
        };
        Some(InferredEdge { from, to, evidence: vec![evidence], strength: Strength::Named })
    };
    wanted.into_iter().filter_map(edge).collect()
}

/// The full name of the object that a Pod refers to.
fn referenced(snapshot: &Snapshot, pod: Index, reference: &pod_references::PodReference) -> ObjectName {
    ObjectName {
        api_version: "v1".to_owned(),
        kind: reference.kind.to_owned(),
        namespace: snapshot.objects[pod].meta.name.namespace.clone(),
        name: reference.name.clone(),
    }
}
