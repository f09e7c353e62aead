//! The report of `status`: whether a resource is healthy, and if not, why. The verdict, the cause and the headline come
//! from `evaluation`.
//!
//! | to find                                    | look in          |
//! |--------------------------------------------|------------------|
//! | whether gaps could change the verdict      | `uncertainty.rs` |
//! | what `--wait` waits for                    | `goal.rs`        |
//! | the rows of a list, and what is folded     | `listing.rs`     |
//! | the last lines of a crashed container      | `log.rs`         |

mod goal;
mod listing;
mod log;
#[cfg(test)]
mod tests;
mod uncertainty;

use jiff::{SignedDuration, Timestamp};
use serde::Serialize;

use super::Inspected;
use super::evaluation::{
    self, Below, Cause, Context, Evaluation, KeptStatus, Node, Owners, is_unhealthy, relations, roots,
    traverse,
};
use super::events;
use super::graph::{Index, Traversal};
use super::health;
use super::parallel;
use super::related::ObjectGraph;
use crate::model::code::Code;
use crate::model::coverage::Coverage;
use crate::model::fetch_plan::{FetchAttempts, FetchPlan, Inspection};
use crate::model::health::{ConditionReport, Finding, Health, Verdict};
use crate::model::ident::ObjectName;
use crate::model::json::{number, text};
use crate::model::now::Times;
use crate::model::rule::Rule;
use crate::model::rulebook::Rulebook;
use crate::model::snapshot::{PrinterColumn, Snapshot};

pub use goal::{Goal, is_progressing};
pub use listing::{CauseText, KindCount, ListRow, ListedRows, Listing};
pub use log::{LogContent, LogReport};

/// How long a controller may take to write the first status.
const MAX_NEW_AGE: SignedDuration = SignedDuration::from_secs(30);
/// The number of events shown; `events` shows all.
const MAX_EVENTS: usize = 10;

/// What the report covers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct StatusOptions {
    pub below: Below,
    pub events: EventsOption,
    pub times: Times,
    pub requested: Requested,
    /// How many lines of the log of a crashed container are read; only for a single resource.
    pub log_lines: usize,
}

/// How the resources were requested.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Requested {
    /// Each by its name: the health of each is the question.
    #[default]
    ByName,
    /// All of a type or a namespace: resources whose kind keeps no status have no part in the answer.
    ByType,
}

/// Whether events are part of the report.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum EventsOption {
    #[default]
    NotRead,
    Read,
}

/// The report in its JSON form; skipped fields are for text output.
#[derive(Debug, Serialize)]
pub struct StatusReport {
    pub schema: &'static str,
    /// Sorted by verdict, the worst first.
    pub resources: Vec<Resource>,
    #[serde(flatten)]
    pub coverage: Coverage,
    /// Whether objects that could not be read could change the verdict.
    pub uncertain: bool,
    #[serde(skip)]
    pub requested: Requested,
}

/// How many resources are in which state.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    pub total: usize,
    pub unhealthy: usize,
    /// Without those whose kind keeps no status.
    pub unknown: usize,
    /// Of a kind that keeps no status.
    pub without_status: usize,
    /// The number with each verdict, the worst first, without those whose kind keeps no status.
    pub verdicts: Vec<(Verdict, usize)>,
}

/// One of the requested resources.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Resource {
    pub object: ObjectName,
    pub uid: String,
    pub created: Option<Timestamp>,
    /// A summary in one sentence.
    pub headline: String,
    /// The verdict on the resource and everything below it.
    pub verdict: Verdict,
    /// `None` if nothing is wrong.
    pub cause: Option<Cause>,
    /// The verdict on the resource alone.
    pub own: Health,
    pub finalizers: Vec<String>,
    /// When its deletion was requested.
    pub deleting: Option<Timestamp>,
    pub findings: Vec<Finding>,
    /// Fields of the body; absent if it could not be read.
    #[serde(flatten)]
    pub body: Option<BodyReport>,
    /// The columns that `kubectl get` prints, if they were read.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub printed: Option<Vec<PrinterColumn>>,
    /// The objects below the resource; absent if they were not requested.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub children: Option<Vec<Node>>,
    /// The last events about the tree, the newest last; absent if they were not read.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub events: Option<Vec<events::EventSummary>>,
    /// The last lines of the container that crashed; absent if none did, or if they were not read.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub log: Option<LogReport>,
    /// Whether it is so new that its controller may not have written a status yet.
    #[serde(skip)]
    pub is_new: bool,
}

