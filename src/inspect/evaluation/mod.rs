//! The verdict on a resource together with everything below it. `tree`, `status`, `-w` and `--wait` all take the
//! verdict, the cause and the headline from here, whatever they show or hide.
//!
//! | to find                                       | look in           |
//! |-----------------------------------------------|-------------------|
//! | one object and its own verdict                | `node.rs`         |
//! | verdicts that need several objects            | `cross_object.rs` |
//! | which kinds keep no status                    | `kept_status.rs`  |
//! | which object is the root cause                | `cause.rs`        |
//! | findings and the code of the cause            | `findings.rs`     |
//! | where the tree leaves what was listed         | `elsewhere.rs`    |
//! | the headline: the first line for one resource | `headline.rs`     |
//! | what must be read before it can be evaluated  | `missing.rs`      |

mod cause;
mod cross_object;
mod elsewhere;
mod findings;
mod headline;
mod kept_status;
mod missing;
mod node;

use std::collections::{HashMap, HashSet};

use super::events::{self, EventSummary};
use super::graph::{Index, Traversal};
use super::owners;
use super::related::{ObjectGraph, Relations};
use crate::model::code::Code;
use crate::model::fetch_plan::FetchPlan;
use crate::model::health::{Finding, Verdict};
use crate::model::ident::Uid;
use crate::model::now::{Now, Times};
use crate::model::rulebook::Rulebook;
use crate::model::snapshot::Snapshot;

pub use cause::Cause;
pub use headline::Owners;
pub use kept_status::KeptStatus;
pub(super) use missing::has_endpoints;
pub use missing::{bodies, wanted};
pub use node::{Node, is_unhealthy};

/// The input of an evaluation.
pub struct Context<'a> {
    pub snapshot: &'a Snapshot,
    pub graph: &'a ObjectGraph<'a>,
    pub rulebook: &'a Rulebook,
    pub below: Below,
    pub kept_status: KeptStatus<'a>,
    pub times: Times,
}

impl Context<'_> {
    /// The time of the snapshot, and how times are shown.
    pub fn now(&self) -> Now {
        Now { time: self.snapshot.coverage.now, times: self.times }
    }
}

/// Which objects below a resource count.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Below {
    #[default]
    All,
    /// Only the resource itself.
    Nothing,
}

/// The verdict on a resource and everything below it.
#[derive(Debug)]
pub struct Evaluation {
    /// The index of the resource in the snapshot.
    pub root: Index,
    pub traversal: Traversal,
    /// In the order of the tree, the resource first.
    pub nodes: Vec<Node>,
    /// The index in `nodes` of each object.
    pub node_of: HashMap<Index, usize>,
    /// The verdict on the whole tree.
    pub verdict: Verdict,
    /// `None` if nothing is wrong.
    pub cause: Option<Cause>,
    pub headline: String,
    /// Every finding about the tree.
    pub findings: Vec<Finding>,
    /// Findings about owner references, each with the object it is about.
    pub owner_findings: Vec<(Index, Finding)>,
    /// Events about the tree, the newest last, if they were read.
    pub events: Option<Vec<EventSummary>>,
}

impl Evaluation {
    /// Evaluates a traversal. `owners` is what the headline says about the owners of the resource.
    pub fn of(traversal: Traversal, owners: Owners<'_>, context: &Context<'_>) -> Option<Self> {
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
        let known_events = events.as_deref().unwrap_or_default();
        cause::excuse_claims(&mut nodes, known_events);
        let cause = cause::cause(&nodes, known_events, snapshot);
        let verdict = verdict(&nodes);
        let body = snapshot.objects[root].pruned();
        let mut findings: Vec<Finding> = owner_findings.iter().map(|(_, finding)| finding.clone()).collect();
        findings.extend(findings::findings(&nodes, cause.as_ref(), body, snapshot));
        findings.extend(elsewhere::finding(&nodes, graph.cut_off.contains(&root), snapshot));
        if graph.partly_searched.contains(&root) {
            findings.extend(elsewhere::partly_searched(&nodes));
        }
        findings.retain(|finding| !rulebook.skips(finding.code));
        let now = context.now();
        let warning = findings.iter().find(|finding| finding.code == Code::Warning);
        let headline = headline::Headline {
            nodes: &nodes,
            verdict,
            cause: cause.as_ref(),
            warning,
            owners,
            snapshot,
            now,
        }
        .text();
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
    /// What must be read to know what unhealthy Pods are waiting for.
    pub fn unhealthy_pods(&self, context: &Context<'_>) -> FetchPlan {
        missing::unhealthy_pods(self, context)
    }
}

/// The indices of the roots; a root that was deleted meanwhile has none.
pub fn roots(snapshot: &Snapshot) -> Vec<Index> {
    // One pass over all objects: there can be thousands of roots.
    let roots: HashSet<&str> = snapshot.roots.iter().map(|uid| uid.0.as_str()).collect();
    let is_root = |index: &Index| roots.contains(snapshot.objects[*index].meta.uid.0.as_str());
    (0..snapshot.objects.len()).filter(is_root).collect()
}

/// The objects below a root that count.
pub fn traverse(root: Index, snapshot: &Snapshot, graph: &ObjectGraph<'_>, below: Below) -> Traversal {
    match below {
        Below::All => Traversal::below(root, snapshot, &graph.owner_index),
        Below::Nothing => Traversal::alone(root),
    }
}

/// The relations to follow.
pub const fn relations(below: Below) -> Relations {
    match below {
        Below::All => Relations::Related,
        Below::Nothing => Relations::Owned,
    }
}

/// The nodes in the order of the tree, and the index of each object among them.
fn nodes(traversal: &Traversal, context: &Context<'_>) -> (Vec<Node>, HashMap<Index, usize>) {
    let count = traversal.positions.len();
    let (mut nodes, mut node_of): (Vec<Node>, _) =
        (Vec::with_capacity(count), HashMap::<Index, usize>::with_capacity(count));
    for position in &traversal.positions {
        let above =
            position.edge.and_then(|edge| node_of.get(&edge.from)).and_then(|above| nodes[*above].link);
        let link = position.edge.map(|edge| edge.kind).max(above);
        node_of.entry(position.object).or_insert_with(|| {
            nodes.push(Node::of(position.object, context, link, position.depth));
            nodes.len() - 1
        });
    }
    (nodes, node_of)
}

/// The worst verdict of the resource and the objects below it. Objects below it with an unknown state do not count;
/// those being deleted count as progressing.
fn verdict(nodes: &[Node]) -> Verdict {
    let own = nodes.first().map_or(Verdict::Unknown, |root| root.own.verdict);
    let below = nodes.iter().skip(1).filter(|node| node.counts && is_unhealthy(node.own.verdict));
    let below = below.map(|node| match node.own.verdict {
        Verdict::Terminating => Verdict::Progressing,
        verdict => verdict,
    });
    below.fold(own, Verdict::max)
}
