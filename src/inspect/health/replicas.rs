//! Replicas of custom resources: what is there against what is wanted.

use serde_json::Value;

use crate::model::json::number;

/// A number that falls short.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Shortfall {
    pub(super) there: i64,
    pub(super) wanted: i64,
    /// `ready`, `available`, `updated`, `current`.
    pub(super) which: &'static str,
    /// `replicas` or `instances`.
    pub(super) what: &'static str,
}

/// Fields of a status that count what is as it should be.
const COUNTED: [(&str, &str); 3] =
    [("readyReplicas", "ready"), ("availableReplicas", "available"), ("updatedReplicas", "updated")];

/// The fields that are looked at.
pub(super) const READS: [&str; 9] = [
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

/// The first number below what is wanted.
pub(super) fn shortfall(object: &Value) -> Option<Shortfall> {
    // What is below 0 counts nothing; some operators write -1 for "not known".
    let count = |path: &[&str]| number(object, path).filter(|count| *count >= 0);
    let counted = |key| count(&["status", key]);
    let short = |there: i64, wanted: i64, which, what| {
        (there < wanted).then_some(Shortfall { there, wanted, which, what })
    };
    if let (Some(wanted), Some(there)) = (count(&["spec", "instances"]), counted("readyInstances"))
        && let Some(shortfall) = short(there, wanted, "ready", "instances")
    {
        return Some(shortfall);
    }
    let wanted = count(&["spec", "replicas"])
        .or_else(|| counted("desiredReplicas"))
        .or_else(|| counted("replicas"))?;
    let found = COUNTED.iter().filter_map(|(key, which)| Some((counted(key)?, *which)));
    let found: Vec<(i64, &'static str)> = found.collect();
    if found.is_empty() {
        // In a copied StatefulSet status `currentReplicas` falls while an update goes well; it counts only
        // alone.
        return short(counted("currentReplicas")?, wanted, "current", "replicas");
    }
    found.into_iter().find_map(|(there, which)| short(there, wanted, which, "replicas"))
}

impl std::fmt::Display for Shortfall {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { there, wanted, which, what } = self;
        write!(f, "{there} of {wanted} {what} {which}")
    }
}
