//! Pods: kubectl's columns, and a verdict on them.

use jiff::{SignedDuration, Timestamp};
use serde_json::Value;

use super::condition::{self, Condition, Since, Status};
use super::excerpt::excerpt;
use super::pod_columns::{self, PodColumns, exit_code, phase};
use super::{RuleContext, created, elapsed, facts, has_no_status, if_past, is_recent, no_status};
use crate::known::server_messages;
use crate::model::health::{Fact, Health, Problem, Verdict};
use crate::model::json::{at, list, number, text, time};
use crate::model::log::{ContainerRun, CrashedContainer};
use crate::model::now::Now;
use crate::model::rule::Rule;

/// Values of kubectl's STATUS column for a container that failed, sorted. Those that end in `Error` or `BackOff`, and
/// exits by code or signal, are not listed. From kubernetes pkg/kubelet/container, pkg/kubelet/images.
const FAILED_STATUSES: [&str; 8] = [
    "ContainerCannotRun",
    "ContainerStatusUnknown",
    "DeadlineExceeded",
    "ErrImageNeverPull",
    "ErrImagePull",
    "InvalidImageName",
    "OOMKilled",
    "RegistryUnavailable",
];

/// How long a restart is worth a warning.
const RECENT_RESTART: SignedDuration = SignedDuration::from_hours(1);

/// How much later than its start a container may be reported as not ready because of that start.
const START_SLACK: SignedDuration = SignedDuration::from_secs(10);

/// Judges a Pod that is not being deleted.
pub(super) fn judge(context: &RuleContext) -> Health {
    let RuleContext { object: pod, now, .. } = *context;
    let mut columns = pod_columns::read(pod);
    let ready = Some(format!("{}/{}", columns.ready, columns.total));
    if has_no_status(pod) {
        return Health { ready, ..no_status() };
    }
    let conditions = condition::read(pod);
    columns.container = columns.container.or_else(|| restarted(pod, &conditions));
    let verdict = verdict(pod, &columns, &conditions, now);
    let status = if columns.status.is_empty() { "Unknown".to_owned() } else { columns.status.clone() };
    let container = columns.container.filter(|_| verdict != Verdict::Ready);
    Health {
        ready,
        status,
        reason: reason(pod, container, &conditions).filter(|_| verdict != Verdict::Ready),
        message: message(pod, verdict, &columns, &conditions, now),
        warning: recent_restart(pod, &columns, now).filter(|_| verdict == Verdict::Ready),
        problem: problem(pod, &columns, &conditions).filter(|_| verdict != Verdict::Ready),
        since: since(pod, container, &conditions, now),
        facts: facts_of(pod, container, &conditions),
        ..Health::new(verdict, Rule::Pod)
    }
}

/// The container that the STATUS of a Pod comes from, or that crashed and runs again, if it has a name, and the last of
/// its runs that ended.
pub fn crashed_container(pod: &Value) -> Option<CrashedContainer> {
    let status = pod_columns::read(pod).container.or_else(|| restarted(pod, &condition::read(pod)))?;
    let name = text(status, &["name"]).filter(|name| !name.is_empty())?;
    let restarts = number(status, &["restartCount"]).unwrap_or_default();
    let was_restarted = restarts > 0 || at(status, &["lastState", "terminated"]).is_some();
    // A container that has ended and was not started again is still the current one, whatever ran before it.
    let run = match at(status, &["state", "terminated"]) {
        None if was_restarted => ContainerRun::Previous,
        _ => ContainerRun::Current,
    };
    Some(CrashedContainer { name: name.to_owned(), run, restarts })
}

