//! `status -w` and `status --wait`: report the status again and again, until Ctrl-C or until a goal is reached.

use std::ops::ControlFlow;
use std::time::{Duration, Instant};

use super::context::CommandContext;
use super::gather::{Prepared, ReadRequest};
use super::live::{EventsMode, Flow, Trigger, WatchOptions, follow};
use super::output::{Output, times};
use super::status::{StatusArgs, Subject, outcome};
use crate::error::Outcome;
use crate::inspect::evaluation::Below;
use crate::inspect::status::{self, EventsOption, Goal, StatusOptions, StatusReport, is_progressing};
use crate::model::health::Verdict;
use crate::model::ident::ObjectName;
use crate::model::rulebook::Rulebook;
use crate::model::snapshot::Snapshot;
use crate::render::json_yaml;
use crate::source::session::Session;
use crate::ui::Ui;

/// How often ages are updated.
const REFRESH: Duration = Duration::from_secs(5);
/// How often a wait checks its goal and its deadline.
const TICK: Duration = Duration::from_millis(500);
/// A state that has not changed for this long is settled.
const SETTLED: Duration = Duration::from_secs(2);

/// What is needed to watch a resource.
#[derive(Clone, Copy)]
pub(super) struct StatusWatch<'a> {
    pub(super) args: &'a StatusArgs,
    pub(super) context: &'a CommandContext<'a>,
    pub(super) session: &'a Session,
    pub(super) request: &'a ReadRequest<'a>,
    pub(super) below: Below,
    pub(super) rulebook: &'a Rulebook,
}

/// Shows the status of a resource until Ctrl-C.
pub(super) fn watch(status: &StatusWatch<'_>, ui: &mut Ui) -> anyhow::Result<Outcome> {
    let (mut last, mut name) = (None, status.requested());
    let text =
        |report: &StatusReport, ui: &Ui| status.args.text(report, Subject::One, status.context.spec, ui);
    status.follow(ui, REFRESH, EventsMode::Watched, Outcome::Success, |ui, report, snapshot, trigger| {
        if let Some(resource) = report.resources.first() {
            name = resource.object.to_string();
        }
        let (summary, state) = (summary(&report, trigger, &name, None), State::of(&report, trigger));
        let is_new = last.replace(state.clone()).is_none_or(|before| before != state);
        if status.args.output.as_ref().and_then(Output::json_or_yaml).is_some() {
            if is_new {
                ui.print(&json_yaml::line(&report, ui.styles())?)?;
            }
        } else if ui.can_redraw() {
            let text = if report.resources.is_empty() {
                format!("{}\n", ui.styles().plain(&summary))
            } else {
                text(&report, ui)?
            };
            if is_new || ui.fits(&text) {
                ui.draw(&text)?;
            }
        } else if trigger == Trigger::First {
            ui.print(&text(&report, ui)?)?;
        } else if is_new {
            let line = format!("{:.0}  {summary}", snapshot.coverage.now);
            ui.print(&format!("{}\n", ui.styles().plain(&line)))?;
        }
        Ok(ControlFlow::Continue(()))
    })
}

