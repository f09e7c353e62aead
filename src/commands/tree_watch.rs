//! `tree -w`: on a terminal the tree is redrawn, with notes on changed rows; in a pipe every change is a line, or with
//! `-o json` and `-o yaml` a document.

use std::ops::ControlFlow;
use std::time::Duration;

use jiff::{SignedDuration, Timestamp};

use super::gather::Prepared;
use super::live::{EventsMode, Flow, Trigger, WatchOptions, follow};
use super::next;
use super::output::{Output, times};
use super::tree::{TreeArgs, summary, text};
use crate::error::Outcome;
use crate::inspect::changes::{self, Change, ChangeAction, LeaveDebouncer, RecentChange, annotate};
use crate::inspect::evaluation::Node;
use crate::inspect::tree::{self, Tree, TreeOptions, TreeReport};
use crate::model::ident::ObjectName;
use crate::model::now::Now;
use crate::model::rulebook::Rulebook;
use crate::model::snapshot::Snapshot;
use crate::render::changes::{entry, line, removed};
use crate::render::{JsonOrYaml, json_yaml, tree as render};
use crate::ui::Ui;

/// How often the tree is redrawn without a change, to update ages.
const REFRESH: Duration = Duration::from_secs(5);
/// How long a change is noted on its row.
const RECENT: SignedDuration = SignedDuration::from_secs(60);
const WAITING: &str = "waiting for it to be recreated";

/// Watches a tree until Ctrl-C.
pub(super) fn watch(
    args: &TreeArgs,
    options: &TreeOptions,
    prepared: &Prepared<'_>,
    rulebook: &Rulebook,
    ui: &mut Ui,
) -> anyhow::Result<Outcome> {
    let watch_options = WatchOptions {
        prepared,
        inspect: &|snapshot, attempts| tree::inspect(snapshot, attempts, options, rulebook),
        refresh: REFRESH,
        events: EventsMode::Ignored,
        interrupted: Outcome::Success,
    };
    let (nodes, recent, leavers, root) = (Vec::new(), Vec::new(), LeaveDebouncer::default(), String::new());
    let mut state = TreeWatch { args, prepared, nodes, recent, leavers, root, name: None, deleted: None };
    follow(&watch_options, ui, |ui, report, snapshot, trigger| state.show(ui, report, snapshot, trigger))
}

/// What has been shown so far.
struct TreeWatch<'a> {
    args: &'a TreeArgs,
    prepared: &'a Prepared<'a>,
    /// All nodes of the last tree, shown or hidden.
    nodes: Vec<Node>,
    recent: Vec<RecentChange>,
    leavers: LeaveDebouncer,
    /// The root's id, and its name.
    root: String,
    name: Option<ObjectName>,
    /// When the root was deleted, if it was.
    deleted: Option<Timestamp>,
}

impl TreeWatch<'_> {
    fn show(
        &mut self,
        ui: &mut Ui,
        mut report: TreeReport,
        snapshot: &Snapshot,
        trigger: Trigger,
    ) -> anyhow::Result<Flow> {
        report.of_one = true;
        let changes = self.compare(report.trees.first(), snapshot, trigger);
        match trigger {
            Trigger::Deleted => self.deleted = Some(snapshot.coverage.now),
            Trigger::Recreated | Trigger::First => self.deleted = None,
            Trigger::Changed | Trigger::Timer => {}
        }
        let is_new = !changes.is_empty() || !matches!(trigger, Trigger::Changed | Trigger::Timer);
        match self.args.output.as_ref().and_then(Output::json_or_yaml) {
            Some(JsonOrYaml::Json) if is_new => ui.print(&json_yaml::line(&report, ui.styles())?)?,
            Some(JsonOrYaml::Yaml) if is_new => {
                let document = json_yaml::write(&report, JsonOrYaml::Yaml, ui.styles())?;
                ui.print(&format!("---\n{document}"))?;
            }
            Some(_) => {}
            None if ui.can_redraw() => self.draw(ui, report, is_new)?,
            None if trigger == Trigger::First => {
                ui.print(&text(self.args, &report, self.prepared.context.spec, ui)?)?;
            }
            None => {
                let lines: String = changes.iter().map(|change| appended(change, snapshot, ui)).collect();
                ui.print(&lines)?;
            }
        }
        Ok(ControlFlow::Continue(()))
    }

    /// What changed since the last report.
    fn compare(&mut self, tree: Option<&Tree>, snapshot: &Snapshot, trigger: Trigger) -> Vec<Change> {
        let mut changes = match trigger {
            Trigger::First => Vec::new(),
            _ => self.leavers.debounce(changes::between(&self.nodes, tree, snapshot), snapshot),
        };
        if trigger == Trigger::Recreated {
            // One line reports both the deletion and the new object.
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
        let now = Now { time: report.coverage.now, times: times(self.args.absolute_time) };
        let styles = ui.styles();
        let frame = match (report.trees.pop(), self.deleted) {
            (Some(mut tree), _) => {
                let unplaced = annotate(&mut tree, &self.recent, now);
                let written = render::write(&tree, self.args.write_options(&report, ui));
                let gone = removed(&unplaced, now, styles);
                let footer = render::footer(&tree, &report.coverage, styles);
                let next = next::line(summary(&tree, true), self.prepared.context.spec, styles);
                format!("{written}{gone}\n{footer}\n{next}")
            }
            (None, since) => {
                let name = self.name.as_ref().map(ToString::to_string).unwrap_or_default();
                let when = now.ago(since.unwrap_or(now.time));
                let text = format!("{name} was deleted {when}; {WAITING}");
                let unplaced: Vec<&RecentChange> = self.recent.iter().collect();
                format!("{}\n\n{}", styles.plain(&text), removed(&unplaced, now, styles))
            }
        };
        // A frame that does not fit cannot be replaced: it is printed again only if something changed.
        if is_new || ui.fits(&frame) {
            ui.draw(&frame)?;
        }
        Ok(())
    }
}

/// The line for a change, for a pipe.
fn appended(change: &Change, snapshot: &Snapshot, ui: &Ui) -> String {
    let now = snapshot.coverage.now;
    let is_root = snapshot.roots.iter().any(|uid| uid.0 == change.id);
    if is_root && change.action == ChangeAction::Deleted {
        return entry(now, change.action, &change.object.to_string(), WAITING, ui.styles());
    }
    line(change, now, ui.styles())
}
