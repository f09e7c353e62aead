//! Children that no owner reference leads to, each with its evidence. Strongest first: the resource's uid on them,
//! the resource naming them, its name under its own domain, the same name and a value of it, common labels; and
//! what Kubernetes ties together by selectors and targets. Never more is claimed than the evidence says.
//!
//! | to find                                     | look in        |
//! |---------------------------------------------|----------------|
//! | references in spec and status               | `reference.rs` |
//! | labels and annotations                      | `mark.rs`      |
//! | the same name with a value of the resource  | `twin.rs`      |
//! | Services, autoscalers, budgets, claims      | `plumbing.rs`  |
//! | which of those are worth looking at         | `pointing.rs`  |
//! | what a Pod names                            | `pod.rs`       |

mod mark;
mod plumbing;
pub mod pod;
mod pointing;
pub(super) mod reference;
#[cfg(test)]
mod tests;
mod twin;
mod words;

use std::collections::{BTreeMap, HashMap, HashSet};
use std::sync::Arc;

use mark::{Mark, Says};
use plumbing::Grove;
use pointing::Pointing;
pub use reference::is_custom;
use reference::{Part, Reference};

use crate::inspect::graph::{Index, Kin, Link, Tie};
use crate::inspect::health;
use crate::model::clue::Clues;
use crate::model::ident::{GroupKind, ObjectName, group_of};
use crate::model::kind::Kind;
use crate::model::snapshot::{Lookup, Much, Reading, Seen, Snapshot};

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

/// A link without an owner reference.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Bond {
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
pub struct Family<'a> {
    pub kin: Kin,
    /// Where each object is, by its uid.
    pub by_uid: HashMap<&'a str, Index>,
    /// Why an object is told below another that does not own it.
    evidence: HashMap<(Index, Index), Vec<String>>,
}

impl Family<'_> {
    /// The evidence for a link that is no owner reference.
    pub fn evidence(&self, link: Link) -> &[String] {
        self.evidence.get(&(link.from, link.to)).map_or(&[], Vec::as_slice)
    }
}

/// By which traces the first look knows the children of these roots.
pub fn clues(roots: &[Seen], kinds: &[Arc<Kind>]) -> Clues {
    let mut clues = Clues::default();
    for root in roots {
        clues.uids.insert(root.meta.uid.0.clone());
        clues.names.insert(root.meta.name.name.clone());
        let named = reference::references(root, kinds).into_iter();
        clues
            .named
            .extend(named.map(|found| (GroupKind::of(&found.to.api_version, &found.to.kind), found.to.name)));
    }
    clues.uids.remove("");
    clues
}

/// No traces at all: for those who want owner references only.
pub fn no_clues(_: &[Seen], _: &[Arc<Kind>]) -> Clues {
    Clues::default()
}

/// The family of some roots.
pub fn family<'a>(snapshot: &'a Snapshot, roots: &[Index], reach: Reach) -> Family<'a> {
    let by_uid = snapshot.objects.iter().enumerate().map(|(index, seen)| (seen.meta.uid.0.as_str(), index));
    let by_uid = by_uid.collect();
    let mut family = Family { kin: Kin::by_owner(&snapshot.objects), by_uid, evidence: HashMap::new() };
    if reach == Reach::Owned {
        return family;
    }
    let traces = Traces::of(snapshot);
    let pointing = Pointing::of(snapshot);
    for root in roots {
        let bonds = of_root(*root, snapshot, &traces, &family);
        family.bind(bonds, snapshot);
        for _ in 0..ROUNDS {
            let parents = family.kin.reachable(*root);
            let grove = Grove { snapshot, root: *root, parents: &parents };
            let mut bonds = plumbing::bonds(&grove, &pointing, &family.by_uid);
            if reach == Reach::Deep {
                bonds.extend(deep(&grove));
            }
            if bonds.is_empty() {
                break;
            }
            family.bind(bonds, snapshot);
        }
    }
    family
}

impl Family<'_> {
    fn bind(&mut self, bonds: Vec<Bond>, snapshot: &Snapshot) {
        let mut links = Vec::new();
        for bond in bonds {
            let tie = if bond.strength == Strength::Named { Tie::Named } else { Tie::Related };
            links.push(Link { from: bond.from, to: bond.to, tie });
            self.evidence.insert((bond.from, bond.to), bond.evidence);
        }
        self.kin.add(&links, &snapshot.objects);
    }
}

