//! `options`: lists the flags that every command accepts.

use clap::Args as _;

use super::args::CommonArgs;
use super::{Example, Page};
use crate::error::Outcome;
use crate::render::table::Table;
use crate::ui::Ui;

pub(super) const PAGE: Page = Page {
    name: "options",
    usage: "options",
    examples: &[Example { command: "options", description: "list the global flags" }],
    requirements: "Needs no cluster.",
};

/// Print the list of flags inherited by all commands
#[derive(clap::Args, Debug)]
pub struct OptionsArgs {}

/// Prints the list, from the definition that parses the flags.
pub fn run(_: &OptionsArgs, ui: &mut Ui) -> anyhow::Result<Outcome> {
    let mut table = Table::new(["FLAG", "MEANING"]);
    for flag in CommonArgs::augment_args(clap::Command::new("")).get_arguments() {
        table.row([spelling(flag), flag.get_help().map(ToString::to_string).unwrap_or_default()]);
    }
    let text = table.write(ui.styles(), ui.width());
    ui.print(&text)?;
    Ok(Outcome::Success)
}

/// `-n, --namespace NAME`, with blanks if there is no short form.
fn spelling(flag: &clap::Arg) -> String {
    let short = flag.get_short().map_or_else(|| "    ".to_owned(), |short| format!("-{short}, "));
    let long = flag.get_long().unwrap_or_default();
    match flag.get_value_names() {
        // A flag whose value is optional is a switch, even if clap knows a name for its value.
        Some([value]) if flag.get_action().takes_values() && !flag.is_require_equals_set() => {
            format!("{short}--{long} {value}")
        }
        _ => format!("{short}--{long}"),
    }
}
