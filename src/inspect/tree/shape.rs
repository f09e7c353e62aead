//! The lines of a tree: what depth and filters leave, equal siblings folded, the strokes to the left of each.

use std::collections::{BTreeMap, HashMap, HashSet};

use super::span::TreeSpan;
use super::{Direction, Fold, Folds, Only, Row, Stem, TreeOptions, What, link_kind};
use crate::inspect::evaluation::{Context, Evaluation, is_trouble};
use crate::inspect::graph::{Edge, EdgeKind, Index, Occurrence, Position};
use crate::model::code::Code;
use crate::model::health::Verdict;
use crate::model::json;

/// From this many equal siblings on, a count says more than a list.
const MANY: usize = 4;
/// The same for what is left of earlier rollouts.
const LEFTOVERS: usize = 2;

/// What a shape is made of.
pub(super) struct Given<'a> {
    pub(super) context: &'a Context<'a>,
    pub(super) evaluation: &'a Evaluation,
    pub(super) span: &'a TreeSpan,
    pub(super) options: &'a TreeOptions,
}

impl Given<'_> {
    fn node(&self, object: Index) -> &crate::inspect::evaluation::Node {
        &self.evaluation.nodes[self.evaluation.node_of[&object]]
    }
}

/// What is shown, and how.
pub(super) struct Shape {
    pub(super) rows: Vec<Row>,
    /// The nodes that are shown, folded ones among them.
    pub(super) shown: HashSet<usize>,
    pub(super) edges: Vec<ShownEdge>,
    pub(super) hidden: usize,
    pub(super) folded: usize,
}

/// An edge between objects that are shown; `from` is the nearest one above where the real one is hidden.
pub(super) struct ShownEdge {
    pub(super) from: Index,
    pub(super) edge: Edge,
}

pub(super) fn shape(given: &Given<'_>) -> Shape {
    let places = &given.span.places;
    let parents = parents(places);
    let visible = visible(given, &parents);
    let branches = Branches::of(given, &parents, &visible);
    let (mut shown, mut edges) = (HashSet::new(), Vec::new());
    for (at, place) in places.iter().enumerate().filter(|(at, _)| visible[*at]) {
        shown.insert(given.evaluation.node_of[&place.object]);
        if let (Some(edge), Some(above)) = (place.edge, branches.above[at]) {
            edges.push(ShownEdge { from: places[above].object, edge });
        }
    }
    let (rows, folded) = rows(given, &branches);
    // Beside the way up to an owner, only what is in view counts.
    let all = if given.span.path.is_empty() {
        given.evaluation.nodes.len()
    } else {
        places.iter().map(|place| place.object).collect::<HashSet<Index>>().len()
    };
    let hidden = all - shown.len();
    Shape { rows, shown, edges, hidden, folded }
}

/// Under which place each place stands.
fn parents(places: &[Position]) -> Vec<Option<usize>> {
    let mut open: Vec<usize> = Vec::new();
    let mut parents = Vec::with_capacity(places.len());
    for (at, place) in places.iter().enumerate() {
        while open.last().is_some_and(|last| places[*last].depth >= place.depth) {
            open.pop();
        }
        parents.push(open.last().copied());
        open.push(at);
    }
    parents
}

/// Which places the filters leave. The top and the way to the object that was asked about always stay.
fn visible(given: &Given<'_>, parents: &[Option<usize>]) -> Vec<bool> {
    let (span, filter) = (given.span, &given.options.filter);
    let stays = |place: &Position| {
        let object = &given.context.snapshot.objects[place.object];
        let kind = object.kind.group_kind();
        let node = given.node(place.object);
        place.edge.is_none()
            || span.path.contains(&place.object)
            || (filter.kinds.is_empty() || filter.kinds.contains(&kind))
                && !filter.except.contains(&kind)
                && filter.labels.matches(&object.meta.labels)
                && (filter.only == Only::All
                    || is_trouble(node.own.verdict) && place.occurrence == Occurrence::Primary)
    };
    let mut visible: Vec<bool> = span.places.iter().map(stays).collect();
    if filter.only == Only::Unhealthy {
        // The way to what is not fine is part of the answer.
        for at in (0..visible.len()).rev().filter(|at| span.places[*at].edge.is_some()) {
            if visible[at]
                && let Some(parent) = parents[at]
                && !filter
                    .except
                    .contains(&given.context.snapshot.objects[span.places[parent].object].kind.group_kind())
            {
                visible[parent] = true;
            }
        }
    }
    visible
}

