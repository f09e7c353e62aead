//! Verdicts on whole trees, causes and findings. The objects are written as kubectl prints them.

mod references;

use proptest::prelude::*;
use serde_json::{Value, json};

use super::*;
use crate::inspect::evaluation::is_unhealthy;
use crate::inspect::test_snapshot::test_snapshot;
use crate::model::code::Code;
use crate::model::event::Event;
use crate::model::gap::{Gap, Reason};
use crate::model::ident::{ObjectName, Uid};
use crate::model::log::{LogError, LogReading};
use crate::model::rule::Rule;

pub(super) fn object(api_version: &str, kind: &str, name: &str, owner: Option<&str>, body: &Value) -> Value {
    let mut object = json!({"apiVersion": api_version, "kind": kind, "metadata": {
        "name": name, "creationTimestamp": "2026-11-13T12:00:00Z", "generation": 1}});
    if let Some(owner) = owner {
        object["metadata"]["ownerReferences"] =
            json!([{"apiVersion": "x/v1", "kind": "X", "name": "x", "uid": owner}]);
    }
    object.as_object_mut().unwrap().extend(body.as_object().unwrap().clone());
    object
}

pub(super) fn ready(status: &str) -> Value {
    let condition = json!({"type": "Ready", "status": status, "reason": "Because", "message": "text",
        "lastTransitionTime": "2026-11-13T12:00:00Z"});
    json!({"status": {"conditions": [condition]}})
}

/// The report on a snapshot, without further reads.
pub(super) fn report(snapshot: &Snapshot, below: Below, rulebook: &Rulebook) -> StatusReport {
    let mut attempts = FetchAttempts::default();
    attempts.exhaust();
    let options = StatusOptions { below, ..StatusOptions::default() };
    match inspect(snapshot, &attempts, options, rulebook) {
        Inspection::Complete(inspected) => inspected.report,
        Inspection::Missing(plan) => panic!("{plan:?}"),
    }
}

pub(super) fn root(status: &Value) -> Value {
    object("example.com/v1", "Site", "shop", None, status)
}

fn pod(name: &str, owner: &str, container: &Value) -> Value {
    let status = json!({"phase": "Running", "conditions": [{"type": "Ready", "status": "False",
        "lastTransitionTime": "2026-11-16T10:00:00Z"}], "containerStatuses": [container]});
    object(
        "v1",
        "Pod",
        name,
        Some(owner),
        &json!({"spec": {"containers": [{"name": "app"}]}, "status": status}),
    )
}

pub(super) fn crashing(name: &str, owner: &str) -> Value {
    pod(
        name,
        owner,
        &json!({"name": "app", "ready": false, "restartCount": 7, "state": {"waiting":
        {"reason": "CrashLoopBackOff"}}, "lastState": {"terminated": {"exitCode": 1, "reason": "Error"}}}),
    )
}

fn running(name: &str, owner: &str) -> Value {
    let status = json!({"phase": "Running", "conditions": [{"type": "Ready", "status": "True"}],
        "containerStatuses": [{"name": "app", "ready": true, "restartCount": 0, "state": {"running": {}}}]});
    object(
        "v1",
        "Pod",
        name,
        Some(owner),
        &json!({"spec": {"containers": [{"name": "app"}]}, "status": status}),
    )
}

pub(super) fn deployment(wanted: u32, available: u32) -> Value {
    object(
        "apps/v1",
        "Deployment",
        "shop",
        Some("Site/shop"),
        &json!({"spec": {"replicas": wanted}, "status": {
        "observedGeneration": 1, "replicas": wanted, "updatedReplicas": wanted, "readyReplicas": available,
        "availableReplicas": available}}),
    )
}

fn report_on(objects: &[Value]) -> StatusReport {
    report(&test_snapshot(objects), Below::All, &Rulebook::default())
}

fn one(objects: &[Value]) -> Resource {
    report_on(objects).resources.remove(0)
}

