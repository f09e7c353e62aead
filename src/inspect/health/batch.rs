//! Jobs by their conditions, `CronJobs` by whether they are suspended.

use super::condition::{self, Condition, Status};
use super::workload::from_condition;
use super::{RuleContext, has_no_status, if_past, no_status};
use crate::model::health::{Health, Verdict};
use crate::model::json::{is_true, list, number, time};
use crate::model::rule::Rule;

pub(super) fn job(context: &RuleContext) -> Health {
    let RuleContext { object, now, .. } = *context;
    let count = |key| number(object, &["status", key]).unwrap_or_default().max(0);
    let succeeded = count("succeeded");
    let parallel = number(object, &["spec", "parallelism"]).unwrap_or_default();
    let ready = match number(object, &["spec", "completions"]) {
        Some(desired) => format!("{succeeded}/{desired}"),
        None if parallel > 1 => format!("{succeeded}/1 of {parallel}"),
        None => format!("{succeeded}/1"),
    };
    let judged = || {
        if has_no_status(object) {
            return no_status();
        }
        let conditions = condition::read(object);
        let held = |name| conditions.iter().find(|one| one.name == name && one.status == Status::True);
        // The order and the STATUS are those of kubectl.
        let by = |one: &Condition, verdict| Health {
            status: one.name.to_owned(),
            ..from_condition(one, verdict, Rule::Job, now)
        };
        if let Some(complete) = held("Complete") {
            return Health { reason: None, message: None, problem: None, ..by(complete, Verdict::Ready) };
        }
        if let Some(failed) = held("Failed") {
            return by(failed, Verdict::Failed);
        }
        if let Some(suspended) = held("Suspended") {
            return by(suspended, Verdict::Suspended);
        }
        if is_true(object, &["spec", "suspend"]) {
            return Health::new(Verdict::Suspended, Rule::Job).with_message("spec.suspend is true");
        }
        if let Some(target) = held("FailureTarget") {
            return by(target, Verdict::Failed);
        }
        let message = format!("{} active, {} failed", count("active"), count("failed"));
        let since = if_past(time(object, &["status", "startTime"]), now);
        Health {
            status: "Running".to_owned(),
            since,
            ..Health::new(Verdict::Progressing, Rule::Job).with_message(message)
        }
    };
    Health { ready: Some(ready), ..judged() }
}

pub(super) fn cron_job(context: &RuleContext) -> Health {
    let RuleContext { object, now, .. } = *context;
    let last = time(object, &["status", "lastScheduleTime"]);
    let last = if_past(last, now)
        .map_or_else(|| "never scheduled".to_owned(), |then| format!("last scheduled {}", now.ago(then)));
    if is_true(object, &["spec", "suspend"]) {
        return Health::new(Verdict::Suspended, Rule::CronJob)
            .with_message(format!("spec.suspend is true; {last}"));
    }
    let active = list(object, &["status", "active"]).len();
    Health::new(Verdict::None, Rule::CronJob).with_message(format!("{last}, {active} active"))
}
