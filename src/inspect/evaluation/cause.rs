//! The root cause: the deepest unhealthy object, with its message and the last warning event about it.

use jiff::Timestamp;
use serde::Serialize;

use super::findings::code;
use super::node::{Node, is_unhealthy};
use crate::inspect::events::EventSummary;
use crate::inspect::graph::EdgeKind;
use crate::inspect::health::{self, excerpt::excerpt};
use crate::known::error_words;
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
    /// Whether it is in the tree by evidence only, not by owner references.
    pub related: bool,
}

impl Cause {
    /// Its name, with `~` if it is in the tree by evidence only.
    pub fn display_name(&self) -> String {
        if self.related { format!("~{}", self.object) } else { self.object.to_string() }
    }
}

/// Excuses claims that no Pod uses yet: their class binds them only then, which only an event of theirs says.
pub(super) fn excuse_claims(nodes: &mut [Node], events: &[EventSummary]) {
    let is_late = |node: &&mut Node| {
        node.own.rule == Rule::PersistentVolumeClaim
            && node.own.unexplained
            && node.own.verdict == Verdict::NotReady
    };
    for node in nodes.iter_mut().filter(is_late) {
        let last = events.iter().rev().find(|line| line.object == node.name);
        if last.is_some_and(|line| line.reason == "WaitForFirstConsumer") {
            node.own.verdict = Verdict::Progressing;
            let message = node.own.message.take().unwrap_or_default();
            node.own.message =
                Some(format!("{message}: it is bound once a Pod uses it (WaitForFirstConsumer)"));
            node.own.unexplained = false;
        }
    }
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
        message: message(node, warning.as_ref()),
        since: node.own.since,
        code,
        last_warning: warning,
        crashed_container: crashed_container(node, snapshot),
        is_own: index == 0,
        related: node.related,
    })
}

/// What the object says, or else the last warning event about it.
fn message(node: &Node, warning: Option<&EventSummary>) -> Option<String> {
    let own = node.own.message.clone();
    let Some(warning) = warning.filter(|_| node.own.unexplained) else { return own };
    let said = format!("{}: {}", excerpt(&warning.reason), excerpt(&warning.message));
    Some(own.map_or_else(|| said.clone(), |own| format!("{own}; last warning {said}")))
}

/// The container of a Pod that crashed, if that is what is wrong with it.
fn crashed_container(node: &Node, snapshot: &Snapshot) -> Option<CrashedContainer> {
    let is_crash = node.own.rule == Rule::Pod && node.own.problem.is_some_and(Problem::is_crash);
    let pod = snapshot.objects.iter().find(|object| is_crash && object.meta.uid.0 == node.uid)?;
    health::crashed_container(pod.pruned()?)
}

/// The index of the node that explains the others. An error that the resource itself reports comes before an object that
/// it only refers to or that is guessed to be its child, unless it reports that very object.
fn first_cause(nodes: &[Node]) -> Option<usize> {
    let index = worst(nodes, |_| true)?;
    if reports_error(&nodes[0]) && is_loose(&nodes[index]) && !is_reported(nodes, index) {
        return worst(nodes, |node| !is_loose(node));
    }
    Some(index)
}

/// Whether an object is in the tree only because the status refers to it, or by a guess.
fn is_loose(node: &Node) -> bool {
    node.link.is_some_and(|link| link > EdgeKind::Related)
}

/// Whether a condition of the resource says that something is wrong with the resource itself.
fn reports_error(root: &Node) -> bool {
    is_broken(root) && root.own.reason.as_deref().is_some_and(error_words::is_error)
}

const fn is_broken(node: &Node) -> bool {
    matches!(node.own.verdict, Verdict::NotReady | Verdict::Failed | Verdict::Stuck)
}

/// Whether the message of the resource names an object, or one above it.
fn is_reported(nodes: &[Node], index: usize) -> bool {
    let message = nodes[0].own.message.as_deref().unwrap_or_default();
    let has_word = |word: &str| message.split(|letter: char| !is_name_letter(letter)).any(|one| one == word);
    let mut depth = nodes[index].depth + 1;
    // Backwards, each node of a lower depth is the next one above.
    nodes[1..=index].iter().rev().any(|node| {
        let is_above = node.depth < depth;
        depth = depth.min(node.depth);
        let is_same_name = node.name.name == nodes[0].name.name;
        is_above
            && has_word(&node.name.name)
            && (!is_same_name || message.to_lowercase().contains(&node.name.kind.to_lowercase()))
    })
}

fn is_name_letter(letter: char) -> bool {
    letter.is_ascii_alphanumeric() || matches!(letter, '-' | '.')
}

/// The index of the worst node: broken before progressing, deeper before higher, longer before shorter.
fn worst(nodes: &[Node], is_considered: impl Fn(&Node) -> bool) -> Option<usize> {
    let unhealthy = (0..nodes.len()).filter(|index| {
        let node = &nodes[*index];
        is_unhealthy(node.own.verdict) && (node.counts || *index == 0) && is_considered(node)
    });
    unhealthy.max_by_key(|index| {
        let node = &nodes[*index];
        // Budgets and autoscalers are unhealthy because of their Pods, not the other way round.
        let is_symptom = matches!(node.name.kind.as_str(), "PodDisruptionBudget" | "HorizontalPodAutoscaler");
        let since = node.own.since.map_or(i64::MAX, Timestamp::as_second);
        (
            is_broken(node),
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