#[test]
fn a_ready_resource_with_a_crashing_pod_is_ready_and_its_tree_failed() {
    let resource = one(&[root(&ready("True")), deployment(2, 1), crashing("shop-a", "Deployment/shop")]);
    assert_eq!((resource.own.verdict, resource.verdict), (Verdict::Ready, Verdict::Failed));
    let cause = resource.cause.unwrap();
    assert_eq!((cause.object.to_string().as_str(), cause.code), ("Pod/shop-a", Code::CrashLoop));
    assert!(
        resource
            .headline
            .starts_with("Site/shop reports Ready, but Pod/shop-a has been in CrashLoopBackOff for 120m")
    );
    assert!(resource.findings.iter().any(|finding| finding.code == Code::ReadyButChildNotReady));
}

#[test]
fn the_deepest_broken_object_is_the_cause_and_a_progressing_one_is_not() {
    let resource = one(&[root(&ready("False")), deployment(2, 1)]);
    let cause = resource.cause.unwrap();
    assert!(cause.is_own, "a rollout in progress explains nothing: {cause:?}");
    assert_eq!(cause.code, Code::NotReadyCondition);
    assert!(
        resource.headline.starts_with("Site/shop is NotReady: Ready=False for 3d: "),
        "{}",
        resource.headline
    );
}

#[test]
fn while_everything_progresses_the_deepest_object_is_the_cause() {
    let progressing = json!({"status": {"conditions": [{"type": "Progressing", "status": "True"}]}});
    let resource = one(&[root(&progressing), deployment(2, 1)]);
    assert_eq!(resource.verdict, Verdict::Progressing);
    assert_eq!(resource.cause.unwrap().object.to_string(), "Deployment/shop");
}

#[test]
fn an_unknown_child_does_not_change_the_verdict() {
    let child = object("other.example.org/v1", "Thing", "t", Some("Site/shop"), &json!({"status": {"a": 1}}));
    let resource = one(&[root(&ready("True")), child]);
    assert_eq!(resource.verdict, Verdict::Ready);
    assert!(resource.cause.is_none());
}

#[test]
fn a_pod_that_was_replaced_does_not_count() {
    let evicted = object(
        "v1",
        "Pod",
        "shop-old",
        Some("Deployment/shop"),
        &json!({"status": {"phase": "Failed", "reason": "Evicted"}}),
    );
    let resource =
        one(&[root(&ready("True")), deployment(1, 1), running("shop-a", "Deployment/shop"), evicted]);
    assert_eq!(resource.verdict, Verdict::Ready, "{resource:?}");
}

#[test]
fn a_service_without_endpoints_is_the_cause() {
    let service =
        object("v1", "Service", "shop", Some("Site/shop"), &json!({"spec": {"selector": {"app": "nobody"}}}));
    let slice = object(
        "discovery.k8s.io/v1",
        "EndpointSlice",
        "shop-1",
        Some("Service/shop"),
        &json!({"endpoints": []}),
    );
    let resource =
        one(&[root(&ready("True")), deployment(1, 1), running("shop-a", "Deployment/shop"), service, slice]);
    let cause = resource.cause.unwrap();
    assert_eq!((cause.code, cause.rule), (Code::NoReadyEndpoint, Rule::ServiceEndpoints));
    assert_eq!(cause.message.as_deref(), Some("its selector app=nobody matches no Pods"));
    let expected =
        "Site/shop reports Ready, but Service/shop has no endpoints: its selector app=nobody matches no Pods";
    assert_eq!(resource.headline, expected);
}

#[test]
fn a_missing_object_that_a_pod_waits_for_is_the_cause() {
    let mut waiting = pod(
        "shop-a",
        "Deployment/shop",
        &json!({"name": "app", "ready": false, "restartCount": 0, "state": {"waiting": {"reason": "CreateContainerConfigError"}}}),
    );
    waiting["spec"]["volumes"] = json!([{"name": "conf", "configMap": {"name": "settings"}}]);
    let mut snapshot = test_snapshot(&[root(&ready("True")), deployment(1, 0), waiting]);
    snapshot.absent.push(ObjectName {
        api_version: "v1".into(),
        kind: "ConfigMap".into(),
        namespace: Some("shop".into()),
        name: "settings".into(),
    });
    let resource = report(&snapshot, Below::All, &Rulebook::default()).resources.remove(0);
    assert_eq!(resource.cause.unwrap().code, Code::ReferenceNotFound);
    let sentence = resource.headline;
    assert_eq!(
        sentence,
        "Site/shop reports Ready, but Pod/shop-a is waiting for ConfigMap/settings (volume conf), which does not exist; \
         waiting for 120m"
    );
}

