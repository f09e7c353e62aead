//! The root cause: the deepest unhealthy object, with its message and the last warning event about it.

use jiff::Timestamp;
use serde::Serialize;

use super::findings::code;
use super::node::{Node, is_unhealthy};
use crate::inspect::events::EventSummary;
use crate::inspect::health;
use crate::model::code::Code;
use crate::model::health::{Problem, Verdict};
use crate::model::ident::ObjectName;
use crate::model::log::CrashedContainer;
use crate::model::rule::Rule;
use crate::model::snapshot::Snapshot;

/// The root cause of an unhealthy resource.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Cause {
    pub object: ObjectName,
    pub verdict: Verdict,
    /// kubectl's STATUS where it has one.
    pub status: String,
    pub rule: Rule,
    pub reason: Option<String>,
    pub message: Option<String>,
    pub since: Option<Timestamp>,
    /// The code for `explain`.
    pub code: Code,
    /// The last warning event about the object.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub last_warning: Option<EventSummary>,
    /// The container that crashed, if that is what is wrong.
    #[serde(skip)]
    pub crashed_container: Option<CrashedContainer>,
    /// Whether it is the resource itself.
    pub is_own: bool,
}

/// The cause, if anything in the tree is unhealthy.
pub(super) fn cause(nodes: &[Node], events: &[EventSummary], snapshot: &Snapshot) -> Option<Cause> {
    let root = nodes.first()?;
    // A stuck deletion is its own cause, whatever the state of its children.
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
        crashed_container: crashed_container(node, snapshot),
        is_own: index == 0,
    })
}

/// The container of a Pod that crashed, if that is what is wrong with it.
fn crashed_container(node: &Node, snapshot: &Snapshot) -> Option<CrashedContainer> {
    let is_crash = node.own.rule == Rule::Pod && node.own.problem.is_some_and(Problem::is_crash);
    let pod = snapshot.objects.iter().find(|object| is_crash && object.meta.uid.0 == node.uid)?;
    health::crashed_container(pod.pruned()?)
}

/// The index of the node that explains the others: broken before progressing, deeper before higher, longer before
/// shorter.
fn first_cause(nodes: &[Node]) -> Option<usize> {
    let unhealthy = (0..nodes.len()).filter(|index| {
        let node = &nodes[*index];
        is_unhealthy(node.own.verdict) && (node.counts || *index == 0)
    });
    unhealthy.max_by_key(|index| {
        let node = &nodes[*index];
        let broken = matches!(node.own.verdict, Verdict::NotReady | Verdict::Failed | Verdict::Stuck);
        // Budgets and autoscalers are unhealthy because of their Pods, not the other way round.
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

/// The last warning event about the object, else about an unhealthy object below it.
fn warning(node: &Node, nodes: &[Node], events: &[EventSummary]) -> Option<EventSummary> {
    let about = |name: &ObjectName| {
        events.iter().rev().find(|line| line.event_type == "Warning" && line.object == *name).cloned()
    };
    // If a workload has no Pods, the event is about the ReplicaSet that could not create them.
    let below = || {
        let below = nodes.iter().filter(|other| other.depth > node.depth && is_unhealthy(other.own.verdict));
        below.filter_map(|other| about(&other.name)).next_back()
    };
    about(&node.name).or_else(below)
}
