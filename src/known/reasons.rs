//! Conditions whose meaning hangs on their reason or on an odd status word. These beat the plain meaning of
//! the type.

/// What a condition, as it stands, does to the verdict.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effect {
    /// It holds as it should.
    Fine,
    /// Something is broken.
    Bad,
    /// What should be so is not.
    Unwell,
    /// It is on its way.
    Moving,
    /// Nobody can say yet whether what should be so is.
    Unsure,
    /// It is stopped on purpose.
    Paused,
    /// Worth a warning, decides nothing.
    Caution,
    /// It says nothing of health.
    Nothing,
}

/// A condition with a meaning of its own.
#[derive(Clone, Copy, Debug)]
pub struct Line {
    /// As in `conditions`: `*` is every group.
    pub group: &'static str,
    pub name: &'static str,
    pub status: &'static str,
    /// `*` is any reason.
    pub reason: &'static str,
    pub effect: Effect,
}

/// Sorted by all four words.
pub const LINES: [Line; 16] = [
    // kubernetes apps/v1; Argo Rollouts and many operators copy the words: True is the resting state of a
    // finished rollout.
    line("*", "Progressing", "False", "ProgressDeadlineExceeded", Effect::Bad),
    line("*", "Progressing", "True", "NewReplicaSetAvailable", Effect::Fine),
    // crossplane-runtime apis/common/v1/condition.go: somebody has paused it; what it manages has any group.
    line("*", "Synced", "False", "ReconcilePaused", Effect::Paused),
    // cert-manager pkg/apis/certmanager/v1/types_certificaterequest.go: the request is over, and failed.
    line("cert-manager.io", "Ready", "False", "Denied", Effect::Bad),
    line("cert-manager.io", "Ready", "False", "Failed", Effect::Bad),
    // prometheus-operator pkg/apis/monitoring/v1/types.go: a fourth status word.
    line("monitoring.coreos.com", "Available", "Degraded", "*", Effect::Bad),
    line("monitoring.coreos.com", "Reconciled", "Degraded", "*", Effect::Bad),
    // operator-framework/operator-controller api/v1/clusterextension_types.go.
    line("olm.operatorframework.io", "Progressing", "False", "Blocked", Effect::Bad),
    line("olm.operatorframework.io", "Progressing", "False", "InvalidConfiguration", Effect::Bad),
    line("olm.operatorframework.io", "Progressing", "True", "Blocked", Effect::Bad),
    line("olm.operatorframework.io", "Progressing", "True", "InvalidConfiguration", Effect::Bad),
    line("olm.operatorframework.io", "Progressing", "True", "Retrying", Effect::Caution),
    line("olm.operatorframework.io", "Progressing", "True", "Succeeded", Effect::Fine),
    // operator-framework/operator-controller api/v1/clustercatalog_types.go: the admin switched the catalog
    // off.
    line("olm.operatorframework.io", "Serving", "False", "UserSpecifiedUnavailable", Effect::Paused),
    // operator-framework/api subscription_types.go: the plan was tidied away after it was carried out.
    line(
        "operators.coreos.com",
        "InstallPlanMissing",
        "True",
        "ReferencedInstallPlanNotFound",
        Effect::Nothing,
    ),
    // tektoncd/pipeline docs/pipelineruns.md, docs/taskruns.md: False is the end of a run that failed.
    line("tekton.dev", "Succeeded", "False", "*", Effect::Bad),
];

/// The effect of a condition with a meaning of its own.
pub fn effect(group: &str, name: &str, status: &str, reason: &str) -> Option<Effect> {
    let fits = |line: &&Line| {
        (line.group == group || line.group == "*")
            && line.name == name
            && line.status == status
            && (line.reason == reason || line.reason == "*")
    };
    LINES.iter().find(fits).map(|line| line.effect)
}

const fn line(
    group: &'static str,
    name: &'static str,
    status: &'static str,
    reason: &'static str,
    effect: Effect,
) -> Line {
    Line { group, name, status, reason, effect }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_is_sorted_and_has_no_doubles() {
        let key = |line: &Line| (line.group, line.name, line.status, line.reason);
        assert!(LINES.is_sorted_by(|a, b| key(a) < key(b)));
    }

    #[test]
    fn a_reason_can_turn_a_word_around() {
        let progressing = |group, status, reason| effect(group, "Progressing", status, reason);
        assert_eq!(progressing("apps", "True", "NewReplicaSetAvailable"), Some(Effect::Fine));
        assert_eq!(progressing("apps", "True", "ReplicaSetUpdated"), None);
        assert_eq!(progressing("olm.operatorframework.io", "True", "Retrying"), Some(Effect::Caution));
        assert_eq!(progressing("config.openshift.io", "True", "Succeeded"), None);
    }
}
