//! Objects that an operator labels with the name of its resource, under a key that any software may use.

use serde_json::{Value, json};

use super::{labelled, object, outline, with};

/// Zalando's operator sets no owner references; these are the labels that it writes.
fn postgres() -> Value {
    object("acid.zalan.do/v1", "postgresql", "acid-minimal")
}

fn spilo(api_version: &str, kind: &str, name: &str) -> Value {
    labelled(
        api_version,
        kind,
        name,
        json!({"application": "spilo", "cluster-name": "acid-minimal", "team": "acid"}),
    )
}

#[test]
fn objects_labelled_with_the_name_of_a_resource_are_guessed() {
    let set = with(
        spilo("apps/v1", "StatefulSet", "acid-minimal"),
        "spec",
        json!({"volumeClaimTemplates": [{"metadata": {"name": "pgdata"}}]}),
    );
    let objects = [
        postgres(),
        set,
        spilo("v1", "Service", "acid-minimal-repl"),
        spilo("v1", "Secret", "standby.credentials"),
        spilo("policy/v1", "PodDisruptionBudget", "postgres-acid-minimal-pdb"),
        spilo("v1", "PersistentVolumeClaim", "pgdata-acid-minimal-0"),
    ];
    assert_eq!(
        outline(&objects),
        [
            ".PodDisruptionBudget/postgres-acid-minimal-pdb (cluster-name = name of the postgresql; name contains that of the postgresql)",
            ".Secret/standby.credentials (cluster-name = name of the postgresql; team = acid)",
            ".Service/acid-minimal-repl (cluster-name = name of the postgresql; name contains that of the postgresql)",
            ".StatefulSet/acid-minimal (cluster-name = name of the postgresql; same name)",
            "..PersistentVolumeClaim/pgdata-acid-minimal-0 (created from volumeClaimTemplate pgdata of the StatefulSet)",
        ]
    );
}

#[test]
fn one_label_alone_is_not_enough() {
    let label = |key: &str| labelled("v1", "ConfigMap", "settings", json!({key: "acid-minimal"}));
    assert!(outline(&[postgres(), label("cluster-name")]).is_empty(), "nothing else speaks for it");
    let named =
        |key: &str| labelled("v1", "ConfigMap", "acid-minimal-settings", json!({key: "acid-minimal"}));
    for (key, count) in
        [("cluster-name", 1), ("instance", 1), ("app", 0), ("tier", 0), ("example.com/cluster", 0)]
    {
        assert_eq!(outline(&[postgres(), named(key)]).len(), count, "{key}");
    }
    let other =
        labelled("v1", "ConfigMap", "acid-minimal-settings", json!({"cluster-name": "acid-minimal-2"}));
    assert!(outline(&[postgres(), other]).is_empty(), "the value is another name");
}

#[test]
fn a_label_that_could_mean_two_resources_is_no_evidence() {
    let rival = object("cache.example.com/v1", "Redis", "acid-minimal");
    let child = || spilo("v1", "Service", "acid-minimal-repl");
    assert!(outline(&[postgres(), child(), rival.clone()]).is_empty());
    let owner = json!([{"apiVersion": "acid.zalan.do/v1", "kind": "postgresql", "name": "acid-minimal",
        "uid": "postgresql/acid-minimal"}]);
    let own = with(rival.clone(), "metadata.ownerReferences", owner);
    assert_eq!(outline(&[postgres(), child(), own]).len(), 2, "a child of the resource is no rival");
    let elsewhere = with(rival, "metadata.namespace", json!("other"));
    assert_eq!(outline(&[postgres(), child(), elsewhere]).len(), 1);
}

#[test]
fn what_another_created_is_not_guessed() {
    let child = || spilo("v1", "Service", "acid-minimal-repl");
    let owned = with(
        child(),
        "metadata.ownerReferences",
        json!([{"apiVersion": "v1", "kind": "X", "name": "x", "uid": "another"}]),
    );
    let older = with(child(), "metadata.creationTimestamp", json!("2026-11-16T10:00:00Z"));
    let elsewhere = with(child(), "metadata.namespace", json!("other"));
    let of_chart = with(child(), "metadata.annotations", json!({"meta.helm.sh/release-name": "db"}));
    let custom = spilo("example.com/v1", "Backup", "acid-minimal-daily");
    for object in [owned, older, elsewhere, of_chart, custom] {
        assert!(outline(&[postgres(), object.clone()]).is_empty(), "{object}");
    }
    let labelled = with(postgres(), "metadata.labels", json!({"cluster-name": "acid-minimal"}));
    assert!(outline(&[labelled, child()]).is_empty(), "whoever labelled both created both");
}