#[test]
fn only_gaps_that_could_hide_unhealthy_objects_make_it_uncertain() {
    let gap = |resource: &str| Gap {
        group: String::new(),
        resource: resource.to_owned(),
        namespace: None,
        verb: "list",
        reason: Reason::Forbidden,
        status: Some(403),
        message: String::new(),
    };
    let uncertain = |resource: &str| {
        let config = object("v1", "ConfigMap", "c", Some("Site/shop"), &json!({}));
        let mut snapshot = test_snapshot(&[root(&ready("True")), running("p", "Site/shop"), config]);
        snapshot.coverage.gaps.push(gap(resource));
        report(&snapshot, Below::All, &Rulebook::default()).uncertain
    };
    assert!(uncertain("pods") && uncertain("somethings"));
    assert!(!uncertain("configmaps") && !uncertain("events"));
}

#[test]
fn malformed_statuses_are_findings_and_never_ready() {
    for (status, code) in [
        (json!({"status": "fine"}), Code::MalformedStatus),
        (json!({"status": {"conditions": "Ready"}}), Code::MalformedStatus),
        (json!({"status": {"conditions": [1, 2]}}), Code::MalformedStatus),
        (json!({"status": {"readyReplicas": -1}}), Code::MalformedStatus),
        (
            json!({"status": {"conditions": [{"type": "Odd", "status": "True", "lastTransitionTime": "2027-01-01T00:00:00Z"}]}}),
            Code::TimeInFuture,
        ),
    ] {
        let resource = one(&[root(&status.clone())]);
        assert_ne!(resource.verdict, Verdict::Ready, "{status}");
        assert!(
            resource.findings.iter().any(|finding| finding.code == code),
            "{status}: {:?}",
            resource.findings
        );
    }
}

#[test]
fn every_cause_has_the_code_that_fits_it() {
    let deleting = |at: &str| {
        let mut object = root(&ready("True"));
        object["metadata"]["deletionTimestamp"] = json!(at);
        object["metadata"]["finalizers"] = json!(["example.com/hold"]);
        object
    };
    let claim = |group: &str| {
        let waits =
            json!({"status": {"phase": "Pending", "conditions": [{"type": "Ready", "status": "False"}]}});
        object(group, "PersistentVolumeClaim", "data", Some("Site/shop"), &waits)
    };
    let failing = |message: &str| {
        root(&json!({"status": {"conditions": [{"type": "Ready", "status": "False", "message": message}]}}))
    };
    let refused = {
        let mut refused = deployment(2, 0);
        refused["status"]["conditions"] = json!([{"type": "ReplicaFailure", "status": "True", "reason": "FailedCreate",
            "message": "pods \"shop-1\" is forbidden: exceeded quota: small, requested: pods=1, used: pods=2, limited: pods=2"}]);
        refused
    };
    let no_webhook =
        "Internal error occurred: failed calling webhook \"a.example.com\": failed to call webhook: x";
    let no_conversion = "conversion webhook for example.com/v1, Kind=Site failed: x";
    for (objects, code) in [
        (vec![root(&ready("True")), refused], Code::QuotaExceeded),
        (vec![failing(no_webhook)], Code::AdmissionWebhook),
        (vec![failing(no_conversion)], Code::ConversionWebhook),
        (vec![root(&json!({"status": {"phase": "Failed", "message": no_webhook}}))], Code::AdmissionWebhook),
        (vec![deleting("2026-11-16T11:59:50Z")], Code::Deleting),
        (vec![deleting("2026-11-16T10:00:00Z")], Code::StuckDeletion),
        (vec![root(&json!({"status": {"phase": "Failed"}}))], Code::FailureCondition),
        (vec![root(&ready("False"))], Code::NotReadyCondition),
        (vec![root(&ready("True")), deployment(2, 1)], Code::MissingReplicas),
        (vec![root(&ready("True")), claim("v1")], Code::UnboundClaim),
        (vec![root(&ready("True")), claim("storage.example.com/v1")], Code::NotReadyCondition),
    ] {
        assert_eq!(one(&objects).cause.unwrap().code, code, "{objects:?}");
    }
}

