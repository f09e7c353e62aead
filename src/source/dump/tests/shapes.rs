//! Every form in which kubectl prints objects.

use serde_json::{Value, json};
use tokio_util::sync::CancellationToken;

use super::{broken, config_map, dump, list, names, stream};
use crate::model::kind::KindScope;
use crate::model::memory::MemoryBudget;
use crate::model::meta::OwnerRole;

const SHOP: &str = "\
apiVersion: v1
items:
- apiVersion: v1
  data:
    script: |
      items:
      - kind: Trap
      --- # no document starts here
    text: a
  kind: ConfigMap
  metadata:
    creationTimestamp: \"2026-01-02T03:04:05Z\"
    name: a
    namespace: shop
    uid: uid-a

# a comment
- apiVersion: apps/v1
  kind: Deployment
  metadata:
    name: b
    namespace: shop
    ownerReferences:
    - apiVersion: example.com/v1
      controller: true
      kind: Shop
      name: main
      uid: uid-main
    uid: uid-b
  spec:
    list:
    - 1
    - - 2
kind: List
metadata:
  resourceVersion: \"\"
";

#[test]
fn one_object_or_many_in_any_form_are_found() {
    let (a, b) = (config_map("a"), config_map("b"));
    let pretty = |value: &Value| serde_json::to_string_pretty(value).unwrap();
    let yaml = |value: &Value| serde_saphyr::to_string(value).unwrap();
    let both = list(&[a.clone(), b.clone()]);
    for text in [
        format!("{a}{b}"),
        format!("{}\n{}\n", pretty(&a), pretty(&b)),
        format!("{a}\n---\n{b}"),
        format!("[{a},{b}]"),
        both.to_string(),
        format!("\u{feff}{}", pretty(&both)),
        pretty(&both).replace('\n', "\r\n"),
        format!("{}---\n{}", yaml(&a), yaml(&b)),
        format!("%YAML 1.2\n---\n{}...\n---\n# nothing\n--- # more\n{}", yaml(&a), yaml(&b)),
        yaml(&both),
        format!("\u{feff}{}", yaml(&both)),
        yaml(&both).replace('\n', "\r\n"),
        // Written so that it cannot be split by lines.
        format!("# json in yaml\n{both}"),
        format!("--- {both}\n"),
        format!("kind: List\napiVersion: v1\nitems: [{a}, {b}]\n"),
        format!("'items':\n- {a}\n- {b}\nkind: List\n"),
        // A list in a list.
        list(&[list(std::slice::from_ref(&a)), b.clone()]).to_string(),
    ] {
        let dump = dump(&text);
        assert_eq!(names(&dump), ["configmaps/shop/a", "configmaps/shop/b"], "{text}");
        assert_eq!(broken(&dump), Vec::<String>::new(), "{text}");
        assert_eq!(dump.body(&dump.entries()[0]).unwrap(), a, "{text}");
        assert_eq!(dump.body(&dump.entries()[1]).unwrap(), b, "{text}");
    }
}

#[test]
fn a_yaml_list_is_taken_apart_however_it_is_indented() {
    let (head, rest) = SHOP.split_once("- apiVersion").unwrap();
    let (items, tail) = rest.split_once("kind: List").unwrap();
    let indented: String = format!("- apiVersion{items}")
        .lines()
        .map(|line| format!("   {line}\n").replace("   \n", "\n"))
        .collect();
    for text in
        [SHOP.to_owned(), format!("{head}{indented}kind: List{tail}"), SHOP.replace("\n- a", "\n-\n  a")]
    {
        let dump = dump(&text);
        assert_eq!(names(&dump), ["configmaps/shop/a", "deployments.apps/shop/b"], "{text}");
        assert_eq!(broken(&dump), Vec::<String>::new(), "{text}");
        let script = dump.body(&dump.entries()[0]).unwrap()["data"]["script"].clone();
        assert_eq!(script, "items:\n- kind: Trap\n--- # no document starts here\n", "{text}");
    }
}

#[test]
fn metadata_is_read_and_the_body_again_on_demand() {
    let dump = dump(SHOP);
    let meta = &dump.entries()[1].meta;
    assert_eq!((meta.uid.0.as_str(), meta.owners[0].uid.0.as_str()), ("uid-b", "uid-main"));
    assert_eq!(meta.owners[0].role, OwnerRole::Controller);
    assert_eq!(dump.body(&dump.entries()[1]).unwrap()["spec"]["list"], json!([1, [2]]));
    assert_eq!(dump.entries()[0].meta.created.unwrap().to_string(), "2026-01-02T03:04:05Z");
}

