//! Deployments, `ReplicaSets`, `StatefulSets` and `DaemonSets`, judged as `kubectl rollout status` does. The desired
//! count comes from the spec, except for a `DaemonSet`: only its controller knows how many nodes match.

use serde_json::Value;

use super::condition::{self, Condition, Status};
use super::excerpt::excerpt;
use super::{RuleContext, facts, has_no_status, no_status};
use crate::known::server_messages;
use crate::model::health::{Health, Verdict};
use crate::model::json::{is_true, number, text};
use crate::model::now::Now;
use crate::model::rule::Rule;

pub(super) fn deployment(context: &RuleContext) -> Health {
    let RuleContext { object, now, .. } = *context;
    let (desired, count) = (desired(object), counter(object));
    let (ready, updated, available) =
        (count("readyReplicas"), count("updatedReplicas"), count("availableReplicas"));
    let old = count("replicas").saturating_sub(updated);
    let judge = || {
        if let Some(health) = not_observed(object) {
            return health;
        }
        if is_true(object, &["spec", "paused"]) {
            return Health::new(Verdict::Suspended, Rule::Deployment)
                .with_message(format!("paused; {ready} of {desired} ready"));
        }
        let conditions = condition::read(object);
        let by = |one: &Condition, verdict| from_condition(one, verdict, Rule::Deployment, now);
        let find = |name| conditions.iter().find(|one| one.name == name);
        let progress = find("Progressing");
        if let Some(late) = progress.filter(|one| one.reason == Some("ProgressDeadlineExceeded")) {
            return by(late, Verdict::Failed);
        }
        if let Some(failure) = find("ReplicaFailure").filter(|one| one.status == Status::True) {
            return by(failure, Verdict::Failed);
        }
        if let Some(stopped) = progress.filter(|one| one.status == Status::False) {
            return by(stopped, Verdict::NotReady);
        }
        let is_rolled_out = progress.is_some_and(|one| one.reason == Some("NewReplicaSetAvailable"));
        let lost = find("Available").filter(|one| one.status == Status::False && is_rolled_out);
        if let Some(lost) = lost.filter(|_| updated >= desired) {
            return by(lost, Verdict::NotReady);
        }
        let message = if updated < desired {
            format!("{updated} of {desired} updated")
        } else if old > 0 {
            format!("{old} old {} pending termination", if old == 1 { "replica" } else { "replicas" })
        } else if available < updated || available < desired {
            format!("{available} of {desired} available")
        } else {
            let since = find("Available").and_then(|one| one.changed_at(now));
            return Health { since, ..ready_or_scaled_down(desired, Rule::Deployment) };
        };
        Health::new(Verdict::Progressing, Rule::Deployment).with_message(message)
    };
    Health { ready: Some(format!("{ready}/{desired}")), ..judge() }
}

/// Also for a `ReplicationController`, which has the same fields.
pub(super) fn replica_set(context: &RuleContext) -> Health {
    let RuleContext { object, now, .. } = *context;
    let (desired, count) = (desired(object), counter(object));
    let (ready, available) = (count("readyReplicas"), count("availableReplicas"));
    let judge = || {
        if let Some(health) = not_observed(object) {
            return health;
        }
        let conditions = condition::read(object);
        let failure =
            conditions.iter().find(|one| one.name == "ReplicaFailure" && one.status == Status::True);
        if let Some(failure) = failure {
            return from_condition(failure, Verdict::Failed, Rule::ReplicaSet, now);
        }
        if let Some(health) = without_counts(object, &["replicas", "readyReplicas"], Rule::ReplicaSet) {
            return health;
        }
        if desired == 0 && count("replicas") == 0 {
            // Left over from an earlier rollout.
            return Health::new(Verdict::None, Rule::ReplicaSet);
        }
        if count("replicas") > desired {
            let message = format!("{} replicas, {desired} desired", count("replicas"));
            return Health::new(Verdict::Progressing, Rule::ReplicaSet).with_message(message);
        }
        if ready < desired {
            return Health::new(Verdict::Progressing, Rule::ReplicaSet)
                .with_message(format!("{ready} of {desired} ready"));
        }
        if available < desired {
            return Health::new(Verdict::Progressing, Rule::ReplicaSet)
                .with_message(format!("{available} of {desired} available"));
        }
        ready_or_scaled_down(desired, Rule::ReplicaSet)
    };
    Health { ready: Some(format!("{ready}/{desired}")), ..judge() }
}

