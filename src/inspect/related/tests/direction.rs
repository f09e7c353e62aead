//! References upwards, from others, and out of the namespace.

use serde_json::{Value, json};

use super::*;
use crate::inspect::graph::EdgeKind;
use crate::model::coverage::Scope;
use crate::model::ident::Uid;

const GATEWAY_API: &str = "gateway.networking.k8s.io/v1";

/// The kinds of the edges from the first object, by the name of the other.
fn edge_kinds(objects: &[Value]) -> Vec<(String, EdgeKind)> {
    let snapshot = test_snapshot(objects);
    let graph = ObjectGraph::build(&snapshot, &[0], Relations::Related);
    let edges = graph.owner_index.children(0).iter();
    edges.map(|edge| (snapshot.objects[edge.to].meta.name.to_string(), edge.kind)).collect()
}

fn route(name: &str, parents: &Value) -> Value {
    with(object(GATEWAY_API, "HTTPRoute", name), "spec", json!({"parentRefs": parents}))
}

fn parent(name: &str) -> Value {
    json!({"group": "gateway.networking.k8s.io", "kind": "Gateway", "name": name})
}

#[test]
fn what_a_resource_points_up_at_is_no_part_of_it() {
    let gateway = object(GATEWAY_API, "Gateway", "edge");
    let status = json!({"parents": [{"parentRef": parent("edge"), "conditions": []}]});
    let objects = [with(route("shop", &json!([parent("edge")])), "status", status), gateway];
    assert_eq!(edge_kinds(&objects), [("Gateway/edge".to_owned(), EdgeKind::Named)]);
    // Even if the status refers to it.
    for (key, expected) in [
        ("issuerRef", EdgeKind::Named),
        ("secretStoreRef", EdgeKind::Named),
        ("sourceRef", EdgeKind::Named),
        ("scaleTargetRef", EdgeKind::Named),
        ("providerConfigRef", EdgeKind::Named),
        ("workerRef", EdgeKind::Referred),
    ] {
        let reference = json!({"apiVersion": "example.com/v1", "kind": "Other", "name": "o"});
        let root = with(object("example.com/v1", "Thing", "a"), "status", json!({key: reference}));
        let objects = [root, object("example.com/v1", "Other", "o")];
        assert_eq!(edge_kinds(&objects), [("Other/o".to_owned(), expected)], "{key}");
    }
}

#[test]
fn objects_that_name_a_resource_as_their_parent_are_below_it_and_do_not_count() {
    let elsewhere = |route: Value| with(route, "metadata.namespace", json!("team"));
    let from_team = json!([{"kind": "Gateway", "group": "gateway.networking.k8s.io", "name": "edge", "namespace": "shop"}]);
    let objects = [
        object(GATEWAY_API, "Gateway", "edge"),
        route("a", &json!([parent("other"), parent("edge")])),
        route("b", &json!([parent("other")])),
        route("c", &json!([{"name": "edge", "kind": "Service", "group": ""}])),
        route("d", &json!([{"name": "edge"}])),
        elsewhere(route("e", &from_team)),
        elsewhere(route("f", &json!([parent("edge")]))),
        with(object("example.com/v1", "Zone", "z"), "spec", json!({"parentRef": {"name": "edge"}})),
    ];
    let evidence = "(spec.parentRefs refers to the Gateway)";
    assert_eq!(
        outline(&objects),
        [
            format!(".HTTPRoute/a {evidence}"),
            format!(".HTTPRoute/d {evidence}"),
            format!(".HTTPRoute/e {evidence}"),
        ]
    );
    assert!(edge_kinds(&objects).iter().all(|(_, kind)| *kind == EdgeKind::Named));
    assert!(outline_with(&objects, Relations::Owned).is_empty());
}

#[test]
fn a_definition_has_not_failed_because_an_instance_has() {
    let root =
        with(object("kro.run/v1alpha1", "ResourceGraphDefinition", "web"), "metadata.uid", json!("1234"));
    let mark = json!({"kro.run/resource-graph-definition-id": "1234"});
    let instance = labelled("kro.run/v1alpha1", "WebApp", "one", mark.clone());
    assert_eq!(edge_kinds(&[root, instance.clone()]), [("WebApp/one".to_owned(), EdgeKind::Named)]);
    let other = with(object("kro.run/v1alpha1", "Graph", "web"), "metadata.uid", json!("1234"));
    assert_eq!(edge_kinds(&[other, instance]), [("WebApp/one".to_owned(), EdgeKind::Related)]);
}

/// A claim of Crossplane, its cluster-scoped composite resource, and what that is composed of.
fn claim() -> Vec<Value> {
    let cluster_scoped = |object: Value| with(object, "metadata.namespace", json!(""));
    let reference =
        |api: &str, kind: &str, name: &str| json!({"apiVersion": api, "kind": kind, "name": name});
    let claim = with(
        object("example.org/v1", "Database", "db"),
        "spec",
        json!({
            "resourceRef": reference("example.org/v1", "XDatabase", "db-x1"),
            "compositionRef": {"name": "small"},
            "nodeRef": reference("v1", "Node", "n1"),
            "classRef": reference("example.org/v1", "DatabaseClass", "fast"),
        }),
    );
    let back = json!({"apiVersion": "example.org/v1", "kind": "Database", "name": "db", "namespace": "shop"});
    let composite = with(
        object("example.org/v1", "XDatabase", "db-x1"),
        "spec",
        json!({"claimRef": back, "resourceRefs": [reference("aws.example.org/v1", "Instance", "db-x1-i")]}),
    );
    let owner = json!([{"apiVersion": "example.org/v1", "kind": "XDatabase", "name": "db-x1", "uid": "XDatabase/db-x1"}]);
    let composed =
        with(object("aws.example.org/v1", "Instance", "db-x1-i"), "metadata.ownerReferences", owner);
    vec![
        claim,
        cluster_scoped(composite),
        cluster_scoped(composed),
        cluster_scoped(object("v1", "Node", "n1")),
        cluster_scoped(object("example.org/v1", "DatabaseClass", "fast")),
    ]
}

