//! Events, and how to find the object that an event is about.

use std::collections::HashMap;

use jiff::Timestamp;

use super::ident::{ObjectName, Uid, group_of};
use super::object::Object;

/// An event of either API.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Event {
    /// The event's own uid, or its namespace and name: both APIs serve the same event. Empty if it has neither.
    pub id: String,
    /// The object that it is about, as written in the event.
    pub object: ObjectName,
    /// The object's uid; may be empty, and for a Node its name.
    pub uid: Uid,
    /// `Normal` or `Warning`; the API may add others.
    pub event_type: String,
    pub reason: String,
    pub message: String,
    /// How often it was seen; at least 1.
    pub count: u64,
    pub first: Option<Timestamp>,
    pub last: Option<Timestamp>,
    /// The component or controller that reported it.
    pub source: String,
}

impl Event {
    /// Whether its type is `Warning`.
    pub fn is_warning(&self) -> bool {
        self.event_type == "Warning"
    }
}

/// Finds the object that an event is about, by uid or, if the event has no real uid, by name.
pub struct Subjects<'a> {
    objects: &'a [Object],
    by_uid: HashMap<&'a str, usize>,
    by_name: HashMap<NameKey<'a>, Vec<usize>>,
}

/// An object's name without its group: the kubelet's events about Nodes have no group.
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
    /// Indexes those of `objects` with an index in `about`.
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

    /// The index of the object that an event is about. An unknown uid belongs to a deleted object.
    pub fn find(&self, event: &Event) -> Option<usize> {
        let uid = event.uid.0.as_str();
        if let Some(index) = self.by_uid.get(uid) {
            return Some(*index);
        }
        if !uid.is_empty() && uid != event.object.name {
            return None;
        }
        let same_name = self.by_name.get(&NameKey::of(&event.object))?;
        let is_same_group = |index: &&usize| {
            let known = &self.objects[**index].meta.name.api_version;
            event.object.api_version.is_empty() || group_of(known) == group_of(&event.object.api_version)
        };
        same_name.iter().find(is_same_group).copied()
    }
}
