//! `status --wait` and `status -w`: the same answer told again and again, until it is the one that was waited for.

use std::ops::ControlFlow;
use std::time::{Duration, Instant};

use super::gather::Ask;
use super::live::{Events, Following, Moment, Next, follow};
use super::output::Output;
use super::status::{StatusArgs, Subject, outcome};
use crate::error::{Failure, Kind, Outcome};
use crate::inspect::status::{self, Arrival, Below, Goal, Status, is_moving};
use crate::inspect::tree;
use crate::inspect::watch_set::watch_set;
use crate::model::health::Verdict;
use crate::model::ident::ObjectName;
use crate::model::rulebook::Rulebook;
use crate::model::snapshot::{FetchPlan, Snapshot};
use crate::render::machine;
use crate::source::{ReadContext, SourceSpec};
use crate::ui::Ui;

/// How often ages are brought up to date.
const PULSE: Duration = Duration::from_secs(5);
/// How exact the end of a wait is.
const TICK: Duration = Duration::from_millis(500);
/// A state that has held so long has come to rest.
const REST: Duration = Duration::from_secs(2);

/// What it takes to tell a status.
pub(super) struct Telling<'a> {
    pub(super) args: &'a StatusArgs,
    pub(super) ask: &'a Ask<'a>,
    pub(super) below: Below,
    pub(super) rulebook: &'a Rulebook,
    pub(super) context: &'a ReadContext,
}

/// Whether these words can be followed at all.
pub(super) fn check(args: &StatusArgs, spec: &SourceSpec, of_one: bool, what: &str) -> Result<(), Failure> {
    let usage = |message: String| Failure::new(Kind::Usage, message);
    if spec.from.is_some() {
        return Err(usage(format!("a dump does not change: {what} has nothing to wait for"))
            .hint("leave it out, or look at a cluster: leave out --from and --demo"));
    }
    if !of_one {
        return Err(usage(format!("{what} follows resources by name: TYPE/NAME"))
            .hint(format!("{} status website/shop {what}", spec.target.program)));
    }
    match &args.output {
        None | Some(Output::Wide | Output::Machine(_) | Output::Name) => Ok(()),
        Some(_) => {
            Err(usage(format!("{what} writes text, wide, name, json or yaml")).hint("-o json has everything"))
        }
    }
}

/// Shows a resource until Ctrl-C.
pub(super) fn watch(telling: &Telling<'_>, ui: &mut Ui) -> anyhow::Result<Outcome> {
    let mut last = None;
    telling.follow(ui, PULSE, Events::Followed, Outcome::Fine, |ui, report, moment, snapshot| {
        let (sentence, state) = (sentence(report, moment), State::of(report, moment));
        let is_news = last.replace(state.clone()).is_none_or(|before| before != state);
        if let Some(Output::Machine(_)) = telling.args.output {
            if is_news {
                ui.print(&machine::line(report)?)?;
            }
        } else if ui.draws() {
            let text = if report.resources.is_empty() {
                format!("{}\n", ui.styles().plain(&sentence))
            } else {
                telling.args.text(report, Subject::One, telling.ask.spec, ui)?
            };
            if is_news || ui.fits(&text) {
                ui.draw(&text)?;
            }
        } else if moment == Moment::First {
            ui.print(&telling.args.text(report, Subject::One, telling.ask.spec, ui)?)?;
        } else if is_news {
            let line = format!("{:.0}  {sentence}", snapshot.now);
            ui.print(&format!("{}\n", ui.styles().plain(&line)))?;
        }
        Ok(ControlFlow::Continue(()))
    })
}

/// Waits until a resource is what is wished for, and says on stderr how it comes along.
pub(super) fn wait(
    telling: &Telling<'_>,
    goal: Goal,
    deadline: Option<Instant>,
    ui: &mut Ui,
) -> anyhow::Result<Outcome> {
    let (mut last, mut resting): (Option<State>, Option<Instant>) = (None, None);
    let mut reached_at: Option<Instant> = None;
    telling.follow(ui, TICK, Events::LeftOut, Outcome::Interrupted, |ui, report, moment, _| {
        let state = State::of(report, moment);
        if last.as_ref() != Some(&state) {
            ui.note(&sentence(report, moment));
            (last, resting) = (Some(state), Some(Instant::now()));
        }
        let rested = resting.is_some_and(|since| since.elapsed() >= REST);
        let late = deadline.is_some_and(|deadline| deadline <= Instant::now());
        let Some(resource) = report.resources.first() else {
            return Ok(match goal {
                Goal::Deleted => ControlFlow::Break(Outcome::Fine),
                // It may come back; a deadline ends the hope.
                _ if late => ControlFlow::Break(Outcome::NotFine),
                _ => ControlFlow::Continue(()),
            });
        };
        if goal == Goal::Deleted && moment == Moment::Back {
            return Ok(ControlFlow::Break(Outcome::Fine));
        }
        let arrived = goal.arrival(resource) == Arrival::Reached;
        reached_at = if arrived { reached_at.or_else(|| Some(Instant::now())) } else { None };
        // A word that has just been said may be taken back.
        let sure = match goal {
            Goal::Settled => rested && reached_at.is_some_and(|at| at.elapsed() >= REST),
            _ => true,
        };
        if arrived && sure {
            telling.print(report, ui)?;
            return Ok(ControlFlow::Break(outcome(report)));
        }
        if late {
            telling.print(report, ui)?;
            let still_moving = is_moving(resource) || goal == Goal::Deleted;
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
    fn of(report: &Status, moment: Moment) -> Self {
        let resource = report.resources.first().filter(|_| moment != Moment::Gone);
        let cause = resource.and_then(|resource| resource.subtree.cause.as_ref());
        Self {
            uid: resource.map(|resource| resource.uid.clone()),
            verdicts: resource.map(|resource| (resource.verdict, resource.subtree.verdict)),
            cause: cause.map(|cause| (cause.object.clone(), cause.status.clone())),
        }
    }
}

/// The state in a sentence, also of what is not there.
fn sentence(report: &Status, moment: Moment) -> String {
    match report.resources.first() {
        None => "it was deleted; waiting for it to be created again".to_owned(),
        Some(resource) if moment == Moment::Back => {
            format!("it was created again, with another uid; {}", resource.sentence)
        }
        Some(resource) => resource.sentence.clone(),
    }
}

impl Telling<'_> {
    fn follow(
        &self,
        ui: &mut Ui,
        pulse: Duration,
        events: Events,
        interrupted: Outcome,
        mut show: impl FnMut(&mut Ui, &Status, Moment, &Snapshot) -> anyhow::Result<Next>,
    ) -> anyhow::Result<Outcome> {
        let (below, rulebook) = (self.below, self.rulebook);
        let asked = status::asked(below);
        let following = Following {
            ask: self.ask,
            context: self.context,
            fetch_plan: &|snapshot: &Snapshot| -> FetchPlan { status::fetch_plan(snapshot, below, rulebook) },
            watch_set: &|snapshot: &Snapshot| watch_set(snapshot, tree::objects(snapshot, &asked)),
            pulse,
            events,
            interrupted,
        };
        follow(&following, ui, |ui, snapshot, moment| {
            let report = status::tell(snapshot, below, rulebook);
            show(ui, &report, moment, snapshot)
        })
    }

    fn print(&self, report: &Status, ui: &mut Ui) -> anyhow::Result<()> {
        let text = self.args.text(report, Subject::One, self.ask.spec, ui)?;
        ui.print(&text)?;
        Ok(())
    }
}
