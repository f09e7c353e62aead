//! Invalid command lines: exit code 2, one `error:` line, a hint, and no secret in the output.

use super::call;

#[test]
fn an_unknown_command_suggests_the_nearest() {
    insta::assert_snapshot!(call("verson"), @r#"
    --- stderr
    error: unknown command "verson" for "kubectl op"
    hint: did you mean: kubectl op version
    --- exit 2
    "#);
    insta::assert_snapshot!(call("frobnicate"), @r#"
    --- stderr
    error: unknown command "frobnicate" for "kubectl op"
    hint: for a list of commands: kubectl op --help
    --- exit 2
    "#);
}

#[test]
fn a_resource_is_not_a_command() {
    insta::assert_snapshot!(call("voteconfig/demo"), @r#"
    --- stderr
    error: unknown command "voteconfig/demo" for "kubectl op"
    hint: did you mean: kubectl op tree voteconfig/demo
    --- exit 2
    "#);
}

#[test]
fn an_unknown_flag_suggests_the_nearest() {
    insta::assert_snapshot!(call("version --contxt lab"), @"
    --- stderr
    error: unknown flag: --contxt
    hint: did you mean --context?
    --- exit 2
    ");
    insta::assert_snapshot!(call("version --frobnicate"), @"
    --- stderr
    error: unknown flag: --frobnicate
    hint: kubectl op version --help
    --- exit 2
    ");
    insta::assert_snapshot!(call("tree --name shop"), @"
    --- stderr
    error: unknown flag: --name
    hint: did you mean --namespace?
    --- exit 2
    ");
    insta::assert_snapshot!(call("version -q"), @"
    --- stderr
    error: unknown shorthand flag: -q
    hint: kubectl op version --help
    --- exit 2
    ");
    insta::assert_snapshot!(call("--frobnicate"), @"
    --- stderr
    error: unknown flag: --frobnicate
    hint: kubectl op --help
    --- exit 2
    ");
}

#[test]
fn the_flag_for_the_version_is_a_command() {
    for words in ["--version", "tree --version"] {
        let told = call(words);
        assert!(told.contains("error: unknown flag: --version\nhint: kubectl op version\n"), "{told}");
    }
}

#[test]
fn a_far_fetched_type_is_not_suggested() {
    let told = call("tree vm/web -n vms --demo");
    assert!(
        told.contains("did you mean vmgroups.vm.codeconnect.vmworld.com? ") && !told.contains("configmaps"),
        "{told}"
    );
    let told = call("tree site/shop --demo");
    assert!(!told.contains("did you mean"), "{told}");
}

#[test]
fn a_misspelt_secret_is_not_repeated() {
    let text = call("version --tokn=s3cr3t");
    assert!(!text.contains("s3cr3t"), "{text}");
    insta::assert_snapshot!(text, @"
    --- stderr
    error: unknown flag: --tokn
    hint: did you mean --token?
    --- exit 2
    ");
}

#[test]
fn a_wrong_value_names_its_flag() {
    insta::assert_snapshot!(call("version --client -o xml"), @r#"
    --- stderr
    error: invalid value "xml" for --output: must be one of json, yaml
    hint: kubectl op version --help
    --- exit 2
    "#);
    insta::assert_snapshot!(call("version -o"), @"
    --- stderr
    error: --output requires a value: must be one of json, yaml
    hint: kubectl op version --help
    --- exit 2
    ");
    insta::assert_snapshot!(call("version --request-timeout 5x"), @r#"
    --- stderr
    error: invalid value "5x" for --request-timeout: must be a number of seconds, or numbers with units (e.g. 30s, 1m30s, 2h, 3d, 1w); 0 means no limit
    hint: for a list of global flags: kubectl op options
    --- exit 2
    "#);
    insta::assert_snapshot!(call("version --as-user-extra nokey"), @r#"
    --- stderr
    error: invalid value "nokey" for --as-user-extra: must be KEY=VALUE
    hint: for a list of global flags: kubectl op options
    --- exit 2
    "#);
    insta::assert_snapshot!(call("version --insecure-skip-tls-verify=maybe"), @r#"
    --- stderr
    error: invalid value "maybe" for --insecure-skip-tls-verify: value was not a boolean
    hint: for a list of global flags: kubectl op options
    --- exit 2
    "#);
    insta::assert_snapshot!(call("version --color sometimes"), @r#"
    --- stderr
    error: invalid value "sometimes" for --color: must be one of auto, always, never
    hint: for a list of global flags: kubectl op options
    --- exit 2
    "#);
}

#[test]
fn an_argument_too_many_or_too_few_is_named() {
    insta::assert_snapshot!(call("version now"), @r#"
    --- stderr
    error: unexpected argument "now"
    hint: kubectl op version --help
    --- exit 2
    "#);
    insta::assert_snapshot!(call("completion"), @"
    --- stderr
    error: missing argument: SHELL
    hint: usage: kubectl op completion bash|zsh|fish|powershell
    --- exit 2
    ");
}

#[test]
fn flags_that_exclude_each_other_are_refused() {
    insta::assert_snapshot!(call("version -s http://127.0.0.1:1 --token t --username u"), @"
    Client Version: vX.Y.Z
    --- stderr
    error: --token and --username/--password cannot be used together
    hint: remove one of them
    --- exit 2
    ");
    insta::assert_snapshot!(call("version -s http://127.0.0.1:1 --as-group dev"), @"
    Client Version: vX.Y.Z
    --- stderr
    error: requesting uid, groups or user-extra without impersonating a user
    hint: pass --as USER
    --- exit 2
    ");
}

#[test]
fn steering_characters_in_a_word_are_written_out() {
    let home = super::TestHome::new();
    let output = home.command("").arg("ver\u{1b}[31m\u{202e}son\n").output().unwrap();
    insta::assert_snapshot!(home.show(&output), @r#"
    --- stderr
    error: unknown command "ver^[[31m\u{202e}son " for "kubectl op"
    hint: for a list of commands: kubectl op --help
    --- exit 2
    "#);
}

#[cfg(unix)]
#[test]
fn a_word_that_is_no_text_is_refused() {
    use std::os::unix::ffi::OsStrExt as _;
    let home = super::TestHome::new();
    let output =
        home.command("version --context").arg(std::ffi::OsStr::from_bytes(b"\xff\xfe")).output().unwrap();
    insta::assert_snapshot!(home.show(&output), @"
    --- stderr
    error: invalid UTF-8 was detected in one or more arguments
    hint: kubectl op version --help
    --- exit 2
    ");
}
