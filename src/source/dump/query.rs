//! Reads the same queries from a dump as from a cluster. An object that is not in the dump may exist in the cluster, so
//! no object is ever reported as absent.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use super::{Dump, DumpEntry, body};
use crate::error::{Failure, FailureKind};
use crate::known::kinds::{current, is_listed_whole};
use crate::model::coverage::{Coverage, Scope};
use crate::model::fetch_plan::FetchPlan;
use crate::model::gap::Gap;
use crate::model::ident::{GroupKind, ObjectName, Uid};
use crate::model::kind::Kind;
use crate::model::object::{Detail, Object};
use crate::model::snapshot::Snapshot;
use crate::source::keep::{KeepDecision, KeepFilter};
use crate::source::query::{KindSet, Query, is_within};
use crate::source::selection::{Discovered, NamespacedName, Select, Selection};
use crate::source::{memory, trim};

impl Dump {
    /// Reads a query.
    pub fn read_query(&self, discovered: &Discovered, query: &Query<'_>) -> Result<Snapshot, Failure> {
        let scope = &query.scope;
        let mut gaps = discovered.gaps.clone();
        let roots = self.read_roots(query.roots, &mut gaps)?;
        let keep = query.keep.resolve(&roots, &self.kinds.all);
        let uids: Vec<Uid> = roots.iter().map(|root| root.meta.uid.clone()).collect();
        let known: HashSet<Uid> = uids.iter().cloned().collect();
        let (mut objects, mut counts) = (roots, HashMap::new());
        let is_listed = |entry: &&DumpEntry| {
            query.kinds.contains(&entry.kind)
                && is_within(&entry.kind, scope)
                && (is_in_scope(entry, scope) || query.may_attach(&entry.kind))
        };
        for entry in self.entries.iter().filter(is_listed) {
            *counts.entry(entry.kind.full_name()).or_default() += 1;
            if known.contains(&entry.meta.uid) {
                continue;
            }
            let least = if query.may_attach(&entry.kind) { Detail::Whole } else { Detail::Metadata };
            match self.kept(entry, &keep, query.detail.max(least)) {
                Ok(kept) => objects.extend(kept),
                Err(gap) => gaps.push(gap),
            }
        }
        if query.kinds != KindSet::None {
            gaps.extend(self.missing(scope));
        }
        let listed = query.kinds.select(&discovered.kinds);
        let kind_count = match listed.iter().filter(|kind| is_within(kind, scope)).count() {
            0 => query.roots.iter().map(|root| root.kind.full_name()).collect::<HashSet<_>>().len(),
            count => count,
        };
        let mut coverage =
            Coverage { kinds: kind_count, scope: scope.clone(), now: self.now, ..Coverage::default() };
        coverage.add_gaps(gaps);
        let kinds = Arc::clone(&self.kinds.all);
        Ok(Snapshot { roots: uids, objects, kinds, counts, coverage, ..Snapshot::default() })
    }

    fn read_roots(&self, selections: &[Selection], gaps: &mut Vec<Gap>) -> Result<Vec<Object>, Failure> {
        let mut roots = Vec::new();
        for selection in selections {
            let before = roots.len();
            let mut unreadable = None;
            for entry in self.entries.iter().filter(|entry| selection.contains(&entry.kind, &entry.meta)) {
                match self.object(entry, Detail::WithManagedFields) {
                    Ok(object) => roots.push(object),
                    Err(gap) => {
                        unreadable = Some(format!("{}: {}", gap.what(), gap.message));
                        gaps.push(gap);
                    }
                }
            }
            if let (Select::Named(name), true) = (&selection.objects, roots.len() == before) {
                let kind = selection.kind.full_name();
                return Err(match unreadable {
                    Some(why) => {
                        let message = format!("{kind} \"{name}\" cannot be read: {why}");
                        Failure::new(FailureKind::Server, message)
                    }
                    None => Failure::new(FailureKind::NotFound, format!("{kind} \"{name}\" not found")),
                });
            }
        }
        Ok(roots)
    }

