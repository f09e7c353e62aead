//! What a condition type means, per API group: projects use the same type differently (`Active` False is idle in KEDA
//! and bad in ECK). Not here: meanings that depend on the reason (`reasons`), guesses from the end of the type
//! (`suffixes`).

use Polarity::{Bad, Good, Info, Paused, Progressing, WarnIfFalse, WarnIfTrue};

/// What it means when a condition is True.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Polarity {
    /// Ready; False is not ready.
    Good,
    /// Failed.
    Bad,
    /// Work is in progress.
    Progressing,
    /// Paused or suspended on purpose.
    Paused,
    /// Nothing about health.
    Info,
    /// Worth a warning, without effect on the verdict.
    WarnIfTrue,
    /// Good; False is worth a warning, without effect on the verdict.
    WarnIfFalse,
}

/// One condition type of one group.
#[derive(Clone, Copy, Debug)]
pub struct ConditionType {
    pub group: &'static str,
    pub name: &'static str,
    pub polarity: Polarity,
    /// The repository and file that define it.
    pub source: &'static str,
}

/// The entry for a condition type: that of the group, of a parent group, or the one for every group.
pub fn find(group: &str, name: &str) -> Option<&'static ConditionType> {
    exact(group, name)
        .or_else(|| parents(group).find_map(|parent| below(parent, name)))
        .or_else(|| exact("*", name))
}

/// Types that summarize the whole object, the best first. Only these can make it Ready: a step that succeeded
/// (`Launched`, `Synced`) does not cover the whole.
pub const SUMMARIES: [&str; 15] = [
    "Ready",
    "ready",
    "Available",
    "Healthy",
    "AllReplicasReady",
    "ReconciliationComplete",
    "Reconciled",
    "Programmed",
    "Established",
    "Installed",
    "Compliant",
    "Promoted",
    "Succeeded",
    "Complete",
    "Completed",
];

/// Types that summarize the whole object in one group only, sorted; each is the last or the only one that its
/// controller sets. The sources are those of `CONDITION_TYPES`.
const GROUP_SUMMARIES: [(&str, &str); 14] = [
    ("*", "Successful"),
    (".services.k8s.aws", "ACK.ResourceSynced"),
    ("argoproj.io", "Deployed"),
    ("argoproj.io", "ResourcesUpToDate"),
    ("autoscaling.k8s.io", "RecommendationProvided"),
    ("bitnami.com", "Synced"),
    ("cluster.open-cluster-management.io", "ManagedClusterConditionAvailable"),
    ("datadoghq.com", "Valid"),
    ("infinispan.org", "WellFormed"),
    ("k8s.keycloak.org", "Done"),
    ("kueue.x-k8s.io", "Active"),
    ("machineconfiguration.openshift.io", "Updated"),
    ("olm.operatorframework.io", "Serving"),
    // cert-manager/trust-manager pkg/apis/trust/v1alpha1/types_bundle.go.
    ("trust.cert-manager.io", "Synced"),
];

/// The rank of a type among the summaries of a group.
pub fn summary_rank(group: &str, name: &str) -> Option<usize> {
    let is_in = |of: &str| match of.strip_prefix('.') {
        Some(parent) => parents(group).any(|group| group == parent),
        None => of == "*" || of == group,
    };
    let own = || GROUP_SUMMARIES.iter().any(|line| line.1 == name && is_in(line.0));
    SUMMARIES.iter().position(|summary| *summary == name).or_else(|| own().then_some(SUMMARIES.len()))
}

fn exact(group: &str, name: &str) -> Option<&'static ConditionType> {
    let place = CONDITION_TYPES.binary_search_by_key(&(group, name), |line| (line.group, line.name)).ok()?;
    CONDITION_TYPES.get(place)
}

/// The entry for the groups below a parent, which the table spells `.parent`.
fn below(parent: &str, name: &str) -> Option<&'static ConditionType> {
    let key = |line: &ConditionType| match line.group.strip_prefix('.') {
        Some(group) => (group, line.name).cmp(&(parent, name)),
        // Entries with a dot in front stand between `*` and the other groups.
        None if line.group < "." => std::cmp::Ordering::Less,
        None => std::cmp::Ordering::Greater,
    };
    let place = CONDITION_TYPES.binary_search_by(key).ok()?;
    CONDITION_TYPES.get(place)
}

/// The group and its parents: `a.b.c`, `b.c`, `c`.
fn parents(group: &str) -> impl Iterator<Item = &str> {
    std::iter::successors(Some(group), |group| group.split_once('.').map(|(_, rest)| rest))
}

const fn line(
    group: &'static str,
    name: &'static str,
    polarity: Polarity,
    source: &'static str,
) -> ConditionType {
    ConditionType { group, name, polarity, source }
}

