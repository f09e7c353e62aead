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
fn a_manifest_of_another_namespace_is_refused_in_kubectls_words() {
    let manifest =
        "apiVersion: webapp.example.com/v1\nkind: Website\nmetadata: {name: shop, namespace: shop}\n";
    let place = TestHome::new().file("site.yaml", manifest);
    for command in ["tree", "status", "events"] {
        let told = place.call(&format!("{command} -f site.yaml -n blog --demo"));
        let error = "error: the namespace from the provided object \"shop\" does not match the namespace \"blog\". You must pass '--namespace=shop' to perform this operation.\n--- exit 2\n";
        assert!(told.ends_with(error), "{told}");
        let told = place.call(&format!("{command} -f site.yaml -n shop --demo"));
        assert!(told.contains("Website/shop"), "{told}");
    }
}

#[test]
fn owners_are_a_chain_and_a_root_has_none() {
    insta::assert_snapshot!(call("tree pod/shop-d778b5768-v5wm6 --up -n shop --demo"), @"
    Pod/shop-d778b5768-v5wm6 has been Ready for 3d; it belongs to Website/shop

    NAME                            READY  STATUS       AGE
    Website/shop                    True   Progressing  3d
    `-Deployment/shop               1/2    NotReady     3d
      `-ReplicaSet/shop-d778b5768   1/2    Progressing  3d
        `-Pod/shop-d778b5768-v5wm6  1/1    Running      3d   <- requested

    complete: 36 kinds read in namespace shop
    next: kubectl op events pod/shop-d778b5768-v5wm6 -n shop --demo
    --- exit 0
    ");
    insta::assert_snapshot!(call("tree website/blog --up -n shop --demo"), @"
    Website/blog has been Ready for 3d; nothing owns it

    NAME          READY  STATUS  AGE
    Website/blog  True   Ready   3d   nothing owns it

    complete: 36 kinds read in namespace shop
    next: kubectl op events website.webapp.example.com/blog -n shop --demo
    --- exit 0
    ");
    let told = call("tree website/shop --up -n shop --demo");
    assert!(told.lines().next().unwrap().ends_with("; nothing owns Website/shop"), "{told}");
    assert!(!told.contains("Deployment/"), "{told}");
    assert!(call("tree website/shop --up --depth 1 --demo").contains("cannot be used with"));
}

#[test]
fn a_type_without_objects_here_names_the_namespaces_that_have_some() {
    for command in ["tree", "events", "status"] {
        let told = call(&format!("{command} websites -n vms --demo"));
        let hint = format!("hint: there are 2 in shop: kubectl op {command} websites -n shop --demo\n");
        assert!(told.contains(&hint), "{told}");
    }
    let told = call("tree websites -n vms --demo");
    assert!(
        told.starts_with("--- stderr\nNo resources found in vms namespace in the demo cluster.\nhint: "),
        "{told}"
    );
    // A kind without any object has no hint.
    let told = call("tree jobs -n vms --demo");
    assert!(!told.contains("hint: "), "{told}");
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
