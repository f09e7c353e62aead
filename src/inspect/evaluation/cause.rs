//! Root cause first: the deepest object that is not fine, in its own words and those of the last warning about it.

use jiff::Timestamp;
use serde::Serialize;

use super::node::{Node, is_trouble};
use super::trouble::code;
use crate::inspect::events::EventSummary;
use crate::model::code::Code;
use crate::model::health::{Problem, Verdict};
use crate::model::ident::ObjectName;
use crate::model::rule::Rule;
use crate::model::snapshot::Snapshot;

/// The first cause of a resource's trouble.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Cause {
    pub object: ObjectName,
    pub verdict: Verdict,
    /// kubectl's word where it has one.
    pub status: String,
    pub rule: Rule,
    pub reason: Option<String>,
    pub message: Option<String>,
    pub since: Option<Timestamp>,
    /// What `explain` knows more about.
    pub code: Code,
    /// The last warning about the object.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub last_warning: Option<EventSummary>,
    /// What exactly is wrong, where its rule could tell.
    #[serde(skip)]
    pub problem: Option<Problem>,
    /// Whether it is the resource itself.
    pub is_own: bool,
}

impl Cause {
    /// Whether a container of it has crashed.
    pub fn is_crash(&self) -> bool {
        self.problem.is_some_and(Problem::is_crash)
    }
}

/// The cause, when anything in the tree is not fine.
pub(super) fn cause(nodes: &[Node], events: &[EventSummary], snapshot: &Snapshot) -> Option<Cause> {
    let root = nodes.first()?;
    // A deletion that hangs is its own story, whatever its children do.
    let index = if root.own.verdict == Verdict::Stuck { 0 } else { first_cause(nodes)? };
    let node = &nodes[index];
    let warning = warning(node, nodes, events);
    let code = code(node, warning.as_ref(), snapshot);
    Some(Cause {
        object: node.name.clone(),
        verdict: node.own.verdict,
        status: node.status_text(),
        rule: node.own.rule,
        reason: node.own.reason.clone(),
        message: node.own.message.clone(),
        since: node.own.since,
        code,
        last_warning: warning,
        problem: node.own.problem,
        is_own: index == 0,
    })
}

/// What is broken comes before what is under way, what is deeper before what it explains, and what has lasted longer
/// before what may follow from it.
fn first_cause(nodes: &[Node]) -> Option<usize> {
    let troubled = (0..nodes.len()).filter(|index| {
        let node = &nodes[*index];
        is_trouble(node.own.verdict) && (node.counts || *index == 0)
    });
    troubled.max_by_key(|index| {
        let node = &nodes[*index];
        let broken = matches!(node.own.verdict, Verdict::NotReady | Verdict::Failed | Verdict::Stuck);
        // A budget or a Service suffers from Pods; it is not what ails them.
        let is_symptom = matches!(node.name.kind.as_str(), "PodDisruptionBudget" | "HorizontalPodAutoscaler");
        let since = node.own.since.map_or(i64::MAX, Timestamp::as_second);
        (
            broken,
            !is_symptom,
            node.depth,
            node.own.verdict,
            std::cmp::Reverse(since),
            std::cmp::Reverse(*index),
        )
    })
}

/// The last warning about the object; where it has no say itself, that about the workload right above it.
fn warning(node: &Node, nodes: &[Node], events: &[EventSummary]) -> Option<EventSummary> {
    let about = |name: &ObjectName| {
        events.iter().rev().find(|line| line.event_type == "Warning" && line.object == *name).cloned()
    };
    // A workload without Pods: the refusal stands with the set that should have made them.
    let below = || {
        let sets = nodes.iter().filter(|other| other.depth > node.depth && is_trouble(other.own.verdict));
        sets.filter_map(|other| about(&other.name)).next_back()
    };
    about(&node.name).or_else(below)
}
