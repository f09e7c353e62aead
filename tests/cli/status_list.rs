//! Lists of `status`: what is folded, what is left out, and what both do to the exit code.

use std::fmt::Write as _;

use serde_json::{Value, json};

use crate::TestHome;

/// Whether the definition of a kind has the status subresource.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Subresource {
    Status,
    None,
}

fn definition(kind: &str, subresource: Subresource) -> Value {
    let plural = format!("{}s", kind.to_lowercase());
    let mut version = json!({"name": "v1", "served": true, "storage": true});
    if subresource == Subresource::Status {
        version["subresources"] = json!({"status": {}});
    }
    json!({
        "apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition",
        "metadata": {"name": format!("{plural}.example.com"), "creationTimestamp": "2026-11-16T12:00:00Z"},
        "spec": {"group": "example.com", "scope": "Namespaced", "names": {"kind": kind, "plural": plural},
            "versions": [version]},
    })
}

fn resource(kind: &str, namespace: &str, name: &str, status: &Value) -> Value {
    let mut object = json!({"apiVersion": "example.com/v1", "kind": kind, "metadata": {
        "name": name, "namespace": namespace, "uid": format!("{kind}-{namespace}-{name}"),
        "creationTimestamp": "2026-11-13T12:00:00Z"}});
    if !status.is_null() {
        object["status"] = status.clone();
    }
    object
}

fn ready(status: &str) -> Value {
    json!({"conditions": [{"type": "Ready", "status": status, "reason": "Why", "message": "the words",
        "lastTransitionTime": "2026-11-13T12:00:00Z"}]})
}

/// A dump in which everything that there could be was read.
fn dump(objects: &[Value]) -> TestHome {
    let mut kinds: Vec<Value> = Vec::new();
    for kind in objects.iter().filter(|object| object["kind"] == "CustomResourceDefinition") {
        let names = &kind["spec"]["names"];
        kinds.push(json!({"group": "example.com", "version": "v1", "kind": names["kind"],
            "plural": names["plural"], "namespaced": true, "verbs": ["list"]}));
    }
    let index = json!({"apiVersion": "kubectl-op/v1", "kind": "Index", "metadata": {"name": "index"}, "kinds": kinds});
    let items: Vec<&Value> = std::iter::once(&index).chain(objects).collect();
    TestHome::new().file("dump.json", json!({"apiVersion": "v1", "kind": "List", "items": items}).to_string())
}

/// The list and its exit code, without the last lines, which say what was read and what to do next.
fn list(place: &TestHome, words: &str) -> String {
    let told = place.call(&format!("{words} --from dump.json"));
    let mut text = String::new();
    for line in told.lines().filter(|line| !line.starts_with("next: ") && !line.contains("complete: ")) {
        writeln!(text, "{line}").unwrap();
    }
    text
}

