//! Hostile input for every reader: mutated documents and random bytes. A reader answers or fails in words; it does not
//! panic, hang, or echo control characters.
//!
//! A normal run has a fixed number of cases per target. `KUBECTL_OP_FUZZ_SECONDS=600 cargo test --release --test fuzz`
//! runs each target that long with new seeds; `KUBECTL_OP_FUZZ_SEED` repeats a failed case.
//!
//! | to find                          | look in      |
//! |----------------------------------|--------------|
//! | the targets and their seeds      | `targets.rs` |
//! | how inputs are made              | `mutate.rs`  |

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod mutate;
mod targets;

use std::panic::{self, AssertUnwindSafe};
use std::path::PathBuf;
use std::process;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::time::{Duration, Instant, SystemTime};

use mutate::Mutator;

/// Cases of a normal run.
const CASES: u64 = 150;
/// How long one case may take; only one that hangs takes that long.
const PATIENCE: Duration = Duration::from_secs(20);
/// Longest answer or error of a case.
const MAX_ANSWER: usize = 64 * 1024 * 1024;
/// Longest error: a message and a hint of 1,000 characters each, all of them escaped.
const MAX_ERROR: usize = 20_000;

/// What a reader made of an input.
enum Answer {
    /// The text that would be printed.
    Text(String),
    /// The error that would be printed.
    Error(String),
    Nothing,
}

/// Feeds a reader. The input of a case is made from its seed alone.
#[expect(clippy::print_stdout, reason = "says how many cases a long run had")]
fn fuzz(name: &str, seeds: &[Vec<u8>], tokens: &[&str], read: fn(&[u8]) -> Answer) {
    if let Some(seed) = variable("KUBECTL_OP_FUZZ_SEED") {
        return one(name, seed, seeds, tokens, read);
    }
    let Some(seconds) = variable("KUBECTL_OP_FUZZ_SECONDS") else {
        return (0..CASES).for_each(|seed| one(name, seed, seeds, tokens, read));
    };
    let (started, limit) = (Instant::now(), Duration::from_secs(seconds));
    let first = u64::try_from(SystemTime::UNIX_EPOCH.elapsed().unwrap().as_nanos()).unwrap();
    let mut cases = 0;
    while started.elapsed() < limit {
        one(name, first.wrapping_add(cases), seeds, tokens, read);
        cases += 1;
    }
    println!("{name}: {cases} cases in {seconds} s");
}

#[expect(clippy::disallowed_methods, reason = "a test has no Env")]
fn variable(name: &str) -> Option<u64> {
    std::env::var_os(name)?.to_str()?.parse().ok()
}

fn one(name: &str, seed: u64, seeds: &[Vec<u8>], tokens: &[&str], read: fn(&[u8]) -> Answer) {
    let input = Mutator::new(seed).input(seeds, tokens);
    let (sender, receiver) = mpsc::channel();
    let shared = input.clone();
    let worker = std::thread::Builder::new().stack_size(2 << 20).spawn(move || {
        let answer = panic::catch_unwind(AssertUnwindSafe(|| read(&shared)));
        drop(sender.send(answer));
    });
    let problem = match receiver.recv_timeout(PATIENCE) {
        Ok(Ok(answer)) => wrong(&answer),
        Ok(Err(_)) => Some("it panics".to_owned()),
        Err(RecvTimeoutError::Timeout) => Some("it hangs".to_owned()),
        Err(RecvTimeoutError::Disconnected) => Some("its thread ended".to_owned()),
    };
    if let Some(problem) = problem {
        let file = save(name, seed, &input);
        panic!("{name}: {problem}; KUBECTL_OP_FUZZ_SEED={seed}, input in {}", file.display());
    }
    worker.unwrap().join().unwrap();
}

/// What is wrong with an answer.
fn wrong(answer: &Answer) -> Option<String> {
    let is_raw = |c: char| c.is_control() && c != '\n' && c != '\t';
    match answer {
        Answer::Text(text) if text.len() > MAX_ANSWER => Some(format!("{} bytes of answer", text.len())),
        Answer::Text(text) if text.contains(is_raw) => Some("the answer has control characters".to_owned()),
        Answer::Error(text) if text.len() > MAX_ERROR => Some(format!("{} bytes of error", text.len())),
        Answer::Error(text) if text.contains(is_raw) || text.contains('\n') => {
            Some(format!("the error is not one line: {text:?}"))
        }
        Answer::Error(text) if text.trim().is_empty() => Some("the error has no words".to_owned()),
        _ => None,
    }
}

fn save(name: &str, seed: u64, input: &[u8]) -> PathBuf {
    let file = std::env::temp_dir().join(format!("kubectl-op-fuzz-{name}-{seed}-{}", process::id()));
    std::fs::write(&file, input).unwrap();
    file
}
