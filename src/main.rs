//! The process: parses the command line, runs it, prints the error, sets the exit code. The environment is read here and
//! nowhere else, and only Ctrl-C ends the process anywhere but at the end of `main`.

#![forbid(unsafe_code)]

use std::process::ExitCode;
use std::{io, process, thread};

use kubectl_op::error::{Failure, Outcome};
use kubectl_op::interrupt::{Interrupt, Reaction};
use kubectl_op::ui::{self, Ui};
use kubectl_op::{Env, cli, run};

fn main() -> ExitCode {
    #[expect(clippy::disallowed_methods, reason = "the only place that reads the environment")]
    let env = Env::read(|name| std::env::var_os(name));
    let interrupt = Interrupt::default();
    listen(interrupt.clone());
    let mut ui = Ui::new(env.terminal.clone());
    let parsed = cli::parse(std::env::args_os());
    let outcome =
        run(parsed, &env, &interrupt, &mut ui).unwrap_or_else(|error| match report(&error, &mut ui) {
            // What was not found may be in the part that was not read.
            Outcome::Error if interrupt.is_pressed() => Outcome::Interrupted,
            outcome => outcome,
        });
    ExitCode::from(outcome.code())
}

fn report(error: &anyhow::Error, ui: &mut Ui) -> Outcome {
    // The reader closed the pipe: `kubectl op ... | head -1` is not an error.
    if error.downcast_ref::<io::Error>().is_some_and(|error| error.kind() == io::ErrorKind::BrokenPipe) {
        return Outcome::Success;
    }
    let failure = error.downcast_ref::<Failure>();
    ui.error(error.as_ref(), failure.and_then(Failure::hint_text));
    failure.map_or(Outcome::Error, Failure::outcome)
}

/// Handles Ctrl-C on a thread of its own, because every other thread may be computing or blocked. If the thread cannot
/// be started, Ctrl-C ends the process as the system does it.
fn listen(interrupt: Interrupt) {
    let listener = thread::Builder::new().name("ctrl-c".to_owned());
    drop(listener.spawn(move || {
        let Ok(runtime) = tokio::runtime::Builder::new_current_thread().enable_io().build() else { return };
        runtime.block_on(async {
            let Ok(mut presses) = ctrl_c() else { return };
            while presses.recv().await.is_some() {
                if interrupt.press() == Reaction::Exit {
                    exit();
                }
            }
        });
    }));
}

#[cfg(unix)]
fn ctrl_c() -> io::Result<tokio::signal::unix::Signal> {
    tokio::signal::unix::signal(tokio::signal::unix::SignalKind::interrupt())
}

#[cfg(windows)]
fn ctrl_c() -> io::Result<tokio::signal::windows::CtrlC> {
    tokio::signal::windows::ctrl_c()
}

#[expect(
    clippy::disallowed_methods,
    clippy::exit,
    reason = "Ctrl-C ends the process whatever else it is doing"
)]
fn exit() -> ! {
    ui::restore_terminal();
    process::exit(Outcome::Interrupted.code().into())
}
