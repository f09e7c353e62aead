//! `status`: is a resource healthy, and if not, what is the first cause.

use super::gather::{Ask, Columns, Extent, Places, gather};
use super::next::{self, Way};
use super::object::ObjectArgs;
use super::output::{Output, output};
use super::wait::attend;
use super::{Example, Page};
use crate::error::{Failure, Kind, Outcome};
use crate::inspect::related;
use crate::inspect::status::{self, Below, Resource, Status};
use crate::inspect::tree;
use crate::model::health::Verdict;
use crate::model::rulebook::Rulebook;
use crate::model::selector::Selector;
use crate::render::status::{All, Detail, View};
use crate::render::tree::Times;
use crate::render::{machine, status as render};
use crate::source::{Aim, Attention};
use crate::ui::Ui;

pub(super) const PAGE: Page = Page {
    name: "status",
    usage: "status [TYPE[/NAME]...] [flags]",
    examples: &[
        Example { call: "status website/shop", says: "one resource, and everything below it" },
        Example { call: "status websites -A", says: "every Website, the worst first" },
        Example { call: "status -n shop", says: "every custom resource of a namespace" },
        Example { call: "status website/shop --explain", says: "with the rule behind each verdict" },
        Example { call: "status website/shop -n shop --demo", says: "in the built-in world" },
    ],
    needs: "Reads only. Needs: get on the resource, list on what it owns; works with less and says what it could not see.",
};

/// Say whether a resource is healthy and, if not, why
#[expect(clippy::struct_excessive_bools, reason = "each is a switch of its own on the command line")]
#[derive(clap::Args, Debug)]
pub struct StatusArgs {
    #[command(flatten)]
    object: ObjectArgs,
    /// Look into all namespaces
    #[arg(long, short = 'A', help_heading = "Select")]
    all_namespaces: bool,
    /// Labels of the resources to look at
    #[arg(long, short = 'l', value_name = "SELECTOR", value_parser = Selector::parse, help_heading = "Select")]
    selector: Option<Selector>,
    /// Take the resource's own word, and look at nothing below it
    #[arg(long, help_heading = "Select")]
    no_children: bool,
    /// Show the rule and the fields behind each verdict
    #[arg(long, help_heading = "Show")]
    explain: bool,
    /// Show every resource, also many that are fine
    #[arg(long, help_heading = "Show")]
    all: bool,
    /// Format: wide, json, yaml, name or jsonpath=TEMPLATE
    #[arg(long, short, value_name = "FORMAT", value_parser = output, help_heading = "Show")]
    output: Option<Output>,
    /// Show times instead of ages
    #[arg(long, help_heading = "Show")]
    absolute_time: bool,
}

/// Gathers, judges, prints.
pub fn run(args: &StatusArgs, aim: &Aim, rulebook: &Rulebook, ui: &mut Ui) -> anyhow::Result<Outcome> {
    let named =
        if args.object.is_empty() { Vec::new() } else { args.object.all(&aim.target.program, "status")? };
    let below = if args.no_children { Below::Nothing } else { Below::All };
    let attention = Attention::default();
    let clues = |roots: &[_], kinds: &[_]| match below {
        Below::All => related::clues(roots, kinds),
        Below::Nothing => related::no_clues(roots, kinds),
    };
    let of_one = matches!(named.as_slice(), [one] if one.name.is_some());
    let ask = Ask {
        aim,
        named: &named,
        places: if args.all_namespaces { Places::All } else { Places::Own },
        extent: if args.no_children { Extent::Roots } else { Extent::Trees },
        selector: args.selector.clone().unwrap_or_default(),
        command: PAGE.name,
        clues: &clues,
        columns: if of_one { Columns::Asked } else { Columns::NotAsked },
    };
    let gathered = attend(&attention, ui, async {
        let reading = |snapshot: &_| status::reading(snapshot, below, rulebook);
        let mut gathered = gather(&ask, &attention, reading).await?;
        if of_one {
            let members = tree::members(&gathered.snapshot, status::asked(below).related);
            let about: Vec<usize> = members.iter().map(|member| member.object).collect();
            gathered.add_events(&about, &attention).await;
        }
        Ok(gathered)
    })?;
    gathered.remark(ui);
    let report = status::tell(&gathered.snapshot, below, rulebook);
    if report.resources.is_empty() && of_one {
        return Err(Failure::new(Kind::Server, "the object was deleted while it was read").into());
    }
    ui.print(&args.text(&report, &named_word(args, &report), of_one, aim, ui)?)?;
    if attention.stop.is_asked() {
        return Ok(Outcome::Interrupted);
    }
    Ok(outcome(&report))
}

