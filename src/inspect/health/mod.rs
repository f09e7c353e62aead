//! The health of one object: a verdict, the rule that decided it, and a message. The first rule that applies wins:
//! deletion, then the rules for built-in kinds, then those for custom resources. An object whose status no rule
//! understands is Unknown, never Ready. Not here: what the children of an object do to its verdict
//! (`inspect/evaluation`).
//!
//! | to find                                                | look in                                         |
//! |--------------------------------------------------------|-------------------------------------------------|
//! | what each rule checks, and which can say Ready         | `rules.rs`                                      |
//! | the rule of a built-in kind, and kinds without state   | `builtin.rs`                                    |
//! | the rules of built-in kinds                            | `autoscaling.rs`, `batch.rs`, `cluster.rs`,     |
//! |                                                        | `pod.rs`, `service.rs`, `storage.rs`,           |
//! |                                                        | `workload.rs`                                   |
//! | the READY, STATUS and RESTARTS columns of a Pod        | `pod_columns.rs`                                |
//! | the rules of custom resources, in order                | `custom.rs`                                     |
//! | those of them that can call an object Ready            | `custom_ready.rs`                               |
//! | reading conditions, phase fields, replica counts       | `condition.rs`, `phase.rs`, `replicas.rs`       |
//! | fields that say whether an object is ready or off      | `ready_field.rs`, `switched_off.rs`             |
//! | statuses for an older generation of the spec           | `generation.rs`                                 |
//! | what a condition does to the verdict                   | `condition_effect.rs`                           |
//! | which condition, or which other field, says why        | `says_why.rs`, `explanation.rs`                 |
//! | text of an object in a one-line message                | `excerpt.rs`                                    |
//! | the table of conditions that `status` prints           | `condition_report.rs`                           |
//! | the message where no rule applies                      | `unknown_status.rs`                             |
//! | objects that are being deleted                         | `deletion.rs`                                   |
//! | the fields that a rule read                            | `facts.rs`                                      |

mod autoscaling;
mod batch;
mod builtin;
mod cluster;
pub mod condition;
mod condition_effect;
mod condition_report;
mod custom;
mod custom_ready;
mod deletion;
pub(in crate::inspect) mod excerpt;
mod explanation;
mod facts;
mod generation;
mod phase;
mod pod;
mod pod_columns;
mod ready_field;
mod replicas;
pub mod rules;
mod says_why;
mod service;
mod storage;
mod switched_off;
mod unknown_status;
mod workload;

#[cfg(test)]
mod tests;

use jiff::{SignedDuration, Timestamp};
use serde_json::Value;

use crate::model::health::{ConditionReport, Health, Verdict};
use crate::model::ident::GroupKind;
use crate::model::json;
use crate::model::kind::{Kind, StatusSubresource};
use crate::model::meta::Meta;
use crate::model::now::Now;
use crate::model::rule::Rule;
use crate::model::rulebook::Rulebook;

use deletion::Deletion;
pub use pod::crashed_container;

/// How long an object that was just created or changed may take to become ready.
const RECENT: SignedDuration = SignedDuration::from_mins(5);

/// The input of a rule: an object, the current time and the user's settings.
#[derive(Clone, Copy, Debug)]
struct RuleContext<'a> {
    kind: &'a GroupKind,
    object: &'a Value,
    now: Now,
    rulebook: &'a Rulebook,
    status_subresource: StatusSubresource,
}

/// Judges an object on its own. Total: any JSON gets a verdict.
pub fn judge(kind: &GroupKind, object: &Value, now: impl Into<Now>, rulebook: &Rulebook) -> Health {
    let (now, status_subresource) = (now.into(), StatusSubresource::Unknown);
    judge_in(&RuleContext { kind, object, now, rulebook, status_subresource })
}

/// The same with what discovery knows about the kind.
pub fn judge_discovered(kind: &Kind, object: &Value, now: impl Into<Now>, rulebook: &Rulebook) -> Health {
    let (now, status_subresource) = (now.into(), kind.status_subresource);
    judge_in(&RuleContext { kind: &kind.group_kind(), object, now, rulebook, status_subresource })
}

fn judge_in(context: &RuleContext) -> Health {
    let RuleContext { kind, object, now, .. } = *context;
    let own = match builtin::rule_for(kind) {
        Some(rule) => rule.judge(context),
        None if !needs_body(kind) => Health::new(Verdict::None, Rule::NothingToJudge),
        None => custom::judge(context),
    };
    match Deletion::of_object(object) {
        Some(deletion) => deletion.apply(own, now),
        None => own,
    }
}

/// The conditions of an object with the meaning of each, in their original order, those of its parts last.
pub fn conditions(
    kind: &GroupKind,
    object: &Value,
    now: impl Into<Now>,
    rulebook: &Rulebook,
) -> Vec<ConditionReport> {
    let (now, status_subresource) = (now.into(), StatusSubresource::Unknown);
    condition_report::conditions(&RuleContext { kind, object, now, rulebook, status_subresource })
}

/// Judges an object by its metadata alone.
pub fn judge_meta(kind: &GroupKind, meta: &Meta, now: impl Into<Now>) -> Health {
    let own = if needs_body(kind) {
        Health::new(Verdict::Unknown, Rule::NotRead).with_message("only its metadata was read")
    } else {
        Health::new(Verdict::None, Rule::NothingToJudge)
    };
    match Deletion::of_meta(meta) {
        Some(deletion) => deletion.apply(own, now.into()),
        None => own,
    }
}

/// Whether judging objects of a kind takes more than their metadata.
pub fn needs_body(kind: &GroupKind) -> bool {
    !builtin::is_stateless(kind)
}

/// The verdict on an object that no controller has written a status for.
fn no_status() -> Health {
    let facts = vec![facts::fact("status", "not set")];
    Health { facts, ..Health::new(Verdict::Unknown, Rule::NoStatus).with_message("it has no status") }
}

/// The verdict on an object without a status whose kind keeps none, so that no controller is to blame.
pub(super) fn keeps_no_status() -> Health {
    Health { rule: Rule::KeepsNoStatus, ..no_status() }.with_message("its kind keeps no status")
}

/// Whether the status is missing or empty.
pub(super) fn has_no_status(object: &Value) -> bool {
    match json::at(object, &["status"]) {
        None => true,
        Some(Value::Object(fields)) => fields.is_empty(),
        Some(Value::Array(items)) => items.is_empty(),
        Some(Value::String(word)) => word.is_empty(),
        Some(_) => false,
    }
}

/// The time since `then`; `None` if that is in the future, apart from a second that clocks may differ.
fn elapsed(then: Timestamp, now: Now) -> Option<SignedDuration> {
    let age = now.duration_since(then);
    (age >= SignedDuration::from_secs(-1)).then_some(age)
}

/// The time, unless it is in the future.
fn if_past(then: Option<Timestamp>, now: Now) -> Option<Timestamp> {
    then.filter(|then| elapsed(*then, now).is_some())
}

/// When an object was created.
fn created(object: &Value, now: Now) -> Option<Timestamp> {
    if_past(json::time(object, &["metadata", "creationTimestamp"]), now)
}

/// How long ago an object was created.
fn age(object: &Value, now: Now) -> Option<SignedDuration> {
    created(object, now).and_then(|then| elapsed(then, now))
}

/// Whether an object is so new that it may still become ready.
fn is_recent(object: &Value, now: Now) -> bool {
    age(object, now).is_some_and(|age| age < RECENT)
}
