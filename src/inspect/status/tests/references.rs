//! Resources that refer to others: what counts for their verdict, and which object is the cause.

use super::*;

/// A resource that refers to its Deployment in its status and reports an error.
fn referring(reason: &str, message: &str) -> Value {
    let condition = json!({"type": "Ready", "status": "False", "reason": reason, "message": message,
        "lastTransitionTime": "2026-11-13T12:00:00Z"});
    root(&json!({"status": {"conditions": [condition], "deploymentName": "front"}}))
}

fn front() -> [Value; 2] {
    let mut deployment = deployment(2, 1);
    deployment["metadata"]["name"] = json!("front");
    deployment["metadata"]["ownerReferences"] = json!([]);
    [deployment, crashing("front-a", "Deployment/front")]
}

fn cause_of(objects: &[Value]) -> String {
    one(objects).cause.unwrap().display_name()
}

#[test]
fn an_error_of_the_resource_comes_before_an_object_that_it_only_refers_to() {
    let [deployment, pod] = front();
    let with_front = |root: Value| cause_of(&[root, deployment.clone(), pod.clone()]);
    assert_eq!(with_front(referring("BuildFailed", "kustomization path not found")), "Site/shop");
    assert_eq!(with_front(referring("HealthCheckFailed", "Deployment/front is not ready")), "~Pod/front-a");
    assert_eq!(with_front(referring("HealthCheckFailed", "Deployment/front-end is not ready")), "Site/shop");
    assert_eq!(with_front(referring("PodsNotReady", "waiting")), "~Pod/front-a", "a state, not an error");
}

#[test]
fn an_owned_object_that_fails_stays_the_first_cause() {
    let objects =
        [referring("ReconcileError", "failed"), deployment(2, 1), crashing("shop-a", "Deployment/shop")];
    assert_eq!(cause_of(&objects), "Pod/shop-a");
}

#[test]
fn a_guessed_child_is_a_cause_with_its_mark_and_never_makes_the_resource_ready() {
    let root = object("acid.zalan.do/v1", "postgresql", "shop", None, &json!({"status": {"custom": "x"}}));
    let labels = json!({"cluster-name": "shop"});
    let mut pod = crashing("shop-0", "x");
    pod["metadata"]["labels"] = labels.clone();
    pod["metadata"]["ownerReferences"] = json!([]);
    let failing = one(&[root.clone(), pod]);
    assert!(failing.headline.contains("~Pod/shop-0 has been in CrashLoopBackOff"), "{}", failing.headline);
    assert!(failing.cause.unwrap().related);
    let mut pod = running("shop-0", "x");
    pod["metadata"]["labels"] = labels;
    pod["metadata"]["ownerReferences"] = json!([]);
    let running = one(&[root, pod]);
    assert_eq!((running.verdict, running.children().len()), (Verdict::Unknown, 1));
}

#[test]
fn a_route_and_its_gateway_do_not_fail_because_of_each_other() {
    let api = "gateway.networking.k8s.io/v1";
    let parent = json!({"group": "gateway.networking.k8s.io", "kind": "Gateway", "name": "edge"});
    let conditions = |status: &str| json!([{"type": "Accepted", "status": status}]);
    let gateway = |status: &str| {
        let programmed = json!([{"type": "Programmed", "status": status}]);
        object(api, "Gateway", "edge", None, &json!({"status": {"conditions": programmed}}))
    };
    let route = |status: &str| {
        let parents = json!([{"parentRef": parent, "conditions": conditions(status)}]);
        let body = json!({"spec": {"parentRefs": [parent]}, "status": {"parents": parents}});
        object(api, "HTTPRoute", "shop", None, &body)
    };
    let verdict = |objects: &[Value]| (one(objects).verdict, one(objects).children().len());
    assert_eq!(verdict(&[route("True"), gateway("False")]), (Verdict::Ready, 1));
    assert_eq!(verdict(&[gateway("True"), route("False")]), (Verdict::Ready, 1));
    assert_eq!(verdict(&[gateway("False"), route("True")]), (Verdict::NotReady, 1));
}

#[test]
fn a_tree_that_leaves_its_namespace_says_where_it_stops() {
    let resource =
        |group: &str, kind: &str| json!({"group": group, "kind": kind, "namespace": "data", "name": "main"});
    let root = |resources: Value| {
        let mut status = ready("True");
        status["status"]["resources"] = resources;
        object("argoproj.io/v1alpha1", "Application", "web", None, &status)
    };
    let elsewhere = |mut object: Value| {
        object["metadata"]["namespace"] = json!("data");
        object
    };
    let kafka = || elsewhere(object("kafka.strimzi.io/v1", "Kafka", "main", None, &ready("True")));
    let config = || elsewhere(object("v1", "ConfigMap", "main", None, &json!({})));
    let found = |objects: &[Value]| {
        let findings = one(objects).findings.into_iter();
        findings
            .filter(|finding| finding.code == Code::NotListedElsewhere)
            .map(|finding| finding.message)
            .collect::<Vec<_>>()
    };
    assert!(found(&[root(json!([resource("", "ConfigMap")])), config()]).is_empty());
    assert_eq!(
        found(&[root(json!([resource("kafka.strimzi.io", "Kafka")])), kafka()]),
        [
            "only namespace shop was listed, so objects owned by Kafka/main in namespace data are not shown (-A lists all namespaces)"
        ]
    );
    let mut everywhere = test_snapshot(&[root(json!([resource("kafka.strimzi.io", "Kafka")])), kafka()]);
    everywhere.coverage.scope = crate::model::coverage::Scope::Cluster;
    let report = report(&everywhere, Below::All, &Rulebook::default());
    assert!(report.resources[0].findings.is_empty());
}