#[test]
fn a_cluster_scoped_object_that_refers_back_is_part_of_the_tree() {
    assert_eq!(
        outline(&claim()),
        [
            ".XDatabase/db-x1 (spec.resourceRef of the Database refers to it; spec.claimRef refers back)",
            "..Instance/db-x1-i"
        ]
    );
    let mut objects = claim();
    objects[1]["spec"]["claimRef"]["name"] = json!("another");
    assert_eq!(
        outline(&objects),
        [".XDatabase/db-x1 (spec.resourceRef of the Database refers to it)"],
        "it may belong to another"
    );
}

#[test]
fn what_a_composite_resource_refers_to_is_read_by_name() {
    let whole = test_snapshot(&claim());
    let mut snapshot = test_snapshot(&claim());
    let wanted = |snapshot: &Snapshot| {
        let missing = ObjectGraph::build(snapshot, &[0], Relations::Related).missing;
        missing.named.into_keys().map(|name| name.to_string()).collect::<Vec<_>>()
    };
    snapshot.objects.truncate(1);
    assert_eq!(wanted(&snapshot), ["XDatabase/db-x1"], "neither the node nor the class is read");
    snapshot.objects.push(whole.objects[1].clone());
    assert_eq!(wanted(&snapshot), ["Instance/db-x1-i"]);
    snapshot.objects.push(whole.objects[2].clone());
    assert!(wanted(&snapshot).is_empty());
}

fn application(resources: &Value) -> Value {
    with(object("argoproj.io/v1alpha1", "Application", "web"), "status", json!({"resources": resources}))
}

#[test]
fn a_tree_goes_on_in_the_namespace_that_its_status_names() {
    let elsewhere = |object: Value| with(object, "metadata.namespace", json!("web"));
    let resource =
        |group: &str, kind: &str| json!({"group": group, "kind": kind, "namespace": "web", "name": "front"});
    let root = application(&json!([resource("apps", "Deployment"), resource("", "Service")]));
    let objects = [
        root,
        elsewhere(object("apps/v1", "Deployment", "front")),
        elsewhere(object("v1", "Service", "front")),
        elsewhere(object("v1", "Secret", "unrelated")),
    ];
    let whole = test_snapshot(&objects);
    let mut snapshot = test_snapshot(&objects);
    snapshot.objects.truncate(1);
    let missing = ObjectGraph::build(&snapshot, &[0], Relations::Related).missing;
    assert_eq!(missing.named.len(), 2, "{missing:?}");
    let missing = ObjectGraph::build(&whole, &[0], Relations::Related).missing;
    let lists: Vec<String> =
        missing.lists.iter().map(|list| format!("{} in {}", list.kind, list.namespace)).collect();
    assert_eq!(lists, ["Pod in web", "ReplicaSet.apps in web", "EndpointSlice.discovery.k8s.io in web"]);
    let mut everywhere = whole;
    everywhere.coverage.scope = Scope::Cluster;
    assert!(ObjectGraph::build(&everywhere, &[0], Relations::Related).missing.lists.is_empty());
}

#[test]
fn references_out_of_the_namespace_are_limited() {
    let resource = |at: usize| json!({"kind": "ConfigMap", "namespace": "web", "name": format!("c{at}")});
    let root = |count: usize| application(&(0..count).map(resource).collect());
    let missing = |count: usize| {
        let snapshot = test_snapshot(&[root(count), object("v1", "ConfigMap", "other")]);
        let graph = ObjectGraph::build(&snapshot, &[0], Relations::Related);
        (graph.missing.named.len(), graph.cut_off.len())
    };
    assert_eq!(missing(150), (150, 0));
    assert_eq!(missing(1_000), (200, 1));
}

#[test]
fn the_same_name_in_many_namespaces_means_the_resource_of_each() {
    const COUNT: usize = 400;
    let mut objects = Vec::new();
    for at in 0..COUNT {
        let within = |object: Value| {
            let uid = json!(format!("{}-{at}", object["kind"]));
            with(with(object, "metadata.namespace", json!(format!("n{at}"))), "metadata.uid", uid)
        };
        objects.push(within(object("acid.zalan.do/v1", "postgresql", "main")));
        objects.push(within(labelled("v1", "Service", "main-repl", json!({"cluster-name": "main"}))));
    }
    let mut snapshot = test_snapshot(&objects);
    snapshot.coverage.scope = Scope::Cluster;
    snapshot.roots = (0..COUNT).map(|at| Uid(format!("\"postgresql\"-{at}"))).collect();
    let roots: Vec<Index> = (0..COUNT).map(|at| at * 2).collect();
    let graph = ObjectGraph::build(&snapshot, &roots, Relations::Related);
    for root in roots {
        let edges: Vec<Index> = graph.owner_index.children(root).iter().map(|edge| edge.to).collect();
        assert_eq!(edges, [root + 1]);
    }
}
