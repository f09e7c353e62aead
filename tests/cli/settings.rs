//! The person's settings file: where it is looked for, and what is said when it is wrong.

use crate::Place;

const KUBECONFIG: &str = "\
apiVersion: v1
kind: Config
current-context: c
contexts: [{name: c, context: {cluster: c, user: u}}]
clusters: [{name: c, cluster: {server: 'http://127.0.0.1:1'}}]
users: [{name: u, user: {}}]
";

fn place() -> Place {
    Place::new().file("kube", KUBECONFIG).env("KUBECONFIG", "~/kube")
}

#[test]
fn a_wrong_word_is_named_with_file_line_and_key() {
    let place =
        place().file(".config/kubectl-op/config.yaml", "conditions:\n  - type: Drained\n    meaning: god\n");
    insta::assert_snapshot!(place.call("tree website/shop"), @r#"
    --- stderr
    error: settings file ~/.config/kubectl-op/config.yaml:3: conditions[0].meaning is "god"
    hint: expected what the condition means when it is True: good, bad, moving, paused or neutral
    --- exit 2
    "#);
}

#[test]
fn a_named_file_must_exist() {
    let place = place().env("KUBECTL_OP_CONFIG", "~/mine.yaml");
    insta::assert_snapshot!(place.call("tree website/shop"), @"
    --- stderr
    error: settings file ~/mine.yaml does not exist
    hint: KUBECTL_OP_CONFIG names it; unset, ~/.config/kubectl-op/config.yaml is read
    --- exit 2
    ");
}

#[test]
fn the_usual_file_may_be_missing_and_the_folder_follows_xdg() {
    // What is said is about the cluster, so the settings were no trouble.
    assert!(place().call("tree website/shop").contains("127.0.0.1"));
    let moved = place().env("XDG_CONFIG_HOME", "~/xdg").file("xdg/kubectl-op/config.yaml", "colour: red\n");
    assert!(
        moved.call("tree website/shop").contains("~/xdg/kubectl-op/config.yaml:1: unknown key \"colour\"")
    );
}

#[test]
fn right_settings_are_no_trouble() {
    let text =
        "conditions: [{type: Drained, meaning: paused}]\nskip: [OP-T004]\ndefaults: {tree: {output: wide}}\n";
    let place = place().file("mine.yaml", text).env("KUBECTL_OP_CONFIG", "~/mine.yaml");
    assert!(place.call("tree website/shop").contains("127.0.0.1"));
}

#[test]
fn help_can_be_read_whatever_the_settings_say() {
    let place = place().file("mine.yaml", "colour: red").env("KUBECTL_OP_CONFIG", "~/mine.yaml");
    for words in ["--help", "tree --help", "version --client"] {
        let told = place.call(words);
        assert!(told.ends_with("--- exit 0\n") && !told.contains("colour"), "{words}: {told}");
    }
}
