//! The report of `tree`: the objects of a tree and its rows. Filters, depth and folds hide rows; the verdict, the cause
//! and the headline come from `evaluation` and cover the whole tree.
//!
//! | to find                                        | look in      |
//! |------------------------------------------------|--------------|
//! | the part of the tree in view: down, up,        | `span.rs`    |
//! | around, `--depth`                              |              |
//! | filters (`--kind`, `-l`, health), folds, rows  | `layout.rs`  |

mod layout;
mod span;
#[cfg(test)]
mod tests;

use std::collections::{HashMap, HashSet};

use serde::{Serialize, Serializer};

use super::Inspected;
use super::evaluation::{self, Below, Cause, Context, Evaluation, KeptStatus, Node, Owners, roots, traverse};
use super::graph::{EdgeKind, Index, Occurrence, Traversal};
use super::owners;
use super::related::{ObjectGraph, Relations};
use crate::model::coverage::Coverage;
use crate::model::fetch_plan::{FetchAttempts, FetchPlan, Inspection};
use crate::model::health::{Finding, Verdict};
use crate::model::ident::GroupKind;
use crate::model::now::Times;
use crate::model::object::Detail;
use crate::model::rulebook::Rulebook;
use crate::model::selector::Selector;
use crate::model::snapshot::Snapshot;

use span::{TreeSpan, main_owner, path_to};

/// What the tree shows.
#[derive(Clone, Debug, Default)]
pub struct TreeOptions {
    /// The maximum depth below the resource; `None` is unlimited.
    pub depth: Option<usize>,
    pub direction: Direction,
    pub relations: Relations,
    pub filter: Filter,
    pub folds: Folds,
    pub times: Times,
}

/// Which part of the tree around the requested object is shown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Direction {
    #[default]
    Down,
    /// The chain of its owners.
    Up,
    /// Both.
    Around,
}

/// Which objects are shown. Those below a hidden object are still shown.
#[derive(Clone, Debug, Default)]
pub struct Filter {
    /// Only these; empty for all.
    pub kinds: Vec<GroupKind>,
    pub except: Vec<GroupKind>,
    pub health: HealthFilter,
    pub labels: Selector,
}

/// Which objects are shown by health.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum HealthFilter {
    #[default]
    All,
    /// Unhealthy objects and their owners.
    Unhealthy,
}

/// Whether equal siblings are shown as one row.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Folds {
    #[default]
    Folded,
    Open,
}

/// One or several trees.
#[derive(Debug)]
pub struct TreeReport {
    pub trees: Vec<Tree>,
    pub coverage: Coverage,
    /// Whether one object was requested by name.
    pub of_one: bool,
}

/// One tree in its JSON form; skipped fields are for text output.
#[derive(Debug, Serialize)]
pub struct Tree {
    /// A summary in one sentence.
    pub headline: String,
    /// The verdict on the resource and everything below it.
    pub verdict: Verdict,
    /// `None` if nothing is wrong.
    pub cause: Option<Cause>,
    /// The id of the requested node.
    pub root: String,
    /// The nodes that are shown, including folded ones.
    pub nodes: Vec<Node>,
    pub edges: Vec<EdgeReport>,
    pub findings: Vec<Finding>,
    /// The number of objects hidden by filters and depth.
    pub hidden: usize,
    /// The number of objects in folds.
    #[serde(skip)]
    pub folded: usize,
    /// The rows of text output.
    #[serde(skip)]
    pub rows: Vec<Row>,
    /// Every node, hidden or not.
    #[serde(skip)]
    pub all: Vec<Node>,
}

/// An edge in its JSON form.
#[derive(Debug, PartialEq, Eq, Serialize)]
pub struct EdgeReport {
    pub from: String,
    pub to: String,
    pub link: LinkKind,
    pub evidence: Vec<String>,
}

/// What an edge is based on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum LinkKind {
    Controller,
    Owner,
    Related,
}

/// One row of the tree.
#[derive(Clone, Debug)]
pub struct Row {
    pub content: RowContent,
    pub link: Option<LinkKind>,
    /// How deep the row is below the root.
    pub level: usize,
    /// The vertical line at each level below the root; at most [`MAX_GUIDES`] of them.
    pub guides: Vec<Guide>,
    pub occurrence: Occurrence,
    /// Notes behind the columns.
    pub notes: Vec<String>,
}

/// What a row shows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RowContent {
    /// The node's index in `nodes`.
    Node(usize),
    /// Several equal, healthy siblings.
    Fold(Fold),
}

