//! Conditions whose meaning hangs on their reason or on an odd status word. These beat the plain meaning of
//! the type.

/// What a condition, as it stands, does to the verdict.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effect {
    /// It holds as it should.
    Ready,
    /// Something is broken.
    Failed,
    /// What should be so is not.
    NotReady,
    /// It is on its way.
    Progressing,
    /// Nobody can say yet whether what should be so is.
    Unknown,
    /// It is stopped on purpose.
    Suspended,
    /// Worth a warning, decides nothing.
    Warning,
    /// It says nothing of health.
    None,
}

/// A condition with a meaning of its own.
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

/// Sorted by all four words.
pub const REASONS: [ReasonRule; 16] = [
    // kubernetes apps/v1; Argo Rollouts and many operators copy the words: True is the resting state of a
    // finished rollout.
    line("*", "Progressing", "False", "ProgressDeadlineExceeded", Effect::Failed),
    line("*", "Progressing", "True", "NewReplicaSetAvailable", Effect::Ready),
    // crossplane-runtime apis/common/v1/condition.go: somebody has paused it; what it manages has any group.
    line("*", "Synced", "False", "ReconcilePaused", Effect::Suspended),
    // cert-manager pkg/apis/certmanager/v1/types_certificaterequest.go: the request is over, and failed.
    line("cert-manager.io", "Ready", "False", "Denied", Effect::Failed),
    line("cert-manager.io", "Ready", "False", "Failed", Effect::Failed),
    // prometheus-operator pkg/apis/monitoring/v1/types.go: a fourth status word.
    line("monitoring.coreos.com", "Available", "Degraded", "*", Effect::Failed),
    line("monitoring.coreos.com", "Reconciled", "Degraded", "*", Effect::Failed),
    // operator-framework/operator-controller api/v1/clusterextension_types.go.
    line("olm.operatorframework.io", "Progressing", "False", "Blocked", Effect::Failed),
    line("olm.operatorframework.io", "Progressing", "False", "InvalidConfiguration", Effect::Failed),
    line("olm.operatorframework.io", "Progressing", "True", "Blocked", Effect::Failed),
    line("olm.operatorframework.io", "Progressing", "True", "InvalidConfiguration", Effect::Failed),
    line("olm.operatorframework.io", "Progressing", "True", "Retrying", Effect::Warning),
    line("olm.operatorframework.io", "Progressing", "True", "Succeeded", Effect::Ready),
    // operator-framework/operator-controller api/v1/clustercatalog_types.go: the admin switched the catalog
    // off.
    line("olm.operatorframework.io", "Serving", "False", "UserSpecifiedUnavailable", Effect::Suspended),
    // operator-framework/api subscription_types.go: the plan was tidied away after it was carried out.
    line("operators.coreos.com", "InstallPlanMissing", "True", "ReferencedInstallPlanNotFound", Effect::None),
    // tektoncd/pipeline docs/pipelineruns.md, docs/taskruns.md: False is the end of a run that failed.
    line("tekton.dev", "Succeeded", "False", "*", Effect::Failed),
];

/// The effect of a condition with a meaning of its own.
pub fn effect(group: &str, name: &str, status: &str, reason: &str) -> Option<Effect> {
    let fits = |line: &&ReasonRule| {
        (line.group == group || line.group == "*")
            && line.name == name
            && line.status == status
            && (line.reason == reason || line.reason == "*")
    };
    REASONS.iter().find(fits).map(|line| line.effect)
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
    fn the_table_is_sorted_and_has_no_doubles() {
        let key = |line: &ReasonRule| (line.group, line.name, line.status, line.reason);
        assert!(REASONS.is_sorted_by(|a, b| key(a) < key(b)));
    }

    #[test]
    fn a_reason_can_turn_a_word_around() {
        let progressing = |group, status, reason| effect(group, "Progressing", status, reason);
        assert_eq!(progressing("apps", "True", "NewReplicaSetAvailable"), Some(Effect::Ready));
        assert_eq!(progressing("apps", "True", "ReplicaSetUpdated"), None);
        assert_eq!(progressing("olm.operatorframework.io", "True", "Retrying"), Some(Effect::Warning));
        assert_eq!(progressing("config.openshift.io", "True", "Succeeded"), None);
    }
}
