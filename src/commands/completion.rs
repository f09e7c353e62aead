//! `completion`: prints a script that completes `kubectl-op` in a shell.

use clap::ValueEnum;
use clap_complete::aot;

use super::{Example, Page};
use crate::error::Outcome;
use crate::ui::Ui;

/// The executable that is completed: kubectl finds plugins by this name, and shells complete executables.
const BINARY: &str = env!("CARGO_PKG_NAME");

pub(super) const PAGE: Page = Page {
    name: "completion",
    usage: "completion bash|zsh|fish|powershell",
    examples: &[
        Example { command: "completion bash", description: "print the script for bash" },
        Example {
            command: "completion zsh > _kubectl-op",
            description: "save it in a directory of your fpath",
        },
        Example { command: "completion fish | source", description: "load it into the current fish session" },
    ],
    requirements: "Completes the executable kubectl-op. Needs no cluster.",
};

/// Print the completion script for a shell
#[derive(clap::Args, Debug)]
pub struct CompletionArgs {
    /// Shell to print the script for
    #[arg(value_name = "SHELL")]
    shell: Shell,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum Shell {
    Bash,
    Zsh,
    Fish,
    Powershell,
}

/// Prints the script. `definition` is the command line as clap knows it.
pub fn run(args: &CompletionArgs, mut definition: clap::Command, ui: &mut Ui) -> anyhow::Result<Outcome> {
    let mut script = Vec::new();
    match args.shell {
        Shell::Bash => aot::generate(aot::Bash, &mut definition, BINARY, &mut script),
        Shell::Zsh => aot::generate(aot::Zsh, &mut definition, BINARY, &mut script),
        Shell::Fish => aot::generate(aot::Fish, &mut definition, BINARY, &mut script),
        Shell::Powershell => aot::generate(aot::PowerShell, &mut definition, BINARY, &mut script),
    }
    ui.print(&String::from_utf8(script)?)?;
    Ok(Outcome::Success)
}
