//! The answer of `tree`: what lies below a root, how each object is, and what could not be seen.
//!
//! | to find                                       | look in       |
//! |-----------------------------------------------|---------------|
//! | what must be read before a tree can be told   | `fetch_plan.rs`  |
//! | which objects are looked at: down, up, around | `scope.rs`    |
//! | filters, folds and the lines of the tree      | `shape.rs`    |
//! | what several objects say together             | `cross_object.rs`    |
//! | the sentence on top                           | `headline.rs` |
//! | the objects alone, unjudged                   | `members.rs`  |

mod cross_object;
mod fetch_plan;
mod headline;
mod members;
mod shape;
mod span;

use std::collections::{HashMap, HashSet};

use jiff::Timestamp;
use serde::Serialize;

use super::graph::{EdgeKind, Index, Occurrence, Position};
use super::related::{self, ObjectGraph};
use super::{health, owners};
use crate::model::age;
use crate::model::gap::Gap;
use crate::model::health::{Fact, Finding, Health, Problem, Verdict};
use crate::model::ident::{GroupKind, ObjectName};
use crate::model::rule::Rule;
use crate::model::rulebook::Rulebook;
use crate::model::selector::Selector;
use crate::model::snapshot::{Object, Printed, Reach, Snapshot};

pub use fetch_plan::fetch_plan;
pub use members::{Member, members, members_fetch_plan, root_members};
use span::TreeSpan;

/// How deep to look; nothing is without end.
pub type Depth = Option<usize>;

/// What the tree is to show.
#[derive(Clone, Debug, Default)]
pub struct Asked {
    pub depth: Depth,
    pub direction: Direction,
    pub related: related::Reach,
    pub filter: Filter,
    pub folds: Folds,
}

/// Which way from the object that was asked about.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Direction {
    #[default]
    Down,
    /// Its owners, up to the top.
    Up,
    /// Both.
    Around,
}

/// What is hidden. Nothing below a hidden object is cut off.
#[derive(Clone, Debug, Default)]
pub struct Filter {
    /// Only these, when there are any.
    pub kinds: Vec<GroupKind>,
    pub except: Vec<GroupKind>,
    pub only: Only,
    pub labels: Selector,
}

/// Which states are shown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Only {
    #[default]
    All,
    /// What is not fine, and the way there.
    Unhealthy,
}

/// Whether equal siblings become one line.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Folds {
    #[default]
    Folded,
    Open,
}

/// The report, as JSON has it; what is skipped there is for the eye.
#[derive(Debug, Serialize)]
pub struct Tree {
    pub schema: &'static str,
    /// The id of the node that was asked about.
    pub root: String,
    pub nodes: Vec<Node>,
    pub edges: Vec<EdgeReport>,
    pub findings: Vec<Finding>,
    pub complete: bool,
    pub gaps: Vec<Gap>,
    /// The tree line by line.
    #[serde(skip)]
    pub rows: Vec<Row>,
    /// The verdict in a sentence.
    #[serde(skip)]
    pub headline: String,
    /// The first node to look at: the worst one, whether it is shown or not.
    #[serde(skip)]
    pub worst: Node,
    /// How many objects the filters hide, and how many the folds.
    #[serde(skip)]
    pub unseen: Unseen,
    #[serde(skip)]
    pub kinds_asked: usize,
    #[serde(skip)]
    pub reach: Reach,
    #[serde(skip)]
    pub now: Timestamp,
}

/// Objects that are in the tree and not on the screen.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Unseen {
    pub hidden: usize,
    pub folded: usize,
}

/// One object.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Node {
    pub id: String,
    #[serde(flatten)]
    pub name: ObjectName,
    pub uid: String,
    pub created: Option<Timestamp>,
    /// Since when it is being deleted.
    pub deleting: Option<Timestamp>,
    pub finalizers: Vec<String>,
    pub verdict: Verdict,
    pub ready: Option<String>,
    pub status: String,
    pub reason: Option<String>,
    pub message: Option<String>,
    pub rule: Rule,
    /// Since when it is so, where anything says.
    pub since: Option<Timestamp>,
    /// The columns that its author chose to show.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub printed: Vec<Printed>,
    /// What exactly is wrong, where its rule could tell.
    #[serde(skip)]
    pub problem: Option<Problem>,
    /// Whether it may simply not be ready yet.
    #[serde(skip)]
    pub in_progress: bool,
    /// Whether only guesses lead here.
    #[serde(skip)]
    pub standing: Standing,
    /// Whether it says anything about the tree.
    #[serde(skip)]
    pub weight: Weight,
    /// How many steps below the top.
    #[serde(skip)]
    pub depth: usize,
    /// The fields that its verdict rests on.
    #[serde(skip)]
    pub facts: Vec<Fact>,
}

