//! Replica counts of custom resources: current against desired.

use serde_json::Value;

use crate::model::json::number;

/// A count below the desired one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct MissingReplicas {
    pub(super) current: i64,
    pub(super) desired: i64,
    /// `ready`, `available`, `updated`, `current`.
    pub(super) state: &'static str,
    /// `replicas` or `instances`.
    pub(super) noun: &'static str,
}

/// Fields of a status that count replicas in a good state.
const COUNTS: [(&str, &str); 3] =
    [("readyReplicas", "ready"), ("availableReplicas", "available"), ("updatedReplicas", "updated")];

/// All fields that are read.
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

/// The first count below the desired one.
pub(super) fn missing(object: &Value) -> Option<MissingReplicas> {
    // Some operators write -1 for "not known".
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
        // In a status copied from a StatefulSet `currentReplicas` decreases during a normal update, so it counts only
        // if there is no other count.
        return short(counted("currentReplicas")?, desired, "current", "replicas");
    }
    found.into_iter().find_map(|(current, state)| short(current, desired, state, "replicas"))
}

/// The number of replicas if there are as many as the spec asks for, all of them ready and of the current version.
pub(super) fn all(object: &Value) -> Option<i64> {
    let desired = number(object, &["spec", "replicas"]).filter(|desired| *desired > 0)?;
    let counted = |key| number(object, &["status", key]);
    let is_full = |key| counted(key).is_none_or(|count| count == desired);
    let is_ready = counted("readyReplicas").or_else(|| counted("availableReplicas")) == Some(desired);
    let is_current =
        ["replicas", "readyReplicas", "availableReplicas", "updatedReplicas"].into_iter().all(is_full)
            && counted("unavailableReplicas").unwrap_or_default() == 0;
    (is_ready && is_current).then_some(desired)
}

impl std::fmt::Display for MissingReplicas {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { current, desired, state, noun } = self;
        write!(f, "{current} of {desired} {noun} {state}")
    }
}
