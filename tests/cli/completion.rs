//! `completion`, and that the scripts in completions/ are what it prints.

use super::{TestHome, call};

const SCRIPTS: [(&str, &str); 4] = [
    ("bash", "kubectl-op.bash"),
    ("zsh", "_kubectl-op"),
    ("fish", "kubectl-op.fish"),
    ("powershell", "_kubectl-op.ps1"),
];

/// `UPDATE_COMPLETIONS=1 cargo test --test cli` writes the files instead of comparing them.
#[test]
fn scripts_are_fresh() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("completions");
    #[expect(
        clippy::disallowed_methods,
        reason = "the ban is for the program; this is a switch of the test's"
    )]
    let update = std::env::var_os("UPDATE_COMPLETIONS").is_some();
    for (shell, file) in SCRIPTS {
        let output = TestHome::new().command(&format!("completion {shell}")).output().unwrap();
        assert!(output.status.success() && output.stderr.is_empty());
        if update {
            std::fs::write(folder.join(file), &output.stdout).unwrap();
        }
        let kept = std::fs::read(folder.join(file)).unwrap_or_default();
        assert!(
            kept == output.stdout,
            "completions/{file} is stale; refresh it: UPDATE_COMPLETIONS=1 cargo test --test cli"
        );
    }
}

#[test]
fn no_other_file_lies_among_the_scripts() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("completions");
    let mut found: Vec<_> =
        std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    let mut known: Vec<_> = SCRIPTS.iter().map(|(_, file)| std::ffi::OsString::from(file)).collect();
    found.sort();
    known.sort();
    assert_eq!(found, known);
}

#[test]
fn common_flags_are_completed_too() {
    for (shell, _) in SCRIPTS {
        let script = call(&format!("completion {shell}"));
        assert!(script.contains("insecure-skip-tls-verify") && script.contains("kubectl-op"), "{shell}");
    }
}

#[cfg(unix)]
#[test]
fn bash_can_read_its_script() {
    let home =
        TestHome::new().file("script", TestHome::new().command("completion bash").output().unwrap().stdout);
    let Ok(output) = std::process::Command::new("bash").arg("-n").arg(home.path().join("script")).output()
    else {
        return; // no bash here
    };
    assert!(output.status.success(), "{}", home.show(&output));
}

#[test]
fn an_unknown_shell_lists_the_four() {
    insta::assert_snapshot!(call("completion tcsh"), @r#"
    --- stderr
    error: invalid value "tcsh" for SHELL: must be one of bash, zsh, fish, powershell
    hint: kubectl op completion --help
    --- exit 2
    "#);
}
