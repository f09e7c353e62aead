//! The answer of `tree`: what lies below a root, how each object is, and what could not be seen.

use std::collections::HashMap;

use jiff::Timestamp;
use serde::Serialize;

use super::graph::{Graph, Index, Mention, Place, Tie};
use super::{health, owners};
use crate::model::age;
use crate::model::gap::Gap;
use crate::model::health::{Finding, Health, Verdict};
use crate::model::ident::ObjectName;
use crate::model::rulebook::Rulebook;
use crate::model::snapshot::{Reach, Reading, Seen, Snapshot};

/// How deep to look; nothing is without end.
pub type Depth = Option<usize>;

/// What a second look must bring before the tree can be told.
pub fn reading(snapshot: &Snapshot, depth: Depth) -> Reading {
    let Some(graph) = Graph::of(snapshot) else { return Reading::default() };
    let unread = |place: &&Place| {
        let seen = &snapshot.objects[place.object];
        seen.body.is_none() && health::needs_body(&seen.kind.group_kind())
    };
    let bodies =
        graph.homes().filter(|place| within(place, depth)).filter(unread).map(|place| place.object).collect();
    Reading { bodies, owners: owners::unseen(snapshot, &graph) }
}

/// The report, as JSON has it; what is skipped there is for the eye.
#[derive(Debug, Serialize)]
pub struct Tree {
    pub schema: &'static str,
    /// The id of the node that was asked about.
    pub root: String,
    pub nodes: Vec<Node>,
    pub edges: Vec<Edge>,
    pub findings: Vec<Finding>,
    pub complete: bool,
    pub gaps: Vec<Gap>,
    /// The tree line by line.
    #[serde(skip)]
    pub rows: Vec<Row>,
    /// The verdict in a sentence.
    #[serde(skip)]
    pub headline: String,
    /// The first node to look at: the worst one.
    #[serde(skip)]
    pub worst: usize,
    #[serde(skip)]
    pub kinds_asked: usize,
    #[serde(skip)]
    pub reach: Reach,
    #[serde(skip)]
    pub now: Timestamp,
}

/// One object.
#[derive(Debug, Serialize)]
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
    pub rule: &'static str,
}

/// One link.
#[derive(Debug, PartialEq, Eq, Serialize)]
pub struct Edge {
    pub from: String,
    pub to: String,
    pub link: LinkWord,
    pub evidence: Vec<String>,
}

/// How two nodes hang together.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum LinkWord {
    Controller,
    Owner,
    Related,
}

/// One line of the tree.
#[derive(Debug)]
pub struct Row {
    /// The node's place in `nodes`.
    pub node: usize,
    pub link: Option<LinkWord>,
    /// For each level below the root, whether a sibling follows there.
    pub stems: Vec<Stem>,
    pub mention: Mention,
    /// What is to be said about this place.
    pub notes: Vec<String>,
}

/// What the line to the left of a row does at one level.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stem {
    GoesOn,
    Ends,
}

/// Tells the tree of a snapshot.
pub fn tell(snapshot: &Snapshot, depth: Depth, rulebook: &Rulebook) -> Option<Tree> {
    let graph = Graph::of(snapshot)?;
    let shown: Vec<&Place> = graph.places.iter().filter(|place| within(place, depth)).collect();
    let (nodes, places) = nodes(snapshot, &shown, rulebook);
    let mut found = owners::findings(snapshot, &graph);
    found.retain(|(_, finding)| !rulebook.skips(finding.code));
    let rows = rows(snapshot, &graph, &shown, &places, &found, depth);
    let edges = edges(&shown, &nodes, &places, snapshot);
    let worst =
        (0..nodes.len()).max_by_key(|node| (nodes[*node].verdict, std::cmp::Reverse(*node))).unwrap_or(0);
    let findings =
        found.into_iter().filter(|(object, _)| places.contains_key(object)).map(|(_, finding)| finding);
    Some(Tree {
        schema: "kubectl-op/tree/v1",
        root: nodes.first()?.id.clone(),
        headline: headline(&nodes, worst, snapshot.gaps.is_empty()),
        worst,
        rows,
        edges,
        findings: findings.collect(),
        complete: snapshot.gaps.is_empty(),
        gaps: snapshot.gaps.clone(),
        kinds_asked: snapshot.kinds_asked,
        reach: snapshot.reach.clone(),
        now: snapshot.now,
        nodes,
    })
}

