//! Which kinds are watched in which namespaces, and the notes about watches that do not work.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::sync::Arc;

use crate::inspect::watch_set::WatchSet;
use crate::model::kind::Kind;
use crate::model::object::Object;
use crate::model::snapshot::Snapshot;
use crate::source::selection::Selection;
use crate::source::watch_event::{WatchEvent, WatchMessage, WatchTarget};

/// More watches than this would leave no room for other requests on one connection.
const MAX_WATCHES: usize = 64;

/// All watches.
#[derive(Debug, Default)]
pub(super) struct Targets {
    all: HashSet<WatchTarget>,
    /// Targets in `all` that are not started yet.
    new: Vec<WatchTarget>,
    /// Kinds that cannot be listed in all namespaces at once, by full name.
    namespaced: HashSet<String>,
    disconnected: HashSet<WatchTarget>,
    /// Targets that are not watched, and how they are read instead.
    unwatched: HashMap<WatchTarget, Fallback>,
    /// Fallbacks that were not reported yet.
    unreported: BTreeMap<Fallback, BTreeSet<String>>,
}

/// How a target that cannot be watched is read instead.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Fallback {
    Listed,
    Read,
    /// Not at all: there are too many watches.
    LeftOut,
}

/// Whether targets were added.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Added {
    Some,
    None,
}

impl Targets {
    /// Adds everything that a report depends on.
    pub(super) fn extend(&mut self, snapshot: &Snapshot, watch_set: &WatchSet, roots: &[Selection]) -> Added {
        let own = snapshot.coverage.scope.namespace();
        let namespaced = &self.namespaced;
        let target = |kind: &Arc<Kind>, namespace: Option<&str>| {
            let everywhere = own.is_none() && !namespaced.contains(&kind.full_name());
            WatchTarget::new(kind, namespace.filter(|_| !everywhere))
        };
        let mut found: Vec<WatchTarget> =
            roots.iter().map(|root| target(&root.kind, root.namespace.as_deref())).collect();
        for object in watch_set.members.iter().filter_map(|index| snapshot.objects.get(*index)) {
            found.push(target(&object.kind, object.meta.name.namespace.as_deref()));
        }
        for expected in &watch_set.expected {
            let served = snapshot.kinds.iter().find(|kind| kind.group_kind() == *expected);
            if let Some(kind) =
                served.filter(|kind| kind.is_listable() && !namespaced.contains(&kind.full_name()))
            {
                found.push(target(kind, own));
            }
        }
        let mut added = Added::None;
        for target in found {
            if self.all.contains(&target) || self.unwatched.contains_key(&target) {
                continue;
            }
            if self.all.len() >= MAX_WATCHES {
                self.fall_back(&target, Fallback::LeftOut);
            } else {
                self.all.insert(target.clone());
                self.new.push(target);
                added = Added::Some;
            }
        }
        added
    }

    /// Takes the targets that have to be started.
    pub(super) fn take_new(&mut self) -> Vec<WatchTarget> {
        std::mem::take(&mut self.new)
    }

    /// Whether an object is watched.
    pub(super) fn contain(&self, object: &Object) -> bool {
        self.all.iter().any(|target| target.contains(object))
    }

    /// Notes about targets that are not watched. Each is returned once.
    pub(super) fn notes(&mut self) -> Vec<String> {
        let note = |(fallback, kinds): (Fallback, BTreeSet<String>)| {
            let kinds: Vec<String> = kinds.into_iter().collect();
            let kinds = kinds.join(", ");
            match fallback {
                Fallback::Listed => format!("cannot watch {kinds}; listing every 10s instead"),
                Fallback::Read => {
                    format!("cannot watch or list {kinds}; reading known objects every 10s instead")
                }
                Fallback::LeftOut => format!("at most {MAX_WATCHES} kinds are watched; not watching {kinds}"),
            }
        };
        std::mem::take(&mut self.unreported).into_iter().map(note).collect()
    }

    fn fall_back(&mut self, target: &WatchTarget, fallback: Fallback) {
        if self.unwatched.insert(target.clone(), fallback) != Some(fallback) {
            self.unreported.entry(fallback).or_default().insert(target.kind.full_name());
        }
    }

    /// Records the state of a watch, and returns a note for the user.
    pub(super) fn record(&mut self, message: &WatchMessage) -> Option<String> {
        let target = &message.target;
        let kind = target.kind.full_name();
        match &message.event {
            WatchEvent::Disconnected(why) => {
                let is_first = self.disconnected.is_empty();
                self.disconnected.insert(target.clone());
                is_first.then(|| format!("the watch of {kind} was lost ({why}); reconnecting"))
            }
            WatchEvent::Reconnected => {
                let was = self.disconnected.remove(target);
                (was && self.disconnected.is_empty()).then(|| format!("watching {kind} again"))
            }
            WatchEvent::Polled => {
                self.fall_back(target, Fallback::Listed);
                None
            }
            WatchEvent::Forbidden => {
                if target.namespace.is_none() {
                    self.namespaced.insert(kind);
                }
                self.fall_back(target, Fallback::Read);
                None
            }
            WatchEvent::Applied(_) | WatchEvent::Deleted(_) | WatchEvent::Restarted(_) => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(plural: &str, event: WatchEvent) -> WatchMessage {
        let kind = Kind {
            version: "v1".into(),
            kind: plural.to_uppercase(),
            plural: plural.into(),
            ..Kind::default()
        };
        WatchMessage { target: WatchTarget::new(&Arc::new(kind), Some("shop")), event }
    }

    #[test]
    fn a_broken_connection_is_said_once_and_once_that_all_is_well_again() {
        let mut targets = Targets::default();
        let mut said = Vec::new();
        for (plural, event) in [
            ("pods", WatchEvent::Disconnected("cut".into())),
            ("services", WatchEvent::Disconnected("cut".into())),
            ("pods", WatchEvent::Disconnected("refused".into())),
            ("pods", WatchEvent::Reconnected),
            ("services", WatchEvent::Reconnected),
            ("services", WatchEvent::Reconnected),
        ] {
            said.extend(targets.record(&of(plural, event)));
        }
        assert_eq!(said, ["the watch of pods was lost (cut); reconnecting", "watching services again"]);
    }

    #[test]
    fn kinds_that_may_not_be_watched_are_named_together_and_once() {
        let mut targets = Targets::default();
        for (plural, event) in
            [("pods", WatchEvent::Polled), ("maps", WatchEvent::Polled), ("secrets", WatchEvent::Forbidden)]
        {
            assert_eq!(targets.record(&of(plural, event)), None);
        }
        assert_eq!(
            targets.notes(),
            [
                "cannot watch maps, pods; listing every 10s instead",
                "cannot watch or list secrets; reading known objects every 10s instead",
            ]
        );
        assert_eq!(targets.record(&of("pods", WatchEvent::Polled)), None);
        assert_eq!(targets.notes(), Vec::<String>::new());
    }
}
