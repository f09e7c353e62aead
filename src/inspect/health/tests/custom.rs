//! The rules for custom resources in their order, and states that other health engines get wrong.

use serde_json::{Value, json};

use super::{before, condition, conditioned, custom, days, judged, minutes, summary, with, words};
use crate::model::health::Verdict;

#[test]
fn what_other_engines_get_wrong() {
    let newborn = judged(&json!({ "apiVersion": "example.com/v1", "kind": "Thing",
        "metadata": { "creationTimestamp": "2026-11-16T11:59:59Z", "generation": 1 }, "spec": {} }));
    assert_eq!(newborn.verdict, Verdict::Unknown, "no status at all, 1 s old");
    assert_eq!(words(&newborn), "it has no status");

    let unavailable = json!([{ "type": "Available", "status": "False", "reason": "NoPods" }]);
    let health = conditioned(&unavailable);
    assert_eq!(
        (health.verdict, health.reason.as_deref()),
        (Verdict::NotReady, Some("NoPods")),
        "Available=False only"
    );

    assert_eq!(
        conditioned(&json!([condition("Degraded", "True")])).verdict,
        Verdict::Failed,
        "Degraded=True only"
    );

    let fine = json!([condition("Degraded", "False"), condition("Available", "True")]);
    assert_eq!(conditioned(&fine).verdict, Verdict::Ready, "Degraded=False, Available=True");

    let health = conditioned(&json!([condition("Ready", "False")]));
    assert_eq!(
        (health.verdict, words(&health)),
        (Verdict::NotReady, "Ready=False for 3d"),
        "Ready=False for days"
    );

    assert_eq!(custom(&json!({ "phase": "Failed" })).verdict, Verdict::Failed, "status.phase: Failed");

    let stale =
        judged(&json!({ "apiVersion": "example.com/v1", "kind": "Thing", "metadata": { "generation": 4 },
        "status": { "conditions": [{ "type": "Ready", "status": "True", "observedGeneration": 3 }] } }));
    assert_eq!(
        (stale.verdict, stale.rule.id()),
        (Verdict::Progressing, "stale-generation"),
        "only inside a condition"
    );
    assert_eq!(words(&stale), "Ready=True is for an older spec (generation 3, now 4)");

    let held = judged(&json!({ "apiVersion": "example.com/v1", "kind": "Thing", "metadata": {
        "deletionTimestamp": before(minutes(180)), "finalizers": ["example.com/finalizer"] } }));
    assert_eq!(held.verdict, Verdict::Stuck, "deleting + finalizer 3 h");
    assert!(words(&held).contains("example.com/finalizer"));

    assert_eq!(
        conditioned(&json!([condition("Ready", "True")])).verdict,
        Verdict::Ready,
        "CR Ready=True, own verdict"
    );
}

const PROGRESSING: &str = "progressing-condition";

#[test]
fn the_first_rule_that_matches_wins() {
    let everything = |ready: &str| json!([condition("Ready", ready), condition("Progressing", "True")]);
    let cases = [
        (
            json!({ "suspend": true }),
            json!({ "conditions": [condition("Degraded", "True")] }),
            Verdict::Suspended,
            "suspended",
        ),
        (json!({ "paused": true }), json!({ "phase": "Failed" }), Verdict::Suspended, "suspended"),
        (
            json!({}),
            json!({ "conditions": [condition("Paused", "True"), condition("Degraded", "True")] }),
            Verdict::Failed,
            "bad-condition",
        ),
        (
            json!({}),
            json!({ "conditions": [condition("Paused", "True"), condition("Ready", "False")] }),
            Verdict::Suspended,
            "paused-condition",
        ),
        (json!({}), json!({ "conditions": everything("False") }), Verdict::NotReady, "good-condition-false"),
        (json!({}), json!({ "conditions": everything("True") }), Verdict::Progressing, PROGRESSING),
        (
            json!({}),
            json!({ "conditions": [condition("Ready", "Unknown")] }),
            Verdict::Progressing,
            PROGRESSING,
        ),
        (
            json!({}),
            json!({ "conditions": [condition("Ready", "True")], "phase": "Failed" }),
            Verdict::Failed,
            "phase-word",
        ),
        (
            json!({}),
            json!({ "conditions": [condition("Ready", "True")], "health": "yellow" }),
            Verdict::Progressing,
            "phase-word",
        ),
        (
            json!({ "replicas": 3 }),
            json!({ "conditions": [condition("Ready", "True")], "readyReplicas": 2 }),
            Verdict::Progressing,
            "replicas",
        ),
        (
            json!({ "replicas": 3 }),
            json!({ "conditions": [condition("Ready", "True")], "readyReplicas": 3 }),
            Verdict::Ready,
            "summary-condition",
        ),
        (
            json!({ "instances": 3 }),
            json!({ "phase": "Cluster in healthy state", "readyInstances": 2 }),
            Verdict::Progressing,
            "replicas",
        ),
        (
            json!({}),
            json!({ "conditions": [condition("Synced", "True"), condition("Launched", "True")] }),
            Verdict::Unknown,
            "not-judged",
        ),
        (
            json!({}),
            json!({ "conditions": [condition("Completed", "True"), condition("Ready", "False")] }),
            Verdict::NotReady,
            "good-condition-false",
        ),
        (json!({}), json!({ "phase": "Running" }), Verdict::Ready, "phase-word"),
        (json!({}), json!({ "ready": true }), Verdict::Ready, "ready-field"),
        (json!({}), json!({ "ready": false }), Verdict::NotReady, "ready-field"),
        (json!({}), json!({ "synced": false, "phase": "Running" }), Verdict::NotReady, "ready-field"),
    ];
    for (spec, status, verdict, rule) in cases {
        let health = with("example.com/v1", "Thing", &spec, &status);
        assert_eq!((health.verdict, health.rule.id()), (verdict, rule), "{spec} {status}");
    }
}

