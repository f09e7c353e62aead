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
pub const RULES: [RuleEntry; 32] = [
    entry_of(
        Rule::AcceptedParts,
        Ready,
        "it has no condition of its own, and every parent or other object that can accept it does",
    ),
    entry_of(Rule::BadCondition, NotReady, "a condition that is bad when True is True"),
    entry_of(
        Rule::CronJob,
        NotReady,
        "spec.suspend; a CronJob that is not suspended has no state of its own",
    ),
    entry_of(
        Rule::DaemonSet,
        Ready,
        "as kubectl rollout status: updated and available Pods out of those scheduled",
    ),
    entry_of(
        Rule::Deleting,
        NotReady,
        "deleted less than 10 minutes elapsed, or still within its grace period",
    ),
    entry_of(
        Rule::Deployment,
        Ready,
        "as kubectl rollout status: updated and available replicas out of those desired",
    ),
    entry_of(Rule::GoodConditionFalse, NotReady, "a condition that is good when True is False"),
    entry_of(Rule::HorizontalPodAutoscaler, Ready, "the conditions AbleToScale and ScalingActive"),
    entry_of(Rule::Job, Ready, "the conditions Complete, Failed and Suspended"),
    entry_of(Rule::Namespace, Ready, "the phase"),
    entry_of(Rule::NoStatus, NotReady, "no controller has written a status"),
    entry_of(Rule::Node, Ready, "the condition Ready, then the pressure conditions, then spec.unschedulable"),
    entry_of(Rule::NotJudged, NotReady, "no rule knows any field of the status"),
    entry_of(Rule::NotRead, NotReady, "only the metadata was read"),
    entry_of(Rule::NothingToJudge, NotReady, "objects of this kind have no state"),
    entry_of(Rule::PausedCondition, NotReady, "a condition reports that it is paused or suspended"),
    entry_of(Rule::PersistentVolume, Ready, "the phase"),
    entry_of(Rule::PersistentVolumeClaim, Ready, "the phase and the resize conditions"),
    entry_of(Rule::Phase, Ready, "a status field such as phase, state or health"),
    entry_of(
        Rule::Pod,
        Ready,
        "as kubectl get pods: the phase, the container states and the condition Ready",
    ),
    entry_of(Rule::PodDisruptionBudget, Ready, "healthy Pods out of those required"),
    entry_of(
        Rule::ProgressingCondition,
        NotReady,
        "a condition reports work in progress, or one that should be True is Unknown",
    ),
    entry_of(
        Rule::ReadyField,
        Ready,
        "status.ready is true, or a field such as status.ready or status.valid is false",
    ),
    entry_of(Rule::Replicas, NotReady, "fewer replicas are ready than desired"),
    entry_of(Rule::ReplicaSet, Ready, "ready and available replicas out of those desired"),
    entry_of(
        Rule::Service,
        NotReady,
        "a load balancer has no address yet; other Services have no state of their own",
    ),
    entry_of(
        Rule::ServiceEndpoints,
        NotReady,
        "no endpoint of the Service is ready although Pods of the tree are",
    ),
    entry_of(Rule::StaleGeneration, NotReady, "the status was written for an older generation of the spec"),
    entry_of(
        Rule::StatefulSet,
        Ready,
        "as kubectl rollout status: ready and updated replicas out of those desired",
    ),
    entry_of(Rule::StuckDeletion, NotReady, "deleted more than 10 minutes ago and still there"),
    entry_of(
        Rule::SummaryCondition,
        Ready,
        "a condition for the whole object, such as Ready, is True and nothing contradicts it",
    ),
    entry_of(Rule::Suspended, NotReady, "spec.suspend or spec.paused is true"),
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
