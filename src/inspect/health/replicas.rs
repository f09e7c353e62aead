//! Replicas of custom resources: what is current against what is desired.

use serde_json::Value;

use crate::model::json::number;

/// A number that falls short.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct MissingReplicas {
    pub(super) current: i64,
    pub(super) desired: i64,
    /// `ready`, `available`, `updated`, `current`.
    pub(super) state: &'static str,
    /// `replicas` or `instances`.
    pub(super) noun: &'static str,
}

/// Fields of a status that count what is as it should be.
const COUNTS: [(&str, &str); 3] =
    [("readyReplicas", "ready"), ("availableReplicas", "available"), ("updatedReplicas", "updated")];

/// The fields that are looked at.
pub(super) const FIELDS: [&str; 9] = [
    "spec.instances",
    "status.readyInstances",
    "spec.replicas",
    "status.desiredReplicas",
    "status.replicas",
    "status.readyReplicas",
    "status.availableReplicas",
    "status.updatedReplicas",
    "status.currentReplicas",
];

/// The first number below what is desired.
pub(super) fn missing(object: &Value) -> Option<MissingReplicas> {
    // What is below 0 counts nothing; some operators write -1 for "not known".
    let count = |path: &[&str]| number(object, path).filter(|count| *count >= 0);
    let counted = |key| count(&["status", key]);
    let short = |current: i64, desired: i64, state, noun| {
        (current < desired).then_some(MissingReplicas { current, desired, state, noun })
    };
    if let (Some(desired), Some(current)) = (count(&["spec", "instances"]), counted("readyInstances"))
        && let Some(missing) = short(current, desired, "ready", "instances")
    {
        return Some(missing);
    }
    let desired = count(&["spec", "replicas"])
        .or_else(|| counted("desiredReplicas"))
        .or_else(|| counted("replicas"))?;
    let found = COUNTS.iter().filter_map(|(key, state)| Some((counted(key)?, *state)));
    let found: Vec<(i64, &'static str)> = found.collect();
    if found.is_empty() {
        // In a copied StatefulSet status `currentReplicas` falls while an update goes well; it counts only
        // alone.
        return short(counted("currentReplicas")?, desired, "current", "replicas");
    }
    found.into_iter().find_map(|(current, state)| short(current, desired, state, "replicas"))
}

impl std::fmt::Display for MissingReplicas {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { current, desired, state, noun } = self;
        write!(f, "{current} of {desired} {noun} {state}")
    }
}