fn within(place: &Place, depth: Depth) -> bool {
    depth.is_none_or(|depth| place.depth <= depth)
}

/// The nodes in the order of the tree, and where each object is among them.
fn nodes(snapshot: &Snapshot, shown: &[&Place], rulebook: &Rulebook) -> (Vec<Node>, HashMap<Index, usize>) {
    let (mut nodes, mut places) = (Vec::new(), HashMap::new());
    // An object whose home lies deeper than asked for is still a node when it is mentioned.
    for place in shown {
        places.entry(place.object).or_insert_with(|| {
            nodes.push(node(&snapshot.objects[place.object], snapshot.now, rulebook));
            nodes.len() - 1
        });
    }
    (nodes, places)
}

fn node(seen: &Seen, now: Timestamp, rulebook: &Rulebook) -> Node {
    let kind = seen.kind.group_kind();
    let Health { verdict, ready, status, reason, message, rule, .. } = match &seen.body {
        Some(body) => health::judge(&kind, body, now, rulebook),
        None => health::judge_meta(&kind, &seen.meta, now),
    };
    Node {
        id: id(seen),
        name: seen.meta.name.clone(),
        uid: seen.meta.uid.0.clone(),
        created: seen.meta.created,
        deleting: seen.meta.deleted,
        finalizers: seen.meta.finalizers.clone(),
        verdict,
        ready,
        status,
        reason,
        message,
        rule,
    }
}

/// The uid; an object of an aggregated API may have none.
fn id(seen: &Seen) -> String {
    let name = &seen.meta.name;
    match seen.meta.uid.0.as_str() {
        "" => format!(
            "{}/{}/{}",
            seen.kind.full_name(),
            name.namespace.as_deref().unwrap_or_default(),
            name.name
        ),
        uid => uid.to_owned(),
    }
}

fn rows(
    snapshot: &Snapshot,
    graph: &Graph,
    shown: &[&Place],
    places: &HashMap<Index, usize>,
    found: &[(Index, Finding)],
    depth: Depth,
) -> Vec<Row> {
    let stems = stems(shown);
    let hidden = hidden(graph, depth);
    let row = |(place, stems): (&&Place, Vec<Stem>)| {
        let mut notes: Vec<String> = match place.mention {
            Mention::Home => {
                let about = found
                    .iter()
                    .filter(|(object, finding)| *object == place.object && finding.code != "OP-T006");
                about.map(|(_, finding)| finding.message.clone()).collect()
            }
            Mention::Elsewhere => vec![format!("-> {}", elsewhere(snapshot, graph, place.object))],
            Mention::Cycle => vec!["cycle: it is one of its own owners, see above".to_owned()],
        };
        let below = hidden.get(&place.object).copied().unwrap_or(0);
        if below > 0 && place.mention == Mention::Home {
            notes.push(format!("{below} more below, not shown"));
        }
        Row {
            node: places[&place.object],
            link: place.link.map(|link| word(link.tie)),
            stems,
            mention: place.mention,
            notes,
        }
    };
    shown.iter().zip(stems).map(row).collect()
}

/// Where an object is told that is only mentioned here.
fn elsewhere(snapshot: &Snapshot, graph: &Graph, object: Index) -> String {
    let home = graph.homes().find(|place| place.object == object).and_then(|place| place.link);
    match home {
        Some(link) => format!("under {}", snapshot.objects[link.from].meta.name),
        None => "at the top".to_owned(),
    }
}

/// How many objects are cut off below each of the deepest ones shown.
fn hidden(graph: &Graph, depth: Depth) -> HashMap<Index, usize> {
    let mut hidden = HashMap::new();
    let Some(depth) = depth else { return hidden };
    let mut last = None;
    for place in &graph.places {
        if place.depth == depth {
            last = Some(place.object);
        } else if place.depth > depth
            && place.mention == Mention::Home
            && let Some(object) = last
        {
            *hidden.entry(object).or_insert(0) += 1;
        }
    }
    hidden
}

