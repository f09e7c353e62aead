//! The help texts, and that their examples work.

use kubectl_op::commands::MANUAL;

use super::{TestHome, binary, call};

#[test]
fn a_bare_call_is_the_same_as_help() {
    let bare = call("");
    assert_eq!(bare, call("--help"));
    assert_eq!(bare, call("-h"));
    assert_eq!(bare, call("help"));
    insta::assert_snapshot!(bare, @r#"
    Inspect Kubernetes operators and the resources they manage

    Usage: kubectl op COMMAND [flags]    (flags go after "op")

    Inspect commands:
      tree        Show a resource, its objects and their health          kubectl op tree website/shop
      status      Show whether resources are healthy and, if not, why    kubectl op status website/shop
      events      List the events of a resource and everything below it  kubectl op events website/shop
      explain     Explain what a finding code means and what to do       kubectl op explain OP-T001
    Other commands:
      completion  Print the completion script for a shell                kubectl op completion bash
      options     Print the list of flags inherited by all commands      kubectl op options
      version     Print the client and server version                    kubectl op version --client

    Try it without a cluster: kubectl op tree website/shop -n shop --demo
    Help for a command: kubectl op COMMAND --help
    Global flags: kubectl op options
    --- exit 0
    "#);
}

#[test]
fn a_command_has_short_help() {
    insta::assert_snapshot!(call("version -h"), @"
    Print the client and server version

    Usage: kubectl op version [flags]

    Options:
      -h, --help  Print help

    Selection:
          --client  Print the client version only (no server required)

    Output:
      -o, --output <FORMAT>  Output format [possible values: json, yaml]

    Examples: kubectl op version --help
    Global flags: kubectl op options
    --- exit 0
    ");
}

#[test]
fn a_command_has_long_help() {
    let long = call("version --help");
    assert_eq!(long, call("help version"));
    insta::assert_snapshot!(long, @"
    Print the client and server version

    Usage: kubectl op version [flags]

    Examples:
      kubectl op version --client    only the client version; no server required
      kubectl op version             also the server version, if it responds within 5 seconds
      kubectl op version -o json     as JSON

    Read-only. Needs no permissions; without a cluster it prints the client version only.

    Options:
      -h, --help  Print help

    Selection:
          --client  Print the client version only (no server required)

    Output:
      -o, --output <FORMAT>  Output format [possible values: json, yaml]

    Global flags: kubectl op options
    --- exit 0
    ");
    insta::assert_snapshot!(call("completion --help"), @"
    Print the completion script for a shell

    Usage: kubectl op completion bash|zsh|fish|powershell

    Examples:
      kubectl op completion bash                 print the script for bash
      kubectl op completion zsh > _kubectl-op    save it in a directory of your fpath
      kubectl op completion fish | source        load it into the current fish session

    Completes the executable kubectl-op. Needs no cluster.

    Arguments:
      <SHELL>  Shell to print the script for [possible values: bash, zsh, fish, powershell]

    Options:
      -h, --help  Print help

    Global flags: kubectl op options
    --- exit 0
    ");
    insta::assert_snapshot!(call("options --help"), @"
    Print the list of flags inherited by all commands

    Usage: kubectl op options

    Examples:
      kubectl op options    list the global flags

    Needs no cluster.

    Options:
      -h, --help  Print help

    Global flags: kubectl op options
    --- exit 0
    ");
}

/// No line is wider than a small terminal, and none ends in blanks.
#[test]
fn help_fits_a_small_terminal() {
    let pages = MANUAL.iter().flat_map(|group| group.pages).map(|page| format!("{} --help", page.name));
    for words in pages.chain(["--help".to_owned()]) {
        for line in call(&words).lines() {
            assert!(line.chars().count() <= 100, "{words}: {line}");
            assert_eq!(line, line.trim_end(), "{words}");
        }
    }
}

/// Every example of every page is run as it is printed, by a shell that calls the program by its name.
#[cfg(unix)]
#[test]
fn every_example_can_be_pasted() {
    let home = TestHome::new();
    std::os::unix::fs::symlink(binary(), home.path().join("op")).unwrap();
    let manifest = "apiVersion: webapp.example.com/v1\nkind: Website\nmetadata: {name: shop}\n";
    std::fs::write(home.path().join("site.yaml"), manifest).unwrap();
    for example in MANUAL.iter().flat_map(|group| group.pages).flat_map(|page| page.examples) {
        // The reader of `| source` is a shell's own word; `cat` stands in for it.
        let line = format!("./op {}", example.command.replace("| source", "| cat"));
        let output = std::process::Command::new("/bin/sh")
            .args(["-c", &line])
            .env_clear()
            .envs([("HOME", home.path().as_os_str()), ("PATH", "/usr/bin:/bin".as_ref())])
            .current_dir(home.path())
            .output()
            .unwrap();
        // A command that needs a cluster fails only because there is none; tests/live has one.
        let alone = output.stderr.starts_with(b"error: no cluster");
        // Not everything in the demo cluster is healthy.
        let answered = example.command.contains("--demo") && output.status.code() == Some(1);
        assert!(output.status.success() || alone || answered, "{line}: {}", home.show(&output));
    }
}

/// krew may give the plugin another name; help and hints follow it.
#[cfg(unix)]
#[test]
fn the_name_follows_the_file() {
    let home = TestHome::new();
    let named = |file: &str, words: &[&str]| {
        let path = home.path().join(file);
        std::os::unix::fs::symlink(binary(), &path).unwrap();
        home.show(&std::process::Command::new(path).args(words).env_clear().output().unwrap())
    };
    let help = named("kubectl-foo_bar", &["version", "--help"]);
    assert!(help.contains("Usage: kubectl foo-bar version [flags]"), "{help}");
    assert!(help.contains("  kubectl foo-bar version --client "), "{help}");
    assert!(!help.contains("kubectl op"), "{help}");
    insta::assert_snapshot!(named("opx", &["verson"]), @r#"
    --- stderr
    error: unknown command "verson" for "opx"
    hint: did you mean: opx version
    --- exit 2
    "#);
}
