//! The verdict on a resource together with everything below it. `tree`, `status`, `-w` and `--wait` all take the
//! verdict, the cause and the headline from here, whatever they show or hide.
//!
//! | to find                                       | look in           |
//! |-----------------------------------------------|-------------------|
//! | one object and its own verdict                | `node.rs`         |
//! | what several objects say together             | `cross_object.rs` |
//! | which object is the first cause               | `cause.rs`        |
//! | statements of trouble with their codes        | `trouble.rs`      |
//! | the sentence on top                           | `headline.rs`     |
//! | what must be read before it can be evaluated  | `missing.rs`      |

mod cause;
mod cross_object;
mod headline;
mod missing;
mod node;
mod trouble;

use std::collections::{HashMap, HashSet};

use super::events::{self, EventSummary};
use super::graph::{EdgeKind, Index, Traversal};
use super::owners;
use super::related::{ObjectGraph, Relations};
use crate::model::fetch_plan::FetchPlan;
use crate::model::health::{Finding, Verdict};
use crate::model::ident::{ObjectName, Uid};
use crate::model::rulebook::Rulebook;
use crate::model::snapshot::Snapshot;

pub use cause::Cause;
pub(super) use missing::has_endpoints;
pub use missing::{bodies, wanted};
pub use node::{Node, is_trouble};

/// What an evaluation works with: one look at a snapshot.
pub struct Context<'a> {
    pub snapshot: &'a Snapshot,
    pub graph: &'a ObjectGraph<'a>,
    pub rulebook: &'a Rulebook,
    pub below: Below,
}

/// Which objects below a resource count.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Below {
    #[default]
    All,
    /// None: only what the resource says of itself.
    Nothing,
}

/// A resource and everything below it, judged.
#[derive(Debug)]
pub struct Evaluation {
    /// Where the resource is in the snapshot.
    pub root: Index,
    pub traversal: Traversal,
    /// In the order of the tree, the resource first.
    pub nodes: Vec<Node>,
    /// Where each object is among the nodes.
    pub node_of: HashMap<Index, usize>,
    /// The verdict on the whole.
    pub verdict: Verdict,
    /// Nothing when all is fine.
    pub cause: Option<Cause>,
    pub headline: String,
    /// Every finding about the whole.
    pub findings: Vec<Finding>,
    /// Findings about owner references, each with the object it is about.
    pub owner_findings: Vec<(Index, Finding)>,
    /// Events about the whole, the newest last, where they were read.
    pub events: Option<Vec<EventSummary>>,
}

impl Evaluation {
    /// Judges what a traversal found. `top` is the last owner above the resource, if it is not the top itself.
    pub fn of(traversal: Traversal, top: Option<&ObjectName>, context: &Context<'_>) -> Option<Self> {
        let root = traversal.positions.first()?.object;
        let Context { snapshot, graph, rulebook, .. } = context;
        let (mut nodes, node_of) = nodes(&traversal, context);
        cross_object::apply(&mut nodes, &traversal, &node_of, snapshot);
        let owner_findings: Vec<(Index, Finding)> = owners::findings(snapshot, graph, &traversal)
            .into_iter()
            .filter(|(_, finding)| !rulebook.skips(finding.code))
            .collect();
        let events = snapshot.events.is_some().then(|| {
            let uids: Vec<Uid> = nodes.iter().map(|node| Uid(node.uid.clone())).collect();
            events::about(snapshot, &uids)
        });
        let warnings = events.as_deref().unwrap_or_default();
        let cause = cause::cause(&nodes, warnings, snapshot);
        let verdict = verdict(&nodes);
        let body = snapshot.objects[root].pruned();
        let mut findings: Vec<Finding> = owner_findings.iter().map(|(_, finding)| finding.clone()).collect();
        findings.extend(trouble::findings(&nodes, cause.as_ref(), body, snapshot));
        findings.retain(|finding| !rulebook.skips(finding.code));
        let headline =
            headline::Headline { nodes: &nodes, verdict, cause: cause.as_ref(), top, snapshot }.text();
        Some(Self {
            root,
            traversal,
            nodes,
            node_of,
            verdict,
            cause,
            headline,
            findings,
            owner_findings,
            events,
        })
    }
}

impl Evaluation {
    /// What must be read to say what Pods in trouble are waiting for.
    pub fn pods_in_trouble(&self, context: &Context<'_>) -> FetchPlan {
        missing::pods_in_trouble(self, context)
    }
}

/// Where the roots are among the objects; one that was deleted meanwhile is not.
pub fn roots(snapshot: &Snapshot) -> Vec<Index> {
    // One pass: looking for each of thousands would be slow.
    let roots: HashSet<&str> = snapshot.roots.iter().map(|uid| uid.0.as_str()).collect();
    let is_root = |index: &Index| roots.contains(snapshot.objects[*index].meta.uid.0.as_str());
    (0..snapshot.objects.len()).filter(is_root).collect()
}

/// The objects below a root, as far as they count.
pub fn traverse(root: Index, snapshot: &Snapshot, graph: &ObjectGraph<'_>, below: Below) -> Traversal {
    match below {
        Below::All => Traversal::below(root, snapshot, &graph.owner_index),
        Below::Nothing => Traversal::alone(root),
    }
}

/// The relations that matter for what counts.
pub const fn relations(below: Below) -> Relations {
    match below {
        Below::All => Relations::Related,
        Below::Nothing => Relations::Owned,
    }
}

/// The nodes in the order of the tree, and where each object is among them.
fn nodes(traversal: &Traversal, context: &Context<'_>) -> (Vec<Node>, HashMap<Index, usize>) {
    let count = traversal.positions.len();
    let (mut nodes, mut node_of): (Vec<Node>, _) =
        (Vec::with_capacity(count), HashMap::<Index, usize>::with_capacity(count));
    for position in &traversal.positions {
        let above = position.edge.and_then(|edge| node_of.get(&edge.from)).map(|above| nodes[*above].related);
        let is_inferred = position.edge.is_some_and(|edge| edge.kind >= EdgeKind::Related);
        let related = is_inferred || above.unwrap_or_default();
        node_of.entry(position.object).or_insert_with(|| {
            nodes.push(Node::of(position.object, context, related, position.depth));
            nodes.len() - 1
        });
    }
    (nodes, node_of)
}

/// The worst of the resource and what is below it. What cannot be judged below does not outvote what the resource
/// says; what is being deleted below is only progress.
fn verdict(nodes: &[Node]) -> Verdict {
    let own = nodes.first().map_or(Verdict::Unknown, |root| root.own.verdict);
    let below = nodes.iter().skip(1).filter(|node| node.counts && is_trouble(node.own.verdict));
    let below = below.map(|node| match node.own.verdict {
        Verdict::Terminating => Verdict::Progressing,
        verdict => verdict,
    });
    below.fold(own, Verdict::max)
}
