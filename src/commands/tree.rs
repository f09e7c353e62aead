//! `tree`: what an object owns, how each of it is, and what could not be seen.

use super::gather::{Ask, Columns, Extent, Gathered, Places, gather};
use super::next::{self, Way};
use super::object::ObjectArgs;
use super::output::{Output, output};
use super::pick::pick;
use super::tree_watch;
use super::wait::attend;
use super::{Example, Page};
use crate::error::{Failure, Kind, Outcome};
use crate::inspect::related;
use crate::inspect::tree::{self, Asked, Direction, Filter, Folds, Node, Only, Tree, is_trouble};
use crate::model::candidate::KeepLabels;
use crate::model::ident::GroupKind;
use crate::model::kind;
use crate::model::rulebook::Rulebook;
use crate::model::selector::Selector;
use crate::model::snapshot::Snapshot;
use crate::render::drawing::Drawing;
use crate::render::tree::{Times, View};
use crate::render::{graphviz, machine, mermaid, tree as render};
use crate::source::resolve::resolve;
use crate::source::{ReadContext, SourceSpec};
use crate::ui::Ui;

pub(super) const PAGE: Page = Page {
    name: "tree",
    usage: "tree TYPE/NAME [flags]",
    examples: &[
        Example { call: "tree voteconfig/demo", says: "a resource and everything it owns" },
        Example { call: "tree deployment shop -n shop -o wide", says: "with uids, rules and reasons" },
        Example {
            call: "tree website/shop --fail --strict",
            says: "exits 1 when not fine, 3 when partly unseen",
        },
        Example { call: "tree -f site.yaml -o json", says: "the object that a manifest names, as data" },
    ],
    needs: "Reads only. Needs: get on the object, list on what it owns; works with less and says what it could not see.",
};

/// Show what a resource owns, with health
#[expect(clippy::struct_excessive_bools, reason = "each is a switch of its own on the command line")]
#[derive(clap::Args, Debug)]
pub struct TreeArgs {
    #[command(flatten)]
    object: ObjectArgs,
    /// Look into all namespaces, also for an object that lives in one
    #[arg(long, short = 'A', help_heading = "Select")]
    all_namespaces: bool,
    /// Labels: of the objects to show trees of, or, below a named one, of what is shown
    #[arg(long, short = 'l', value_name = "SELECTOR", value_parser = Selector::parse, help_heading = "Select")]
    selector: Option<Selector>,
    /// Show the owners instead, up to the top
    #[arg(long, conflicts_with = "around", help_heading = "Select")]
    up: bool,
    /// Show the owners and what is below, with the object marked
    #[arg(long, help_heading = "Select")]
    around: bool,
    /// Show this many levels below the object
    #[arg(long, value_name = "LEVELS", help_heading = "Select")]
    depth: Option<usize>,
    /// Hide what owner references do not lead to
    #[arg(long, conflicts_with = "deep", help_heading = "Select")]
    owned_only: bool,
    /// Show what Pods name as well: ConfigMaps, Secrets, claims, service accounts
    #[arg(long, help_heading = "Select")]
    deep: bool,
    /// Show objects of these types only, and what is below them
    #[arg(long, value_name = "TYPE", value_delimiter = ',', help_heading = "Select")]
    kind: Vec<String>,
    /// Hide objects of these types, not what is below them
    #[arg(long, value_name = "TYPE", value_delimiter = ',', help_heading = "Select")]
    exclude_kind: Vec<String>,
    /// Show only what is unhealthy, and the way there
    #[arg(long, value_name = "WHAT", value_parser = ["unhealthy"], help_heading = "Select")]
    only: Option<String>,
    /// Format: wide, json, yaml, name, dot, mermaid, jsonpath=TEMPLATE, custom-columns-file=FILE, or
    /// custom-columns=NAME:.metadata.name,IS:.verdict with the fields of a node in -o json
    #[arg(long, short, value_name = "FORMAT", value_parser = output, help_heading = "Show")]
    pub(super) output: Option<Output>,
    /// Show equal siblings one by one
    #[arg(long, help_heading = "Show")]
    all: bool,
    /// Show times instead of ages
    #[arg(long, help_heading = "Show")]
    absolute_time: bool,
    /// Keep watching: on a terminal the tree is drawn anew, in a pipe every change is a line
    #[arg(long, short = 'w', conflicts_with_all = ["fail", "strict"], help_heading = "Show")]
    watch: bool,
    /// Exit with 1 when anything in the tree is not fine
    #[arg(long, help_heading = "Judge")]
    fail: bool,
    /// Exit with 3 when not everything could be read
    #[arg(long, help_heading = "Judge")]
    strict: bool,
}

