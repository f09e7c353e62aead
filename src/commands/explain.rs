//! `explain`: what a finding code means and what to do about it. Needs no cluster.

use clap::builder::{StringValueParser, TypedValueParser};

use super::args::OutputArg;
use super::suggest::suggesting;
use super::{Example, Page, join_or};
use crate::error::{Failure, FailureKind, Outcome};
use crate::inspect::explain;
use crate::render::{explain as render, json_yaml};
use crate::source::resolve::near_names;
use crate::ui::Ui;

pub(super) const PAGE: Page = Page {
    name: "explain",
    usage: "explain CODE | --list [flags]",
    examples: &[
        Example { command: "explain OP-T001", description: "what a code means and what to do about it" },
        Example { command: "explain --list", description: "list all codes" },
        Example { command: "explain op-h010 -o json", description: "as JSON; codes are case-insensitive" },
    ],
    requirements: "Needs no cluster.",
};

/// Explain what a finding code means and what to do
#[derive(clap::Args, Debug)]
pub struct ExplainArgs {
    /// Code of a finding, as tree and status print it
    #[arg(
        value_name = "CODE", value_parser = code_parser(), hide_possible_values = true,
        required_unless_present = "list", conflicts_with = "list",
    )]
    code: Option<String>,
    /// List all codes
    #[arg(long, help_heading = "Selection")]
    list: bool,
    #[command(flatten)]
    output: OutputArg,
}

/// Prints the page of a code, or the list of all codes.
pub fn run(args: &ExplainArgs, program: &str, ui: &mut Ui) -> anyhow::Result<Outcome> {
    let report = match &args.code {
        Some(code) => explain::one(code).ok_or_else(|| unknown(code, program))?,
        None => explain::all(),
    };
    let text = match (args.output.output, &args.code) {
        (Some(format), _) => json_yaml::write(&report, format, ui.styles())?,
        (None, Some(_)) => {
            let page = |code| render::page(code, program, ui.styles(), ui.width());
            report.codes.iter().map(page).collect()
        }
        (None, None) => {
            let first = report.codes.first().map_or("--list", |code| code.code.as_str());
            let list = render::list(&report, ui.styles(), ui.width());
            format!("{list}\nnext: {program} explain {first}\n")
        }
    };
    ui.print(&text)?;
    Ok(Outcome::Success)
}

/// Any text: an unknown code has an error message of its own.
fn code_parser() -> impl TypedValueParser<Value = String> {
    suggesting(StringValueParser::new(), explain::names())
}

fn unknown(code: &str, program: &str) -> Failure {
    let failure = Failure::new(FailureKind::Usage, format!("unknown code \"{code}\""));
    let near = near_names(explain::names(), &code.to_uppercase());
    if near.is_empty() {
        failure.hint(format!("for a list of all codes: {program} explain --list"))
    } else {
        failure.hint(format!(
            "did you mean {}? For a list of all codes: {program} explain --list",
            join_or(&near)
        ))
    }
}
