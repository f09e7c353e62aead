//! Pods: kubectl's columns and our verdict.

use serde_json::{Value, json};

use super::{before, days, judged, minutes, words};
use crate::inspect::health::crashed_container;
use crate::model::health::{Health, Problem, Verdict};
use crate::model::log::ContainerRun;

/// A Pod with one container `app`, created 3 days ago.
fn pod(status: &Value) -> Value {
    json!({
        "apiVersion": "v1", "kind": "Pod",
        "metadata": { "name": "x", "creationTimestamp": before(days(3)) },
        "spec": { "containers": [{ "name": "app" }] },
        "status": status,
    })
}

fn container(name: &str, state: &Value) -> Value {
    let is_running = state.get("running").is_some();
    json!({ "name": name, "ready": is_running, "started": is_running, "restartCount": 0, "state": state })
}

fn columns(health: &Health) -> (Verdict, &str, &str) {
    (health.verdict, health.ready.as_deref().unwrap_or_default(), &health.status)
}

fn ready(status: &str) -> Value {
    json!([{ "type": "Ready", "status": status }])
}

#[test]
fn one_container_in_every_state() {
    let running = json!({ "running": {} });
    let ended = |code: i64, reason: &str| json!({ "terminated": { "exitCode": code, "reason": reason } });
    let waits = |reason: &str| json!({ "waiting": { "reason": reason } });
    let cases = [
        ("Running", running.clone(), "True", (Verdict::Ready, "1/1", "Running")),
        ("Running", running.clone(), "False", (Verdict::NotReady, "1/1", "Running")),
        ("Running", waits("CrashLoopBackOff"), "False", (Verdict::Failed, "0/1", "CrashLoopBackOff")),
        ("Running", ended(1, "Error"), "False", (Verdict::Failed, "0/1", "Error")),
        ("Running", ended(137, "OOMKilled"), "False", (Verdict::Failed, "0/1", "OOMKilled")),
        ("Running", ended(0, "Completed"), "False", (Verdict::Progressing, "0/1", "Completed")),
        ("Running", ended(3, ""), "False", (Verdict::Failed, "0/1", "ExitCode:3")),
        ("Running", ended(0, ""), "False", (Verdict::NotReady, "0/1", "ExitCode:0")),
        ("Pending", waits("ContainerCreating"), "False", (Verdict::NotReady, "0/1", "ContainerCreating")),
        ("Pending", waits("ImagePullBackOff"), "False", (Verdict::Failed, "0/1", "ImagePullBackOff")),
        ("Pending", waits("ErrImagePull"), "False", (Verdict::Failed, "0/1", "ErrImagePull")),
        ("Pending", waits("InvalidImageName"), "False", (Verdict::Failed, "0/1", "InvalidImageName")),
        (
            "Pending",
            waits("CreateContainerConfigError"),
            "False",
            (Verdict::Failed, "0/1", "CreateContainerConfigError"),
        ),
        ("Succeeded", ended(0, "Completed"), "False", (Verdict::Ready, "0/1", "Completed")),
        ("Failed", ended(2, "Error"), "False", (Verdict::Failed, "0/1", "Error")),
        ("Unknown", running, "True", (Verdict::Unknown, "1/1", "Unknown")),
    ];
    for (phase, state, is_ready, expected) in cases {
        let status = json!({ "phase": phase, "conditions": ready(is_ready), "containerStatuses": [container("app", &state)] });
        let health = judged(&pod(&status));
        assert_eq!(columns(&health), expected, "{state}");
        assert_eq!(health.rule.id(), "pod");
    }
}

