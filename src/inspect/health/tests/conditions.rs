//! Unusual shapes of conditions, and what their types mean in different groups.

use serde_json::{Value, json};

use super::{before, condition, conditioned, custom, days, minutes, now, summary, with, words};
use crate::inspect::health::condition::{Status, read};
use crate::model::health::Verdict;

#[test]
fn every_shape_is_read() {
    let cases: [(Value, Verdict); 14] = [
        (json!([{ "type": "Ready", "status": "True" }]), Verdict::Ready),
        (json!([{ "type": "Ready", "status": "true" }]), Verdict::Ready),
        (json!([{ "type": "Ready", "status": true }]), Verdict::Ready),
        (json!([{ "type": "Ready", "status": false }]), Verdict::NotReady),
        (json!({ "Ready": { "status": "True" } }), Verdict::Ready),
        (json!({ "Ready": true }), Verdict::Ready),
        (json!({ "Ready": "False" }), Verdict::NotReady),
        (json!([{ "type": "Ready" }]), Verdict::Unknown),
        (json!([{ "status": "True" }]), Verdict::Unknown),
        (json!([{ "type": "Ready", "status": 1 }]), Verdict::Unknown),
        (json!([{ "type": "Ready", "status": "Maybe" }]), Verdict::Progressing),
        (json!([null, 1, "Ready", ["Ready"]]), Verdict::Unknown),
        (json!("Ready"), Verdict::Unknown),
        (json!(true), Verdict::Unknown),
    ];
    for (conditions, expected) in cases {
        let health = conditioned(&conditions);
        assert_eq!(health.verdict, expected, "{conditions}: {health:?}");
    }
}

#[test]
fn an_unusual_status_is_shown_verbatim() {
    let health = conditioned(&json!([{ "type": "Ready", "status": "Maybe" }]));
    assert_eq!(
        summary(&health),
        (Verdict::Progressing, "progressing-condition", "Progressing", Some("Maybe"))
    );
    assert_eq!(words(&health), "Ready=Maybe");
}

#[test]
fn a_status_that_is_not_an_object_is_unknown() {
    for status in [json!([1]), json!(7), json!(true), json!([{ "type": "Ready", "status": "True" }])] {
        assert_eq!(custom(&status).verdict, Verdict::Unknown, "{status}");
    }
    for status in [json!(null), json!({}), json!([]), json!("")] {
        assert_eq!(custom(&status).rule.id(), "no-status", "{status}");
    }
}

#[test]
fn the_newest_entry_of_a_history_counts() {
    let entry = |status: &str, ago: i64| json!({ "type": "Ready", "status": status, "lastTransitionTime": before(minutes(ago)) });
    assert_eq!(conditioned(&json!([entry("False", 9), entry("True", 3)])).verdict, Verdict::Ready);
    assert_eq!(conditioned(&json!([entry("True", 3), entry("False", 9)])).verdict, Verdict::Ready);
    assert_eq!(conditioned(&json!([entry("True", 9), entry("False", 3)])).verdict, Verdict::NotReady);
    let bare = |status: &str| json!({ "type": "Ready", "status": status });
    assert_eq!(conditioned(&json!([bare("False"), bare("True")])).verdict, Verdict::Ready);
}

#[test]
fn only_a_transition_time_is_shown_as_one() {
    let message = |times: Value| {
        let mut one = times;
        one["type"] = json!("Ready");
        one["status"] = json!("False");
        words(&conditioned(&json!([one]))).to_owned()
    };
    assert_eq!(message(json!({ "lastTransitionTime": before(days(3)) })), "Ready=False for 3d");
    assert_eq!(message(json!({ "lastUpdateTime": before(days(3)) })), "Ready=False for at least 3d");
    assert_eq!(message(json!({ "lastTransitionTime": "0001-01-01T00:00:00Z" })), "Ready=False");
    assert_eq!(message(json!({ "lastTransitionTime": (now() + minutes(5)).to_string() })), "Ready=False");
    assert_eq!(
        message(json!({ "lastTransitionTime": before(minutes(1)) })),
        "Ready=False for 60s, in progress"
    );
}

