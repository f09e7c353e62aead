//! The front door: what help says, and that what it says can be pasted.

use kubectl_op::commands::MANUAL;

use super::{Place, binary, call};

#[test]
fn a_bare_call_is_the_same_as_help() {
    let bare = call("");
    assert_eq!(bare, call("--help"));
    assert_eq!(bare, call("-h"));
    assert_eq!(bare, call("help"));
    insta::assert_snapshot!(bare, @r#"
    Inspect Kubernetes operators and the resources they look after

    Usage: kubectl op COMMAND [flags]    (flags go after "op")

    Look
      tree        Show what a resource owns, with health              kubectl op tree voteconfig/demo
      status      Say whether a resource is healthy and, if not, why  kubectl op status website/shop
      events      Show the events of a whole tree in time order       kubectl op events website/shop
    Judge
      explain     Say what a finding's code means and what to do      kubectl op explain OP-T001
    Keep
      completion  Print a completion script for a shell               kubectl op completion bash
      options     List the flags that every command accepts           kubectl op options
      version     Print the client's and the server's version         kubectl op version --client

    More about a command: kubectl op COMMAND --help
    Flags of every command: kubectl op options
    --- exit 0
    "#);
}

#[test]
fn a_command_has_short_help() {
    insta::assert_snapshot!(call("version -h"), @"
    Print the client's and the server's version

    Usage: kubectl op version [flags]

    Options:
      -h, --help  Print help

    Select:
          --client  Ask no server

    Show:
      -o, --output <FORMAT>  Write the answer for a program [possible values: json, yaml]

    Examples: kubectl op version --help
    Flags of every command: kubectl op options
    --- exit 0
    ");
}

#[test]
fn a_command_has_long_help() {
    let long = call("version --help");
    assert_eq!(long, call("help version"));
    insta::assert_snapshot!(long, @"
    Print the client's and the server's version

    Usage: kubectl op version [flags]

    Examples:
      kubectl op version --client    this program's version; asks no server
      kubectl op version             the server's too, when it answers within 5 seconds
      kubectl op version -o json     for a script

    Reads only. Needs no rights; works without a cluster and says that it did.

    Options:
      -h, --help  Print help

    Select:
          --client  Ask no server

    Show:
      -o, --output <FORMAT>  Write the answer for a program [possible values: json, yaml]

    Flags of every command: kubectl op options
    --- exit 0
    ");
    insta::assert_snapshot!(call("completion --help"), @"
    Print a completion script for a shell

    Usage: kubectl op completion bash|zsh|fish|powershell

    Examples:
      kubectl op completion bash                 print the script for bash
      kubectl op completion zsh > _kubectl-op    save it in a folder of zsh's fpath
      kubectl op completion fish | source        complete in this fish session

    Completes the command kubectl-op. Needs no cluster.

    Arguments:
      <SHELL>  The shell to print it for [possible values: bash, zsh, fish, powershell]

    Options:
      -h, --help  Print help

    Flags of every command: kubectl op options
    --- exit 0
    ");
    insta::assert_snapshot!(call("options --help"), @"
    List the flags that every command accepts

    Usage: kubectl op options

    Examples:
      kubectl op options    list them

    Needs no cluster.

    Options:
      -h, --help  Print help

    Flags of every command: kubectl op options
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
    let place = Place::new();
    std::os::unix::fs::symlink(binary(), place.home().join("op")).unwrap();
    let manifest = "apiVersion: webapp.example.com/v1\nkind: Website\nmetadata: {name: shop}\n";
    std::fs::write(place.home().join("site.yaml"), manifest).unwrap();
    for example in MANUAL.iter().flat_map(|group| group.pages).flat_map(|page| page.examples) {
        // The reader of `| source` is a shell's own word; `cat` stands in for it.
        let line = format!("./op {}", example.call.replace("| source", "| cat"));
        let output = std::process::Command::new("/bin/sh")
            .args(["-c", &line])
            .env_clear()
            .envs([("HOME", place.home().as_os_str()), ("PATH", "/usr/bin:/bin".as_ref())])
            .current_dir(place.home())
            .output()
            .unwrap();
        // What asks a cluster gets as far as looking for one; tests/live runs it with one.
        let alone = output.stderr.starts_with(b"error: no cluster");
        // Not all is well in the demo world, and that is an answer.
        let answered = example.call.contains("--demo") && output.status.code() == Some(1);
        assert!(output.status.success() || alone || answered, "{line}: {}", place.show(&output));
    }
}

/// krew may give the plugin another name; help and hints follow it.
#[cfg(unix)]
#[test]
fn the_name_follows_the_file() {
    let place = Place::new();
    let named = |file: &str, words: &[&str]| {
        let path = place.home().join(file);
        std::os::unix::fs::symlink(binary(), &path).unwrap();
        place.show(&std::process::Command::new(path).args(words).env_clear().output().unwrap())
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
