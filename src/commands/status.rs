//! `status`: is a resource healthy, and if not, what is the first cause.

use std::time::Instant;

use clap::builder::{PossibleValuesParser, TypedValueParser};

use super::duration::{Limit, limit};
use super::gather::{Ask, Columns, Extent, Places, gather};
use super::next::{self, Way};
use super::object::ObjectArgs;
use super::output::{Output, output};
use super::status_watch::{self, Telling};
use super::wait::attend;
use super::{Example, Page};
use crate::error::{Failure, Kind, Outcome};
use crate::inspect::related;
use crate::inspect::status::{self, Below, Goal, Resource, Status};
use crate::inspect::tree;
use crate::model::health::Verdict;
use crate::model::rulebook::Rulebook;
use crate::model::selector::Selector;
use crate::render::status::{All, Verbosity, View};
use crate::render::tree::Times;
use crate::render::{machine, status as render};
use crate::source::{ReadContext, SourceSpec};
use crate::ui::Ui;

pub(super) const PAGE: Page = Page {
    name: "status",
    usage: "status [TYPE[/NAME]...] [flags]",
    examples: &[
        Example { call: "status website/shop", says: "one resource, and everything below it" },
        Example { call: "status websites -A", says: "every Website, the worst first" },
        Example { call: "status -n shop", says: "every custom resource of a namespace" },
        Example {
            call: "status website/shop --wait --timeout 5m",
            says: "returns when it is ready, or too late",
        },
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
    /// Wait until it is ready (also said healthy), until nothing moves any more (settled), or until it is gone (deleted)
    #[arg(
        long, value_name = "GOAL", value_parser = goals(), num_args = 0..=1, require_equals = true,
        default_missing_value = "ready", hide_possible_values = true, conflicts_with = "watch", help_heading = "Wait",
    )]
    wait: Option<Goal>,
    /// How long to wait, 5m if not given: seconds, or 1s, 2m, 1m30s; 0 waits forever
    #[arg(long, value_name = "TIME", default_value = "5m", value_parser = limit, help_heading = "Wait")]
    timeout: Limit,
    /// Keep watching: on a terminal the page is drawn anew, in a pipe every change is a line
    #[arg(long, short = 'w', help_heading = "Wait")]
    watch: bool,
    /// Show the rule and the fields behind each verdict
    #[arg(long, help_heading = "Show")]
    explain: bool,
    /// Show every resource, also many that are fine
    #[arg(long, help_heading = "Show")]
    all: bool,
    /// Format: wide, json, yaml, name or jsonpath=TEMPLATE
    #[arg(long, short, value_name = "FORMAT", value_parser = output, help_heading = "Show")]
    pub(super) output: Option<Output>,
    /// Show times instead of ages
    #[arg(long, help_heading = "Show")]
    absolute_time: bool,
}

/// Gathers, judges, prints.
pub fn run(
    args: &StatusArgs,
    spec: &SourceSpec,
    rulebook: &Rulebook,
    ui: &mut Ui,
) -> anyhow::Result<Outcome> {
    let named =
        if args.object.is_empty() { Vec::new() } else { args.object.all(&spec.target.program, "status")? };
    let below = if args.no_children { Below::Nothing } else { Below::All };
    let context = ReadContext::default();
    let candidates = |roots: &[_], kinds: &[_]| match below {
        Below::All => related::candidates(roots, kinds),
        Below::Nothing => related::no_candidates(roots, kinds),
    };
    let of_one = matches!(named.as_slice(), [one] if one.name.is_some());
    let ask = Ask {
        spec,
        named: &named,
        places: if args.all_namespaces { Places::All } else { Places::Own },
        extent: if args.no_children { Extent::Roots } else { Extent::Trees },
        selector: args.selector.clone().unwrap_or_default(),
        command: PAGE.name,
        candidates: &candidates,
        columns: if of_one { Columns::Asked } else { Columns::NotAsked },
    };
    if args.watch || args.wait.is_some() {
        return follow(args, &ask, below, rulebook, &context, ui);
    }
    let gathered = attend(&context, ui, async {
        let fetch_plan = |snapshot: &_| status::fetch_plan(snapshot, below, rulebook);
        let mut gathered = gather(&ask, &context, fetch_plan).await?;
        if of_one {
            let members = tree::members(&gathered.snapshot, status::asked(below).related);
            let about: Vec<usize> = members.iter().map(|member| member.object).collect();
            gathered.add_events(&about, &context).await;
        }
        Ok(gathered)
    })?;
    gathered.remark(ui);
    let report = status::tell(&gathered.snapshot, below, rulebook);
    if report.resources.is_empty() && of_one {
        return Err(Failure::new(Kind::Server, "the object was deleted while it was read").into());
    }
    let word = named_word(args, &report);
    let subject = if of_one { Subject::One } else { Subject::Many(&word) };
    ui.print(&args.text(&report, subject, spec, ui)?)?;
    if context.stop.is_asked() {
        return Ok(Outcome::Interrupted);
    }
    Ok(outcome(&report))
}

