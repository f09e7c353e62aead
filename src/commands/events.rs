//! `events`: what was written down about an object and everything below it, in time order.

use clap::builder::{PossibleValuesParser, TypedValueParser as _};

use super::call::Call;
use super::duration::{Limit, limit};
use super::events_watch;
use super::gather::{Columns, Extent, Namespaces, Prepared, Request, deleted_meanwhile, gather};
use super::live;
use super::next::{self, Way};
use super::object::{Named, ObjectArgs};
use super::output::{self, Output};
use super::pick::pick;
use super::{Example, Page};
use crate::error::Outcome;
use crate::inspect::Inspected;
use crate::inspect::events::{self, EventSummary, EventsOptions, EventsReport};
use crate::inspect::members::Members;
use crate::inspect::related::{self, Relations};
use crate::known::server_messages;
use crate::model::candidate::KeepLabels;
use crate::model::fetch_plan::{FetchAttempts, Inspection};
use crate::model::selector::Selector;
use crate::model::snapshot::Snapshot;
use crate::render::events as render;
use crate::render::tree::{Times, View};
use crate::source::SourceSpec;
use crate::ui::Ui;

pub(super) const PAGE: Page = Page {
    name: "events",
    usage: "events TYPE/NAME [flags]",
    examples: &[
        Example { call: "events website/shop", says: "of everything below it too" },
        Example { call: "events website/shop --types Warning --since 30m", says: "what went wrong lately" },
        Example { call: "events deployment shop -n shop --no-children", says: "of the object alone" },
        Example { call: "events -f site.yaml -o json", says: "as data" },
    ],
    needs: "Reads only. Needs: get on the object, list on what it owns and on events; works with less and says what it could not see. Exits with 3 when events could not be read. Servers keep events for an hour or so.",
};

/// Show the events of a whole tree in time order
#[expect(clippy::struct_excessive_bools, reason = "each is a switch of its own on the command line")]
#[derive(clap::Args, Debug)]
pub struct EventsArgs {
    #[command(flatten)]
    object: ObjectArgs,
    /// Look into all namespaces, also for an object that lives in one
    #[arg(long, short = 'A', help_heading = "Select")]
    all_namespaces: bool,
    /// Show what was last seen this long ago or later: seconds, or 90s, 5m, 1h30m
    #[arg(long, value_name = "TIME", value_parser = limit, help_heading = "Select")]
    since: Option<Limit>,
    /// Show events of these types only: Normal, Warning
    #[arg(
        long, value_name = "TYPE", value_delimiter = ',', ignore_case = true, hide_possible_values = true,
        value_parser = PossibleValuesParser::new(["Normal", "Warning"]).map(|word| word), help_heading = "Select",
    )]
    types: Vec<String>,
    /// Show events of the object alone
    #[arg(long, help_heading = "Select")]
    pub(super) no_children: bool,
    /// Keep watching, and show what is written down from then on
    #[arg(long, short = 'w', help_heading = "Show")]
    watch: bool,
    /// Format: wide, json, yaml or jsonpath=TEMPLATE
    #[arg(long, short, value_name = "FORMAT", value_parser = output::events, help_heading = "Show")]
    pub(super) output: Option<Output>,
    /// Show times instead of ages
    #[arg(long, help_heading = "Show")]
    absolute_time: bool,
}

/// The formats that make sense as a stream.
const STREAMED: [&str; 2] = ["json", "wide"];

/// Reads the objects, then their events; prints.
pub fn run(args: &EventsArgs, spec: &SourceSpec, ui: &mut Ui) -> anyhow::Result<Outcome> {
    let named = args.object.named(&spec.target.program, PAGE.name)?;
    let check = |named: &Named| {
        let named = std::slice::from_ref(named);
        live::check("-w", PAGE.name, spec, named, args.output.as_ref(), &STREAMED)
    };
    if args.watch && (named.name.is_some() || !ui.can_ask()) {
        check(&named)?;
    }
    let call = Call::new(spec, PAGE.name)?;
    let session = call.open(ui)?;
    let named = if args.all_namespaces { named } else { pick(named, &call, &session, ui)? };
    if args.watch {
        check(&named)?;
    }
    let candidates = |roots: &[_], kinds: &[_]| {
        // Objects are not read whole here, and Services know their Pods by labels.
        let mut filter = related::candidates(roots, kinds);
        filter.keep_labels = KeepLabels::All;
        filter
    };
    let request = Request {
        named: std::slice::from_ref(&named),
        namespaces: Namespaces::of_flag(args.all_namespaces),
        extent: if args.no_children { Extent::Roots } else { Extent::Trees },
        selector: Selector::default(),
        candidates: &candidates,
        columns: Columns::NotWanted,
    };
    let prepared = Prepared::new(&call, &session, &request, ui)?;
    if args.watch {
        return events_watch::watch(args, &prepared, ui);
    }
    let report = gather(&prepared, ui, |snapshot, attempts| args.inspect(snapshot, attempts))?;
    if report.members == 0 && named.name.is_some() {
        return Err(deleted_meanwhile().into());
    }
    if report.members == 0 {
        if let Some(Output::Data(format)) = &args.output {
            ui.print(&format.write(&report, ui.styles())?)?;
        }
        prepared.note_nothing_found(ui);
        return Ok(Outcome::Fine);
    }
    let text = text(args, &report, spec, ui)?;
    ui.print(&text)?;
    Ok(match (call.is_interrupted(), report.is_incomplete()) {
        (true, _) => Outcome::Interrupted,
        (_, true) => Outcome::CannotJudge,
        _ => Outcome::Fine,
    })
}

impl EventsArgs {
    pub(super) fn inspect(
        &self,
        snapshot: &Snapshot,
        attempts: &FetchAttempts,
    ) -> Inspection<Inspected<EventsReport>> {
        let since = self.since.and_then(|Limit(since)| since);
        let options =
            EventsOptions { since: since.and_then(|since| since.try_into().ok()), types: self.types.clone() };
        let members = |snapshot: &Snapshot| {
            if self.no_children {
                Members::roots(snapshot)
            } else {
                Members::of(snapshot, Relations::Related)
            }
        };
        events::inspect(snapshot, attempts, members, &options)
    }
}

pub(super) fn text(
    args: &EventsArgs,
    report: &EventsReport,
    spec: &SourceSpec,
    ui: &Ui,
) -> anyhow::Result<String> {
    let styles = ui.styles();
    let view = match &args.output {
        Some(Output::Data(format)) => return format.write(report, styles),
        Some(Output::Wide) => View::Wide,
        _ => View::Usual,
    };
    let times = if args.absolute_time { Times::Absolute } else { Times::Ages };
    let text = render::write(report, view, times, styles, ui.width());
    let next = next(report, spec).map_or_else(String::new, |next| format!("next: {}\n", styles.plain(&next)));
    Ok(text + &next)
}

/// The command that says more: about the newest warning's object, else about the object asked about.
fn next(report: &EventsReport, spec: &SourceSpec) -> Option<String> {
    let Some(warning) = report.newest_warning() else {
        return report.object.as_ref().map(|root| next::call(root, Way::Tree, spec));
    };
    let way = if restarts(warning) { Way::PreviousLogs } else { Way::Describe };
    Some(next::call(&warning.object, way, spec))
}

/// Whether an event reports a container that keeps crashing.
fn restarts(line: &EventSummary) -> bool {
    line.object.kind == "Pod"
        && line.reason == "BackOff"
        && server_messages::is_restart_back_off(&line.message)
}
