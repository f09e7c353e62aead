//! Which objects are related without owner references, and which are not. The objects are those of real operators.
//! What is above a resource or outside of its namespace is in `direction.rs`, guesses by labels are in `guesses.rs`.

mod direction;
mod guesses;

use serde_json::{Value, json};

use super::*;
use crate::inspect::graph::Traversal;
use crate::inspect::test_snapshot::test_snapshot;

/// The tree of the first object: `Kind/name (evidence)` per line, indented by depth.
fn outline(objects: &[Value]) -> Vec<String> {
    outline_with(objects, Relations::Related)
}

fn outline_with(objects: &[Value], relations: Relations) -> Vec<String> {
    let snapshot = test_snapshot(objects);
    let graph = ObjectGraph::build(&snapshot, &[0], relations);
    let traversal = Traversal::below(0, &snapshot, &graph.owner_index);
    let line = |position: &crate::inspect::graph::Position| {
        let name = &snapshot.objects[position.object].meta.name;
        let evidence = position.edge.map(|edge| graph.evidence(edge).join("; ")).unwrap_or_default();
        let evidence = if evidence.is_empty() { String::new() } else { format!(" ({evidence})") };
        format!("{}{name}{evidence}", ".".repeat(position.depth))
    };
    traversal.positions.iter().skip(1).map(line).collect()
}

fn object(api_version: &str, kind: &str, name: &str) -> Value {
    json!({"apiVersion": api_version, "kind": kind, "metadata": {"name": name}})
}

fn with(mut object: Value, field: &str, value: Value) -> Value {
    match field.split_once('.') {
        Some((outer, inner)) => object[outer][inner] = value,
        None => object[field] = value,
    }
    object
}

fn labelled(api_version: &str, kind: &str, name: &str, labels: Value) -> Value {
    with(object(api_version, kind, name), "metadata.labels", labels)
}

fn kafka() -> Value {
    object("kafka.strimzi.io/v1", "Kafka", "my-cluster")
}

#[test]
fn the_uid_in_a_label_is_evidence_even_for_an_owned_object() {
    let root = with(object("example.com/v1", "Thing", "a"), "metadata.uid", json!("1234"));
    let child = labelled("v1", "ConfigMap", "x", json!({"anything": "1234"}));
    let other = labelled("v1", "ConfigMap", "y", json!({"anything": "12345"}));
    assert_eq!(outline(&[root, child, other]), [".ConfigMap/x (anything = uid of the Thing)"]);
}

#[test]
fn the_name_in_a_label_of_the_groups_domain_is_evidence() {
    let pod =
        labelled("v1", "Pod", "p", json!({"strimzi.io/cluster": "my-cluster", "strimzi.io/kind": "Kafka"}));
    assert_eq!(outline(&[kafka(), pod]), [".Pod/p (strimzi.io/cluster = name of the Kafka)"]);
}

#[test]
fn a_kind_beside_the_name_must_agree() {
    let pod = labelled(
        "v1",
        "Pod",
        "p",
        json!({"strimzi.io/cluster": "my-cluster", "strimzi.io/kind": "KafkaConnect"}),
    );
    assert!(outline(&[kafka(), pod]).is_empty());
}

#[test]
fn a_name_that_two_kinds_of_a_domain_share_is_no_evidence() {
    let pod = labelled("v1", "Pod", "p", json!({"strimzi.io/cluster": "my-cluster"}));
    let rival = object("kafka.strimzi.io/v1", "KafkaConnect", "my-cluster");
    assert!(outline(&[kafka(), pod, rival]).is_empty());
}

#[test]
fn a_key_that_names_another_kind_is_not_about_this_one() {
    let root = object("cert-manager.io/v1", "Certificate", "web");
    let issuer = object("cert-manager.io/v1", "Issuer", "web2");
    let own = with(
        object("v1", "Secret", "s"),
        "metadata.annotations",
        json!({"cert-manager.io/certificate-name": "web"}),
    );
    let other = with(
        object("v1", "Secret", "t"),
        "metadata.annotations",
        json!({"cert-manager.io/issuer-name": "web"}),
    );
    assert_eq!(
        outline(&[root, issuer, own, other]),
        [".Secret/s (cert-manager.io/certificate-name = name of the Certificate)"]
    );
}

