//! `HorizontalPodAutoscalers` and `PodDisruptionBudgets`.

use serde_json::{Value, json};

use super::condition::{self, Status};
use super::workload::{from_condition, not_observed};
use super::{RuleContext, has_no_status, no_status};
use crate::model::health::{Health, Verdict};
use crate::model::json::{at, number, text};
use crate::model::rule::Rule;

/// Where autoscaling/v1 has the conditions: as JSON in an annotation.
const CONDITIONS_ANNOTATION: &str = "autoscaling.alpha.kubernetes.io/conditions";

pub(super) fn autoscaler(context: &RuleContext) -> Health {
    const RULE: Rule = Rule::HorizontalPodAutoscaler;
    let RuleContext { object, now, .. } = *context;
    if has_no_status(object) {
        return no_status();
    }
    let annotated = text(object, &["metadata", "annotations", CONDITIONS_ANNOTATION]);
    let annotated = annotated.filter(|_| at(object, &["status", "conditions"]).is_none());
    let annotated = annotated.and_then(|conditions| serde_json::from_str::<Value>(conditions).ok());
    let annotated = annotated.map(|conditions| json!({"status": {"conditions": conditions}}));
    let object = annotated.as_ref().unwrap_or(object);
    let conditions = condition::read(object);
    let found: Vec<_> = ["AbleToScale", "ScalingActive"]
        .iter()
        .filter_map(|name| conditions.iter().find(|one| one.name == *name))
        .collect();
    let verdict_of = |status, reason: Option<&str>| match status {
        Status::True => None,
        // The target was scaled to 0 manually, which disables the autoscaler.
        Status::False if reason == Some("ScalingDisabled") => Some(Verdict::Suspended),
        Status::False => Some(Verdict::NotReady),
        Status::Unknown | Status::Other(_) | Status::Missing => Some(Verdict::Progressing),
    };
    if let Some((one, verdict)) =
        found.iter().find_map(|one| Some((*one, verdict_of(one.status, one.reason)?)))
    {
        return from_condition(one, verdict, RULE, now);
    }
    if found.len() < 2 {
        return Health::new(Verdict::Unknown, RULE)
            .with_message("its AbleToScale or ScalingActive condition is missing");
    }
    let limited = conditions.iter().find(|one| one.name == "ScalingLimited" && one.status == Status::True);
    Health {
        message: limited.and_then(|one| one.message).map(str::to_owned),
        since: found.iter().filter_map(|one| one.changed_at(now)).max(),
        ..Health::new(Verdict::Ready, RULE)
    }
}

pub(super) fn disruption_budget(context: &RuleContext) -> Health {
    const RULE: Rule = Rule::PodDisruptionBudget;
    let RuleContext { object, now, .. } = *context;
    if let Some(health) = not_observed(object) {
        return health;
    }
    let conditions = condition::read(object);
    if let Some(failed) = conditions.iter().find(|one| one.reason == Some("SyncFailed")) {
        return from_condition(failed, Verdict::NotReady, RULE, now);
    }
    let count = |key| number(object, &["status", key]);
    let (Some(healthy), Some(desired)) = (count("currentHealthy"), count("desiredHealthy")) else {
        return Health::new(Verdict::Unknown, RULE).with_message("its status has no Pod counts");
    };
    let message = format!("{healthy} of {desired} Pods healthy");
    if healthy < desired {
        return Health::new(Verdict::NotReady, RULE).with_message(message);
    }
    match (count("expectedPods"), count("disruptionsAllowed")) {
        (Some(0), _) => Health::new(Verdict::Unknown, RULE).with_message("its selector matches no Pods"),
        (_, Some(0)) => {
            Health::new(Verdict::Ready, RULE).with_message(format!("{message}; no Pod may be evicted"))
        }
        _ => Health::new(Verdict::Ready, RULE),
    }
}
