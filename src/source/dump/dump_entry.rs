//! One object of a dump, and which copy is kept when the dump contains it twice.

use std::cmp::Ordering;
use std::collections::HashMap;
use std::sync::Arc;

use super::index::{BodyLocation, IndexedObject, ObservedKind};
use super::kinds::Kinds;
use crate::model::ident::{ObjectName, Uid};
use crate::model::kind::{Kind, KindScope};
use crate::model::meta::Meta;

/// An object: its metadata, and the location of its complete text.
#[derive(Clone, Debug)]
pub struct DumpEntry {
    pub kind: Arc<Kind>,
    pub meta: Meta,
    /// Empty when the dump does not have one.
    pub resource_version: String,
    pub(super) location: BodyLocation,
}

/// The objects, each once, ordered by kind, namespace and name.
pub(super) fn entries(
    objects: Vec<IndexedObject>,
    observed_kinds: &[ObservedKind],
    kinds: &Kinds,
) -> Vec<DumpEntry> {
    let ranks: Vec<Option<usize>> =
        observed_kinds.iter().map(|observed| kinds.position(&observed.group_kind)).collect();
    let ranked = |object: IndexedObject| {
        let rank = ranks.get(object.kind_index?).copied().flatten()?;
        Some(Ranked { rank, entry: entry(object, kinds.all.get(rank)?) })
    };
    let mut found: Vec<Ranked> = objects.into_iter().filter_map(ranked).collect();
    // Stable: of two equal copies, the one read first stays first.
    found.sort_by(|a, b| {
        let (name_a, name_b) = (&a.entry.meta.name, &b.entry.meta.name);
        let names = || name_a.namespace.cmp(&name_b.namespace).then_with(|| name_a.name.cmp(&name_b.name));
        a.rank.cmp(&b.rank).then_with(names)
    });
    found.dedup_by(|later, kept| {
        let is_same = later.entry.meta.name == kept.entry.meta.name;
        if is_same && compare_age(&later.entry, &kept.entry) == Ordering::Greater {
            std::mem::swap(later, kept);
        }
        is_same
    });
    dedup_by_uid(found.into_iter().map(|ranked| ranked.entry).collect())
}

/// An object, and the position of its kind in discovery order.
struct Ranked {
    rank: usize,
    entry: DumpEntry,
}

fn entry(object: IndexedObject, kind: &Arc<Kind>) -> DumpEntry {
    let namespace = match kind.scope {
        KindScope::Cluster => None,
        // As a server would default it.
        KindScope::Namespaced => Some(object.namespace.unwrap_or_else(|| "default".to_owned())),
    };
    let name =
        ObjectName { api_version: kind.api_version(), kind: kind.kind.clone(), namespace, name: object.name };
    // A manifest that was never applied has no uid; no real uid has this form.
    let uid = if object.uid.is_empty() {
        format!("{}/{}/{}", kind.full_name(), name.namespace.as_deref().unwrap_or_default(), name.name)
    } else {
        object.uid
    };
    DumpEntry {
        kind: Arc::clone(kind),
        meta: Meta {
            name,
            uid: Uid(uid),
            created: object.created,
            deleted: object.deleted,
            finalizers: object.finalizers,
            owners: object.owners,
            labels: object.labels,
            annotations: object.annotations,
        },
        resource_version: object.resource_version,
        location: object.location,
    }
}

/// Keeps one copy of objects that are served in two API groups.
fn dedup_by_uid(entries: Vec<DumpEntry>) -> Vec<DumpEntry> {
    let mut best: HashMap<Uid, usize> = HashMap::with_capacity(entries.len());
    for (at, entry) in entries.iter().enumerate() {
        let kept = best.entry(entry.meta.uid.clone()).or_insert(at);
        if compare_age(entry, &entries[*kept]) == Ordering::Greater {
            *kept = at;
        }
    }
    if best.len() == entries.len() {
        return entries;
    }
    let keeps = |(at, entry): (usize, DumpEntry)| (best.get(&entry.meta.uid) == Some(&at)).then_some(entry);
    entries.into_iter().enumerate().filter_map(keeps).collect()
}

/// Compares which of two copies is newer: by resource version, then by creation time.
fn compare_age(a: &DumpEntry, b: &DumpEntry) -> Ordering {
    let count = |entry: &DumpEntry| entry.resource_version.parse::<u64>().ok();
    let counts = match (count(a), count(b)) {
        (Some(a), Some(b)) => a.cmp(&b),
        _ => Ordering::Equal,
    };
    counts.then_with(|| a.meta.created.cmp(&b.meta.created))
}
