//! The kinds built into Kubernetes, as of version 1.36: a dump has no discovery data that would list them.

use crate::model::kind::KindScope::{self, Cluster, Namespaced};

/// A built-in resource that can be listed.
#[derive(Clone, Copy, Debug)]
pub struct BuiltinKind {
    /// Empty for the core group.
    pub group: &'static str,
    /// The preferred version first.
    pub versions: &'static [&'static str],
    pub plural: &'static str,
    /// In lower case it is the singular name.
    pub kind: &'static str,
    pub scope: KindScope,
    pub short_names: &'static [&'static str],
}

const fn row(
    group: &'static str,
    versions: &'static [&'static str],
    plural: &'static str,
    kind: &'static str,
    scope: KindScope,
    short_names: &'static [&'static str],
) -> BuiltinKind {
    BuiltinKind { group, versions, plural, kind, scope, short_names }
}

/// The groups of the table in the order of a server's discovery; when a name matches two kinds, the first group wins.
pub const GROUPS: [&str; 19] = [
    "",
    "apiregistration.k8s.io",
    "apps",
    "events.k8s.io",
    "autoscaling",
    "batch",
    "certificates.k8s.io",
    "networking.k8s.io",
    "policy",
    "rbac.authorization.k8s.io",
    "storage.k8s.io",
    "admissionregistration.k8s.io",
    "apiextensions.k8s.io",
    "scheduling.k8s.io",
    "coordination.k8s.io",
    "node.k8s.io",
    "discovery.k8s.io",
    "resource.k8s.io",
    "flowcontrol.apiserver.k8s.io",
];

