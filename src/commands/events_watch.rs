//! `events -w`: new events, one line each.

use std::collections::HashMap;
use std::ops::ControlFlow;
use std::time::Duration;

use super::events::{EventsArgs, text};
use super::gather::Prepared;
use super::live::{self, Trigger, WatchOptions, follow};
use super::output::Output;
use crate::error::Outcome;
use crate::inspect::events::EventSummary;
use crate::model::ident::ObjectName;
use crate::render::{events as render, json_yaml};
use crate::ui::Ui;

/// How often the events are inspected again; nothing is printed unless there are new ones.
const REFRESH: Duration = Duration::from_secs(60);

/// Prints the existing events, then every event that is new or occurred again, until Ctrl-C.
pub(super) fn watch(args: &EventsArgs, prepared: &Prepared<'_>, ui: &mut Ui) -> anyhow::Result<Outcome> {
    let watch_options = WatchOptions {
        prepared,
        inspect: &|snapshot, attempts| args.inspect(snapshot, attempts),
        refresh: REFRESH,
        events: live::EventsMode::Watched,
        interrupted: Outcome::Success,
    };
    let is_json = args.output.as_ref().and_then(Output::json_or_yaml).is_some();
    let mut counts: HashMap<EventKey, u64> = HashMap::new();
    follow(&watch_options, ui, |ui, mut report, _, trigger| {
        if trigger == Trigger::First && !is_json {
            ui.print(&text(args, &report, prepared.context.spec, ui)?)?;
        }
        let lines = std::mem::take(&mut report.events);
        let is_new = |line: &EventSummary| {
            counts.insert(EventKey::of(line), line.count).is_none_or(|count| count < line.count)
        };
        report.events = lines.into_iter().filter(is_new).collect();
        if is_json {
            for line in &report.events {
                ui.print(&json_yaml::line(line, ui.styles())?)?;
            }
        } else if trigger != Trigger::First && !report.events.is_empty() {
            ui.print(&render::appended(&report, ui.styles()))?;
        }
        Ok(ControlFlow::Continue(()))
    })
}

/// What identifies an event.
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
