//! A real control plane on loopback, five real operators, and the faults that a test can cause.
//!
//! | to find                                             | look in                     |
//! |-----------------------------------------------------|-----------------------------|
//! | a running control plane: start, users, namespaces   | `lab.rs`                    |
//! | how each of its components is started               | `plane.rs`, `slot.rs`       |
//! | its certificates and kubeconfigs                    | `certs.rs`, `kubeconfig.rs` |
//! | where etcd, kube-apiserver and the rest come from   | `binaries.rs`, `builder.rs` |
//! | other tools that the benchmark compares with        | `binaries.rs`               |
//! | why no process is left behind when a test is killed | `supervisor/`               |
//! | environment variables                               | `settings.rs`               |
//! | waiting for a state, with a time limit              | `wait.rs`                   |
//! | the five operators and how a test controls them     | `worlds/`                   |
//! | Pods that crash, hang or cannot pull, and their logs | `pods.rs`, `pod_logs.rs`   |
//! | the faulty proxy, webhooks and extension servers    | `faults/`                   |
//! | a namespace of many unrelated objects and kinds     | `large_namespace.rs`        |
//! | many kinds, with and without a status               | `many_kinds.rs`             |
//! | many resources of one kind in many namespaces       | `many_resources.rs`         |
//! | one resource with children of every relation        | `every_relation.rs`         |
//! | creating many objects at once                       | `bulk_create.rs`            |
//! | the cluster of `--demo`, and how it is captured     | `demo/`                     |
//! | `lab up` and `lab capture`                          | `main.rs`                   |
//!
//! Every binary that starts a lab calls [`run_as_subprocess`] first in its `main`: the supervisor and the operators
//! are the same binary, started with other arguments, so that no second file has to be found.

#![forbid(unsafe_code)]

mod binaries;
mod builder;
mod bulk_create;
pub mod certs;
pub mod demo;
pub mod every_relation;
pub mod faults;
mod kubeconfig;
mod lab;
pub mod large_namespace;
pub mod many_kinds;
pub mod many_resources;
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
pub fn run_as_subprocess() -> Option<anyhow::Result<()>> {
    let mut args = std::env::args().skip(1);
    match args.next()?.as_str() {
        supervisor::SUBCOMMAND => Some(supervisor::supervisor_main(args)),
        worlds::SUBCOMMAND => Some(worlds::operator_main(args)),
        _ => None,
    }
}

/// Prints the lab's progress to stderr.
#[expect(clippy::print_stderr, reason = "the only place where the lab prints; tests and `lab up` have no Ui")]
fn log_progress(line: &str) {
    eprintln!("lab: {line}");
}
