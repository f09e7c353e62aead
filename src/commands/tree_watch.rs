//! `tree -w`: on a terminal the tree is drawn over and changed rows say what changed; in a pipe every change is a
//! line, or with `-o json` a document of its own.

use std::ops::ControlFlow;
use std::time::Duration;

use jiff::{SignedDuration, Timestamp};

use super::gather::Ask;
use super::live::{Events, Following, Moment, Next, follow};
use super::output::Output;
use super::tree::{TreeArgs, Trees, next, text, view};
use crate::error::{Failure, Kind, Outcome};
use crate::inspect::changes::{self, Action, Change, Leavers, Recent, annotate};
use crate::inspect::tree::{self, Asked, Node, Only, Tree};
use crate::inspect::watch_set::watch_set;
use crate::model::age;
use crate::model::ident::ObjectName;
use crate::model::rulebook::Rulebook;
use crate::model::snapshot::Snapshot;
use crate::render::changes::{departed, line, said};
use crate::render::{Machine, machine, tree as render};
use crate::source::{ReadContext, SourceSpec};
use crate::ui::Ui;

/// How often the tree is drawn anew though nothing changed.
const PULSE: Duration = Duration::from_secs(5);
/// How long a row says what changed.
const RECENT: SignedDuration = SignedDuration::from_secs(60);
const WAITING: &str = "waiting for it to be created again";

/// Whether these words can be watched at all.
pub(super) fn check(args: &TreeArgs, spec: &SourceSpec) -> Result<(), Failure> {
    let usage = |message: &str| Failure::new(Kind::Usage, message);
    if spec.from.is_some() {
        return Err(usage("a dump does not change: there is nothing to watch in it")
            .hint("leave out -w, or watch a cluster: leave out --from and --demo"));
    }
    match &args.output {
        None | Some(Output::Wide | Output::Machine(_)) => Ok(()),
        Some(_) => {
            Err(usage("-w writes text, wide, json or yaml").hint("-o json has everything, a line each"))
        }
    }
}

/// Follows a tree until Ctrl-C.
pub(super) fn watch(
    args: &TreeArgs,
    asked: Asked,
    ask: &Ask<'_>,
    rulebook: &Rulebook,
    context: &ReadContext,
    ui: &mut Ui,
) -> anyhow::Result<Outcome> {
    if let [named] = ask.named
        && named.name.is_none()
    {
        let call = format!("{} tree {}/NAME -w", ask.spec.target.program, named.kind);
        return Err(Failure::new(Kind::Usage, "-w watches one object: name it").hint(call).into());
    }
    let scope = asked.clone();
    let following = Following {
        ask,
        context,
        fetch_plan: &|snapshot| tree::fetch_plan(snapshot, &scope),
        watch_set: &|snapshot| watch_set(snapshot, tree::objects(snapshot, &scope)),
        pulse: PULSE,
        events: Events::LeftOut,
        interrupted: Outcome::Fine,
    };
    let (nodes, recent, leavers, root) = (Vec::new(), Vec::new(), Leavers::default(), String::new());
    let mut watching =
        Watching { args, ask, rulebook, asked, nodes, recent, leavers, root, name: None, gone: None };
    follow(&following, ui, |ui, snapshot, moment| watching.tell(ui, snapshot, moment))
}

/// What was told so far.
struct Watching<'a> {
    args: &'a TreeArgs,
    ask: &'a Ask<'a>,
    rulebook: &'a Rulebook,
    asked: Asked,
    /// What was in the tree, whether it was shown or not.
    nodes: Vec<Node>,
    recent: Vec<Recent>,
    leavers: Leavers,
    /// The root's id in it, and what it is called.
    root: String,
    name: Option<ObjectName>,
    /// Since when the root is.
    gone: Option<Timestamp>,
}

