//! Built-in kinds other than Pods, one table per family.

use serde_json::{Value, json};

use super::{before, condition, days, judged, summary, with, words};
use crate::model::health::Verdict;

const BUDGET: &str = "poddisruptionbudget";
const CLAIM: &str = "persistentvolumeclaim";
const SCALER: &str = "horizontalpodautoscaler";
const VOLUME: &str = "persistentvolume";

type Expected = (Verdict, &'static str, &'static str, Option<&'static str>);

fn all(api_version: &str, kind: &str, cases: &[(Value, Value, Expected)]) {
    for (spec, status, expected) in cases {
        let health = with(api_version, kind, spec, status);
        assert_eq!(summary(&health), *expected, "{kind} {spec} {status}: {health:?}");
    }
}

fn because(name: &str, status: &str, reason: &str) -> Value {
    json!({ "type": name, "status": status, "reason": reason, "lastTransitionTime": before(days(3)) })
}

#[test]
fn deployments() {
    let counts = |replicas: i64, updated: i64, ready: i64, available: i64, conditions: Value| {
        json!({ "observedGeneration": 1, "replicas": replicas, "updatedReplicas": updated, "readyReplicas": ready,
            "availableReplicas": available, "conditions": conditions })
    };
    let rolled_out = because("Progressing", "True", "NewReplicaSetAvailable");
    let late = json!([because("Progressing", "False", "ProgressDeadlineExceeded")]);
    let lost = json!([condition("Available", "False"), rolled_out]);
    let quota = json!([because("ReplicaFailure", "True", "FailedCreate")]);
    let two = json!({ "replicas": 2 });
    all(
        "apps/v1",
        "Deployment",
        &[
            (
                two.clone(),
                counts(2, 2, 2, 2, json!([rolled_out])),
                (Verdict::Ready, "deployment", "Ready", Some("2/2")),
            ),
            (
                two.clone(),
                counts(2, 1, 2, 2, json!([])),
                (Verdict::Progressing, "deployment", "Progressing", Some("2/2")),
            ),
            (
                two.clone(),
                counts(3, 2, 2, 2, json!([])),
                (Verdict::Progressing, "deployment", "Progressing", Some("2/2")),
            ),
            (
                two.clone(),
                counts(2, 2, 2, 1, json!([])),
                (Verdict::Progressing, "deployment", "Progressing", Some("2/2")),
            ),
            (
                two.clone(),
                counts(1, 1, 1, 1, json!([])),
                (Verdict::Progressing, "deployment", "Progressing", Some("1/2")),
            ),
            (
                two.clone(),
                counts(2, 2, 0, 0, lost),
                (Verdict::NotReady, "deployment", "NotReady", Some("0/2")),
            ),
            (
                two.clone(),
                counts(
                    2,
                    2,
                    2,
                    2,
                    json!([
                        condition("Available", "True"),
                        because("Progressing", "False", "ReplicaSetCreateError")
                    ]),
                ),
                (Verdict::NotReady, "deployment", "NotReady", Some("2/2")),
            ),
            (two.clone(), counts(2, 2, 1, 1, late), (Verdict::Failed, "deployment", "Failed", Some("1/2"))),
            (two.clone(), counts(1, 1, 1, 1, quota), (Verdict::Failed, "deployment", "Failed", Some("1/2"))),
            (
                json!({ "replicas": 2, "paused": true }),
                counts(2, 1, 2, 2, json!([])),
                (Verdict::Suspended, "deployment", "Suspended", Some("2/2")),
            ),
            (json!({}), counts(1, 1, 1, 1, json!([])), (Verdict::Ready, "deployment", "Ready", Some("1/1"))),
            (
                json!({ "replicas": 0 }),
                json!({ "observedGeneration": 1 }),
                (Verdict::Ready, "deployment", "Ready", Some("0/0")),
            ),
            (
                two.clone(),
                json!({ "readyReplicas": 2 }),
                (Verdict::Progressing, "stale-generation", "Progressing", Some("2/2")),
            ),
            (two, json!({}), (Verdict::Unknown, "no-status", "Unknown", Some("0/2"))),
        ],
    );
}

#[test]
fn replica_sets() {
    let counts = |replicas: i64, ready: i64, available: i64| json!({ "observedGeneration": 1, "replicas": replicas, "readyReplicas": ready, "availableReplicas": available });
    let two = json!({ "replicas": 2 });
    let cases = [
        (two.clone(), counts(2, 2, 2), (Verdict::Ready, "replicaset", "Ready", Some("2/2"))),
        (two.clone(), counts(2, 1, 1), (Verdict::Progressing, "replicaset", "Progressing", Some("1/2"))),
        (two.clone(), counts(2, 2, 1), (Verdict::Progressing, "replicaset", "Progressing", Some("2/2"))),
        (two, counts(3, 3, 3), (Verdict::Progressing, "replicaset", "Progressing", Some("3/2"))),
        (json!({ "replicas": 0 }), counts(0, 0, 0), (Verdict::None, "replicaset", "-", Some("0/0"))),
        (
            json!({ "replicas": 1 }),
            json!({ "observedGeneration": 1, "conditions": [because("ReplicaFailure", "True", "FailedCreate")] }),
            (Verdict::Failed, "replicaset", "Failed", Some("0/1")),
        ),
    ];
    all("apps/v1", "ReplicaSet", &cases);
    all("v1", "ReplicationController", &cases);
}

#[test]
fn stateful_sets() {
    let counts = |ready: i64, updated: i64, current: &str| {
        json!({ "observedGeneration": 1, "replicas": 3, "readyReplicas": ready, "updatedReplicas": updated,
            "availableReplicas": ready, "currentRevision": current, "updateRevision": "b" })
    };
    let rolling = |partition: i64| json!({ "replicas": 3, "updateStrategy": { "type": "RollingUpdate", "rollingUpdate": { "partition": partition } } });
    let on_delete = json!({ "replicas": 3, "updateStrategy": { "type": "OnDelete" } });
    all(
        "apps/v1",
        "StatefulSet",
        &[
            (rolling(0), counts(3, 3, "b"), (Verdict::Ready, "statefulset", "Ready", Some("3/3"))),
            (
                rolling(0),
                counts(2, 3, "b"),
                (Verdict::Progressing, "statefulset", "Progressing", Some("2/3")),
            ),
            (
                rolling(0),
                counts(3, 1, "a"),
                (Verdict::Progressing, "statefulset", "Progressing", Some("3/3")),
            ),
            (
                rolling(0),
                counts(3, 3, "a"),
                (Verdict::Progressing, "statefulset", "Progressing", Some("3/3")),
            ),
            (rolling(2), counts(3, 1, "a"), (Verdict::Ready, "statefulset", "Ready", Some("3/3"))),
            (
                rolling(2),
                counts(3, 0, "a"),
                (Verdict::Progressing, "statefulset", "Progressing", Some("3/3")),
            ),
            (on_delete, counts(3, 0, "a"), (Verdict::Ready, "statefulset", "Ready", Some("3/3"))),
        ],
    );
}

#[test]
fn daemon_sets() {
    let counts = |wanted: i64, updated: i64, ready: i64, available: i64| {
        json!({ "observedGeneration": 1, "desiredNumberScheduled": wanted, "updatedNumberScheduled": updated,
            "numberReady": ready, "numberAvailable": available })
    };
    all(
        "apps/v1",
        "DaemonSet",
        &[
            (json!({}), counts(3, 3, 3, 3), (Verdict::Ready, "daemonset", "Ready", Some("3/3"))),
            (json!({}), counts(3, 2, 3, 3), (Verdict::Progressing, "daemonset", "Progressing", Some("3/3"))),
            (json!({}), counts(3, 3, 2, 2), (Verdict::Progressing, "daemonset", "Progressing", Some("2/3"))),
            (json!({}), counts(0, 0, 0, 0), (Verdict::Ready, "daemonset", "Ready", Some("0/0"))),
            (
                json!({ "updateStrategy": { "type": "OnDelete" } }),
                counts(3, 0, 3, 3),
                (Verdict::Ready, "daemonset", "Ready", Some("3/3")),
            ),
        ],
    );
}

#[test]
fn jobs() {
    let held = |name: &str, succeeded: i64| json!({ "succeeded": succeeded, "conditions": [condition(name, "True")] });
    let three = json!({ "completions": 3 });
    all(
        "batch/v1",
        "Job",
        &[
            (three.clone(), held("Complete", 3), (Verdict::Ready, "job", "Complete", Some("3/3"))),
            (three.clone(), held("Failed", 1), (Verdict::Failed, "job", "Failed", Some("1/3"))),
            (three.clone(), held("FailureTarget", 1), (Verdict::Failed, "job", "FailureTarget", Some("1/3"))),
            (three.clone(), held("Suspended", 0), (Verdict::Suspended, "job", "Suspended", Some("0/3"))),
            (three.clone(), json!({ "active": 1 }), (Verdict::Progressing, "job", "Running", Some("0/3"))),
            (
                json!({ "parallelism": 4 }),
                json!({ "active": 4 }),
                (Verdict::Progressing, "job", "Running", Some("0/1 of 4")),
            ),
            (
                json!({ "suspend": true }),
                json!({ "active": 1 }),
                (Verdict::Suspended, "job", "Suspended", Some("0/1")),
            ),
            (three, json!({}), (Verdict::Unknown, "no-status", "Unknown", Some("0/3"))),
        ],
    );
    all(
        "batch/v1",
        "CronJob",
        &[
            (json!({ "suspend": true }), json!({}), (Verdict::Suspended, "cronjob", "Suspended", None)),
            (json!({ "suspend": false }), json!({}), (Verdict::None, "cronjob", "-", None)),
        ],
    );
}

#[test]
fn volumes_and_claims() {
    let phase = |phase: &str| json!({ "phase": phase });
    let resize = |name: &str| json!({ "phase": "Bound", "conditions": [condition(name, "True")] });
    all(
        "v1",
        "PersistentVolumeClaim",
        &[
            (json!({}), phase("Bound"), (Verdict::Ready, CLAIM, "Bound", None)),
            (json!({}), phase("Pending"), (Verdict::NotReady, CLAIM, "Pending", None)),
            (json!({}), phase("Lost"), (Verdict::Failed, CLAIM, "Lost", None)),
            (json!({}), resize("FileSystemResizePending"), (Verdict::Progressing, CLAIM, "Bound", None)),
            (json!({}), resize("NodeResizeError"), (Verdict::Failed, CLAIM, "Bound", None)),
            (json!({}), resize("SomethingFailed"), (Verdict::Ready, CLAIM, "Bound", None)),
            (json!({}), phase("Odd"), (Verdict::Unknown, CLAIM, "Odd", None)),
        ],
    );
    all(
        "v1",
        "PersistentVolume",
        &[
            (json!({}), phase("Bound"), (Verdict::Ready, VOLUME, "Bound", None)),
            (json!({}), phase("Available"), (Verdict::Ready, VOLUME, "Available", None)),
            (json!({}), phase("Released"), (Verdict::Progressing, VOLUME, "Released", None)),
            (
                json!({ "persistentVolumeReclaimPolicy": "Retain" }),
                phase("Released"),
                (Verdict::None, VOLUME, "Released", None),
            ),
            (json!({}), phase("Failed"), (Verdict::Failed, VOLUME, "Failed", None)),
        ],
    );
}

#[test]
fn services_and_ingresses() {
    let balanced = json!({ "type": "LoadBalancer" });
    let address = json!({ "loadBalancer": { "ingress": [{ "ip": "192.0.2.1" }] } });
    all(
        "v1",
        "Service",
        &[
            (
                json!({ "type": "ClusterIP" }),
                json!({ "loadBalancer": {} }),
                (Verdict::None, "service", "-", None),
            ),
            (json!({ "type": "ExternalName" }), json!({}), (Verdict::None, "service", "-", None)),
            (
                balanced.clone(),
                json!({ "loadBalancer": {} }),
                (Verdict::Progressing, "service", "Progressing", None),
            ),
            (balanced, address, (Verdict::None, "service", "-", None)),
        ],
    );
    all(
        "networking.k8s.io/v1",
        "Ingress",
        &[(json!({}), json!({}), (Verdict::None, "nothing-to-judge", "-", None))],
    );
    all("v1", "ConfigMap", &[(json!({}), json!({}), (Verdict::None, "nothing-to-judge", "-", None))]);
}

#[test]
fn autoscalers_and_budgets() {
    let scaler = |able: Value, active: Value| json!({ "conditions": [able, active] });
    let able = || condition("AbleToScale", "True");
    all(
        "autoscaling/v2",
        "HorizontalPodAutoscaler",
        &[
            (
                json!({}),
                scaler(able(), condition("ScalingActive", "True")),
                (Verdict::Ready, SCALER, "Ready", None),
            ),
            (
                json!({}),
                scaler(able(), because("ScalingActive", "False", "FailedGetResourceMetric")),
                (Verdict::NotReady, SCALER, "NotReady", None),
            ),
            (
                json!({}),
                scaler(able(), because("ScalingActive", "False", "ScalingDisabled")),
                (Verdict::Suspended, SCALER, "Suspended", None),
            ),
            (json!({}), json!({ "conditions": [able()] }), (Verdict::Unknown, SCALER, "Unknown", None)),
        ],
    );
    let budget = |healthy: i64, wanted: i64, expected: i64, allowed: i64| {
        json!({ "observedGeneration": 1, "currentHealthy": healthy, "desiredHealthy": wanted, "expectedPods": expected,
            "disruptionsAllowed": allowed })
    };
    all(
        "policy/v1",
        "PodDisruptionBudget",
        &[
            (json!({}), budget(3, 2, 3, 1), (Verdict::Ready, BUDGET, "Ready", None)),
            (json!({}), budget(2, 2, 3, 0), (Verdict::Ready, BUDGET, "Ready", None)),
            (json!({}), budget(1, 2, 3, 0), (Verdict::NotReady, BUDGET, "NotReady", None)),
            (json!({}), budget(0, 0, 0, 0), (Verdict::Unknown, BUDGET, "Unknown", None)),
        ],
    );
}

#[test]
fn namespaces_and_nodes() {
    all(
        "v1",
        "Namespace",
        &[
            (json!({}), json!({ "phase": "Active" }), (Verdict::Ready, "namespace", "Active", None)),
            (
                json!({}),
                json!({ "phase": "Terminating" }),
                (Verdict::Terminating, "namespace", "Terminating", None),
            ),
        ],
    );
    let held = |ready: &str, pressure: &str| json!({ "conditions": [condition("Ready", ready), condition("MemoryPressure", pressure)] });
    let cordoned = json!({ "unschedulable": true });
    all(
        "v1",
        "Node",
        &[
            (json!({}), held("True", "False"), (Verdict::Ready, "node", "Ready", None)),
            (json!({}), held("True", "True"), (Verdict::NotReady, "node", "Ready,MemoryPressure", None)),
            (json!({}), held("False", "False"), (Verdict::Failed, "node", "NotReady", None)),
            (json!({}), held("Unknown", "Unknown"), (Verdict::Failed, "node", "NotReady", None)),
            (
                cordoned.clone(),
                held("True", "False"),
                (Verdict::Suspended, "node", "Ready,SchedulingDisabled", None),
            ),
            (
                cordoned,
                held("False", "False"),
                (Verdict::Failed, "node", "NotReady,SchedulingDisabled", None),
            ),
            (json!({}), json!({ "conditions": [] }), (Verdict::Unknown, "node", "Unknown", None)),
        ],
    );
}

#[test]
fn definitions_and_aggregated_apis() {
    let crd = |names: &str, established: &str| json!({ "conditions": [condition("NamesAccepted", names), condition("Established", established)] });
    all(
        "apiextensions.k8s.io/v1",
        "CustomResourceDefinition",
        &[
            (json!({}), crd("True", "True"), (Verdict::Ready, "summary-condition", "Ready", Some("True"))),
            (
                json!({}),
                crd("False", "False"),
                (Verdict::NotReady, "good-condition-false", "NotReady", Some("False")),
            ),
            (
                json!({}),
                json!({ "conditions": [condition("Established", "True"), condition("Terminating", "True")] }),
                (Verdict::Progressing, "progressing-condition", "Progressing", Some("True")),
            ),
        ],
    );
    let missing = json!({ "conditions": [because("Available", "False", "ServiceNotFound")] });
    let health = with("apiregistration.k8s.io/v1", "APIService", &json!({}), &missing);
    assert_eq!(summary(&health), (Verdict::NotReady, "good-condition-false", "NotReady", Some("False")));
    assert_eq!(health.reason.as_deref(), Some("ServiceNotFound"));
}

#[test]
fn the_same_kind_in_another_group_is_judged_as_a_custom_resource() {
    let health = judged(&json!({ "apiVersion": "serving.knative.dev/v1", "kind": "Service", "status": {
        "conditions": [{ "type": "Ready", "status": "False", "message": "no revision" }],
    } }));
    assert_eq!((health.verdict, words(&health)), (Verdict::NotReady, "Ready=False: no revision"));
}

#[test]
fn a_workload_without_counts_is_not_ready() {
    for (kind, spec) in [
        ("DaemonSet", json!({})),
        ("StatefulSet", json!({ "replicas": 0 })),
        ("ReplicaSet", json!({ "replicas": 0 })),
    ] {
        let health = with("apps/v1", kind, &spec, &json!({ "observedGeneration": 1 }));
        assert_eq!(
            (health.verdict, words(&health)),
            (Verdict::Unknown, "its status has no Pod counts"),
            "{kind}"
        );
    }
}

#[test]
fn a_claim_may_be_pending_for_an_hour() {
    let verdict = |minutes: i64| {
        let created = before(super::minutes(minutes));
        judged(
            &json!({ "apiVersion": "v1", "kind": "PersistentVolumeClaim", "status": { "phase": "Pending" },
            "metadata": { "name": "x", "creationTimestamp": created } }),
        )
        .verdict
    };
    assert_eq!((verdict(59), verdict(61)), (Verdict::Progressing, Verdict::NotReady));
}

#[test]
fn a_node_that_just_stopped_is_not_lost() {
    let verdict = |ago: i64| {
        let ready = json!({ "type": "Ready", "status": "Unknown", "lastTransitionTime": before(super::minutes(ago)) });
        with("v1", "Node", &json!({}), &json!({ "conditions": [ready] })).verdict
    };
    assert_eq!((verdict(1), verdict(10)), (Verdict::NotReady, Verdict::Failed));
}