/// Siblings shown as one row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fold {
    pub text: String,
    pub ready: Option<String>,
    pub status: String,
    pub verdict: Verdict,
}

/// The number of levels that are drawn with lines; deeper rows have their level as a number.
pub const MAX_GUIDES: usize = 40;

/// Whether the vertical line to the left of a row continues at one level.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Guide {
    Continues,
    Ends,
}

impl Serialize for TreeReport {
    /// A single tree is the document itself; several are a list in it.
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        #[derive(Serialize)]
        struct One<'a> {
            schema: &'static str,
            #[serde(flatten)]
            tree: &'a Tree,
            #[serde(flatten)]
            coverage: &'a Coverage,
        }
        #[derive(Serialize)]
        struct Many<'a> {
            schema: &'static str,
            trees: &'a [Tree],
            #[serde(flatten)]
            coverage: &'a Coverage,
        }
        let coverage = &self.coverage;
        match self.trees.as_slice() {
            [tree] if self.of_one => {
                One { schema: "kubectl-op/tree/v1", tree, coverage }.serialize(serializer)
            }
            trees => Many { schema: "kubectl-op/trees/v1", trees, coverage }.serialize(serializer),
        }
    }
}

impl TreeReport {
    /// The tree with the worst verdict; among equals the first.
    pub fn worst(&self) -> Option<&Tree> {
        self.trees.iter().rev().max_by_key(|tree| tree.verdict)
    }
}

/// Reports the tree of each root of a snapshot, or what must be read first.
pub fn inspect(
    snapshot: &Snapshot,
    attempts: &FetchAttempts,
    options: &TreeOptions,
    rulebook: &Rulebook,
) -> Inspection<Inspected<TreeReport>> {
    let roots = roots(snapshot);
    let graph = ObjectGraph::build(snapshot, &roots, options.relations);
    let kept_status = KeptStatus::of(snapshot);
    let context =
        Context { snapshot, graph: &graph, rulebook, below: Below::All, times: options.times, kept_status };
    let traversals: Vec<_> = roots.iter().map(|root| traverse(*root, snapshot, &graph, Below::All)).collect();
    let mut plan = graph.missing.clone();
    for traversal in &traversals {
        evaluation::bodies(traversal, &context, &mut plan);
    }
    let paths: Vec<Vec<Index>> = roots.iter().map(|root| path(*root, &context, options, &mut plan)).collect();
    let plan = attempts.untried(plan, snapshot);
    if !plan.is_empty() {
        return Inspection::Missing(plan);
    }
    let mut evaluated = Vec::new();
    for (traversal, path) in traversals.into_iter().zip(paths) {
        let owners = owners_of(&traversal, &path, snapshot, options);
        let Some(subject) = Evaluation::of(traversal, owners, &context) else { continue };
        let around = path.first().and_then(|top| {
            Evaluation::of(traverse(*top, snapshot, &graph, Below::All), Owners::NotShown, &context)
        });
        evaluated.push(EvaluatedTree { subject, around, path });
    }
    if let [tree] = evaluated.as_slice() {
        let plan = attempts.untried(tree.subject.unhealthy_pods(&context), snapshot);
        if !plan.is_empty() {
            return Inspection::Missing(plan);
        }
    }
    let members =
        evaluated.iter().flat_map(EvaluatedTree::members).collect::<HashSet<Index>>().into_iter().collect();
    let trees = evaluated.into_iter().map(|tree| tree.tree(&context, options)).collect();
    let report = TreeReport { trees, coverage: snapshot.coverage.clone(), of_one: roots.len() == 1 };
    Inspection::Complete(Inspected { report, members })
}

/// What the headline says about the owners of a root.
fn owners_of<'a>(
    traversal: &Traversal,
    path: &[Index],
    snapshot: &'a Snapshot,
    options: &TreeOptions,
) -> Owners<'a> {
    if let Some(top) = path.first() {
        return Owners::Top(&snapshot.objects[*top].meta.name);
    }
    let root = traversal.positions.first().map(|root| &snapshot.objects[root.object].meta);
    match root.map(main_owner) {
        Some(None) if options.direction == Direction::Up => Owners::Nothing,
        Some(Some(owner)) if options.direction == Direction::Up => Owners::Missing(owner),
        _ => Owners::NotShown,
    }
}