/// What the resources are called together.
fn named_word(args: &StatusArgs, report: &Status) -> String {
    let mut kinds: Vec<&str> =
        report.resources.iter().map(|resource| resource.object.kind.as_str()).collect();
    kinds.sort_unstable();
    kinds.dedup();
    match (kinds.as_slice(), report.resources.len()) {
        ([kind], 1) => (*kind).to_owned(),
        ([kind], _) => format!("{kind}s"),
        _ if args.object.is_empty() => "custom resources".to_owned(),
        ([], _) => "resources of that type".to_owned(),
        _ => "resources".to_owned(),
    }
}

impl StatusArgs {
    fn text(&self, report: &Status, what: &str, of_one: bool, aim: &Aim, ui: &Ui) -> anyhow::Result<String> {
        let styles = ui.styles();
        let detail = match &self.output {
            _ if self.explain => Detail::Explained,
            Some(Output::Wide) => Detail::Wide,
            _ => Detail::Usual,
        };
        let times = if self.absolute_time { Times::Absolute } else { Times::Ages };
        let view = View { times, detail };
        Ok(match &self.output {
            Some(Output::Machine(format)) => machine::write(report, *format)?,
            Some(Output::Name) => render::names(report, styles),
            Some(Output::JsonPath(template)) => {
                let filled = template.write(&serde_json::to_value(report)?);
                styles.block(&filled.map_err(|problem| Failure::new(Kind::Usage, problem.to_string()))?)
            }
            Some(Output::Dot | Output::Mermaid | Output::Columns(_)) => {
                return Err(Failure::new(
                    Kind::Usage,
                    "this format is for trees; allowed formats are: json,jsonpath,name,wide,yaml",
                )
                .into());
            }
            Some(Output::Wide) | None => {
                let told = match report.resources.as_slice() {
                    [one] if of_one => render::one(one, report, view, styles, ui.width()),
                    _ => {
                        let all = if self.all || detail == Detail::Wide { All::Shown } else { All::Counted };
                        render::many(report, what, view, all, styles, ui.width())
                    }
                };
                let next = report.resources.first().map(|worst| next(worst, of_one, aim));
                let next = next.map_or_else(String::new, |next| format!("next: {}\n", styles.plain(&next)));
                format!("{told}{next}")
            }
        })
    }
}

/// The command that says more.
fn next(worst: &Resource, of_one: bool, aim: &Aim) -> String {
    match worst.subtree.cause.as_ref() {
        _ if !of_one => next::call(&worst.object, Way::Status, aim),
        Some(cause) if is_crash(&cause.status) && cause.object.kind == "Pod" => {
            next::call(&cause.object, Way::PreviousLogs, aim)
        }
        Some(cause) if !cause.is_own => next::call(&cause.object, Way::Around, aim),
        Some(_) => next::call(&worst.object, Way::Events, aim),
        None => next::call(&worst.object, Way::Tree, aim),
    }
}

fn is_crash(status: &str) -> bool {
    matches!(status, "CrashLoopBackOff" | "Error" | "OOMKilled")
}

/// For many resources: what is not fine comes before what cannot be judged.
fn outcome(report: &Status) -> Outcome {
    let verdicts = || report.resources.iter().map(|resource| resource.subtree.verdict);
    let trouble = |verdict: Verdict| {
        !matches!(verdict, Verdict::None | Verdict::Ready | Verdict::Suspended | Verdict::Unknown)
    };
    if verdicts().any(trouble) {
        Outcome::NotFine
    } else if verdicts().any(|verdict| verdict == Verdict::Unknown) || report.doubt {
        Outcome::CannotJudge
    } else {
        Outcome::Fine
    }
}
