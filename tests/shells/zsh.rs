//! TAB in an interactive zsh.

use libtest_mimic::{Completion, Failed};

use crate::cases;
use crate::terminal::{Home, missing};

pub(crate) fn completes_commands_flags_and_values() -> Result<Completion, Failed> {
    if let Some(reason) = missing(&["zsh", "script"]) {
        return Ok(Completion::ignored_with(reason));
    }
    let home = Home::new();
    home.write("functions/_kubectl-op", &Home::script("zsh"));
    home.write(
        ".zshrc",
        "path=(~/bin $path)\nfpath=(~/functions $fpath)\nautoload -Uz compinit\ncompinit -u -D\nPROMPT='ready>'\n",
    );
    home.type_all("zsh -d -i", &cases::all())?;
    Ok(Completion::Completed)
}