/// Fields of a resource's body.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct BodyReport {
    pub generation: Option<i64>,
    pub observed_generation: Option<i64>,
    pub conditions: Vec<ConditionReport>,
    pub phase: Option<String>,
}

/// Reports each root of a snapshot, the worst first, or what must be read first.
pub fn inspect(
    snapshot: &Snapshot,
    attempts: &FetchAttempts,
    options: StatusOptions,
    rulebook: &Rulebook,
) -> Inspection<Inspected<StatusReport>> {
    let below = options.below;
    let roots = roots(snapshot);
    let graph = ObjectGraph::build(snapshot, &roots, relations(below));
    let kept_status = KeptStatus::of(snapshot);
    let context = Context { snapshot, graph: &graph, rulebook, below, times: options.times, kept_status };
    let traversed = parallel::map(roots, |root| {
        let (traversal, mut plan) = (traverse(root, snapshot, &graph, below), FetchPlan::default());
        evaluation::bodies(&traversal, &context, &mut plan);
        (traversal, plan)
    });
    let (mut traversals, mut members) = (Vec::with_capacity(traversed.len()), Vec::new());
    let mut plan = graph.missing.clone();
    for (traversal, missing) in traversed {
        members.extend(traversal.primary().map(|position| position.object));
        plan.merge(missing);
        traversals.push(traversal);
    }
    members.sort_unstable();
    members.dedup();
    let plan = attempts.untried(plan, snapshot);
    if !plan.is_empty() {
        return Inspection::Missing(plan);
    }
    let evaluate = |traversal| Evaluation::of(traversal, Owners::NotShown, &context);
    let resources = match <[Traversal; 1]>::try_from(traversals) {
        // Only for a single resource: for many, the states of the Pods are enough.
        Ok([only]) => {
            let evaluation = evaluate(only);
            let plan = evaluation
                .as_ref()
                .map(|evaluation| missing_for_one(evaluation, &members, options, attempts, &context))
                .unwrap_or_default();
            if !plan.is_empty() {
                return Inspection::Missing(plan);
            }
            let mut only = evaluation.and_then(|evaluation| resource(evaluation, &context));
            if let Some(resource) = &mut only {
                let request = log::request(resource.cause.as_ref(), options.log_lines);
                resource.log = request.and_then(|request| log::report(request, snapshot));
            }
            only.into_iter().collect()
        }
        Err(many) => {
            let resources = parallel::map(many, |traversal| resource(evaluate(traversal)?, &context));
            resources.into_iter().flatten().collect()
        }
    };
    let report = StatusReport { requested: options.requested, ..report(resources, &context) };
    Inspection::Complete(Inspected { report, members })
}

/// What is read for a single resource in addition: what its unhealthy Pods wait for, then events and
/// the log of a crashed container.
fn missing_for_one(
    evaluation: &Evaluation,
    members: &[Index],
    options: StatusOptions,
    attempts: &FetchAttempts,
    context: &Context<'_>,
) -> FetchPlan {
    let mut plan = FetchPlan::default();
    if options.below == Below::All {
        plan = attempts.untried(evaluation.unhealthy_pods(context), context.snapshot);
    }
    if plan.is_empty() {
        let events = (options.events == EventsOption::Read).then(|| members.to_vec());
        let log = log::request(evaluation.cause.as_ref(), options.log_lines).map(Box::new);
        plan = attempts.untried(FetchPlan { events, log, ..FetchPlan::default() }, context.snapshot);
    }
    plan
}

