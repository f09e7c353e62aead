//! Every statement of trouble has a code, so that a person can ask what it means and a script can tell it apart.

use jiff::{SignedDuration, Timestamp};
use serde_json::Value;

use super::cause::Cause;
use crate::inspect::events::Line;
use crate::inspect::health::condition::{self, Since};
use crate::inspect::related::pod::{Must, needs};
use crate::inspect::tree::{Node, Weight, is_trouble};
use crate::known::codes;
use crate::model::code::Code;
use crate::model::health::{Finding, Verdict};
use crate::model::ident::{ObjectName, group_of};
use crate::model::json::{at, number};
use crate::model::rule::Rule;
use crate::model::snapshot::Snapshot;

/// A time this far ahead is no difference between clocks.
const AHEAD: SignedDuration = SignedDuration::from_mins(1);

/// The code of what ails an object.
pub(super) fn code(node: &Node, warning: Option<&Line>, snapshot: &Snapshot) -> Code {
    let words = [node.message.as_deref(), warning.map(|line| line.message.as_str())];
    let says = |text: &str| words.iter().flatten().any(|words| words.contains(text));
    match node.verdict {
        Verdict::Stuck => return Code::StuckDeletion,
        Verdict::Terminating => return Code::Deleting,
        _ => {}
    }
    if says("conversion webhook") {
        return Code::ConversionWebhook;
    }
    if says("failed calling webhook") {
        return Code::AdmissionWebhook;
    }
    if says("exceeded quota") {
        return Code::QuotaExceeded;
    }
    match (group_of(&node.name.api_version), node.name.kind.as_str()) {
        ("", "Pod") => of_pod(node, snapshot),
        ("", "PersistentVolumeClaim") => Code::UnboundClaim,
        ("batch", "Job") => Code::JobFailed,
        ("", "Node") => Code::NodeNotReady,
        ("", "Service") => Code::NoReadyEndpoint,
        _ => match node.rule {
            Rule::StaleGeneration => Code::StaleStatus,
            Rule::NoStatus => Code::NoStatus,
            Rule::DaemonSet
            | Rule::Deployment
            | Rule::PodDisruptionBudget
            | Rule::Replicas
            | Rule::ReplicaSet
            | Rule::StatefulSet => Code::MissingReplicas,
            _ if node.verdict == Verdict::Failed => Code::FailureCondition,
            _ => Code::NotReadyCondition,
        },
    }
}

fn of_pod(node: &Node, snapshot: &Snapshot) -> Code {
    let word = node.status.trim_start_matches("Init:");
    let reason = node.reason.as_deref().unwrap_or_default();
    let is = |words: &[&str]| words.contains(&word) || words.contains(&reason);
    if missing(node, snapshot).is_some() {
        return Code::ReferenceNotFound;
    }
    if is(&["ImagePullBackOff", "ErrImagePull", "InvalidImageName", "ErrImageNeverPull", "ImageInspectError"])
    {
        return Code::ImagePull;
    }
    if node.message.as_deref().is_some_and(|message| message.contains("OOMKilled")) || is(&["OOMKilled"]) {
        return Code::OomKilled;
    }
    if is(&["CrashLoopBackOff"]) {
        return Code::CrashLoop;
    }
    if is(&["Unschedulable", "SchedulerError"]) {
        return Code::Unschedulable;
    }
    if is(&["CreateContainerConfigError"]) {
        return Code::ReferenceNotFound;
    }
    if is(&["Error", "StartError", "ContainerCannotRun"]) || word.starts_with("ExitCode") {
        return Code::ContainerError;
    }
    Code::NotReadyCondition
}

/// An object that a Pod cannot start without and that is not there.
pub(super) fn missing(node: &Node, snapshot: &Snapshot) -> Option<(ObjectName, String)> {
    if node.name.kind != "Pod" || node.name.api_version != "v1" || !is_trouble(node.verdict) {
        return None;
    }
    let object = snapshot.objects.iter().find(|object| object.meta.uid.0 == node.uid)?;
    needs(object.body.as_ref()?).into_iter().filter(|need| need.must == Must::Exist).find_map(|need| {
        let name = ObjectName {
            api_version: "v1".to_owned(),
            kind: need.kind.to_owned(),
            namespace: node.name.namespace.clone(),
            name: need.name,
        };
        snapshot.absent.contains(&name).then_some((name, need.place))
    })
}

/// What is to be said about a resource beside the verdicts themselves.
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
        let says_ready = root.verdict == Verdict::Ready || root.ready.as_deref() == Some("True");
        if says_ready && !cause.is_own {
            let message = format!("says Ready, but {} is {}", cause.object, cause.status);
            found.push(finding(Code::ReadyButChildNotReady, &root.name, message));
        }
    }
    if root.rule == Rule::NoStatus {
        let message = "no controller has written a status".to_owned();
        found.push(finding(Code::NoStatus, &root.name, message));
    }
    for node in nodes.iter().filter(|node| node.weight == Weight::Counts) {
        if let Some((name, place)) = missing(node, snapshot) {
            let message = format!("names {name} ({place}), which does not exist");
            found.push(finding(Code::ReferenceNotFound, &node.name, message));
        }
    }
    for gap in snapshot.gaps.iter().filter(|gap| gap.message.contains("conversion webhook")) {
        let message = format!("{} cannot be converted: {}", gap.what(), gap.message);
        found.push(finding(Code::ConversionWebhook, &root.name, message));
    }
    if let Some(body) = body {
        let odd = malformed(body).into_iter().map(|message| (Code::MalformedStatus, message));
        let ahead =
            from_the_future(body, snapshot.now).into_iter().map(|message| (Code::TimeInFuture, message));
        let odd = odd.chain(ahead);
        found.extend(odd.map(|(code, message)| finding(code, &root.name, message)));
    }
    found
}

/// What in a status has another shape than a reader may expect.
fn malformed(body: &Value) -> Vec<String> {
    let mut odd = Vec::new();
    let Some(status) = body.get("status").filter(|status| !status.is_null()) else { return odd };
    if !status.is_object() {
        odd.push("status is no object".to_owned());
        return odd;
    }
    match at(status, &["conditions"]) {
        None | Some(Value::Object(_)) => {}
        Some(Value::Array(items)) => {
            let strange = items.iter().filter(|item| !item.is_object()).count();
            if strange > 0 {
                odd.push(format!("status.conditions holds {strange} entries that are no conditions"));
            }
        }
        Some(_) => odd.push("status.conditions is no list".to_owned()),
    }
    for field in ["replicas", "readyReplicas", "availableReplicas", "updatedReplicas", "currentReplicas"] {
        if let Some(count) = number(status, &[field]).filter(|count| *count < 0) {
            odd.push(format!("status.{field} is {count}"));
        }
    }
    odd
}

fn from_the_future(body: &Value, now: Timestamp) -> Option<String> {
    let ahead = |condition: &condition::Condition<'_>| {
        condition.since.is_some_and(|since| match since {
            Since::Transition(then) | Since::Update(then) => then.duration_since(now) > AHEAD,
        })
    };
    let conditions = condition::read(body);
    let first = conditions.iter().find(|condition| ahead(condition))?;
    Some(format!("condition {} changed in the future: a clock is wrong", first.title()))
}
