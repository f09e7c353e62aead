//! Which kinds are watched where, and what is said of watches that do not work.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use crate::inspect::growth::Growth;
use crate::model::snapshot::{Reach, Seen, Snapshot};
use crate::source::news::{Dispatch, News, Place};
use crate::source::wanted::Wanted;

/// More watches than this would leave no room for questions on one connection.
const MOST: usize = 64;

/// All places that are watched.
#[derive(Debug, Default)]
pub(super) struct Places {
    all: HashSet<Place>,
    /// Those of `all` that nobody watches yet.
    new: Vec<Place>,
    /// Kinds that may not be looked at in all namespaces at once, by their full names.
    narrow: HashSet<String>,
    lost: HashSet<Place>,
    /// Those that are not watched, and how else they are looked after.
    unwatched: HashMap<Place, Care>,
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
    pub(super) fn extend(&mut self, snapshot: &Snapshot, growth: &Growth, wanted: &[Wanted]) -> Grown {
        let home = match &snapshot.reach {
            Reach::Namespace(namespace) => Some(namespace.as_str()),
            Reach::Cluster => None,
        };
        let narrow = &self.narrow;
        let place = |kind: &std::sync::Arc<crate::model::kind::Kind>, namespace: Option<&str>| {
            let everywhere = home.is_none() && !narrow.contains(&kind.full_name());
            Place::new(kind, namespace.filter(|_| !everywhere))
        };
        let roots = wanted.iter().map(|wanted| place(&wanted.kind, wanted.namespace.as_deref()));
        let mut found: Vec<Place> = roots.collect();
        for seen in growth.members.iter().filter_map(|index| snapshot.objects.get(*index)) {
            found.push(place(&seen.kind, seen.meta.name.namespace.as_deref()));
        }
        for expected in &growth.expected {
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
    pub(super) fn take_new(&mut self) -> Vec<Place> {
        std::mem::take(&mut self.new)
    }

    /// Whether an object is at a place that is watched.
    pub(super) fn watch(&self, seen: &Seen) -> bool {
        self.all.iter().any(|place| place.holds(seen))
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

    fn neglect(&mut self, place: &Place, care: Care) {
        if self.unwatched.insert(place.clone(), care) != Some(care) {
            self.unsaid.entry(care).or_default().insert(place.kind.full_name());
        }
    }

    /// Takes note of how a watch is, and gives what a person should know of it.
    pub(super) fn heed(&mut self, dispatch: &Dispatch) -> Option<String> {
        let place = &dispatch.place;
        let kind = place.kind.full_name();
        match &dispatch.news {
            News::Lost(why) => {
                let first = self.lost.is_empty();
                self.lost.insert(place.clone());
                first.then(|| format!("the watch of {kind} was lost ({why}); trying again"))
            }
            News::Back => {
                let was = self.lost.remove(place);
                (was && self.lost.is_empty()).then(|| format!("watching {kind} again"))
            }
            News::Polled => {
                self.neglect(place, Care::Listed);
                None
            }
            News::Shut => {
                if place.namespace.is_none() {
                    self.narrow.insert(kind);
                }
                self.neglect(place, Care::Read);
                None
            }
            News::There(_) | News::Gone(_) | News::All(_) => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::model::kind::Kind;

    fn of(plural: &str, news: News) -> Dispatch {
        let kind = Kind {
            version: "v1".into(),
            kind: plural.to_uppercase(),
            plural: plural.into(),
            ..Kind::default()
        };
        Dispatch { place: Place::new(&Arc::new(kind), Some("shop")), news }
    }

    #[test]
    fn a_broken_connection_is_said_once_and_once_that_all_is_well_again() {
        let mut places = Places::default();
        let mut said = Vec::new();
        for (plural, news) in [
            ("pods", News::Lost("cut".into())),
            ("services", News::Lost("cut".into())),
            ("pods", News::Lost("refused".into())),
            ("pods", News::Back),
            ("services", News::Back),
            ("services", News::Back),
        ] {
            said.extend(places.heed(&of(plural, news)));
        }
        assert_eq!(said, ["the watch of pods was lost (cut); trying again", "watching services again"]);
    }

    #[test]
    fn kinds_that_may_not_be_watched_are_named_together_and_once() {
        let mut places = Places::default();
        for (plural, news) in [("pods", News::Polled), ("maps", News::Polled), ("secrets", News::Shut)] {
            assert_eq!(places.heed(&of(plural, news)), None);
        }
        assert_eq!(
            places.remarks(),
            [
                "cannot be watched, and is listed every 10 s instead: maps, pods",
                "cannot be watched or listed; what is known is read every 10 s instead: secrets",
            ]
        );
        assert_eq!(places.heed(&of("pods", News::Polled)), None);
        assert_eq!(places.remarks(), Vec::<String>::new());
    }
}
