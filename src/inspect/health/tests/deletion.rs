//! Objects that are being deleted.

use serde_json::{Value, json};

use super::{before, days, judged, minutes, now, words};
use crate::model::health::Verdict;

fn deleted(metadata: &Value, status: &Value) -> Value {
    let mut object =
        json!({ "apiVersion": "example.com/v1", "kind": "Thing", "metadata": metadata, "status": status });
    object["metadata"]["name"] = json!("x");
    object
}

#[test]
fn a_deletion_is_stuck_after_ten_minutes_and_names_its_finalizers() {
    let cases = [
        (9, Verdict::Terminating, "deleting", "deletion requested 9m ago; waiting for finalizer a/b"),
        (11, Verdict::Stuck, "stuck-deletion", "deletion requested 11m ago; waiting for finalizer a/b"),
        (180, Verdict::Stuck, "stuck-deletion", "deletion requested 3h ago; waiting for finalizer a/b"),
    ];
    for (ago, verdict, rule, message) in cases {
        let metadata = json!({ "deletionTimestamp": before(minutes(ago)), "finalizers": ["a/b"] });
        let ready = json!({ "conditions": [{ "type": "Ready", "status": "True" }] });
        let health = judged(&deleted(&metadata, &ready));
        assert_eq!((health.verdict, health.rule.id(), words(&health)), (verdict, rule, message));
        assert_eq!(health.ready.as_deref(), Some("True"), "what it says of itself is still shown");
    }
}

#[test]
fn the_request_is_counted_not_the_end_of_the_grace_period() {
    let metadata = json!({
        "deletionTimestamp": before(minutes(1)), "deletionGracePeriodSeconds": 1200, "finalizers": ["a/b", "c/d"],
    });
    let health = judged(&deleted(&metadata, &json!({})));
    assert_eq!(health.verdict, Verdict::Stuck);
    assert_eq!(words(&health), "deletion requested 21m ago; waiting for finalizers a/b, c/d");
}

#[test]
fn a_deletion_within_its_grace_period_is_not_stuck() {
    let due = (now() + minutes(30)).to_string();
    let metadata = json!({ "deletionTimestamp": due, "deletionGracePeriodSeconds": 3600 });
    let health = judged(&deleted(&metadata, &json!({})));
    assert_eq!(health.verdict, Verdict::Terminating);
    assert_eq!(words(&health), "deletion requested 30m ago; it has no finalizers");
}

#[test]
fn a_namespace_shows_what_is_left_in_it() {
    let health = judged(&json!({
        "apiVersion": "v1", "kind": "Namespace",
        "metadata": { "name": "x", "deletionTimestamp": before(days(3)) },
        "spec": { "finalizers": ["kubernetes"] },
        "status": { "phase": "Terminating", "conditions": [
            { "type": "NamespaceDeletionContentFailure", "status": "False", "message": "All content deleted" },
            { "type": "NamespaceContentRemaining", "status": "True",
              "message": "Some resources are remaining: voteconfigs.voting.schoolofdevops.com has 1 resource instances" },
        ] },
    }));
    assert_eq!(health.verdict, Verdict::Stuck);
    assert!(
        words(&health).ends_with("voteconfigs.voting.schoolofdevops.com has 1 resource instances"),
        "{health:?}"
    );
    assert!(!words(&health).contains("All content deleted"));
}