#[test]
fn the_problem_follows_from_the_container_state() {
    let waits = |reason: &str| json!({ "waiting": { "reason": reason } });
    let ended = |code: i64, reason: &str| json!({ "terminated": { "exitCode": code, "reason": reason } });
    let cases = [
        (waits("CrashLoopBackOff"), Some(Problem::CrashLoop)),
        (waits("ImagePullBackOff"), Some(Problem::ImagePull)),
        (waits("ErrImageNeverPull"), Some(Problem::ImagePull)),
        (waits("CreateContainerConfigError"), Some(Problem::ContainerConfig)),
        (waits("ContainerCreating"), None),
        (ended(137, "OOMKilled"), Some(Problem::OomKilled)),
        (ended(1, "Error"), Some(Problem::ContainerExited)),
        (ended(3, ""), Some(Problem::ContainerExited)),
        (ended(128, "StartError"), Some(Problem::ContainerStart)),
        (ended(0, ""), None),
        (json!({ "running": {} }), None),
    ];
    for (state, problem) in cases {
        let status = json!({ "phase": "Running", "conditions": ready("False"), "containerStatuses": [container("app", &state)] });
        assert_eq!(judged(&pod(&status)).problem, problem, "{state}");
        let initializing = container("app", &waits("PodInitializing"));
        let status = json!({ "phase": "Pending", "conditions": ready("False"), "containerStatuses": [initializing],
            "initContainerStatuses": [container("init", &state)] });
        let mut object = pod(&status);
        object["spec"]["initContainers"] = json!([{ "name": "init" }]);
        assert_eq!(judged(&object).problem, problem, "init container: {state}");
    }
    let mut looping = container("app", &waits("CrashLoopBackOff"));
    looping["lastState"] = ended(137, "OOMKilled");
    let status = json!({ "phase": "Running", "conditions": ready("False"), "containerStatuses": [looping] });
    assert_eq!(judged(&pod(&status)).problem, Some(Problem::OomKilled));
    let unscheduled = json!([{ "type": "PodScheduled", "status": "False", "reason": "Unschedulable" }]);
    let health = judged(&pod(&json!({ "phase": "Pending", "conditions": unscheduled })));
    assert_eq!(health.problem, Some(Problem::Unschedulable));
}

#[test]
fn a_new_pod_may_still_become_ready() {
    for (age, verdict) in [(1, Verdict::Progressing), (6, Verdict::NotReady)] {
        let waits = container("app", &json!({ "waiting": { "reason": "ContainerCreating" } }));
        let mut object =
            pod(&json!({ "phase": "Pending", "conditions": ready("False"), "containerStatuses": [waits] }));
        object["metadata"]["creationTimestamp"] = json!(before(minutes(age)));
        assert_eq!(judged(&object).verdict, verdict);
    }
}

#[test]
fn a_crash_loop_shows_container_exit_and_restarts() {
    let mut status =
        container("app", &json!({ "waiting": { "reason": "CrashLoopBackOff", "message": "back-off 5m0s" } }));
    status["restartCount"] = json!(7);
    status["lastState"] =
        json!({ "terminated": { "exitCode": 1, "reason": "Error", "finishedAt": before(minutes(2)) } });
    let health = judged(&pod(
        &json!({ "phase": "Running", "conditions": ready("False"), "containerStatuses": [status] }),
    ));
    assert_eq!(words(&health), "container app: back-off 5m0s; last exit 1 (Error); 7 restarts, last 2m ago");
    assert_eq!(health.reason.as_deref(), Some("CrashLoopBackOff"));
}

#[test]
fn an_unschedulable_pod_shows_why() {
    let unscheduled = json!([{ "type": "PodScheduled", "status": "False", "reason": "Unschedulable",
        "message": "0/3 nodes are available: 3 Insufficient memory.", "lastTransitionTime": before(days(3)) }]);
    let health = judged(&pod(&json!({ "phase": "Pending", "conditions": unscheduled })));
    assert_eq!(columns(&health), (Verdict::NotReady, "0/1", "Pending"));
    assert_eq!(words(&health), "PodScheduled=False for 3d: 0/3 nodes are available: 3 Insufficient memory.");
    assert_eq!(health.reason.as_deref(), Some("Unschedulable"));
}

#[test]
fn a_gated_pod_is_suspended() {
    let gated = json!([{ "type": "PodScheduled", "status": "False", "reason": "SchedulingGated" }]);
    let mut object = pod(&json!({ "phase": "Pending", "conditions": gated }));
    object["spec"]["schedulingGates"] = json!([{ "name": "example.com/quota" }]);
    let health = judged(&object);
    assert_eq!(columns(&health), (Verdict::Suspended, "0/1", "SchedulingGated"));
    assert_eq!(words(&health), "waiting for scheduling gates example.com/quota");
}

