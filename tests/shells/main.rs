//! What a person types at a real prompt: TAB in bash, zsh and fish, and the keys of the picker. A shell that is not here
//! leaves its test ignored with the reason; `.ci/run` brings them.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod bash;
mod cases;
mod fish;
mod picker;
mod terminal;
mod zsh;

use std::process::ExitCode;

use libtest_mimic::{Arguments, Trial};

fn main() -> ExitCode {
    let trials = vec![
        Trial::ignorable_test(
            "bash::completes_commands_flags_and_values",
            bash::completes_commands_flags_and_values,
        ),
        Trial::ignorable_test(
            "fish::completes_commands_flags_and_values",
            fish::completes_commands_flags_and_values,
        ),
        Trial::ignorable_test(
            "zsh::completes_commands_flags_and_values",
            zsh::completes_commands_flags_and_values,
        ),
        Trial::ignorable_test(
            "picker::letters_filter_and_health_is_shown",
            picker::letters_filter_and_health_is_shown,
        ),
        Trial::ignorable_test(
            "picker::escape_and_interrupt_leave_with_130",
            picker::escape_and_interrupt_leave_with_130,
        ),
    ];
    libtest_mimic::run(&Arguments::from_args(), trials).exit_code()
}
