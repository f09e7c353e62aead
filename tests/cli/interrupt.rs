//! Ctrl-C, whatever the binary is doing: the first asks for what is known, the second ends it with 130.
#![cfg(target_os = "linux")]

use std::fs;
use std::io::Write as _;
use std::path::PathBuf;
use std::process::{Child, Command, Output, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use super::TestHome;

/// How long anything may take; only a failing test waits that long.
const PATIENCE: Duration = Duration::from_secs(60);

/// Starts a call, and waits until it handles Ctrl-C and had time to get to work.
fn start(mut command: Command) -> Child {
    let child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let status = format!("/proc/{}/status", child.id());
    wait_until("it handles SIGINT", || {
        let text = fs::read_to_string(&status).unwrap();
        let caught = text.lines().find_map(|line| line.strip_prefix("SigCgt:")).unwrap().trim();
        u64::from_str_radix(caught, 16).unwrap() & 0b10 != 0
    });
    thread::sleep(Duration::from_millis(500));
    child
}

fn wait_until(what: &str, is_done: impl Fn() -> bool) {
    let started = Instant::now();
    while !is_done() {
        assert!(started.elapsed() < PATIENCE, "{what} did not happen");
        thread::sleep(Duration::from_millis(10));
    }
}

fn press(child: &Child) {
    assert!(Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap().success());
}

/// Waits for the end; a process that does not end is killed and fails the test.
fn end(mut child: Child) -> Output {
    let started = Instant::now();
    while child.try_wait().unwrap().is_none() {
        if started.elapsed() > PATIENCE {
            child.kill().unwrap();
            panic!("it does not end: {:?}", child.wait_with_output());
        }
        thread::sleep(Duration::from_millis(10));
    }
    child.wait_with_output().unwrap()
}

fn press_twice(child: Child) -> Output {
    press(&child);
    thread::sleep(Duration::from_millis(100));
    if child.id() != 0 && fs::metadata(format!("/proc/{}", child.id())).is_ok() {
        press(&child);
    }
    end(child)
}

fn fifo(home: &TestHome) -> PathBuf {
    let path = home.path().join("fifo");
    assert!(Command::new("mkfifo").arg(&path).status().unwrap().success());
    path
}

/// Standard input that nobody writes to.
fn blocked(home: &TestHome, words: &str) -> Command {
    let mut command = home.command(words);
    command.stdin(Stdio::piped());
    command
}

#[test]
fn the_first_ends_what_waits_for_input() {
    let home = TestHome::new();
    fifo(&home);
    for words in [
        "tree website/shop --from -",
        "tree website/shop --from ~/fifo",
        "status -A --from ~/fifo --from -",
        "tree --demo -f -",
        "tree --demo -f ~/fifo",
        "version --from -",
        "tree website/shop --demo -o custom-columns-file=~/fifo",
    ] {
        let child = start(blocked(&home, words));
        press(&child);
        let output = end(child);
        assert_eq!(output.status.code(), Some(130), "{words}: {output:?}");
        assert!(output.stdout.is_empty(), "{words}: {output:?}");
    }
}

#[test]
fn the_second_ends_what_waits_for_input_at_once() {
    let home = TestHome::new();
    fifo(&home);
    for words in ["tree website/shop --from -", "events website/shop --from ~/fifo"] {
        let output = press_twice(start(blocked(&home, words)));
        assert_eq!(output.status.code(), Some(130), "{words}: {output:?}");
        // The first alone would end it with an error after two seconds.
        assert_eq!(String::from_utf8_lossy(&output.stderr), "", "{words}");
    }
}

/// One entry of a tar archive.
fn tar_entry(name: &str, text: &str) -> Vec<u8> {
    let mut header = [0; 512];
    header[..name.len()].copy_from_slice(name.as_bytes());
    header[100..108].copy_from_slice(b"0000644\0");
    header[124..136].copy_from_slice(format!("{:011o}\0", text.len()).as_bytes());
    header[148..156].copy_from_slice(b"        ");
    header[156] = b'0';
    header[257..263].copy_from_slice(b"ustar\0");
    let sum: u32 = header.iter().map(|byte| u32::from(*byte)).sum();
    header[148..156].copy_from_slice(format!("{sum:06o}\0 ").as_bytes());
    let mut entry = header.to_vec();
    entry.extend_from_slice(text.as_bytes());
    entry.resize(entry.len().next_multiple_of(512), 0);
    entry
}

/// Writes objects and then the same text without end, until the reader leaves.
fn endless_archive(path: PathBuf) -> thread::JoinHandle<()> {
    thread::spawn(move || {
        let mut output = fs::OpenOptions::new().write(true).open(path).unwrap();
        let shop = "apiVersion: example.com/v1\nkind: Website\nmetadata: {name: shop, namespace: web}\n";
        output.write_all(&tar_entry("shop.yaml", shop)).unwrap();
        let other = tar_entry("notes.txt", &"x".repeat(100_000));
        while output.write_all(&other).is_ok() {}
    })
}

#[test]
fn of_an_endless_archive_the_first_prints_what_was_read() {
    let home = TestHome::new();
    let writer = endless_archive(fifo(&home));
    let child = start(home.command("tree website/shop --from ~/fifo"));
    press(&child);
    let output = end(child);
    writer.join().unwrap();
    let text = String::from_utf8_lossy(&output.stdout);
    assert_eq!(output.status.code(), Some(130), "{output:?}");
    assert!(text.contains("Website/shop") && text.contains("not readable in the dump"), "{text}");
}

#[test]
fn what_an_endless_archive_lacks_so_far_is_no_error() {
    let home = TestHome::new();
    let writer = endless_archive(fifo(&home));
    let child = start(home.command("tree website/blog --from ~/fifo"));
    press(&child);
    let output = end(child);
    writer.join().unwrap();
    assert_eq!(output.status.code(), Some(130), "{output:?}");
}

/// Every further range multiplies the work, so that the evaluation takes far longer than the test waits.
#[test]
fn the_second_ends_what_computes() {
    let home = TestHome::new();
    let mut command = home.command("tree website/shop -n shop --demo");
    command.arg(format!("-ojsonpath={}{}", "{range ..}".repeat(60), "{end}".repeat(60)));
    let output = press_twice(start(command));
    assert_eq!(output.status.code(), Some(130), "{output:?}");
    assert!(output.stdout.is_empty(), "{output:?}");
}