#[test]
fn init_containers_and_sidecars_are_counted_as_kubectl_does() {
    let running = json!({ "running": {} });
    let done = json!({ "terminated": { "exitCode": 0, "reason": "Completed" } });
    let failed = json!({ "terminated": { "exitCode": 1, "reason": "Error" } });
    let killed = json!({ "terminated": { "exitCode": 137, "signal": 9 } });
    let looping = json!({ "waiting": { "reason": "CrashLoopBackOff" } });
    let initializing = json!({ "waiting": { "reason": "PodInitializing" } });
    let cases = [
        (vec![container("a", &running)], (Verdict::NotReady, "0/2", "Init:0/2")),
        (
            vec![container("a", &done), container("side", &initializing)],
            (Verdict::NotReady, "0/2", "Init:1/2"),
        ),
        (
            vec![container("a", &done), container("side", &running)],
            (Verdict::NotReady, "1/2", "PodInitializing"),
        ),
        (vec![container("a", &failed)], (Verdict::Failed, "0/2", "Init:Error")),
        (vec![container("a", &killed)], (Verdict::Failed, "0/2", "Init:Signal:9")),
        (vec![container("a", &looping)], (Verdict::Failed, "0/2", "Init:CrashLoopBackOff")),
    ];
    for (init, expected) in cases {
        let mut object = pod(&json!({
            "phase": "Pending", "conditions": ready("False"),
            "initContainerStatuses": init, "containerStatuses": [container("app", &initializing)],
        }));
        object["spec"]["initContainers"] =
            json!([{ "name": "a" }, { "name": "side", "restartPolicy": "Always" }]);
        assert_eq!(columns(&judged(&object)), expected);
    }
}

#[test]
fn one_container_completed_and_another_is_running() {
    let cases = [
        (0, "True", (Verdict::Ready, "1/2", "Running")),
        (0, "False", (Verdict::NotReady, "1/2", "NotReady")),
    ];
    for (code, is_ready, expected) in cases {
        let ended = json!({ "terminated": { "exitCode": code, "reason": "Completed" } });
        let mut object =
            pod(&json!({ "phase": "Running", "conditions": ready(is_ready), "containerStatuses": [
            container("app", &ended), container("web", &json!({ "running": {} })),
        ] }));
        object["spec"]["containers"] = json!([{ "name": "app" }, { "name": "web" }]);
        assert_eq!(columns(&judged(&object)), expected);
    }
}

#[test]
fn an_error_is_not_hidden_by_a_container_that_completed() {
    let ended = |code: i64, reason: &str| json!({ "terminated": { "exitCode": code, "reason": reason } });
    let mut object = pod(&json!({ "phase": "Running", "conditions": ready("False"), "containerStatuses": [
        container("app", &ended(0, "Completed")), container("web", &ended(1, "Error")),
    ] }));
    object["spec"]["containers"] = json!([{ "name": "app" }, { "name": "web" }]);
    let health = judged(&object);
    assert_eq!(columns(&health), (Verdict::Failed, "0/2", "Error"));
    assert!(words(&health).starts_with("container web: exit 1 (Error)"), "{health:?}");
}

#[test]
fn a_deleted_pod_has_the_status_of_kubectl() {
    let cases = [
        (json!({ "phase": "Running" }), "Terminating"),
        (json!({ "phase": "Running", "reason": "NodeLost" }), "Unknown"),
        (json!({ "phase": "Failed", "reason": "Evicted" }), "Evicted"),
    ];
    for (status, word) in cases {
        let mut object = pod(&status);
        object["metadata"]["deletionTimestamp"] = json!(before(minutes(1)));
        assert_eq!(columns(&judged(&object)), (Verdict::Terminating, "0/1", word));
        object["metadata"]["deletionTimestamp"] = json!(before(minutes(20)));
        assert_eq!(columns(&judged(&object)), (Verdict::Stuck, "0/1", "Stuck"));
    }
}

#[test]
fn an_evicted_pod_shows_why() {
    let health = judged(&pod(
        &json!({ "phase": "Failed", "reason": "Evicted", "message": "The node was low on memory." }),
    ));
    assert_eq!(columns(&health), (Verdict::Failed, "0/1", "Evicted"));
    assert_eq!(words(&health), "The node was low on memory.");
}

#[test]
fn restarts_of_a_ready_pod_are_shown() {
    let mut status = container("app", &json!({ "running": {} }));
    status["restartCount"] = json!(1);
    let health = judged(&pod(
        &json!({ "phase": "Running", "conditions": ready("True"), "containerStatuses": [status] }),
    ));
    assert_eq!((columns(&health), words(&health)), ((Verdict::Ready, "1/1", "Running"), "1 restart"));
}

#[test]
fn a_pod_without_conditions_is_unknown() {
    let status =
        json!({ "phase": "Running", "containerStatuses": [container("app", &json!({ "running": {} }))] });
    assert_eq!(columns(&judged(&pod(&status))), (Verdict::Unknown, "1/1", "Running"));
    assert_eq!(judged(&pod(&json!({}))).rule.id(), "no-status");
}

