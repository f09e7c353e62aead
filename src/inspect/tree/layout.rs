//! The rows of a tree: applies filters, folds equal siblings, and computes the lines to the left of each row.

use std::collections::{BTreeMap, HashMap, HashSet};

use super::span::TreeSpan;
use super::{
    Direction, Fold, Folds, Guide, HealthFilter, MAX_GUIDES, Row, RowContent, TreeOptions, link_kind,
};
use crate::inspect::evaluation::{Context, Evaluation, is_unhealthy};
use crate::inspect::graph::{Edge, EdgeKind, Index, Occurrence, Position};
use crate::model::code::Code;
use crate::model::health::Verdict;
use crate::model::json;
use crate::model::plural::noun;

/// The number of equal siblings from which they are folded.
const MIN_FOLDED: usize = 4;
/// The same for ReplicaSets of earlier rollouts.
const MIN_FOLDED_OLD: usize = 2;

/// What a layout is computed from.
pub(super) struct LayoutInput<'a> {
    pub(super) context: &'a Context<'a>,
    pub(super) evaluation: &'a Evaluation,
    pub(super) span: &'a TreeSpan,
    pub(super) options: &'a TreeOptions,
}

impl LayoutInput<'_> {
    fn node(&self, object: Index) -> &crate::inspect::evaluation::Node {
        &self.evaluation.nodes[self.evaluation.node_of[&object]]
    }
}

/// What is shown.
pub(super) struct TreeLayout {
    pub(super) rows: Vec<Row>,
    /// The nodes that are shown, including folded ones.
    pub(super) shown: HashSet<usize>,
    pub(super) edges: Vec<ShownEdge>,
    pub(super) hidden: usize,
    pub(super) folded: usize,
}

/// An edge between objects that are shown; `from` is the nearest visible owner if the direct one is hidden.
pub(super) struct ShownEdge {
    pub(super) from: Index,
    pub(super) edge: Edge,
}

pub(super) fn layout(input: &LayoutInput<'_>) -> TreeLayout {
    let positions = &input.span.positions;
    let parents = parents(positions);
    let visible = visible(input, &parents);
    let visible_tree = VisibleTree::of(input, &parents, &visible);
    let (mut shown, mut edges) = (HashSet::new(), Vec::new());
    for (at, position) in positions.iter().enumerate().filter(|(at, _)| visible[*at]) {
        shown.insert(input.evaluation.node_of[&position.object]);
        if let (Some(edge), Some(above)) = (position.edge, visible_tree.above[at]) {
            edges.push(ShownEdge { from: positions[above].object, edge });
        }
    }
    let (rows, folded) = rows(input, &visible_tree);
    // With owners, only the objects in view count.
    let all = if input.span.path.is_empty() && input.options.direction != Direction::Up {
        input.evaluation.nodes.len()
    } else {
        positions.iter().map(|position| position.object).collect::<HashSet<Index>>().len()
    };
    let hidden = all - shown.len();
    TreeLayout { rows, shown, edges, hidden, folded }
}

/// The parent of each position.
fn parents(positions: &[Position]) -> Vec<Option<usize>> {
    let mut open: Vec<usize> = Vec::new();
    let mut parents = Vec::with_capacity(positions.len());
    for (at, position) in positions.iter().enumerate() {
        while open.last().is_some_and(|last| positions[*last].depth >= position.depth) {
            open.pop();
        }
        parents.push(open.last().copied());
        open.push(at);
    }
    parents
}

/// Which positions pass the filters. The top and the path to the requested object always do.
fn visible(input: &LayoutInput<'_>, parents: &[Option<usize>]) -> Vec<bool> {
    let (span, filter) = (input.span, &input.options.filter);
    let passes = |position: &Position| {
        let object = &input.context.snapshot.objects[position.object];
        let kind = object.kind.group_kind();
        let node = input.node(position.object);
        position.edge.is_none()
            || span.path.contains(&position.object)
            || (filter.kinds.is_empty() || filter.kinds.contains(&kind))
                && !filter.except.contains(&kind)
                && filter.labels.matches(&object.meta.labels)
                && (filter.health == HealthFilter::All
                    || is_unhealthy(node.own.verdict) && position.occurrence == Occurrence::Primary)
    };
    let mut visible: Vec<bool> = span.positions.iter().map(passes).collect();
    if filter.health == HealthFilter::Unhealthy {
        // The owners of unhealthy objects are shown as well.
        for at in (0..visible.len()).rev().filter(|at| span.positions[*at].edge.is_some()) {
            if visible[at]
                && let Some(parent) = parents[at]
                && !filter.except.contains(
                    &input.context.snapshot.objects[span.positions[parent].object].kind.group_kind(),
                )
            {
                visible[parent] = true;
            }
        }
    }
    visible
}