/// The path from the topmost known owner to a root, if owners are shown; asks for the owner above it.
fn path(root: Index, context: &Context<'_>, options: &TreeOptions, plan: &mut FetchPlan) -> Vec<Index> {
    if options.direction == Direction::Down {
        return Vec::new();
    }
    let (snapshot, graph) = (context.snapshot, context.graph);
    let path = path_to(root, snapshot, graph);
    let meta = &snapshot.objects[path.first().copied().unwrap_or(root)].meta;
    let owner = main_owner(meta).and_then(|owner| owners::unknown_owner(snapshot, graph, meta, owner));
    if let Some(owner) = owner {
        plan.look_up(owner, Detail::Pruned);
    }
    if let Some(top) = path.first() {
        let traversal = traverse(*top, snapshot, graph, Below::All);
        let span = TreeSpan::of(root, &traversal, &path, options);
        evaluation::wanted(span.positions.iter(), context, plan);
    }
    path
}

/// A tree before its layout.
struct EvaluatedTree {
    /// The requested resource and everything below it.
    subject: Evaluation,
    /// The same for its topmost owner, if owners are shown.
    around: Option<Evaluation>,
    path: Vec<Index>,
}

impl EvaluatedTree {
    fn members(&self) -> impl Iterator<Item = Index> {
        let below = self.subject.traversal.primary().map(|position| position.object);
        let around = self.around.iter().flat_map(|around| around.traversal.primary());
        below.chain(around.map(|position| position.object))
    }

    fn tree(self, context: &Context<'_>, options: &TreeOptions) -> Tree {
        let Self { subject, around, path } = self;
        let shown = around.as_ref().unwrap_or(&subject);
        let span = TreeSpan::of(subject.root, &shown.traversal, &path, options);
        let layout =
            layout::layout(&layout::LayoutInput { context, evaluation: shown, span: &span, options });
        let edges = edges(&layout.edges, shown, context);
        let root = &subject.nodes[0].id;
        let (nodes, rows) = only_shown(&shown.nodes, layout.rows, &layout.shown);
        Tree {
            root: root.clone(),
            nodes,
            edges,
            hidden: layout.hidden,
            folded: layout.folded,
            rows,
            headline: subject.headline,
            verdict: subject.verdict,
            cause: subject.cause,
            findings: subject.findings,
            all: subject.nodes,
        }
    }
}

/// Drops the nodes that are not shown, and updates the indices in the rows.
fn only_shown(nodes: &[Node], mut rows: Vec<Row>, shown: &HashSet<usize>) -> (Vec<Node>, Vec<Row>) {
    let mut new_index = HashMap::new();
    let mut kept = Vec::new();
    for (index, node) in nodes.iter().enumerate().filter(|(index, _)| shown.contains(index)) {
        new_index.insert(index, kept.len());
        kept.push(node.clone());
    }
    for row in &mut rows {
        if let RowContent::Node(node) = &mut row.content {
            *node = new_index.get(node).copied().unwrap_or_default();
        }
    }
    (kept, rows)
}

fn edges(shown: &[layout::ShownEdge], evaluation: &Evaluation, context: &Context<'_>) -> Vec<EdgeReport> {
    let objects = &context.snapshot.objects;
    let report = |shown: &layout::ShownEdge| {
        let edge = shown.edge;
        let (from, to) = (evaluation.node_of.get(&shown.from)?, evaluation.node_of.get(&edge.to)?);
        let kind = &objects[edge.from].meta.name.kind;
        let mut evidence = match edge.kind {
            EdgeKind::Controller => vec![format!("ownerReferences: {kind} by uid, controller")],
            EdgeKind::Owner => vec![format!("ownerReferences: {kind} by uid")],
            EdgeKind::Former => vec![format!("ownerReferences: {kind} by name, with another uid")],
            EdgeKind::Related | EdgeKind::Referred | EdgeKind::Guessed | EdgeKind::Named => {
                context.graph.evidence(edge).to_vec()
            }
        };
        if shown.from != edge.from {
            evidence.push(format!("through {}, which is hidden", objects[edge.from].meta.name));
        }
        let (from, to) = (evaluation.nodes[*from].id.clone(), evaluation.nodes[*to].id.clone());
        Some(EdgeReport { from, to, link: link_kind(edge.kind), evidence })
    };
    shown.iter().filter_map(report).collect()
}

const fn link_kind(kind: EdgeKind) -> LinkKind {
    match kind {
        EdgeKind::Controller => LinkKind::Controller,
        EdgeKind::Owner => LinkKind::Owner,
        _ => LinkKind::Related,
    }
}