fn verdict(pod: &Value, columns: &PodColumns, conditions: &[Condition], now: Now) -> Verdict {
    match phase(pod) {
        "Succeeded" => return Verdict::Ready,
        "Failed" => return Verdict::Failed,
        "Running" | "Pending" => {}
        _ => return Verdict::Unknown,
    }
    if is_failed(&columns.status) {
        return Verdict::Failed;
    }
    if columns.status == "SchedulingGated" {
        return Verdict::Suspended;
    }
    let not_yet = if is_recent(pod, now) { Verdict::Progressing } else { Verdict::NotReady };
    let ready = find(conditions, "Ready");
    match (phase(pod), ready.map(|one| one.status)) {
        ("Running", Some(Status::True)) => Verdict::Ready,
        // The kubelet writes the condition with the first status; without it nothing is known about the Pod.
        ("Running", None) => Verdict::Unknown,
        // A container that exited with 0 is about to be restarted, or the Pod is about to complete.
        ("Running", _) if columns.status == "Completed" => Verdict::Progressing,
        ("Running", _) if columns.container.is_some_and(|status| crash(status).is_some()) => {
            Verdict::NotReady
        }
        _ => not_yet,
    }
}

/// A container that crashed, runs again and has not been ready since.
fn restarted<'a>(pod: &'a Value, conditions: &[Condition]) -> Option<&'a Value> {
    let not_ready = find(conditions, "Ready").filter(|one| one.status != Status::True)?;
    let changed = match not_ready.since {
        Some(Since::Transition(then)) => Some(then),
        _ => None,
    };
    let is_behind_it = |status: &&Value| {
        let started = time(status, &["state", "running", "startedAt"]);
        let was_ready = match (started, changed) {
            (Some(started), Some(changed)) => changed.duration_since(started) > START_SLACK,
            _ => false,
        };
        let is_ready = at(status, &["ready"]).and_then(Value::as_bool).unwrap_or_default();
        at(status, &["state", "running"]).is_some() && !is_ready && !was_ready && crash(status).is_some()
    };
    ["containerStatuses", "initContainerStatuses"]
        .into_iter()
        .flat_map(|key| list(pod, &["status", key]))
        .find(is_behind_it)
}

/// How a container that is running ended before, if that was a crash.
fn crash(status: &Value) -> Option<&Value> {
    let end = at(status, &["state", "running"]).and_then(|_| at(status, &["lastState", "terminated"]))?;
    (exit_code(end) != 0 || text(end, &["reason"]) == Some("OOMKilled")).then_some(end)
}

/// A restart that is worth a warning although the Pod is ready again.
fn recent_restart(pod: &Value, columns: &PodColumns, now: Now) -> Option<String> {
    let last = columns.last_restart.filter(|_| columns.restarts > 0 && phase(pod) == "Running")?;
    elapsed(last, now).filter(|age| *age < RECENT_RESTART)?;
    let ended = |status: &&Value| time(status, &["lastState", "terminated", "finishedAt"]) == Some(last);
    let statuses = ["containerStatuses", "initContainerStatuses"]
        .into_iter()
        .flat_map(|key| list(pod, &["status", key]))
        .find(ended);
    let end = statuses.and_then(|status| {
        let end = at(status, &["lastState", "terminated"])?;
        Some(format!("container {}: last {}; ", text(status, &["name"]).unwrap_or("(unnamed)"), exit(end)))
    });
    Some(format!("{}{}", end.unwrap_or_default(), restarts(columns, now)?))
}

/// When the deciding container exited, or when the deciding condition changed.
fn since(pod: &Value, container: Option<&Value>, conditions: &[Condition], now: Now) -> Option<Timestamp> {
    let ended = |status: &Value| if_past(time(status, &["state", "terminated", "finishedAt"]), now);
    match phase(pod) {
        "Succeeded" | "Failed" => list(pod, &["status", "containerStatuses"]).iter().filter_map(ended).max(),
        _ => container
            .and_then(ended)
            .or_else(|| unmet(conditions).or_else(|| find(conditions, "Ready"))?.changed_at(now)),
    }
}

fn facts_of(pod: &Value, container: Option<&Value>, conditions: &[Condition]) -> Vec<Fact> {
    let mut facts: Vec<Fact> = unmet(conditions).map(facts::condition).into_iter().collect();
    let Some(status) = container else { return facts };
    let place = place_of(pod, status);
    let name = text(status, &["name"]).unwrap_or_default();
    for path in [
        "state.waiting.reason",
        "state.terminated.reason",
        "state.terminated.exitCode",
        "lastState.terminated.reason",
        "lastState.terminated.exitCode",
        "restartCount",
    ] {
        let found = facts::read(status, &[path]).into_iter();
        facts.extend(found.map(|fact| Fact { path: format!("status.{place}[{name}].{path}"), ..fact }));
    }
    facts
}

