//! Children that no owner reference leads to, each with its evidence. Strongest first: the resource's uid on them,
//! the resource naming them, its name under its own domain, the same name and a value of it, common labels; and
//! what Kubernetes ties together by selectors and targets. Never more is claimed than the evidence says.
//!
//! | to find                                     | look in        |
//! |---------------------------------------------|----------------|
//! | references in spec and status               | `reference.rs` |
//! | labels and annotations                      | `labels.rs`      |
//! | the same name with a value of the resource  | `same_name.rs`      |
//! | Services, autoscalers, budgets, claims      | `selectors.rs`  |
//! | which of those are worth looking at         | `pointing.rs`  |
//! | what a Pod names                            | `pod.rs`       |

mod labels;
pub mod pod;
mod pointing;
pub(super) mod reference;
mod same_name;
mod selectors;
#[cfg(test)]
mod tests;
mod words;

use std::collections::{BTreeMap, HashMap, HashSet};
use std::sync::Arc;

use labels::{LabelMatch, Says};
use pointing::Pointing;
pub use reference::is_custom;
use reference::{Part, Reference};
use selectors::Subtree;

use crate::inspect::graph::{Edge, EdgeKind, Index, OwnerIndex};
use crate::inspect::health;
use crate::model::candidate::CandidateFilter;
use crate::model::ident::{GroupKind, ObjectName, group_of};
use crate::model::kind::Kind;
use crate::model::snapshot::{Detail, FetchPlan, Lookup, Object, Snapshot};

/// Related objects may have related objects; so many steps are followed.
const ROUNDS: usize = 4;
/// So many objects of the same name are read to look for a value.
const TWINS: usize = 20;

/// How far to look.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Reach {
    /// Owner references only.
    Owned,
    #[default]
    Related,
    /// And what Pods name: their configuration, claims and accounts.
    Deep,
}

/// A edge without an owner reference.
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

/// Who hangs on whom, and why.
#[derive(Debug, Default)]
pub struct ObjectGraph<'a> {
    pub owner_index: OwnerIndex,
    /// Where each object is, by its uid.
    pub by_uid: HashMap<&'a str, Index>,
    /// Why an object is told below another that does not own it.
    evidence: HashMap<(Index, Index), Vec<String>>,
}

impl ObjectGraph<'_> {
    /// The evidence for a edge that is no owner reference.
    pub fn evidence(&self, edge: Edge) -> &[String] {
        self.evidence.get(&(edge.from, edge.to)).map_or(&[], Vec::as_slice)
    }
}

/// By which traces the first look knows the children of these roots.
pub fn candidates(roots: &[Object], kinds: &[Arc<Kind>]) -> CandidateFilter {
    let mut candidates = CandidateFilter::default();
    for root in roots {
        candidates.uids.insert(root.meta.uid.0.clone());
        candidates.names.insert(root.meta.name.name.clone());
        let named = reference::references(root, kinds).into_iter();
        candidates
            .named
            .extend(named.map(|found| (GroupKind::of(&found.to.api_version, &found.to.kind), found.to.name)));
    }
    candidates.uids.remove("");
    candidates
}

/// No traces at all: for those who want owner references only.
pub fn no_candidates(_: &[Object], _: &[Arc<Kind>]) -> CandidateFilter {
    CandidateFilter::default()
}

/// The graph of some roots.
pub fn graph<'a>(snapshot: &'a Snapshot, roots: &[Index], reach: Reach) -> ObjectGraph<'a> {
    let by_uid =
        snapshot.objects.iter().enumerate().map(|(index, object)| (object.meta.uid.0.as_str(), index));
    let by_uid = by_uid.collect();
    let mut graph = ObjectGraph {
        owner_index: OwnerIndex::by_owner(&snapshot.objects),
        by_uid,
        evidence: HashMap::new(),
    };
    if reach == Reach::Owned {
        return graph;
    }
    let traces = Traces::of(snapshot);
    let pointing = Pointing::of(snapshot);
    for root in roots {
        let inferred = of_root(*root, snapshot, &traces, &graph);
        graph.bind(inferred, snapshot);
        for _ in 0..ROUNDS {
            let parents = graph.owner_index.reachable(*root);
            let subtree = Subtree { snapshot, root: *root, parents: &parents };
            let mut inferred = selectors::inferred(&subtree, &pointing, &graph.by_uid);
            if reach == Reach::Deep {
                inferred.extend(deep(&subtree));
            }
            if inferred.is_empty() {
                break;
            }
            graph.bind(inferred, snapshot);
        }
    }
    graph
}

