//! `tree` without a cluster: invalid command lines and manifests.

use super::{TestHome, call};

#[test]
fn words_that_name_no_object() {
    for (words, error) in [
        ("tree", "you must specify an object"),
        ("tree website/", "arguments in resource/name form must have a single resource and name"),
        ("tree a/b/c", "arguments in resource/name form may not have more than one slash"),
        ("tree website/shop blog", "there is no need to specify a resource type as a separate argument"),
        ("tree website shop blog", "expected exactly one object"),
        ("tree website/shop website/blog", "expected exactly one object"),
        ("tree website/shop -f site.yaml", "arguments may not be provided as well"),
        ("tree website/shop --depth deep", "invalid value \"deep\" for --depth"),
        (
            "tree website/shop -o table",
            "allowed formats are: custom-columns,custom-columns-file,dot,json,jsonpath,mermaid,name,wide,yaml",
        ),
        (
            "tree website/shop -o custom-columns",
            "custom-columns format specified but no custom columns given",
        ),
        (
            "tree website/shop -o custom-columns=",
            "custom-columns format specified but no custom columns given",
        ),
        ("tree website/shop -o custom-columns-file=", "no custom columns given"),
        (
            "tree website/shop -o custom-columns=NAME",
            "unexpected custom-columns spec: NAME, expected <header>:<",
        ),
        ("tree website/shop -o custom-columns=A:.a[", "unterminated array"),
        ("tree website/shop -o custom-columns-file=missing", "error reading template missing, "),
        ("tree website/shop -o dot=x", "unable to match a printer suitable for the output format \"dot=x\""),
        ("tree website/shop -o go-template={{.}}", "use jsonpath=TEMPLATE"),
        ("tree website/shop -o jsonpath={.nodes", "unclosed action"),
    ] {
        let told = call(words);
        assert!(told.contains("error: ") && told.contains(error), "{words}: {told}");
        assert!(told.contains("hint: ") && told.ends_with("--- exit 2\n"), "{words}: {told}");
    }
}

#[test]
fn what_cannot_be_watched_is_said_before_anything_is_asked() {
    for (words, error) in [
        ("tree website/shop -w --demo", "-w requires a cluster: a dump does not change"),
        ("tree website/shop --watch --from dump.yaml", "a dump does not change"),
        ("tree website -w", "-w requires the name of an object"),
        ("tree website -w -l app=shop", "-w requires the name of an object"),
        ("tree website/shop -w -o name", "-w does not support -o name"),
        ("tree website/shop -w --fail", "cannot be used with"),
        ("tree website/shop --strict -w", "cannot be used with"),
    ] {
        let told = call(words);
        assert!(told.contains("error: ") && told.contains(error), "{words}: {told}");
        assert!(told.contains("hint: ") && told.ends_with("--- exit 2\n"), "{words}: {told}");
    }
}

#[test]
fn manifests_that_name_no_object() {
    for (text, error) in [
        ("a: [", "site.yaml: not YAML or JSON at line 1"),
        ("", "site.yaml: contains no objects"),
        ("kind: Website\nmetadata: {name: shop}\n", "site.yaml: apiVersion is missing"),
        ("apiVersion: v1\nkind: [Website]\n", "site.yaml: kind is missing"),
        ("apiVersion: v1\nkind: Website\nmetadata: shop\n", "site.yaml: metadata.name is missing"),
        (
            "apiVersion: v1\nkind: List\nitems: [{apiVersion: v1, kind: A, metadata: {name: a}}, {apiVersion: v1, kind: B, metadata: {name: b}}]\n",
            "site.yaml: expected exactly one object, found 2",
        ),
        ("just words", "site.yaml: apiVersion is missing"),
    ] {
        let home = TestHome::new().file("site.yaml", text);
        let told = home.call("tree -f site.yaml");
        assert!(
            told.contains(error) && told.contains("hint: ") && told.ends_with("--- exit 2\n"),
            "{text:?}: {told}"
        );
    }
    let told = call("tree -f missing.yaml");
    assert!(told.contains("missing.yaml: cannot be read") && told.ends_with("--- exit 2\n"), "{told}");
}

#[test]
fn a_file_of_columns_is_read_before_any_cluster() {
    let home = TestHome::new().file("bad", "A B\n.a\n").file("good", "A B\n.a .b\n");
    let told = home.call("tree website/shop -o custom-columns-file=bad");
    assert!(told.contains("number of headers (2) and field specifications (1) don't match"), "{told}");
    let told = home.call("tree website/shop -o custom-columns-file=good");
    assert!(told.contains("error: no cluster"), "{told}");
}

#[test]
fn a_missing_cluster_is_said_with_a_hint() {
    let told = call("tree voteconfig/demo");
    assert!(told.contains("error: no cluster: KUBECONFIG is not set") && told.contains("hint: "), "{told}");
}

#[test]
fn a_type_that_a_dump_does_not_have_is_not_searched_for_on_a_server() {
    let told = call("tree website/shop -n shop --demo --kind gizmo");
    assert!(
        told.contains("error: --kind: the demo cluster doesn't have a resource type \"gizmo\""),
        "{told}"
    );
    assert!(told.contains("hint: for its custom resources: kubectl op status --demo"), "{told}");
}
