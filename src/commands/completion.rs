//! `completion`: prints a script that completes `kubectl-op` in a shell.

use std::fmt::Write as _;

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

/// The script for bash, from clap's with what does not work in it replaced.
fn bash_script(definition: &mut clap::Command) -> anyhow::Result<String> {
    // clap spells its case labels in two ways if the name has a hyphen, so that nothing after the command is completed.
    let name = BINARY.replace('-', "_");
    let script = generate(aot::Bash, definition, &name)?;
    Ok(script
        .replace(&format!("-o default {name}\n"), &format!("-o default {BINARY}\n"))
        .replace("$(compgen -W \"${opts}\"", "$(compgen -X \"${left_out}\" -W \"${opts}\"")
        .replacen("    prev=\"$3\"\n", BASH_WORDS, 1))
}

/// Replaces how clap finds the previous word.
const BASH_WORDS: &str = r#"    prev="$3"
    # bash splits --flag=value into three words.
    if [[ "${cur}" == "=" ]]; then
        prev="${COMP_WORDS[COMP_CWORD-1]}"
        cur=""
    elif [[ "${prev}" == "=" && "${COMP_CWORD}" -ge 2 ]]; then
        prev="${COMP_WORDS[COMP_CWORD-2]}"
    fi
    # Flags are offered after a hyphen only, as kubectl does.
    local left_out="-*"
    if [[ "${cur}" == -* ]]; then
        left_out=""
    fi
"#;

/// The script for fish, with the values of arguments, which clap leaves out. Where an argument is expected, fish would
/// offer files.
fn fish_script(definition: &mut clap::Command) -> anyhow::Result<String> {
    let mut script = generate(aot::Fish, definition, BINARY)?;
    let function = format!("__fish_{}_using_subcommand", BINARY.replace('-', "_"));
    for command in definition.get_subcommands().filter(|command| command.get_name() != "help") {
        let values = command.get_positionals().flat_map(clap::Arg::get_possible_values);
        let values: Vec<String> = values.map(|value| value.get_name().to_owned()).collect();
        let values = if values.is_empty() { String::new() } else { format!(" -a \"{}\"", values.join(" ")) };
        let name = command.get_name();
        writeln!(script, "complete -c {BINARY} -n \"{function} {name}\" -f{values}")?;
    }
    Ok(script)
}

fn generate(
    shell: impl aot::Generator,
    definition: &mut clap::Command,
    name: &str,
) -> anyhow::Result<String> {
    let mut script = Vec::new();
    aot::generate(shell, definition, name, &mut script);
    Ok(String::from_utf8(script)?)
}

/// Prints the script./// Prints the script. `definition` is the command line as clap knows it.
pub fn run(args: &CompletionArgs, mut definition: clap::Command, ui: &mut Ui) -> anyhow::Result<Outcome> {
    let script = match args.shell {
        Shell::Bash => bash_script(&mut definition)?,
        Shell::Zsh => generate(aot::Zsh, &mut definition, BINARY)?,
        Shell::Fish => fish_script(&mut definition)?,
        Shell::Powershell => generate(aot::PowerShell, &mut definition, BINARY)?,
    };
    ui.print(&script)?;
    Ok(Outcome::Success)
}
