//! Every statement of trouble has a code, so that a person can ask what it means and a script can tell it apart.

use jiff::{SignedDuration, Timestamp};
use serde_json::Value;

use super::cause::Cause;
use super::node::{Node, is_trouble};
use crate::inspect::events::Line;
use crate::inspect::health::condition::{self, Since};
use crate::inspect::related::pod::{Must, needs};
use crate::known::codes;
use crate::model::health::{Finding, Severity, Verdict};
use crate::model::ident::{ObjectName, group_of};
use crate::model::json::{at, number};
use crate::model::snapshot::Snapshot;

/// A time this far ahead is no difference between clocks.
const AHEAD: SignedDuration = SignedDuration::from_mins(1);

/// The code of what ails an object.
pub(super) fn code(node: &Node, warning: Option<&Line>, snapshot: &Snapshot) -> &'static str {
    let words = [node.own.message.as_deref(), warning.map(|line| line.message.as_str())];
    let says = |text: &str| words.iter().flatten().any(|words| words.contains(text));
    match node.own.verdict {
        Verdict::Stuck => return "OP-H004",
        Verdict::Terminating => return "OP-H007",
        _ => {}
    }
    if says("conversion webhook") {
        return "OP-H016";
    }
    if says("failed calling webhook") {
        return "OP-H015";
    }
    if says("exceeded quota") {
        return "OP-H014";
    }
    match (group_of(&node.name.api_version), node.name.kind.as_str()) {
        ("", "Pod") => of_pod(node, snapshot),
        ("", "PersistentVolumeClaim") => "OP-H018",
        ("batch", "Job") => "OP-H021",
        ("", "Node") => "OP-H025",
        ("", "Service") => "OP-H017",
        _ => match node.own.rule {
            "stale-generation" => "OP-H003",
            "no-status" => "OP-H002",
            "daemonset"
            | "deployment"
            | "poddisruptionbudget"
            | "replicas"
            | "replicaset"
            | "statefulset" => "OP-H024",
            _ if node.own.verdict == Verdict::Failed => "OP-H022",
            _ => "OP-H023",
        },
    }
}

fn of_pod(node: &Node, snapshot: &Snapshot) -> &'static str {
    let word = node.own.status.trim_start_matches("Init:");
    let reason = node.own.reason.as_deref().unwrap_or_default();
    let is = |words: &[&str]| words.contains(&word) || words.contains(&reason);
    if missing(node, snapshot).is_some() {
        return "OP-H013";
    }
    if is(&["ImagePullBackOff", "ErrImagePull", "InvalidImageName", "ErrImageNeverPull", "ImageInspectError"])
    {
        return "OP-H011";
    }
    if node.own.message.as_deref().is_some_and(|message| message.contains("OOMKilled")) || is(&["OOMKilled"])
    {
        return "OP-H019";
    }
    if is(&["CrashLoopBackOff"]) {
        return "OP-H010";
    }
    if is(&["Unschedulable", "SchedulerError"]) {
        return "OP-H012";
    }
    if is(&["CreateContainerConfigError"]) {
        return "OP-H013";
    }
    if is(&["Error", "StartError", "ContainerCannotRun"]) || word.starts_with("ExitCode") {
        return "OP-H020";
    }
    "OP-H023"
}

/// An object that a Pod cannot start without and that is not there.
pub(super) fn missing(node: &Node, snapshot: &Snapshot) -> Option<(ObjectName, String)> {
    if node.name.kind != "Pod" || node.name.api_version != "v1" || !is_trouble(node.own.verdict) {
        return None;
    }
    let object = snapshot.objects.iter().find(|object| object.meta.uid.0 == node.uid)?;
    needs(object.whole()?).into_iter().filter(|need| need.must == Must::Exist).find_map(|need| {
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
        severity: codes::find(code).map_or(Severity::Warning, |code| code.severity),
        object: object.clone(),
        message,
        hint: None,
    };
    let mut found = Vec::new();
    if let Some(cause) = cause {
        let message = cause.message.clone().unwrap_or_else(|| cause.status.clone());
        found.push(finding(cause.code, &cause.object, message));
        let says_ready = root.reports_ready();
        if says_ready && !cause.is_own {
            let message = format!("says Ready, but {} is {}", cause.object, cause.status);
            found.push(finding("OP-H001", &root.name, message));
        }
    }
    if root.own.rule == "no-status" {
        let message = "no controller has written a status".to_owned();
        found.push(finding("OP-H002", &root.name, message));
    }
    for node in nodes.iter().filter(|node| node.counts) {
        if let Some((name, place)) = missing(node, snapshot) {
            let message = format!("names {name} ({place}), which does not exist");
            found.push(finding("OP-H013", &node.name, message));
        }
    }
    for gap in snapshot.coverage.gaps.iter().filter(|gap| gap.message.contains("conversion webhook")) {
        let message = format!("{} cannot be converted: {}", gap.what(), gap.message);
        found.push(finding("OP-H016", &root.name, message));
    }
    if let Some(body) = body {
        let odd = malformed(body).into_iter().map(|message| ("OP-H005", message));
        let ahead =
            from_the_future(body, snapshot.coverage.now).into_iter().map(|message| ("OP-H006", message));
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