#[test]
fn a_guess_is_marked_and_never_ready() {
    let guessed = |name: &str, status: &str| {
        let health = conditioned(&json!([condition(name, status)]));
        (health.verdict, health.status)
    };
    assert_eq!(guessed("DatabaseReady", "True"), (Verdict::Unknown, "Unknown".to_owned()));
    assert_eq!(guessed("DatabaseReady", "False"), (Verdict::NotReady, "~NotReady".to_owned()));
    assert_eq!(guessed("BackupFailed", "True"), (Verdict::Failed, "~Failed".to_owned()));
    assert_eq!(guessed("Migrating", "True"), (Verdict::Progressing, "~Progressing".to_owned()));
    assert_eq!(guessed("Hibernated", "True"), (Verdict::Unknown, "Unknown".to_owned()));

    let both = conditioned(&json!([condition("DatabaseReady", "False"), condition("Ready", "False")]));
    assert_eq!(both.status, "NotReady", "known conditions come before guesses");
    assert_eq!(words(&both), "Ready=False for 3d; also ~DatabaseReady=False");
}

#[test]
fn the_worst_phase_counts_and_an_unknown_one_is_not_ready() {
    let cases = [
        (json!({ "phase": "Running", "state": "Degraded" }), Verdict::Failed),
        (json!({ "phase": "Running", "health": { "status": "Degraded" } }), Verdict::Failed),
        (json!({ "phase": "Running", "state": "Frobnicated" }), Verdict::Unknown),
        (json!({ "phase": "Paused", "state": "Creating" }), Verdict::Progressing),
        (json!({ "phase": "Hibernated" }), Verdict::Suspended),
        (json!({ "PostgresClusterStatus": "SyncFailed" }), Verdict::Failed),
        (json!({ "PostgresClusterStatus": "Running" }), Verdict::Unknown),
        (json!({ "printableStatus": "Stopped" }), Verdict::Suspended),
        (json!({ "phase": "Running", "startTime": "2026-11-16T10:00:00Z" }), Verdict::Progressing),
        (json!({ "phase": "Succeeded", "completionTime": "2026-11-16T10:00:00Z" }), Verdict::Ready),
        (json!({ "phase": "" }), Verdict::Unknown),
        (json!({ "phase": 7 }), Verdict::Unknown),
        (json!("Running"), Verdict::Ready),
    ];
    for (status, expected) in cases {
        let health = custom(&status);
        assert_eq!(health.verdict, expected, "{status}: {health:?}");
    }
}

#[test]
fn generations_are_compared_only_with_a_status_subresource() {
    let judged = |metadata: Value, observed: Value| {
        let status =
            json!({ "observedGeneration": observed, "conditions": [{ "type": "Ready", "status": "True" }] });
        let health = judged(
            &json!({ "apiVersion": "example.com/v1", "kind": "Thing", "metadata": metadata, "status": status }),
        );
        (health.verdict, health.ready)
    };
    let writer = |subresource: &str| json!({ "manager": "m", "subresource": subresource, "fieldsV1": { "f:status": {} } });
    let at = |writers: Value| json!({ "generation": 4, "managedFields": writers });
    let is = |verdict| (verdict, Some("True".to_owned()));
    assert_eq!(judged(at(json!([])), json!(3)), is(Verdict::Progressing));
    assert_eq!(judged(at(json!([])), json!("3")), is(Verdict::Progressing), "Argo Rollouts writes text");
    assert_eq!(judged(at(json!([])), json!("5d4f9")), is(Verdict::Ready), "a hash is no generation");
    assert_eq!(judged(at(json!([])), json!(4)), is(Verdict::Ready));
    assert_eq!(judged(at(json!([writer("status")])), json!(3)), is(Verdict::Progressing));
    assert_eq!(judged(at(json!([writer("")])), json!(3)), is(Verdict::Ready), "each status write raised it");
    assert_eq!(judged(at(json!([writer(""), writer("status")])), json!(3)), is(Verdict::Progressing));
}

#[test]
fn a_status_without_a_verdict_is_described() {
    let message = |status: Value| words(&custom(&status)).to_owned();
    assert_eq!(
        message(json!({ "observedGeneration": 1 })),
        "its status has no condition, phase or ready field"
    );
    assert_eq!(
        message(json!({ "a": 1, "b": "", "c": [], "d": {}, "e": "x", "f": [1], "g": true })),
        "its status has no condition, phase or ready field; a is set, e is set, f is set, 1 more"
    );
    assert_eq!(
        message(json!({ "lastBackupTime": before(days(3)), "expires": before(days(1)) })),
        "its status has no condition, phase or ready field; expires is set, last backup 3d ago"
    );
    assert_eq!(
        message(json!({ "conditions": [condition("Synced", "True"), condition("Hibernated", "False")] })),
        "it has no condition such as Ready, only Synced=True; unknown conditions: Hibernated=False"
    );
    assert_eq!(message(json!("fine")), "status \"fine\" is not a known word");
    assert_eq!(
        message(
            json!({ "phase": "Odd", "state": "Strange", "conditions": [condition("Hibernated", "True")] })
        ),
        "unknown conditions: Hibernated=True; phase \"Odd\", state \"Strange\" are not known words"
    );
}

#[test]
fn the_ready_column_is_that_of_the_best_summary() {
    let health = conditioned(&json!([condition("Available", "True"), condition("Ready", "False")]));
    assert_eq!(summary(&health), (Verdict::NotReady, "good-condition-false", "NotReady", Some("False")));
    assert_eq!(conditioned(&json!([condition("Synced", "True")])).ready, None);
}
