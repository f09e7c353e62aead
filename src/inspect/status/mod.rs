//! The answer of `status`: is a resource healthy, and if not, what is the first cause.
//!
//! | to find                                    | look in        |
//! |--------------------------------------------|----------------|
//! | which object is the first cause            | `cause.rs`     |
//! | the sentence on top                        | `sentence.rs`  |
//! | statements of trouble with their codes     | `trouble.rs`   |
//! | what must be read before it can be told    | `fetch_plan.rs`   |
//! | whether what was not seen could change it  | `doubt.rs`     |
//! | what is waited for                         | `goal.rs`      |

mod cause;
mod doubt;
mod fetch_plan;
mod goal;
mod sentence;
#[cfg(test)]
mod tests;
mod trouble;

use jiff::{SignedDuration, Timestamp};
use serde::Serialize;

use super::events;
use super::health;
use super::related;
use super::tree::{self, Asked, Judged, Node, Weight, is_trouble};
use crate::model::gap::Gap;
use crate::model::health::{ConditionReport, Fact, Finding, Verdict};
use crate::model::ident::{ObjectName, Uid};
use crate::model::json::{number, text};
use crate::model::rule::Rule;
use crate::model::rulebook::Rulebook;
use crate::model::snapshot::{Printed, Reach, Snapshot};

pub use cause::Cause;
pub use fetch_plan::fetch_plan;
pub use goal::{Arrival, Goal, is_moving};

/// How long a controller may take to notice a resource.
const NEW: SignedDuration = SignedDuration::from_secs(30);
/// So many events are shown; `events` has all.
const EVENTS: usize = 10;

/// Which objects below a resource are looked at.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Below {
    #[default]
    All,
    /// None: the resource's own word is enough.
    Nothing,
}

/// The report, as JSON has it; what is skipped there is for the eye.
#[derive(Debug, Serialize)]
pub struct Status {
    pub schema: &'static str,
    /// The worst first.
    pub resources: Vec<Resource>,
    pub complete: bool,
    pub gaps: Vec<Gap>,
    /// Whether something that was not seen could make a clean answer wrong.
    #[serde(skip)]
    pub doubt: bool,
    #[serde(skip)]
    pub kinds_asked: usize,
    #[serde(skip)]
    pub reach: Reach,
    #[serde(skip)]
    pub now: Timestamp,
}

/// One resource that was asked about.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Resource {
    pub object: ObjectName,
    pub uid: String,
    pub created: Option<Timestamp>,
    /// What the resource says of itself.
    pub verdict: Verdict,
    pub ready: Option<String>,
    pub reason: Option<String>,
    pub message: Option<String>,
    pub rule: Rule,
    /// Since when that is so, where anything says.
    pub since: Option<Timestamp>,
    pub subtree: Subtree,
    pub generation: Option<i64>,
    pub observed_generation: Option<i64>,
    pub conditions: Vec<ConditionReport>,
    pub phase: Option<String>,
    /// The columns that the kind's author chose to show.
    pub printed: Vec<Printed>,
    pub finalizers: Vec<String>,
    /// Since when it is being deleted.
    pub deleting: Option<Timestamp>,
    pub children: Vec<Child>,
    /// The last ones about the whole tree, the newest last.
    pub events: Vec<events::Line>,
    pub findings: Vec<Finding>,
    /// The fields that its own verdict rests on.
    pub facts: Vec<Fact>,
    /// The verdict in a sentence.
    #[serde(skip)]
    pub sentence: String,
    /// Whether it may simply not be ready yet.
    #[serde(skip)]
    pub in_progress: bool,
    /// Whether it is so new that its controller may not have seen it.
    #[serde(skip)]
    pub is_new: bool,
}

/// The resource together with everything below it.
#[derive(Debug, Serialize)]
pub struct Subtree {
    pub verdict: Verdict,
    /// Nothing when all is fine.
    pub cause: Option<Cause>,
}

/// One object below a resource.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Child {
    pub object: ObjectName,
    pub verdict: Verdict,
    pub ready: Option<String>,
    pub status: String,
    pub message: Option<String>,
    pub rule: Rule,
    pub since: Option<Timestamp>,
    /// Whether no owner reference leads to it.
    pub related: bool,
    /// Whether it is part of the verdict on the whole.
    #[serde(skip)]
    pub weight: Weight,
    #[serde(skip)]
    pub facts: Vec<Fact>,
}

/// What the trees behind a status are asked for.
pub fn asked(below: Below) -> Asked {
    match below {
        Below::All => Asked::default(),
        Below::Nothing => Asked { depth: Some(0), related: related::Reach::Owned, ..Asked::default() },
    }
}

