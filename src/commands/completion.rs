//! `completion`: prints a script that completes `kubectl-op` in a shell.

use clap::ValueEnum;
use clap_complete::aot;

use super::{Example, Page};
use crate::error::Outcome;
use crate::ui::Ui;

/// The file that is completed: kubectl finds plugins by this name, and shells complete files.
const BINARY: &str = env!("CARGO_PKG_NAME");

pub(super) const PAGE: Page = Page {
    name: "completion",
    usage: "completion bash|zsh|fish|powershell",
    examples: &[
        Example { call: "completion bash", says: "print the script for bash" },
        Example { call: "completion zsh > _kubectl-op", says: "save it in a folder of zsh's fpath" },
        Example { call: "completion fish | source", says: "complete in this fish session" },
    ],
    needs: "Completes the command kubectl-op. Needs no cluster.",
};

/// Print a completion script for a shell
#[derive(clap::Args, Debug)]
pub struct CompletionArgs {
    /// The shell to print it for
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

/// Prints the script; `definition` is the whole command line as clap knows it.
pub fn run(args: &CompletionArgs, mut definition: clap::Command, ui: &mut Ui) -> anyhow::Result<Outcome> {
    let mut script = Vec::new();
    match args.shell {
        Shell::Bash => aot::generate(aot::Bash, &mut definition, BINARY, &mut script),
        Shell::Zsh => aot::generate(aot::Zsh, &mut definition, BINARY, &mut script),
        Shell::Fish => aot::generate(aot::Fish, &mut definition, BINARY, &mut script),
        Shell::Powershell => aot::generate(aot::PowerShell, &mut definition, BINARY, &mut script),
    }
    ui.print(&String::from_utf8(script)?)?;
    Ok(Outcome::Fine)
}