/// What must be read before the family is known: contents of twins, and objects that are named and were not seen.
pub fn reading(snapshot: &Snapshot, roots: &[Index], reach: Reach) -> Reading {
    let mut reading = Reading::default();
    if reach == Reach::Owned {
        return reading;
    }
    let seen: HashSet<(GroupKind, Option<&str>, &str)> = snapshot
        .objects
        .iter()
        .map(|seen| {
            let name = &seen.meta.name;
            (GroupKind::of(&name.api_version, &name.kind), name.namespace.as_deref(), name.name.as_str())
        })
        .collect();
    let unseen = |name: &ObjectName| {
        let kind = GroupKind::of(&name.api_version, &name.kind);
        !seen.contains(&(kind, name.namespace.as_deref(), &name.name))
    };
    let mut named: Vec<ObjectName> = Vec::new();
    let by_name = names(snapshot);
    for root in roots {
        let seen = &snapshot.objects[*root];
        let same = by_name.get(seen.meta.name.name.as_str()).into_iter().flatten();
        let twins = same.filter(|index| twin::is_candidate(seen, &snapshot.objects[**index])).take(TWINS);
        let twins: Vec<Index> = twins.copied().collect();
        if !twins.is_empty() {
            // A resource of that name which holds the same value is a rival, so that it is read as well.
            let rivals = by_name.get(seen.meta.name.name.as_str()).into_iter().flatten().copied();
            let rivals =
                rivals.filter(|index| reference::is_custom(&snapshot.objects[*index].kind)).take(TWINS);
            let unread = |index: &Index| snapshot.objects[*index].body.is_none();
            reading.bodies.extend(twins.iter().copied().chain(rivals).filter(unread));
        }
        let beyond = |found: &Reference| !is_swept(snapshot, &found.to) && unseen(&found.to);
        named.extend(
            reference::references(seen, &snapshot.kinds).into_iter().filter(beyond).map(|found| found.to),
        );
    }
    if reach == Reach::Deep {
        let kin = Kin::by_owner(&snapshot.objects);
        for root in roots {
            let parents = kin.reachable(*root);
            let grove = Grove { snapshot, root: *root, parents: &parents };
            let needs = plumbing::pod_needs(&grove).into_iter();
            named.extend(needs.map(|(pod, need)| needed(snapshot, pod, &need)).filter(unseen));
        }
    }
    named.sort();
    named.dedup();
    reading.named = named.into_iter().map(lookup).collect();
    reading
}

