//! The events that a dump contains.

use super::{Dump, DumpEntry};
use crate::model::event::Subjects;
use crate::model::gap::{Gap, Reason};
use crate::model::snapshot::Snapshot;
use crate::source::event_json::parse_event;

impl Dump {
    /// Adds the events about some objects of a snapshot. That a dump has no events at all is a gap.
    pub fn events(&self, snapshot: &mut Snapshot, about: &[usize]) {
        let is_event = |entry: &&DumpEntry| {
            entry.kind.kind == "Event" && matches!(entry.kind.group.as_str(), "" | "events.k8s.io")
        };
        let mut has_events = self.is_core_kind_listed("events");
        let mut found = Vec::new();
        {
            let subjects = Subjects::of(&snapshot.objects, about.iter().copied());
            for entry in self.entries.iter().filter(is_event) {
                has_events = true;
                let Some(event) = self.body(entry).ok().as_ref().and_then(parse_event) else { continue };
                found.extend(subjects.find(&event).is_some().then_some(event));
            }
        }
        snapshot.events.get_or_insert_default().extend(found);
        if !has_events {
            let namespace = snapshot.coverage.scope.namespace().map(str::to_owned);
            snapshot.coverage.add_gaps([Gap {
                group: String::new(),
                resource: "events".to_owned(),
                namespace,
                verb: "list",
                reason: Reason::NotInDump,
                status: None,
                message: "the dump contains no events".to_owned(),
            }]);
        }
    }

    /// Whether the dump proves that a kind of the core group was listed.
    fn is_core_kind_listed(&self, plural: &str) -> bool {
        let kind = self.kinds.all.iter().find(|kind| kind.group.is_empty() && kind.plural == plural);
        kind.is_some_and(|kind| self.is_listed(kind, None))
    }
}