#[test]
fn conditions_of_parts_can_fail_an_object_but_not_make_it_ready() {
    let listener = |status: &str| json!({ "listeners": [{ "name": "http", "conditions": [condition("Programmed", status)] }] });
    let gateway =
        |status: &Value| with("gateway.networking.k8s.io/v1", "Gateway", &json!({}), status).verdict;
    assert_eq!(gateway(&listener("True")), Verdict::Unknown);
    assert_eq!(gateway(&listener("False")), Verdict::NotReady);
    let mut both = listener("False");
    both["conditions"] = json!([condition("Programmed", "True")]);
    assert_eq!(gateway(&both), Verdict::NotReady);
    let route = json!({ "parents": [{ "conditions": [condition("ResolvedRefs", "False")] }] });
    assert_eq!(
        with("gateway.networking.k8s.io/v1", "HTTPRoute", &json!({}), &route).verdict,
        Verdict::NotReady
    );
}

#[test]
fn an_object_without_conditions_of_its_own_is_ready_if_all_parents_accept_it() {
    let verdict = |parents: Value| {
        with("gateway.networking.k8s.io/v1", "HTTPRoute", &json!({}), &json!({"parents": parents})).verdict
    };
    let parent =
        |name: &str, conditions: Value| json!({"parentRef": {"name": name}, "conditions": conditions});
    let accepted = || json!([condition("Accepted", "True"), condition("ResolvedRefs", "True")]);
    assert_eq!(verdict(json!([parent("a", accepted()), parent("b", accepted())])), Verdict::Ready);
    assert_eq!(verdict(json!([parent("a", accepted()), parent("b", json!([]))])), Verdict::Unknown);
    let resolved = json!([condition("ResolvedRefs", "True")]);
    assert_eq!(verdict(json!([parent("a", accepted()), parent("b", resolved)])), Verdict::Unknown);
    let rejected = json!([condition("Accepted", "False")]);
    assert_eq!(verdict(json!([parent("a", accepted()), parent("b", rejected)])), Verdict::NotReady);
    assert_eq!(verdict(json!([])), Verdict::Unknown);
}