/// How an object is looked up: whole only if there is something in it to judge.
fn lookup(name: ObjectName) -> Lookup {
    let judged = health::needs_body(&GroupKind::of(&name.api_version, &name.kind));
    Lookup { name, much: if judged { Much::Whole } else { Much::Metadata } }
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
    for (index, seen) in snapshot.objects.iter().enumerate() {
        names.entry(seen.meta.name.name.as_str()).or_default().push(index);
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
        for (index, seen) in snapshot.objects.iter().enumerate() {
            for value in seen.meta.labels.values().chain(seen.meta.annotations.values()) {
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

    fn candidates(&self, root: &Seen) -> Vec<Index> {
        let (name, uid) = (root.meta.name.name.as_str(), root.meta.uid.0.as_str());
        let marked = [name, uid].into_iter().filter_map(|word| self.marked.get(word)).flatten();
        let mut all: Vec<Index> = marked.chain(self.names.get(name).into_iter().flatten()).copied().collect();
        all.sort_unstable();
        all.dedup();
        all
    }
}

/// What is tied to a root itself.
fn of_root(root: Index, snapshot: &Snapshot, traces: &Traces<'_>, family: &Family<'_>) -> Vec<Bond> {
    let objects = &snapshot.objects;
    let (below, above) = (family.kin.reachable(root), ancestors(root, snapshot, family));
    let free = |index: Index| index != root && !below.contains_key(&index) && !above.contains(&index);
    let mut bonds: BTreeMap<Index, Bond> = BTreeMap::new();
    let mut add = |bond: Bond| {
        let to = bond.to;
        match bonds.get_mut(&to) {
            Some(known) if known.strength <= bond.strength => known.evidence.extend(bond.evidence),
            _ => drop(bonds.insert(to, bond)),
        }
    };
    for to in traces.candidates(&objects[root]).into_iter().filter(|to| free(*to)) {
        if let Some((strength, evidence)) = trace(root, to, snapshot, traces, &below) {
            add(Bond { from: root, to, evidence, strength });
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
                add(Bond { from: root, to, evidence: vec![format!("{} names it", found.path)], strength });
            }
        }
    }
    bonds.into_values().collect()
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
    let (root_seen, seen) = (&objects[root], &objects[to]);
    let found = mark::mark(root_seen, &seen.meta, &snapshot.kinds);
    if let Some(Mark::Uid(key)) = &found {
        return Some((Strength::Uid, vec![format!("{key} = its uid")]));
    }
    // What another object owns belongs there, whatever its labels say.
    let owned_elsewhere = seen
        .meta
        .owners
        .iter()
        .any(|owner| !below.keys().chain([&root]).any(|index| objects[*index].meta.uid == owner.uid));
    if owned_elsewhere {
        return None;
    }
    match found {
        Some(Mark::Own { evidence, says }) => {
            let clear = says == Says::Kind || !has_rival(root_seen, snapshot, traces);
            clear.then(|| (Strength::Declared, vec![evidence]))
        }
        Some(Mark::Common(evidence)) => Some((Strength::Guessed, vec![evidence])),
        None if twin::is_candidate(root_seen, seen) => {
            let evidence = twin::evidence(root_seen, seen)?;
            // Another resource of that name which holds the value too could have made it as well.
            let rival = |index: &&Index| {
                let other = &objects[**index];
                **index != root
                    && reference::is_custom(&other.kind)
                    && twin::shared_value(other, seen).is_some()
            };
            let mut same = traces.names.get(seen.meta.name.name.as_str()).into_iter().flatten();
            same.find(rival).is_none().then_some((Strength::Guessed, evidence))
        }
        Some(Mark::Uid(_)) | None => None,
    }
}

/// Whether a resource of another kind in the same domain has the same name: a mark with the name could mean either.
fn has_rival(root: &Seen, snapshot: &Snapshot, traces: &Traces<'_>) -> bool {
    let same = traces.names.get(root.meta.name.name.as_str()).into_iter().flatten();
    let mut same = same.map(|index| &snapshot.objects[*index]);
    same.any(|other| {
        other.kind.group_kind() != root.kind.group_kind()
            && other.meta.name.namespace == root.meta.name.namespace
            && mark::shares_domain(&other.kind.group, &root.kind.group)
    })
}

/// Everything that owns an object, directly or not.
fn ancestors(of: Index, snapshot: &Snapshot, family: &Family<'_>) -> HashSet<Index> {
    let mut found = HashSet::new();
    let mut open = vec![of];
    while let Some(index) = open.pop() {
        for owner in &snapshot.objects[index].meta.owners {
            if let Some(owner) = family.by_uid.get(owner.uid.0.as_str())
                && found.insert(*owner)
            {
                open.push(*owner);
            }
        }
    }
    found
}

/// What the Pods of a tree name, below the workload that all of those Pods belong to.
fn deep(grove: &Grove<'_>) -> Vec<Bond> {
    let objects = &grove.snapshot.objects;
    let by_name = names(grove.snapshot);
    let mut wanted: BTreeMap<Index, (Vec<Index>, String)> = BTreeMap::new();
    for (pod, need) in plumbing::pod_needs(grove) {
        let name = needed(grove.snapshot, pod, &need);
        let same = by_name.get(need.name.as_str()).into_iter().flatten();
        let is = |index: &&Index| {
            let other = &objects[**index].meta.name;
            other.kind == name.kind
                && other.namespace == name.namespace
                && other.api_version == name.api_version
        };
        if let Some(to) = same.filter(is).find(|index| !grove.holds(**index)) {
            wanted.entry(*to).or_insert_with(|| (Vec::new(), need.place.clone())).0.push(pod);
        }
    }
    let bond = |(to, (mut pods, place)): (Index, (Vec<Index>, String))| {
        pods.dedup();
        let from = grove.above(&pods)?;
        let evidence = match pods.len() {
            1 => format!("named by a Pod: {place}"),
            many => format!("named by {many} Pods: {place}"),
        };
        Some(Bond { from, to, evidence: vec![evidence], strength: Strength::Named })
    };
    wanted.into_iter().filter_map(bond).collect()
}

fn needed(snapshot: &Snapshot, pod: Index, need: &pod::Need) -> ObjectName {
    ObjectName {
        api_version: "v1".to_owned(),
        kind: need.kind.to_owned(),
        namespace: snapshot.objects[pod].meta.name.namespace.clone(),
        name: need.name.clone(),
    }
}