/// The visible places as a tree of their own.
struct Branches {
    /// The nearest visible place above each.
    above: Vec<Option<usize>>,
    below: Vec<Vec<usize>>,
}

impl Branches {
    fn of(given: &Given<'_>, parents: &[Option<usize>], visible: &[bool]) -> Self {
        let count = given.span.places.len();
        let mut branches = Self { above: vec![None; count], below: vec![Vec::new(); count] };
        for at in 0..count {
            // Parents come before their children, so that theirs is known.
            let above = parents[at].and_then(|p| if visible[p] { Some(p) } else { branches.above[p] });
            branches.above[at] = above;
            if let (Some(above), true) = (above, visible[at]) {
                branches.below[above].push(at);
            }
        }
        branches
    }
}

/// A line to come.
enum Line {
    Position(usize),
    Fold { first: usize, fold: Fold },
}

/// Depth first, without recursion.
fn rows(given: &Given<'_>, branches: &Branches) -> (Vec<Row>, usize) {
    let (mut seeds, mut folded) = (Vec::new(), 0);
    let mut open = vec![(0_usize, Line::Position(0))];
    while let Some((depth, line)) = open.pop() {
        if let Line::Position(at) = line {
            let (lines, count) = siblings(given, branches, at);
            folded += count;
            open.extend(lines.into_iter().rev().map(|line| (depth + 1, line)));
        }
        seeds.push((depth, line));
    }
    let stems = stems(&seeds.iter().map(|(depth, _)| *depth).collect::<Vec<_>>());
    let rows = seeds.into_iter().zip(stems).map(|((_, line), stems)| row(given, line, stems)).collect();
    (rows, folded)
}

fn row(given: &Given<'_>, line: Line, stems: Vec<Stem>) -> Row {
    match line {
        Line::Position(at) => {
            let place = &given.span.places[at];
            Row {
                what: What::Node(given.evaluation.node_of[&place.object]),
                link: place.edge.map(|edge| link_kind(edge.kind)),
                stems,
                occurrence: place.occurrence,
                notes: notes(given, place),
            }
        }
        Line::Fold { first, fold } => {
            let leads_here = given.span.places[first].edge.map(|edge| link_kind(edge.kind));
            Row {
                what: What::Fold(fold),
                link: leads_here,
                stems,
                occurrence: Occurrence::Primary,
                notes: Vec::new(),
            }
        }
    }
}

/// What stands below a place: folds where siblings are equal, and how many objects are in them.
fn siblings(given: &Given<'_>, branches: &Branches, at: usize) -> (Vec<Line>, usize) {
    let below = &branches.below[at];
    if given.options.folds == Folds::Open {
        return (below.iter().map(|at| Line::Position(*at)).collect(), 0);
    }
    let mut groups: BTreeMap<Alike, Vec<usize>> = BTreeMap::new();
    for child in below {
        if let Some(alike) = alike(given, branches, *child) {
            groups.entry(alike).or_default().push(*child);
        }
    }
    // Beside the way up to an owner, siblings only say that they are there.
    let beside = !given.span.path.is_empty()
        && given.span.places[at].object != given.span.root
        && given.span.path.contains(&given.span.places[at].object);
    let enough = |alike: &Alike, count: usize| {
        count
            >= if beside {
                1
            } else if alike.leftover {
                LEFTOVERS
            } else {
                MANY
            }
    };
    groups.retain(|alike, members| enough(alike, members.len()));
    let mut last: HashMap<usize, (Alike, usize)> = HashMap::new();
    let mut inside = HashSet::new();
    for (alike, members) in groups {
        inside.extend(members.iter().copied());
        if let Some(end) = members.last() {
            last.insert(*end, (alike, members.len()));
        }
    }
    let lines = below.iter().filter_map(|child| match last.remove(child) {
        Some((alike, count)) => Some(Line::Fold { first: *child, fold: alike.fold(count, beside) }),
        None if inside.contains(child) => None,
        None => Some(Line::Position(*child)),
    });
    (lines.collect(), inside.len())
}

/// In what siblings must be equal to be told as one.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Alike {
    kind: String,
    api_version: String,
    namespace: Option<String>,
    ready: Option<String>,
    status: String,
    verdict: Verdict,
    edge_kind: EdgeKind,
    /// A set of Pods that an earlier roll-out left behind.
    leftover: bool,
}