#[test]
fn a_label_that_is_no_name_is_no_evidence() {
    let root = object("postgresql.cnpg.io/v1", "Cluster", "primary");
    let pod = labelled("v1", "Pod", "p", json!({"cnpg.io/instanceRole": "primary"}));
    assert!(outline(&[root, pod]).is_empty());
}

#[test]
fn a_namespace_beside_the_name_must_agree_and_is_needed_elsewhere() {
    let root = object("kustomize.toolkit.fluxcd.io/v1", "Kustomization", "apps");
    let label = |namespace: &str| json!({"kustomize.toolkit.fluxcd.io/name": "apps", "kustomize.toolkit.fluxcd.io/namespace": namespace});
    let here = labelled("v1", "ConfigMap", "here", label("shop"));
    let wrong = labelled("v1", "ConfigMap", "wrong", label("flux-system"));
    let there =
        with(labelled("v1", "ConfigMap", "there", label("shop")), "metadata.namespace", json!("other"));
    let unsaid = with(
        labelled("v1", "ConfigMap", "unsaid", json!({"kustomize.toolkit.fluxcd.io/name": "apps"})),
        "metadata.namespace",
        json!("other"),
    );
    let evidence = "(kustomize.toolkit.fluxcd.io/name = name of the Kustomization)";
    assert_eq!(
        outline(&[root, here, wrong, there, unsaid]),
        [format!(".ConfigMap/there {evidence}"), format!(".ConfigMap/here {evidence}")]
    );
}

#[test]
fn annotations_of_known_tools_must_match_in_full() {
    let app = object("argoproj.io/v1alpha1", "Application", "web");
    let tracked = |name: &str, id: &str| {
        with(
            object("apps/v1", "Deployment", name),
            "metadata.annotations",
            json!({"argocd.argoproj.io/tracking-id": id}),
        )
    };
    let own = tracked("web-a", "web:apps/Deployment:shop/web-a");
    let copied = tracked("web-b", "web:apps/Deployment:shop/web-a");
    let lines = outline(&[app, own, copied]);
    assert_eq!(lines, [".Deployment/web-a (argocd.argoproj.io/tracking-id refers to the Application)"]);

    let root = object("charts.example.com/v1", "Nginx", "web");
    let child = with(
        object("v1", "Secret", "s"),
        "metadata.annotations",
        json!({"operator-sdk/primary-resource": "shop/web", "operator-sdk/primary-resource-type": "Nginx.charts.example.com"}),
    );
    assert_eq!(outline(&[root, child]), [".Secret/s (operator-sdk/primary-resource refers to the Nginx)"]);
}

#[test]
fn a_helm_release_is_known_by_what_helm_writes_and_other_resources_are_not() {
    let written = json!({"meta.helm.sh/release-name": "web", "meta.helm.sh/release-namespace": "shop"});
    let child = with(object("v1", "ConfigMap", "c"), "metadata.annotations", written);
    let chart = object("helm.cattle.io/v1", "HelmChart", "web");
    assert_eq!(
        outline(&[chart, child.clone()]),
        [".ConfigMap/c (meta.helm.sh/release-name = name of the HelmChart)"]
    );
    assert!(outline(&[object("example.com/v1", "Website", "web"), child]).is_empty());
}

#[test]
fn the_instance_label_needs_the_kind_beside_it() {
    let root = object("example.com/v1", "Redis", "cache");
    let label = |other: Value| {
        let mut labels = json!({"app.kubernetes.io/instance": "cache"});
        labels.as_object_mut().unwrap().extend(other.as_object().unwrap().clone());
        labels
    };
    let own =
        labelled("v1", "ConfigMap", "own", label(json!({"app.kubernetes.io/managed-by": "redis-operator"})));
    let chart = labelled("v1", "ConfigMap", "chart", label(json!({"app.kubernetes.io/managed-by": "Helm"})));
    assert_eq!(
        outline(&[root, own, chart]),
        [".ConfigMap/own (app.kubernetes.io/instance = name of the Redis, managed-by = redis-operator)"]
    );
}

#[test]
fn what_another_object_owns_belongs_there() {
    let pod = with(
        labelled("v1", "Pod", "p", json!({"strimzi.io/cluster": "my-cluster", "strimzi.io/kind": "Kafka"})),
        "metadata.ownerReferences",
        json!([{"apiVersion": "v1", "kind": "X", "name": "x", "uid": "another"}]),
    );
    assert!(outline(&[kafka(), pod]).is_empty());
}

