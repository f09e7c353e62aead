//! Built-in kinds: which rule judges them, and which have no state to judge.

use super::{RuleContext, autoscaling, batch, cluster, facts, pod, service, storage, workload};
use crate::known::kinds::moved_to;
use crate::model::health::Health;
use crate::model::ident::GroupKind;
use crate::model::rule::Rule;

/// A built-in kind and its rule.
#[derive(Debug)]
pub(super) struct KindRule {
    group: &'static str,
    kind: &'static str,
    /// Judges an object of the kind that is not being deleted.
    rule: fn(&RuleContext) -> Health,
    /// The fields that the rule reads, apart from the condition or container that decides.
    reads: &'static [&'static str],
}

impl KindRule {
    /// Judges an object and records the fields that the rule read.
    pub(super) fn judge(&self, context: &RuleContext) -> Health {
        let mut health = (self.rule)(context);
        if health.rule != Rule::NoStatus {
            let mut all = facts::read(context.object, self.reads);
            all.extend(health.facts.into_iter().filter(|fact| !self.reads.contains(&fact.path.as_str())));
            health.facts = all;
        }
        health
    }
}

const fn kind_rule(
    group: &'static str,
    kind: &'static str,
    rule: fn(&RuleContext) -> Health,
    reads: &'static [&'static str],
) -> KindRule {
    KindRule { group, kind, rule, reads }
}

const REPLICAS: &[&str] = &[
    "metadata.generation",
    "status.observedGeneration",
    "spec.replicas",
    "status.replicas",
    "status.readyReplicas",
    "status.availableReplicas",
];

/// Built-in kinds with a rule, sorted. `CustomResourceDefinition` and `APIService` have none: the rules for custom
/// resources, with the entries of `known::conditions`, fit them as well.
static KIND_RULES: [KindRule; 15] = [
    kind_rule("", "Namespace", cluster::namespace, &["status.phase"]),
    kind_rule("", "Node", cluster::node, &["status.conditions[Ready]", "spec.unschedulable"]),
    kind_rule(
        "",
        "PersistentVolume",
        storage::volume,
        &["status.phase", "status.reason", "spec.persistentVolumeReclaimPolicy"],
    ),
    kind_rule("", "PersistentVolumeClaim", storage::claim, &["status.phase"]),
    kind_rule("", "Pod", pod::judge, &["status.phase", "status.reason", "status.conditions[Ready]"]),
    kind_rule("", "ReplicationController", workload::replica_set, REPLICAS),
    kind_rule(
        "",
        "Service",
        service::judge,
        &["spec.type", "status.loadBalancer.ingress", "spec.externalIPs"],
    ),
    kind_rule(
        "apps",
        "DaemonSet",
        workload::daemon_set,
        &[
            "metadata.generation",
            "status.observedGeneration",
            "spec.updateStrategy.type",
            "status.desiredNumberScheduled",
            "status.updatedNumberScheduled",
            "status.numberAvailable",
            "status.numberReady",
        ],
    ),
    kind_rule(
        "apps",
        "Deployment",
        workload::deployment,
        &[
            "metadata.generation",
            "status.observedGeneration",
            "spec.paused",
            "spec.replicas",
            "status.replicas",
            "status.updatedReplicas",
            "status.readyReplicas",
            "status.availableReplicas",
            "status.conditions[Progressing]",
            "status.conditions[Available]",
        ],
    ),
    kind_rule("apps", "ReplicaSet", workload::replica_set, REPLICAS),
    kind_rule(
        "apps",
        "StatefulSet",
        workload::stateful_set,
        &[
            "metadata.generation",
            "status.observedGeneration",
            "spec.updateStrategy.type",
            "spec.updateStrategy.rollingUpdate.partition",
            "spec.replicas",
            "status.replicas",
            "status.readyReplicas",
            "status.updatedReplicas",
            "status.availableReplicas",
            "status.currentRevision",
            "status.updateRevision",
        ],
    ),
    kind_rule(
        "autoscaling",
        "HorizontalPodAutoscaler",
        autoscaling::autoscaler,
        &["status.conditions[AbleToScale]", "status.conditions[ScalingActive]"],
    ),
    kind_rule(
        "batch",
        "CronJob",
        batch::cron_job,
        &["spec.suspend", "status.lastScheduleTime", "status.active"],
    ),
    kind_rule(
        "batch",
        "Job",
        batch::job,
        &["spec.suspend", "spec.completions", "status.succeeded", "status.active", "status.failed"],
    ),
    kind_rule(
        "policy",
        "PodDisruptionBudget",
        autoscaling::disruption_budget,
        &[
            "metadata.generation",
            "status.observedGeneration",
            "status.currentHealthy",
            "status.desiredHealthy",
            "status.expectedPods",
            "status.disruptionsAllowed",
        ],
    ),
];

