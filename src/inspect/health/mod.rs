//! How an object is: one verdict, the rule that gave it, and words for it. The rules are those of the design,
//! the first that matches wins: deletion, then kubectl's own rules for kinds of Kubernetes, then what custom
//! resources say of themselves. Where nothing says anything the answer is Unknown, never Ready. Not here:
//! what children do to a parent.

mod autoscaling;
mod batch;
mod builtin;
mod cluster;
pub mod condition;
mod custom;
mod deletion;
mod facts;
mod pod;
mod pod_word;
mod replicas;
mod report;
pub mod rules;
mod service;
mod silence;
mod storage;
mod weigh;
mod words;
mod workload;

#[cfg(test)]
mod tests;

use jiff::{SignedDuration, Timestamp};
use serde_json::Value;

use crate::model::health::{ConditionReport, Health, Verdict};
use crate::model::ident::GroupKind;
use crate::model::json;
use crate::model::meta::Meta;
use crate::model::rule::Rule;
use crate::model::rulebook::Rulebook;

use deletion::Deletion;

/// How long what is new may take before "not yet" becomes "not".
const YOUNG: SignedDuration = SignedDuration::from_mins(5);

/// What is judged: an object, the moment, and what the person has settled.
#[derive(Clone, Copy, Debug)]
struct Subject<'a> {
    kind: &'a GroupKind,
    object: &'a Value,
    now: Timestamp,
    rulebook: &'a Rulebook,
}

/// Judges an object by what it says of itself. Total: any JSON gets an answer.
pub fn judge(kind: &GroupKind, object: &Value, now: Timestamp, rulebook: &Rulebook) -> Health {
    let subject = Subject { kind, object, now, rulebook };
    let own = match builtin::line_of(kind) {
        Some(line) => line.judge(&subject),
        None if !needs_body(kind) => Health::new(Verdict::None, Rule::NothingToJudge),
        None => custom::judge(&subject),
    };
    match Deletion::of_object(object) {
        Some(deletion) => deletion.over(own, now),
        None => own,
    }
}

/// The conditions of an object in the order they are published, those of its parts after its own, and what is
/// made of each.
pub fn conditions(
    kind: &GroupKind,
    object: &Value,
    now: Timestamp,
    rulebook: &Rulebook,
) -> Vec<ConditionReport> {
    report::conditions(&Subject { kind, object, now, rulebook })
}

/// Judges an object of which only the metadata was read.
pub fn judge_meta(kind: &GroupKind, meta: &Meta, now: Timestamp) -> Health {
    let own = if needs_body(kind) {
        let message = "only its metadata was read".to_owned();
        Health { message: Some(message), ..Health::new(Verdict::Unknown, Rule::NotRead) }
    } else {
        Health::new(Verdict::None, Rule::NothingToJudge)
    };
    match Deletion::of_meta(meta) {
        Some(deletion) => deletion.over(own, now),
        None => own,
    }
}

/// Whether objects of a kind hold anything to judge beside their metadata.
pub fn needs_body(kind: &GroupKind) -> bool {
    !builtin::is_silent(kind)
}

/// The answer where no controller has written a word.
fn no_status() -> Health {
    let message = "no status: nothing says whether it works".to_owned();
    let facts = vec![facts::fact("status", "not set")];
    Health { message: Some(message), facts, ..Health::new(Verdict::Unknown, Rule::NoStatus) }
}

/// Whether a controller has written nothing at all.
fn has_no_status(object: &Value) -> bool {
    match json::at(object, &["status"]) {
        None => true,
        Some(Value::Object(fields)) => fields.is_empty(),
        Some(Value::Array(items)) => items.is_empty(),
        Some(Value::String(word)) => word.is_empty(),
        Some(_) => false,
    }
}

/// How long ago something was; nothing when that is in the future by more than clocks differ.
fn ago(then: Timestamp, now: Timestamp) -> Option<SignedDuration> {
    let age = now.duration_since(then);
    (age >= SignedDuration::from_secs(-1)).then_some(age)
}

/// A time that is not in the future.
fn past(then: Option<Timestamp>, now: Timestamp) -> Option<Timestamp> {
    then.filter(|then| ago(*then, now).is_some())
}

/// When an object was made.
fn made(object: &Value, now: Timestamp) -> Option<Timestamp> {
    past(json::time(object, &["metadata", "creationTimestamp"]), now)
}

/// How long ago an object was made.
fn age(object: &Value, now: Timestamp) -> Option<SignedDuration> {
    made(object, now).and_then(|then| ago(then, now))
}

/// Whether an object is so new that what is missing may still come.
fn is_young(object: &Value, now: Timestamp) -> bool {
    age(object, now).is_some_and(|age| age < YOUNG)
}
