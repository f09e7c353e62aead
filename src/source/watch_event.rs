//! What a watch reports, and what that makes of a reading.

use std::collections::{HashMap, HashSet};
use std::hash::{Hash, Hasher};
use std::sync::Arc;

use crate::model::ident::Uid;
use crate::model::json;
use crate::model::kind::{Kind, KindScope};
use crate::model::meta::Meta;
use crate::model::object::{Detail, Object};
use crate::model::snapshot::Snapshot;
use crate::source::session::Reading;

/// A kind in a namespace, or in all of them: what one watch is about.
#[derive(Clone, Debug)]
pub struct WatchTarget {
    pub kind: Arc<Kind>,
    /// For a namespaced kind; nothing means all namespaces.
    pub namespace: Option<String>,
}

impl WatchTarget {
    /// A kind in a namespace, as far as it is in one.
    pub fn new(kind: &Arc<Kind>, namespace: Option<&str>) -> Self {
        let namespace = namespace.filter(|_| kind.scope == KindScope::Namespaced).map(str::to_owned);
        Self { kind: Arc::clone(kind), namespace }
    }

    /// Whether an object is in it.
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

/// An object, and the resource version it was read at.
#[derive(Clone, Debug)]
pub struct VersionedObject {
    pub object: Object,
    pub version: String,
}

/// What a watch reports.
#[derive(Debug)]
pub enum WatchEvent {
    /// An object was added or changed.
    Applied(Box<VersionedObject>),
    Deleted(Box<VersionedObject>),
    /// Everything that exists: what was known and is not among it was deleted.
    Restarted(Vec<VersionedObject>),
    /// The watch broke, in the connection's or the server's words; it is tried again.
    Disconnected(String),
    Reconnected,
    /// It is not allowed or not possible: the target is listed from time to time.
    Polled,
    /// Neither is listing. Sent again and again, as often as somebody should read each object by itself.
    Forbidden,
}

/// An event, and which watch it comes from.
#[derive(Debug)]
pub struct WatchMessage {
    pub target: WatchTarget,
    pub event: WatchEvent,
}

/// What an event did to a snapshot.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct WatchEffect {
    /// Objects that are new, or whose known state is out of date.
    pub touched: Vec<Uid>,
    pub deleted: Vec<Uid>,
}

/// Applies an event to a reading. An object that is not known yet is added when `keep` says so. A body that is known
/// in just this state stays; any other is dropped, so that it is read again.
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

/// An object by its uid; those of some aggregated APIs have a name only.
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
    // Whatever was found out about that name before may have changed.
    reading.attempts.forget(&name);
    reading.snapshot.absent.retain(|absent| *absent != name);
    Some(uid)
}

/// Whether the body of an object is known in just this version.
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

/// Adds to a reading what another full one found. A watch knows better than a list, which may be a moment old: what
/// is watched stays as it is, and the list only adds to it what was of no interest before and is not deleted.
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
            // The root comes whole.
            Some(known) if known.detail() < object.detail() => *known = object,
            Some(_) => {}
            None => snapshot.objects.push(object),
        }
    }
    // What was named and did not exist may exist by now.
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

    /// A reading that has tried to read every object.
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

    fn there(plural: &str, name: &str, uid: &str, version: &str) -> VersionedObject {
        VersionedObject { object: object(plural, name, uid, None), version: version.into() }
    }

    fn of(plural: &str, event: WatchEvent) -> WatchMessage {
        WatchMessage { target: WatchTarget::new(&kind(plural), Some("shop")), event }
    }

    fn uids(words: &[&str]) -> Vec<Uid> {
        words.iter().map(|word| Uid((*word).to_owned())).collect()
    }

    #[test]
    fn a_changed_object_is_to_be_read_again_and_one_in_the_known_state_is_not() {
        let mut known =
            reading(vec![object("pods", "a", "1", Some("5")), object("pods", "b", "2", Some("6"))]);
        let same = of("pods", WatchEvent::Applied(Box::new(there("pods", "a", "1", "5"))));
        assert_eq!(apply(&mut known, same, |_| true), WatchEffect::default());
        let changed = of("pods", WatchEvent::Applied(Box::new(there("pods", "b", "2", "7"))));
        assert_eq!(apply(&mut known, changed, |_| false).touched, uids(&["2"]));
        assert_eq!(describe(&known), ["a 1 body true tried true", "b 2 body false tried false"]);
    }

    #[test]
    fn a_new_object_is_kept_when_it_is_wanted_and_stands_for_an_absent_one() {
        let mut known = reading(Vec::new());
        known.snapshot.absent.push(object("pods", "a", "", None).meta.name);
        let mut plan = FetchPlan::default();
        plan.look_up(object("pods", "a", "", None).meta.name, Detail::Whole);
        known.attempts.record(&plan, &known.snapshot);
        let new = || of("pods", WatchEvent::Applied(Box::new(there("pods", "a", "1", "5"))));
        assert_eq!(apply(&mut known, new(), |_| false), WatchEffect::default());
        assert_eq!(apply(&mut known, new(), |_| true).touched, uids(&["1"]));
        assert_eq!(describe(&known), ["a 1 body false tried false"]);
        assert!(known.snapshot.absent.is_empty());
    }

    #[test]
    fn everything_of_a_place_takes_away_what_is_not_among_it_and_nothing_else() {
        let mut known = reading(vec![
            object("pods", "a", "1", Some("5")),
            object("pods", "b", "2", Some("6")),
            object("maps", "c", "3", None),
        ]);
        let all = vec![there("pods", "a", "1", "5"), there("pods", "b", "9", "8")];
        let effect = apply(&mut known, of("pods", WatchEvent::Restarted(all)), |_| true);
        assert_eq!(effect, WatchEffect { touched: uids(&["9"]), deleted: uids(&["2"]) });
        assert_eq!(
            describe(&known),
            ["a 1 body true tried true", "c 3 body false tried true", "b 9 body false tried false"]
        );
    }

    #[test]
    fn a_place_in_one_namespace_says_nothing_about_another() {
        let mut known = reading(vec![object("pods", "a", "1", None)]);
        let target = WatchTarget::new(&kind("pods"), Some("elsewhere"));
        let effect =
            apply(&mut known, WatchMessage { target, event: WatchEvent::Restarted(Vec::new()) }, |_| true);
        assert_eq!(effect, WatchEffect::default());
    }

    #[test]
    fn a_deleted_object_goes() {
        let mut known = reading(vec![object("pods", "a", "1", None), object("pods", "b", "2", None)]);
        let gone = of("pods", WatchEvent::Deleted(Box::new(there("pods", "a", "1", "9"))));
        assert_eq!(apply(&mut known, gone, |_| true).deleted, uids(&["1"]));
        assert_eq!(describe(&known), ["b 2 body false tried true"]);
    }

    #[test]
    fn another_look_adds_and_leaves_what_is_watched_as_it_is() {
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
    fn doubt_has_objects_read_again() {
        let mut known =
            reading(vec![object("pods", "a", "1", Some("5")), object("maps", "b", "2", Some("5"))]);
        invalidate(&mut known, |object| object.kind.plural == "pods");
        assert_eq!(describe(&known), ["a 1 body false tried false", "b 2 body true tried true"]);
    }
}
