//! Objects in versions and groups that Kubernetes no longer serves.

use serde_json::json;

use super::{dump, missing, names};

fn object(api_version: &str, kind: &str, name: &str) -> String {
    json!({"apiVersion": api_version, "kind": kind, "metadata": {"name": name, "namespace": "shop"}})
        .to_string()
}

#[test]
fn a_builtin_kind_has_the_version_of_the_dump() {
    for (api_version, kind, full_name, version) in [
        ("batch/v1beta1", "CronJob", "cronjobs.batch", "v1beta1"),
        ("policy/v1beta1", "PodDisruptionBudget", "poddisruptionbudgets.policy", "v1beta1"),
        ("autoscaling/v2beta2", "HorizontalPodAutoscaler", "horizontalpodautoscalers.autoscaling", "v2beta2"),
        ("networking.k8s.io/v1beta1", "Ingress", "ingresses.networking.k8s.io", "v1beta1"),
        // Moved to a group that may not have the version.
        ("extensions/v1beta1", "Ingress", "ingresses.networking.k8s.io", "v1"),
        ("extensions/v1beta1", "Deployment", "deployments.apps", "v1"),
    ] {
        let dump = dump(&object(api_version, kind, "a"));
        assert_eq!(names(&dump), [format!("{full_name}/shop/a")], "{api_version}");
        let entry = &dump.entries()[0];
        assert_eq!(entry.kind.version, version, "{api_version}");
        assert_eq!(dump.body(entry).unwrap()["apiVersion"], api_version);
    }
}

#[test]
fn an_object_in_its_old_and_its_new_group_is_one_object() {
    let dump = dump(&format!(
        "{}{}",
        object("extensions/v1beta1", "Deployment", "a"),
        object("apps/v1", "Deployment", "a")
    ));
    assert_eq!(names(&dump), ["deployments.apps/shop/a"]);
    assert_eq!(dump.entries()[0].kind.version, "v1");
}

#[test]
fn a_list_of_a_kind_in_its_old_group_is_a_list_of_the_kind() {
    let list = json!({"apiVersion": "extensions/v1beta1", "kind": "DeploymentList", "items": [{"metadata": {"name": "a", "namespace": "shop"}}]});
    let dump = dump(&list.to_string());
    assert_eq!(names(&dump), ["deployments.apps/shop/a"]);
    assert!(!missing(&dump, "shop").contains(&"deployments.apps".to_owned()));
}

#[test]
fn an_old_definition_defines_its_kind() {
    let definition = json!({
        "apiVersion": "apiextensions.k8s.io/v1beta1", "kind": "CustomResourceDefinition", "metadata": {"name": "fish.sea.io"},
        "spec": {"group": "sea.io", "version": "v1", "scope": "Namespaced", "names": {"kind": "Fish", "plural": "fish"}},
    });
    let dump = dump(&format!("{definition}{}", object("sea.io/v1", "Fish", "a")));
    assert_eq!(
        names(&dump),
        ["customresourcedefinitions.apiextensions.k8s.io//fish.sea.io", "fish.sea.io/shop/a"]
    );
}