/// The tree of visible positions.
struct VisibleTree {
    /// The nearest visible position above each.
    above: Vec<Option<usize>>,
    below: Vec<Vec<usize>>,
}

impl VisibleTree {
    fn of(input: &LayoutInput<'_>, parents: &[Option<usize>], visible: &[bool]) -> Self {
        let count = input.span.positions.len();
        let mut visible_tree = Self { above: vec![None; count], below: vec![Vec::new(); count] };
        for at in 0..count {
            // Parents come before their children.
            let above = parents[at].and_then(|p| if visible[p] { Some(p) } else { visible_tree.above[p] });
            visible_tree.above[at] = above;
            if let (Some(above), true) = (above, visible[at]) {
                visible_tree.below[above].push(at);
            }
        }
        visible_tree
    }
}

/// A row without its guides.
enum PendingRow {
    Node(usize),
    Fold { first: usize, fold: Fold },
}

/// Depth first, without recursion.
fn rows(input: &LayoutInput<'_>, visible_tree: &VisibleTree) -> (Vec<Row>, usize) {
    let (mut pending, mut folded) = (Vec::new(), 0);
    let mut open = vec![(0_usize, PendingRow::Node(0))];
    while let Some((depth, line)) = open.pop() {
        if let PendingRow::Node(at) = line {
            let (lines, count) = child_rows(input, visible_tree, at);
            folded += count;
            open.extend(lines.into_iter().rev().map(|line| (depth + 1, line)));
        }
        pending.push((depth, line));
    }
    let guides = guides(&pending.iter().map(|(depth, _)| *depth).collect::<Vec<_>>());
    let rows = pending.into_iter().zip(guides);
    let rows = rows.map(|((level, line), guides)| row(input, line, level, guides)).collect();
    (rows, folded)
}

fn row(input: &LayoutInput<'_>, pending: PendingRow, level: usize, guides: Vec<Guide>) -> Row {
    match pending {
        PendingRow::Node(at) => {
            let position = &input.span.positions[at];
            Row {
                content: RowContent::Node(input.evaluation.node_of[&position.object]),
                link: position.edge.map(|edge| link_kind(edge.kind)),
                level,
                guides,
                occurrence: position.occurrence,
                notes: notes(input, position),
            }
        }
        PendingRow::Fold { first, fold } => {
            let link = input.span.positions[first].edge.map(|edge| link_kind(edge.kind));
            Row {
                content: RowContent::Fold(fold),
                link,
                level,
                guides,
                occurrence: Occurrence::Primary,
                notes: Vec::new(),
            }
        }
    }
}

/// The rows below a position, with equal siblings folded, and the number of objects in folds.
fn child_rows(input: &LayoutInput<'_>, visible_tree: &VisibleTree, at: usize) -> (Vec<PendingRow>, usize) {
    let below = &visible_tree.below[at];
    if input.options.folds == Folds::Open {
        return (below.iter().map(|at| PendingRow::Node(*at)).collect(), 0);
    }
    let mut groups: BTreeMap<FoldKey, Vec<usize>> = BTreeMap::new();
    for child in below {
        if let Some(key) = fold_key(input, visible_tree, *child) {
            groups.entry(key).or_default().push(*child);
        }
    }
    // Siblings of the path to the requested object are only counted.
    let is_beside_path = !input.span.path.is_empty()
        && input.span.positions[at].object != input.span.root
        && input.span.path.contains(&input.span.positions[at].object);
    let enough = |key: &FoldKey, count: usize| {
        count
            >= if is_beside_path {
                1
            } else if key.is_old_replica_set {
                MIN_FOLDED_OLD
            } else {
                MIN_FOLDED
            }
    };
    groups.retain(|key, members| enough(key, members.len()));
    let mut last: HashMap<usize, (FoldKey, usize)> = HashMap::new();
    let mut inside = HashSet::new();
    for (key, members) in groups {
        inside.extend(members.iter().copied());
        if let Some(end) = members.last() {
            last.insert(*end, (key, members.len()));
        }
    }
    let lines = below.iter().filter_map(|child| match last.remove(child) {
        Some((key, count)) => Some(PendingRow::Fold { first: *child, fold: key.fold(count, is_beside_path) }),
        None if inside.contains(child) => None,
        None => Some(PendingRow::Node(*child)),
    });
    (lines.collect(), inside.len())
}

/// What siblings must have in common to be folded.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct FoldKey {
    kind: String,
    api_version: String,
    namespace: Option<String>,
    ready: Option<String>,
    status: String,
    verdict: Verdict,
    edge_kind: EdgeKind,
    /// Whether it is a ReplicaSet of an earlier rollout.
    is_old_replica_set: bool,
}

