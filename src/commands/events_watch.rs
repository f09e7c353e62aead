//! `events -w`: what is recorded from now on, a line each.

use std::collections::HashMap;
use std::ops::ControlFlow;
use std::time::Duration;

use super::events::{EventsArgs, text};
use super::gather::Prepared;
use super::live::{self, Following, Moment, follow};
use super::output::Output;
use crate::error::Outcome;
use crate::inspect::events::EventSummary;
use crate::model::ident::ObjectName;
use crate::render::{events as render, machine};
use crate::ui::Ui;

/// Nothing is printed because time passes.
const PULSE: Duration = Duration::from_secs(60);

/// Shows what there is, then every event that is new or was seen again, until Ctrl-C.
pub(super) fn watch(args: &EventsArgs, prepared: &Prepared<'_>, ui: &mut Ui) -> anyhow::Result<Outcome> {
    let following = Following {
        prepared,
        inspect: &|snapshot, attempts| args.inspect(snapshot, attempts),
        pulse: PULSE,
        events: live::Events::Followed,
        interrupted: Outcome::Fine,
    };
    let is_json = args.output.as_ref().and_then(Output::machine).is_some();
    let mut counts: HashMap<EventKey, u64> = HashMap::new();
    follow(&following, ui, |ui, mut report, _, moment| {
        if moment == Moment::First && !is_json {
            ui.print(&text(args, &report, prepared.call.spec, ui)?)?;
        }
        let lines = std::mem::take(&mut report.events);
        let is_new = |line: &EventSummary| {
            counts.insert(EventKey::of(line), line.count).is_none_or(|count| count < line.count)
        };
        report.events = lines.into_iter().filter(is_new).collect();
        if is_json {
            for line in &report.events {
                ui.print(&machine::line(line)?)?;
            }
        } else if moment != Moment::First && !report.events.is_empty() {
            ui.print(&render::appended(&report, ui.styles()))?;
        }
        Ok(ControlFlow::Continue(()))
    })
}

/// What makes two reports the same event.
#[derive(PartialEq, Eq, Hash)]
struct EventKey {
    object: ObjectName,
    reason: String,
    message: String,
}

impl EventKey {
    fn of(line: &EventSummary) -> Self {
        Self { object: line.object.clone(), reason: line.reason.clone(), message: line.message.clone() }
    }
}
