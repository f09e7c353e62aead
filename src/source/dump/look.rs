//! The same looks as at a cluster: the roots and what could hang below them, then what matters as a whole.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use super::{Dump, DumpEntry};
use crate::error::{Failure, Kind as FailureKind};
use crate::model::candidate::{CandidateFilter, KeepLabels};
use crate::model::ident::{GroupKind, ObjectName};
use crate::model::kind::{Kind, KindScope};
use crate::model::snapshot::{Detail, FetchPlan, Object, Reach, Snapshot};
use crate::source::pointing::points_at_others;
use crate::source::selection::{Discovered, Look, Named, Select, Selection};
use crate::source::skip::{is_within, is_worth_listing};

impl Dump {
    /// The first look.
    pub fn sweep(
        &self,
        discovered: &Discovered,
        wanted: &[Selection],
        look: &Look<'_>,
    ) -> Result<Snapshot, Failure> {
        let mut gaps = discovered.gaps.clone();
        let mut roots = Vec::new();
        for wanted in wanted {
            let before = roots.len();
            for entry in self.entries.iter().filter(|entry| is_wanted(entry, wanted)) {
                match self.whole(entry) {
                    Ok(object) => roots.push(object),
                    Err(gap) => gaps.push(gap),
                }
            }
            if let (Select::Named(name), true) = (&wanted.which, roots.len() == before) {
                let message = format!("{} \"{name}\" not found", wanted.kind.full_name());
                return Err(Failure::new(FailureKind::NotFound, message));
            }
        }
        let candidates = (look.candidates)(&roots, &self.kinds.all);
        let uids: Vec<_> = roots.iter().map(|root| root.meta.uid.clone()).collect();
        let known: HashSet<_> = uids.iter().cloned().collect();
        let (mut objects, mut counts) = (roots, HashMap::new());
        let within = |entry: &&DumpEntry| {
            is_worth_listing(&entry.kind)
                && is_within(&entry.kind, &look.reach)
                && is_there(entry, &look.reach)
        };
        // Without kinds to look at, the roots are all that is wanted.
        let whole = !discovered.kinds.is_empty();
        for entry in self.entries.iter().filter(|entry| whole && within(entry)) {
            *counts.entry(entry.kind.full_name()).or_default() += 1;
            if known.contains(&entry.meta.uid) {
                continue;
            }
            if points_at_others(&entry.kind) {
                match self.whole(entry) {
                    Ok(object) => objects.push(object),
                    Err(gap) => gaps.push(gap),
                }
            } else {
                objects.extend(kept(entry, &candidates));
            }
        }
        if whole {
            gaps.extend(self.missing(&look.reach));
        }
        gaps.sort();
        gaps.dedup();
        let asked =
            discovered.kinds.iter().filter(|kind| is_worth_listing(kind) && is_within(kind, &look.reach));
        Ok(Snapshot {
            roots: uids,
            objects,
            kinds: Arc::clone(&self.kinds.all),
            counts,
            kinds_asked: asked.count(),
            reach: look.reach.clone(),
            gaps,
            now: self.now,
            ..Snapshot::default()
        })
    }

    /// A further look. What the dump does not hold may be there all the same: nothing is ever called absent.
    pub fn fetch(&self, snapshot: &mut Snapshot, fetch_plan: &FetchPlan) {
        let by_name: HashMap<&ObjectName, &DumpEntry> =
            self.entries.iter().map(|entry| (&entry.meta.name, entry)).collect();
        for index in &fetch_plan.bodies {
            let name = snapshot.objects[*index].meta.name.clone();
            match by_name.get(&name).map(|entry| self.whole(entry)) {
                Some(Ok(object)) => snapshot.objects[*index] = object,
                Some(Err(gap)) => snapshot.gaps.push(gap),
                None => {}
            }
            snapshot.tried.insert(name);
        }
        let mut known: HashSet<_> = snapshot.objects.iter().map(|object| object.meta.uid.clone()).collect();
        for lookup in &fetch_plan.named {
            snapshot.tried.insert(lookup.name.clone());
            let Some(entry) = self.any_version(&lookup.name) else { continue };
            if !known.insert(entry.meta.uid.clone()) {
                continue;
            }
            match (lookup.detail, self.whole(entry)) {
                (Detail::Whole, Ok(object)) => snapshot.objects.push(object),
                (Detail::Metadata, Ok(object)) => snapshot.objects.push(Object { body: None, ..object }),
                (_, Err(gap)) => snapshot.gaps.push(gap),
            }
        }
        snapshot.gaps.sort();
        snapshot.gaps.dedup();
    }

    /// The objects of a kind, for a hint or a choice.
    pub fn names(&self, kind: &Kind) -> Vec<Named> {
        let of_kind = self.entries.iter().filter(|entry| entry.kind.group_kind() == kind.group_kind());
        let named = |entry: &DumpEntry| Named {
            name: entry.meta.name.name.clone(),
            namespace: entry.meta.name.namespace.clone().unwrap_or_default(),
        };
        of_kind.map(named).collect()
    }

    /// The only namespace of the dump, if there is just one; else the one that is meant when nothing is said.
    pub fn namespace(&self) -> &str {
        let mut names = self.entries.iter().filter_map(|entry| entry.meta.name.namespace.as_deref());
        match names.next() {
            Some(first) if names.all(|name| name == first) => first,
            _ => "default",
        }
    }

    fn any_version(&self, name: &ObjectName) -> Option<&DumpEntry> {
        let kind = GroupKind::of(&name.api_version, &name.kind);
        let is = |entry: &&DumpEntry| {
            let known = &entry.meta.name;
            known.name == name.name && known.namespace == name.namespace && entry.kind.group_kind() == kind
        };
        self.entries.iter().find(is)
    }

    fn whole(&self, entry: &DumpEntry) -> Result<Object, crate::model::gap::Gap> {
        let body = self.body(entry)?;
        Ok(Object { kind: Arc::clone(&entry.kind), meta: entry.meta.clone(), body: Some(body) })
    }
}

fn is_wanted(entry: &DumpEntry, wanted: &Selection) -> bool {
    let there = wanted.kind.scope == KindScope::Cluster
        || wanted.namespace.is_none()
        || wanted.namespace == entry.meta.name.namespace;
    let chosen = match &wanted.which {
        Select::Named(name) => entry.meta.name.name == *name,
        Select::All(selector) | Select::Any(selector) => selector.matches(&entry.meta.labels),
    };
    there && chosen && entry.kind.group_kind() == wanted.kind.group_kind()
}

fn is_there(entry: &DumpEntry, reach: &Reach) -> bool {
    match reach {
        Reach::Namespace(namespace) => entry.meta.name.namespace.as_ref() == Some(namespace),
        Reach::Cluster => true,
    }
}

/// The metadata, when the object names an owner or a clue points at it.
fn kept(entry: &DumpEntry, candidates: &CandidateFilter) -> Option<Object> {
    let meta = &entry.meta;
    let marks =
        meta.labels.iter().chain(&meta.annotations).map(|(key, value)| (key.as_str(), value.as_str()));
    let candidate = candidates.matches(&entry.kind, &meta.name.name, marks);
    if meta.owners.is_empty() && !candidate {
        return None;
    }
    let mut meta = meta.clone();
    if !candidate && candidates.keep_labels == KeepLabels::Candidates {
        (meta.labels, meta.annotations) = Default::default();
    }
    Some(Object { kind: Arc::clone(&entry.kind), meta, body: None })
}
