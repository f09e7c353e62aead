//! Children without an owner reference, each with the evidence for it. The strongest first: the uid of the resource in a
//! label, a reference from the resource, its name in a label of its own domain, the same name and a common value, common
//! labels; and the selectors and targets of Kubernetes itself.
//!
//! | to find                                           | look in             |
//! |---------------------------------------------------|---------------------|
//! | which evidence ties an object to a resource       | `root_edges.rs`     |
//! | references in spec and status                     | `reference.rs`      |
//! | objects that name the resource as their parent    | `attached.rs`       |
//! | labels and annotations                            | `labels.rs`         |
//! | a guess by labels that any software may use       | `label_guess.rs`    |
//! | the same name and a value of the resource         | `same_name.rs`      |
//! | Services, autoscalers, disruption budgets, claims | `selectors.rs`      |
//! | those that may refer to a given tree              | `selector_index.rs` |
//! | what a Pod refers to                              | `pod_references.rs` |
//! | objects by name and by label                      | `name_index.rs`     |
//! | words in the keys of labels and fields            | `words.rs`          |
//! | what must be read to know all this                | `missing.rs`        |

mod attached;
mod label_guess;
mod labels;
mod missing;
mod name_index;
pub mod pod_references;
pub(super) mod reference;
mod root_edges;
mod same_name;
mod selector_index;
mod selectors;
#[cfg(test)]
mod tests;
mod words;

use std::collections::{BTreeMap, HashMap, HashSet};
use std::sync::Arc;

use attached::AttachedIndex;
use missing::Lookups;
use name_index::NameIndex;
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
    Referred,
    Named,
    Guessed,
}

impl Strength {
    const fn edge_kind(self) -> EdgeKind {
        match self {
            Self::Uid | Self::Declared => EdgeKind::Related,
            Self::Referred => EdgeKind::Referred,
            Self::Guessed => EdgeKind::Guessed,
            Self::Named => EdgeKind::Named,
        }
    }
}

/// Which object belongs to which, and why. Built once per inspection of a snapshot.
#[derive(Debug, Default)]
pub struct ObjectGraph<'a> {
    pub owner_index: OwnerIndex,
    /// The index of each object by uid.
    pub by_uid: HashMap<&'a str, Index>,
    /// What must be read to complete the graph.
    pub missing: FetchPlan,
    /// Roots with more references to objects that were not listed than are looked up.
    pub cut_off: HashSet<Index>,
    /// Roots that are too large to be searched for references completely.
    pub partly_searched: HashSet<Index>,
    /// The evidence for each edge that is not an owner reference.
    evidence: HashMap<(Index, Index), Vec<String>>,
}