#[test]
fn kinds_that_keep_no_status_are_a_line_each_and_no_reason_to_fail() {
    let place = dump(&[
        definition("Widget", Subresource::None),
        definition("Policy", Subresource::None),
        definition("Site", Subresource::Status),
        resource("Widget", "a", "one", &Value::Null),
        resource("Widget", "a", "two", &Value::Null),
        resource("Widget", "b", "one", &json!({})),
        resource("Policy", "a", "p", &Value::Null),
        resource("Site", "a", "shop", &ready("True")),
    ]);
    insta::assert_snapshot!(list(&place, "status -A --no-children"), @"
    1 of 5 custom resources is healthy, 4 keep no status

    NAMESPACE  NAME       VERDICT  FOR  CAUSE
    a          Site/shop  Ready    3d

    3 Widgets keep no status
    1 Policy keeps no status
    1 Ready; --all lists each of them
    --- exit 0
    ");
    insta::assert_snapshot!(list(&place, "status -A --no-children --all"), @"
    1 of 5 custom resources is healthy, 4 keep no status

    NAMESPACE  NAME        VERDICT  FOR  CAUSE
    a          Policy/p    Unknown  -    its kind keeps no status
    a          Widget/one  Unknown  -    its kind keeps no status
    a          Widget/two  Unknown  -    its kind keeps no status
    b          Widget/one  Unknown  -    its kind keeps no status
    a          Site/shop   Ready    3d

    1 Ready, 4 keep no status
    --- exit 0
    ");
    insta::assert_snapshot!(list(&place, "status widgets -A --no-children"), @"
    all 3 Widgets keep no status

    --all lists each of them
    --- exit 0
    ");
    insta::assert_snapshot!(list(&place, "status widget/one policy/p -n a --no-children"), @"
    the health of all 2 resources is unknown

    NAME        VERDICT  FOR  CAUSE
    Policy/p    Unknown  -    its kind keeps no status
    Widget/one  Unknown  -    its kind keeps no status

    2 Unknown
    --- exit 3
    ");
    let output = place.command("status -A --no-children -o json --from dump.json").output().unwrap();
    let report: Value = serde_json::from_slice(&output.stdout).unwrap();
    let resources = report["resources"].as_array().unwrap();
    let kept = resources.iter().filter(|resource| resource["own"]["rule"] == "no-status-kept");
    assert_eq!((resources.len(), kept.count()), (5, 4));
}

#[test]
fn without_a_definition_nobody_knows_whether_a_kind_keeps_a_status() {
    let place = dump(&[resource("Widget", "a", "one", &Value::Null)]);
    insta::assert_snapshot!(list(&place, "status -A --no-children"), @"
    the health of 1 Widget is unknown

    NAMESPACE  NAME  VERDICT  FOR  CAUSE
    a          one   Unknown  -    it has no status

    1 Unknown
    --- exit 3
    ");
}

#[test]
fn equal_rows_are_folded_and_what_is_wrong_is_shown() {
    let place = dump(&[
        definition("Site", Subresource::Status),
        definition("Lake", Subresource::Status),
        resource("Site", "a", "one", &Value::Null),
        resource("Site", "a", "two", &Value::Null),
        resource("Site", "b", "one", &Value::Null),
        resource("Lake", "a", "odd", &json!({"phase": "Strange"})),
        resource("Lake", "a", "bad", &ready("False")),
        resource("Lake", "b", "bad", &ready("False")),
        resource("Lake", "c", "bad", &ready("False")),
    ]);
    insta::assert_snapshot!(list(&place, "status -A --no-children"), @r#"
    3 of 7 custom resources are not healthy, the health of 4 is unknown

    NAMESPACE     NAME      VERDICT   FOR  CAUSE
    a             Lake/bad  NotReady  3d   Ready=False for 3d: the words
    b             Lake/bad  NotReady  3d   Ready=False for 3d: the words
    c             Lake/bad  NotReady  3d   Ready=False for 3d: the words
    a             Lake/odd  Unknown   -    phase "Strange" is not a known word
    2 namespaces  3 Sites   Unknown   -    it has no status

    3 NotReady, 4 Unknown; --all lists each of them
    --- exit 1
    "#);
    insta::assert_snapshot!(list(&place, "status sites -A --no-children --all"), @"
    the health of all 3 Sites is unknown

    NAMESPACE  NAME  VERDICT  FOR  CAUSE
    a          one   Unknown  -    it has no status
    a          two   Unknown  -    it has no status
    b          one   Unknown  -    it has no status

    3 Unknown
    --- exit 3
    ");
}

#[test]
fn a_cause_of_several_resources_is_told_once() {
    let below = |kind: &str, name: &str, (owner_kind, owner): (&str, &str), status: &Value| {
        let mut object = resource(kind, "a", name, status);
        object["metadata"]["ownerReferences"] = json!([{"apiVersion": "example.com/v1", "kind": owner_kind,
            "name": owner, "uid": format!("{owner_kind}-a-{owner}"), "controller": true}]);
        object
    };
    let place = dump(&[
        definition("App", Subresource::Status),
        definition("Site", Subresource::Status),
        definition("Disk", Subresource::Status),
        resource("App", "a", "shop", &ready("True")),
        below("Site", "shop", ("App", "shop"), &ready("True")),
        below("Disk", "shop", ("Site", "shop"), &json!({"phase": "Failed", "message": "no space left"})),
        resource("App", "a", "blog", &ready("False")),
    ]);
    insta::assert_snapshot!(list(&place, "status -A"), @"
    4 of 4 custom resources are not healthy

    NAMESPACE  NAME         VERDICT   FOR  CAUSE
    a          Disk/shop    Failed    -    phase is Failed: no space left
    a            App/shop   Failed    -    same cause: Disk/shop Failed
    a            Site/shop  Failed    -    same cause: Disk/shop Failed
    a          App/blog     NotReady  3d   Ready=False for 3d: the words

    3 Failed, 1 NotReady
    --- exit 1
    ");
}

#[test]
fn three_hundred_kinds_fit_on_one_screen() {
    let mut objects = Vec::new();
    for number in 0..300 {
        let (kind, subresource, status) = if number % 2 == 0 {
            (format!("Bare{number}"), Subresource::None, Value::Null)
        } else {
            (format!("Kept{number}"), Subresource::Status, ready("True"))
        };
        objects.push(definition(&kind, subresource));
        for name in ["a", "b", "c"] {
            objects.push(resource(&kind, "many", name, &status));
        }
    }
    let told = dump(&objects).call("status -A --no-children --from dump.json");
    assert!(told.lines().count() <= 40, "{told}");
    assert!(told.starts_with("450 of 900 custom resources are healthy, 450 keep no status\n"), "{told}");
    assert!(told.contains("\n435 resources of 145 other kinds keep no status\n450 Ready;"), "{told}");
    assert!(told.ends_with("--- exit 0\n"), "{told}");
}
