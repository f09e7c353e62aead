//! The lines of a tree: what the filters leave, equal siblings folded, the strokes to the left of each.

use std::collections::{BTreeMap, HashMap, HashSet};

use super::span::TreeSpan;
use super::{Asked, Direction, Fold, Folds, Node, Only, Row, Stem, Unseen, What, is_trouble, word};
use crate::inspect::graph::{Edge, EdgeKind, Index, Occurrence, Position};
use crate::inspect::related::ObjectGraph;
use crate::model::code::Code;
use crate::model::health::{Finding, Verdict};
use crate::model::json;
use crate::model::snapshot::Snapshot;

/// From this many equal siblings on, a count says more than a list.
const MANY: usize = 4;
/// The same for what is left of earlier roll-outs.
const LEFTOVERS: usize = 2;

/// What a shape is made of.
pub(super) struct Given<'a> {
    pub(super) snapshot: &'a Snapshot,
    pub(super) graph: &'a ObjectGraph<'a>,
    pub(super) scope: &'a TreeSpan,
    pub(super) nodes: &'a [Node],
    pub(super) places: &'a HashMap<Index, usize>,
    pub(super) found: &'a [(Index, Finding)],
    pub(super) asked: &'a Asked,
}

/// What is shown, and how.
pub(super) struct Shape {
    pub(super) rows: Vec<Row>,
    /// The nodes that are shown, folded ones among them.
    pub(super) shown: HashSet<usize>,
    pub(super) edges: Vec<Shown>,
    pub(super) unseen: Unseen,
}

/// A edge between objects that are shown; `from` is the nearest one above where the real one is hidden.
pub(super) struct Shown {
    pub(super) from: Index,
    pub(super) edge: Edge,
}

pub(super) fn shape(given: &Given<'_>) -> Shape {
    let parents = parents(&given.scope.places);
    let visible = visible(given, &parents);
    let branches = Branches::of(given, &parents, &visible);
    let (mut shown, mut edges) = (HashSet::new(), Vec::new());
    for (place, _) in given.scope.places.iter().zip(&visible).filter(|(_, visible)| **visible) {
        shown.insert(given.places[&place.object]);
    }
    for (at, place) in given.scope.places.iter().enumerate().filter(|(at, _)| visible[*at]) {
        if let (Some(edge), Some(above)) = (place.edge, branches.above[at]) {
            edges.push(Shown { from: given.scope.places[above].object, edge });
        }
    }
    let (rows, folded) = rows(given, &branches);
    let hidden = given.nodes.len() - shown.len();
    Shape { rows, shown, edges, unseen: Unseen { hidden, folded } }
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
    let (scope, filter) = (given.scope, &given.asked.filter);
    let stays = |place: &Position| {
        let object = &given.snapshot.objects[place.object];
        let kind = object.kind.group_kind();
        let node = &given.nodes[given.places[&place.object]];
        place.edge.is_none()
            || scope.path.contains(&place.object)
            || (filter.kinds.is_empty() || filter.kinds.contains(&kind))
                && !filter.except.contains(&kind)
                && filter.labels.matches(&object.meta.labels)
                && (filter.only == Only::All
                    || is_trouble(node.verdict) && place.occurrence == Occurrence::Primary)
    };
    let mut visible: Vec<bool> = scope.places.iter().map(stays).collect();
    if filter.only == Only::Unhealthy {
        // The way to what is not fine is part of the answer.
        for at in (0..visible.len()).rev().filter(|at| scope.places[*at].edge.is_some()) {
            if visible[at]
                && let Some(parent) = parents[at]
                && !filter
                    .except
                    .contains(&given.snapshot.objects[scope.places[parent].object].kind.group_kind())
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
        let count = given.scope.places.len();
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
            let place = &given.scope.places[at];
            Row {
                what: What::Node(given.places[&place.object]),
                link: place.edge.map(|edge| word(edge.kind)),
                stems,
                occurrence: place.occurrence,
                notes: notes(given, place),
            }
        }
        Line::Fold { first, fold } => {
            let leads_here = given.scope.places[first].edge.map(|edge| word(edge.kind));
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
    if given.asked.folds == Folds::Open {
        return (below.iter().map(|at| Line::Position(*at)).collect(), 0);
    }
    let mut groups: BTreeMap<Alike, Vec<usize>> = BTreeMap::new();
    for child in below {
        if let Some(alike) = alike(given, branches, *child) {
            groups.entry(alike).or_default().push(*child);
        }
    }
    // Beside the way up to an owner, siblings only say that they are there.
    let beside = !given.scope.path.is_empty()
        && given.scope.places[at].object != given.scope.root
        && given.scope.path.contains(&given.scope.places[at].object);
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
    let place = &given.scope.places[at];
    let node = &given.nodes[given.places[&place.object]];
    let is_quiet = matches!(node.verdict, Verdict::None | Verdict::Ready)
        && place.occurrence == Occurrence::Primary
        && branches.below[at].is_empty()
        && node.deleting.is_none()
        && !given.found.iter().any(|(object, _)| *object == place.object)
        && place.object != given.scope.root
        && !given.scope.path.contains(&place.object);
    let is_cut = given.scope.cut.contains_key(&place.object) && given.asked.direction == Direction::Down;
    if !is_quiet || is_cut {
        return None;
    }
    let object = &given.snapshot.objects[place.object];
    let wanted = object.body.as_ref().and_then(|body| json::number(body, &["spec", "replicas"]));
    let leftover = object.kind.group == "apps" && object.kind.kind == "ReplicaSet" && wanted == Some(0);
    Some(Alike {
        kind: node.name.kind.clone(),
        api_version: node.name.api_version.clone(),
        namespace: node.name.namespace.clone(),
        ready: node.ready.clone(),
        status: node.status.clone(),
        verdict: node.verdict,
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
                .found
                .iter()
                .filter(|(object, finding)| *object == place.object && finding.code != Code::OwnerCycle);
            let evidence = place.edge.filter(|edge| edge.kind >= EdgeKind::Related);
            let evidence = evidence.into_iter().flat_map(|edge| given.graph.evidence(edge).iter().cloned());
            evidence.chain(about.map(|(_, finding)| finding.message.clone())).collect()
        }
        Occurrence::Repeated => vec![format!("-> {}", elsewhere(given, place.object))],
        Occurrence::Cycle => vec!["cycle: it is one of its own owners, see above".to_owned()],
    };
    if place.object == given.scope.root && !given.scope.path.is_empty() {
        notes.insert(0, "<- asked about".to_owned());
    }
    let below = given.scope.cut.get(&place.object).copied().unwrap_or(0);
    if below > 0 && place.occurrence == Occurrence::Primary {
        notes.push(format!("{below} more below, not shown"));
    }
    notes
}

/// Where an object is told that is only mentioned here.
fn elsewhere(given: &Given<'_>, object: Index) -> String {
    let home =
        given.scope.traversal.homes().find(|place| place.object == object).and_then(|place| place.edge);
    match home {
        Some(edge) => format!("under {}", given.snapshot.objects[edge.from].meta.name),
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