#[test]
fn what_became_not_ready_a_moment_ago_is_still_progressing() {
    let at = |time: &str, message: &str| {
        let condition =
            json!({"type": "Ready", "status": "False", "lastTransitionTime": time, "message": message});
        one(&[root(&json!({"status": {"conditions": [condition]}}))])
    };
    assert!(is_progressing(&at("2026-11-16T11:59:00Z", "")));
    assert!(
        !is_progressing(&at("2026-11-13T12:00:00Z", "the rollout is in progress")),
        "a message decides nothing"
    );
}

#[test]
fn many_are_sorted_worst_first_with_counts() {
    let mut snapshot = test_snapshot(&[
        root(&ready("True")),
        object("example.com/v1", "Site", "b", None, &ready("False")),
        object("example.com/v1", "Site", "c", None, &json!({})),
    ]);
    snapshot.roots = snapshot.objects.iter().map(|object| object.meta.uid.clone()).collect();
    let status = report(&snapshot, Below::All, &Rulebook::default());
    let names: Vec<&str> = status.resources.iter().map(|resource| resource.object.name.as_str()).collect();
    assert_eq!(names, ["b", "c", "shop"]);
    assert_eq!(status.tally().verdicts, [(Verdict::NotReady, 1), (Verdict::Unknown, 1), (Verdict::Ready, 1)]);
}

#[test]
fn without_children_only_the_resource_counts() {
    let snapshot =
        test_snapshot(&[root(&ready("True")), deployment(2, 1), crashing("shop-a", "Deployment/shop")]);
    let status = report(&snapshot, Below::Nothing, &Rulebook::default());
    assert_eq!(status.resources[0].verdict, Verdict::Ready);
}

#[test]
fn a_code_that_is_skipped_is_not_reported() {
    let rulebook = Rulebook { skip: vec![Code::ReadyButChildNotReady], ..Rulebook::default() };
    let snapshot = test_snapshot(&[root(&ready("True")), crashing("shop-a", "Site/shop")]);
    let resource = report(&snapshot, Below::All, &rulebook).resources.remove(0);
    assert!(
        resource.findings.iter().all(|finding| finding.code != Code::ReadyButChildNotReady),
        "{:?}",
        resource.findings
    );
}

fn any_json() -> impl Strategy<Value = Value> {
    let words =
        ["Ready", "True", "False", "Running", "Failed", "ready", "conditions", "phase", "type", "status"];
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        proptest::sample::select(words.to_vec()).prop_map(Value::from),
        ".{0,12}".prop_map(Value::from),
    ];
    leaf.prop_recursive(4, 48, 6, move |inner| {
        let key =
            prop_oneof![proptest::sample::select(words.to_vec()).prop_map(str::to_owned), "[a-zA-Z]{1,8}"];
        prop_oneof![
            proptest::collection::vec(inner.clone(), 0..5).prop_map(Value::from),
            proptest::collection::vec((key, inner), 0..6)
                .prop_map(|fields| Value::Object(fields.into_iter().collect())),
        ]
    })
}

proptest! {
    #[test]
    fn any_status_has_a_headline_and_is_ready_only_by_a_rule(status in any_json(), below in any_json()) {
        let child = object("v1", "Pod", "p", Some("Site/shop"), &json!({"status": below, "spec": {}}));
        let resource = one(&[root(&json!({"status": status})), child]);
        prop_assert!(!resource.headline.is_empty());
        if resource.own.verdict == Verdict::Ready {
            let rule = health::rules::entry(resource.own.rule);
            prop_assert_eq!(rule.best, health::rules::BestVerdict::Ready);
        }
        let bad = resource.children().iter().any(|child| {
            is_unhealthy(child.own.verdict) && child.counts
        });
        prop_assert!(!(bad && resource.verdict == Verdict::Ready));
    }
}

fn event(kind: &str, name: &str, event_type: &str, reason: &str, message: &str) -> Event {
    let api_version = if kind == "Site" { "example.com/v1" } else { "v1" };
    Event {
        id: format!("{kind}/{name}/{reason}"),
        object: ObjectName {
            api_version: api_version.to_owned(),
            kind: kind.to_owned(),
            namespace: Some("shop".to_owned()),
            name: name.to_owned(),
        },
        uid: Uid(format!("{kind}/{name}")),
        event_type: event_type.to_owned(),
        reason: reason.to_owned(),
        message: message.to_owned(),
        count: 1,
        first: None,
        last: Some("2026-11-16T11:58:00Z".parse().unwrap()),
        source: "test".to_owned(),
    }
}