/// Kinds whose objects have no state, sorted: their metadata is enough.
const STATELESS_KINDS: [(&str, &str); 36] = [
    ("", "ConfigMap"),
    ("", "Endpoints"),
    ("", "Event"),
    ("", "LimitRange"),
    ("", "PodTemplate"),
    ("", "ResourceQuota"),
    ("", "Secret"),
    ("", "ServiceAccount"),
    ("admissionregistration.k8s.io", "MutatingAdmissionPolicy"),
    ("admissionregistration.k8s.io", "MutatingAdmissionPolicyBinding"),
    ("admissionregistration.k8s.io", "MutatingWebhookConfiguration"),
    ("admissionregistration.k8s.io", "ValidatingAdmissionPolicy"),
    ("admissionregistration.k8s.io", "ValidatingAdmissionPolicyBinding"),
    ("admissionregistration.k8s.io", "ValidatingWebhookConfiguration"),
    ("apps", "ControllerRevision"),
    ("coordination.k8s.io", "Lease"),
    ("discovery.k8s.io", "EndpointSlice"),
    ("events.k8s.io", "Event"),
    ("networking.k8s.io", "IPAddress"),
    ("networking.k8s.io", "Ingress"),
    ("networking.k8s.io", "IngressClass"),
    ("networking.k8s.io", "NetworkPolicy"),
    ("node.k8s.io", "RuntimeClass"),
    ("rbac.authorization.k8s.io", "ClusterRole"),
    ("rbac.authorization.k8s.io", "ClusterRoleBinding"),
    ("rbac.authorization.k8s.io", "Role"),
    ("rbac.authorization.k8s.io", "RoleBinding"),
    ("resource.k8s.io", "DeviceClass"),
    ("resource.k8s.io", "ResourceClaimTemplate"),
    ("resource.k8s.io", "ResourceSlice"),
    ("scheduling.k8s.io", "PriorityClass"),
    ("storage.k8s.io", "CSIDriver"),
    ("storage.k8s.io", "CSINode"),
    ("storage.k8s.io", "CSIStorageCapacity"),
    ("storage.k8s.io", "StorageClass"),
    ("storage.k8s.io", "VolumeAttributesClass"),
];

/// The rule of a built-in kind.
pub(super) fn rule_for(kind: &GroupKind) -> Option<&'static KindRule> {
    let key = key(kind);
    KIND_RULES.binary_search_by_key(&key, |line| (line.group, line.kind)).ok().map(|at| &KIND_RULES[at])
}

/// Whether objects of a kind have no state.
pub(super) fn is_stateless(kind: &GroupKind) -> bool {
    STATELESS_KINDS.binary_search(&key(kind)).is_ok()
}

/// The group and kind in the tables: rules do not depend on the version, nor on a group that the kind has left.
fn key(kind: &GroupKind) -> (&str, &str) {
    (moved_to(&kind.group, &kind.kind).unwrap_or(&kind.group), &kind.kind)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_tables_are_sorted_have_no_duplicates_and_do_not_overlap() {
        assert!(KIND_RULES.is_sorted_by(|a, b| (a.group, a.kind) < (b.group, b.kind)));
        assert!(STATELESS_KINDS.is_sorted_by(|a, b| a < b));
        assert!(!KIND_RULES.iter().any(|line| STATELESS_KINDS.contains(&(line.group, line.kind))));
    }
}