/// What a place has in common with others; nothing when it must be shown.
fn alike(given: &Given<'_>, branches: &Branches, at: usize) -> Option<Alike> {
    let place = &given.span.places[at];
    let node = given.node(place.object);
    let is_quiet = matches!(node.own.verdict, Verdict::None | Verdict::Ready)
        && place.occurrence == Occurrence::Primary
        && branches.below[at].is_empty()
        && node.deleting.is_none()
        && !given.evaluation.owner_findings.iter().any(|(object, _)| *object == place.object)
        && place.object != given.span.root
        && !given.span.path.contains(&place.object);
    let is_cut = given.span.cut.contains_key(&place.object) && given.options.direction == Direction::Down;
    if !is_quiet || is_cut {
        return None;
    }
    let object = &given.context.snapshot.objects[place.object];
    let wanted = object.pruned().and_then(|body| json::number(body, &["spec", "replicas"]));
    let leftover = object.kind.group == "apps" && object.kind.kind == "ReplicaSet" && wanted == Some(0);
    Some(Alike {
        kind: node.name.kind.clone(),
        api_version: node.name.api_version.clone(),
        namespace: node.name.namespace.clone(),
        ready: node.own.ready.clone(),
        status: node.own.status.clone(),
        verdict: node.own.verdict,
        edge_kind: place.edge?.kind,
        leftover,
    })
}

impl Alike {
    fn fold(self, count: usize, beside: bool) -> Fold {
        let kinds = plural(&self.kind, count);
        let mark = if self.edge_kind >= EdgeKind::Related { "~" } else { "" };
        let text = match (beside, self.leftover) {
            (true, _) => format!("{mark}{count} more {kinds}"),
            (false, true) => format!("{mark}{count} old {kinds}, 0 Pods"),
            (false, false) => format!("{mark}{count} {kinds}"),
        };
        Fold { text, ready: self.ready, status: self.status, verdict: self.verdict }
    }
}

fn plural(kind: &str, count: usize) -> String {
    let ends = |end: &str| kind.to_lowercase().ends_with(end);
    match count {
        1 => kind.to_owned(),
        _ if ends("y") && !ends("ay") && !ends("ey") => format!("{}ies", &kind[..kind.len() - 1]),
        _ if ends("s") || ends("x") || ends("ch") => format!("{kind}es"),
        _ => format!("{kind}s"),
    }
}

fn notes(given: &Given<'_>, place: &Position) -> Vec<String> {
    let mut notes: Vec<String> = match place.occurrence {
        Occurrence::Primary => {
            let about = given
                .evaluation
                .owner_findings
                .iter()
                .filter(|(object, finding)| *object == place.object && finding.code != Code::OwnerCycle);
            let evidence = place.edge.filter(|edge| edge.kind >= EdgeKind::Related);
            let evidence =
                evidence.into_iter().flat_map(|edge| given.context.graph.evidence(edge).iter().cloned());
            evidence.chain(about.map(|(_, finding)| finding.message.clone())).collect()
        }
        Occurrence::Repeated => vec![format!("-> {}", elsewhere(given, place.object))],
        Occurrence::Cycle => vec!["cycle: it is one of its own owners, see above".to_owned()],
    };
    if place.object == given.span.root && !given.span.path.is_empty() {
        notes.insert(0, "<- asked about".to_owned());
    }
    let below = given.span.cut.get(&place.object).copied().unwrap_or(0);
    if below > 0 && place.occurrence == Occurrence::Primary {
        notes.push(format!("{below} more below, not shown"));
    }
    notes
}

/// Where an object is told that is only mentioned here.
fn elsewhere(given: &Given<'_>, object: Index) -> String {
    let home = given
        .evaluation
        .traversal
        .primary()
        .find(|place| place.object == object)
        .and_then(|place| place.edge);
    match home {
        Some(edge) => format!("under {}", given.context.snapshot.objects[edge.from].meta.name),
        None => "at the top".to_owned(),
    }
}

/// From the last row to the first: a line goes on at a level when a row at that level was met before one above it.
fn stems(depths: &[usize]) -> Vec<Vec<Stem>> {
    let mut follows: Vec<Stem> = Vec::new();
    let mut all: Vec<Vec<Stem>> = Vec::with_capacity(depths.len());
    for depth in depths.iter().rev() {
        follows.truncate(*depth);
        follows.resize(*depth, Stem::Ends);
        all.push(follows.clone());
        if let Some(own) = follows.last_mut() {
            *own = Stem::GoesOn;
        }
    }
    all.reverse();
    all
}
