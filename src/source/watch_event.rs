//! What a watch tells, and what that makes of a snapshot.

use std::collections::{HashMap, HashSet};
use std::hash::{Hash, Hasher};
use std::sync::Arc;

use serde_json::Value;

use crate::model::ident::Uid;
use crate::model::json;
use crate::model::kind::{Kind, KindScope};
use crate::model::meta::Meta;
use crate::model::snapshot::{Object, Snapshot};

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
    pub fn holds(&self, object: &Object) -> bool {
        object.kind.plural == self.kind.plural
            && object.kind.group == self.kind.group
            && (self.namespace.is_none() || object.meta.name.namespace == self.namespace)
    }
}

impl PartialEq for WatchTarget {
    fn eq(&self, other: &Self) -> bool {
        self.kind.plural == other.kind.plural
            && self.kind.group == other.kind.group
            && self.namespace == other.namespace
    }
}

impl Eq for WatchTarget {}

impl Hash for WatchTarget {
    fn hash<H: Hasher>(&self, state: &mut H) {
        (&self.kind.plural, &self.kind.group, &self.namespace).hash(state);
    }
}

/// An object as it was seen, and the server's mark for that state of it.
#[derive(Clone, Debug)]
pub struct VersionedObject {
    pub object: Object,
    pub version: String,
}

/// What a watch tells.
#[derive(Debug)]
pub enum WatchEvent {
    /// An object is there, new or changed.
    There(Box<VersionedObject>),
    Gone(Box<VersionedObject>),
    /// Everything that is there: what was known and is not among it is gone.
    All(Vec<VersionedObject>),
    /// The watch broke, in the connection's or the server's words; it is tried again.
    Lost(String),
    /// It goes on.
    Back,
    /// It is not allowed or not possible: the place is listed from time to time.
    Polled,
    /// Neither is listing. Told again and again, as often as somebody should look after each object by itself.
    Shut,
}

/// A place and what is told about it.
#[derive(Debug)]
pub struct WatchMessage {
    pub place: WatchTarget,
    pub event: WatchEvent,
}

/// What event did to a snapshot.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Effect {
    /// Objects that are new, or whose known state is out of date.
    pub touched: Vec<Uid>,
    pub gone: Vec<Uid>,
}

