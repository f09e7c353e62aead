//! The process: parse, run, report the error once, exit code. The environment is read here and nowhere else.

#![forbid(unsafe_code)]

use std::io;
use std::process::ExitCode;

use kubectl_op::error::{Failure, Outcome};
use kubectl_op::ui::Ui;
use kubectl_op::{Env, cli, run};

fn main() -> ExitCode {
    #[expect(clippy::disallowed_methods, reason = "the one place that reads it")]
    let env = Env::read(|name| std::env::var_os(name));
    let mut ui = Ui::new(env.terminal.clone());
    let call = cli::parse(std::env::args_os());
    let outcome = run(call, &env, &mut ui).unwrap_or_else(|error| report(&error, &mut ui));
    ExitCode::from(outcome.code())
}

fn report(error: &anyhow::Error, ui: &mut Ui) -> Outcome {
    // The reader has read enough: `kubectl op ... | head -1` is no error.
    if error.downcast_ref::<io::Error>().is_some_and(|error| error.kind() == io::ErrorKind::BrokenPipe) {
        return Outcome::Fine;
    }
    let failure = error.downcast_ref::<Failure>();
    ui.error(error.as_ref(), failure.and_then(Failure::way_on));
    failure.map_or(Outcome::CouldNotAsk, Failure::outcome)
}