impl Watching<'_> {
    fn tell(&mut self, ui: &mut Ui, snapshot: &Snapshot, moment: Moment) -> anyhow::Result<Next> {
        if moment == Moment::First {
            self.asked.filter = self.args.filter(snapshot, true)?;
        }
        let tree = tree::tell(snapshot, &self.asked, self.rulebook).pop();
        let changes = self.compare(tree.as_ref(), snapshot, moment);
        match moment {
            Moment::Gone => self.gone = Some(snapshot.now),
            Moment::Back | Moment::First => self.gone = None,
            Moment::Changed | Moment::Passing => {}
        }
        let is_news = !changes.is_empty() || !matches!(moment, Moment::Changed | Moment::Passing);
        match &self.args.output {
            Some(Output::Machine(format)) => {
                if is_news {
                    ui.print(&document(tree.as_ref(), snapshot, *format)?)?;
                }
            }
            _ if ui.draws() => self.draw(ui, tree, snapshot, is_news)?,
            _ if moment == Moment::First => {
                if let Some(tree) = tree {
                    ui.print(&text(self.args, &[tree], self.ask.spec, ui)?)?;
                }
            }
            _ => {
                let lines: String = changes.iter().map(|change| appended(change, snapshot, ui)).collect();
                ui.print(&lines)?;
            }
        }
        Ok(ControlFlow::Continue(()))
    }

    /// What changed since it was told last; remembered for a while.
    fn compare(&mut self, tree: Option<&Tree>, snapshot: &Snapshot, moment: Moment) -> Vec<Change> {
        // A filter by state hides what gets well: that is no deletion.
        let whole = (self.asked.filter.only != Only::All && tree.is_some()).then(|| {
            let mut asked = self.asked.clone();
            asked.filter.only = Only::All;
            tree::tell(snapshot, &asked, self.rulebook).pop()
        });
        let whole = whole.flatten();
        let tree = whole.as_ref().or(tree);
        let mut changes = match moment {
            Moment::First => Vec::new(),
            _ => self.leavers.sift(changes::between(&self.nodes, tree, snapshot), snapshot),
        };
        if moment == Moment::Back {
            // One line says both: the old one is gone, the new one is there.
            changes.retain(|change| !(change.action == Action::Deleted && change.id == self.root));
            let is_new = |change: &&mut Change| snapshot.roots.iter().any(|uid| uid.0 == change.id);
            for root in changes.iter_mut().filter(is_new) {
                root.action = Action::Replaced;
            }
        }
        match tree {
            Some(tree) => {
                self.nodes.clone_from(&tree.nodes);
                self.root.clone_from(&tree.root);
                let root = tree.nodes.iter().find(|node| node.id == tree.root);
                self.name = root.map(|root| root.name.clone());
            }
            None => {
                self.nodes.retain(|node| snapshot.objects.iter().any(|object| object.meta.uid.0 == node.uid))
            }
        }
        let now = snapshot.now;
        self.recent.retain(|recent| {
            now.duration_since(recent.at) < RECENT
                && !changes.iter().any(|change| change.id == recent.change.id)
        });
        self.recent.extend(changes.iter().map(|change| Recent { change: change.clone(), at: now }));
        changes
    }

    fn draw(
        &self,
        ui: &mut Ui,
        tree: Option<Tree>,
        snapshot: &Snapshot,
        is_news: bool,
    ) -> anyhow::Result<()> {
        let (styles, now) = (ui.styles(), snapshot.now);
        let frame = match (tree, self.gone) {
            (Some(mut tree), _) => {
                let homeless = annotate(&mut tree, &self.recent);
                let (view, times) = view(self.args);
                let told = render::write(&tree, view, times, styles, ui.width());
                let gone = departed(&homeless, now, styles);
                let footer = render::footer(&tree, styles);
                let next = styles.plain(&next(&tree, self.ask.spec));
                format!("{told}{gone}\n{footer}\nnext: {next}\n")
            }
            (None, since) => {
                let name = self.name.as_ref().map(ToString::to_string).unwrap_or_default();
                let ago = age::human(now.duration_since(since.unwrap_or(now)));
                let said = format!("{name} was deleted {ago} ago; {WAITING}");
                let homeless: Vec<&Recent> = self.recent.iter().collect();
                format!("{}\n\n{}", styles.plain(&said), departed(&homeless, now, styles))
            }
        };
        // What does not fit cannot be drawn over: it is printed again only when there is something new in it.
        if is_news || ui.fits(&frame) {
            ui.draw(&frame)?;
        }
        Ok(())
    }
}

/// One line of a pipe.
fn appended(change: &Change, snapshot: &Snapshot, ui: &Ui) -> String {
    let is_root = snapshot.roots.iter().any(|uid| uid.0 == change.id);
    if is_root && change.action == Action::Deleted {
        return said(snapshot.now, change.action, &change.object.to_string(), WAITING, ui.styles());
    }
    line(change, snapshot.now, ui.styles())
}

fn document(tree: Option<&Tree>, snapshot: &Snapshot, format: Machine) -> anyhow::Result<String> {
    let nothing = Trees::of(&[], &snapshot.gaps);
    Ok(match (tree, format) {
        (Some(tree), Machine::Json) => machine::line(tree)?,
        (None, Machine::Json) => machine::line(&nothing)?,
        (Some(tree), Machine::Yaml) => format!("---\n{}", machine::write(tree, format)?),
        (None, Machine::Yaml) => format!("---\n{}", machine::write(&nothing, format)?),
    })
}