/// From the last row to the first: a line goes on at a level when a row at that level was met before one above it.
fn stems(shown: &[&Place]) -> Vec<Vec<Stem>> {
    let mut follows: Vec<Stem> = Vec::new();
    let mut all: Vec<Vec<Stem>> = Vec::with_capacity(shown.len());
    for place in shown.iter().rev() {
        follows.truncate(place.depth);
        follows.resize(place.depth, Stem::Ends);
        all.push(follows.clone());
        if let Some(own) = follows.last_mut() {
            *own = Stem::GoesOn;
        }
    }
    all.reverse();
    all
}

fn edges(shown: &[&Place], nodes: &[Node], places: &HashMap<Index, usize>, snapshot: &Snapshot) -> Vec<Edge> {
    let mut edges: Vec<Edge> = Vec::new();
    for link in shown.iter().filter_map(|place| place.link) {
        let (Some(from), Some(to)) = (places.get(&link.from), places.get(&link.to)) else { continue };
        let kind = &snapshot.objects[link.from].meta.name.kind;
        let evidence = match link.tie {
            Tie::Controller => format!("ownerReferences: {kind} by uid, controller"),
            Tie::Owner => format!("ownerReferences: {kind} by uid"),
            Tie::Former => format!("ownerReferences: {kind} by name, with another uid"),
        };
        let edge = Edge {
            from: nodes[*from].id.clone(),
            to: nodes[*to].id.clone(),
            link: word(link.tie),
            evidence: vec![evidence],
        };
        edges.push(edge);
    }
    edges
}

const fn word(tie: Tie) -> LinkWord {
    match tie {
        Tie::Controller => LinkWord::Controller,
        Tie::Owner => LinkWord::Owner,
        Tie::Former => LinkWord::Related,
    }
}

/// One sentence: the root's own verdict, and the worst below it when that is another story.
fn headline(nodes: &[Node], worst: usize, complete: bool) -> String {
    let Some(root) = nodes.first() else { return String::new() };
    let own = own_words(root);
    let bad = &nodes[worst];
    if bad.verdict > Verdict::Unknown && bad.verdict > root.verdict {
        // What the resource says of itself, whatever its counts of replicas already betray.
        let says_ready = root.verdict == Verdict::Ready || root.ready.as_deref() == Some("True");
        return if says_ready {
            format!("{} says Ready, but {} is {}", root.name, bad.name, told(bad))
        } else {
            format!("{own}; {} is {}", bad.name, told(bad))
        };
    }
    match nodes.len() - 1 {
        0 if complete => format!("{own}; no object names it as its owner"),
        0 => format!("{own}; nothing was seen below it, but not everything could be read"),
        1 => format!("{own}; 1 object below it"),
        below => format!("{own}; {below} objects below it"),
    }
}

fn own_words(node: &Node) -> String {
    match (node.verdict, &node.message) {
        (Verdict::None, _) => node.name.to_string(),
        (Verdict::Unknown, Some(message)) => format!("{} is Unknown: {message}", node.name),
        (Verdict::Ready, _) => format!("{} is Ready", node.name),
        _ => format!("{} is {}", node.name, told(node)),
    }
}

fn told(node: &Node) -> String {
    let word = if node.status == "-" { node.verdict.to_string() } else { node.status.clone() };
    match &node.message {
        // A server's sentence goes on in ours.
        Some(message) => format!("{word}: {}", message.trim_end_matches('.')),
        None => word,
    }
}

impl Node {
    /// How old it is, as kubectl says it.
    pub fn age(&self, now: Timestamp) -> String {
        self.created.map_or_else(|| "<unknown>".to_owned(), |created| age::human(now.duration_since(created)))
    }
}

impl Tree {
    /// The worst verdict in the tree.
    pub fn verdict(&self) -> Verdict {
        self.nodes.get(self.worst).map_or(Verdict::Unknown, |node| node.verdict)
    }
}