impl ObjectGraph<'_> {
    fn bind(&mut self, inferred: Vec<InferredEdge>, snapshot: &Snapshot) {
        let mut edges = Vec::new();
        for edge in inferred {
            let edge_kind =
                if edge.strength == Strength::Named { EdgeKind::Named } else { EdgeKind::Related };
            edges.push(Edge { from: edge.from, to: edge.to, kind: edge_kind });
            self.evidence.insert((edge.from, edge.to), edge.evidence);
        }
        self.owner_index.add(&edges, &snapshot.objects);
    }
}

/// What must be read before the graph is known: contents of twins, and objects that are named and were not seen.
pub fn fetch_plan(snapshot: &Snapshot, roots: &[Index], reach: Reach) -> FetchPlan {
    let mut fetch_plan = FetchPlan::default();
    if reach == Reach::Owned {
        return fetch_plan;
    }
    let known: HashSet<(GroupKind, Option<&str>, &str)> = snapshot
        .objects
        .iter()
        .map(|object| {
            let name = &object.meta.name;
            (GroupKind::of(&name.api_version, &name.kind), name.namespace.as_deref(), name.name.as_str())
        })
        .collect();
    let unseen = |name: &ObjectName| {
        let kind = GroupKind::of(&name.api_version, &name.kind);
        !known.contains(&(kind, name.namespace.as_deref(), &name.name))
    };
    let mut named: Vec<ObjectName> = Vec::new();
    let by_name = names(snapshot);
    for root in roots {
        let object = &snapshot.objects[*root];
        let same = by_name.get(object.meta.name.name.as_str()).into_iter().flatten();
        let twins =
            same.filter(|index| same_name::is_candidate(object, &snapshot.objects[**index])).take(TWINS);
        let twins: Vec<Index> = twins.copied().collect();
        if !twins.is_empty() {
            // A resource of that name which holds the same value is a rival, so that it is read as well.
            let rivals = by_name.get(object.meta.name.name.as_str()).into_iter().flatten().copied();
            let rivals =
                rivals.filter(|index| reference::is_custom(&snapshot.objects[*index].kind)).take(TWINS);
            let unread = |index: &Index| snapshot.objects[*index].body.is_none();
            fetch_plan.bodies.extend(twins.iter().copied().chain(rivals).filter(unread));
        }
        let beyond = |found: &Reference| !is_swept(snapshot, &found.to) && unseen(&found.to);
        named.extend(
            reference::references(object, &snapshot.kinds).into_iter().filter(beyond).map(|found| found.to),
        );
    }
    if reach == Reach::Deep {
        let owner_index = OwnerIndex::by_owner(&snapshot.objects);
        for root in roots {
            let parents = owner_index.reachable(*root);
            let subtree = Subtree { snapshot, root: *root, parents: &parents };
            let needs = selectors::pod_needs(&subtree).into_iter();
            named.extend(needs.map(|(pod, need)| needed(snapshot, pod, &need)).filter(unseen));
        }
    }
    named.sort();
    named.dedup();
    fetch_plan.named = named.into_iter().map(lookup).collect();
    fetch_plan
}

/// How an object is looked up: whole only if there is something in it to judge.
fn lookup(name: ObjectName) -> Lookup {
    let judged = health::needs_body(&GroupKind::of(&name.api_version, &name.kind));
    Lookup { name, detail: if judged { Detail::Whole } else { Detail::Metadata } }
}

