//! A real control plane on loopback, five real operators, and the ways they break.
//!
//! | to find                                            | look in          |
//! |----------------------------------------------------|------------------|
//! | a running control plane: start, users, namespaces  | `lab.rs`         |
//! | how each of its parts is started                   | `plane.rs`       |
//! | where etcd, kube-apiserver and the rest come from  | `binaries.rs`    |
//! | the tools of others that the benchmark runs        | `binaries.rs`    |
//! | why nothing is left behind when a test is killed   | `supervisor/`    |
//! | the five operators and how a test controls them    | `worlds/`        |
//! | Pods that crash, hang or cannot pull, their logs   | `pods.rs`, `pod_logs.rs` |
//! | the faulty proxy, webhooks and extension servers   | `faults/`        |
//! | many unrelated objects and kinds                   | `big.rs`         |
//! | many resources that are judged together            | `crowd.rs`       |
//! | one resource with children of every sort           | `circle.rs`      |
//! | the world that `--demo` shows, and its capture     | `demo/`          |
//!
//! Every binary that starts a lab calls [`reenter`] first thing in its `main`: the supervisor and the
//! operators are the same binary, started with other arguments, so that no second file has to be found.

#![forbid(unsafe_code)]

pub mod big;
mod binaries;
mod builder;
pub mod certs;
pub mod circle;
pub mod crowd;
pub mod demo;
pub mod faults;
mod filling;
mod kubeconfig;
mod lab;
mod plane;
pub mod pod_logs;
pub mod pods;
pub mod settings;
mod slot;
pub mod supervisor;
pub mod wait;
pub mod worlds;

pub use binaries::Peer;
pub use lab::{Lab, User, connect};

/// Builds every binary of the control plane that is missing. Blocks; an error means that no lab can be started on
/// this machine.
pub fn prepare() -> anyhow::Result<()> {
    binaries::Binaries::find_or_build().map(drop)
}

/// Runs this process as a supervisor or an operator when its first argument says so, and returns the result; the
/// caller then exits. Returns `None` otherwise, and the caller continues.
pub fn reenter() -> Option<anyhow::Result<()>> {
    let mut args = std::env::args().skip(1);
    match args.next()?.as_str() {
        supervisor::WORD => Some(supervisor::supervisor_main(args)),
        worlds::WORD => Some(worlds::operator_main(args)),
        _ => None,
    }
}

/// Prints the lab's progress to stderr.
#[expect(clippy::print_stderr, reason = "the lab's one voice; tests and `lab up` have no Ui")]
fn log_progress(line: &str) {
    eprintln!("lab: {line}");
}
