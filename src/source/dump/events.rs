//! What was written down about objects, as far as the dump holds it.

use super::{Dump, Entry};
use crate::model::event::Subjects;
use crate::model::gap::{Gap, Reason};
use crate::model::snapshot::Snapshot;
use crate::source::event_json::event;

impl Dump {
    /// Adds the events about some objects of a snapshot. A dump without any event says nothing about them.
    pub fn events(&self, snapshot: &mut Snapshot, about: &[usize]) {
        let is_event = |entry: &&Entry| {
            entry.kind.kind == "Event" && matches!(entry.kind.group.as_str(), "" | "events.k8s.io")
        };
        let mut any = self.kinds_read("events");
        let mut found = Vec::new();
        {
            let subjects = Subjects::of(&snapshot.objects, about.iter().copied());
            for entry in self.entries.iter().filter(is_event) {
                any = true;
                let Some(event) = self.body(entry).ok().as_ref().and_then(event) else { continue };
                found.extend(subjects.find(&event).is_some().then_some(event));
            }
        }
        snapshot.events.get_or_insert_default().extend(found);
        if !any {
            let namespace = snapshot.coverage.scope.namespace().map(str::to_owned);
            snapshot.coverage.add_gaps([Gap {
                group: String::new(),
                resource: "events".to_owned(),
                namespace,
                verb: "list",
                reason: Reason::NotInDump,
                status: None,
                message: "the dump holds no events".to_owned(),
            }]);
        }
    }

    /// Whether the dump says that a kind of the core group was read.
    fn kinds_read(&self, plural: &str) -> bool {
        let kind = self.kinds.all.iter().find(|kind| kind.group.is_empty() && kind.plural == plural);
        kind.is_some_and(|kind| self.is_listed(kind, None))
    }
}