/// Whether the first look went where an object would be: then it is not there.
fn is_swept(snapshot: &Snapshot, name: &ObjectName) -> bool {
    use crate::model::snapshot::Reach as Swept;
    let group = group_of(&name.api_version);
    let listed = snapshot
        .kinds
        .iter()
        .find(|known| known.group == group && known.kind == name.kind)
        .is_some_and(|known| snapshot.counts.contains_key(&known.full_name()));
    let within = match &snapshot.reach {
        Swept::Namespace(namespace) => name.namespace.as_ref() == Some(namespace),
        Swept::Cluster => true,
    };
    listed && within
}

fn names(snapshot: &Snapshot) -> HashMap<&str, Vec<Index>> {
    let mut names: HashMap<&str, Vec<Index>> = HashMap::new();
    for (index, object) in snapshot.objects.iter().enumerate() {
        names.entry(object.meta.name.name.as_str()).or_default().push(index);
    }
    names
}

/// Objects by what their labels and annotations may name, and by their own names; made once for all roots.
struct Traces<'a> {
    marked: HashMap<&'a str, Vec<Index>>,
    names: HashMap<&'a str, Vec<Index>>,
}

impl<'a> Traces<'a> {
    fn of(snapshot: &'a Snapshot) -> Self {
        let mut marked: HashMap<&str, Vec<Index>> = HashMap::new();
        for (index, object) in snapshot.objects.iter().enumerate() {
            for value in object.meta.labels.values().chain(object.meta.annotations.values()) {
                let words = [
                    value.as_str(),
                    value.rsplit('/').next().unwrap_or_default(),
                    value.split(':').next().unwrap_or_default(),
                ];
                for word in words {
                    let entry = marked.entry(word).or_default();
                    if entry.last() != Some(&index) {
                        entry.push(index);
                    }
                }
            }
        }
        Self { marked, names: names(snapshot) }
    }

    fn candidates(&self, root: &Object) -> Vec<Index> {
        let (name, uid) = (root.meta.name.name.as_str(), root.meta.uid.0.as_str());
        let marked = [name, uid].into_iter().filter_map(|word| self.marked.get(word)).flatten();
        let mut all: Vec<Index> = marked.chain(self.names.get(name).into_iter().flatten()).copied().collect();
        all.sort_unstable();
        all.dedup();
        all
    }
}

/// What is tied to a root itself.
fn of_root(
    root: Index,
    snapshot: &Snapshot,
    traces: &Traces<'_>,
    graph: &ObjectGraph<'_>,
) -> Vec<InferredEdge> {
    let objects = &snapshot.objects;
    let (below, above) = (graph.owner_index.reachable(root), ancestors(root, snapshot, graph));
    let free = |index: Index| index != root && !below.contains_key(&index) && !above.contains(&index);
    let mut inferred: BTreeMap<Index, InferredEdge> = BTreeMap::new();
    let mut add = |edge: InferredEdge| {
        let to = edge.to;
        match inferred.get_mut(&to) {
            Some(known) if known.strength <= edge.strength => known.evidence.extend(edge.evidence),
            _ => drop(inferred.insert(to, edge)),
        }
    };
    for to in traces.candidates(&objects[root]).into_iter().filter(|to| free(*to)) {
        if let Some((strength, evidence)) = trace(root, to, snapshot, traces, &below) {
            add(InferredEdge { from: root, to, evidence, strength });
        }
    }
    let references = reference::references(&objects[root], &snapshot.kinds);
    if !references.is_empty() {
        let by_name = &traces.names;
        for found in &references {
            let same = by_name.get(found.to.name.as_str()).into_iter().flatten();
            for to in same.copied().filter(|to| free(*to) && reference::is(found, &objects[*to])) {
                let strength = match found.part {
                    Part::Status => Strength::Declared,
                    Part::Spec => Strength::Named,
                };
                add(InferredEdge {
                    from: root,
                    to,
                    evidence: vec![format!("{} names it", found.path)],
                    strength,
                });
            }
        }
    }
    inferred.into_values().collect()
}