/// Whether a node's verdict is part of the verdict on the tree.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Weight {
    #[default]
    Counts,
    /// A leftover of work that went on without it, or somebody else's.
    Aside,
}

/// How sure it is that an object belongs to the tree.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Standing {
    #[default]
    Owned,
    Related,
}

/// One edge.
#[derive(Debug, PartialEq, Eq, Serialize)]
pub struct EdgeReport {
    pub from: String,
    pub to: String,
    pub link: LinkKind,
    pub evidence: Vec<String>,
}

/// How two nodes hang together.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum LinkKind {
    Controller,
    Owner,
    Related,
}

/// One line of the tree.
#[derive(Clone, Debug)]
pub struct Row {
    pub what: What,
    pub link: Option<LinkKind>,
    /// For each level below the root, whether a sibling follows there.
    pub stems: Vec<Stem>,
    pub occurrence: Occurrence,
    /// What is to be said about this place.
    pub notes: Vec<String>,
}

/// What a line is about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum What {
    /// The node's place in `nodes`.
    Node(usize),
    /// Equal siblings, none of them in trouble.
    Fold(Fold),
}

/// Siblings told as one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fold {
    pub text: String,
    pub ready: Option<String>,
    pub status: String,
    pub verdict: Verdict,
}

/// What the line to the left of a row does at one level.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stem {
    GoesOn,
    Ends,
}

/// Tells the tree of each root of a snapshot, in the snapshot's order.
pub fn tell(snapshot: &Snapshot, asked: &Asked, rulebook: &Rulebook) -> Vec<Tree> {
    let roots = roots(snapshot);
    let graph = related::graph(snapshot, &roots, asked.related);
    roots.iter().filter_map(|root| tell_one(*root, snapshot, &graph, asked, rulebook)).collect()
}

/// The objects of one tree and how each is, before anything is hidden, folded or drawn.
#[derive(Debug)]
pub struct Judged {
    /// Where the object that was asked about is in the snapshot.
    pub root: Index,
    /// In the order of the tree, the root first.
    pub nodes: Vec<Node>,
    pub findings: Vec<Finding>,
}

/// Judges the tree of each root of a snapshot, in the snapshot's order: for those who do not draw it.
pub fn judge(snapshot: &Snapshot, asked: &Asked, rulebook: &Rulebook) -> Vec<Judged> {
    let roots = roots(snapshot);
    let graph = related::graph(snapshot, &roots, asked.related);
    let judged = |root: &Index| {
        let Evaluation { nodes, found, .. } = Evaluation::of(*root, snapshot, &graph, asked, rulebook);
        Judged { root: *root, nodes, findings: found.into_iter().map(|(_, finding)| finding).collect() }
    };
    roots.iter().map(judged).collect()
}

/// What a verdict on a tree is made of.
struct Evaluation {
    scope: TreeSpan,
    nodes: Vec<Node>,
    /// Where each object is among the nodes.
    places: HashMap<Index, usize>,
    found: Vec<(Index, Finding)>,
}

impl Evaluation {
    fn of(
        root: Index,
        snapshot: &Snapshot,
        graph: &ObjectGraph<'_>,
        asked: &Asked,
        rulebook: &Rulebook,
    ) -> Self {
        let scope = TreeSpan::of(root, snapshot, graph, asked);
        let (mut nodes, places) = nodes(snapshot, &scope, rulebook);
        cross_object::settle(&mut nodes, &scope, &places, snapshot);
        let found = owners::findings(snapshot, graph, &scope.traversal).into_iter();
        let told = |(object, finding): &(Index, Finding)| {
            places.contains_key(object) && !rulebook.skips(finding.code)
        };
        let found = found.filter(told).collect();
        Self { scope, nodes, places, found }
    }
}

