//! Namespaces and Nodes.

use super::condition::{self, Condition, Status};
use super::condition_effect::ConditionEvaluator;
use super::workload::from_condition;
use super::{RECENT, RuleContext, elapsed, has_no_status, no_status};
use crate::known::reasons::Effect;
use crate::model::health::{Health, Verdict};
use crate::model::json::{is_true, text};
use crate::model::now::Now;
use crate::model::rule::Rule;

pub(super) fn namespace(context: &RuleContext) -> Health {
    const RULE: Rule = Rule::Namespace;
    let object = context.object;
    if has_no_status(object) {
        return no_status();
    }
    let phase = text(object, &["status", "phase"]).unwrap_or_default();
    match phase {
        "Active" => Health { status: phase.to_owned(), ..Health::new(Verdict::Ready, RULE) },
        "Terminating" => {
            let conditions = condition::read(object);
            let held = conditions.iter().filter(|one| one.status == Status::True);
            let messages: Vec<&str> = held.filter_map(|one| one.message.or(one.reason)).collect();
            Health {
                message: (!messages.is_empty()).then(|| messages.join("; ")),
                ..Health::new(Verdict::Terminating, RULE)
            }
        }
        other => Health::new(Verdict::Unknown, RULE).with_message(format!("phase is {other:?}")),
    }
}

/// A node that is not ready runs nothing that anybody can rely on; one that just joined or restarts may still become so.
fn lost(ready: &Condition, now: Now) -> Verdict {
    let is_recent = ready.changed_at(now).and_then(|then| elapsed(then, now)).is_some_and(|age| age < RECENT);
    if is_recent { Verdict::NotReady } else { Verdict::Failed }
}

pub(super) fn node(context: &RuleContext) -> Health {
    const RULE: Rule = Rule::Node;
    let RuleContext { object, now, .. } = *context;
    if has_no_status(object) {
        return no_status();
    }
    let (conditions, evaluator) = (condition::read(object), ConditionEvaluator::new(context));
    let ready = conditions.iter().find(|one| one.name == "Ready");
    let pressures: Vec<Condition> = conditions
        .iter()
        .map(|one| evaluator.evaluate(one.clone()))
        .filter(|one| one.effect == Effect::Failed && one.guess_mark().is_empty())
        .map(|one| one.condition)
        .collect();
    let is_cordoned = is_true(object, &["spec", "unschedulable"]);

    // kubectl's STATUS, followed by the pressure conditions that kubectl leaves out.
    let mut words = vec![match ready.map(|one| one.status) {
        Some(Status::True) => "Ready",
        Some(_) => "NotReady",
        None => "Unknown",
    }];
    words.extend(pressures.iter().map(|one| one.name));
    words.extend(is_cordoned.then_some("SchedulingDisabled"));

    let judged = match (ready, pressures.first()) {
        (None, _) => Health::new(Verdict::Unknown, RULE).with_message("it has no Ready condition"),
        (Some(one), _) if one.status != Status::True => from_condition(one, lost(one, now), RULE, now),
        // It still runs Pods, though it may evict some.
        (Some(_), Some(pressure)) => from_condition(pressure, Verdict::NotReady, RULE, now),
        (Some(_), None) if is_cordoned => {
            Health::new(Verdict::Suspended, RULE).with_message("spec.unschedulable is true")
        }
        (Some(one), None) => Health { since: one.changed_at(now), ..Health::new(Verdict::Ready, RULE) },
    };
    Health { status: words.join(","), ..judged }
}