fn with_events(objects: &[Value], events: Vec<Event>) -> Resource {
    let mut snapshot = test_snapshot(objects);
    snapshot.events = Some(events);
    report(&snapshot, Below::All, &Rulebook::default()).resources.remove(0)
}

#[test]
fn the_last_warning_is_the_reason_of_a_resource_that_gives_none() {
    let warning = || event("Site", "shop", "Warning", "ValidationFailed", "spec.size:\nmust be positive");
    let silent = with_events(&[root(&json!({"status": {"phase": "Invalid"}}))], vec![warning()]);
    let expected =
        "Site/shop is Failed: phase is Invalid; last warning ValidationFailed: spec.size: must be positive";
    assert_eq!(silent.headline, expected);
    // Its own words come first.
    let status = json!({"status": {"phase": "Invalid", "message": "size is negative"}});
    let told = with_events(&[root(&status)], vec![warning()]);
    assert_eq!(told.headline, "Site/shop is Failed: phase is Invalid: size is negative");
}

#[test]
fn a_claim_that_no_pod_uses_is_not_at_fault() {
    let claim = object(
        "v1",
        "PersistentVolumeClaim",
        "data",
        Some("Site/shop"),
        &json!({"status": {"phase": "Pending"}}),
    );
    let objects = [root(&ready("True")), claim];
    let named = |kind, reason, message| {
        with_events(&objects, vec![event("PersistentVolumeClaim", "data", kind, reason, message)])
    };
    let waiting =
        named("Normal", "WaitForFirstConsumer", "waiting for first consumer to be created before binding");
    assert_eq!(waiting.verdict, Verdict::Progressing, "{}", waiting.headline);
    assert!(
        waiting.headline.ends_with("it is bound once a Pod uses it (WaitForFirstConsumer)"),
        "{}",
        waiting.headline
    );
    let broken = named("Warning", "ProvisioningFailed", "storageclass.storage.k8s.io \"nope\" not found");
    assert_eq!(broken.verdict, Verdict::NotReady);
    assert!(
        broken
            .headline
            .ends_with("last warning ProvisioningFailed: storageclass.storage.k8s.io \"nope\" not found"),
        "{}",
        broken.headline
    );
}

#[test]
fn a_warning_is_a_finding_and_part_of_the_headline_of_what_is_ready() {
    let mut warned = ready("True");
    let warning = json!({"type": "Warning", "status": "True", "message": "disk 90% full."});
    warned["status"]["conditions"].as_array_mut().unwrap().push(warning);
    let own = one(&[root(&warned)]);
    assert_eq!(own.verdict, Verdict::Ready);
    assert_eq!(own.headline, "Site/shop has been Ready for 3d, with a warning: Warning=True: disk 90% full");
    assert_eq!(own.warning().map(|finding| finding.code), Some(Code::Warning));

    let mut restarted = running("shop-a", "Site/shop");
    restarted["status"]["containerStatuses"][0]["restartCount"] = json!(2);
    restarted["status"]["containerStatuses"][0]["lastState"] =
        json!({"terminated": {"exitCode": 1, "reason": "Error", "finishedAt": "2026-11-16T11:55:00Z"}});
    let objects = [root(&ready("True")), restarted];
    let below = one(&objects);
    assert_eq!(below.verdict, Verdict::Ready);
    let expected = "Site/shop has been Ready for 3d, with a warning: Pod/shop-a: container app: last exit 1 (Error); \
        2 restarts, last 5m ago; 1 object below it";
    assert_eq!(below.headline, expected);

    let skip = Rulebook { skip: vec![Code::Warning], ..Rulebook::default() };
    let skipped = report(&test_snapshot(&objects), Below::All, &skip).resources.remove(0);
    assert_eq!((skipped.warning(), skipped.headline.contains("warning")), (None, false));
}

