//! What somebody wrote down about an object, and which object that is.

use std::collections::HashMap;

use jiff::Timestamp;

use super::ident::{ObjectName, Uid, group_of};
use super::object::Object;

/// One event, whichever of the two APIs it came through.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Event {
    /// The event's own uid, or its place and name: one event may be served by two groups. Empty when it has neither.
    pub id: String,
    /// The object that it is about, as the event spells it.
    pub object: ObjectName,
    /// The object's uid; of a Node it may be the name, and it may be empty.
    pub uid: Uid,
    /// `Normal` or `Warning`; the API allows other words later.
    pub event_type: String,
    pub reason: String,
    pub message: String,
    /// How often it was seen, at least once.
    pub count: u64,
    pub first: Option<Timestamp>,
    pub last: Option<Timestamp>,
    /// The component or controller that wrote it.
    pub source: String,
}

impl Event {
    /// Whether it warns of something.
    pub fn is_warning(&self) -> bool {
        self.event_type == "Warning"
    }
}

/// The objects that events may be about, found by uid, or by name where an event has no true uid.
pub struct Subjects<'a> {
    objects: &'a [Object],
    by_uid: HashMap<&'a str, usize>,
    by_name: HashMap<NameKey<'a>, Vec<usize>>,
}

/// What an object is called. The group is compared apart: the kubelet's events about Nodes do not name one.
#[derive(PartialEq, Eq, Hash)]
struct NameKey<'a> {
    kind: &'a str,
    namespace: Option<&'a str>,
    name: &'a str,
}

impl<'a> NameKey<'a> {
    fn of(name: &'a ObjectName) -> Self {
        Self { kind: &name.kind, namespace: name.namespace.as_deref(), name: &name.name }
    }
}

impl<'a> Subjects<'a> {
    /// Those of `objects` that stand at the places `about`.
    pub fn of(objects: &'a [Object], about: impl IntoIterator<Item = usize>) -> Self {
        let (mut by_uid, mut by_name) = (HashMap::new(), HashMap::<_, Vec<usize>>::new());
        for index in about {
            let Some(Object { meta, .. }) = objects.get(index) else { continue };
            if !meta.uid.0.is_empty() {
                by_uid.insert(meta.uid.0.as_str(), index);
            }
            by_name.entry(NameKey::of(&meta.name)).or_default().push(index);
        }
        Self { objects, by_uid, by_name }
    }

    /// The place of the object that an event is about. A uid that is not known is that of an earlier object.
    pub fn find(&self, event: &Event) -> Option<usize> {
        let uid = event.uid.0.as_str();
        if let Some(index) = self.by_uid.get(uid) {
            return Some(*index);
        }
        if !uid.is_empty() && uid != event.object.name {
            return None;
        }
        let same = self.by_name.get(&NameKey::of(&event.object))?;
        let is = |index: &&usize| {
            let known = &self.objects[**index].meta.name.api_version;
            event.object.api_version.is_empty() || group_of(known) == group_of(&event.object.api_version)
        };
        same.iter().find(is).copied()
    }
}
