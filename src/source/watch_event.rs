//! The events of a watch, and how they change a reading.

use std::collections::{HashMap, HashSet};
use std::hash::{Hash, Hasher};
use std::sync::Arc;

use crate::model::ident::Uid;
use crate::model::json;
use crate::model::kind::{Kind, KindScope};
use crate::model::memory::MemoryShare;
use crate::model::meta::Meta;
use crate::model::object::{Detail, Object};
use crate::model::snapshot::Snapshot;
use crate::source::session::Reading;

/// What one watch covers: a kind in one namespace or in all.
#[derive(Clone, Debug)]
pub struct WatchTarget {
    pub kind: Arc<Kind>,
    /// For a namespaced kind; `None` means all namespaces.
    pub namespace: Option<String>,
}

impl WatchTarget {
    /// A kind in a namespace, which is ignored for cluster-scoped kinds.
    pub fn new(kind: &Arc<Kind>, namespace: Option<&str>) -> Self {
        let namespace = namespace.filter(|_| kind.scope == KindScope::Namespaced).map(str::to_owned);
        Self { kind: Arc::clone(kind), namespace }
    }

    /// Whether the watch covers an object.
    pub fn contains(&self, object: &Object) -> bool {
        object.kind.is_same_resource(&self.kind)
            && (self.namespace.is_none() || object.meta.name.namespace == self.namespace)
    }
}

impl PartialEq for WatchTarget {
    fn eq(&self, other: &Self) -> bool {
        self.kind.is_same_resource(&other.kind) && self.namespace == other.namespace
    }
}

impl Eq for WatchTarget {}

impl Hash for WatchTarget {
    fn hash<H: Hasher>(&self, state: &mut H) {
        (&self.kind.plural, &self.kind.group, &self.namespace).hash(state);
    }
}

/// An object and its resource version.
#[derive(Clone, Debug)]
pub struct VersionedObject {
    pub object: Object,
    pub version: String,
}

impl VersionedObject {
    /// The same object, charged to a share for as long as it exists.
    #[must_use]
    pub fn charged_to(self, memory: &MemoryShare) -> Self {
        Self { object: self.object.charged_to(memory.clone()), ..self }
    }
}

/// An event of a watch.
#[derive(Debug)]
pub enum WatchEvent {
    /// An object was added or changed.
    Applied(Box<VersionedObject>),
    Deleted(Box<VersionedObject>),
    /// All existing objects: any other known object was deleted.
    Restarted(Vec<VersionedObject>),
    /// The watch failed with a message of the connection or the server; it is retried.
    Disconnected(String),
    Reconnected,
    /// The target cannot be watched, so it is listed periodically.
    Polled,
    /// The target cannot be listed either. Sent periodically, whenever each object should be read on its own.
    Forbidden,
}

/// An event and the watch it comes from.
#[derive(Debug)]
pub struct WatchMessage {
    pub target: WatchTarget,
    pub event: WatchEvent,
}

/// The effect of an event on a snapshot.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct WatchEffect {
    /// Objects that are new or outdated.
    pub touched: Vec<Uid>,
    pub deleted: Vec<Uid>,
}

/// Applies an event to a reading. A new object is added if `keep` returns true. The body of a known object is kept if
/// its version is current; otherwise it is dropped and read again.
pub fn apply(reading: &mut Reading, message: WatchMessage, keep: impl Fn(&Object) -> bool) -> WatchEffect {
    let mut effect = WatchEffect::default();
    match message.event {
        WatchEvent::Applied(versioned) => {
            let meta = &versioned.object.meta;
            let at = reading.snapshot.objects.iter().position(|known| is_same(&known.meta, meta));
            effect.touched.extend(update(reading, at, *versioned, &keep));
        }
        WatchEvent::Deleted(versioned) => {
            let is_deleted = |known: &Object| is_same(&known.meta, &versioned.object.meta);
            effect.deleted = remove(reading, is_deleted);
        }
        WatchEvent::Restarted(all) => {
            let listed: HashSet<(&str, &str)> = all.iter().map(|one| key(&one.object.meta)).collect();
            let is_deleted =
                |known: &Object| message.target.contains(known) && !listed.contains(&key(&known.meta));
            effect.deleted = remove(reading, is_deleted);
            let known = reading.snapshot.objects.iter().enumerate();
            let known: HashMap<(String, String), usize> =
                known.map(|(at, object)| (owned(key(&object.meta)), at)).collect();
            for versioned in all {
                let at = known.get(&owned(key(&versioned.object.meta))).copied();
                effect.touched.extend(update(reading, at, versioned, &keep));
            }
        }
        WatchEvent::Disconnected(_)
        | WatchEvent::Reconnected
        | WatchEvent::Polled
        | WatchEvent::Forbidden => {}
    }
    effect
}

/// Identifies an object by uid, or by namespace and name: objects of some aggregated APIs have no uid.
fn key(meta: &Meta) -> (&str, &str) {
    match meta.uid.0.as_str() {
        "" => (meta.name.namespace.as_deref().unwrap_or_default(), &meta.name.name),
        uid => ("", uid),
    }
}