/// Gathers, tells, prints.
pub fn run(args: &TreeArgs, spec: &SourceSpec, rulebook: &Rulebook, ui: &mut Ui) -> anyhow::Result<Outcome> {
    let named = args.object.named(&spec.target.program, "tree")?;
    if args.watch {
        tree_watch::check(args, spec)?;
    }
    let named =
        if args.all_namespaces || args.selector.is_some() { named } else { pick(named, spec, "tree", ui)? };
    let context = ReadContext::default();
    let mut asked = args.asked();
    let candidates = |roots: &[_], kinds: &[_]| {
        let mut candidates = match asked.related {
            related::Reach::Owned => related::no_candidates(roots, kinds),
            _ => related::candidates(roots, kinds),
        };
        if args.selector.is_some() && named.name.is_some() {
            candidates.keep_labels = KeepLabels::All;
        }
        candidates
    };
    let ask = Ask {
        spec,
        named: std::slice::from_ref(&named),
        places: if args.all_namespaces { Places::All } else { Places::Own },
        extent: Extent::Trees,
        selector: args.selector.clone().unwrap_or_default(),
        command: "tree",
        candidates: &candidates,
        columns: if matches!(args.output, Some(Output::Wide)) { Columns::Asked } else { Columns::NotAsked },
    };
    if args.watch {
        return tree_watch::watch(args, asked.clone(), &ask, rulebook, &context, ui);
    }
    let gathered =
        attend(&context, ui, gather(&ask, &context, |snapshot| tree::fetch_plan(snapshot, &asked)))?;
    gathered.remark(ui);
    let snapshot: &Snapshot = &gathered.snapshot;
    asked.filter = args.filter(snapshot, named.name.is_some())?;
    let trees = tree::tell(snapshot, &asked, rulebook);
    if trees.is_empty() {
        return nothing(args, &gathered, named.name.is_some(), ui);
    }
    ui.print(&text(args, &trees, spec, ui)?)?;
    Ok(outcome(args, &trees, context.stop.is_asked()))
}

impl TreeArgs {
    /// What to look at; filters need the kinds that are served, and follow.
    fn asked(&self) -> Asked {
        let direction = match (self.up, self.around) {
            (true, _) => Direction::Up,
            (_, true) => Direction::Around,
            _ => Direction::Down,
        };
        let related = match (self.owned_only, self.deep) {
            (true, _) => related::Reach::Owned,
            (_, true) => related::Reach::Deep,
            _ => related::Reach::Related,
        };
        let folds = if self.all { Folds::Open } else { Folds::Folded };
        Asked { depth: self.depth, direction, related, filter: Filter::default(), folds }
    }

    pub(super) fn filter(&self, snapshot: &Snapshot, of_one: bool) -> Result<Filter, Failure> {
        let kinds = |words: &[String]| -> Result<Vec<GroupKind>, Failure> {
            words.iter().map(|word| kind_of(word, snapshot)).collect()
        };
        let only = if self.only.is_some() { Only::Unhealthy } else { Only::All };
        // Without a name the selector has chosen the roots already.
        let labels = self.selector.clone().filter(|_| of_one).unwrap_or_default();
        Ok(Filter { kinds: kinds(&self.kind)?, except: kinds(&self.exclude_kind)?, only, labels })
    }
}

fn kind_of(word: &str, snapshot: &Snapshot) -> Result<GroupKind, Failure> {
    resolve(&snapshot.kinds, word).map(|found| kind::Kind::group_kind(&found.kind)).map_err(|unknown| {
        let failure =
            Failure::new(Kind::Usage, format!("the server doesn't have a resource type \"{word}\""));
        match unknown.near.first() {
            Some(near) => failure.hint(format!("did you mean {near}?")),
            None => failure.hint("kubectl api-resources lists what it has"),
        }
    })
}

