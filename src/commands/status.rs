//! `status`: is a resource healthy, and if not, what is the first cause.

use std::time::Instant;

use clap::builder::{PossibleValuesParser, TypedValueParser};

use super::call::Call;
use super::duration::{Limit, limit};
use super::gather::{Columns, Extent, Namespaces, Prepared, Request, deleted_meanwhile, gather};
use super::live;
use super::next::{self, Way};
use super::object::ObjectArgs;
use super::output::{self, Output};
use super::status_watch::{self, StatusCall};
use super::{Example, Page};
use crate::error::{Failure, Kind, Outcome};
use crate::inspect::evaluation::{Below, is_trouble};
use crate::inspect::related;
use crate::inspect::status::{self, EventsOption, Goal, Resource, StatusOptions, StatusReport};
use crate::model::health::Verdict;
use crate::model::rulebook::Rulebook;
use crate::model::selector::Selector;
use crate::render::status as render;
use crate::render::status::{All, Verbosity, View};
use crate::render::tree::Times;
use crate::source::SourceSpec;
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
    #[arg(long, short, value_name = "FORMAT", value_parser = output::status, help_heading = "Show")]
    pub(super) output: Option<Output>,
    /// Show times instead of ages
    #[arg(long, help_heading = "Show")]
    absolute_time: bool,
}

/// The formats that make sense as a stream.
const STREAMED: [&str; 4] = ["json", "name", "wide", "yaml"];

/// Reads, judges, prints.
pub fn run(
    args: &StatusArgs,
    spec: &SourceSpec,
    rulebook: &Rulebook,
    ui: &mut Ui,
) -> anyhow::Result<Outcome> {
    let named =
        if args.object.is_empty() { Vec::new() } else { args.object.all(&spec.target.program, PAGE.name)? };
    if let Some(flag) = args.following() {
        live::check(flag, PAGE.name, spec, &named, args.output.as_ref(), &STREAMED)?;
        if args.watch && named.len() > 1 {
            let hint = format!("{} status TYPE/NAME -w", spec.target.program);
            return Err(Failure::new(Kind::Usage, "-w: expected exactly one object").hint(hint).into());
        }
    }
    let call = Call::new(spec, PAGE.name)?;
    let session = call.open(ui)?;
    let below = if args.no_children { Below::Nothing } else { Below::All };
    let candidates = |roots: &[_], kinds: &[_]| match below {
        Below::All => related::candidates(roots, kinds),
        Below::Nothing => related::no_candidates(roots, kinds),
    };
    let of_one = matches!(named.as_slice(), [one] if one.name.is_some());
    let request = Request {
        named: &named,
        namespaces: Namespaces::of_flag(args.all_namespaces),
        extent: if args.no_children { Extent::Roots } else { Extent::Trees },
        selector: args.selector.clone().unwrap_or_default(),
        candidates: &candidates,
        columns: if of_one { Columns::Wanted } else { Columns::NotWanted },
    };
    if args.following().is_some() {
        let status = StatusCall { args, call: &call, session: &session, request: &request, below, rulebook };
        return follow(&status, ui);
    }
    let prepared = Prepared::new(&call, &session, &request, ui)?;
    let events = if of_one { EventsOption::Read } else { EventsOption::NotRead };
    let options = StatusOptions { below, events };
    let report =
        gather(&prepared, ui, |snapshot, attempts| status::inspect(snapshot, attempts, options, rulebook))?;
    if report.resources.is_empty() && of_one {
        return Err(deleted_meanwhile().into());
    }
    let word = plural_word(args, &report);
    let subject = if of_one { Subject::One } else { Subject::Many(&word) };
    ui.print(&args.text(&report, subject, spec, ui)?)?;
    Ok(if call.is_interrupted() { Outcome::Interrupted } else { outcome(&report) })
}

/// Follows each named resource until it is enough, one after the other: when the last one is done, the others have
/// been.
fn follow(status: &StatusCall<'_>, ui: &mut Ui) -> anyhow::Result<Outcome> {
    let args = status.args;
    let deadline = args.timeout.0.map(|limit| Instant::now() + limit);
    let mut worst = Outcome::Fine;
    for named in status.request.named {
        let request = Request {
            named: std::slice::from_ref(named),
            selector: Selector::default(),
            columns: Columns::Wanted,
            ..*status.request
        };
        let one = StatusCall { request: &request, ..*status };
        let ended = match args.wait {
            None => status_watch::watch(&one, ui),
            Some(goal) => status_watch::wait(&one, goal, deadline, ui),
        };
        let ended = match ended {
            // What never existed, or is deleted already, needs no waiting.
            Err(error) if args.wait == Some(Goal::Deleted) && is_not_found(&error) => {
                ui.note(&error.to_string());
                Outcome::Fine
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
    error.downcast_ref::<Failure>().is_some_and(|failure| failure.kind() == Kind::NotFound)
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
fn plural_word(args: &StatusArgs, report: &StatusReport) -> String {
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
    /// The flag that asks to follow resources, if there is one.
    fn following(&self) -> Option<&'static str> {
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
            _ => Verbosity::Usual,
        };
        let times = if self.absolute_time { Times::Absolute } else { Times::Ages };
        let view = View { times, verbosity };
        match &self.output {
            Some(Output::Data(format)) => return format.write(report, styles),
            Some(Output::Name) => return Ok(render::names(report, styles)),
            _ => {}
        }
        let text = match (subject, report.resources.as_slice()) {
            (Subject::One, [one]) => render::one(one, report, view, styles, ui.width()),
            (subject, _) => {
                let all = if self.all || verbosity == Verbosity::Wide { All::Shown } else { All::Counted };
                let what = if let Subject::Many(what) = subject { what } else { "resources" };
                render::many(report, what, view, all, styles, ui.width())
            }
        };
        let next = report.resources.first().map(|worst| next(worst, subject, spec));
        let next = next.map_or_else(String::new, |next| format!("next: {}\n", styles.plain(&next)));
        Ok(format!("{text}{next}"))
    }
}

/// The command that says more.
fn next(worst: &Resource, subject: Subject<'_>, spec: &SourceSpec) -> String {
    match worst.cause.as_ref() {
        _ if subject != Subject::One => next::call(&worst.object, Way::Status, spec),
        Some(cause) if cause.is_crash() => next::call(&cause.object, Way::PreviousLogs, spec),
        Some(cause) if !cause.is_own => next::call(&cause.object, Way::Around, spec),
        Some(_) => next::call(&worst.object, Way::Events, spec),
        None => next::call(&worst.object, Way::Tree, spec),
    }
}

/// For many resources: what is not fine comes before what cannot be judged.
pub(super) fn outcome(report: &StatusReport) -> Outcome {
    let verdicts = || report.resources.iter().map(|resource| resource.verdict);
    if verdicts().any(is_trouble) {
        Outcome::NotFine
    } else if verdicts().any(|verdict| verdict == Verdict::Unknown) || report.doubt {
        Outcome::CannotJudge
    } else {
        Outcome::Fine
    }
}