pub(super) fn stateful_set(context: &RuleContext) -> Health {
    let object = context.object;
    let (desired, count) = (desired(object), counter(object));
    let (ready, updated) = (count("readyReplicas"), count("updatedReplicas"));
    let revision = |key| text(object, &["status", key]).unwrap_or_default();
    let is_rolling = text(object, &["spec", "updateStrategy", "type"]) != Some("OnDelete");
    let partition = number(object, &["spec", "updateStrategy", "rollingUpdate", "partition"]);
    let kept = partition.unwrap_or_default().max(0);
    let to_update = desired.saturating_sub(kept).max(0);
    let judge = || {
        if let Some(health) = not_observed(object) {
            return health;
        }
        let counts = ["replicas", "readyReplicas", "updatedReplicas", "currentReplicas"];
        if let Some(health) = without_counts(object, &counts, Rule::StatefulSet) {
            return health;
        }
        let message = if ready < desired {
            format!("{ready} of {desired} ready")
        } else if count("replicas") > desired {
            format!("{} replicas, {desired} desired", count("replicas"))
        } else if is_rolling && updated < to_update {
            format!("{updated} of {to_update} updated")
        } else if is_rolling && kept == 0 && revision("updateRevision") != revision("currentRevision") {
            format!("{updated} of {desired} at the new revision")
        } else if number(object, &["status", "availableReplicas"])
            .is_some_and(|available| available < desired)
        {
            format!("{} of {desired} available", count("availableReplicas"))
        } else if kept > 0 {
            return Health::new(Verdict::Ready, Rule::StatefulSet)
                .with_message(format!("{kept} kept at the old revision by the update partition"));
        } else {
            return ready_or_scaled_down(desired, Rule::StatefulSet);
        };
        Health::new(Verdict::Progressing, Rule::StatefulSet).with_message(message)
    };
    Health { ready: Some(format!("{ready}/{desired}")), ..judge() }
}

pub(super) fn daemon_set(context: &RuleContext) -> Health {
    let object = context.object;
    let count = counter(object);
    let (desired, ready) = (count("desiredNumberScheduled"), count("numberReady"));
    let (updated, available) = (count("updatedNumberScheduled"), count("numberAvailable"));
    let is_rolling = text(object, &["spec", "updateStrategy", "type"]) != Some("OnDelete");
    let judge = || {
        if let Some(health) = not_observed(object) {
            return health;
        }
        if let Some(health) = without_counts(object, &["desiredNumberScheduled"], Rule::DaemonSet) {
            return health;
        }
        let message = if is_rolling && updated < desired {
            format!("{updated} of {desired} updated")
        } else if available < desired {
            format!("{available} of {desired} available")
        } else if ready < desired {
            format!("{ready} of {desired} ready")
        } else if desired == 0 {
            return Health::new(Verdict::Ready, Rule::DaemonSet).with_message("it matches no nodes");
        } else {
            return Health::new(Verdict::Ready, Rule::DaemonSet);
        };
        Health::new(Verdict::Progressing, Rule::DaemonSet).with_message(message)
    };
    Health { ready: Some(format!("{ready}/{desired}")), ..judge() }
}

/// The verdict while the controller has not observed the current spec.
pub(super) fn not_observed(object: &Value) -> Option<Health> {
    if has_no_status(object) {
        return Some(no_status());
    }
    let generation = number(object, &["metadata", "generation"])?;
    let seen = number(object, &["status", "observedGeneration"]).unwrap_or_default();
    let message = format!("its status is for an older spec (generation {seen}, now {generation})");
    (seen < generation)
        .then(|| Health::new(Verdict::Progressing, Rule::StaleGeneration).with_message(message))
}

/// The verdict on a workload whose status has none of the counts that its controller always writes.
fn without_counts(object: &Value, counts: &[&str], rule: Rule) -> Option<Health> {
    let has_count = counts.iter().any(|key| number(object, &["status", key]).is_some());
    (!has_count).then(|| Health::new(Verdict::Unknown, rule).with_message("its status has no Pod counts"))
}

/// A verdict by a condition.
pub(super) fn from_condition(one: &Condition, verdict: Verdict, rule: Rule, now: Now) -> Health {
    let lasted = one.lasting(now).map(|lasted| format!(" {lasted}")).unwrap_or_default();
    let words = one.message.or(one.reason).map(|words| format!(": {}", excerpt(words))).unwrap_or_default();
    let message = format!("{}{lasted}{words}", one.label());
    Health {
        reason: one.reason.map(excerpt),
        problem: one.message.and_then(server_messages::classify),
        since: one.changed_at(now),
        facts: vec![facts::condition(one)],
        ..Health::new(verdict, rule).with_message(message)
    }
}

fn ready_or_scaled_down(desired: i64, rule: Rule) -> Health {
    if desired == 0 {
        Health::new(Verdict::Ready, rule).with_message("scaled to 0")
    } else {
        Health::new(Verdict::Ready, rule)
    }
}

/// The API server defaults to 1.
fn desired(object: &Value) -> i64 {
    number(object, &["spec", "replicas"]).unwrap_or(1).max(0)
}

/// Reads a count of the status; a missing or negative one is 0.
fn counter(object: &Value) -> impl Fn(&str) -> i64 {
    move |key| number(object, &["status", key]).unwrap_or_default().max(0)
}
