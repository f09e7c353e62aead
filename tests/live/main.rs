//! kubectl-op and its lab against real Kubernetes components. `cargo test --test live NAME` runs the tests whose
//! name contains NAME; `-- --list` lists them without starting anything.
//!
//! | to find                                             | look in                                           |
//! |-----------------------------------------------------|---------------------------------------------------|
//! | how a test is declared and run                      | `harness.rs`, `labs.rs`                           |
//! | running the binary, to its end or in the background | `binary.rs`, `running.rs`                         |
//! | the lab itself: control plane, operators, faults    | `plane.rs`, `worlds.rs`, `faults.rs`              |
//! | credentials, proxies, TLS, retries, `version`       | `connection.rs`, `version.rs`                     |
//! | the same of them as kubectl                         | `client_go.rs`                                    |
//! | `tree`: objects, relations, formats, `-w`           | `tree.rs`, `related.rs`, `formats.rs`, `watch.rs` |
//! | `tree`: references up, down and out of a namespace  | `direction.rs`                                    |
//! | `tree` while the API server or the network fails    | `tree_faults.rs`                                  |
//! | `status`, `--wait` and `-w`                         | `status.rs`, `wait.rs`                            |
//! | the log of a crashed container                      | `logs.rs`                                         |
//! | `events`                                            | `events.rs`                                       |
//! | `--from`                                            | `dump.rs`                                         |
//! | whether the demo cluster is up to date              | `demo.rs`, `normalized_output.rs`                 |
//!
//! To add a test: write an async function in the file of its topic, and list it in the `tests()` of that file under
//! the name `FILE::FUNCTION`: with `shared` it gets a namespace of the lab that most tests share, with `own` a lab that
//! it may break, with `without_lab` it needs none or starts one itself. A new file also needs a `mod` line and its
//! `tests()` in `main`, and a place in the table above.

#![expect(clippy::print_stderr, clippy::print_stdout, reason = "a test harness prints its own output")]

mod binary;
mod client_go;
mod connection;
mod demo;
mod direction;
mod dump;
mod events;
mod faults;
mod formats;
mod harness;
mod labs;
mod logs;
mod normalized_output;
mod plane;
mod related;
mod running;
mod status;
mod tree;
mod tree_faults;
mod version;
mod wait;
mod watch;
mod worlds;

use std::process::ExitCode;

use libtest_mimic::Arguments;

fn main() -> ExitCode {
    if let Some(done) = lab::run_as_subprocess() {
        return match done {
            Ok(()) => ExitCode::SUCCESS,
            Err(error) => {
                eprintln!("error: {error:#}");
                ExitCode::FAILURE
            }
        };
    }
    if std::env::args().nth(1).as_deref() == Some(plane::HOLD) {
        return plane::hold();
    }
    let tests = [
        plane::tests(),
        worlds::tests(),
        faults::tests(),
        version::tests(),
        connection::tests(),
        client_go::tests(),
        tree::tests(),
        events::tests(),
        formats::tests(),
        logs::tests(),
        tree_faults::tests(),
        related::tests(),
        direction::tests(),
        status::tests(),
        demo::tests(),
        dump::tests(),
        wait::tests(),
        watch::tests(),
    ]
    .into_iter()
    .flatten()
    .collect();
    harness::run(Arguments::from_args(), tests)
}
