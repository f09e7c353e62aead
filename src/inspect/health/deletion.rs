//! Objects that are being deleted. Deletion takes precedence over every other rule.

use jiff::{SignedDuration, Timestamp};
use serde_json::Value;

use super::{elapsed, facts};
use crate::model::health::{Fact, Health, Verdict};
use crate::model::json;
use crate::model::meta::Meta;
use crate::model::now::Now;
use crate::model::rule::Rule;

/// After this time a deletion counts as stuck.
const STUCK_AFTER: SignedDuration = SignedDuration::from_mins(10);

/// A deletion that was requested and is not finished.
#[derive(Debug)]
pub(super) struct Deletion<'a> {
    /// When it takes effect: the end of the grace period.
    due: Timestamp,
    grace: SignedDuration,
    finalizers: Vec<&'a str>,
}

impl<'a> Deletion<'a> {
    pub(super) fn of_object(object: &'a Value) -> Option<Self> {
        let grace = json::number(object, &["metadata", "deletionGracePeriodSeconds"]).unwrap_or_default();
        Some(Self {
            due: json::time(object, &["metadata", "deletionTimestamp"])?,
            grace: SignedDuration::from_secs(grace.max(0)),
            finalizers: json::list(object, &["metadata", "finalizers"])
                .iter()
                .filter_map(Value::as_str)
                .collect(),
        })
    }

    /// The metadata has no grace period. Only Pods have one, and those are always read as a whole.
    pub(super) fn of_meta(meta: &'a Meta) -> Option<Self> {
        let finalizers = meta.finalizers.iter().map(String::as_str).collect();
        Some(Self { due: meta.deleted?, grace: SignedDuration::ZERO, finalizers })
    }

    /// The verdict on the object; `own` is what it would be if it were not being deleted.
    pub(super) fn apply(&self, own: Health, now: Now) -> Health {
        let requested = self.due.saturating_sub(self.grace).unwrap_or(self.due);
        let age = elapsed(requested, now);
        // A Pod may have an hour to shut down; until then the deletion is not stuck.
        let is_stuck = age.is_some_and(|age| age > STUCK_AFTER) && self.due <= now.time;
        let judged = if is_stuck {
            Health::new(Verdict::Stuck, Rule::StuckDeletion)
        } else {
            Health::new(Verdict::Terminating, Rule::Deleting)
        };
        let mut message = match age {
            Some(_) => format!("deletion requested {}; ", now.ago(requested)),
            None => "deletion requested; ".to_owned(),
        };
        message.push_str(&self.finalizer_message());
        if let (Verdict::Terminating, Some(more)) = (own.verdict, &own.message) {
            message.push_str("; ");
            message.push_str(more);
        }
        // kubectl's STATUS for a Pod says more than ours (`Completed`, `Unknown` on a lost node).
        let status = if own.rule == Rule::Pod && !is_stuck { own.status } else { judged.status };
        let since = age.map(|_| requested);
        Health { ready: own.ready, status, message: Some(message), since, facts: self.facts(), ..judged }
    }

    fn facts(&self) -> Vec<Fact> {
        let mut found = vec![facts::fact("metadata.deletionTimestamp", &self.due.to_string())];
        if !self.grace.is_zero() {
            let seconds = self.grace.as_secs().to_string();
            found.push(facts::fact("metadata.deletionGracePeriodSeconds", &seconds));
        }
        if !self.finalizers.is_empty() {
            found.push(facts::fact("metadata.finalizers", &self.finalizers.join(", ")));
        }
        found
    }

    fn finalizer_message(&self) -> String {
        match self.finalizers.as_slice() {
            [] => "it has no finalizers".to_owned(),
            [one] => format!("waiting for finalizer {one}"),
            many => format!("waiting for finalizers {}", many.join(", ")),
        }
    }
}