/// The strongest trace of a root on an object that it does not own.
fn trace(
    root: Index,
    to: Index,
    snapshot: &Snapshot,
    traces: &Traces<'_>,
    below: &HashMap<Index, Index>,
) -> Option<(Strength, Vec<String>)> {
    let objects = &snapshot.objects;
    let (root_seen, object) = (&objects[root], &objects[to]);
    let found = labels::mark(root_seen, &object.meta, &snapshot.kinds);
    if let Some(LabelMatch::Uid(key)) = &found {
        return Some((Strength::Uid, vec![format!("{key} = its uid")]));
    }
    // What another object owns belongs there, whatever its labels say.
    let owned_elsewhere = object
        .meta
        .owners
        .iter()
        .any(|owner| !below.keys().chain([&root]).any(|index| objects[*index].meta.uid == owner.uid));
    if owned_elsewhere {
        return None;
    }
    match found {
        Some(LabelMatch::Own { evidence, says }) => {
            let clear = says == Says::Kind || !has_rival(root_seen, snapshot, traces);
            clear.then(|| (Strength::Declared, vec![evidence]))
        }
        Some(LabelMatch::Common(evidence)) => Some((Strength::Guessed, vec![evidence])),
        None if same_name::is_candidate(root_seen, object) => {
            let evidence = same_name::evidence(root_seen, object)?;
            // Another resource of that name which holds the value too could have made it as well.
            let rival = |index: &&Index| {
                let other = &objects[**index];
                **index != root
                    && reference::is_custom(&other.kind)
                    && same_name::shared_value(other, object).is_some()
            };
            let mut same = traces.names.get(object.meta.name.name.as_str()).into_iter().flatten();
            same.find(rival).is_none().then_some((Strength::Guessed, evidence))
        }
        Some(LabelMatch::Uid(_)) | None => None,
    }
}

/// Whether a resource of another kind in the same domain has the same name: a mark with the name could mean either.
fn has_rival(root: &Object, snapshot: &Snapshot, traces: &Traces<'_>) -> bool {
    let same = traces.names.get(root.meta.name.name.as_str()).into_iter().flatten();
    let mut same = same.map(|index| &snapshot.objects[*index]);
    same.any(|other| {
        other.kind.group_kind() != root.kind.group_kind()
            && other.meta.name.namespace == root.meta.name.namespace
            && labels::shares_domain(&other.kind.group, &root.kind.group)
    })
}

/// Everything that owns an object, directly or not.
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

/// What the Pods of a tree name, below the workload that all of those Pods belong to.
fn deep(subtree: &Subtree<'_>) -> Vec<InferredEdge> {
    let objects = &subtree.snapshot.objects;
    let by_name = names(subtree.snapshot);
    let mut wanted: BTreeMap<Index, (Vec<Index>, String)> = BTreeMap::new();
    for (pod, need) in selectors::pod_needs(subtree) {
        let name = needed(subtree.snapshot, pod, &need);
        let same = by_name.get(need.name.as_str()).into_iter().flatten();
        let is = |index: &&Index| {
            let other = &objects[**index].meta.name;
            other.kind == name.kind
                && other.namespace == name.namespace
                && other.api_version == name.api_version
        };
        if let Some(to) = same.filter(is).find(|index| !subtree.holds(**index)) {
            wanted.entry(*to).or_insert_with(|| (Vec::new(), need.place.clone())).0.push(pod);
        }
    }
    let edge = |(to, (mut pods, place)): (Index, (Vec<Index>, String))| {
        pods.dedup();
        let from = subtree.above(&pods)?;
        let evidence = match pods.len() {
            1 => format!("named by a Pod: {place}"),
            many => format!("named by {many} Pods: {place}"),
        };
        Some(InferredEdge { from, to, evidence: vec![evidence], strength: Strength::Named })
    };
    wanted.into_iter().filter_map(edge).collect()
}

fn needed(snapshot: &Snapshot, pod: Index, need: &pod::Need) -> ObjectName {
    ObjectName {
        api_version: "v1".to_owned(),
        kind: need.kind.to_owned(),
        namespace: snapshot.objects[pod].meta.name.namespace.clone(),
        name: need.name.clone(),
    }
}