/// Every object that the trees of a snapshot are about, in no order: hidden and folded ones too.
pub fn objects(snapshot: &Snapshot, asked: &Asked) -> Vec<Index> {
    let roots = roots(snapshot);
    let graph = related::graph(snapshot, &roots, asked.related);
    let places = roots.iter().flat_map(|root| TreeSpan::of(*root, snapshot, &graph, asked).places);
    let members: HashSet<Index> = places.map(|place| place.object).collect();
    members.into_iter().collect()
}

/// Where the roots are among the objects; one that was deleted meanwhile is not.
fn roots(snapshot: &Snapshot) -> Vec<Index> {
    // They come first, in their order; looking for each anew would be slow for thousands of them.
    let wanted: HashSet<&str> = snapshot.roots.iter().map(|uid| uid.0.as_str()).collect();
    let is_root = |index: &Index| wanted.contains(snapshot.objects[*index].meta.uid.0.as_str());
    (0..snapshot.objects.len()).filter(is_root).collect()
}

fn tell_one(
    root: Index,
    snapshot: &Snapshot,
    graph: &ObjectGraph<'_>,
    asked: &Asked,
    rulebook: &Rulebook,
) -> Option<Tree> {
    let Evaluation { scope, nodes, places, found } = Evaluation::of(root, snapshot, graph, asked, rulebook);
    let asked_node = *places.get(&root)?;
    let counts = |node: &usize| nodes[*node].weight == Weight::Counts || *node == asked_node;
    let worst = (0..nodes.len()).filter(counts);
    let worst = worst.max_by_key(|node| (nodes[*node].verdict, std::cmp::Reverse(*node)))?;
    let headline = headline::headline(&nodes, asked_node, worst, snapshot.gaps.is_empty());
    let given =
        shape::Given { snapshot, graph, scope: &scope, nodes: &nodes, places: &places, found: &found, asked };
    let shape = shape::shape(&given);
    let worst = nodes[worst].clone();
    let id = nodes[asked_node].id.clone();
    let edges = edges(&shape.edges, &nodes, &places, snapshot, graph);
    let (nodes, rows) = shown(nodes, shape.rows, &shape.shown);
    Some(Tree {
        schema: "kubectl-op/tree/v1",
        root: id,
        headline,
        worst,
        unseen: shape.unseen,
        rows,
        edges,
        findings: found.into_iter().map(|(_, finding)| finding).collect(),
        complete: snapshot.gaps.is_empty(),
        gaps: snapshot.gaps.clone(),
        kinds_asked: snapshot.kinds_asked,
        reach: snapshot.reach.clone(),
        now: snapshot.now,
        nodes,
    })
}

/// Drops the nodes that are not shown, and points the rows at the new places of the others.
fn shown(nodes: Vec<Node>, mut rows: Vec<Row>, keep: &HashSet<usize>) -> (Vec<Node>, Vec<Row>) {
    let mut moved = HashMap::new();
    let mut kept = Vec::new();
    for (place, node) in nodes.into_iter().enumerate().filter(|(place, _)| keep.contains(place)) {
        moved.insert(place, kept.len());
        kept.push(node);
    }
    for row in &mut rows {
        if let What::Node(node) = &mut row.what {
            *node = moved.get(node).copied().unwrap_or_default();
        }
    }
    (kept, rows)
}

/// The nodes in the order of the tree, and where each object is among them.
fn nodes(snapshot: &Snapshot, scope: &TreeSpan, rulebook: &Rulebook) -> (Vec<Node>, HashMap<Index, usize>) {
    let (mut nodes, mut places): (Vec<Node>, HashMap<Index, usize>) = (Vec::new(), HashMap::new());
    // An object whose home lies deeper than asked for is still a node when it is mentioned.
    for place in &scope.places {
        let above = place.edge.and_then(|edge| places.get(&edge.from)).map(|above| nodes[*above].standing);
        let guessed = place.edge.is_some_and(|edge| edge.kind >= EdgeKind::Related);
        let standing = if guessed { Standing::Related } else { above.unwrap_or_default() };
        places.entry(place.object).or_insert_with(|| {
            let node = node(snapshot, place.object, standing, rulebook);
            nodes.push(Node { depth: place.depth, ..node });
            nodes.len() - 1
        });
    }
    (nodes, places)
}

