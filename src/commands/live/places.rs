//! Which kinds are watched where, and what is said of watches that do not work.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use crate::inspect::watch_set::WatchSet;
use crate::model::snapshot::{Object, Reach, Snapshot};
use crate::source::selection::Selection;
use crate::source::watch_event::{WatchEvent, WatchMessage, WatchTarget};

/// More watches than this would leave no room for questions on one connection.
const MOST: usize = 64;

/// All places that are watched.
#[derive(Debug, Default)]
pub(super) struct Places {
    all: HashSet<WatchTarget>,
    /// Those of `all` that nobody watches yet.
    new: Vec<WatchTarget>,
    /// Kinds that may not be looked at in all namespaces at once, by their full names.
    narrow: HashSet<String>,
    lost: HashSet<WatchTarget>,
    /// Those that are not watched, and how else they are looked after.
    unwatched: HashMap<WatchTarget, Care>,
    /// What of that nobody was told yet.
    unsaid: BTreeMap<Care, BTreeSet<String>>,
}

/// How a place is looked after that is not watched.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Care {
    Listed,
    Read,
    /// There is no room for more.
    LeftOut,
}

/// Whether there are more of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Grown {
    Yes,
    No,
}

impl Places {
    /// Adds the places of all that an answer depends on.
    pub(super) fn extend(
        &mut self,
        snapshot: &Snapshot,
        watch_set: &WatchSet,
        wanted: &[Selection],
    ) -> Grown {
        let home = match &snapshot.reach {
            Reach::Namespace(namespace) => Some(namespace.as_str()),
            Reach::Cluster => None,
        };
        let narrow = &self.narrow;
        let place = |kind: &std::sync::Arc<crate::model::kind::Kind>, namespace: Option<&str>| {
            let everywhere = home.is_none() && !narrow.contains(&kind.full_name());
            WatchTarget::new(kind, namespace.filter(|_| !everywhere))
        };
        let roots = wanted.iter().map(|wanted| place(&wanted.kind, wanted.namespace.as_deref()));
        let mut found: Vec<WatchTarget> = roots.collect();
        for object in watch_set.members.iter().filter_map(|index| snapshot.objects.get(*index)) {
            found.push(place(&object.kind, object.meta.name.namespace.as_deref()));
        }
        for expected in &watch_set.expected {
            let served = snapshot.kinds.iter().find(|kind| kind.group_kind() == *expected);
            if let Some(kind) =
                served.filter(|kind| kind.is_listable() && !narrow.contains(&kind.full_name()))
            {
                found.push(place(kind, home));
            }
        }
        let mut grown = Grown::No;
        for place in found {
            if self.all.contains(&place) || self.unwatched.contains_key(&place) {
                continue;
            }
            if self.all.len() >= MOST {
                self.neglect(&place, Care::LeftOut);
            } else {
                self.all.insert(place.clone());
                self.new.push(place);
                grown = Grown::Yes;
            }
        }
        grown
    }

    /// Those that somebody must start to watch.
    pub(super) fn take_new(&mut self) -> Vec<WatchTarget> {
        std::mem::take(&mut self.new)
    }

    /// Whether an object is at a place that is watched.
    pub(super) fn watch(&self, object: &Object) -> bool {
        self.all.iter().any(|place| place.holds(object))
    }

    /// What to say, once, of those that are not watched.
    pub(super) fn remarks(&mut self) -> Vec<String> {
        let remark = |(care, kinds): (Care, BTreeSet<String>)| {
            let kinds: Vec<String> = kinds.into_iter().collect();
            let kinds = kinds.join(", ");
            match care {
                Care::Listed => format!("cannot be watched, and is listed every 10 s instead: {kinds}"),
                Care::Read => {
                    format!("cannot be watched or listed; what is known is read every 10 s instead: {kinds}")
                }
                Care::LeftOut => format!("no more than {MOST} kinds are watched; left out: {kinds}"),
            }
        };
        std::mem::take(&mut self.unsaid).into_iter().map(remark).collect()
    }

    fn neglect(&mut self, place: &WatchTarget, care: Care) {
        if self.unwatched.insert(place.clone(), care) != Some(care) {
            self.unsaid.entry(care).or_default().insert(place.kind.full_name());
        }
    }

    /// Takes note of how a watch is, and gives what a person should know of it.
    pub(super) fn heed(&mut self, message: &WatchMessage) -> Option<String> {
        let place = &message.place;
        let kind = place.kind.full_name();
        match &message.event {
            WatchEvent::Lost(why) => {
                let first = self.lost.is_empty();
                self.lost.insert(place.clone());
                first.then(|| format!("the watch of {kind} was lost ({why}); trying again"))
            }
            WatchEvent::Back => {
                let was = self.lost.remove(place);
                (was && self.lost.is_empty()).then(|| format!("watching {kind} again"))
            }
            WatchEvent::Polled => {
                self.neglect(place, Care::Listed);
                None
            }
            WatchEvent::Shut => {
                if place.namespace.is_none() {
                    self.narrow.insert(kind);
                }
                self.neglect(place, Care::Read);
                None
            }
            WatchEvent::There(_) | WatchEvent::Gone(_) | WatchEvent::All(_) => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::model::kind::Kind;

    fn of(plural: &str, event: WatchEvent) -> WatchMessage {
        let kind = Kind {
            version: "v1".into(),
            kind: plural.to_uppercase(),
            plural: plural.into(),
            ..Kind::default()
        };
        WatchMessage { place: WatchTarget::new(&Arc::new(kind), Some("shop")), event }
    }

    #[test]
    fn a_broken_connection_is_said_once_and_once_that_all_is_well_again() {
        let mut places = Places::default();
        let mut said = Vec::new();
        for (plural, event) in [
            ("pods", WatchEvent::Lost("cut".into())),
            ("services", WatchEvent::Lost("cut".into())),
            ("pods", WatchEvent::Lost("refused".into())),
            ("pods", WatchEvent::Back),
            ("services", WatchEvent::Back),
            ("services", WatchEvent::Back),
        ] {
            said.extend(places.heed(&of(plural, event)));
        }
        assert_eq!(said, ["the watch of pods was lost (cut); trying again", "watching services again"]);
    }

    #[test]
    fn kinds_that_may_not_be_watched_are_named_together_and_once() {
        let mut places = Places::default();
        for (plural, event) in
            [("pods", WatchEvent::Polled), ("maps", WatchEvent::Polled), ("secrets", WatchEvent::Shut)]
        {
            assert_eq!(places.heed(&of(plural, event)), None);
        }
        assert_eq!(
            places.remarks(),
            [
                "cannot be watched, and is listed every 10 s instead: maps, pods",
                "cannot be watched or listed; what is known is read every 10 s instead: secrets",
            ]
        );
        assert_eq!(places.heed(&of("pods", WatchEvent::Polled)), None);
        assert_eq!(places.remarks(), Vec::<String>::new());
    }
}
