//! `status`: is a resource healthy, and if not, what is the root cause.

use std::time::Instant;

use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::value_parser;

use super::context::CommandContext;
use super::duration::{Limit, parse_limit};
use super::gather::{Extent, Namespaces, Prepared, PrinterColumns, ReadRequest, deleted_meanwhile, gather};
use super::live;
use super::next::{self, EventsShown, ReportSummary};
use super::object::{ObjectArgs, ResourceArg};
use super::output::{self, Output, times};
use super::status_watch::{self, StatusWatch};
use super::{Example, Page};
use crate::error::{Failure, FailureKind, Outcome};
use crate::inspect::evaluation::Below;
use crate::inspect::related;
use crate::inspect::status::{
    self, EventsOption, Goal, ListedRows, Requested, Resource, StatusOptions, StatusReport,
};
use crate::model::plural::noun;
use crate::model::rulebook::Rulebook;
use crate::model::selector::Selector;
use crate::render::status as render;
use crate::render::status::{NamespaceColumn, Presentation, Verbosity};
use crate::source::SourceSpec;
use crate::ui::Ui;

pub(super) const PAGE: Page = Page {
    name: "status",
    usage: "status [TYPE[/NAME]...] [flags]",
    examples: &[
        Example { command: "status website/shop", description: "a resource and everything below it" },
        Example { command: "status websites -A", description: "all Websites in all namespaces, worst first" },
        Example { command: "status -n shop", description: "all custom resources in a namespace" },
        Example {
            command: "status website/shop --wait --timeout 5m",
            description: "wait until it is ready, at most 5 minutes",
        },
        Example {
            command: "status website/shop -n shop --demo",
            description: "in the built-in demo cluster",
        },
    ],
    requirements: "Read-only. Needs get on the resource and list on the kinds below it, and get on pods/log for the log of a crashed container; reports what it could not read. Exits with 1 if a resource is not healthy, and with 3 if its health is unknown.",
};

/// Show whether resources are healthy and, if not, why
#[expect(clippy::struct_excessive_bools, reason = "each is a switch of its own on the command line")]
#[derive(clap::Args, Debug)]
pub struct StatusArgs {
    #[command(flatten)]
    object: ObjectArgs,
    /// Search all namespaces
    #[arg(long, short = 'A', help_heading = "Selection")]
    all_namespaces: bool,
    /// Selector (label query) to filter the resources
    #[arg(long, short = 'l', value_name = "SELECTOR", value_parser = Selector::parse, help_heading = "Selection")]
    selector: Option<Selector>,
    /// Use only the resource's own status, without the objects below it
    #[arg(long, help_heading = "Selection")]
    no_children: bool,
    /// Wait until the resource is ready (the default), settled (no changes in progress) or deleted
    #[arg(
        long, value_name = "GOAL", value_parser = goal_parser(), num_args = 0..=1, require_equals = true,
        default_missing_value = "ready", hide_possible_values = true, conflicts_with = "watch", help_heading = "Watch",
    )]
    wait: Option<Goal>,
    /// Maximum time to wait (e.g. 30s, 1m30s, 1d); 0 means no limit
    #[arg(long, value_name = "TIME", default_value = "5m", value_parser = parse_limit, help_heading = "Watch")]
    timeout: Limit,
    /// Watch for changes: redraw on a terminal, print a line per change in a pipe
    #[arg(long, short = 'w', help_heading = "Watch")]
    watch: bool,
    /// Number of lines to show of the log of a crashed container, 1000 at most; 0 shows none
    #[arg(
        long, value_name = "LINES", default_value = "5", value_parser = value_parser!(u16).range(0..=1000),
        help_heading = "Output",
    )]
    pub(super) log_lines: u16,
    /// Show the rule and the fields behind each verdict
    #[arg(long, help_heading = "Output")]
    explain: bool,
    /// List each resource, even if many are healthy or equal
    #[arg(long, help_heading = "Output")]
    all: bool,
    /// Output format: wide, json, yaml, name or jsonpath=TEMPLATE
    #[arg(long, short, value_name = "FORMAT", value_parser = output::status(), hide_possible_values = true, help_heading = "Output")]
    pub(super) output: Option<Output>,
    /// Show timestamps instead of ages
    #[arg(long, help_heading = "Output")]
    pub(super) absolute_time: bool,
}

/// The formats that are supported with `-w` and `--wait`.
const STREAMED: [&str; 4] = ["json", "name", "wide", "yaml"];