/// Tells how each root of a snapshot is, the worst first.
pub fn tell(snapshot: &Snapshot, below: Below, rulebook: &Rulebook) -> Status {
    let judged = tree::judge(snapshot, &asked(below), rulebook);
    let mut resources: Vec<Resource> =
        judged.iter().filter_map(|judged| resource(judged, snapshot, rulebook)).collect();
    resources.sort_by(|a, b| {
        b.subtree.verdict.cmp(&a.subtree.verdict).then_with(|| key(&a.object).cmp(&key(&b.object)))
    });
    Status {
        schema: "kubectl-op/status/v1",
        resources,
        complete: snapshot.gaps.is_empty(),
        doubt: doubt::is_in_doubt(snapshot),
        gaps: snapshot.gaps.clone(),
        kinds_asked: snapshot.kinds_asked,
        reach: snapshot.reach.clone(),
        now: snapshot.now,
    }
}

fn key(name: &ObjectName) -> (Option<&str>, &str, &str) {
    (name.namespace.as_deref(), &name.kind, &name.name)
}

fn resource(judged: &Judged, snapshot: &Snapshot, rulebook: &Rulebook) -> Option<Resource> {
    let (nodes, object) = (&judged.nodes, &snapshot.objects[judged.root]);
    let root = nodes.first()?;
    let body = object.body.as_ref();
    let kind = object.kind.group_kind();
    let conditions = body.map(|body| health::conditions(&kind, body, snapshot.now, rulebook));
    let uids: Vec<Uid> = nodes.iter().map(|node| Uid(node.uid.clone())).collect();
    let mut lines = events::about(snapshot, &uids);
    let cause = cause::cause(nodes, &lines, snapshot);
    let verdict = subtree_verdict(nodes);
    let mut findings = judged.findings.clone();
    findings.extend(trouble::findings(nodes, cause.as_ref(), body, snapshot));
    findings.retain(|finding| !rulebook.skips(finding.code));
    let sentence = sentence::sentence(nodes, verdict, cause.as_ref(), snapshot);
    let last = lines.len().saturating_sub(EVENTS);
    Some(Resource {
        object: root.name.clone(),
        uid: root.uid.clone(),
        created: root.created,
        verdict: root.verdict,
        ready: root.ready.clone(),
        reason: root.reason.clone(),
        message: root.message.clone(),
        rule: root.rule,
        since: root.since,
        subtree: Subtree { verdict, cause },
        generation: body.and_then(|body| number(body, &["metadata", "generation"])),
        observed_generation: body.and_then(|body| number(body, &["status", "observedGeneration"])),
        conditions: conditions.unwrap_or_default(),
        phase: body.and_then(|body| text(body, &["status", "phase"])).map(str::to_owned),
        printed: root.printed.clone(),
        finalizers: root.finalizers.clone(),
        deleting: root.deleting,
        children: nodes.iter().skip(1).map(child).collect(),
        events: lines.split_off(last),
        findings,
        facts: root.facts.clone(),
        sentence,
        in_progress: root.in_progress,
        is_new: root.created.is_some_and(|created| snapshot.now.duration_since(created) < NEW),
    })
}

fn child(node: &Node) -> Child {
    Child {
        object: node.name.clone(),
        verdict: node.verdict,
        ready: node.ready.clone(),
        status: node.status.clone(),
        message: node.message.clone(),
        rule: node.rule,
        since: node.since,
        related: node.standing == tree::Standing::Related,
        weight: node.weight,
        facts: node.facts.clone(),
    }
}

/// The worst of the resource and what is below it. What cannot be judged below does not outvote what the resource
/// says; what goes away below is only on its way.
fn subtree_verdict(nodes: &[Node]) -> Verdict {
    let own = nodes.first().map_or(Verdict::Unknown, |root| root.verdict);
    let below = nodes.iter().skip(1).filter(|node| node.weight == Weight::Counts && is_trouble(node.verdict));
    let below = below.map(|node| match node.verdict {
        Verdict::Terminating => Verdict::Progressing,
        verdict => verdict,
    });
    below.fold(own, Verdict::max)
}

impl Status {
    /// How many resources have each verdict, the worst first.
    pub fn counts(&self) -> Vec<(Verdict, usize)> {
        let mut counts = std::collections::BTreeMap::new();
        for resource in &self.resources {
            *counts.entry(resource.subtree.verdict).or_insert(0) += 1;
        }
        counts.into_iter().rev().collect()
    }
}