/// The list of the status that a container is in.
fn place_of(pod: &Value, status: &Value) -> &'static str {
    let is_it =
        |list_name: &&str| list(pod, &["status", list_name]).iter().any(|other| std::ptr::eq(other, status));
    ["initContainerStatuses", "containerStatuses"].into_iter().find(is_it).unwrap_or_default()
}

fn is_failed(word: &str) -> bool {
    let word = word.strip_prefix("Init:").unwrap_or(word);
    FAILED_STATUSES.binary_search(&word).is_ok()
        || word.ends_with("Error")
        || word.ends_with("BackOff")
        || word.starts_with("Signal:")
        || word.strip_prefix("ExitCode:").is_some_and(|code| code != "0")
}

fn reason(pod: &Value, container: Option<&Value>, conditions: &[Condition]) -> Option<String> {
    let container = container.and_then(|status| {
        text(status, &["state", "waiting", "reason"])
            .or_else(|| text(status, &["state", "terminated", "reason"]))
            .or_else(|| text(crash(status)?, &["reason"]))
    });
    let own = || text(pod, &["status", "reason"]);
    let condition = || unmet(conditions)?.reason;
    container.or_else(own).or_else(condition).filter(|reason| !reason.is_empty()).map(excerpt)
}

/// What exactly is wrong, by the API server's message, else by kubectl's STATUS and the reason of the container or
/// condition.
fn problem(pod: &Value, columns: &PodColumns, conditions: &[Condition]) -> Option<Problem> {
    let condition = unmet(conditions);
    let messages = [text(pod, &["status", "message"]), condition.and_then(|one| one.message)];
    if let Some(problem) = messages.into_iter().flatten().find_map(server_messages::classify) {
        return Some(problem);
    }
    let word = columns.status.strip_prefix("Init:").unwrap_or(&columns.status);
    let reason = reason(pod, columns.container, conditions);
    // In a crash loop only the last state says that the container was killed for its memory.
    let is_oom =
        |state| text(columns.container?, &[state, "terminated", "reason"]).filter(|end| *end == "OOMKilled");
    let words = [Some(word), reason.as_deref(), is_oom("state"), is_oom("lastState")];
    let crashed = columns.container.filter(|status| crash(status).is_some());
    let crashed = crashed.map(|status| match number(status, &["restartCount"]) {
        Some(count) if count > 1 => Problem::CrashLoop,
        _ => Problem::ContainerExited,
    });
    words.into_iter().flatten().filter_map(problem_by_reason).chain(crashed).min()
}

/// The problem for a reason, or for a value of kubectl's STATUS column.
fn problem_by_reason(word: &str) -> Option<Problem> {
    Some(match word {
        "ErrImageNeverPull" | "ErrImagePull" | "ImageInspectError" | "ImagePullBackOff"
        | "InvalidImageName" => Problem::ImagePull,
        "OOMKilled" => Problem::OomKilled,
        "CrashLoopBackOff" => Problem::CrashLoop,
        "SchedulerError" | "Unschedulable" => Problem::Unschedulable,
        "CreateContainerConfigError" => Problem::ContainerConfig,
        "ContainerCannotRun" | "StartError" => Problem::ContainerStart,
        "Error" => Problem::ContainerExited,
        "ExitCode:0" => return None,
        _ if word.starts_with("ExitCode:") || word.starts_with("Signal:") => Problem::ContainerExited,
        _ => return None,
    })
}

fn message(
    pod: &Value,
    verdict: Verdict,
    columns: &PodColumns,
    conditions: &[Condition],
    now: Now,
) -> Option<String> {
    let mut parts: Vec<String> = Vec::new();
    if verdict != Verdict::Ready {
        parts.extend(columns.container.map(|status| container_message(pod, status, now)));
        parts.extend(text(pod, &["status", "message"]).map(excerpt));
        if parts.is_empty() {
            parts.extend(condition_message(pod, conditions, now));
        }
    }
    parts.extend(restarts(columns, now));
    (!parts.is_empty()).then(|| parts.join("; "))
}