/// Reads and evaluates the resources, and prints the report.
pub fn run(
    args: &StatusArgs,
    spec: &SourceSpec,
    rulebook: &Rulebook,
    ui: &mut Ui,
) -> anyhow::Result<Outcome> {
    let named =
        if args.object.is_empty() { Vec::new() } else { args.object.all(&spec.target.program, PAGE.name)? };
    args.validate(&named, spec)?;
    if let Some(flag) = args.watch_flag() {
        live::validate(flag, PAGE.name, spec, &named, args.output.as_ref(), &STREAMED)?;
        if args.watch && named.len() > 1 {
            let hint = format!("{} status TYPE/NAME -w", spec.target.program);
            return Err(Failure::new(FailureKind::Usage, "-w: expected exactly one object")
                .hint(hint)
                .into());
        }
    }
    let context = CommandContext::new(spec, PAGE.name)?;
    let session = context.open(ui)?;
    let below = if args.no_children { Below::Nothing } else { Below::All };
    let candidates = |roots: &[_], kinds: &[_]| match below {
        Below::All => related::candidates(roots, kinds),
        Below::Nothing => related::no_candidates(roots, kinds),
    };
    let of_one = matches!(named.as_slice(), [one] if one.name.is_some());
    let request = ReadRequest {
        named: &named,
        namespaces: Namespaces::of_flag(args.all_namespaces),
        extent: if args.no_children { Extent::Roots } else { Extent::Trees },
        selector: args.selector.clone().unwrap_or_default(),
        candidates: &candidates,
        columns: if of_one { PrinterColumns::Read } else { PrinterColumns::Skipped },
    };
    if args.watch_flag().is_some() {
        let status =
            StatusWatch { args, context: &context, session: &session, request: &request, below, rulebook };
        return context.finish(follow(&status, ui)?);
    }
    let prepared = Prepared::new(&context, &session, &request, ui)?;
    let events = if of_one { EventsOption::Read } else { EventsOption::NotRead };
    let log_lines = if of_one { args.log_lines.into() } else { 0 };
    let is_by_name = !named.is_empty() && named.iter().all(|one| one.name.is_some());
    let requested = if is_by_name { Requested::ByName } else { Requested::ByType };
    let options = StatusOptions { below, events, times: times(args.absolute_time), requested, log_lines };
    let report =
        gather(&prepared, ui, |snapshot, attempts| status::inspect(snapshot, attempts, options, rulebook))?;
    if report.resources.is_empty() && of_one {
        return Err(deleted_meanwhile().into());
    }
    let noun = plural_noun(args, &report);
    let subject = if of_one { Subject::One } else { Subject::Many(&noun) };
    ui.print(&args.text(&report, subject, spec, ui)?)?;
    if report.resources.is_empty() {
        prepared.hint_elsewhere(ui);
    }
    let outcome = if context.is_interrupted() { Outcome::Interrupted } else { outcome(&report) };
    // The process ends now; freeing thousands of reports would only delay that.
    std::mem::forget(report);
    context.finish(outcome)
}

/// Watches each resource until its wait ends, one after the other: when the last one has reached the goal, the others
/// have too.
fn follow(status: &StatusWatch<'_>, ui: &mut Ui) -> anyhow::Result<Outcome> {
    let args = status.args;
    // A limit beyond the end of time is no limit.
    let deadline = args.timeout.0.and_then(|limit| Instant::now().checked_add(limit));
    let mut worst = Outcome::Success;
    for named in status.request.named {
        let request = ReadRequest {
            named: std::slice::from_ref(named),
            selector: Selector::default(),
            columns: PrinterColumns::Read,
            ..*status.request
        };
        let one = StatusWatch { request: &request, ..*status };
        let ended = match args.wait {
            None => status_watch::watch(&one, ui),
            Some(goal) => status_watch::wait(&one, goal, deadline, ui),
        };
        let ended = match ended {
            // An object that does not exist is deleted.
            Err(error) if args.wait == Some(Goal::Deleted) && is_not_found(&error) => {
                ui.note(&error.to_string());
                Outcome::Success
            }
            ended => ended?,
        };
        if ended == Outcome::Interrupted {
            return Ok(ended);
        }
        worst = worst.worse(ended);
    }
    Ok(worst)
}

fn is_not_found(error: &anyhow::Error) -> bool {
    error.downcast_ref::<Failure>().is_some_and(|failure| failure.kind() == FailureKind::NotFound)
}

