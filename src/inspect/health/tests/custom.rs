//! The rules for custom resources in their order, and states that other health engines get wrong.

use serde_json::{Value, json};

use super::{before, condition, conditioned, custom, days, judged, minutes, now, summary, with, words};
use crate::inspect::health::judge_discovered;
use crate::model::health::Verdict;
use crate::model::kind::{Kind, StatusSubresource};
use crate::model::rulebook::Rulebook;

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
    assert_eq!(guessed("Frobnicated", "True"), (Verdict::Unknown, "Unknown".to_owned()));

    let both = conditioned(&json!([condition("DatabaseReady", "False"), condition("Ready", "False")]));
    assert_eq!(both.status, "NotReady", "known conditions come before guesses");
    assert_eq!(words(&both), "Ready=False for 3d; also ~DatabaseReady=False");
}

#[test]
fn the_worst_phase_counts_and_an_unknown_one_is_not_ready() {
    let cases = [
        (json!({ "phase": "Running", "state": "Degraded" }), Verdict::NotReady),
        (json!({ "phase": "Running", "state": "Faulted" }), Verdict::Failed),
        (json!({ "phase": "Running", "health": { "status": "Degraded" } }), Verdict::NotReady),
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
fn what_discovery_says_of_the_subresource_beats_a_guess() {
    let writer = |subresource: &str| json!([{ "subresource": subresource, "fieldsV1": { "f:status": {} } }]);
    let judged = |status_subresource, writers: Value| {
        let kind = Kind {
            group: "example.com".to_owned(),
            kind: "Thing".to_owned(),
            status_subresource,
            ..Kind::default()
        };
        let object = json!({
            "metadata": { "generation": 4, "managedFields": writers },
            "status": { "observedGeneration": 3, "conditions": [{ "type": "Ready", "status": "True" }] },
        });
        judge_discovered(&kind, &object, now(), &Rulebook::default()).verdict
    };
    assert_eq!(judged(StatusSubresource::Present, writer("")), Verdict::Progressing);
    assert_eq!(judged(StatusSubresource::Absent, json!([])), Verdict::Ready);
    assert_eq!(judged(StatusSubresource::Unknown, json!([])), Verdict::Progressing);
    assert_eq!(judged(StatusSubresource::Unknown, writer("")), Verdict::Ready);
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
        message(json!({ "conditions": [condition("Synced", "True"), condition("Frobnicated", "False")] })),
        "it has no condition such as Ready, only Synced=True; unknown conditions: Frobnicated=False"
    );
    assert_eq!(message(json!("fine")), "status \"fine\" is not a known word");
    assert_eq!(
        message(
            json!({ "phase": "Odd", "state": "Strange", "conditions": [condition("Frobnicated", "True")] })
        ),
        "unknown conditions: Frobnicated=True; phase \"Odd\", state \"Strange\" are not known words"
    );
}

#[test]
fn the_ready_column_is_that_of_the_best_summary() {
    let health = conditioned(&json!([condition("Available", "True"), condition("Ready", "False")]));
    assert_eq!(summary(&health), (Verdict::NotReady, "good-condition-false", "NotReady", Some("False")));
    assert_eq!(conditioned(&json!([condition("Synced", "True")])).ready, None);
}

#[test]
fn the_first_cause_is_the_condition_that_says_why() {
    let one = |name: &str, status: &str, reason: &str, message: &str| json!({ "type": name, "status": status, "reason": reason, "message": message });
    let cases = [
        (
            json!([
                one("Ready", "False", "NotReady", "not ready"),
                one("Synced", "False", "Failed", "no such bucket")
            ]),
            "Synced=False: no such bucket; also Ready=False",
        ),
        (
            json!([
                one("Ready", "False", "", "Synced is False"),
                one("Synced", "False", "SubnetNotFound", "")
            ]),
            "Synced=False: SubnetNotFound; also Ready=False",
        ),
        (
            json!([one("Degraded", "True", "", ""), one("Available", "False", "", "cannot bind port 80")]),
            "Available=False: cannot bind port 80; also Degraded=True",
        ),
        (
            json!([
                one("Available", "False", "", "deployment web not found"),
                one("Reconciled", "False", "", "version cannot be parsed")
            ]),
            "Reconciled=False: version cannot be parsed; also Available=False",
        ),
        // The more general one comes first if both say as much.
        (
            json!([one("Synced", "False", "", "cannot sync"), one("Ready", "False", "", "cannot start")]),
            "Ready=False: cannot start; also Synced=False",
        ),
        (
            json!([one("DatabaseReady", "False", "", "connection refused"), one("Ready", "False", "", "")]),
            "~DatabaseReady=False: connection refused; also Ready=False",
        ),
    ];
    for (conditions, expected) in cases {
        let health = conditioned(&conditions);
        assert_eq!(words(&health), expected, "{conditions}");
        assert!(!health.status.starts_with('~') && !health.unexplained, "{health:?}");
    }
}

#[test]
fn an_error_is_not_in_progress() {
    let young = |reason: &str, message: &str| {
        json!({ "type": "Ready", "status": "False", "reason": reason, "message": message,
            "lastTransitionTime": before(minutes(1)) })
    };
    let is_in_progress = |status: &Value| {
        let health = custom(status);
        assert_eq!(words(&health).contains("in progress"), health.in_progress, "{health:?}");
        health.in_progress
    };
    assert!(is_in_progress(&json!({ "conditions": [young("", "")] })));
    assert!(is_in_progress(&json!({ "conditions": [young("Creating", "waiting for the volume")] })));
    assert!(is_in_progress(&json!({ "conditions": [condition("Ready", "False")], "phase": "Creating" })));
    assert!(!is_in_progress(&json!({ "conditions": [condition("Ready", "False")] })));
    for status in [
        json!({ "conditions": [young("", "image not found")] }),
        json!({ "conditions": [young("ReconcileError", "")] }),
        json!({ "conditions": [young("", ""), condition("Stalled", "True")] }),
        json!({ "conditions": [young("", "")], "phase": "Failed" }),
        json!({ "conditions": [young("", "cannot start"), condition("Progressing", "True")] }),
    ] {
        assert!(!is_in_progress(&status), "{status}");
    }
}

#[test]
fn generation_zero_and_minus_one_hide_no_problem() {
    let verdict = |observed: i64, ready: &str| {
        let ready = json!({ "type": "Ready", "status": ready, "observedGeneration": observed });
        judged(&json!({ "apiVersion": "example.com/v1", "kind": "Thing", "metadata": { "generation": 2 },
            "status": { "observedGeneration": observed, "conditions": [ready] } }))
        .verdict
    };
    for observed in [-1, 0] {
        assert_eq!(verdict(observed, "False"), Verdict::NotReady, "{observed}");
        assert_eq!(verdict(observed, "True"), Verdict::Progressing, "{observed}");
    }
    assert_eq!(verdict(1, "False"), Verdict::Progressing);
    assert_eq!(verdict(2, "False"), Verdict::NotReady);
}

#[test]
fn a_warning_is_reported_beside_ready() {
    let ready = condition("Ready", "True");
    let warned = |status: &Value| {
        let health = custom(status);
        assert_eq!(health.verdict, Verdict::Ready, "{health:?}");
        health.warning
    };
    assert_eq!(warned(&json!({ "conditions": [ready] })), None);
    let by_word = warned(&json!({ "conditions": [ready], "health": "HEALTH_WARN" }));
    assert_eq!(by_word.as_deref(), Some("health is HEALTH_WARN"));
    let message = json!({ "type": "Warning", "status": "True", "message": "disk 90% full" });
    let by_condition = warned(&json!({ "conditions": [ready, message] }));
    assert_eq!(by_condition.as_deref(), Some("Warning=True: disk 90% full"));
    let by_error = warned(&json!({ "phase": "Running", "error": "no metrics" }));
    assert_eq!(by_error.as_deref(), Some("error: no metrics"));
    let broken = json!({ "conditions": [condition("Ready", "False"), message] });
    assert_eq!(custom(&broken).warning, None);
}

#[test]
fn messages_of_any_size_and_type_become_one_short_line() {
    let huge = format!("cannot\n\n{}", "ü".repeat(1_000_000));
    let one =
        |n: usize| json!({ "type": format!("A{n}Ready"), "status": "False", "message": "cannot\nstart" });
    let mut many: Vec<Value> = (0..1_000).map(one).collect();
    many.push(json!({ "type": "Ready", "status": "False", "reason": { "a": 1 }, "message": ["x"] }));
    for status in [
        json!({ "conditions": many }),
        json!({ "phase": "Error", "reason": { "code": 7 }, "message": [1, { "x": [] }] }),
        json!({ "phase": "Error", "message": huge }),
        json!({ "phase": huge }),
        json!({ "ready": false, "error": [huge, huge] }),
        json!({ "conditions": [{ "type": "Ready", "status": "False", "reason": huge, "message": huge }] }),
        json!({ "conditions": [{ "type": "Ready", "status": huge, "reason": huge, "message": huge }] }),
    ] {
        let health = custom(&status);
        let message = words(&health);
        assert!(message.chars().count() < 1_200 && !message.contains('\n'), "{}", message.len());
        assert!(health.reason.is_none_or(|reason| reason.chars().count() < 400));
    }
}
