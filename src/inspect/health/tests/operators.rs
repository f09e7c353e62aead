//! The resources of five real operators as they write them.

use serde_json::json;

use super::{before, condition, judged, minutes, summary, with, words};
use crate::model::health::Verdict;

#[test]
fn a_vote_config_says_nothing_about_readiness() {
    let status = json!({ "configMapName": "demo-config", "lastUpdated": before(minutes(3)) });
    let health = with("voting.schoolofdevops.com/v1alpha1", "VoteConfig", &json!({}), &status);
    assert_eq!(summary(&health), (Verdict::Unknown, "not-judged", "Unknown", None));
    assert_eq!(
        words(&health),
        "its status has no condition, phase or ready field; configMapName is set, last updated 3m ago"
    );
}

#[test]
fn a_memcached_scales_up() {
    let young = |name: &str, status: &str, message: &str| {
        json!({ "type": name, "status": status, "reason": "ScalingUp", "message": message,
            "lastTransitionTime": before(minutes(1)), "observedGeneration": 1 })
    };
    let status = json!({ "nodes": ["mc-1"], "conditions": [
        young("Available", "False", "waiting for Pod mc-6c4f-9x2lp"), young("Progressing", "True", "2 of 3"),
    ] });
    let health = with("cache.example.com/v1alpha1", "Memcached", &json!({ "size": 3 }), &status);
    assert_eq!(summary(&health), (Verdict::NotReady, "good-condition-false", "NotReady", Some("False")));
    assert_eq!(words(&health), "Available=False for 60s, in progress: waiting for Pod mc-6c4f-9x2lp");
    assert_eq!(health.reason.as_deref(), Some("ScalingUp"));

    let without = json!({ "nodes": ["mc-1", "mc-2"] });
    let health = with("cache.example.com/v1alpha1", "Memcached", &json!({ "size": 3 }), &without);
    assert_eq!(words(&health), "its status has no condition, phase or ready field; nodes is set");
}

#[test]
fn a_vm_group_has_a_phase_only() {
    let group = |phase: &str, current: i64| {
        let status = json!({ "phase": phase, "currentReplicas": current, "desiredReplicas": 3, "lastMessage": "vm-1 run" });
        with("vm.codeconnect.vmworld.com/v1alpha1", "VmGroup", &json!({ "replicas": 3 }), &status)
    };
    assert_eq!(summary(&group("Running", 3)), (Verdict::Ready, "phase-word", "Ready", None));
    assert_eq!(words(&group("Running", 3)), "phase is Running: vm-1 run");
    assert_eq!(summary(&group("Running", 2)), (Verdict::Progressing, "replicas", "Progressing", None));
    assert_eq!(words(&group("Running", 2)), "2 of 3 replicas current");
    assert_eq!(summary(&group("Pending", 1)), (Verdict::Progressing, "phase-word", "Progressing", None));
    assert_eq!(summary(&group("Error", 3)), (Verdict::Failed, "phase-word", "Failed", None));
}

#[test]
fn a_website_has_one_condition() {
    let website = |status: &str, reason: &str| {
        let mut ready = condition("Ready", status);
        ready["reason"] = json!(reason);
        let status = json!({ "readyReplicas": 2, "url": "http://shop", "conditions": [ready] });
        with("webapp.example.com/v1", "Website", &json!({ "replicas": 2 }), &status)
    };
    let fine = website("True", "ReconcileSuccess");
    assert_eq!(summary(&fine), (Verdict::Ready, "summary-condition", "Ready", Some("True")));
    let broken = website("False", "ConfigurationError");
    assert_eq!(summary(&broken), (Verdict::NotReady, "good-condition-false", "NotReady", Some("False")));
    assert_eq!(broken.reason.as_deref(), Some("ConfigurationError"));
}

#[test]
fn a_hello_world_has_no_status() {
    let health = judged(&json!({
        "apiVersion": "apps.example.com/v1alpha1", "kind": "HelloWorld",
        "metadata": { "name": "my-hello-world", "creationTimestamp": before(minutes(4)) }, "spec": { "name": "World" },
    }));
    assert_eq!(summary(&health), (Verdict::Unknown, "no-status", "Unknown", None));
    assert_eq!(words(&health), "it has no status");
}

#[test]
fn the_memcached_operators_csv_is_judged_by_its_phase() {
    let done = json!({ "phase": "Succeeded", "reason": "InstallSucceeded" });
    let mut status = done.clone();
    status["conditions"] = json!([done]);
    let health = with("operators.coreos.com/v1alpha1", "ClusterServiceVersion", &json!({}), &status);
    assert_eq!(summary(&health), (Verdict::Ready, "phase-word", "Ready", None));
}