/// Brings objects of a place up to date. What is not known yet is added when `keep` says so. A body that is known in
/// just this state stays; any other is dropped and can be read again.
pub fn apply(snapshot: &mut Snapshot, message: WatchMessage, keep: impl Fn(&Object) -> bool) -> Effect {
    let mut effect = Effect::default();
    match message.event {
        WatchEvent::There(versioned) => {
            let at = snapshot.objects.iter().position(|known| is_same(&known.meta, &versioned.object.meta));
            effect.touched.extend(see(snapshot, at, *versioned, &keep));
        }
        WatchEvent::Gone(versioned) => {
            let gone = |known: &Object| is_same(&known.meta, &versioned.object.meta);
            effect.gone = forget(snapshot, gone);
        }
        WatchEvent::All(all) => {
            let there: HashSet<(&str, &str)> = all.iter().map(|one| key(&one.object.meta)).collect();
            let gone = |known: &Object| message.place.holds(known) && !there.contains(&key(&known.meta));
            effect.gone = forget(snapshot, gone);
            let known = snapshot.objects.iter().enumerate();
            let known: HashMap<(String, String), usize> =
                known.map(|(at, object)| (owned(key(&object.meta)), at)).collect();
            for versioned in all {
                let at = known.get(&owned(key(&versioned.object.meta))).copied();
                effect.touched.extend(see(snapshot, at, versioned, &keep));
            }
        }
        WatchEvent::Lost(_) | WatchEvent::Back | WatchEvent::Polled | WatchEvent::Shut => {}
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

fn see(
    snapshot: &mut Snapshot,
    at: Option<usize>,
    versioned: VersionedObject,
    keep: impl Fn(&Object) -> bool,
) -> Option<Uid> {
    let VersionedObject { object, version } = versioned;
    let (name, uid) = (object.meta.name.clone(), object.meta.uid.clone());
    match at {
        Some(at) if snapshot.objects[at].body.as_ref().is_some_and(|body| is_as_of(body, &version)) => {
            return None;
        }
        Some(at) => snapshot.objects[at] = object,
        None if keep(&object) => snapshot.objects.push(object),
        None => return None,
    }
    // Whatever was said of that name before is to be asked anew.
    snapshot.tried.remove(&name);
    snapshot.absent.retain(|absent| *absent != name);
    Some(uid)
}

fn is_as_of(body: &Value, version: &str) -> bool {
    !version.is_empty() && json::text(body, &["metadata", "resourceVersion"]) == Some(version)
}

fn forget(snapshot: &mut Snapshot, is_gone: impl Fn(&Object) -> bool) -> Vec<Uid> {
    let (gone, left) = std::mem::take(&mut snapshot.objects).into_iter().partition(is_gone);
    snapshot.objects = left;
    let gone: Vec<Object> = gone;
    for object in &gone {
        snapshot.tried.remove(&object.meta.name);
    }
    gone.into_iter().map(|object| object.meta.uid).collect()
}

/// Has the objects that `is_doubted` read whole once more at the next look.
pub fn doubt(snapshot: &mut Snapshot, is_doubted: impl Fn(&Object) -> bool) {
    for object in snapshot.objects.iter_mut().filter(|object| object.body.is_some()) {
        if is_doubted(object) {
            object.body = None;
            snapshot.tried.remove(&object.meta.name);
        }
    }
}

/// Adds to a snapshot what another full look found. Where somebody watches, he knows better than a list, which may
/// be a moment old: there the look only adds what was of no interest before, and nothing that is gone.
pub fn renew(
    snapshot: &mut Snapshot,
    fresh: Snapshot,
    is_watched: impl Fn(&Object) -> bool,
    is_gone: impl Fn(&Uid) -> bool,
) {
    let Snapshot { objects, gaps, kinds, counts, kinds_asked, .. } = fresh;
    snapshot.objects.retain(|object| is_watched(object));
    let known: HashMap<(String, String), usize> =
        snapshot.objects.iter().enumerate().map(|(at, object)| (owned(key(&object.meta)), at)).collect();
    for object in objects.into_iter().filter(|object| !is_gone(&object.meta.uid)) {
        match known.get(&owned(key(&object.meta))).map(|at| &mut snapshot.objects[*at]) {
            // The root comes whole.
            Some(known) if known.body.is_none() && object.body.is_some() => *known = object,
            Some(_) => {}
            None => snapshot.objects.push(object),
        }
    }
    // What was named and not there may be there by now.
    snapshot.absent.clear();
    let there: HashSet<_> = snapshot.objects.iter().map(|object| &object.meta.name).collect();
    snapshot.tried.retain(|name| there.contains(name));
    snapshot.gaps.retain(|gap| gap.verb == "get");
    snapshot.gaps.extend(gaps);
    snapshot.gaps.sort();
    snapshot.gaps.dedup();
    (snapshot.kinds, snapshot.counts, snapshot.kinds_asked) = (kinds, counts, kinds_asked);
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::model::ident::ObjectName;
    use crate::model::snapshot::Reach;

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
        Object { kind, meta, body: version.map(|version| json!({"metadata": {"resourceVersion": version}})) }
    }

    fn snapshot(objects: Vec<Object>) -> Snapshot {
        Snapshot {
            roots: vec![Uid("root".into())],
            tried: objects.iter().map(|object| object.meta.name.clone()).collect(),
            objects,
            reach: Reach::Namespace("shop".into()),
            ..Snapshot::default()
        }
    }

    fn told(snapshot: &Snapshot) -> Vec<String> {
        let told = snapshot.objects.iter().map(|object| {
            let tried = snapshot.tried.contains(&object.meta.name);
            format!(
                "{} {} body {} tried {tried}",
                object.meta.name.name,
                object.meta.uid,
                object.body.is_some()
            )
        });
        told.collect()
    }

    fn there(plural: &str, name: &str, uid: &str, version: &str) -> VersionedObject {
        VersionedObject { object: object(plural, name, uid, None), version: version.into() }
    }

    fn of(plural: &str, event: WatchEvent) -> WatchMessage {
        WatchMessage { place: WatchTarget::new(&kind(plural), Some("shop")), event }
    }

    fn uids(words: &[&str]) -> Vec<Uid> {
        words.iter().map(|word| Uid((*word).to_owned())).collect()
    }

    #[test]
    fn a_changed_object_is_to_be_read_again_and_one_in_the_known_state_is_not() {
        let mut known =
            snapshot(vec![object("pods", "a", "1", Some("5")), object("pods", "b", "2", Some("6"))]);
        let same = of("pods", WatchEvent::There(Box::new(there("pods", "a", "1", "5"))));
        assert_eq!(apply(&mut known, same, |_| true), Effect::default());
        let changed = of("pods", WatchEvent::There(Box::new(there("pods", "b", "2", "7"))));
        assert_eq!(apply(&mut known, changed, |_| false).touched, uids(&["2"]));
        assert_eq!(told(&known), ["a 1 body true tried true", "b 2 body false tried false"]);
    }

    #[test]
    fn a_new_object_is_kept_when_it_is_wanted_and_stands_for_an_absent_one() {
        let mut known = snapshot(Vec::new());
        known.absent.push(object("pods", "a", "", None).meta.name);
        known.tried.insert(object("pods", "a", "", None).meta.name);
        let new = || of("pods", WatchEvent::There(Box::new(there("pods", "a", "1", "5"))));
        assert_eq!(apply(&mut known, new(), |_| false), Effect::default());
        assert_eq!(apply(&mut known, new(), |_| true).touched, uids(&["1"]));
        assert_eq!(told(&known), ["a 1 body false tried false"]);
        assert!(known.absent.is_empty());
    }

    #[test]
    fn everything_of_a_place_takes_away_what_is_not_among_it_and_nothing_else() {
        let mut known = snapshot(vec![
            object("pods", "a", "1", Some("5")),
            object("pods", "b", "2", Some("6")),
            object("maps", "c", "3", None),
        ]);
        let all = vec![there("pods", "a", "1", "5"), there("pods", "b", "9", "8")];
        let effect = apply(&mut known, of("pods", WatchEvent::All(all)), |_| true);
        assert_eq!(effect, Effect { touched: uids(&["9"]), gone: uids(&["2"]) });
        assert_eq!(
            told(&known),
            ["a 1 body true tried true", "c 3 body false tried true", "b 9 body false tried false"]
        );
    }

    #[test]
    fn a_place_in_one_namespace_says_nothing_about_another() {
        let mut known = snapshot(vec![object("pods", "a", "1", None)]);
        let place = WatchTarget::new(&kind("pods"), Some("elsewhere"));
        let effect = apply(&mut known, WatchMessage { place, event: WatchEvent::All(Vec::new()) }, |_| true);
        assert_eq!(effect, Effect::default());
    }

    #[test]
    fn a_deleted_object_goes() {
        let mut known = snapshot(vec![object("pods", "a", "1", None), object("pods", "b", "2", None)]);
        let gone = of("pods", WatchEvent::Gone(Box::new(there("pods", "a", "1", "9"))));
        assert_eq!(apply(&mut known, gone, |_| true).gone, uids(&["1"]));
        assert_eq!(told(&known), ["b 2 body false tried true"]);
    }

    #[test]
    fn another_look_adds_and_leaves_what_is_watched_as_it_is() {
        let mut known = snapshot(vec![object("pods", "a", "1", Some("5")), object("maps", "old", "3", None)]);
        let fresh = snapshot(vec![
            object("pods", "a", "1", None),
            object("pods", "ghost", "2", None),
            object("maps", "new", "4", None),
        ]);
        renew(&mut known, fresh, |object| object.kind.plural == "pods", |uid| uid.0 == "2");
        assert_eq!(told(&known), ["a 1 body true tried true", "new 4 body false tried false"]);
    }

    #[test]
    fn doubt_has_objects_read_again() {
        let mut known =
            snapshot(vec![object("pods", "a", "1", Some("5")), object("maps", "b", "2", Some("5"))]);
        doubt(&mut known, |object| object.kind.plural == "pods");
        assert_eq!(told(&known), ["a 1 body false tried false", "b 2 body true tried true"]);
    }
}
