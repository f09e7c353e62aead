//! Findings about the health of a resource, and the code for the cause of a problem.

use jiff::{SignedDuration, Timestamp};
use serde_json::Value;

use super::cause::Cause;
use super::node::{Node, is_unhealthy};
use crate::inspect::events::EventSummary;
use crate::inspect::health::condition::{self, Since};
use crate::inspect::related::pod_references::{Presence, pod_references};
use crate::known::{codes, server_messages};
use crate::model::code::Code;
use crate::model::gap::Gap;
use crate::model::health::{Finding, Problem, Verdict};
use crate::model::ident::ObjectName;
use crate::model::json::{at, number};
use crate::model::rule::Rule;
use crate::model::snapshot::Snapshot;

/// The clock skew that is tolerated; a later timestamp is wrong.
const MAX_CLOCK_SKEW: SignedDuration = SignedDuration::from_mins(1);

/// The most warnings about objects that are Ready.
const MAX_WARNINGS: usize = 10;

/// The code for what is wrong with an object; `warning` is the last warning event about it.
pub(super) fn code(node: &Node, warning: Option<&EventSummary>, snapshot: &Snapshot) -> Code {
    match node.own.verdict {
        Verdict::Stuck => return Code::StuckDeletion,
        Verdict::Terminating => return Code::Deleting,
        _ => {}
    }
    let warned = warning.and_then(|line| server_messages::classify(&line.message));
    match node.own.problem.into_iter().chain(warned).min() {
        Some(Problem::ConversionWebhook) => Code::ConversionWebhook,
        Some(Problem::AdmissionWebhook) => Code::AdmissionWebhook,
        Some(Problem::QuotaExceeded) => Code::QuotaExceeded,
        _ if missing(node, snapshot).is_some() => Code::ReferenceNotFound,
        Some(Problem::ImagePull) => Code::ImagePull,
        Some(Problem::OomKilled) => Code::OomKilled,
        Some(Problem::CrashLoop) => Code::CrashLoop,
        Some(Problem::Unschedulable) => Code::Unschedulable,
        Some(Problem::ContainerConfig) => Code::ReferenceNotFound,
        Some(Problem::ContainerExited | Problem::ContainerStart) => Code::ContainerError,
        None => code_by_rule(node),
    }
}

fn code_by_rule(node: &Node) -> Code {
    match node.own.rule {
        Rule::PersistentVolumeClaim => Code::UnboundClaim,
        Rule::Job => Code::JobFailed,
        Rule::Node => Code::NodeNotReady,
        Rule::Service | Rule::ServiceEndpoints => Code::NoReadyEndpoint,
        Rule::StaleGeneration => Code::StaleStatus,
        Rule::NoStatus => Code::NoStatus,
        Rule::DaemonSet
        | Rule::Deployment
        | Rule::PodDisruptionBudget
        | Rule::Replicas
        | Rule::ReplicaSet
        | Rule::StatefulSet => Code::MissingReplicas,
        Rule::Pod => Code::NotReadyCondition,
        _ if node.own.verdict == Verdict::Failed => Code::FailureCondition,
        _ => Code::NotReadyCondition,
    }
}

/// An object that does not exist and that a Pod needs to start, with the location of the reference.
pub(super) fn missing(node: &Node, snapshot: &Snapshot) -> Option<(ObjectName, String)> {
    if node.name.kind != "Pod" || node.name.api_version != "v1" || !is_unhealthy(node.own.verdict) {
        return None;
    }
    let object = snapshot.objects.iter().find(|object| object.meta.uid.0 == node.uid)?;
    pod_references(object.whole()?)
        .into_iter()
        .filter(|reference| reference.presence == Presence::Required)
        .find_map(|reference| {
            let name = ObjectName {
                api_version: "v1".to_owned(),
                kind: reference.kind.to_owned(),
                namespace: node.name.namespace.clone(),
                name: reference.name,
            };
            snapshot.absent.contains(&name).then_some((name, reference.location))
        })
}