/// Waits until a resource reaches a goal, and reports its progress on stderr.
pub(super) fn wait(
    status: &StatusWatch<'_>,
    goal: Goal,
    deadline: Option<Instant>,
    ui: &mut Ui,
) -> anyhow::Result<Outcome> {
    let (mut last, mut unchanged_since): (Option<State>, Option<Instant>) = (None, None);
    let (mut reached_at, mut name): (Option<Instant>, String) = (None, status.requested());
    status.follow(ui, TICK, EventsMode::Ignored, Outcome::Interrupted, |ui, report, _, trigger| {
        let report = &report;
        if let Some(resource) = report.resources.first() {
            name = resource.object.to_string();
        }
        let state = State::of(report, trigger);
        if last.as_ref() != Some(&state) {
            ui.note(&summary(report, trigger, &name, Some(goal)));
            (last, unchanged_since) = (Some(state), Some(Instant::now()));
        }
        let is_stable = unchanged_since.is_some_and(|since| since.elapsed() >= SETTLED);
        let timed_out = deadline.is_some_and(|deadline| deadline <= Instant::now());
        let Some(resource) = report.resources.first() else {
            return Ok(match goal {
                Goal::Deleted => ControlFlow::Break(Outcome::Success),
                // It may be recreated before the deadline.
                _ if timed_out => ControlFlow::Break(Outcome::Unhealthy),
                _ => ControlFlow::Continue(()),
            });
        };
        if goal == Goal::Deleted && trigger == Trigger::Recreated {
            return Ok(ControlFlow::Break(Outcome::Success));
        }
        let arrived = goal.is_reached(resource);
        reached_at = if arrived { reached_at.or_else(|| Some(Instant::now())) } else { None };
        // The state may still change back.
        let is_final = match goal {
            Goal::Settled => is_stable && reached_at.is_some_and(|at| at.elapsed() >= SETTLED),
            _ => true,
        };
        if arrived && is_final {
            status.print(report, ui)?;
            return Ok(ControlFlow::Break(outcome(report)));
        }
        if timed_out {
            status.print(report, ui)?;
            let still_moving = is_progressing(resource) || goal == Goal::Deleted;
            let ended = if still_moving { Outcome::TimedOut } else { outcome(report) };
            return Ok(ControlFlow::Break(ended));
        }
        Ok(ControlFlow::Continue(()))
    })
}

/// The part of a report whose change is reported; ages are not.
#[derive(Clone, Debug, PartialEq, Eq)]
struct State {
    uid: Option<String>,
    verdicts: Option<(Verdict, Verdict)>,
    cause: Option<(ObjectName, String)>,
}

impl State {
    fn of(report: &StatusReport, trigger: Trigger) -> Self {
        let resource = report.resources.first().filter(|_| trigger != Trigger::Deleted);
        let cause = resource.and_then(|resource| resource.cause.as_ref());
        Self {
            uid: resource.map(|resource| resource.uid.clone()),
            verdicts: resource.map(|resource| (resource.own.verdict, resource.verdict)),
            cause: cause.map(|cause| (cause.object.clone(), cause.status.clone())),
        }
    }
}

/// The state in one line, even of a deleted resource: `name` is that of the last one.
fn summary(report: &StatusReport, trigger: Trigger, name: &str, goal: Option<Goal>) -> String {
    match report.resources.first() {
        None if goal == Some(Goal::Deleted) => format!("{name} was deleted"),
        None => format!("{name} was deleted; waiting for it to be recreated"),
        Some(resource) if trigger == Trigger::Recreated => {
            format!("{name} was recreated with a new uid; {}", resource.headline)
        }
        Some(resource) => resource.headline.clone(),
    }
}

impl StatusWatch<'_> {
    /// The resource as it was requested.
    fn requested(&self) -> String {
        let named = self.request.named.first();
        named.map_or_else(String::new, |named| {
            format!("{}/{}", named.kind, named.name.as_deref().unwrap_or_default())
        })
    }

    fn follow(
        &self,
        ui: &mut Ui,
        refresh: Duration,
        events: EventsMode,
        interrupted: Outcome,
        show: impl FnMut(&mut Ui, StatusReport, &Snapshot, Trigger) -> anyhow::Result<Flow>,
    ) -> anyhow::Result<Outcome> {
        let prepared = Prepared::new(self.context, self.session, self.request, ui)?;
        let read = match events {
            EventsMode::Watched => EventsOption::Read,
            EventsMode::Ignored => EventsOption::NotRead,
        };
        let options = StatusOptions {
            below: self.below,
            events: read,
            times: times(self.args.absolute_time),
            log_lines: self.args.log_lines.into(),
            ..StatusOptions::default()
        };
        let watch_options = WatchOptions {
            prepared: &prepared,
            inspect: &|snapshot, attempts| status::inspect(snapshot, attempts, options, self.rulebook),
            refresh,
            events,
            interrupted,
        };
        follow(&watch_options, ui, show)
    }

    fn print(&self, report: &StatusReport, ui: &mut Ui) -> anyhow::Result<()> {
        let text = self.args.text(report, Subject::One, self.context.spec, ui)?;
        ui.print(&text)?;
        Ok(())
    }
}
