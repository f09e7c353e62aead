//! `events -w`: what is written down from now on, a line each.

use std::collections::HashMap;
use std::ops::ControlFlow;
use std::time::Duration;

use super::events::{EventsArgs, text};
use super::gather::Ask;
use super::live::{self, Following, Moment, follow};
use super::output::Report;
use crate::error::{Failure, Kind, Outcome};
use crate::inspect::events::{self, Line};
use crate::inspect::tree;
use crate::inspect::watch_set::watch_set;
use crate::model::ident::ObjectName;
use crate::model::snapshot::Snapshot;
use crate::render::{Machine, events as render, machine};
use crate::source::ReadContext;
use crate::ui::Ui;

/// Nothing is told again because time passes.
const PULSE: Duration = Duration::from_secs(60);

/// Shows what there is, then every event that is new or was seen again, until Ctrl-C.
pub(super) fn watch(
    args: &EventsArgs,
    ask: &Ask<'_>,
    context: &ReadContext,
    ui: &mut Ui,
) -> anyhow::Result<Outcome> {
    check(args, ask)?;
    let scope = tree::Asked { depth: args.no_children.then_some(0), ..tree::Asked::default() };
    let following = Following {
        ask,
        context,
        fetch_plan: &|snapshot: &Snapshot| args.fetch_plan(snapshot),
        watch_set: &|snapshot: &Snapshot| watch_set(snapshot, tree::objects(snapshot, &scope)),
        pulse: PULSE,
        events: live::Events::Followed,
        interrupted: Outcome::Fine,
    };
    let mut told: HashMap<Happening, u64> = HashMap::new();
    follow(&following, ui, |ui, snapshot, moment| {
        let mut report = events::tell(snapshot, &args.members(snapshot), &args.asked());
        if moment == Moment::First && !matches!(args.output, Some(Report::Machine(_))) {
            ui.print(&text(args, &report, ask.spec, ui)?)?;
        }
        let lines = std::mem::take(&mut report.events);
        let fresh =
            |line: &Line| told.insert(Happening::of(line), line.count).is_none_or(|count| count < line.count);
        report.events = lines.into_iter().filter(fresh).collect();
        match &args.output {
            Some(Report::Machine(_)) => {
                for line in &report.events {
                    ui.print(&machine::line(line)?)?;
                }
            }
            _ if moment != Moment::First && !report.events.is_empty() => {
                ui.print(&render::appended(&report, ui.styles()))?;
            }
            _ => {}
        }
        Ok(ControlFlow::Continue(()))
    })
}

/// What makes two sightings the same event.
#[derive(PartialEq, Eq, Hash)]
struct Happening {
    object: ObjectName,
    reason: String,
    message: String,
}

impl Happening {
    fn of(line: &Line) -> Self {
        Self { object: line.object.clone(), reason: line.reason.clone(), message: line.message.clone() }
    }
}

/// Whether these words can be watched at all.
fn check(args: &EventsArgs, ask: &Ask<'_>) -> Result<(), Failure> {
    let usage = |message: &str| Failure::new(Kind::Usage, message);
    let program = &ask.spec.target.program;
    if ask.spec.from.is_some() {
        return Err(usage("a dump does not change: there is nothing to watch in it")
            .hint("leave out -w, or watch a cluster: leave out --from and --demo"));
    }
    if ask.named.iter().any(|named| named.name.is_none()) {
        return Err(usage("-w watches one object: name it").hint(format!("{program} events TYPE/NAME -w")));
    }
    match &args.output {
        Some(Report::JsonPath(_) | Report::Machine(Machine::Yaml)) => {
            Err(usage("-w writes text, wide or json").hint("-o json is a line for each event"))
        }
        _ => Ok(()),
    }
}