/// The findings about a resource.
pub(super) fn findings(
    nodes: &[Node],
    cause: Option<&Cause>,
    body: Option<&Value>,
    snapshot: &Snapshot,
) -> Vec<Finding> {
    let Some(root) = nodes.first() else { return Vec::new() };
    let finding = |code, object: &ObjectName, message: String| Finding {
        code,
        severity: codes::entry(code).severity,
        object: object.clone(),
        message,
        hint: None,
    };
    let mut found = Vec::new();
    if let Some(cause) = cause {
        let message = cause.message.clone().unwrap_or_else(|| cause.status.clone());
        found.push(finding(cause.code, &cause.object, message));
        if root.reports_ready() && !cause.is_own {
            let verb = if cause.rule == Rule::ServiceEndpoints { "has" } else { "is" };
            let message = format!("reports Ready, but {} {verb} {}", cause.display_name(), cause.status);
            found.push(finding(Code::ReadyButChildNotReady, &root.name, message));
        }
    }
    if root.own.rule == Rule::NoStatus {
        let message = "no controller has written a status".to_owned();
        found.push(finding(Code::NoStatus, &root.name, message));
    }
    for node in nodes.iter().filter(|node| node.counts) {
        if let Some((name, location)) = missing(node, snapshot) {
            let message = format!("refers to {name} ({location}), which does not exist");
            found.push(finding(Code::ReferenceNotFound, &node.name, message));
        }
    }
    let warned = nodes.iter().filter(|node| node.counts && node.own.verdict == Verdict::Ready);
    let warned = warned.filter_map(|node| Some((&node.name, node.own.warning.clone()?)));
    found.extend(warned.take(MAX_WARNINGS).map(|(name, warning)| finding(Code::Warning, name, warning)));
    let is_conversion =
        |gap: &&Gap| server_messages::classify(&gap.message) == Some(Problem::ConversionWebhook);
    for gap in snapshot.coverage.gaps.iter().filter(is_conversion) {
        let message = format!("{} cannot be converted: {}", gap.what(), gap.message);
        found.push(finding(Code::ConversionWebhook, &root.name, message));
    }
    if let Some(body) = body {
        let odd = malformed(body).into_iter().map(|message| (Code::MalformedStatus, message));
        let ahead = from_the_future(body, snapshot.coverage.now)
            .into_iter()
            .map(|message| (Code::TimeInFuture, message));
        let odd = odd.chain(ahead);
        found.extend(odd.map(|(code, message)| finding(code, &root.name, message)));
    }
    found
}

/// The parts of a status that do not follow the API conventions.
fn malformed(body: &Value) -> Vec<String> {
    let mut odd = Vec::new();
    let Some(status) = body.get("status").filter(|status| !status.is_null()) else { return odd };
    if !status.is_object() {
        odd.push("status is not an object".to_owned());
        return odd;
    }
    match at(status, &["conditions"]) {
        None | Some(Value::Object(_)) => {}
        Some(Value::Array(items)) => {
            if items.iter().any(|item| !item.is_object()) {
                odd.push("status.conditions contains items that are not objects".to_owned());
            }
        }
        Some(_) => odd.push("status.conditions is not a list".to_owned()),
    }
    for field in ["replicas", "readyReplicas", "availableReplicas", "updatedReplicas", "currentReplicas"] {
        if let Some(count) = number(status, &[field]).filter(|count| *count < 0) {
            odd.push(format!("status.{field} is negative: {count}"));
        }
    }
    odd
}

fn from_the_future(body: &Value, now: Timestamp) -> Option<String> {
    let ahead = |condition: &condition::Condition<'_>| {
        condition.since.is_some_and(|since| match since {
            Since::Transition(then) | Since::Update(then) => then.duration_since(now) > MAX_CLOCK_SKEW,
        })
    };
    let conditions = condition::read(body);
    let first = conditions.iter().find(|condition| ahead(condition))?;
    Some(format!("condition {} has a timestamp in the future: a clock is wrong", first.qualified_type()))
}
