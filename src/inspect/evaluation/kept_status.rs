//! Which kinds keep no status. A kind without a status subresource may still have one, which its controller writes with
//! the rest of the object: only if none of its objects has a status does the kind keep none.

use std::collections::HashSet;

use crate::inspect::health;
use crate::model::health::Health;
use crate::model::kind::{Kind, StatusSubresource};
use crate::model::rule::Rule;
use crate::model::snapshot::Snapshot;

/// The kinds without a status subresource whose objects have a status all the same.
#[derive(Debug, Default)]
pub struct KeptStatus<'a>(HashSet<(&'a str, &'a str)>);

impl<'a> KeptStatus<'a> {
    /// Looks at every object that was read.
    pub fn of(snapshot: &'a Snapshot) -> Self {
        let with_status = snapshot.objects.iter().filter(|object| {
            object.kind.status_subresource == StatusSubresource::Absent
                && object.pruned().is_some_and(|body| !health::has_no_status(body))
        });
        Self(with_status.map(|object| key(&object.kind)).collect())
    }

    /// The verdict on an object, with the reason why it has no status.
    pub(super) fn apply(&self, own: Health, kind: &Kind) -> Health {
        let keeps_none = own.rule == Rule::NoStatus
            && kind.status_subresource == StatusSubresource::Absent
            && !self.0.contains(&key(kind));
        if keeps_none { health::keeps_no_status() } else { own }
    }
}

fn key(kind: &Kind) -> (&str, &str) {
    (&kind.group, &kind.plural)
}
