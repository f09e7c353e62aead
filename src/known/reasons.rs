//! Conditions whose meaning depends on their reason or on an unusual status. These take precedence over the meaning of
//! the type (`conditions`).

/// What a condition with its status and reason does to the verdict.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effect {
    /// As it should be; a summary condition makes the object Ready.
    Ready,
    Failed,
    NotReady,
    Progressing,
    /// A condition that should be True is Unknown.
    Unknown,
    /// Paused or suspended on purpose.
    Suspended,
    /// Worth a warning, without effect on the verdict.
    Warning,
    /// No effect.
    None,
}

/// A condition with a special meaning.
#[derive(Clone, Copy, Debug)]
pub struct ReasonRule {
    /// As in `conditions`: `*` is every group.
    pub group: &'static str,
    pub name: &'static str,
    pub status: &'static str,
    /// `*` is any reason.
    pub reason: &'static str,
    pub effect: Effect,
}

/// Sorted by group, name, status and reason.
pub const REASONS: [ReasonRule; 14] = [
    // kubernetes apps/v1, copied by Argo Rollouts and many operators: True is the normal state after a finished
    // rollout.
    line("*", "Progressing", "False", "ProgressDeadlineExceeded", Effect::Failed),
    line("*", "Progressing", "True", "NewReplicaSetAvailable", Effect::Ready),
    // crossplane-runtime apis/common/v1/condition.go: paused; managed resources can have any group.
    line("*", "Synced", "False", "ReconcilePaused", Effect::Suspended),
    // cert-manager pkg/apis/certmanager/v1/types_certificaterequest.go: the request has failed for good.
    line("cert-manager.io", "Ready", "False", "Denied", Effect::Failed),
    line("cert-manager.io", "Ready", "False", "Failed", Effect::Failed),
    // operator-framework/operator-controller api/v1/clusterextension_types.go.
    line("olm.operatorframework.io", "Progressing", "False", "Blocked", Effect::Failed),
    line("olm.operatorframework.io", "Progressing", "False", "InvalidConfiguration", Effect::Failed),
    line("olm.operatorframework.io", "Progressing", "True", "Blocked", Effect::Failed),
    line("olm.operatorframework.io", "Progressing", "True", "InvalidConfiguration", Effect::Failed),
    line("olm.operatorframework.io", "Progressing", "True", "Retrying", Effect::Warning),
    line("olm.operatorframework.io", "Progressing", "True", "Succeeded", Effect::Ready),
    // operator-framework/operator-controller api/v1/clustercatalog_types.go: an admin disabled the catalog.
    line("olm.operatorframework.io", "Serving", "False", "UserSpecifiedUnavailable", Effect::Suspended),
    // operator-framework/api subscription_types.go: the plan was deleted after it had been executed.
    line("operators.coreos.com", "InstallPlanMissing", "True", "ReferencedInstallPlanNotFound", Effect::None),
    // tektoncd/pipeline docs/pipelineruns.md, docs/taskruns.md: False is the end of a run that failed.
    line("tekton.dev", "Succeeded", "False", "*", Effect::Failed),
];

/// The effect of a condition with a special meaning for its reason.
pub fn effect(group: &str, name: &str, status: &str, reason: &str) -> Option<Effect> {
    find(group, name, status, reason)
}

/// The effect of a condition with a special meaning whatever its reason is.
pub fn effect_of_any(group: &str, name: &str, status: &str) -> Option<Effect> {
    find(group, name, status, "*")
}

fn find(group: &str, name: &str, status: &str, reason: &str) -> Option<Effect> {
    let fits = |line: &&ReasonRule| {
        (line.group == group || line.group == "*")
            && line.name == name
            && line.status == status
            && line.reason == reason
    };
    REASONS.iter().find(fits).map(|line| line.effect)
}

/// Ends of reasons that report a failure, whatever the condition is about. By the convention of Kubernetes' API a reason
/// is one word in `CamelCase`.
const FAILURES: [&str; 6] = ["Denied", "Error", "Failed", "Failure", "Forbidden", "Invalid"];

/// Whether a reason reports a failure.
pub fn is_failure(reason: &str) -> bool {
    FAILURES.iter().any(|end| reason.ends_with(end))
        && !reason.ends_with("NoError")
        && !reason.starts_with("Not")
}

const fn line(
    group: &'static str,
    name: &'static str,
    status: &'static str,
    reason: &'static str,
    effect: Effect,
) -> ReasonRule {
    ReasonRule { group, name, status, reason, effect }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_is_sorted_and_has_no_duplicates() {
        let key = |line: &ReasonRule| (line.group, line.name, line.status, line.reason);
        assert!(REASONS.is_sorted_by(|a, b| key(a) < key(b)));
    }

    #[test]
    fn a_reason_can_reverse_the_meaning() {
        let progressing = |group, status, reason| effect(group, "Progressing", status, reason);
        assert_eq!(progressing("apps", "True", "NewReplicaSetAvailable"), Some(Effect::Ready));
        assert_eq!(progressing("apps", "True", "ReplicaSetUpdated"), None);
        assert_eq!(progressing("olm.operatorframework.io", "True", "Retrying"), Some(Effect::Warning));
        assert_eq!(progressing("config.openshift.io", "True", "Succeeded"), None);
        assert_eq!(effect("tekton.dev", "Succeeded", "False", "Cancelled"), None);
        assert_eq!(effect_of_any("tekton.dev", "Succeeded", "False"), Some(Effect::Failed));
    }

    #[test]
    fn reasons_that_report_a_failure() {
        for reason in ["ReconcileError", "Failed", "AccessDenied", "SpecInvalid"] {
            assert!(is_failure(reason), "{reason}");
        }
        for reason in ["", "NoError", "NotFailed", "Reconciling", "FailedOver"] {
            assert!(!is_failure(reason), "{reason}");
        }
    }
}