fn node(snapshot: &Snapshot, index: Index, standing: Standing, rulebook: &Rulebook) -> Node {
    let object = &snapshot.objects[index];
    let kind = object.kind.group_kind();
    let Health { verdict, ready, status, reason, message, rule, problem, in_progress, since, facts } =
        match &object.body {
            Some(body) => health::judge(&kind, body, snapshot.now, rulebook),
            None => health::judge_meta(&kind, &object.meta, snapshot.now),
        };
    Node {
        id: id(object),
        name: object.meta.name.clone(),
        uid: object.meta.uid.0.clone(),
        created: object.meta.created,
        deleting: object.meta.deleted,
        finalizers: object.meta.finalizers.clone(),
        verdict,
        ready,
        status,
        reason,
        message,
        rule,
        problem,
        in_progress,
        since,
        printed: snapshot.printed.get(&object.meta.uid).cloned().unwrap_or_default(),
        standing,
        weight: Weight::default(),
        depth: 0,
        facts,
    }
}

/// The uid; an object of an aggregated API may have none.
fn id(object: &Object) -> String {
    let name = &object.meta.name;
    match object.meta.uid.0.as_str() {
        "" => format!(
            "{}/{}/{}",
            object.kind.full_name(),
            name.namespace.as_deref().unwrap_or_default(),
            name.name
        ),
        uid => uid.to_owned(),
    }
}

fn edges(
    edges: &[shape::Shown],
    nodes: &[Node],
    places: &HashMap<Index, usize>,
    snapshot: &Snapshot,
    graph: &ObjectGraph<'_>,
) -> Vec<EdgeReport> {
    let edge = |shown: &shape::Shown| {
        let edge = shown.edge;
        let (from, to) = (places.get(&shown.from)?, places.get(&edge.to)?);
        let kind = &snapshot.objects[edge.from].meta.name.kind;
        let mut evidence = match edge.kind {
            EdgeKind::Controller => vec![format!("ownerReferences: {kind} by uid, controller")],
            EdgeKind::Owner => vec![format!("ownerReferences: {kind} by uid")],
            EdgeKind::Former => vec![format!("ownerReferences: {kind} by name, with another uid")],
            EdgeKind::Related | EdgeKind::Named => graph.evidence(edge).to_vec(),
        };
        if shown.from != edge.from {
            evidence.push(format!("through {}, which is hidden", snapshot.objects[edge.from].meta.name));
        }
        Some(EdgeReport {
            from: nodes[*from].id.clone(),
            to: nodes[*to].id.clone(),
            link: word(edge.kind),
            evidence,
        })
    };
    edges.iter().filter_map(edge).collect()
}

const fn word(edge_kind: EdgeKind) -> LinkKind {
    match edge_kind {
        EdgeKind::Controller => LinkKind::Controller,
        EdgeKind::Owner => LinkKind::Owner,
        EdgeKind::Former | EdgeKind::Related | EdgeKind::Named => LinkKind::Related,
    }
}

/// Whether a place is as deep as was asked for.
fn within(place: &Position, depth: Depth) -> bool {
    depth.is_none_or(|depth| place.depth <= depth)
}

/// Whether a verdict is one that a person should look at.
pub const fn is_trouble(verdict: Verdict) -> bool {
    !matches!(verdict, Verdict::None | Verdict::Ready | Verdict::Suspended | Verdict::Unknown)
}

impl Node {
    /// Whether a container of it has crashed.
    pub fn is_crash(&self) -> bool {
        self.problem.is_some_and(Problem::is_crash)
    }

    /// How old it is, as kubectl says it.
    pub fn age(&self, now: Timestamp) -> String {
        self.created.map_or_else(|| "<unknown>".to_owned(), |created| age::human(now.duration_since(created)))
    }

    /// Its name, marked when it is only a guess that it belongs here.
    pub fn marked(&self) -> String {
        match self.standing {
            Standing::Owned => self.name.to_string(),
            Standing::Related => format!("~{}", self.name),
        }
    }
}

impl Tree {
    /// The worst verdict in the tree.
    pub fn verdict(&self) -> Verdict {
        self.worst.verdict
    }
}