fn goal_parser() -> impl TypedValueParser<Value = Goal> {
    PossibleValuesParser::new(["ready", "healthy", "settled", "deleted"]).map(|word| match word.as_str() {
        "settled" => Goal::Settled,
        "deleted" => Goal::Deleted,
        _ => Goal::Ready,
    })
}

/// Whether one resource or a list is printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Subject<'a> {
    One,
    /// The plural noun for them.
    Many(&'a str),
}

/// The noun for the resources in the headline.
fn plural_noun(args: &StatusArgs, report: &StatusReport) -> String {
    let mut kinds: Vec<&str> =
        report.resources.iter().map(|resource| resource.object.kind.as_str()).collect();
    kinds.sort_unstable();
    kinds.dedup();
    match (kinds.as_slice(), report.resources.len()) {
        ([kind], count) => noun(count, kind),
        _ if args.object.is_empty() => "custom resources".to_owned(),
        ([], _) => "resources of that type".to_owned(),
        _ => "resources".to_owned(),
    }
}

impl StatusArgs {
    /// Rejects names together with flags that select many, in kubectl's words.
    fn validate(&self, named: &[ResourceArg], spec: &SourceSpec) -> Result<(), Failure> {
        let Some(one) = named.iter().find(|named| named.name.is_some()) else { return Ok(()) };
        let (program, kind) = (&spec.target.program, &one.kind);
        let usage = |message: &str| Failure::new(FailureKind::Usage, message);
        if self.selector.is_some() {
            return Err(usage("name cannot be provided when a selector is specified")
                .hint(format!("{program} status {kind} -l SELECTOR")));
        }
        if self.all_namespaces {
            return Err(usage("a resource cannot be retrieved by name across all namespaces")
                .hint(format!("use -n NAMESPACE, or {program} status {kind} -A")));
        }
        Ok(())
    }

    /// `-w` or `--wait`, if given.
    fn watch_flag(&self) -> Option<&'static str> {
        match (self.watch, self.wait) {
            (true, _) => Some("-w"),
            (_, Some(_)) => Some("--wait"),
            _ => None,
        }
    }

    pub(super) fn text(
        &self,
        report: &StatusReport,
        subject: Subject<'_>,
        spec: &SourceSpec,
        ui: &Ui,
    ) -> anyhow::Result<String> {
        let styles = ui.styles();
        let verbosity = match &self.output {
            _ if self.explain => Verbosity::Explained,
            Some(Output::Wide) => Verbosity::Wide,
            _ => Verbosity::Normal,
        };
        let namespaces =
            if self.all_namespaces { NamespaceColumn::Always } else { NamespaceColumn::IfDifferent };
        let presentation = Presentation { times: times(self.absolute_time), verbosity, namespaces };
        match &self.output {
            Some(Output::Data(format)) => return format.write(report, styles),
            Some(Output::Name) => return Ok(render::names(report, styles)),
            _ => {}
        }
        let text = match (subject, report.resources.as_slice()) {
            (Subject::One, [one]) => render::one(one, report, presentation, styles, ui.width()),
            (subject, _) => {
                let listed = if self.all || verbosity == Verbosity::Wide {
                    ListedRows::All
                } else {
                    ListedRows::Folded
                };
                let what = if let Subject::Many(what) = subject { what } else { "resources" };
                render::many(report, what, presentation, listed, styles, ui.width())
            }
        };
        let summary = report.worst().map(|worst| summary(worst, subject));
        Ok(text + &next::line(summary, spec, styles))
    }
}

/// What the next command depends on.
fn summary<'a>(worst: &'a Resource, subject: Subject<'_>) -> ReportSummary<'a> {
    match subject {
        Subject::Many(_) => ReportSummary::List { worst: &worst.object, verdict: worst.verdict },
        Subject::One => ReportSummary::Status {
            resource: &worst.object,
            verdict: worst.verdict,
            cause: worst.cause.as_ref(),
            finding: worst.findings.first().map(|finding| finding.code),
            events: if worst.events.is_some() { EventsShown::Yes } else { EventsShown::No },
        },
    }
}

/// The outcome for all resources: not healthy takes precedence over unknown. Resources that are left out have none.
pub(super) fn outcome(report: &StatusReport) -> Outcome {
    let tally = report.tally();
    match (tally.unhealthy, tally.unknown) {
        (0, 0) if !report.uncertain => Outcome::Success,
        (0, _) => Outcome::Unknown,
        _ => Outcome::Unhealthy,
    }
}
