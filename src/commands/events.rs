//! `events`: what was written down about an object and everything below it, in time order.

use clap::builder::{PossibleValuesParser, TypedValueParser as _};

use super::duration::{Limit, limit};
use super::events_watch;
use super::gather::{Ask, Columns, Extent, Gathered, Places, gather};
use super::next::{self, Way};
use super::object::ObjectArgs;
use super::output::{Report, report};
use super::pick::pick;
use super::wait::attend;
use super::{Example, Page};
use crate::error::{Failure, Kind, Outcome};
use crate::inspect::events::{self, Asked, Events, Line};
use crate::inspect::related::{self, Reach};
use crate::inspect::tree::{Member, members, members_fetch_plan, root_members};
use crate::known::server_messages;
use crate::model::candidate::KeepLabels;
use crate::model::selector::Selector;
use crate::model::snapshot::{FetchPlan, Snapshot};
use crate::render::tree::{Times, View};
use crate::render::{events as render, machine};
use crate::source::{ReadContext, SourceSpec};
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
    #[arg(long, short, value_name = "FORMAT", value_parser = report, help_heading = "Show")]
    pub(super) output: Option<Report>,
    /// Show times instead of ages
    #[arg(long, help_heading = "Show")]
    absolute_time: bool,
}

/// Gathers the objects, then their events; tells and prints.
pub fn run(args: &EventsArgs, spec: &SourceSpec, ui: &mut Ui) -> anyhow::Result<Outcome> {
    let named = args.object.named(&spec.target.program, PAGE.name)?;
    let named = if args.all_namespaces { named } else { pick(named, spec, PAGE.name, ui)? };
    let context = ReadContext::default();
    let candidates = |roots: &[_], kinds: &[_]| {
        // Objects are not read whole here, and Services know their Pods by labels.
        let mut candidates = related::candidates(roots, kinds);
        candidates.keep_labels = KeepLabels::All;
        candidates
    };
    let ask = Ask {
        spec,
        named: std::slice::from_ref(&named),
        places: if args.all_namespaces { Places::All } else { Places::Own },
        extent: if args.no_children { Extent::Roots } else { Extent::Trees },
        selector: Selector::default(),
        command: PAGE.name,
        candidates: &candidates,
        columns: Columns::NotAsked,
    };
    if args.watch {
        return events_watch::watch(args, &ask, &context, ui);
    }
    let (gathered, members) = attend(&context, ui, async {
        let mut gathered = gather(&ask, &context, |snapshot| args.fetch_plan(snapshot)).await?;
        let members = args.members(&gathered.snapshot);
        let about: Vec<usize> = members.iter().map(|member| member.object).collect();
        gathered.add_events(&about, &context).await;
        Ok((gathered, members))
    })?;
    gathered.remark(ui);
    if members.is_empty() && named.name.is_some() {
        return Err(Failure::new(Kind::Server, "the object was deleted while it was read").into());
    }
    let report = events::tell(&gathered.snapshot, &members, &args.asked());
    if members.is_empty() {
        return nothing(args, &gathered, &report, ui);
    }
    let text = text(args, &report, spec, ui)?;
    ui.print(&text)?;
    Ok(match (context.stop.is_asked(), report.is_cut()) {
        (true, _) => Outcome::Interrupted,
        (_, true) => Outcome::CannotJudge,
        _ => Outcome::Fine,
    })
}

impl EventsArgs {
    pub(super) fn asked(&self) -> Asked {
        let since = self.since.and_then(|Limit(since)| since);
        Asked { since: since.and_then(|since| since.try_into().ok()), types: self.types.clone() }
    }

    pub(super) fn members(&self, snapshot: &Snapshot) -> Vec<Member> {
        if self.no_children { root_members(snapshot) } else { members(snapshot, Reach::Related) }
    }

    pub(super) fn fetch_plan(&self, snapshot: &Snapshot) -> FetchPlan {
        if self.no_children { FetchPlan::default() } else { members_fetch_plan(snapshot, Reach::Related) }
    }
}

/// There is no object to show events of.
fn nothing(args: &EventsArgs, gathered: &Gathered, report: &Events, ui: &mut Ui) -> anyhow::Result<Outcome> {
    if let Some(Report::Machine(format)) = &args.output {
        ui.print(&machine::write(report, *format)?)?;
    }
    gathered.say_nothing_found(ui);
    Ok(Outcome::Fine)
}

pub(super) fn text(args: &EventsArgs, report: &Events, spec: &SourceSpec, ui: &Ui) -> anyhow::Result<String> {
    let styles = ui.styles();
    let view = match &args.output {
        Some(Report::Machine(format)) => return Ok(machine::write(report, *format)?),
        Some(Report::JsonPath(template)) => {
            let filled = template.write(&serde_json::to_value(report)?);
            let filled = filled.map_err(|problem| Failure::new(Kind::Usage, problem.to_string()))?;
            return Ok(styles.block(&filled));
        }
        Some(Report::Wide) => View::Wide,
        None => View::Usual,
    };
    let times = if args.absolute_time { Times::Absolute } else { Times::Ages };
    let told = render::write(report, view, times, styles, ui.width());
    let next = next(report, spec).map_or_else(String::new, |next| format!("next: {}\n", styles.plain(&next)));
    Ok(told + &next)
}

/// The command that says more: about the newest warning's object, else about the object asked about.
fn next(report: &Events, spec: &SourceSpec) -> Option<String> {
    let Some(warning) = report.newest_warning() else {
        return report.root.as_ref().map(|root| next::call(root, Way::Tree, spec));
    };
    let way = if restarts(warning) { Way::PreviousLogs } else { Way::Describe };
    Some(next::call(&warning.object, way, spec))
}

/// Whether an event reports a container that keeps crashing.
fn restarts(line: &Line) -> bool {
    line.object.kind == "Pod"
        && line.reason == "BackOff"
        && server_messages::is_restart_back_off(&line.message)
}
