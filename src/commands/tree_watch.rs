//! `tree -w`: on a terminal the tree is redrawn and changed rows say what changed; in a pipe every change is a line,
//! or with `-o json` a document of its own.

use std::ops::ControlFlow;
use std::time::Duration;

use jiff::{SignedDuration, Timestamp};

use super::gather::Prepared;
use super::live::{Events, Following, Moment, Next, follow};
use super::output::Output;
use super::tree::{TreeArgs, next, text};
use crate::error::Outcome;
use crate::inspect::changes::{self, Change, ChangeAction, LeaveDebouncer, RecentChange, annotate};
use crate::inspect::evaluation::Node;
use crate::inspect::tree::{self, Tree, TreeOptions, TreeReport};
use crate::model::age;
use crate::model::ident::ObjectName;
use crate::model::rulebook::Rulebook;
use crate::model::snapshot::Snapshot;
use crate::render::changes::{departed, line, said};
use crate::render::{Machine, machine, tree as render};
use crate::ui::Ui;

/// How often the tree is redrawn though nothing changed.
const PULSE: Duration = Duration::from_secs(5);
/// How long a row says what changed.
const RECENT: SignedDuration = SignedDuration::from_secs(60);
const WAITING: &str = "waiting for it to be created again";

/// Follows a tree until Ctrl-C.
pub(super) fn watch(
    args: &TreeArgs,
    options: &TreeOptions,
    prepared: &Prepared<'_>,
    rulebook: &Rulebook,
    ui: &mut Ui,
) -> anyhow::Result<Outcome> {
    let following = Following {
        prepared,
        inspect: &|snapshot, attempts| tree::inspect(snapshot, attempts, options, rulebook),
        pulse: PULSE,
        events: Events::LeftOut,
        interrupted: Outcome::Fine,
    };
    let (nodes, recent, leavers, root) = (Vec::new(), Vec::new(), LeaveDebouncer::default(), String::new());
    let mut watching = Watching { args, prepared, nodes, recent, leavers, root, name: None, deleted: None };
    follow(&following, ui, |ui, report, snapshot, moment| watching.show(ui, report, snapshot, moment))
}

/// What was shown so far.
struct Watching<'a> {
    args: &'a TreeArgs,
    prepared: &'a Prepared<'a>,
    /// What was in the tree, whether it was shown or hidden.
    nodes: Vec<Node>,
    recent: Vec<RecentChange>,
    leavers: LeaveDebouncer,
    /// The root's id, and its name.
    root: String,
    name: Option<ObjectName>,
    /// Since when the root is deleted.
    deleted: Option<Timestamp>,
}

impl Watching<'_> {
    fn show(
        &mut self,
        ui: &mut Ui,
        mut report: TreeReport,
        snapshot: &Snapshot,
        moment: Moment,
    ) -> anyhow::Result<Next> {
        report.of_one = true;
        let changes = self.compare(report.trees.first(), snapshot, moment);
        match moment {
            Moment::Deleted => self.deleted = Some(snapshot.coverage.now),
            Moment::Recreated | Moment::First => self.deleted = None,
            Moment::Changed | Moment::Pulse => {}
        }
        let is_new = !changes.is_empty() || !matches!(moment, Moment::Changed | Moment::Pulse);
        match self.args.output.as_ref().and_then(Output::machine) {
            Some(Machine::Json) if is_new => ui.print(&machine::line(&report)?)?,
            Some(Machine::Yaml) if is_new => {
                ui.print(&format!("---\n{}", machine::write(&report, Machine::Yaml)?))?;
            }
            Some(_) => {}
            None if ui.draws() => self.draw(ui, report, is_new)?,
            None if moment == Moment::First => {
                ui.print(&text(self.args, &report, self.prepared.call.spec, ui)?)?;
            }
            None => {
                let lines: String = changes.iter().map(|change| appended(change, snapshot, ui)).collect();
                ui.print(&lines)?;
            }
        }
        Ok(ControlFlow::Continue(()))
    }

    /// What changed since the last time; remembered for a while.
    fn compare(&mut self, tree: Option<&Tree>, snapshot: &Snapshot, moment: Moment) -> Vec<Change> {
        let mut changes = match moment {
            Moment::First => Vec::new(),
            _ => self.leavers.debounce(changes::between(&self.nodes, tree, snapshot), snapshot),
        };
        if moment == Moment::Recreated {
            // One line says both: the old one is deleted, the new one exists.
            changes.retain(|change| !(change.action == ChangeAction::Deleted && change.id == self.root));
            let is_new = |change: &&mut Change| snapshot.roots.iter().any(|uid| uid.0 == change.id);
            for root in changes.iter_mut().filter(is_new) {
                root.action = ChangeAction::Replaced;
            }
        }
        match tree {
            Some(tree) => {
                self.nodes.clone_from(&tree.all);
                self.root.clone_from(&tree.root);
                self.name = tree.all.first().map(|root| root.name.clone());
            }
            None => {
                self.nodes.retain(|node| snapshot.objects.iter().any(|object| object.meta.uid.0 == node.uid));
            }
        }
        let now = snapshot.coverage.now;
        self.recent.retain(|recent| {
            now.duration_since(recent.at) < RECENT
                && !changes.iter().any(|change| change.id == recent.change.id)
        });
        self.recent.extend(changes.iter().map(|change| RecentChange { change: change.clone(), at: now }));
        changes
    }

    fn draw(&self, ui: &mut Ui, mut report: TreeReport, is_new: bool) -> anyhow::Result<()> {
        let (styles, now) = (ui.styles(), report.coverage.now);
        let frame = match (report.trees.pop(), self.deleted) {
            (Some(mut tree), _) => {
                let homeless = annotate(&mut tree, &self.recent, now);
                let written = render::write(&tree, self.args.page(&report, ui));
                let gone = departed(&homeless, now, styles);
                let footer = render::footer(&tree, &report.coverage, styles);
                let next = styles.plain(&next(&tree, self.prepared.call.spec));
                format!("{written}{gone}\n{footer}\nnext: {next}\n")
            }
            (None, since) => {
                let name = self.name.as_ref().map(ToString::to_string).unwrap_or_default();
                let ago = age::human(now.duration_since(since.unwrap_or(now)));
                let text = format!("{name} was deleted {ago} ago; {WAITING}");
                let homeless: Vec<&RecentChange> = self.recent.iter().collect();
                format!("{}\n\n{}", styles.plain(&text), departed(&homeless, now, styles))
            }
        };
        // What does not fit cannot be drawn over: it is printed again only when there is something new in it.
        if is_new || ui.fits(&frame) {
            ui.draw(&frame)?;
        }
        Ok(())
    }
}

/// One line of a pipe.
fn appended(change: &Change, snapshot: &Snapshot, ui: &Ui) -> String {
    let now = snapshot.coverage.now;
    let is_root = snapshot.roots.iter().any(|uid| uid.0 == change.id);
    if is_root && change.action == ChangeAction::Deleted {
        return said(now, change.action, &change.object.to_string(), WAITING, ui.styles());
    }
    line(change, now, ui.styles())
}