#[test]
fn the_same_name_needs_a_value_of_the_resource() {
    let root =
        with(object("apps.example.com/v1", "Hello", "hi"), "spec", json!({"name": "World", "size": "ab"}));
    let child = |data: Value| with(object("v1", "ConfigMap", "hi"), "data", data);
    let evidence = ".ConfigMap/hi (same name; created 0s after the Hello; data.message = spec.name)";
    assert_eq!(outline(&[root.clone(), child(json!({"message": "World"}))]), [evidence]);
    assert!(outline(&[root.clone(), child(json!({"message": "Moon"}))]).is_empty());
    assert!(outline(&[root.clone(), child(json!({"message": "ab"}))]).is_empty(), "too short");
    let older =
        with(child(json!({"message": "World"})), "metadata.creationTimestamp", json!("2026-11-16T10:00:00Z"));
    assert!(outline(&[root.clone(), older]).is_empty(), "it is older");
    let rival = with(object("other.example.org/v1", "Greeting", "hi"), "spec", json!({"text": "World"}));
    assert!(
        outline(&[root, child(json!({"message": "World"})), rival]).is_empty(),
        "either could have created it"
    );
}

#[test]
fn references_are_followed_by_kind_and_name() {
    let root = with(
        with(
            object("example.com/v1", "Thing", "a"),
            "spec",
            json!({"tlsSecretName": "tls", "storageRef": {"name": "disk"}, "size": "tls",
                "source": {"configMapRef": {"name": "input"}}, "backupRef": {"kind": "Backup", "name": "b"}}),
        ),
        "status",
        json!({"configMapName": "a-config", "resources": [{"kind": "Deployment", "apiVersion": "apps/v1", "name": "d"}],
            "inventory": {"entries": [{"id": "shop_e__Service", "v": "v1"}]}}),
    );
    let objects = [
        root,
        object("v1", "Secret", "tls"),
        object("v1", "ConfigMap", "a-config"),
        object("v1", "ConfigMap", "input"),
        object("v1", "ConfigMap", "tls"),
        object("apps/v1", "Deployment", "d"),
        object("v1", "Service", "e"),
        object("example.com/v1", "Backup", "b"),
        object("v1", "PersistentVolumeClaim", "disk"),
    ];
    assert_eq!(
        outline(&objects),
        [
            ".Backup/b (spec.backupRef of the Thing refers to it)",
            ".ConfigMap/a-config (status.configMapName of the Thing refers to it)",
            ".ConfigMap/input (spec.source.configMapRef of the Thing refers to it)",
            ".Deployment/d (status.resources[0] of the Thing refers to it)",
            ".Secret/tls (spec.tlsSecretName of the Thing refers to it)",
            ".Service/e (status.inventory.entries[0] of the Thing refers to it)",
        ]
    );
    assert!(outline_with(&objects, Relations::Owned).is_empty());
}

#[test]
fn what_a_spec_refers_to_is_shown_without_what_is_below_it() {
    let owned = |api: &str, kind: &str, name: &str, owner: &str| {
        with(
            object(api, kind, name),
            "metadata.ownerReferences",
            json!([{"apiVersion": "example.com/v1", "kind": "Other", "name": "o", "uid": owner}]),
        )
    };
    let root = with(object("example.com/v1", "Thing", "a"), "spec", json!({"otherRef": {"name": "o"}}));
    let objects = [root, object("example.com/v1", "Other", "o"), owned("v1", "Secret", "s", "Other/o")];
    assert_eq!(outline(&objects), [".Other/o (spec.otherRef of the Thing refers to it)"]);
}

fn workload() -> Vec<Value> {
    let owned = |object: Value, owner: &str| {
        with(
            object,
            "metadata.ownerReferences",
            json!([{"apiVersion": "x", "kind": "X", "name": "x", "uid": owner}]),
        )
    };
    vec![
        object("example.com/v1", "Thing", "a"),
        owned(object("apps/v1", "StatefulSet", "db"), "Thing/a"),
        owned(labelled("v1", "Pod", "db-0", json!({"app": "db"})), "StatefulSet/db"),
        owned(labelled("v1", "Pod", "db-1", json!({"app": "db"})), "StatefulSet/db"),
    ]
}