fn owned(key: (&str, &str)) -> (String, String) {
    (key.0.to_owned(), key.1.to_owned())
}

fn is_same(a: &Meta, b: &Meta) -> bool {
    if a.uid.0.is_empty() { a.name == b.name } else { a.uid == b.uid }
}

fn update(
    reading: &mut Reading,
    at: Option<usize>,
    versioned: VersionedObject,
    keep: impl Fn(&Object) -> bool,
) -> Option<Uid> {
    let VersionedObject { object, version } = versioned;
    let (name, uid) = (object.meta.name.clone(), object.meta.uid.clone());
    let objects = &mut reading.snapshot.objects;
    match at {
        Some(at) if is_as_of(&objects[at], &version) => return None,
        Some(at) => objects[at] = object,
        None if keep(&object) => objects.push(object),
        None => return None,
    }
    // Earlier results for this name may be outdated.
    reading.attempts.forget(&name);
    reading.snapshot.absent.retain(|absent| *absent != name);
    Some(uid)
}

/// Whether the body of an object was read at this version.
fn is_as_of(object: &Object, version: &str) -> bool {
    let known =
        object.body(Detail::Pruned).and_then(|body| json::text(body, &["metadata", "resourceVersion"]));
    !version.is_empty() && known == Some(version)
}

fn remove(reading: &mut Reading, is_deleted: impl Fn(&Object) -> bool) -> Vec<Uid> {
    let objects = &mut reading.snapshot.objects;
    let (deleted, left): (Vec<Object>, _) = std::mem::take(objects).into_iter().partition(is_deleted);
    *objects = left;
    for object in &deleted {
        reading.attempts.forget(&object.meta.name);
    }
    deleted.into_iter().map(|object| object.meta.uid).collect()
}

/// Drops the bodies of some objects, so that they are read again.
pub fn invalidate(reading: &mut Reading, is_stale: impl Fn(&Object) -> bool) {
    for object in &mut reading.snapshot.objects {
        if object.detail() > Detail::Metadata && is_stale(object) {
            object.drop_body();
            reading.attempts.forget(&object.meta.name);
        }
    }
}