    /// Adds the objects of a plan to a snapshot.
    pub fn fetch(&self, snapshot: &mut Snapshot, plan: &FetchPlan) {
        let by_name: HashMap<&ObjectName, &DumpEntry> =
            self.entries.iter().map(|entry| (&entry.meta.name, entry)).collect();
        let mut gaps = Vec::new();
        for (index, detail) in &plan.bodies {
            let name = &snapshot.objects[*index].meta.name;
            match by_name.get(name).map(|entry| self.object(entry, *detail)) {
                Some(Ok(object)) => snapshot.objects[*index] = object,
                Some(Err(gap)) => gaps.push(gap),
                None => {}
            }
        }
        let mut known: HashSet<_> = snapshot.objects.iter().map(|object| object.meta.uid.clone()).collect();
        for (name, detail) in &plan.named {
            let Some(entry) = self.in_any_version(name) else { continue };
            if !known.insert(entry.meta.uid.clone()) {
                continue;
            }
            match self.object(entry, *detail) {
                Ok(object) => snapshot.objects.push(object),
                Err(gap) => gaps.push(gap),
            }
        }
        let is_listed = |entry: &&DumpEntry| {
            let namespace = entry.meta.name.namespace.as_deref();
            let mut lists = plan.lists.iter();
            !entry.meta.owners.is_empty()
                && lists.any(|list| {
                    Some(list.namespace.as_str()) == namespace && list.kind == entry.kind.group_kind()
                })
        };
        for entry in self.entries.iter().filter(is_listed).filter(|_| !plan.lists.is_empty()) {
            if known.insert(entry.meta.uid.clone()) {
                snapshot.objects.push(Object::metadata(Arc::clone(&entry.kind), entry.meta.clone()));
            }
        }
        snapshot.coverage.add_gaps(gaps);
    }

    /// The objects of a kind, for a hint or a prompt.
    pub fn names(&self, kind: &Kind) -> Vec<NamespacedName> {
        let of_kind = self.entries.iter().filter(|entry| entry.kind.group_kind() == kind.group_kind());
        let named = |entry: &DumpEntry| NamespacedName {
            name: entry.meta.name.name.clone(),
            namespace: entry.meta.name.namespace.clone().unwrap_or_default(),
        };
        of_kind.map(named).collect()
    }

    fn in_any_version(&self, name: &ObjectName) -> Option<&DumpEntry> {
        let kind = current(GroupKind::of(&name.api_version, &name.kind));
        let is_same_object = |entry: &&DumpEntry| {
            let known = &entry.meta.name;
            known.name == name.name && known.namespace == name.namespace && entry.kind.group_kind() == kind
        };
        self.entries.iter().find(is_same_object)
    }

    /// An object with as much of its body as `detail` asks for.
    fn object(&self, entry: &DumpEntry, detail: Detail) -> Result<Object, Gap> {
        if detail == Detail::Metadata {
            return Ok(Object::metadata(Arc::clone(&entry.kind), entry.meta.clone()));
        }
        // Objects of a dump are not pruned: that would save nothing.
        let body = self.body(entry)?;
        let meta = entry.meta.clone();
        let read = match body.pointer("/metadata/managedFields") {
            Some(_) => Detail::WithManagedFields,
            None => Detail::Whole,
        };
        Ok(match trim::object(&entry.kind, body, read) {
            // The index knows the namespace and uid of objects that lack them in their JSON.
            Some(mut object) => {
                object.meta = meta;
                let share = self.memory.reserve(memory::object(&object));
                object.charged_to(share.map_err(|over| body::over_budget_gap(&entry.location, over))?)
            }
            None => Object::metadata(Arc::clone(&entry.kind), meta),
        })
    }

    /// A listed object; `None` if it is not kept.
    fn kept(&self, entry: &DumpEntry, keep: &KeepFilter, detail: Detail) -> Result<Option<Object>, Gap> {
        let meta = &entry.meta;
        if detail > Detail::Metadata {
            let object = self.object(entry, detail)?;
            return Ok((keep.decide_object(&object) != KeepDecision::No).then_some(object));
        }
        let kept = keep.decide_meta(&entry.kind, meta);
        if kept == KeepDecision::No {
            return Ok(None);
        }
        if is_listed_whole(&entry.kind) {
            return self.object(entry, Detail::Pruned).map(Some);
        }
        let mut meta = meta.clone();
        if kept == KeepDecision::WithoutLabels {
            (meta.labels, meta.annotations) = Default::default();
        }
        Ok(Some(Object::metadata(Arc::clone(&entry.kind), meta)))
    }
}

fn is_in_scope(entry: &DumpEntry, scope: &Scope) -> bool {
    scope.namespace().is_none_or(|namespace| entry.meta.name.namespace.as_deref() == Some(namespace))
}
