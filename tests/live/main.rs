//! kubectl-op and its lab against real Kubernetes parts. `cargo test --test live NAME` runs the tests whose
//! name contains NAME; `-- --list` lists them without starting anything.

#![expect(clippy::print_stderr, clippy::print_stdout, reason = "a test harness speaks for itself")]

mod answers;
mod binary;
mod connection;
mod demo;
mod dump;
mod events;
mod faults;
mod formats;
mod front_door;
mod harness;
mod labs;
mod logs;
mod plane;
mod reading;
mod related;
mod running;
mod status;
mod tree;
mod wait;
mod watch;
mod worlds;

use std::process::ExitCode;

use libtest_mimic::Arguments;

fn main() -> ExitCode {
    if let Some(done) = lab::reenter() {
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
        front_door::tests(),
        connection::tests(),
        tree::tests(),
        events::tests(),
        formats::tests(),
        logs::tests(),
        reading::tests(),
        related::tests(),
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