/// Tells the status of each named resource until it is enough, one after the other: when the last one is done, the
/// others have been.
fn follow(
    args: &StatusArgs,
    ask: &Ask<'_>,
    below: Below,
    rulebook: &Rulebook,
    context: &ReadContext,
    ui: &mut Ui,
) -> anyhow::Result<Outcome> {
    let what = if args.watch { "-w" } else { "--wait" };
    let all_named = !ask.named.is_empty() && ask.named.iter().all(|named| named.name.is_some());
    let one_for_watch = !args.watch || ask.named.len() == 1;
    status_watch::check(args, ask.spec, all_named && one_for_watch, what)?;
    let deadline = args.timeout.0.map(|limit| Instant::now() + limit);
    let mut worst = Outcome::Fine;
    for named in ask.named {
        let ask = Ask { named: std::slice::from_ref(named), selector: Selector::default(), ..*ask };
        let telling = Telling { args, ask: &ask, below, rulebook, context };
        let ended = match args.wait {
            None => status_watch::watch(&telling, ui),
            Some(goal) => status_watch::wait(&telling, goal, deadline, ui),
        };
        let ended = match ended {
            // What was never there, or is gone already, needs no waiting.
            Err(error) if args.wait == Some(Goal::Deleted) && is_absent(&error) => {
                ui.note(&error.to_string());
                Outcome::Fine
            }
            ended => ended?,
        };
        if ended == Outcome::Interrupted {
            return Ok(ended);
        }
        worst = if severity(ended) > severity(worst) { ended } else { worst };
    }
    Ok(worst)
}

fn is_absent(error: &anyhow::Error) -> bool {
    error.downcast_ref::<Failure>().is_some_and(|failure| failure.kind() == Kind::NotFound)
}

/// What is not fine comes before what is still moving, and that before what cannot be judged.
const fn severity(outcome: Outcome) -> u8 {
    match outcome {
        Outcome::Fine => 0,
        Outcome::CannotJudge => 1,
        Outcome::StillMoving => 2,
        _ => 3,
    }
}

fn goals() -> impl TypedValueParser<Value = Goal> {
    PossibleValuesParser::new(["ready", "healthy", "settled", "deleted"]).map(|word| match word.as_str() {
        "settled" => Goal::Settled,
        "deleted" => Goal::Deleted,
        _ => Goal::Ready,
    })
}

/// Whether a page or a list is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Subject<'a> {
    One,
    /// What they are called together.
    Many(&'a str),
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
    pub(super) fn text(
        &self,
        report: &Status,
        subject: Subject<'_>,
        spec: &SourceSpec,
        ui: &Ui,
    ) -> anyhow::Result<String> {
        let styles = ui.styles();
        let detail = match &self.output {
            _ if self.explain => Verbosity::Explained,
            Some(Output::Wide) => Verbosity::Wide,
            _ => Verbosity::Usual,
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
                let told = match (subject, report.resources.as_slice()) {
                    (Subject::One, [one]) => render::one(one, report, view, styles, ui.width()),
                    (subject, _) => {
                        let all =
                            if self.all || detail == Verbosity::Wide { All::Shown } else { All::Counted };
                        let what = if let Subject::Many(what) = subject { what } else { "resources" };
                        render::many(report, what, view, all, styles, ui.width())
                    }
                };
                let next = report.resources.first().map(|worst| next(worst, subject, spec));
                let next = next.map_or_else(String::new, |next| format!("next: {}\n", styles.plain(&next)));
                format!("{told}{next}")
            }
        })
    }
}

/// The command that says more.
fn next(worst: &Resource, subject: Subject<'_>, spec: &SourceSpec) -> String {
    match worst.subtree.cause.as_ref() {
        _ if subject != Subject::One => next::call(&worst.object, Way::Status, spec),
        Some(cause) if cause.is_crash() => next::call(&cause.object, Way::PreviousLogs, spec),
        Some(cause) if !cause.is_own => next::call(&cause.object, Way::Around, spec),
        Some(_) => next::call(&worst.object, Way::Events, spec),
        None => next::call(&worst.object, Way::Tree, spec),
    }
}

/// For many resources: what is not fine comes before what cannot be judged.
pub(super) fn outcome(report: &Status) -> Outcome {
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
