//! What each health rule checks, for `--explain`, and which rules can call an object Ready.

use crate::model::rule::Rule;

/// One rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RuleEntry {
    pub rule: Rule,
    pub best: BestVerdict,
    /// What the rule checks, as a sentence fragment.
    pub description: &'static str,
}

/// The best verdict that a rule can give.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BestVerdict {
    Ready,
    /// It never calls an object Ready.
    NotReady,
}

use BestVerdict::{NotReady, Ready};

/// Every rule, in the order of [`Rule`].
pub const RULES: [RuleEntry; 33] = [
    entry_of(Rule::BadCondition, NotReady, "a condition that reports a failure, such as Degraded, is True"),
    entry_of(
        Rule::CronJob,
        NotReady,
        "spec.suspend; a CronJob that is not suspended has no health of its own",
    ),
    entry_of(
        Rule::DaemonSet,
        Ready,
        "same as kubectl rollout status: updated and available Pods, compared with those scheduled",
    ),
    entry_of(
        Rule::Deleting,
        NotReady,
        "deletion was requested less than 10 minutes ago, or the grace period has not ended",
    ),
    entry_of(
        Rule::Deployment,
        Ready,
        "same as kubectl rollout status: updated and available replicas, compared with those desired",
    ),
    entry_of(
        Rule::ErrorField,
        NotReady,
        "no state is given, but a field such as status.error or status.failureMessage is set",
    ),
    entry_of(
        Rule::GoodConditionFalse,
        NotReady,
        "a condition that should be True, such as Available, is False",
    ),
    entry_of(Rule::HorizontalPodAutoscaler, Ready, "the AbleToScale and ScalingActive conditions"),
    entry_of(Rule::Job, Ready, "the Complete, Failed and Suspended conditions"),
    entry_of(Rule::Namespace, Ready, "the phase"),
    entry_of(Rule::NoStatus, NotReady, "no controller has written a status"),
    entry_of(
        Rule::KeepsNoStatus,
        NotReady,
        "the kind has no status subresource, and none of its objects has a status",
    ),
    entry_of(Rule::Node, Ready, "the Ready condition, then the pressure conditions, then spec.unschedulable"),
    entry_of(Rule::NotJudged, NotReady, "no field of the status has a known meaning"),
    entry_of(Rule::NotRead, NotReady, "only the metadata was read"),
    entry_of(Rule::NothingToJudge, NotReady, "objects of this kind have no health"),
    entry_of(Rule::PausedCondition, NotReady, "a condition reports that it is paused or suspended"),
    entry_of(Rule::PersistentVolume, Ready, "the phase"),
    entry_of(Rule::PersistentVolumeClaim, Ready, "the phase and the resize conditions"),
    entry_of(Rule::Phase, Ready, "a status field such as phase, state or health"),
    entry_of(
        Rule::Pod,
        Ready,
        "same as kubectl get pods: the phase, the container states and the Ready condition",
    ),
    entry_of(Rule::PodDisruptionBudget, Ready, "healthy Pods, compared with those required"),
    entry_of(
        Rule::ProgressingCondition,
        NotReady,
        "a condition reports work in progress, or one that should be True is Unknown",
    ),
    entry_of(
        Rule::ReadyField,
        Ready,
        "status.ready or status.healthy is true, or a field such as status.ready or status.valid is false",
    ),
    entry_of(
        Rule::Replicas,
        Ready,
        "fewer replicas are ready than desired, or all are and the status has no other state",
    ),
    entry_of(Rule::ReplicaSet, Ready, "ready and available replicas, compared with those desired"),
    entry_of(
        Rule::Service,
        NotReady,
        "a load balancer has no address yet; other Services have no health of their own",
    ),
    entry_of(
        Rule::ServiceEndpoints,
        NotReady,
        "no endpoint of the Service is ready, although Pods in the tree are",
    ),
    entry_of(Rule::StaleGeneration, NotReady, "the status was written for an older generation of the spec"),
    entry_of(
        Rule::StatefulSet,
        Ready,
        "same as kubectl rollout status: ready and updated replicas, compared with those desired",
    ),
    entry_of(
        Rule::StuckDeletion,
        NotReady,
        "deletion was requested more than 10 minutes ago, but the object still exists",
    ),
    entry_of(
        Rule::SummaryCondition,
        Ready,
        "a condition for the whole object, such as Ready, is True and nothing contradicts it",
    ),
    entry_of(
        Rule::Suspended,
        NotReady,
        "the spec switches it off: spec.suspend or spec.paused is true, spec.running is false, spec.replicas is 0",
    ),
];

/// The entry of a rule.
pub fn entry(rule: Rule) -> &'static RuleEntry {
    &RULES[rule as usize]
}

const fn entry_of(rule: Rule, best: BestVerdict, description: &'static str) -> RuleEntry {
    RuleEntry { rule, best, description }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_rule_has_one_entry_in_its_place() {
        assert!(RULES.iter().map(|entry| entry.rule).eq(Rule::ALL.iter().copied()));
        assert!(RULES.iter().all(|line| entry(line.rule) == line && !line.description.is_empty()));
    }

    #[test]
    fn ids_are_sorted_and_have_no_duplicates() {
        assert!(Rule::ALL.is_sorted_by(|a, b| a.id() < b.id()));
    }
}