/// Conditions of one group, as (type, status, reason), and the verdict on them.
type Case = (&'static str, &'static [(&'static str, &'static str, &'static str)], Verdict);

const OLM: &str = "olm.operatorframework.io/v1";
const INSTALLED: (&str, &str, &str) = ("Installed", "True", "");
const READY: (&str, &str, &str) = ("Ready", "True", "");

#[rustfmt::skip]
const CASES: [Case; 20] = [
    ("argoproj.io/v1", &[("Progressing", "True", "NewReplicaSetAvailable"), ("Available", "True", "")], Verdict::Ready),
    ("keda.sh/v1alpha1", &[READY, ("Active", "False", "")], Verdict::Ready),
    ("autoscaling.k8s.elastic.co/v1", &[("Healthy", "True", ""), ("Active", "False", "")], Verdict::NotReady),
    ("kafka.strimzi.io/v1", &[("NotReady", "True", "")], Verdict::Failed),
    ("kafka.strimzi.io/v1", &[READY, ("Warning", "True", "")], Verdict::Ready),
    ("kafka.strimzi.io/v1", &[("ReconciliationPaused", "True", "")], Verdict::Suspended),
    ("monitoring.coreos.com/v1", &[("Available", "Degraded", "")], Verdict::NotReady),
    ("longhorn.io/v1beta2", &[("ready", "True", "")], Verdict::Ready),
    ("longhorn.io/v1beta2", &[("ready", "True", ""), ("Restore", "True", "")], Verdict::Progressing),
    (OLM, &[INSTALLED, ("Progressing", "True", "Succeeded")], Verdict::Ready),
    (OLM, &[INSTALLED, ("Progressing", "True", "Retrying")], Verdict::Ready),
    (OLM, &[INSTALLED, ("Progressing", "True", "RollingOut")], Verdict::Progressing),
    (OLM, &[INSTALLED, ("Progressing", "False", "Blocked")], Verdict::Failed),
    (OLM, &[("Serving", "False", "UserSpecifiedUnavailable")], Verdict::Suspended),
    ("operators.coreos.com/v1", &[("InstallPlanMissing", "True", "ReferencedInstallPlanNotFound")], Verdict::Unknown),
    ("postgresql.cnpg.io/v1", &[READY, ("ContinuousArchiving", "False", "")], Verdict::Ready),
    ("s3.services.k8s.aws/v1", &[("ACK.ResourceSynced", "True", "")], Verdict::Ready),
    ("s3.aws.upbound.io/v1", &[("Synced", "True", ""), READY], Verdict::Ready),
    ("source.toolkit.fluxcd.io/v1", &[("Ready", "Unknown", ""), ("Reconciling", "True", "")], Verdict::Progressing),
    ("config.openshift.io/v1", &[("Available", "True", ""), ("Upgradeable", "False", "")], Verdict::Ready),
];

#[test]
fn groups_mean_different_things() {
    for (api_version, conditions, expected) in CASES {
        let written = |(name, status, reason): &(&str, &str, &str)| json!({ "type": name, "status": status, "reason": reason });
        let conditions: Vec<Value> = conditions.iter().map(written).collect();
        let health = with(api_version, "Thing", &json!({}), &json!({ "conditions": conditions }));
        assert_eq!(health.verdict, expected, "{api_version} {conditions:?}: {health:?}");
    }
}

#[test]
fn a_condition_without_a_status_is_a_problem_only_in_known_groups() {
    let listed = json!({ "conditions": [{ "type": "ComparisonError", "message": "no such repository" }] });
    let verdict = |api_version: &str| with(api_version, "Application", &json!({}), &listed).verdict;
    assert_eq!(verdict("argoproj.io/v1alpha1"), Verdict::Failed);
    assert_eq!(verdict("example.com/v1"), Verdict::Unknown);
}

#[test]
fn a_false_with_severity_info_is_not_a_problem() {
    let judged = |severity: &str| {
        let routes = json!({ "type": "RoutesReady", "status": "False", "severity": severity });
        let conditions = json!([condition("Ready", "True"), routes]);
        with("serving.knative.dev/v1", "Service", &json!({}), &json!({ "conditions": conditions })).verdict
    };
    assert_eq!(judged("Info"), Verdict::Ready);
    assert_eq!(judged("Warning"), Verdict::NotReady);
    assert_eq!(judged(""), Verdict::NotReady);
}

#[test]
fn warnings_are_shown_with_a_ready() {
    let health = with(
        "kafka.strimzi.io/v1",
        "Kafka",
        &json!({}),
        &json!({ "conditions": [
        condition("Ready", "True"),
        { "type": "Warning", "status": "True", "reason": "DeprecatedFields", "message": "spec.x is deprecated" },
    ] }),
    );
    assert_eq!(
        (health.verdict, words(&health)),
        (Verdict::Ready, "warning: Warning=True: spec.x is deprecated")
    );
}

#[test]
fn gates_of_cluster_api_declare_their_polarity() {
    let judged = |api_version: &str, polarity: &str| {
        let spec = json!({ "availabilityGates": [{ "conditionType": "Sunny", "polarity": polarity }] });
        let conditions = json!([condition("Available", "True"), condition("Sunny", "False")]);
        with(api_version, "Cluster", &spec, &json!({ "conditions": conditions })).verdict
    };
    assert_eq!(judged("cluster.x-k8s.io/v1beta2", "Positive"), Verdict::NotReady);
    assert_eq!(judged("cluster.x-k8s.io/v1beta2", "Negative"), Verdict::Ready);
    assert_eq!(judged("example.com/v1", "Positive"), Verdict::Ready);
}

#[test]
fn every_field_of_a_condition_is_read() {
    let object = json!({ "status": { "conditions": [
        { "type": "Ready", "status": "False", "reason": "Broken", "message": "  ", "observedGeneration": "3" },
    ] } });
    let [one] = &read(&object)[..] else { panic!("one condition") };
    assert_eq!(
        (one.name, one.status, one.reason, one.message),
        ("Ready", Status::False, Some("Broken"), None)
    );
    assert_eq!((one.observed_generation, one.since), (Some(3), None));
}
