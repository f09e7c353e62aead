//! `status --wait` and `status -w`: the same answer again and again, until it is the one that was waited for.

use std::ops::ControlFlow;
use std::time::{Duration, Instant};

use super::call::Call;
use super::gather::{Prepared, Request};
use super::live::{Events, Following, Moment, Next, follow};
use super::output::Output;
use super::status::{StatusArgs, Subject, outcome};
use crate::error::Outcome;
use crate::inspect::evaluation::Below;
use crate::inspect::status::{self, EventsOption, Goal, StatusOptions, StatusReport, is_progressing};
use crate::model::health::Verdict;
use crate::model::ident::ObjectName;
use crate::model::rulebook::Rulebook;
use crate::model::snapshot::Snapshot;
use crate::render::machine;
use crate::source::session::Session;
use crate::ui::Ui;

/// How often ages are updated.
const PULSE: Duration = Duration::from_secs(5);
/// How exact the end of a wait is.
const TICK: Duration = Duration::from_millis(500);
/// A state that has held this long is settled.
const SETTLED: Duration = Duration::from_secs(2);

/// What it takes to follow a resource.
#[derive(Clone, Copy)]
pub(super) struct StatusCall<'a> {
    pub(super) args: &'a StatusArgs,
    pub(super) call: &'a Call<'a>,
    pub(super) session: &'a Session,
    pub(super) request: &'a Request<'a>,
    pub(super) below: Below,
    pub(super) rulebook: &'a Rulebook,
}

/// Shows a resource until Ctrl-C.
pub(super) fn watch(status: &StatusCall<'_>, ui: &mut Ui) -> anyhow::Result<Outcome> {
    let mut last = None;
    let text = |report: &StatusReport, ui: &Ui| status.args.text(report, Subject::One, status.call.spec, ui);
    status.follow(ui, PULSE, Events::Followed, Outcome::Fine, |ui, report, snapshot, moment| {
        let (sentence, state) = (sentence(&report, moment), State::of(&report, moment));
        let is_new = last.replace(state.clone()).is_none_or(|before| before != state);
        if status.args.output.as_ref().and_then(Output::machine).is_some() {
            if is_new {
                ui.print(&machine::line(&report)?)?;
            }
        } else if ui.draws() {
            let text = if report.resources.is_empty() {
                format!("{}\n", ui.styles().plain(&sentence))
            } else {
                text(&report, ui)?
            };
            if is_new || ui.fits(&text) {
                ui.draw(&text)?;
            }
        } else if moment == Moment::First {
            ui.print(&text(&report, ui)?)?;
        } else if is_new {
            let line = format!("{:.0}  {sentence}", snapshot.coverage.now);
            ui.print(&format!("{}\n", ui.styles().plain(&line)))?;
        }
        Ok(ControlFlow::Continue(()))
    })
}

/// Waits until a resource reaches a goal, and reports its progress on stderr.
pub(super) fn wait(
    status: &StatusCall<'_>,
    goal: Goal,
    deadline: Option<Instant>,
    ui: &mut Ui,
) -> anyhow::Result<Outcome> {
    let (mut last, mut resting): (Option<State>, Option<Instant>) = (None, None);
    let mut reached_at: Option<Instant> = None;
    status.follow(ui, TICK, Events::LeftOut, Outcome::Interrupted, |ui, report, _, moment| {
        let report = &report;
        let state = State::of(report, moment);
        if last.as_ref() != Some(&state) {
            ui.note(&sentence(report, moment));
            (last, resting) = (Some(state), Some(Instant::now()));
        }
        let rested = resting.is_some_and(|since| since.elapsed() >= SETTLED);
        let late = deadline.is_some_and(|deadline| deadline <= Instant::now());
        let Some(resource) = report.resources.first() else {
            return Ok(match goal {
                Goal::Deleted => ControlFlow::Break(Outcome::Fine),
                // It may come back; a deadline ends the hope.
                _ if late => ControlFlow::Break(Outcome::NotFine),
                _ => ControlFlow::Continue(()),
            });
        };
        if goal == Goal::Deleted && moment == Moment::Recreated {
            return Ok(ControlFlow::Break(Outcome::Fine));
        }
        let arrived = goal.is_reached(resource);
        reached_at = if arrived { reached_at.or_else(|| Some(Instant::now())) } else { None };
        // A word that has just been said may be taken back.
        let sure = match goal {
            Goal::Settled => rested && reached_at.is_some_and(|at| at.elapsed() >= SETTLED),
            _ => true,
        };
        if arrived && sure {
            status.print(report, ui)?;
            return Ok(ControlFlow::Break(outcome(report)));
        }
        if late {
            status.print(report, ui)?;
            let still_moving = is_progressing(resource) || goal == Goal::Deleted;
            let ended = if still_moving { Outcome::StillMoving } else { outcome(report) };
            return Ok(ControlFlow::Break(ended));
        }
        Ok(ControlFlow::Continue(()))
    })
}

/// What of an answer is news when it changes; ages are not.
#[derive(Clone, Debug, PartialEq, Eq)]
struct State {
    uid: Option<String>,
    verdicts: Option<(Verdict, Verdict)>,
    cause: Option<(ObjectName, String)>,
}

impl State {
    fn of(report: &StatusReport, moment: Moment) -> Self {
        let resource = report.resources.first().filter(|_| moment != Moment::Deleted);
        let cause = resource.and_then(|resource| resource.cause.as_ref());
        Self {
            uid: resource.map(|resource| resource.uid.clone()),
            verdicts: resource.map(|resource| (resource.own.verdict, resource.verdict)),
            cause: cause.map(|cause| (cause.object.clone(), cause.status.clone())),
        }
    }
}

/// The state in a sentence, also of what is not there.
fn sentence(report: &StatusReport, moment: Moment) -> String {
    match report.resources.first() {
        None => "it was deleted; waiting for it to be created again".to_owned(),
        Some(resource) if moment == Moment::Recreated => {
            format!("it was created again, with another uid; {}", resource.headline)
        }
        Some(resource) => resource.headline.clone(),
    }
}

impl StatusCall<'_> {
    fn follow(
        &self,
        ui: &mut Ui,
        pulse: Duration,
        events: Events,
        interrupted: Outcome,
        show: impl FnMut(&mut Ui, StatusReport, &Snapshot, Moment) -> anyhow::Result<Next>,
    ) -> anyhow::Result<Outcome> {
        let prepared = Prepared::new(self.call, self.session, self.request, ui)?;
        let read = match events {
            Events::Followed => EventsOption::Read,
            Events::LeftOut => EventsOption::NotRead,
        };
        let options = StatusOptions { below: self.below, events: read };
        let following = Following {
            prepared: &prepared,
            inspect: &|snapshot, attempts| status::inspect(snapshot, attempts, options, self.rulebook),
            pulse,
            events,
            interrupted,
        };
        follow(&following, ui, show)
    }

    fn print(&self, report: &StatusReport, ui: &mut Ui) -> anyhow::Result<()> {
        let text = self.args.text(report, Subject::One, self.call.spec, ui)?;
        ui.print(&text)?;
        Ok(())
    }
}
