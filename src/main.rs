//! The process: parses the command line, runs it, prints the error, sets the exit code. The environment is read here and
//! nowhere else.

#![forbid(unsafe_code)]

use std::io;
use std::process::ExitCode;

use kubectl_op::error::{Failure, Outcome};
use kubectl_op::interrupt::Interrupt;
use kubectl_op::ui::Ui;
use kubectl_op::{Env, cli, run};

fn main() -> ExitCode {
    #[expect(clippy::disallowed_methods, reason = "the only place that reads the environment")]
    let env = Env::read(|name| std::env::var_os(name));
    let interrupt = Interrupt::listen();
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
