//! TAB in an interactive bash.

use libtest_mimic::{Completion, Failed};

use crate::cases::{self, Case};
use crate::terminal::{Home, missing};

pub(crate) fn completes_commands_flags_and_values() -> Result<Completion, Failed> {
    if let Some(reason) = missing(&["bash", "script"]) {
        return Ok(Completion::ignored_with(reason));
    }
    let home = Home::new();
    home.write("completion", &Home::script("bash"));
    home.write("rc", "PATH=$HOME/bin:$PATH\nPS1='ready>'\nbind 'set bell-style none'\n. ~/completion\n");
    let mut cases = cases::all();
    // bash splits a word at `=`.
    let joined =
        |typed: &str, completed: &str| Case { typed: typed.to_owned(), completed: completed.to_owned() };
    cases.extend([
        joined("kubectl-op status --color=n", "kubectl-op status --color=never"),
        joined("kubectl-op -n shop tree --output=j", "kubectl-op -n shop tree --output=json"),
        joined("kubectl-op -n shop tree --own", "kubectl-op -n shop tree --owned-only"),
    ]);
    home.type_all("bash --noprofile --rcfile rc -i", &cases)?;
    Ok(Completion::Completed)
}
