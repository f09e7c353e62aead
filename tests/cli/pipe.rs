//! Readers that leave early, writers that cannot write, and Ctrl-C.
#![cfg(unix)]

use std::io::Read as _;
use std::process::{Command, Stdio};

use super::server::Server;
use super::{TestHome, section};

#[test]
fn a_reader_that_leaves_is_no_error() {
    for words in ["--help", "options", "completion bash", "version --client"] {
        let mut child =
            TestHome::new().command(words).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        drop(child.stdout.take());
        let output = child.wait_with_output().unwrap();
        assert_eq!(output.status.code(), Some(0), "{words}");
        assert_eq!(section("stderr", &output.stderr), "", "{words}");
    }
}

#[test]
fn a_closed_stdout_is_no_crash() {
    let home = TestHome::new();
    let line = format!("exec '{}' --help >&-", super::binary().display());
    let output = Command::new("/bin/sh").args(["-c", &line]).env_clear().output().unwrap();
    insta::assert_snapshot!(home.show(&output), @"--- exit 0");
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_an_error() {
    let home = TestHome::new();
    let full = std::fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
    let output = home.command("options").stdout(full).output().unwrap();
    insta::assert_snapshot!(home.show(&output), @"
    --- stderr
    error: cannot write the output: no storage space
    --- exit 2
    ");
}

/// Ctrl-C while a server thinks: what is known is printed, and the status says why it ended.
#[test]
fn ctrl_c_is_130() {
    let home = TestHome::new();
    let server = Server::silent();
    let mut child = home
        .command(&format!("version -s {}", server.url()))
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    server.wait_for_request();
    Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    let status = child.wait().unwrap();
    let mut text = String::new();
    child.stdout.take().unwrap().read_to_string(&mut text).unwrap();
    assert_eq!(status.code(), Some(130), "{text}");
    assert!(text.starts_with("Client Version: v"), "{text}");
}