fn report(mut resources: Vec<Resource>, context: &Context<'_>) -> StatusReport {
    resources.sort_by(|a, b| b.verdict.cmp(&a.verdict).then_with(|| key(&a.object).cmp(&key(&b.object))));
    StatusReport {
        schema: "kubectl-op/status/v1",
        resources,
        uncertain: uncertainty::is_uncertain(context.snapshot),
        coverage: coverage(context.snapshot),
        requested: Requested::default(),
    }
}

/// What was read. Events that could not be read are one more kind that was requested.
fn coverage(snapshot: &Snapshot) -> Coverage {
    let mut coverage = snapshot.coverage.clone();
    coverage.kinds += usize::from(coverage.gaps.iter().any(events::is_events_gap));
    coverage
}

fn key(name: &ObjectName) -> (Option<&str>, &str, &str) {
    (name.namespace.as_deref(), &name.kind, &name.name)
}

fn resource(evaluation: Evaluation, context: &Context<'_>) -> Option<Resource> {
    let Evaluation { root, nodes, verdict, cause, headline, findings, events, .. } = evaluation;
    let (object, now) = (&context.snapshot.objects[root], context.now());
    let kind = object.kind.group_kind();
    let body = object.pruned().map(|body| BodyReport {
        generation: number(body, &["metadata", "generation"]),
        observed_generation: number(body, &["status", "observedGeneration"]),
        conditions: health::conditions(&kind, body, now, context.rulebook),
        phase: text(body, &["status", "phase"]).map(str::to_owned),
    });
    let mut nodes = nodes.into_iter();
    let Node { name, uid, created, deleting, finalizers, own, printed, .. } = nodes.next()?;
    Some(Resource {
        object: name,
        uid,
        created,
        headline,
        verdict,
        cause,
        own,
        finalizers,
        deleting,
        findings,
        body,
        printed,
        children: (context.below == Below::All).then(|| nodes.collect()),
        events: events.map(|mut lines| lines.split_off(lines.len().saturating_sub(MAX_EVENTS))),
        log: None,
        is_new: created.is_some_and(|created| now.duration_since(created) < MAX_NEW_AGE),
    })
}

impl StatusReport {
    /// Whether a resource has no part in the answer: its kind keeps no status, nothing below it is wrong, and nobody
    /// asked for it by name.
    pub fn is_left_out(&self, resource: &Resource) -> bool {
        self.requested == Requested::ByType
            && resource.verdict == Verdict::Unknown
            && resource.own.rule == Rule::KeepsNoStatus
    }

    /// The worst of the resources that have a part in the answer, else the first.
    pub fn worst(&self) -> Option<&Resource> {
        let counted = self.resources.iter().find(|resource| !self.is_left_out(resource));
        counted.or(self.resources.first())
    }

    /// Counts the resources.
    pub fn tally(&self) -> Tally {
        let mut verdicts = std::collections::BTreeMap::new();
        let mut tally = Tally { total: self.resources.len(), ..Tally::default() };
        for resource in &self.resources {
            if self.is_left_out(resource) {
                tally.without_status += 1;
                continue;
            }
            tally.unhealthy += usize::from(is_unhealthy(resource.verdict));
            tally.unknown += usize::from(resource.verdict == Verdict::Unknown);
            *verdicts.entry(resource.verdict).or_insert(0) += 1;
        }
        tally.verdicts = verdicts.into_iter().rev().collect();
        tally
    }
}

impl Resource {
    /// The objects below it; empty if they were not requested.
    pub fn children(&self) -> &[Node] {
        self.children.as_deref().unwrap_or_default()
    }

    /// The first warning about it or an object below it, if all of them are healthy.
    pub fn warning(&self) -> Option<&Finding> {
        self.findings.iter().find(|finding| finding.code == Code::Warning)
    }

    /// Its conditions; empty if its body was not read.
    pub fn conditions(&self) -> &[ConditionReport] {
        self.body.as_ref().map_or(&[], |body| body.conditions.as_slice())
    }
}