/// Merges a new snapshot into a reading. A watch is more recent than a list, so watched objects stay as they are, and
/// the snapshot only adds objects that are not known yet and not deleted.
pub fn merge(
    reading: &mut Reading,
    fresh: Snapshot,
    is_watched: impl Fn(&Object) -> bool,
    is_deleted: impl Fn(&Uid) -> bool,
) {
    let Snapshot { objects, kinds, counts, coverage, .. } = fresh;
    let Reading { snapshot, attempts } = reading;
    snapshot.objects.retain(|object| is_watched(object));
    let known: HashMap<(String, String), usize> =
        snapshot.objects.iter().enumerate().map(|(at, object)| (owned(key(&object.meta)), at)).collect();
    for object in objects.into_iter().filter(|object| !is_deleted(&object.meta.uid)) {
        match known.get(&owned(key(&object.meta))).map(|at| &mut snapshot.objects[*at]) {
            // The root is read whole.
            Some(known) if known.detail() < object.detail() => *known = object,
            Some(_) => {}
            None => snapshot.objects.push(object),
        }
    }
    // Absent objects may exist by now.
    snapshot.absent.clear();
    let names: HashSet<_> = snapshot.objects.iter().map(|object| &object.meta.name).collect();
    attempts.forget_unless(|name| names.contains(name));
    snapshot.coverage.gaps.retain(|gap| gap.verb == "get");
    snapshot.coverage.add_gaps(coverage.gaps);
    snapshot.coverage.kinds = coverage.kinds;
    (snapshot.kinds, snapshot.counts) = (kinds, counts);
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::model::fetch_plan::{FetchAttempts, FetchPlan};
    use crate::model::ident::ObjectName;

    fn kind(plural: &str) -> Arc<Kind> {
        Arc::new(Kind {
            version: "v1".into(),
            kind: plural.to_uppercase(),
            plural: plural.into(),
            ..Kind::default()
        })
    }

    fn object(plural: &str, name: &str, uid: &str, version: Option<&str>) -> Object {
        let kind = kind(plural);
        let name = ObjectName {
            api_version: "v1".into(),
            kind: kind.kind.clone(),
            namespace: Some("shop".into()),
            name: name.into(),
        };
        let meta = Meta { name, uid: Uid(uid.into()), ..Meta::default() };
        match version {
            None => Object::metadata(kind, meta),
            Some(version) => {
                let body = json!({"metadata": {"resourceVersion": version}});
                Object::with_body(kind, meta, body, Detail::Whole)
            }
        }
    }

    fn snapshot(objects: Vec<Object>) -> Snapshot {
        Snapshot { roots: vec![Uid("root".into())], objects, ..Snapshot::default() }
    }

    /// A reading after an attempt to read every object.
    fn reading(objects: Vec<Object>) -> Reading {
        let (snapshot, mut attempts) = (snapshot(objects), FetchAttempts::default());
        let mut plan = FetchPlan::default();
        (0..snapshot.objects.len()).for_each(|index| plan.want(index, Detail::Pruned));
        attempts.record(&plan, &snapshot);
        Reading { snapshot, attempts }
    }

    fn describe(reading: &Reading) -> Vec<String> {
        let lines = reading.snapshot.objects.iter().map(|object| {
            let tried = reading.attempts.contains(&object.meta.name);
            format!(
                "{} {} body {} tried {tried}",
                object.meta.name.name,
                object.meta.uid,
                object.whole().is_some()
            )
        });
        lines.collect()
    }

    fn versioned(plural: &str, name: &str, uid: &str, version: &str) -> VersionedObject {
        VersionedObject { object: object(plural, name, uid, None), version: version.into() }
    }

    fn of(plural: &str, event: WatchEvent) -> WatchMessage {
        WatchMessage { target: WatchTarget::new(&kind(plural), Some("shop")), event }
    }

    fn uids(words: &[&str]) -> Vec<Uid> {
        words.iter().map(|word| Uid((*word).to_owned())).collect()
    }

    #[test]
    fn a_changed_object_is_read_again_and_an_unchanged_one_is_not() {
        let mut known =
            reading(vec![object("pods", "a", "1", Some("5")), object("pods", "b", "2", Some("6"))]);
        let same = of("pods", WatchEvent::Applied(Box::new(versioned("pods", "a", "1", "5"))));
        assert_eq!(apply(&mut known, same, |_| true), WatchEffect::default());
        let changed = of("pods", WatchEvent::Applied(Box::new(versioned("pods", "b", "2", "7"))));
        assert_eq!(apply(&mut known, changed, |_| false).touched, uids(&["2"]));
        assert_eq!(describe(&known), ["a 1 body true tried true", "b 2 body false tried false"]);
    }

    #[test]
    fn a_new_object_is_added_if_kept_and_is_no_longer_absent() {
        let mut known = reading(Vec::new());
        known.snapshot.absent.push(object("pods", "a", "", None).meta.name);
        let mut plan = FetchPlan::default();
        plan.look_up(object("pods", "a", "", None).meta.name, Detail::Whole);
        known.attempts.record(&plan, &known.snapshot);
        let new = || of("pods", WatchEvent::Applied(Box::new(versioned("pods", "a", "1", "5"))));
        assert_eq!(apply(&mut known, new(), |_| false), WatchEffect::default());
        assert_eq!(apply(&mut known, new(), |_| true).touched, uids(&["1"]));
        assert_eq!(describe(&known), ["a 1 body false tried false"]);
        assert!(known.snapshot.absent.is_empty());
    }

    #[test]
    fn a_restart_removes_the_other_objects_of_its_target_only() {
        let mut known = reading(vec![
            object("pods", "a", "1", Some("5")),
            object("pods", "b", "2", Some("6")),
            object("maps", "c", "3", None),
        ]);
        let all = vec![versioned("pods", "a", "1", "5"), versioned("pods", "b", "9", "8")];
        let effect = apply(&mut known, of("pods", WatchEvent::Restarted(all)), |_| true);
        assert_eq!(effect, WatchEffect { touched: uids(&["9"]), deleted: uids(&["2"]) });
        assert_eq!(
            describe(&known),
            ["a 1 body true tried true", "c 3 body false tried true", "b 9 body false tried false"]
        );
    }

    #[test]
    fn a_restart_in_one_namespace_does_not_affect_another() {
        let mut known = reading(vec![object("pods", "a", "1", None)]);
        let target = WatchTarget::new(&kind("pods"), Some("elsewhere"));
        let effect =
            apply(&mut known, WatchMessage { target, event: WatchEvent::Restarted(Vec::new()) }, |_| true);
        assert_eq!(effect, WatchEffect::default());
    }

    #[test]
    fn a_deleted_object_is_removed() {
        let mut known = reading(vec![object("pods", "a", "1", None), object("pods", "b", "2", None)]);
        let gone = of("pods", WatchEvent::Deleted(Box::new(versioned("pods", "a", "1", "9"))));
        assert_eq!(apply(&mut known, gone, |_| true).deleted, uids(&["1"]));
        assert_eq!(describe(&known), ["b 2 body false tried true"]);
    }

    #[test]
    fn merging_adds_objects_and_leaves_watched_ones_as_they_are() {
        let mut known = reading(vec![object("pods", "a", "1", Some("5")), object("maps", "old", "3", None)]);
        let fresh = snapshot(vec![
            object("pods", "a", "1", None),
            object("pods", "ghost", "2", None),
            object("maps", "new", "4", None),
        ]);
        merge(&mut known, fresh, |object| object.kind.plural == "pods", |uid| uid.0 == "2");
        assert_eq!(describe(&known), ["a 1 body true tried true", "new 4 body false tried false"]);
    }

    #[test]
    fn invalidated_objects_are_read_again() {
        let mut known =
            reading(vec![object("pods", "a", "1", Some("5")), object("maps", "b", "2", Some("5"))]);
        invalidate(&mut known, |object| object.kind.plural == "pods");
        assert_eq!(describe(&known), ["a 1 body false tried false", "b 2 body true tried true"]);
    }
}
