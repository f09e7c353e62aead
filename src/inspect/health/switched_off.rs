//! Fields of a spec by which somebody switched an object off on purpose.

use serde_json::Value;

use super::facts;
use crate::known::phases::{self, PhaseMeaning};
use crate::model::health::{Health, Verdict};
use crate::model::ident::GroupKind;
use crate::model::json::{at, number, text};
use crate::model::rule::Rule;

/// Fields that switch an object off if they are true.
const OFF_IF_TRUE: [&[&str]; 13] = [
    &["disabled"],
    &["halt"],
    &["halted"],
    &["hibernate"],
    &["hibernated"],
    // gardener pkg/apis/core/v1beta1/types_shoot.go.
    &["hibernation", "enabled"],
    &["pause"],
    &["paused"],
    &["shutdown"],
    &["stop"],
    &["stopped"],
    &["suspend"],
    &["suspended"],
];

/// Fields that switch it off if they are false: a virtual machine of `KubeVirt`, and many others.
const OFF_IF_FALSE: [&[&str]; 2] = [&["enabled"], &["running"]];

/// Fields that hold the desired state as a word: a Flink job, a cluster of Hive, a virtual machine of `KubeVirt`, a
/// connector of Strimzi.
const DESIRED_STATES: [&[&str]; 5] =
    [&["desiredState"], &["job", "state"], &["powerState"], &["runStrategy"], &["state"]];

/// Fields for the number of replicas.
const REPLICAS: [&str; 3] = ["instances", "replicas", "size"];

/// The verdict on an object whose spec switches it off.
pub(super) fn by_spec(kind: &GroupKind, object: &Value) -> Option<Health> {
    let spec = at(object, &["spec"])?;
    let switch = |paths: &[&'static [&'static str]], off: bool| {
        paths.iter().copied().find(|path| at(spec, path).and_then(Value::as_bool) == Some(off))
    };
    let word = |path: &&&[&str]| {
        let word = text(spec, path).unwrap_or_default();
        phases::meaning(kind, word) == Some(PhaseMeaning::Paused)
    };
    if let Some(path) = switch(&OFF_IF_TRUE, true) {
        Some(suspended(path, "true"))
    } else if let Some(path) = switch(&OFF_IF_FALSE, false) {
        Some(suspended(path, "false"))
    } else {
        let path = DESIRED_STATES.iter().find(word)?;
        Some(suspended(path, text(spec, path)?))
    }
}

/// The verdict on an object that should have no replicas, and is not ready for no other reason.
pub(super) fn without_replicas(object: &Value) -> Option<Health> {
    let key = REPLICAS.into_iter().find(|key| number(object, &["spec", key]) == Some(0))?;
    Some(suspended(&[key], "0"))
}

fn suspended(path: &[&str], value: &str) -> Health {
    let path = format!("spec.{}", path.join("."));
    let message = format!("{path} is {value}");
    let facts = vec![facts::fact(path, value)];
    Health { message: Some(message), facts, ..Health::new(Verdict::Suspended, Rule::Suspended) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn the_tables_are_sorted_and_have_no_duplicates() {
        assert!(OFF_IF_TRUE.is_sorted_by(|a, b| a < b));
        assert!(OFF_IF_FALSE.is_sorted_by(|a, b| a < b));
        assert!(DESIRED_STATES.is_sorted_by(|a, b| a < b));
    }

    #[test]
    fn a_spec_switches_off_by_a_flag_or_a_word() {
        let kind = GroupKind::of("example.com/v1", "Thing");
        let message =
            |spec: Value| by_spec(&kind, &json!({ "spec": spec })).and_then(|health| health.message);
        for (spec, expected) in [
            (json!({ "suspend": true }), "spec.suspend is true"),
            (json!({ "hibernation": { "enabled": true } }), "spec.hibernation.enabled is true"),
            (json!({ "running": false }), "spec.running is false"),
            (json!({ "runStrategy": "Halted" }), "spec.runStrategy is Halted"),
            (json!({ "powerState": "Hibernating" }), "spec.powerState is Hibernating"),
            (json!({ "job": { "state": "suspended" } }), "spec.job.state is suspended"),
        ] {
            assert_eq!(message(spec.clone()).as_deref(), Some(expected), "{spec}");
        }
        for spec in [
            json!({ "suspend": false, "running": true, "runStrategy": "Always", "enabled": "false" }),
            json!({ "paused": "true", "state": ["stopped"], "powerState": { "a": 1 } }),
            json!(true),
        ] {
            assert_eq!(message(spec.clone()), None, "{spec}");
        }
    }
}