// The sources of the entries.
const ACK: &str = "aws-controllers-k8s/runtime apis/core/v1alpha1/conditions.go";
const APPS: &str = "kubernetes apps/v1/types.go";
const ARGO_CD: &str = "argoproj/argo-cd pkg/apis/application/v1alpha1";
const ARGO_EVENTS: &str = "argoproj/argo-events pkg/apis/events/v1alpha1";
const ARGO_WORKFLOWS: &str = "argoproj/argo-workflows pkg/apis/workflow/v1alpha1/cron_workflow_types.go";
const BATCH: &str = "kubernetes batch/v1/types.go";
const CAPI: &str = "kubernetes-sigs/cluster-api api/core/v1beta2";
const CATALOG: &str = "operator-framework/operator-controller api/v1/clustercatalog_types.go";
const CERT: &str = "cert-manager pkg/apis/certmanager/v1";
const CNPG: &str = "cloudnative-pg api/v1/cluster_types.go";
const CONVENTION: &str =
    "words many operators share: Kubernetes' API conventions, operator-sdk's Available/Progressing/Degraded";
const CORE: &str = "kubernetes core/v1/types.go";
const CRD: &str = "kubernetes apiextensions v1/types.go";
const CROSSPLANE: &str = "crossplane apis/core/v2/condition.go";
const CROSSPLANE_PKG: &str = "crossplane apis/apiextensions/v1, apis/pkg/v1/conditions.go";
const CSR: &str = "kubernetes certificates/v1/types.go";
const DATADOG: &str = "DataDog/datadog-operator api/datadoghq/v1alpha1/datadogmetric_types.go";
const ECK: &str = "elastic/cloud-on-k8s pkg/apis/elasticsearch/v1/status.go, common/v1alpha1";
const EXTENSION: &str = "operator-framework/operator-controller api/v1/clusterextension_types.go";
const FLUX: &str = "fluxcd/pkg apis/meta/conditions.go";
const FLUX_HELM: &str = "fluxcd/helm-controller api/v2/condition_types.go";
const FLUX_SOURCE: &str = "fluxcd/source-controller api/v1/condition_types.go";
const GATEWAY: &str = "kubernetes-sigs/gateway-api apis/v1";
const GROUP: &str = "operator-framework/api operatorgroup_types.go";
const INFINISPAN: &str = "infinispan/infinispan-operator api/v1/infinispan_types.go";
const INSTALL_PLAN: &str = "operator-framework/api installplan_types.go";
const KARPENTER: &str = "kubernetes-sigs/karpenter pkg/apis/v1";
const KEDA: &str = "kedacore/keda apis/keda/v1alpha1/condition_types.go";
const KEYCLOAK: &str =
    "keycloak operator KeycloakStatusCondition.java, KeycloakRealmImportStatusCondition.java";
const KNATIVE: &str = "knative pkg apis/condition_types.go, serving pkg/apis/serving/v1";
const KNATIVE_OPERATOR: &str = "knative operator";
const KRO: &str = "kro api/v1alpha1/conditions.go";
const KSERVE: &str = "kserve pkg/apis/serving/v1beta1/inference_service_status.go";
const KSTATUS: &str = "kubernetes-sigs/cli-utils pkg/kstatus/status/status.go";
const KUBEFLOW: &str = "kubeflow/trainer pkg/apis/kubeflow.org/v1/common_types.go";
const KUBEVIRT: &str = "kubevirt core/v1/types.go";
const KUEUE: &str = "kubernetes-sigs/kueue apis/kueue/v1beta1";
const LONGHORN: &str = "longhorn k8s/pkg/apis/longhorn/v1beta2";
const MACHINE_CONFIG: &str = "openshift/api machineconfiguration/v1/types.go";
const MARIADB: &str = "mariadb-operator api/v1alpha1/condition_types.go";
const OBJECT_SET: &str = "operator-framework/operator-controller api/v1/clusterobjectset_types.go";
const OCM: &str = "open-cluster-management/api cluster/v1/types.go";
const OPENSHIFT: &str = "openshift/api config/v1/types_cluster_operator.go";
const OPERATOR_SDK: &str = "operator-sdk's Ansible and Helm operators: the last reconciliation";
const PERCONA: &str =
    "percona-xtradb-cluster-operator pkg/controller/pxc/status.go: a history, all True; the state counts";
const POLICY: &str = "kubernetes policy/v1/types.go";
const PROMETHEUS: &str = "prometheus-operator pkg/apis/monitoring/v1/types.go";
const RABBIT: &str = "rabbitmq/cluster-operator internal/status/status.go";
const ROLLOUTS: &str = "argoproj/argo-rollouts types.go";
const ROOK: &str = "rook pkg/apis/ceph.rook.io/v1/types.go";
const ROUTE: &str = "openshift/api route/v1/types.go";
const SCALING: &str = "kubernetes autoscaling/v2/types.go";
const SEALED_SECRETS: &str = "bitnami-labs/sealed-secrets pkg/apis/sealedsecrets/v1alpha1/types.go";
const SECRETS: &str = "external-secrets apis/externalsecrets/v1";
const STRIMZI: &str = "strimzi StatusUtils.java";
const SUBSCRIPTION: &str = "operator-framework/api subscription_types.go";
const VPA: &str = "kubernetes/autoscaler vertical-pod-autoscaler pkg/apis/autoscaling.k8s.io/v1/types.go";