/// A container that crashed `ago` and has been running again since.
fn crashed(ago: i64, reason: &str, restarts: i64) -> Value {
    json!({ "name": "app", "ready": false, "started": true, "restartCount": restarts,
        "state": { "running": { "startedAt": before(minutes(ago)) } },
        "lastState": { "terminated": { "exitCode": 137, "reason": reason, "finishedAt": before(minutes(ago)) } } })
}

#[test]
fn a_container_that_runs_again_keeps_its_crash_as_the_cause() {
    let health = |ago: i64, not_ready_for: i64, reason: &str, restarts: i64| {
        let conditions = json!([{ "type": "Ready", "status": "False", "lastTransitionTime": before(minutes(not_ready_for)) }]);
        let mut object = pod(&json!({ "phase": "Running", "conditions": conditions,
            "containerStatuses": [crashed(ago, reason, restarts)] }));
        object["metadata"]["creationTimestamp"] = json!(before(minutes(4)));
        judged(&object)
    };
    let killed = health(2, 2, "OOMKilled", 3);
    assert_eq!(columns(&killed), (Verdict::NotReady, "0/1", "Running"), "new as it is");
    assert_eq!((killed.problem, killed.reason.as_deref()), (Some(Problem::OomKilled), Some("OOMKilled")));
    assert_eq!(
        words(&killed),
        "container app: running for 2m, not ready; last exit 137 (OOMKilled); 3 restarts, last 2m ago"
    );
    assert_eq!(health(2, 3, "Error", 3).problem, Some(Problem::CrashLoop));
    assert_eq!(health(2, 3, "Error", 1).problem, Some(Problem::ContainerExited));
    // It was ready after the crash, so something else is wrong.
    let later = health(60, 1, "OOMKilled", 3);
    assert_eq!(later.problem, None, "{later:?}");
}

#[test]
fn a_running_init_container_is_not_waiting() {
    let init = json!({ "name": "migrate", "ready": false, "restartCount": 0,
        "state": { "running": { "startedAt": before(minutes(5)) } } });
    let waiting = container("app", &json!({ "waiting": { "reason": "PodInitializing" } }));
    let mut object =
        pod(&json!({ "phase": "Pending", "conditions": ready("False"), "initContainerStatuses": [init],
        "containerStatuses": [waiting] }));
    object["spec"]["initContainers"] = json!([{ "name": "migrate" }]);
    let health = judged(&object);
    assert_eq!(columns(&health), (Verdict::NotReady, "0/1", "Init:0/1"));
    assert_eq!(words(&health), "init container migrate: running for 5m");
}

#[test]
fn a_recent_restart_is_a_warning() {
    let warning = |ago: i64| {
        let mut status = crashed(ago, "Error", 2);
        status["ready"] = json!(true);
        let health = judged(&pod(
            &json!({ "phase": "Running", "conditions": ready("True"), "containerStatuses": [status] }),
        ));
        assert_eq!(health.verdict, Verdict::Ready);
        health.warning
    };
    assert_eq!(warning(5).as_deref(), Some("container app: last exit 137 (Error); 2 restarts, last 5m ago"));
    assert_eq!(warning(61), None);
}

#[test]
fn the_log_that_counts_is_that_of_the_last_run_that_ended() {
    let ended = json!({ "terminated": { "exitCode": 1, "reason": "Error" } });
    let waits = json!({ "waiting": { "reason": "CrashLoopBackOff" } });
    let run = |restarts: i64, state: &Value, last: &Value| {
        let status = json!({ "name": "app", "restartCount": restarts, "state": state, "lastState": last });
        let pod =
            pod(&json!({ "phase": "Running", "conditions": ready("False"), "containerStatuses": [status] }));
        crashed_container(&pod).map(|container| (container.name, container.run, container.restarts))
    };
    let expected = |run, restarts| Some(("app".to_owned(), run, restarts));
    assert_eq!(run(3, &waits, &ended), expected(ContainerRun::Previous, 3));
    assert_eq!(run(0, &waits, &ended), expected(ContainerRun::Previous, 0));
    assert_eq!(run(0, &ended, &json!({})), expected(ContainerRun::Current, 0));
    // It ended again and waits for its restart: what ran before is older news.
    assert_eq!(run(3, &ended, &ended), expected(ContainerRun::Current, 3));
    assert_eq!(run(0, &json!({ "running": {} }), &json!({})), None);
    // It runs again, and has not been ready since.
    assert_eq!(run(3, &json!({ "running": {} }), &ended), expected(ContainerRun::Previous, 3));
}