/// Sorted by group, then plural.
#[rustfmt::skip]
pub const BUILTIN_KINDS: [BuiltinKind; 60] = [
    row("", &["v1"], "componentstatuses", "ComponentStatus", Cluster, &["cs"]),
    row("", &["v1"], "configmaps", "ConfigMap", Namespaced, &["cm"]),
    row("", &["v1"], "endpoints", "Endpoints", Namespaced, &["ep"]),
    row("", &["v1"], "events", "Event", Namespaced, &["ev"]),
    row("", &["v1"], "limitranges", "LimitRange", Namespaced, &["limits"]),
    row("", &["v1"], "namespaces", "Namespace", Cluster, &["ns"]),
    row("", &["v1"], "nodes", "Node", Cluster, &["no"]),
    row("", &["v1"], "persistentvolumeclaims", "PersistentVolumeClaim", Namespaced, &["pvc"]),
    row("", &["v1"], "persistentvolumes", "PersistentVolume", Cluster, &["pv"]),
    row("", &["v1"], "pods", "Pod", Namespaced, &["po"]),
    row("", &["v1"], "podtemplates", "PodTemplate", Namespaced, &[]),
    row("", &["v1"], "replicationcontrollers", "ReplicationController", Namespaced, &["rc"]),
    row("", &["v1"], "resourcequotas", "ResourceQuota", Namespaced, &["quota"]),
    row("", &["v1"], "secrets", "Secret", Namespaced, &[]),
    row("", &["v1"], "serviceaccounts", "ServiceAccount", Namespaced, &["sa"]),
    row("", &["v1"], "services", "Service", Namespaced, &["svc"]),
    row("admissionregistration.k8s.io", &["v1"], "mutatingadmissionpolicies", "MutatingAdmissionPolicy", Cluster, &[]),
    row("admissionregistration.k8s.io", &["v1"], "mutatingadmissionpolicybindings", "MutatingAdmissionPolicyBinding", Cluster, &[]),
    row("admissionregistration.k8s.io", &["v1"], "mutatingwebhookconfigurations", "MutatingWebhookConfiguration", Cluster, &[]),
    row("admissionregistration.k8s.io", &["v1"], "validatingadmissionpolicies", "ValidatingAdmissionPolicy", Cluster, &[]),
    row("admissionregistration.k8s.io", &["v1"], "validatingadmissionpolicybindings", "ValidatingAdmissionPolicyBinding", Cluster, &[]),
    row("admissionregistration.k8s.io", &["v1"], "validatingwebhookconfigurations", "ValidatingWebhookConfiguration", Cluster, &[]),
    row("apiextensions.k8s.io", &["v1"], "customresourcedefinitions", "CustomResourceDefinition", Cluster, &["crd", "crds"]),
    row("apiregistration.k8s.io", &["v1"], "apiservices", "APIService", Cluster, &[]),
    row("apps", &["v1"], "controllerrevisions", "ControllerRevision", Namespaced, &[]),
    row("apps", &["v1"], "daemonsets", "DaemonSet", Namespaced, &["ds"]),
    row("apps", &["v1"], "deployments", "Deployment", Namespaced, &["deploy"]),
    row("apps", &["v1"], "replicasets", "ReplicaSet", Namespaced, &["rs"]),
    row("apps", &["v1"], "statefulsets", "StatefulSet", Namespaced, &["sts"]),
    row("autoscaling", &["v2", "v1"], "horizontalpodautoscalers", "HorizontalPodAutoscaler", Namespaced, &["hpa"]),
    row("batch", &["v1"], "cronjobs", "CronJob", Namespaced, &["cj"]),
    row("batch", &["v1"], "jobs", "Job", Namespaced, &[]),
    row("certificates.k8s.io", &["v1"], "certificatesigningrequests", "CertificateSigningRequest", Cluster, &["csr"]),
    row("coordination.k8s.io", &["v1"], "leases", "Lease", Namespaced, &[]),
    row("discovery.k8s.io", &["v1"], "endpointslices", "EndpointSlice", Namespaced, &[]),
    row("events.k8s.io", &["v1"], "events", "Event", Namespaced, &["ev"]),
    row("flowcontrol.apiserver.k8s.io", &["v1"], "flowschemas", "FlowSchema", Cluster, &[]),
    row("flowcontrol.apiserver.k8s.io", &["v1"], "prioritylevelconfigurations", "PriorityLevelConfiguration", Cluster, &[]),
    row("networking.k8s.io", &["v1"], "ingressclasses", "IngressClass", Cluster, &[]),
    row("networking.k8s.io", &["v1"], "ingresses", "Ingress", Namespaced, &["ing"]),
    row("networking.k8s.io", &["v1"], "ipaddresses", "IPAddress", Cluster, &["ip"]),
    row("networking.k8s.io", &["v1"], "networkpolicies", "NetworkPolicy", Namespaced, &["netpol"]),
    row("networking.k8s.io", &["v1"], "servicecidrs", "ServiceCIDR", Cluster, &[]),
    row("node.k8s.io", &["v1"], "runtimeclasses", "RuntimeClass", Cluster, &[]),
    row("policy", &["v1"], "poddisruptionbudgets", "PodDisruptionBudget", Namespaced, &["pdb"]),
    row("rbac.authorization.k8s.io", &["v1"], "clusterrolebindings", "ClusterRoleBinding", Cluster, &[]),
    row("rbac.authorization.k8s.io", &["v1"], "clusterroles", "ClusterRole", Cluster, &[]),
    row("rbac.authorization.k8s.io", &["v1"], "rolebindings", "RoleBinding", Namespaced, &[]),
    row("rbac.authorization.k8s.io", &["v1"], "roles", "Role", Namespaced, &[]),
    row("resource.k8s.io", &["v1"], "deviceclasses", "DeviceClass", Cluster, &[]),
    row("resource.k8s.io", &["v1"], "resourceclaims", "ResourceClaim", Namespaced, &[]),
    row("resource.k8s.io", &["v1"], "resourceclaimtemplates", "ResourceClaimTemplate", Namespaced, &[]),
    row("resource.k8s.io", &["v1"], "resourceslices", "ResourceSlice", Cluster, &[]),
    row("scheduling.k8s.io", &["v1"], "priorityclasses", "PriorityClass", Cluster, &["pc"]),
    row("storage.k8s.io", &["v1"], "csidrivers", "CSIDriver", Cluster, &[]),
    row("storage.k8s.io", &["v1"], "csinodes", "CSINode", Cluster, &[]),
    row("storage.k8s.io", &["v1"], "csistoragecapacities", "CSIStorageCapacity", Namespaced, &[]),
    row("storage.k8s.io", &["v1"], "storageclasses", "StorageClass", Cluster, &["sc"]),
    row("storage.k8s.io", &["v1"], "volumeattachments", "VolumeAttachment", Cluster, &[]),
    row("storage.k8s.io", &["v1"], "volumeattributesclasses", "VolumeAttributesClass", Cluster, &["vac"]),
];

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn the_table_is_sorted_and_has_no_doubles() {
        assert!(
            BUILTIN_KINDS
                .windows(2)
                .all(|pair| (pair[0].group, pair[0].plural) < (pair[1].group, pair[1].plural))
        );
        let kinds: BTreeSet<_> = BUILTIN_KINDS.iter().map(|row| (row.group, row.kind)).collect();
        assert_eq!(kinds.len(), BUILTIN_KINDS.len());
        assert!(BUILTIN_KINDS.iter().all(|row| !row.versions.is_empty()));
    }

    #[test]
    fn the_groups_are_those_of_the_table() {
        let named: BTreeSet<_> = GROUPS.into_iter().collect();
        assert_eq!(named, BUILTIN_KINDS.iter().map(|row| row.group).collect());
        assert_eq!(named.len(), GROUPS.len());
    }
}