#[test]
fn long_annotations_are_left_out() {
    let mut object = config_map("a");
    object["metadata"]["annotations"] = json!({"short": "x", "long": "x".repeat(5_000), "none": null});
    object["metadata"]["labels"] = json!({"app": "shop"});
    for text in [object.to_string(), serde_saphyr::to_string(&object).unwrap()] {
        let dump = dump(&text);
        let meta = &dump.entries()[0].meta;
        assert_eq!(meta.annotations.keys().collect::<Vec<_>>(), ["none", "short"]);
        assert_eq!(meta.labels["app"], "shop");
    }
}

#[test]
fn items_of_a_typed_list_learn_their_kind_from_it() {
    let mut item = config_map("a");
    item.as_object_mut().unwrap().retain(|key, _| key == "metadata" || key == "data");
    for list in [
        json!({"kind": "ConfigMapList", "apiVersion": "v1", "items": [item]}),
        json!({"items": [item], "metadata": {}, "apiVersion": "v1", "kind": "ConfigMapList"}),
    ] {
        for text in [list.to_string(), serde_saphyr::to_string(&list).unwrap()] {
            let dump = dump(&text);
            assert_eq!(names(&dump), ["configmaps/shop/a"], "{text}");
            let body = dump.body(&dump.entries()[0]).unwrap();
            assert_eq!((&body["kind"], &body["apiVersion"]), (&json!("ConfigMap"), &json!("v1")));
        }
    }
}

#[test]
fn the_same_object_is_kept_once_and_the_newest_of_it() {
    let version = |resource_version: &str, data: &str| {
        let mut object = config_map("a");
        object["metadata"]["resourceVersion"] = json!(resource_version);
        object["data"] = json!(data);
        object
    };
    let dump = dump(&format!("{}{}{}", version("9", "old"), version("10", "new"), version("8", "oldest")));
    assert_eq!(names(&dump), ["configmaps/shop/a"]);
    assert_eq!(dump.body(&dump.entries()[0]).unwrap()["data"], "new");
}

#[test]
fn one_object_in_two_groups_is_kept_once() {
    let event = |group: &str| json!({"apiVersion": group, "kind": "Event", "metadata": {"name": "e", "namespace": "shop", "uid": "u"}});
    let dump = dump(&format!("{}{}", event("events.k8s.io/v1"), event("v1")));
    assert_eq!(names(&dump), ["events/shop/e"]);
}

#[test]
fn text_that_was_never_in_a_cluster_has_a_place_and_a_uid_too() {
    let dump = dump(
        "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: a\n---\nkind: Node\napiVersion: v1\nmetadata: {name: n}\n",
    );
    assert_eq!(names(&dump), ["configmaps/default/a", "nodes//n"]);
    assert_eq!(dump.entries()[0].meta.uid.0, "configmaps/default/a");
    assert_eq!(dump.now().to_string(), "1970-01-01T00:00:00Z");
}

#[test]
fn definitions_in_the_dump_announce_kinds_and_others_are_guessed() {
    let definition = json!({
        "apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition", "metadata": {"name": "x"},
        "spec": {
            "group": "sea.io", "scope": "Cluster",
            "names": {"kind": "Fish", "plural": "fish", "singular": "fish", "shortNames": ["fi"]},
            "versions": [{"name": "v1alpha1", "served": true}, {"name": "v1", "served": true}],
        },
    });
    let object = |api_version: &str, kind: &str| json!({"apiVersion": api_version, "kind": kind, "metadata": {"name": "a", "namespace": "shop"}});
    let dump = dump(&format!(
        "{}{definition}{}{}",
        object("sea.io/v1alpha1", "Fish"),
        object("land.io/v1", "Pony"),
        object("autoscaling/v1", "HorizontalPodAutoscaler"),
    ));
    assert_eq!(
        names(&dump),
        [
            "horizontalpodautoscalers.autoscaling/shop/a",
            "customresourcedefinitions.apiextensions.k8s.io//x",
            "ponies.land.io/shop/a",
            "fish.sea.io//a",
        ]
    );
    let fish = &dump.entries()[3].kind;
    assert_eq!((fish.version.as_str(), fish.scope), ("v1", KindScope::Cluster));
    assert_eq!(dump.entries()[0].kind.version, "v1");
    // The object keeps the version in which it was written.
    assert_eq!(dump.body(&dump.entries()[3]).unwrap()["apiVersion"], "sea.io/v1alpha1");
}