/// What is looked up in a snapshot for every root.
struct Indexes<'a> {
    snapshot: &'a Snapshot,
    names: NameIndex<'a>,
    selectors: SelectorIndex<'a>,
    attached: AttachedIndex<'a>,
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
        let named = references.found.into_iter();
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
        let indexes = Indexes {
            snapshot,
            names: NameIndex::of(snapshot),
            selectors: SelectorIndex::of(snapshot),
            attached: AttachedIndex::of(snapshot, roots, &mut graph.missing),
        };
        let references = parallel::map(roots.to_vec(), |root| {
            reference::references(&snapshot.objects[root], &snapshot.kinds)
        });
        let mut lookups = Lookups::default();
        for (root, references) in roots.iter().zip(references) {
            missing::of_root(*root, &indexes, &mut graph.missing);
            if references.is_partial {
                graph.partly_searched.insert(*root);
            }
            let references = references.found;
            if missing::of_references(&references, &indexes, &mut lookups, &mut graph.missing).is_err() {
                graph.cut_off.insert(*root);
            }
            let edges = root_edges::of_root(*root, &references, &indexes, &graph);
            graph.add(edges, snapshot);
            graph.follow_references(*root, &indexes, &mut lookups);
            graph.follow(*root, &indexes, relations);
        }
        if missing::limit_lists(&mut graph.missing).is_err() {
            graph.cut_off.extend(roots);
        }
        graph
    }

    /// Adds what cluster-scoped objects that were created for a namespaced root refer to: their kinds are not listed
    /// for such a root, so owner references alone do not find it.
    fn follow_references(&mut self, root: Index, indexes: &Indexes<'_>, lookups: &mut Lookups) {
        let snapshot = indexes.snapshot;
        let is_cluster_scoped = |index: Index| {
            let object = &snapshot.objects[index];
            object.meta.name.namespace.is_none() && is_custom(&object.kind)
        };
        let leads_there = |edge: &Edge| edge.kind != EdgeKind::Named && is_cluster_scoped(edge.to);
        if is_cluster_scoped(root) || !self.owner_index.children(root).iter().any(leads_there) {
            return;
        }
        let mut followed = HashSet::new();
        for _ in 0..MAX_STEPS {
            let parents = self.owner_index.reachable(root);
            let is_part = |to: &Index| {
                let edges = self.owner_index.children(parents[to]);
                edges.iter().any(|edge| edge.to == *to && leads_there(edge))
            };
            let mut new: Vec<Index> = parents.keys().copied().filter(is_part).collect();
            new.retain(|index| followed.insert(*index));
            if new.is_empty() {
                break;
            }
            new.sort_unstable();
            for from in new {
                let references = reference::references(&snapshot.objects[from], &snapshot.kinds);
                if references.is_partial {
                    self.partly_searched.insert(root);
                }
                let references = references.found;
                if missing::of_references(&references, indexes, lookups, &mut self.missing).is_err() {
                    self.cut_off.insert(root);
                }
                let mut edges = root_edges::referenced(from, &references, indexes);
                edges.retain(|edge| {
                    edge.strength < Strength::Named && edge.to != root && !parents.contains_key(&edge.to)
                });
                self.add(edges, snapshot);
            }
        }
    }

    /// Adds the objects related to those below a root, step by step.
    fn follow(&mut self, root: Index, indexes: &Indexes<'_>, relations: Relations) {
        let snapshot = indexes.snapshot;
        for step in 0..=MAX_STEPS {
            let parents = self.owner_index.reachable(root);
            let subtree = Subtree { snapshot, root, parents: &parents };
            missing::in_other_namespaces(&subtree, &self.owner_index, &mut self.missing);
            if relations == Relations::Deep {
                missing::of_pods(&subtree, &indexes.names, &mut self.missing);
            }
            if step == MAX_STEPS {
                break;
            }
            let mut edges = selectors::edges(&subtree, &indexes.selectors, &self.by_uid);
            if relations == Relations::Deep {
                edges.extend(pod_edges(&subtree, &indexes.names));
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
            edges.push(Edge { from: edge.from, to: edge.to, kind: edge.strength.edge_kind() });
            self.evidence.insert((edge.from, edge.to), edge.evidence);
        }
        self.owner_index.add(&edges, &snapshot.objects);
    }
}

/// Edges to what the Pods of a tree refer to, from the workload that all of those Pods belong to.
fn pod_edges(subtree: &Subtree<'_>, name_index: &NameIndex<'_>) -> Vec<InferredEdge> {
    let mut wanted: BTreeMap<Index, (Vec<Index>, String)> = BTreeMap::new();
    for (pod, reference) in selectors::pod_references(subtree) {
        let name = reference_of_pod(subtree.snapshot, pod, &reference);
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
fn reference_of_pod(snapshot: &Snapshot, pod: Index, reference: &pod_references::PodReference) -> ObjectName {
    ObjectName {
        api_version: "v1".to_owned(),
        kind: reference.kind.to_owned(),
        namespace: snapshot.objects[pod].meta.name.namespace.clone(),
        name: reference.name.clone(),
    }
}