/// `3 restarts, last 5m ago`.
fn restarts(columns: &PodColumns, now: Now) -> Option<String> {
    match (columns.restarts, if_past(columns.last_restart, now)) {
        (0, _) => None,
        (1, Some(then)) => Some(format!("1 restart, {}", now.ago(then))),
        (1, None) => Some("1 restart".to_owned()),
        (n, Some(then)) => Some(format!("{n} restarts, last {}", now.ago(then))),
        (n, None) => Some(format!("{n} restarts")),
    }
}

/// `container app: back-off 5m0s; last exit 1 (Error)`.
fn container_message(pod: &Value, status: &Value, now: Now) -> String {
    let name = text(status, &["name"]).unwrap_or("(unnamed)");
    let is_init = place_of(pod, status) == "initContainerStatuses";
    let name = format!("{}container {name}", if is_init { "init " } else { "" });
    let mut parts: Vec<String> = Vec::new();
    if let Some(end) = at(status, &["state", "terminated"]) {
        let ended = if_past(time(end, &["finishedAt"]), now);
        let ended = ended.map(|then| format!(" {}", now.ago(then))).unwrap_or_default();
        parts.push(format!("{}{ended}", exit(end)));
        parts.extend(text(end, &["message"]).map(excerpt));
    } else if let Some(running) = at(status, &["state", "running"]) {
        let started = if_past(time(running, &["startedAt"]), now);
        let lasted = started.map(|then| format!(" {}", now.lasting(then))).unwrap_or_default();
        parts.push(format!("running{lasted}{}", if is_init { "" } else { ", not ready" }));
        parts.extend(at(status, &["lastState", "terminated"]).map(|end| format!("last {}", exit(end))));
    } else {
        let waiting = |key| text(status, &["state", "waiting", key]).map(excerpt);
        parts.extend(waiting("message").or_else(|| waiting("reason")));
        parts.extend(at(status, &["lastState", "terminated"]).map(|end| format!("last {}", exit(end))));
    }
    parts.retain(|part| !part.is_empty());
    if parts.is_empty() { format!("{name} is waiting") } else { format!("{name}: {}", parts.join("; ")) }
}

/// `exit 137 (OOMKilled)`.
fn exit(end: &Value) -> String {
    let reason = text(end, &["reason"]).filter(|reason| !reason.is_empty());
    let reason = reason.map(|reason| format!(" ({reason})")).unwrap_or_default();
    format!("exit {}{reason}", exit_code(end))
}

fn condition_message(pod: &Value, conditions: &[Condition], now: Now) -> Option<String> {
    let gates = list(pod, &["spec", "schedulingGates"]);
    if !gates.is_empty() && phase(pod) == "Pending" {
        let names: Vec<&str> = gates.iter().filter_map(|gate| text(gate, &["name"])).collect();
        return Some(format!("waiting for scheduling gates {}", names.join(", ")));
    }
    if let Some(one) = unmet(conditions) {
        let lasted = one.lasting(now).map(|lasted| format!(" {lasted}")).unwrap_or_default();
        let words =
            one.message.or(one.reason).map(|words| format!(": {}", excerpt(words))).unwrap_or_default();
        return Some(format!("{}{lasted}{words}", one.label()));
    }
    match phase(pod) {
        "Running" => Some("it has no Ready condition".to_owned()),
        "Pending" => created(pod, now).map(|then| format!("pending {}", now.lasting(then))),
        _ => None,
    }
}

/// The first condition in the life of a Pod that is not True.
fn unmet<'a>(conditions: &'a [Condition]) -> Option<&'a Condition<'a>> {
    ["PodScheduled", "Initialized", "ContainersReady", "Ready"]
        .iter()
        .filter_map(|name| find(conditions, name))
        .find(|one| one.status != Status::True)
}

fn find<'a>(conditions: &'a [Condition], name: &str) -> Option<&'a Condition<'a>> {
    conditions.iter().find(|one| one.name == name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_is_sorted_and_has_no_duplicates() {
        assert!(FAILED_STATUSES.is_sorted_by(|a, b| a < b));
    }
}