#[test]
fn now_is_the_newest_time_that_is_no_plan() {
    let mut pod = config_map("a");
    pod["metadata"]["managedFields"] = json!([{"manager": "x", "time": "2026-01-02T05:00:00Z"}]);
    pod["metadata"]["deletionTimestamp"] = json!("2026-01-02T09:00:00Z");
    pod["spec"] = json!({"until": "2026-01-02T08:00:00Z"});
    assert_eq!(dump(&pod.to_string()).now().to_string(), "2026-01-02T05:00:00Z");
    pod["metadata"]["deletionGracePeriodSeconds"] = json!(3600 * 3);
    assert_eq!(dump(&pod.to_string()).now().to_string(), "2026-01-02T06:00:00Z");
    pod["status"] = json!({"conditions": [{"lastTransitionTime": "2026-01-02T06:30:00Z"}], "notAfter": "2027-01-01T00:00:00Z"});
    assert_eq!(dump(&pod.to_string()).now().to_string(), "2026-01-02T06:30:00Z");
    // A dump of one object that has not changed for months.
    let mut quiet = pod.clone();
    quiet["status"]["conditions"][0]["lastTransitionTime"] = json!("2026-06-01T00:00:00Z");
    assert_eq!(dump(&quiet.to_string()).now().to_string(), "2026-06-01T00:00:00Z");
    let index = json!({"apiVersion": "kubectl-op/v1", "kind": "Index", "metadata": {"name": "index"}, "kinds": [], "time": "2026-06-02T00:00:00Z"});
    assert_eq!(dump(&format!("{quiet}{index}")).now().to_string(), "2026-06-02T00:00:00Z");
    let lease = json!({"apiVersion": "coordination.k8s.io/v1", "kind": "Lease", "metadata": {"name": "l", "namespace": "shop"}, "spec": {"renewTime": "2026-01-02T07:00:00.000000Z"}});
    assert_eq!(dump(&format!("{pod}{lease}")).now().to_string(), "2026-01-02T07:00:00Z");
    let event = json!({"apiVersion": "v1", "kind": "Event", "metadata": {"name": "e", "namespace": "shop"}, "lastTimestamp": "2026-01-02T07:30:00Z"});
    assert_eq!(dump(&format!("{pod}{lease}{event}")).now().to_string(), "2026-01-02T07:30:00Z");
}

#[test]
fn logs_between_documents_are_passed_over() {
    let text = format!(
        "{}\n==== START logs for container a of pod b/c ====\nhello {{\n{{\"level\":\"info\"}}\n{{\n==== END logs for container a of pod b/c ====\n{}\n",
        config_map("a"),
        config_map("b")
    );
    let dump = dump(&text);
    assert_eq!(names(&dump), ["configmaps/shop/a", "configmaps/shop/b"]);
    assert_eq!(broken(&dump), Vec::<String>::new());
}

#[test]
fn the_built_in_demo_cluster_is_complete() {
    let demo = super::From::Demo;
    let dump = super::Dump::open(&demo, &MemoryBudget::default(), &CancellationToken::new()).unwrap();
    assert_eq!(broken(&dump), Vec::<String>::new());
    assert!(dump.entries().len() > 100);
    assert!(dump.entries().iter().all(|entry| dump.body(entry).is_ok() && entry.kind.kind != "Index"));
}

#[test]
fn what_holds_no_object_is_a_failure_that_says_so() {
    for (text, words) in [
        ("", "no Kubernetes objects found in standard input"),
        (" \n", "no Kubernetes objects found in standard input"),
        ("a: b", "no Kubernetes objects found in standard input"),
        (r#"{"a": "b"}"#, "no Kubernetes objects found in standard input"),
        (
            r#"{"kind": "Pod""#,
            "no Kubernetes objects found in standard input (standard input line 1: expected a Kubernetes object, but it is truncated)",
        ),
        (
            r#"{"kind": "Pod"}"#,
            "no Kubernetes objects found in standard input (standard input line 1: expected a Kubernetes object, but it has no metadata.name)",
        ),
        (
            "PK\u{3}\u{4}",
            "no Kubernetes objects found in standard input (standard input: expected JSON or YAML, but it is a zip archive)",
        ),
    ] {
        let failure = stream(text.as_bytes()).unwrap_err();
        assert_eq!(failure.to_string(), words);
        assert_eq!(failure.outcome().code(), 2);
        assert!(failure.hint_text().is_some());
    }
}