/// There is no object to show a tree of.
fn nothing(args: &TreeArgs, gathered: &Gathered, of_one: bool, ui: &mut Ui) -> anyhow::Result<Outcome> {
    if of_one {
        return Err(Failure::new(Kind::Server, "the object was deleted while it was read").into());
    }
    if let Some(Output::Machine(format)) = &args.output {
        ui.print(&machine::write(&Trees::of(&[], &gathered.snapshot.gaps), *format)?)?;
    }
    gathered.say_nothing_found(ui);
    Ok(Outcome::Fine)
}

/// Several trees as data.
#[expect(clippy::struct_field_names, reason = "the names are those of the JSON")]
#[derive(serde::Serialize)]
pub(super) struct Trees<'a> {
    schema: &'static str,
    trees: &'a [Tree],
    complete: bool,
    gaps: &'a [crate::model::gap::Gap],
}

impl<'a> Trees<'a> {
    pub(super) fn of(trees: &'a [Tree], gaps: &'a [crate::model::gap::Gap]) -> Self {
        Self { schema: "kubectl-op/trees/v1", trees, complete: gaps.is_empty(), gaps }
    }
}

pub(super) fn text(args: &TreeArgs, trees: &[Tree], spec: &SourceSpec, ui: &Ui) -> anyhow::Result<String> {
    let styles = ui.styles();
    Ok(match (&args.output, trees) {
        (Some(Output::Machine(format)), [tree]) => machine::write(tree, *format)?,
        (Some(Output::Machine(format)), trees) => machine::write(&Trees::of(trees, &trees[0].gaps), *format)?,
        (Some(Output::Name), trees) => trees.iter().map(|tree| render::names(tree, styles)).collect(),
        (Some(Output::JsonPath(template)), trees) => {
            let value = match trees {
                [tree] => serde_json::to_value(tree)?,
                trees => serde_json::to_value(Trees::of(trees, &trees[0].gaps))?,
            };
            let filled = template.write(&value);
            styles.block(&filled.map_err(|problem| Failure::new(Kind::Usage, problem.to_string()))?)
        }
        (Some(Output::Columns(columns)), trees) => {
            let nodes: Vec<Node> = trees.iter().flat_map(|tree| tree.nodes.iter().cloned()).collect();
            let filled = columns.write(&nodes, styles);
            filled.map_err(|problem| Failure::new(Kind::Usage, problem.to_string()))?
        }
        (Some(Output::Dot), trees) => graphviz::write(&Drawing::of(trees)),
        (Some(Output::Mermaid), trees) => mermaid::write(&Drawing::of(trees)),
        (_, trees) => {
            let (view, times) = view(args);
            let told: Vec<String> =
                trees.iter().map(|tree| render::write(tree, view, times, styles, ui.width())).collect();
            let Some(worst) = trees.iter().max_by_key(|tree| tree.verdict()) else {
                return Ok(String::new());
            };
            let footer = render::footer(worst, styles);
            format!("{}\n{footer}\nnext: {}\n", told.join("\n"), styles.plain(&next(worst, spec)))
        }
    })
}

/// How the tree is written for the eye.
pub(super) fn view(args: &TreeArgs) -> (View, Times) {
    let view = if matches!(args.output, Some(Output::Wide)) { View::Wide } else { View::Usual };
    let times = if args.absolute_time { Times::Absolute } else { Times::Ages };
    (view, times)
}

/// The command that says more: why a container ended, else how the object is and why.
pub(super) fn next(tree: &Tree, spec: &SourceSpec) -> String {
    let root = tree.nodes.iter().find(|node| node.id == tree.root);
    match root {
        _ if tree.worst.is_crash() && spec.from.is_none() => {
            next::call(&tree.worst.name, Way::PreviousLogs, spec)
        }
        Some(root) => next::call(&root.name, Way::Status, spec),
        None => next::call(&tree.worst.name, Way::Status, spec),
    }
}

fn outcome(args: &TreeArgs, trees: &[Tree], interrupted: bool) -> Outcome {
    if interrupted {
        return Outcome::Interrupted;
    }
    let trouble = trees.iter().any(|tree| is_trouble(tree.verdict()));
    let complete = trees.iter().all(|tree| tree.complete);
    match (args.fail && trouble, args.strict && !complete) {
        (true, _) => Outcome::NotFine,
        (_, true) => Outcome::CannotJudge,
        _ => Outcome::Fine,
    }
}
