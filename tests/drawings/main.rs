//! Drawings as the tools that read them see them: Graphviz's `dot` and Mermaid's own code. A tool that is not here
//! leaves its test ignored with the reason; `.ci/run` brings both.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod graphviz;
mod hostile;
mod mermaid;
mod tool;

use std::process::ExitCode;

use libtest_mimic::{Arguments, Trial};

fn main() -> ExitCode {
    let trials = vec![
        Trial::ignorable_test("graphviz::draws_every_text_as_it_is", graphviz::draws_every_text_as_it_is),
        Trial::ignorable_test("mermaid::draws_every_text_as_it_is", mermaid::draws_every_text_as_it_is),
    ];
    libtest_mimic::run(&Arguments::from_args(), trials).exit_code()
}