/// Known condition types, sorted. A group that starts with a dot includes its subgroups; `*` is every group without an
/// entry of its own.
pub static CONDITION_TYPES: [ConditionType; 358] = [
    line("", "AllContainersRestarting", Progressing, CORE),
    line("", "ContainersReady", Good, CORE),
    line("", "ControllerResizeError", Bad, CORE),
    line("", "DiskPressure", Bad, CORE),
    line("", "DisruptionTarget", Bad, CORE),
    line("", "FileSystemResizePending", Progressing, CORE),
    line("", "Initialized", Good, CORE),
    line("", "MemoryPressure", Bad, CORE),
    line("", "ModifyVolumeError", Bad, CORE),
    line("", "ModifyingVolume", Progressing, CORE),
    line("", "NamespaceContentRemaining", Progressing, CORE),
    line("", "NamespaceDeletionContentFailure", Bad, CORE),
    line("", "NamespaceDeletionDiscoveryFailure", Bad, CORE),
    line("", "NamespaceDeletionGroupVersionParsingFailure", Bad, CORE),
    line("", "NamespaceFinalizersRemaining", Progressing, CORE),
    line("", "NetworkUnavailable", Bad, CORE),
    line("", "NodeResizeError", Bad, CORE),
    line("", "PIDPressure", Bad, CORE),
    line("", "PodReadyToStartContainers", Good, CORE),
    line("", "PodResizeInProgress", Progressing, CORE),
    line("", "PodResizePending", Progressing, CORE),
    line("", "PodScheduled", Good, CORE),
    line("", "Ready", Good, CORE),
    line("", "Resizing", Progressing, CORE),
    line("", "Unused", Info, CORE),
    line("*", "Accepted", Good, CONVENTION),
    line("*", "Active", Info, CONVENTION),
    line("*", "AllReplicasReady", Good, CONVENTION),
    line("*", "Available", Good, CONVENTION),
    line("*", "Complete", Good, CONVENTION),
    line("*", "Completed", Good, CONVENTION),
    line("*", "Compliant", Good, CONVENTION),
    line("*", "Degraded", Bad, CONVENTION),
    line("*", "Deprecated", WarnIfTrue, CONVENTION),
    line("*", "Drifted", Info, CONVENTION),
    line("*", "Established", Good, CONVENTION),
    line("*", "Failure", Bad, CONVENTION),
    line("*", "FullyApplied", Good, CONVENTION),
    line("*", "Healthy", Good, CONVENTION),
    line("*", "Hibernated", Paused, CONVENTION),
    line("*", "Initialized", Good, CONVENTION),
    line("*", "Installed", Good, CONVENTION),
    line("*", "Irreconcilable", Bad, OPERATOR_SDK),
    line("*", "Launched", Good, CONVENTION),
    line("*", "Paused", Paused, CONVENTION),
    line("*", "Programmed", Good, CONVENTION),
    line("*", "Progressing", Progressing, CONVENTION),
    line("*", "Promoted", Good, CONVENTION),
    line("*", "Ready", Good, CONVENTION),
    line("*", "Reconciled", Good, CONVENTION),
    line("*", "ReconciliationComplete", Good, CONVENTION),
    line("*", "Reconciling", Progressing, KSTATUS),
    line("*", "Running", Info, CONVENTION),
    line("*", "Scheduled", Good, CONVENTION),
    line("*", "Stalled", Bad, KSTATUS),
    line("*", "Succeeded", Good, CONVENTION),
    line("*", "Successful", Good, OPERATOR_SDK),
    line("*", "Suspended", Paused, CONVENTION),
    line("*", "Synced", Good, CONVENTION),
    line("*", "Upgradeable", Info, CONVENTION),
    line("*", "Warning", WarnIfTrue, CONVENTION),
    line("*", "ready", Good, CONVENTION),
    line(".cert-manager.io", "Approved", Good, CERT),
    line(".cert-manager.io", "Denied", Bad, CERT),
    line(".cert-manager.io", "InvalidRequest", Bad, CERT),
    line(".cert-manager.io", "Issuing", Progressing, CERT),
    line(".cert-manager.io", "Ready", Good, CERT),
    line(".cluster.x-k8s.io", "Available", Good, CAPI),
    line(".cluster.x-k8s.io", "BootstrapConfigReady", Good, CAPI),
    line(".cluster.x-k8s.io", "CertificatesAvailable", Good, CAPI),
    line(".cluster.x-k8s.io", "ControlPlaneAvailable", Good, CAPI),
    line(".cluster.x-k8s.io", "ControlPlaneInitialized", Good, CAPI),
    line(".cluster.x-k8s.io", "Deleting", Progressing, CAPI),
    line(".cluster.x-k8s.io", "EtcdClusterHealthy", Good, CAPI),
    line(".cluster.x-k8s.io", "HealthCheckSucceeded", Good, CAPI),
    line(".cluster.x-k8s.io", "InfrastructureReady", Good, CAPI),
    line(".cluster.x-k8s.io", "MachinesReady", Good, CAPI),
    line(".cluster.x-k8s.io", "MachinesUpToDate", Good, CAPI),
    line(".cluster.x-k8s.io", "NodeHealthy", Good, CAPI),
    line(".cluster.x-k8s.io", "NodeReady", Good, CAPI),
    line(".cluster.x-k8s.io", "Paused", Paused, CAPI),
    line(".cluster.x-k8s.io", "Ready", Good, CAPI),
    line(".cluster.x-k8s.io", "Remediating", Progressing, CAPI),
    line(".cluster.x-k8s.io", "RemediationAllowed", Info, CAPI),
    line(".cluster.x-k8s.io", "RemoteConnectionProbe", Good, CAPI),
    line(".cluster.x-k8s.io", "RollingOut", Progressing, CAPI),
    line(".cluster.x-k8s.io", "ScalingDown", Progressing, CAPI),
    line(".cluster.x-k8s.io", "ScalingUp", Progressing, CAPI),
    line(".cluster.x-k8s.io", "TopologyReconciled", Good, CAPI),
    line(".cluster.x-k8s.io", "Updating", Progressing, CAPI),
    line(".cluster.x-k8s.io", "WorkersAvailable", Good, CAPI),
    line(".crossplane.io", "Established", Good, CROSSPLANE_PKG),
    line(".crossplane.io", "Healthy", Good, CROSSPLANE),
    line(".crossplane.io", "Installed", Good, CROSSPLANE_PKG),
    line(".crossplane.io", "Offered", Good, CROSSPLANE_PKG),
    line(".crossplane.io", "Ready", Good, CROSSPLANE),
    line(".crossplane.io", "Resolved", Good, CROSSPLANE_PKG),
    line(".crossplane.io", "Responsive", Good, CROSSPLANE_PKG),
    line(".crossplane.io", "RevisionHealthy", Good, CROSSPLANE_PKG),
    line(".crossplane.io", "RuntimeHealthy", Good, CROSSPLANE_PKG),
    line(".crossplane.io", "Synced", Good, CROSSPLANE),
    line(".crossplane.io", "UpToDate", Good, CROSSPLANE),
    line(".crossplane.io", "ValidPipeline", Good, CROSSPLANE_PKG),
    line(".external-secrets.io", "Deleted", Info, SECRETS),
    line(".external-secrets.io", "Ready", Good, SECRETS),
    line(".k8s.elastic.co", "Active", Good, ECK),
    line(".k8s.elastic.co", "ElasticsearchIsReachable", Good, ECK),
    line(".k8s.elastic.co", "Healthy", Good, ECK),
    line(".k8s.elastic.co", "Limited", Info, ECK),
    line(".k8s.elastic.co", "Online", Good, ECK),
    line(".k8s.elastic.co", "OrchestrationPaused", Paused, ECK),
    line(".k8s.elastic.co", "ReconciliationComplete", Good, ECK),
    line(".k8s.elastic.co", "ResourcesAwareManagement", Info, ECK),
    line(".k8s.elastic.co", "RunningDesiredVersion", Good, ECK),
    line(".karpenter.sh", "ConsistentStateFound", Good, KARPENTER),
    line(".karpenter.sh", "Consolidatable", Info, KARPENTER),
    line(".karpenter.sh", "DisruptionReason", Info, KARPENTER),
    line(".karpenter.sh", "Drifted", Info, KARPENTER),
    line(".karpenter.sh", "Initialized", Good, KARPENTER),
    line(".karpenter.sh", "InstanceTerminating", Progressing, KARPENTER),
    line(".karpenter.sh", "Launched", Good, KARPENTER),
    line(".karpenter.sh", "NodeClassReady", Good, KARPENTER),
    line(".karpenter.sh", "NodeRegistrationHealthy", Good, KARPENTER),
    line(".karpenter.sh", "Registered", Good, KARPENTER),
    line(".karpenter.sh", "ValidationSucceeded", Good, KARPENTER),
    line(".keda.sh", "Active", Info, KEDA),
    line(".keda.sh", "Fallback", WarnIfTrue, KEDA),
    line(".keda.sh", "HPAActive", Info, KEDA),
    line(".keda.sh", "Paused", Paused, KEDA),
    line(".keda.sh", "Ready", Good, KEDA),
    line(".knative.dev", "Active", Info, KNATIVE),
    line(".knative.dev", "AllTrafficAssigned", Good, KNATIVE),
    line(".knative.dev", "CertificateProvisioned", Good, KNATIVE),
    line(".knative.dev", "ConfigurationsReady", Good, KNATIVE),
    line(".knative.dev", "ContainerHealthy", Good, KNATIVE),
    line(".knative.dev", "DependenciesInstalled", Good, KNATIVE_OPERATOR),
    line(".knative.dev", "DeploymentsAvailable", Good, KNATIVE_OPERATOR),
    line(".knative.dev", "IngressReady", Good, KNATIVE),
    line(".knative.dev", "InstallSucceeded", Good, KNATIVE_OPERATOR),
    line(".knative.dev", "Ready", Good, KNATIVE),
    line(".knative.dev", "ResourcesAvailable", Good, KNATIVE),
    line(".knative.dev", "RoutesReady", Good, KNATIVE),
    line(".knative.dev", "ScaleTargetInitialized", Good, KNATIVE),
    line(".knative.dev", "Succeeded", Good, KNATIVE),
    line(".kubevirt.io", "AgentConnected", Info, KUBEVIRT),
    line(".kubevirt.io", "DataVolumesReady", Good, KUBEVIRT),
    line(".kubevirt.io", "Failure", Bad, KUBEVIRT),
    line(".kubevirt.io", "LiveMigratable", Info, KUBEVIRT),
    line(".kubevirt.io", "ManualRecoveryRequired", Bad, KUBEVIRT),
    line(".kubevirt.io", "Paused", Paused, KUBEVIRT),
    line(".kubevirt.io", "Provisioning", Progressing, KUBEVIRT),
    line(".kubevirt.io", "Ready", Good, KUBEVIRT),
    line(".kubevirt.io", "RestartRequired", WarnIfTrue, KUBEVIRT),
    line(".kubevirt.io", "Running", Info, KUBEVIRT),
    line(".kubevirt.io", "Synchronized", Good, KUBEVIRT),
    line(".openshift.io", "Available", Good, OPENSHIFT),
    line(".openshift.io", "Degraded", Bad, OPENSHIFT),
    line(".openshift.io", "EvaluationConditionsDetected", Info, OPENSHIFT),
    line(".openshift.io", "Progressing", Progressing, OPENSHIFT),
    line(".openshift.io", "Upgradeable", Info, OPENSHIFT),
    line(".percona.com", "Error", Info, PERCONA),
    line(".percona.com", "Initializing", Info, PERCONA),
    line(".percona.com", "Ready", Info, PERCONA),
    line(".percona.com", "error", Info, PERCONA),
    line(".percona.com", "initializing", Info, PERCONA),
    line(".percona.com", "paused", Info, PERCONA),
    line(".percona.com", "ready", Info, PERCONA),
    line(".percona.com", "stopping", Info, PERCONA),
    line(".rabbitmq.com", "AllReplicasReady", Good, RABBIT),
    line(".rabbitmq.com", "ClusterAvailable", Good, RABBIT),
    line(".rabbitmq.com", "NoWarnings", WarnIfFalse, RABBIT),
    line(".rabbitmq.com", "ReconcileSuccess", Good, RABBIT),
    line(".services.k8s.aws", "ACK.Adopted", Info, ACK),
    line(".services.k8s.aws", "ACK.Advisory", Info, ACK),
    line(".services.k8s.aws", "ACK.LateInitialized", Good, ACK),
    line(".services.k8s.aws", "ACK.Recoverable", WarnIfTrue, ACK),
    line(".services.k8s.aws", "ACK.ReferencesResolved", Good, ACK),
    line(".services.k8s.aws", "ACK.ResourceSynced", Good, ACK),
    line(".services.k8s.aws", "ACK.Terminal", Bad, ACK),
    line(".services.k8s.aws", "Ready", Good, ACK),
    line(".strimzi.io", "NotReady", Bad, STRIMZI),
    line(".strimzi.io", "Ready", Good, STRIMZI),
    line(".strimzi.io", "ReconciliationPaused", Paused, STRIMZI),
    line(".strimzi.io", "Warning", WarnIfTrue, STRIMZI),
    line(".toolkit.fluxcd.io", "ArtifactInStorage", Good, FLUX_SOURCE),
    line(".toolkit.fluxcd.io", "ArtifactOutdated", WarnIfTrue, FLUX_SOURCE),
    line(".toolkit.fluxcd.io", "BuildFailed", Bad, FLUX_SOURCE),
    line(".toolkit.fluxcd.io", "Drifted", WarnIfTrue, FLUX_HELM),
    line(".toolkit.fluxcd.io", "FetchFailed", Bad, FLUX_SOURCE),
    line(".toolkit.fluxcd.io", "Healthy", Good, FLUX),
    line(".toolkit.fluxcd.io", "IncludeUnavailable", Bad, FLUX_SOURCE),
    line(".toolkit.fluxcd.io", "Ready", Good, FLUX),
    line(".toolkit.fluxcd.io", "Reconciling", Progressing, FLUX),
    line(".toolkit.fluxcd.io", "Released", Good, FLUX_HELM),
    line(".toolkit.fluxcd.io", "Remediated", WarnIfTrue, FLUX_HELM),
    line(".toolkit.fluxcd.io", "SourceVerified", Good, FLUX_SOURCE),
    line(".toolkit.fluxcd.io", "Stalled", Bad, FLUX),
    line(".toolkit.fluxcd.io", "StorageOperationFailed", Bad, FLUX_SOURCE),
    line(".toolkit.fluxcd.io", "TestSuccess", Good, FLUX_HELM),
    line("apiextensions.k8s.io", "Established", Good, CRD),
    line("apiextensions.k8s.io", "KubernetesAPIApprovalPolicyConformant", Good, CRD),
    line("apiextensions.k8s.io", "NamesAccepted", Good, CRD),
    line("apiextensions.k8s.io", "NonStructuralSchema", Bad, CRD),
    line("apiextensions.k8s.io", "StorageMigrating", Progressing, CRD),
    line("apiextensions.k8s.io", "Terminating", Progressing, CRD),
    line("apps", "Available", Good, APPS),
    line("apps", "Progressing", Progressing, APPS),
    line("apps", "ReplicaFailure", Bad, APPS),
    line("argoproj.io", "Available", Good, ROLLOUTS),
    line("argoproj.io", "ComparisonError", Bad, ARGO_CD),
    line("argoproj.io", "Completed", Good, ROLLOUTS),
    line("argoproj.io", "DeletionError", Bad, ARGO_CD),
    line("argoproj.io", "Deployed", Good, ARGO_EVENTS),
    line("argoproj.io", "ErrorOccurred", Bad, ARGO_CD),
    line("argoproj.io", "ExcludedResourceWarning", WarnIfTrue, ARGO_CD),
    line("argoproj.io", "Healthy", Good, ROLLOUTS),
    line("argoproj.io", "InvalidRolloutConfig", Bad, ARGO_CD),
    line("argoproj.io", "InvalidSpec", Bad, ROLLOUTS),
    line("argoproj.io", "InvalidSpecError", Bad, ARGO_CD),
    line("argoproj.io", "OrphanedResourceWarning", WarnIfTrue, ARGO_CD),
    line("argoproj.io", "ParametersGenerated", Good, ARGO_CD),
    line("argoproj.io", "Paused", Paused, ROLLOUTS),
    line("argoproj.io", "Progressing", Progressing, ROLLOUTS),
    line("argoproj.io", "RepeatedResourceWarning", WarnIfTrue, ARGO_CD),
    line("argoproj.io", "ReplicaFailure", Bad, ROLLOUTS),
    line("argoproj.io", "ResourcesUpToDate", Good, ARGO_CD),
    line("argoproj.io", "RolloutProgressing", Progressing, ARGO_CD),
    line("argoproj.io", "SharedResourceWarning", WarnIfTrue, ARGO_CD),
    line("argoproj.io", "SpecError", Bad, ARGO_WORKFLOWS),
    line("argoproj.io", "SubmissionError", Bad, ARGO_WORKFLOWS),
    line("argoproj.io", "SyncError", Bad, ARGO_CD),
    line("argoproj.io", "UnknownError", Bad, ARGO_CD),
    line("autoscaling", "AbleToScale", Good, SCALING),
    line("autoscaling", "ScaledToZero", Info, SCALING),
    line("autoscaling", "ScalingActive", Good, SCALING),
    line("autoscaling", "ScalingLimited", Info, SCALING),
    line("autoscaling.k8s.io", "ConfigDeprecated", WarnIfTrue, VPA),
    line("autoscaling.k8s.io", "ConfigUnsupported", Bad, VPA),
    line("autoscaling.k8s.io", "FetchingHistory", Progressing, VPA),
    line("autoscaling.k8s.io", "LowConfidence", Info, VPA),
    line("autoscaling.k8s.io", "NoPodsMatched", WarnIfTrue, VPA),
    line("autoscaling.k8s.io", "RecommendationProvided", Good, VPA),
    line("batch", "Complete", Good, BATCH),
    line("batch", "Failed", Bad, BATCH),
    line("batch", "FailureTarget", Bad, BATCH),
    line("batch", "SuccessCriteriaMet", Good, BATCH),
    line("batch", "Suspended", Paused, BATCH),
    line("bitnami.com", "Synced", Good, SEALED_SECRETS),
    line("ceph.rook.io", "Connected", Good, ROOK),
    line("ceph.rook.io", "Connecting", Progressing, ROOK),
    line("ceph.rook.io", "Deleting", Progressing, ROOK),
    line("ceph.rook.io", "DeletionIsBlocked", Bad, ROOK),
    line("ceph.rook.io", "Failure", Bad, ROOK),
    line("ceph.rook.io", "PoolDeletionIsBlocked", Bad, ROOK),
    line("ceph.rook.io", "Progressing", Progressing, ROOK),
    line("ceph.rook.io", "Ready", Good, ROOK),
    line("certificates.k8s.io", "Approved", Good, CSR),
    line("certificates.k8s.io", "Denied", Bad, CSR),
    line("certificates.k8s.io", "Failed", Bad, CSR),
    line("cluster.open-cluster-management.io", "HubAcceptedManagedCluster", Good, OCM),
    line("cluster.open-cluster-management.io", "ManagedClusterConditionAvailable", Good, OCM),
    line("cluster.open-cluster-management.io", "ManagedClusterJoined", Good, OCM),
    line("datadoghq.com", "Active", Info, DATADOG),
    line("datadoghq.com", "Error", Bad, DATADOG),
    line("datadoghq.com", "Updated", Info, DATADOG),
    line("datadoghq.com", "Valid", Good, DATADOG),
    line("gateway.networking.k8s.io", "Accepted", Good, GATEWAY),
    line("gateway.networking.k8s.io", "Conflicted", Bad, GATEWAY),
    line("gateway.networking.k8s.io", "InsecureFrontendValidationMode", WarnIfTrue, GATEWAY),
    line("gateway.networking.k8s.io", "OverlappingTLSConfig", WarnIfTrue, GATEWAY),
    line("gateway.networking.k8s.io", "PartiallyInvalid", Bad, GATEWAY),
    line("gateway.networking.k8s.io", "Programmed", Good, GATEWAY),
    line("gateway.networking.k8s.io", "ResolvedRefs", Good, GATEWAY),
    line("gateway.networking.k8s.io", "Scheduled", Good, GATEWAY),
    line("gateway.networking.k8s.io", "SupportedVersion", Good, GATEWAY),
    line("infinispan.org", "GracefulShutdown", Paused, INFINISPAN),
    line("infinispan.org", "Stopping", Progressing, INFINISPAN),
    line("infinispan.org", "WellFormed", Good, INFINISPAN),
    line("k8s.keycloak.org", "Done", Good, KEYCLOAK),
    line("k8s.keycloak.org", "HasErrors", Bad, KEYCLOAK),
    line("k8s.keycloak.org", "RollingUpdate", Progressing, KEYCLOAK),
    line("k8s.keycloak.org", "Started", Info, KEYCLOAK),
    line("k8s.mariadb.com", "BackupRestored", Good, MARIADB),
    line("k8s.mariadb.com", "Complete", Good, MARIADB),
    line("k8s.mariadb.com", "GaleraReady", Good, MARIADB),
    line("k8s.mariadb.com", "PrimarySwitched", Good, MARIADB),
    line("k8s.mariadb.com", "Ready", Good, MARIADB),
    line("k8s.mariadb.com", "ReplicationConfigured", Good, MARIADB),
    line("k8s.mariadb.com", "StorageResized", Good, MARIADB),
    line("k8s.mariadb.com", "Updated", Good, MARIADB),
    line("kro.run", "ControllerReady", Good, KRO),
    line("kro.run", "GraphAccepted", Good, KRO),
    line("kro.run", "GraphResolved", Good, KRO),
    line("kro.run", "InstanceManaged", Good, KRO),
    line("kro.run", "KindReady", Good, KRO),
    line("kro.run", "ResourcesReady", Good, KRO),
    line("kubeflow.org", "Created", Info, KUBEFLOW),
    line("kubeflow.org", "Failed", Bad, KUBEFLOW),
    line("kubeflow.org", "Restarting", Progressing, KUBEFLOW),
    line("kubeflow.org", "Running", Progressing, KUBEFLOW),
    line("kubeflow.org", "Succeeded", Good, KUBEFLOW),
    line("kubeflow.org", "Suspended", Paused, KUBEFLOW),
    line("kueue.x-k8s.io", "Active", Good, KUEUE),
    line("kueue.x-k8s.io", "QuotaReserved", Good, KUEUE),
    line("longhorn.io", "Error", Bad, LONGHORN),
    line("longhorn.io", "MountPropagation", Good, LONGHORN),
    line("longhorn.io", "OfflineRebuilding", Progressing, LONGHORN),
    line("longhorn.io", "Ready", Good, LONGHORN),
    line("longhorn.io", "RebuildFailed", Bad, LONGHORN),
    line("longhorn.io", "Restore", Progressing, LONGHORN),
    line("longhorn.io", "Schedulable", Good, LONGHORN),
    line("longhorn.io", "Scheduled", Good, LONGHORN),
    line("longhorn.io", "TooManySnapshots", WarnIfTrue, LONGHORN),
    line("longhorn.io", "Unavailable", Bad, LONGHORN),
    line("longhorn.io", "ready", Good, LONGHORN),
    line("machineconfiguration.openshift.io", "NodeDegraded", Bad, MACHINE_CONFIG),
    line("machineconfiguration.openshift.io", "RenderDegraded", Bad, MACHINE_CONFIG),
    line("machineconfiguration.openshift.io", "Updated", Good, MACHINE_CONFIG),
    line("machineconfiguration.openshift.io", "Updating", Progressing, MACHINE_CONFIG),
    line("monitoring.coreos.com", "Accepted", Good, PROMETHEUS),
    line("monitoring.coreos.com", "Available", Good, PROMETHEUS),
    line("monitoring.coreos.com", "Reconciled", Good, PROMETHEUS),
    line("olm.operatorframework.io", "Available", Good, OBJECT_SET),
    line("olm.operatorframework.io", "BundleDeprecated", WarnIfTrue, EXTENSION),
    line("olm.operatorframework.io", "ChannelDeprecated", WarnIfTrue, EXTENSION),
    line("olm.operatorframework.io", "Deprecated", WarnIfTrue, EXTENSION),
    line("olm.operatorframework.io", "Installed", Good, EXTENSION),
    line("olm.operatorframework.io", "PackageDeprecated", WarnIfTrue, EXTENSION),
    line("olm.operatorframework.io", "Progressing", Progressing, EXTENSION),
    line("olm.operatorframework.io", "Serving", Good, CATALOG),
    line("olm.operatorframework.io", "Succeeded", Good, OBJECT_SET),
    line("operators.coreos.com", "BundleDeprecated", WarnIfTrue, SUBSCRIPTION),
    line("operators.coreos.com", "BundleLookupFailed", Bad, INSTALL_PLAN),
    line("operators.coreos.com", "BundleLookupPending", Progressing, INSTALL_PLAN),
    line("operators.coreos.com", "BundleUnpackFailed", Bad, SUBSCRIPTION),
    line("operators.coreos.com", "BundleUnpacking", Progressing, SUBSCRIPTION),
    line("operators.coreos.com", "CatalogSourcesUnhealthy", Bad, SUBSCRIPTION),
    line("operators.coreos.com", "ChannelDeprecated", WarnIfTrue, SUBSCRIPTION),
    line("operators.coreos.com", "Deprecated", WarnIfTrue, SUBSCRIPTION),
    line("operators.coreos.com", "InstallPlanFailed", Bad, SUBSCRIPTION),
    line("operators.coreos.com", "InstallPlanMissing", Bad, SUBSCRIPTION),
    line("operators.coreos.com", "InstallPlanPending", Progressing, SUBSCRIPTION),
    line("operators.coreos.com", "Installed", Good, INSTALL_PLAN),
    line("operators.coreos.com", "MultipleOperatorGroup", Bad, GROUP),
    line("operators.coreos.com", "OperatorGroupServiceAccount", Bad, GROUP),
    line("operators.coreos.com", "PackageDeprecated", WarnIfTrue, SUBSCRIPTION),
    line("operators.coreos.com", "ResolutionFailed", Bad, SUBSCRIPTION),
    line("operators.coreos.com", "Resolved", Good, INSTALL_PLAN),
    line("policy", "DisruptionAllowed", Info, POLICY),
    line("postgresql.cnpg.io", "ConsistentSystemID", Good, CNPG),
    line("postgresql.cnpg.io", "ContinuousArchiving", WarnIfFalse, CNPG),
    line("postgresql.cnpg.io", "Initialized", Good, CNPG),
    line("postgresql.cnpg.io", "LastBackupSucceeded", WarnIfFalse, CNPG),
    line("postgresql.cnpg.io", "Ready", Good, CNPG),
    line("postgresql.cnpg.io", "SyncReplicationTopologySatisfied", WarnIfFalse, CNPG),
    line("postgresql.cnpg.io", "cnpg.io/hibernation", Paused, CNPG),
    line("route.openshift.io", "Admitted", Good, ROUTE),
    line("serving.kserve.io", "Stopped", Paused, KSERVE),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_is_sorted_and_has_no_duplicates() {
        assert!(CONDITION_TYPES.is_sorted_by(|a, b| (a.group, a.name) < (b.group, b.name)));
        assert!(GROUP_SUMMARIES.is_sorted_by(|a, b| a < b));
    }

    #[test]
    fn every_entry_has_a_source() {
        assert!(CONDITION_TYPES.iter().all(|line| !line.source.is_empty() && !line.name.is_empty()));
    }

    #[test]
    fn the_same_type_means_different_things_in_different_groups() {
        let polarity = |group, name| find(group, name).map(|line| line.polarity);
        let cases = [
            ("keda.sh", "Active", Some(Info)),
            ("elasticsearch.k8s.elastic.co", "Active", Some(Good)),
            ("kustomize.toolkit.fluxcd.io", "Drifted", Some(WarnIfTrue)),
            ("infrastructure.cluster.x-k8s.io", "Paused", Some(Paused)),
            ("cluster.x-k8s.io", "RollingOut", Some(Progressing)),
            ("x-k8s.io", "RollingOut", None),
            ("evil-cluster.x-k8s.io", "RollingOut", None),
            ("example.com", "Degraded", Some(Bad)),
            ("example.com", "Ready", Some(Good)),
            ("example.com", "BackupRestored", None),
            ("", "MemoryPressure", Some(Bad)),
            ("example.com", "MemoryPressure", None),
            ("batch", "Failed", Some(Bad)),
            ("example.com", "Failed", None),
        ];
        for (group, name, expected) in cases {
            assert_eq!(polarity(group, name), expected, "{group} {name}");
        }
    }

    #[test]
    fn a_summary_is_good_in_groups_without_an_entry() {
        for summary in SUMMARIES {
            assert_eq!(find("example.com", summary).map(|line| line.polarity), Some(Good), "{summary}");
        }
        for (group, name) in GROUP_SUMMARIES {
            let group = group.trim_start_matches('.');
            assert_eq!(find(group, name).map(|line| line.polarity), Some(Good), "{group} {name}");
        }
        assert_eq!(summary_rank("bitnami.com", "Synced"), Some(SUMMARIES.len()));
        assert_eq!(summary_rank("rds.services.k8s.aws", "ACK.ResourceSynced"), Some(SUMMARIES.len()));
        assert_eq!(summary_rank("example.com", "Synced"), None);
    }
}