/// The key by which a position is folded; `None` if it must be shown.
fn fold_key(input: &LayoutInput<'_>, visible_tree: &VisibleTree, at: usize) -> Option<FoldKey> {
    let position = &input.span.positions[at];
    let node = input.node(position.object);
    let is_healthy_leaf = matches!(node.own.verdict, Verdict::None | Verdict::Ready)
        && position.occurrence == Occurrence::Primary
        && visible_tree.below[at].is_empty()
        && node.deleting.is_none()
        && !input.evaluation.owner_findings.iter().any(|(object, _)| *object == position.object)
        && position.object != input.span.root
        && !input.span.path.contains(&position.object);
    let has_cut =
        input.span.cut_below.contains_key(&position.object) && input.options.direction == Direction::Down;
    if !is_healthy_leaf || has_cut {
        return None;
    }
    let object = &input.context.snapshot.objects[position.object];
    let wanted = object.pruned().and_then(|body| json::number(body, &["spec", "replicas"]));
    let is_old_replica_set =
        object.kind.group == "apps" && object.kind.kind == "ReplicaSet" && wanted == Some(0);
    Some(FoldKey {
        kind: node.name.kind.clone(),
        api_version: node.name.api_version.clone(),
        namespace: node.name.namespace.clone(),
        ready: node.own.ready.clone(),
        status: node.own.status.clone(),
        verdict: node.own.verdict,
        edge_kind: position.edge?.kind,
        is_old_replica_set,
    })
}

impl FoldKey {
    fn fold(self, count: usize, is_beside_path: bool) -> Fold {
        let kinds = noun(count, &self.kind);
        let mark = if self.edge_kind >= EdgeKind::Related { "~" } else { "" };
        let text = match (is_beside_path, self.is_old_replica_set) {
            (true, _) => format!("{mark}{count} more {kinds}"),
            (false, true) => format!("{mark}{count} old {kinds}, 0 Pods"),
            (false, false) => format!("{mark}{count} {kinds}"),
        };
        Fold { text, ready: self.ready, status: self.status, verdict: self.verdict }
    }
}

fn notes(input: &LayoutInput<'_>, position: &Position) -> Vec<String> {
    let mut notes: Vec<String> = match position.occurrence {
        Occurrence::Primary => {
            let about =
                input.evaluation.owner_findings.iter().filter(|(object, finding)| {
                    *object == position.object && finding.code != Code::OwnerCycle
                });
            let evidence = position.edge.filter(|edge| edge.kind >= EdgeKind::Related);
            let evidence =
                evidence.into_iter().flat_map(|edge| input.context.graph.evidence(edge).iter().cloned());
            evidence.chain(about.map(|(_, finding)| finding.message.clone())).collect()
        }
        Occurrence::Repeated => vec![format!("shown {}", primary_location(input, position.object))],
        Occurrence::Cycle => vec!["cycle: one of its own owners, shown above".to_owned()],
    };
    let is_root = position.object == input.span.root;
    if is_root && !input.span.path.is_empty() {
        notes.insert(0, "<- requested".to_owned());
    }
    let owners = &input.context.snapshot.objects[position.object].meta.owners;
    if is_root && input.options.direction == Direction::Up && owners.is_empty() {
        notes.insert(0, "nothing owns it".to_owned());
    }
    let below = input.span.cut_below.get(&position.object).copied().unwrap_or(0);
    if below > 0 && position.occurrence == Occurrence::Primary {
        notes.push(format!("{below} more below, not shown"));
    }
    notes
}

/// Where the primary position of a repeated object is.
fn primary_location(input: &LayoutInput<'_>, object: Index) -> String {
    let edge = input
        .evaluation
        .traversal
        .primary()
        .find(|position| position.object == object)
        .and_then(|position| position.edge);
    match edge {
        Some(edge) => format!("under {}", input.context.snapshot.objects[edge.from].meta.name),
        None => "at the top".to_owned(),
    }
}

/// The guides of each row. Computed from the last row up: a line continues at a level if a later row is at that level
/// and no row above that level comes before it. Deeper rows are drawn at the last level that has a guide: a chain of
/// thousands of owners would need as many guides in each row.
fn guides(depths: &[usize]) -> Vec<Vec<Guide>> {
    let mut follows: Vec<Guide> = Vec::new();
    let mut all: Vec<Vec<Guide>> = Vec::with_capacity(depths.len());
    for depth in depths.iter().rev().map(|depth| (*depth).min(MAX_GUIDES)) {
        follows.truncate(depth);
        follows.resize(depth, Guide::Ends);
        all.push(follows.clone());
        if let Some(own) = follows.last_mut() {
            *own = Guide::Continues;
        }
    }
    all.reverse();
    all
}
