//! `events`: the events of an object and everything below it, in order of time.

use clap::builder::{PossibleValuesParser, TypedValueParser as _};

use super::context::CommandContext;
use super::duration::{Limit, parse_limit};
use super::events_watch;
use super::gather::{Extent, Namespaces, Prepared, PrinterColumns, ReadRequest, deleted_meanwhile, gather};
use super::live;
use super::next::{self, ReportSummary};
use super::object::ObjectArgs;
use super::output::{self, Output, times};
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
use crate::model::rulebook::Rulebook;
use crate::model::selector::Selector;
use crate::model::snapshot::Snapshot;
use crate::render::events as render;
use crate::render::tree::ColumnSet;
use crate::source::SourceSpec;
use crate::ui::Ui;

pub(super) const PAGE: Page = Page {
    name: "events",
    usage: "events TYPE[/NAME] [flags]",
    examples: &[
        Example { command: "events website/shop", description: "of a resource and its tree" },
        Example {
            command: "events website/shop --types Warning --since 30m",
            description: "only recent warnings",
        },
        Example {
            command: "events deployment shop -n shop --no-children",
            description: "only of the object itself",
        },
        Example {
            command: "events website/shop -n shop --demo",
            description: "in the built-in demo cluster",
        },
        Example {
            command: "events -f site.yaml -o json",
            description: "of the object in a manifest, as JSON",
        },
    ],
    requirements: "Read-only. Needs get on the object, and list on events and on the kinds below it; reports what it could not read. Exits with 3 if events could not be read. Clusters keep events for one hour by default.",
};

/// List the events of a resource and everything below it
#[expect(clippy::struct_excessive_bools, reason = "each is a switch of its own on the command line")]
#[derive(clap::Args, Debug)]
pub struct EventsArgs {
    #[command(flatten)]
    object: ObjectArgs,
    /// All namespaces: of the roots or, with a NAME, of the objects below it
    #[arg(long, short = 'A', help_heading = "Selection")]
    all_namespaces: bool,
    /// Show only events newer than a relative duration, such as 90s, 1h30m or 3d
    #[arg(long, value_name = "TIME", value_parser = parse_limit, help_heading = "Selection")]
    since: Option<Limit>,
    /// Show only events of these types: Normal, Warning
    #[arg(
        long, value_name = "TYPE", value_delimiter = ',', ignore_case = true, hide_possible_values = true,
        value_parser = PossibleValuesParser::new(["Normal", "Warning"]).map(|word| word), help_heading = "Selection",
    )]
    types: Vec<String>,
    /// Show only the events of the object itself
    #[arg(long, help_heading = "Selection")]
    pub(super) no_children: bool,
    /// After listing the events, watch for new ones
    #[arg(long, short = 'w', help_heading = "Output")]
    watch: bool,
    /// Output format: wide, json, yaml or jsonpath=TEMPLATE
    #[arg(long, short, value_name = "FORMAT", value_parser = output::events(), hide_possible_values = true, help_heading = "Output")]
    pub(super) output: Option<Output>,
    /// Show timestamps instead of ages
    #[arg(long, help_heading = "Output")]
    absolute_time: bool,
}

/// The formats that are supported with `-w`.
const STREAMED: [&str; 2] = ["json", "wide"];

/// Reads the objects and then their events, and prints them.
pub fn run(
    args: &EventsArgs,
    spec: &SourceSpec,
    rulebook: &Rulebook,
    ui: &mut Ui,
) -> anyhow::Result<Outcome> {
    let named = args.object.one(&spec.target.program, PAGE.name)?;
    let check = |named: &_| live::validate_watch(PAGE.name, spec, named, args.output.as_ref(), &STREAMED);
    if args.watch && (named.name.is_some() || !ui.is_interactive()) {
        check(&named)?;
    }
    let context = CommandContext::new(spec, PAGE.name)?;
    let session = context.open(ui)?;
    let named = if args.all_namespaces { named } else { pick(named, &context, &session, rulebook, ui)? };
    if args.watch {
        check(&named)?;
    }
    let candidates = |roots: &[_], kinds: &[_]| {
        // Objects are not read whole here, and Services select their Pods by labels.
        let mut filter = related::candidates(roots, kinds);
        filter.keep_labels = KeepLabels::All;
        filter
    };
    let request = ReadRequest {
        named: std::slice::from_ref(&named),
        namespaces: Namespaces::of_flag(args.all_namespaces),
        extent: if args.no_children { Extent::Roots } else { Extent::Trees },
        selector: Selector::default(),
        candidates: &candidates,
        columns: PrinterColumns::Skipped,
    };
    let prepared = Prepared::new(&context, &session, &request, ui)?;
    if args.watch {
        return context.finish(events_watch::watch(args, &prepared, ui)?);
    }
    let report = gather(&prepared, ui, |snapshot, attempts| args.inspect(snapshot, attempts))?;
    if report.members == 0 && named.name.is_some() {
        return Err(deleted_meanwhile().into());
    }
    if report.members == 0 {
        if let Some(Output::Data(format)) = &args.output {
            ui.print(&format.write(&report, ui.styles())?)?;
        }
        prepared.report_nothing_found(ui)?;
        return context.finish(Outcome::Success);
    }
    let text = text(args, &report, spec, ui)?;
    ui.print(&text)?;
    context.finish(match (context.is_interrupted(), report.is_incomplete()) {
        (true, _) => Outcome::Interrupted,
        (_, true) => Outcome::Unknown,
        _ => Outcome::Success,
    })
}

impl EventsArgs {
    pub(super) fn inspect(
        &self,
        snapshot: &Snapshot,
        attempts: &FetchAttempts,
    ) -> Inspection<Inspected<EventsReport>> {
        let since = self.since.and_then(|Limit(since)| since);
        let options = EventsOptions {
            since: since.and_then(|since| since.try_into().ok()),
            types: self.types.clone(),
            times: times(self.absolute_time),
        };
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
    let column_set = match &args.output {
        Some(Output::Data(format)) => return format.write(report, styles),
        Some(Output::Wide) => ColumnSet::Wide,
        _ => ColumnSet::Default,
    };
    let text = render::write(report, column_set, times(args.absolute_time), styles, ui.width());
    let warning = report.newest_warning();
    let summary = ReportSummary::Events {
        warning: warning.map(|warning| &warning.object),
        is_restart: warning.is_some_and(restarts),
    };
    Ok(text + &next::line(Some(summary), spec, styles))
}

/// Whether an event reports a container that keeps crashing.
fn restarts(line: &EventSummary) -> bool {
    line.object.kind == "Pod"
        && line.reason == "BackOff"
        && server_messages::is_restart_back_off(&line.message)
}
