//! Kinds of Kubernetes itself: which rule judges them, and which have nothing to judge.

use jiff::Timestamp;
use serde_json::Value;

use super::{autoscaling, batch, cluster, pod, service, storage, workload};
use crate::model::health::Health;
use crate::model::ident::GroupKind;

/// Judges an object of one kind, deletion aside.
pub type Rule = fn(&Value, Timestamp) -> Health;

/// Kinds with a rule of their own, sorted. `CustomResourceDefinition` and `APIService` are not among them:
/// what custom resources are judged by, with the lines of `known::conditions`, fits them as well.
const JUDGED: [(&str, &str, Rule); 15] = [
    ("", "Namespace", cluster::namespace),
    ("", "Node", cluster::node),
    ("", "PersistentVolume", storage::volume),
    ("", "PersistentVolumeClaim", storage::claim),
    ("", "Pod", pod::judge),
    ("", "ReplicationController", workload::replica_set),
    ("", "Service", service::judge),
    ("apps", "DaemonSet", workload::daemon_set),
    ("apps", "Deployment", workload::deployment),
    ("apps", "ReplicaSet", workload::replica_set),
    ("apps", "StatefulSet", workload::stateful_set),
    ("autoscaling", "HorizontalPodAutoscaler", autoscaling::autoscaler),
    ("batch", "CronJob", batch::cron_job),
    ("batch", "Job", batch::job),
    ("policy", "PodDisruptionBudget", autoscaling::disruption_budget),
];

/// Kinds whose objects hold nothing to judge, sorted: their metadata is enough.
const SILENT: [(&str, &str); 36] = [
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

/// The rule for a kind that has one of its own.
pub fn rule(kind: &GroupKind) -> Option<Rule> {
    let key = (kind.group.as_str(), kind.kind.as_str());
    JUDGED.binary_search_by_key(&key, |line| (line.0, line.1)).ok().map(|at| JUDGED[at].2)
}

/// Whether objects of a kind have no state.
pub fn is_silent(kind: &GroupKind) -> bool {
    SILENT.binary_search(&(kind.group.as_str(), kind.kind.as_str())).is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_tables_are_sorted_have_no_doubles_and_do_not_overlap() {
        assert!(JUDGED.is_sorted_by(|a, b| (a.0, a.1) < (b.0, b.1)));
        assert!(SILENT.is_sorted_by(|a, b| a < b));
        assert!(!JUDGED.iter().any(|line| SILENT.contains(&(line.0, line.1))));
    }
}
