//! The person's settings file: where it is looked for, and what is said when it is wrong.

use crate::TestHome;

const KUBECONFIG: &str = "\
apiVersion: v1
kind: Config
current-context: c
contexts: [{name: c, context: {cluster: c, user: u}}]
clusters: [{name: c, cluster: {server: 'http://127.0.0.1:1'}}]
users: [{name: u, user: {}}]
";

fn test_home() -> TestHome {
    TestHome::new().file("kube", KUBECONFIG).env("KUBECONFIG", "~/kube")
}

#[test]
fn a_wrong_word_is_named_with_file_line_and_key() {
    let home = test_home()
        .file(".config/kubectl-op/config.yaml", "conditions:\n  - type: Drained\n    meaning: god\n");
    insta::assert_snapshot!(home.call("tree website/shop"), @r#"
    --- stderr
    error: settings file ~/.config/kubectl-op/config.yaml:3: invalid value "god" for conditions[0].meaning
    hint: expected good, bad, progressing, paused or neutral: what the condition means when it is True
    --- exit 2
    "#);
}

#[test]
fn a_named_file_must_exist() {
    let home = test_home().env("KUBECTL_OP_CONFIG", "~/mine.yaml");
    insta::assert_snapshot!(home.call("tree website/shop"), @"
    --- stderr
    error: settings file ~/mine.yaml does not exist
    hint: correct KUBECTL_OP_CONFIG, or unset it to use ~/.config/kubectl-op/config.yaml
    --- exit 2
    ");
}

#[test]
fn the_usual_file_may_be_missing_and_the_folder_follows_xdg() {
    // What is said is about the cluster, so the settings were no trouble.
    assert!(test_home().call("tree website/shop").contains("127.0.0.1"));
    let moved =
        test_home().env("XDG_CONFIG_HOME", "~/xdg").file("xdg/kubectl-op/config.yaml", "colour: red\n");
    assert!(
        moved.call("tree website/shop").contains("~/xdg/kubectl-op/config.yaml:1: unknown key \"colour\"")
    );
}

#[test]
fn right_settings_are_no_trouble() {
    let text =
        "conditions: [{type: Drained, meaning: paused}]\nskip: [OP-T004]\ndefaults: {tree: {output: wide}}\n";
    assert!(with_settings(text).call("tree website/shop").contains("127.0.0.1"));
}

#[test]
fn only_a_regular_file_is_read() {
    let home = test_home().env("KUBECTL_OP_CONFIG", "~");
    insta::assert_snapshot!(home.call("tree website/shop"), @"
    --- stderr
    error: settings file ~ is not a regular file
    --- exit 2
    ");
}

#[test]
fn what_needs_no_cluster_works_whatever_the_settings_say() {
    for text in ["colour: red", "defaults: {tree: {output: no}}"] {
        let home = with_settings(text);
        let calls = [
            "--help",
            "help",
            "tree --help",
            "version --client",
            "explain OP-T004",
            "options",
            "completion bash",
        ];
        for words in calls {
            let shown = home.call(words);
            assert!(shown.ends_with("--- exit 0\n") && !shown.contains("mine.yaml"), "{words}: {shown}");
        }
    }
}

// === Default flags ===

const SHOP: &str = "website/shop -n shop --demo";

fn with_settings(text: &str) -> TestHome {
    test_home().file("mine.yaml", text).env("KUBECTL_OP_CONFIG", "~/mine.yaml")
}

/// Checks that `words` do with `defaults` what `expected` do without settings.
fn same(defaults: &str, words: &str, expected: &str) {
    let with = with_settings(&format!("defaults: {defaults}\n")).call(words);
    assert_eq!(with, test_home().call(expected), "{defaults} {words}");
    assert!(!with.contains("error:"), "{with}");
}

#[test]
fn a_default_counts_as_typed() {
    same("{tree: {output: name}}", &format!("tree {SHOP}"), &format!("tree {SHOP} -o name"));
    same("{tree: {depth: 1}}", &format!("tree {SHOP}"), &format!("tree {SHOP} --depth 1"));
    same("{events: {types: Warning}}", &format!("events {SHOP}"), &format!("events {SHOP} --types Warning"));
    // Of another command, it does not matter.
    same("{status: {output: name}}", &format!("tree {SHOP}"), &format!("tree {SHOP}"));
}

#[test]
fn common_flags_have_defaults_too() {
    let all = "{tree: {demo: true, namespace: shop, color: always}}";
    same(all, "tree website/shop", &format!("tree {SHOP} --color always"));
    same(all, "tree website/shop --color never", &format!("tree {SHOP}"));
    same(all, "--color never tree website/shop", &format!("tree {SHOP}"));
    same("{tree: {disable-compression: true}}", &format!("tree {SHOP}"), &format!("tree {SHOP}"));
}

#[test]
fn a_typed_flag_overrides_its_default() {
    same("{tree: {output: name}}", &format!("tree {SHOP} -o json"), &format!("tree {SHOP} -o json"));
    same("{tree: {namespace: greetings}}", &format!("tree {SHOP}"), &format!("tree {SHOP}"));
    same("{tree: {namespace: greetings}}", "-n shop tree website/shop --demo", &format!("tree {SHOP}"));
    same(
        "{tree: {kind: [Pod]}}",
        &format!("tree {SHOP} --kind Service"),
        &format!("tree {SHOP} --kind Service"),
    );
}

#[test]
fn a_switch_is_true_or_false() {
    let (hello, owned) = ("helloworld/my-hello-world -n greetings --demo", "{tree: {owned-only: true}}");
    let without = test_home().call(&format!("tree {hello}"));
    assert_ne!(without, test_home().call(&format!("tree {hello} --owned-only")));
    same(owned, &format!("tree {hello}"), &format!("tree {hello} --owned-only"));
    same(
        "{tree: {owned-only: false, deep: true}}",
        &format!("tree {hello}"),
        &format!("tree {hello} --deep"),
    );
    same(
        "{tree: {deep: true, owned-only: false}}",
        &format!("tree {hello} --owned-only=false"),
        &format!("tree {hello}"),
    );
    same(owned, &format!("tree {hello} --owned-only=false"), &format!("tree {hello}"));
    same(
        "{tree: {owned-only: false}}",
        &format!("tree {hello} --owned-only=true"),
        &format!("tree {hello} --owned-only"),
    );
}

#[test]
fn a_list_flag_takes_a_list_or_commas() {
    let expected = format!("tree {SHOP} --kind Pod,Service");
    same("{tree: {kind: [Pod, Service]}}", &format!("tree {SHOP}"), &expected);
    same("{tree: {kind: 'Pod,Service'}}", &format!("tree {SHOP}"), &expected);
}

#[test]
fn a_default_that_conflicts_with_a_typed_flag_is_dropped() {
    let hello = "helloworld/my-hello-world -n greetings --demo";
    same("{tree: {owned-only: true}}", &format!("tree {hello} --deep"), &format!("tree {hello} --deep"));
    same(
        "{tree: {deep: true}}",
        &format!("tree {hello} --owned-only"),
        &format!("tree {hello} --owned-only"),
    );
    same("{tree: {from: nowhere.yaml}}", &format!("tree {SHOP}"), &format!("tree {SHOP}"));
    same("{status: {all-namespaces: true}}", "status -n shop --demo", "status -n shop --demo");
    // The cluster is asked, which is not there.
    for words in ["tree website/shop -w", "tree website/shop --context c"] {
        let shown = with_settings("defaults: {tree: {demo: true, output: dot}}").call(words);
        assert!(shown.contains("127.0.0.1"), "{words}: {shown}");
    }
}

#[test]
fn a_wrong_default_is_named_with_its_line() {
    let call = |text: &str| with_settings(text).call("status website/shop");
    insta::assert_snapshot!(call("defaults:\n  tree:\n    output: pretty\n"), @r#"
    --- stderr
    error: settings file ~/mine.yaml:3: defaults.tree.output: invalid value "pretty" for --output: unable to match a printer suitable for the output format "pretty", allowed formats are: custom-columns,custom-columns-file,dot,json,jsonpath,mermaid,name,wide,yaml
    hint: kubectl op tree --help
    --- exit 2
    "#);
    insta::assert_snapshot!(call("defaults:\n  status:\n    all: maybe\n"), @r#"
    --- stderr
    error: settings file ~/mine.yaml:3: defaults.status.all: invalid value "maybe" for --all
    hint: expected true or false
    --- exit 2
    "#);
    insta::assert_snapshot!(call("defaults:\n  tree:\n    depth: [1, 2]\n"), @"
    --- stderr
    error: settings file ~/mine.yaml:3: defaults.tree.depth: --depth accepts one value, not a list
    --- exit 2
    ");
    insta::assert_snapshot!(call("defaults:\n  tree:\n    up: true\n    around: true\n"), @"
    --- stderr
    error: settings file ~/mine.yaml:3: defaults.tree.up: conflicts with defaults.tree.around
    --- exit 2
    ");
    insta::assert_snapshot!(call("defaults:\n  status:\n    watch: true\n"), @"
    --- stderr
    error: settings file ~/mine.yaml:3: defaults.status.watch: --watch cannot have a default
    hint: use it on the command line: kubectl op status --watch
    --- exit 2
    ");
    insta::assert_snapshot!(call("defaults:\n  status:\n    outptu: wide\n"), @r#"
    --- stderr
    error: settings file ~/mine.yaml:3: unknown flag "outptu" in defaults.status
    hint: did you mean output?
    --- exit 2
    "#);
    insta::assert_snapshot!(call("defaults:\n  explain:\n    output: json\n"), @r#"
    --- stderr
    error: settings file ~/mine.yaml:2: unknown command "explain" in defaults
    hint: expected one of events, status, tree
    --- exit 2
    "#);
}
