//! The rules by name, for `--explain`, for JSON, and for the promise that only some of them can say Ready.

/// One rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rule {
    /// Stable: it is part of the machine output.
    pub id: &'static str,
    pub reach: Reach,
    /// What the rule says, for people.
    pub words: &'static str,
}

/// How far a rule can go.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reach {
    /// It can call an object Ready.
    Ready,
    /// It cannot.
    Less,
}

/// Every rule, sorted by id.
pub const RULES: [Rule; 30] = [
    rule("bad-condition", Reach::Less, "a condition that is bad when True is True"),
    rule("cronjob", Reach::Less, "a CronJob is suspended, or there is nothing to judge"),
    rule(
        "daemonset",
        Reach::Ready,
        "as kubectl rollout status: updated and available Pods against scheduled ones",
    ),
    rule(
        "deleting",
        Reach::Less,
        "the deletion was asked for less than 10 minutes ago, or its grace period runs",
    ),
    rule(
        "deployment",
        Reach::Ready,
        "as kubectl rollout status: updated and available replicas against wanted ones",
    ),
    rule("good-condition-false", Reach::Less, "a condition that is good when True is False"),
    rule("horizontalpodautoscaler", Reach::Ready, "AbleToScale and ScalingActive are True"),
    rule("job", Reach::Ready, "the Job's own conditions Complete, Failed and Suspended"),
    rule("moving", Reach::Less, "a condition says that work goes on, or one that should be True is Unknown"),
    rule("namespace", Reach::Ready, "the phase is Active"),
    rule("no-status", Reach::Less, "no controller has written a status"),
    rule("node", Reach::Ready, "the condition Ready, then pressures, then whether it is cordoned"),
    rule("not-judged", Reach::Less, "the status holds nothing that a rule knows"),
    rule("not-read", Reach::Less, "only the metadata was read"),
    rule("nothing-to-judge", Reach::Less, "objects of this kind have no state"),
    rule("paused-condition", Reach::Less, "a condition says that it is stopped on purpose"),
    rule("persistentvolume", Reach::Ready, "the phase of the volume"),
    rule("persistentvolumeclaim", Reach::Ready, "the phase of the claim, and its resize conditions"),
    rule("phase-word", Reach::Ready, "a word such as phase, state or health in the status"),
    rule(
        "pod",
        Reach::Ready,
        "as kubectl get pods: the phase, the containers' states and the condition Ready",
    ),
    rule("poddisruptionbudget", Reach::Ready, "healthy Pods against the number that must be"),
    rule(
        "ready-field",
        Reach::Ready,
        "a field such as status.ready or status.valid is false, or status.ready is true",
    ),
    rule("replicas", Reach::Less, "fewer replicas are ready than wanted"),
    rule("replicaset", Reach::Ready, "ready and available replicas against wanted ones"),
    rule("service", Reach::Less, "a load balancer without an address; else there is nothing to judge"),
    rule("stale-generation", Reach::Less, "the status was written for an older spec"),
    rule(
        "statefulset",
        Reach::Ready,
        "as kubectl rollout status: ready and updated replicas against wanted ones",
    ),
    rule("stuck-deletion", Reach::Less, "the deletion was asked for more than 10 minutes ago"),
    rule(
        "summary-condition",
        Reach::Ready,
        "a condition that sums the object up is True and nothing speaks against it",
    ),
    rule("suspended", Reach::Less, "spec.suspend or spec.paused is true"),
];

/// Rules that look at several objects of a tree.
pub const JOINT: [Rule; 1] = [rule(
    "service-endpoints",
    Reach::Less,
    "a Service that selects Pods reaches none although some are ready",
)];

/// The rule of an id.
pub fn find(id: &str) -> Option<&'static Rule> {
    let alone = RULES.binary_search_by_key(&id, |rule| rule.id).ok().map(|at| &RULES[at]);
    alone.or_else(|| JOINT.iter().find(|rule| rule.id == id))
}

const fn rule(id: &'static str, reach: Reach, words: &'static str) -> Rule {
    Rule { id, reach, words }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_is_sorted_and_has_no_doubles() {
        assert!(RULES.is_sorted_by(|a, b| a.id < b.id));
    }
}
