//! What watches over numbers of Pods: autoscalers and disruption budgets.

use super::condition::{self, Status};
use super::workload::{by_condition, told, unseen};
use super::{Subject, has_no_status, no_status, said};
use crate::model::health::{Health, Verdict};
use crate::model::json::number;
use crate::model::rule::Rule;

pub(super) fn autoscaler(subject: &Subject) -> Health {
    const RULE: Rule = Rule::HorizontalPodAutoscaler;
    let Subject { object, now, .. } = *subject;
    if has_no_status(object) {
        return no_status();
    }
    let conditions = condition::read(object);
    let found: Vec<_> = ["AbleToScale", "ScalingActive"]
        .iter()
        .filter_map(|name| conditions.iter().find(|one| one.name == *name))
        .collect();
    let verdict_of = |status, reason: Option<&str>| match status {
        Status::True => None,
        // The target was scaled to 0 by hand: the autoscaler steps back.
        Status::False if reason == Some("ScalingDisabled") => Some(Verdict::Suspended),
        Status::False => Some(Verdict::NotReady),
        Status::Unknown | Status::Other(_) | Status::Missing => Some(Verdict::Progressing),
    };
    if let Some((one, verdict)) =
        found.iter().find_map(|one| Some((*one, verdict_of(one.status, one.reason)?)))
    {
        return by_condition(one, verdict, RULE, now);
    }
    if found.len() < 2 {
        return told(Verdict::Unknown, RULE, "it does not say whether it can scale".to_owned());
    }
    let limited = conditions.iter().find(|one| one.name == "ScalingLimited" && one.status == Status::True);
    Health {
        message: limited.and_then(|one| one.message).map(str::to_owned),
        since: found.iter().filter_map(|one| one.began(now)).max(),
        ..said(Verdict::Ready, RULE)
    }
}

pub(super) fn disruption_budget(subject: &Subject) -> Health {
    const RULE: Rule = Rule::PodDisruptionBudget;
    let Subject { object, now, .. } = *subject;
    if let Some(health) = unseen(object) {
        return health;
    }
    let conditions = condition::read(object);
    if let Some(failed) = conditions.iter().find(|one| one.reason == Some("SyncFailed")) {
        return by_condition(failed, Verdict::NotReady, RULE, now);
    }
    let count = |key| number(object, &["status", key]);
    let (Some(healthy), Some(wanted)) = (count("currentHealthy"), count("desiredHealthy")) else {
        return told(Verdict::Unknown, RULE, "its status counts no Pods".to_owned());
    };
    let message = format!("{healthy} of {wanted} Pods healthy");
    if healthy < wanted {
        return told(Verdict::NotReady, RULE, message);
    }
    match (count("expectedPods"), count("disruptionsAllowed")) {
        (Some(0), _) => told(Verdict::Unknown, RULE, "it covers no Pods".to_owned()),
        (_, Some(0)) => told(Verdict::Ready, RULE, format!("{message}; none may be evicted now")),
        _ => said(Verdict::Ready, RULE),
    }
}