#[test]
fn services_budgets_autoscalers_ingresses_and_claims_are_children_of_what_they_refer_to() {
    let mut objects = workload();
    objects[1] =
        with(objects[1].clone(), "spec", json!({"volumeClaimTemplates": [{"metadata": {"name": "data"}}]}));
    objects.extend([
        with(object("v1", "Service", "db"), "spec", json!({"selector": {"app": "db"}})),
        with(object("v1", "Service", "web"), "spec", json!({"selector": {"app": "web"}})),
        with(object("v1", "Service", "none"), "spec", json!({})),
        with(
            object("policy/v1", "PodDisruptionBudget", "b"),
            "spec",
            json!({"selector": {"matchLabels": {"app": "db"}}}),
        ),
        with(
            object("autoscaling/v2", "HorizontalPodAutoscaler", "h"),
            "spec",
            json!({"scaleTargetRef": {"apiVersion": "apps/v1", "kind": "StatefulSet", "name": "db"}}),
        ),
        with(
            object("networking.k8s.io/v1", "Ingress", "i"),
            "spec",
            json!({"rules": [{"http": {"paths": [{"backend": {"service": {"name": "db"}}}]}}]}),
        ),
        labelled(
            "discovery.k8s.io/v1",
            "EndpointSlice",
            "by-hand",
            json!({"kubernetes.io/service-name": "db"}),
        ),
        object("v1", "PersistentVolumeClaim", "data-db-0"),
        object("v1", "PersistentVolumeClaim", "logs-db-0"),
        object("v1", "PersistentVolumeClaim", "data-web-0"),
    ]);
    assert_eq!(
        outline(&objects),
        [
            ".StatefulSet/db",
            "..HorizontalPodAutoscaler/h (spec.scaleTargetRef refers to the StatefulSet)",
            "..PersistentVolumeClaim/data-db-0 (created from volumeClaimTemplate data of the StatefulSet)",
            "..Pod/db-0",
            "..Pod/db-1",
            "..PodDisruptionBudget/b (spec.selector matches 2 Pods of the StatefulSet)",
            "..Service/db (spec.selector matches 2 Pods of the StatefulSet)",
            "...EndpointSlice/by-hand (kubernetes.io/service-name = name of the Service)",
            "...Ingress/i (routes to the Service)",
        ]
    );
}

#[test]
fn what_pods_refer_to_is_shown_only_with_deep_relations() {
    let mut objects = workload();
    let volumes = json!({"volumes": [{"name": "c", "configMap": {"name": "conf"}}]});
    objects[2] = with(objects[2].clone(), "spec", volumes.clone());
    objects[3] = with(objects[3].clone(), "spec", volumes);
    objects.push(object("v1", "ConfigMap", "conf"));
    objects.push(object("v1", "ConfigMap", "other"));
    assert_eq!(outline(&objects), [".StatefulSet/db", "..Pod/db-0", "..Pod/db-1"]);
    assert_eq!(
        outline_with(&objects, Relations::Deep),
        [".StatefulSet/db", "..ConfigMap/conf (2 Pods refer to it: volume c)", "..Pod/db-0", "..Pod/db-1"]
    );
}

#[test]
fn a_service_with_another_owner_is_not_related_whatever_it_selects() {
    let mut objects = workload();
    let service = with(object("v1", "Service", "theirs"), "spec", json!({"selector": {"app": "db"}}));
    objects.push(with(
        service,
        "metadata.ownerReferences",
        json!([{"apiVersion": "example.com/v1", "kind": "Thing", "name": "b", "uid": "Thing/b"}]),
    ));
    assert_eq!(outline(&objects), [".StatefulSet/db", "..Pod/db-0", "..Pod/db-1"]);
}

#[test]
fn two_resources_with_equal_labels_keep_their_own() {
    let label =
        || json!({"app": "web", "app.kubernetes.io/instance": "a", "app.kubernetes.io/name": "thing"});
    let thing = |name: &str| {
        with(labelled("example.com/v1", "Thing", name, label()), "spec", json!({"text": "same text"}))
    };
    let child =
        |name: &str| with(labelled("v1", "ConfigMap", name, label()), "data", json!({"text": "same text"}));
    let (a, b) = (
        outline(&[thing("a"), thing("b"), child("a"), child("b")]),
        outline(&[thing("b"), thing("a"), child("a"), child("b")]),
    );
    assert_eq!(b, [".ConfigMap/b (same name; created 0s after the Thing; data.text = spec.text)"]);
    assert!(a.iter().any(|line| line.starts_with(".ConfigMap/a ")), "{a:?}");
}