#[test]
fn what_is_off_is_listed_after_what_is_broken_and_partly_broken_after_broken() {
    let site = |name: &str, spec: Value, status: Value| {
        object("example.com/v1", "Site", name, None, &json!({"spec": spec, "status": status}))
    };
    let mut snapshot = test_snapshot(&[
        site(
            "a-halted",
            json!({"runStrategy": "Halted"}),
            json!({"conditions": [{"type": "Ready", "status": "False"}]}),
        ),
        site("b-degraded", json!({}), json!({"phase": "Degraded"})),
        site("c-faulted", json!({}), json!({"phase": "Faulted"})),
        site(
            "d-cancelled",
            json!({}),
            json!({"conditions": [{"type": "Ready", "status": "False", "reason": "Cancelled"}]}),
        ),
    ]);
    snapshot.roots = snapshot.objects.iter().map(|object| object.meta.uid.clone()).collect();
    let status = report(&snapshot, Below::All, &Rulebook::default());
    let names: Vec<&str> = status.resources.iter().map(|resource| resource.object.name.as_str()).collect();
    assert_eq!(names, ["c-faulted", "b-degraded", "a-halted", "d-cancelled"]);
    let verdicts: Vec<Verdict> = status.resources.iter().map(|resource| resource.verdict).collect();
    assert_eq!(verdicts, [Verdict::Failed, Verdict::NotReady, Verdict::Suspended, Verdict::Suspended]);
}

/// The snapshot of a resource with a crashing Pod, and what is still to be read for a log of `lines` lines.
fn log_plan(
    snapshot: &Snapshot,
    attempts: &FetchAttempts,
    log_lines: usize,
) -> Inspection<Inspected<StatusReport>> {
    let options = StatusOptions { log_lines, ..StatusOptions::default() };
    inspect(snapshot, attempts, options, &Rulebook::default())
}

#[test]
fn the_log_of_a_crashed_container_is_asked_for_once() {
    let objects = [root(&ready("True")), deployment(2, 1), crashing("shop-a", "Deployment/shop")];
    let mut snapshot = test_snapshot(&objects);
    let mut attempts = FetchAttempts::default();
    assert!(matches!(log_plan(&snapshot, &attempts, 0), Inspection::Complete(_)));
    let Inspection::Missing(plan) = log_plan(&snapshot, &attempts, 5) else { panic!("no log is asked for") };
    let request = *plan.log.clone().unwrap();
    assert_eq!(
        (request.pod.name.as_str(), request.container.name.as_str(), request.lines),
        ("shop-a", "app", 5)
    );
    assert_eq!(FetchPlan { log: None, ..plan.clone() }, FetchPlan::default());
    attempts.record(&plan, &snapshot);
    // It could not be read: the report says so, and is as complete as before.
    let error = LogError { reason: Reason::Forbidden, message: String::new() };
    snapshot.log = Some(LogReading { request: request.clone(), result: Err(error) });
    let Inspection::Complete(inspected) = log_plan(&snapshot, &attempts, 5) else {
        panic!("asked for again")
    };
    let report = inspected.report;
    assert!(report.coverage.is_complete() && !report.uncertain);
    let LogContent::Missing { error } = &report.resources[0].log.as_ref().unwrap().content else { panic!() };
    assert_eq!(error, "forbidden (needs get on pods/log)");
    // The next run has another log.
    let later = json!({"name": "app", "ready": false, "restartCount": 8, "state": {"waiting":
        {"reason": "CrashLoopBackOff"}}, "lastState": {"terminated": {"exitCode": 1, "reason": "Error"}}});
    let log = snapshot.log.take();
    let objects = [root(&ready("True")), deployment(2, 1), pod("shop-a", "Deployment/shop", &later)];
    snapshot = Snapshot { log, ..test_snapshot(&objects) };
    let Inspection::Missing(plan) = log_plan(&snapshot, &attempts, 5) else { panic!("not asked for") };
    assert_eq!(plan.log.unwrap().container.restarts, 8);
}

#[test]
fn no_log_is_asked_for_where_no_container_crashed() {
    let waits = json!({"name": "app", "ready": false, "restartCount": 0, "state": {"waiting":
        {"reason": "ImagePullBackOff"}}});
    let snapshot = test_snapshot(&[root(&ready("True")), pod("shop-a", "Site/shop", &waits)]);
    let Inspection::Complete(inspected) = log_plan(&snapshot, &FetchAttempts::default(), 5) else {
        panic!("something is asked for")
    };
    assert!(inspected.report.resources[0].log.is_none());
}
