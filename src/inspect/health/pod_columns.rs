//! READY, STATUS and RESTARTS of a Pod, exactly as `kubectl get pods` prints them. The order of the cases is that of
//! `printPod` in kubernetes pkg/printers/internalversion/printers.go (1.36): the first container with a problem wins.

use jiff::Timestamp;
use serde_json::Value;

use crate::model::json::{at, is_true, list, number, text, time};

/// The columns of a Pod.
#[derive(Debug)]
pub(super) struct PodColumns<'a> {
    pub(super) ready: i64,
    pub(super) total: i64,
    pub(super) status: String,
    pub(super) restarts: i64,
    pub(super) last_restart: Option<Timestamp>,
    /// The status of the container that STATUS comes from.
    pub(super) container: Option<&'a Value>,
}

/// Whether the init containers are done.
#[derive(Clone, Copy, PartialEq, Eq)]
enum InitStage {
    Initializing,
    Initialized,
}

/// Computes the columns of a Pod.
pub(super) fn read(pod: &Value) -> PodColumns<'_> {
    let mut columns = PodColumns {
        ready: 0,
        total: containers(pod),
        status: initial_status(pod).to_owned(),
        restarts: 0,
        last_restart: None,
        container: None,
    };
    let init = list(pod, &["spec", "initContainers"]);
    let sidecars: Vec<&str> =
        init.iter().filter(|one| is_sidecar(one)).filter_map(|one| text(one, &["name"])).collect();
    if columns.init_containers(pod, &sidecars) == InitStage::Initialized || has_condition(pod, "Initialized")
    {
        columns.containers(pod, &sidecars);
    }
    if is_being_deleted(pod) && text(pod, &["status", "reason"]) == Some("NodeLost") {
        "Unknown".clone_into(&mut columns.status);
    } else if is_being_deleted(pod) && !matches!(phase(pod), "Succeeded" | "Failed") {
        "Terminating".clone_into(&mut columns.status);
    }
    columns
}

impl<'a> PodColumns<'a> {
    fn init_containers(&mut self, pod: &'a Value, sidecars: &[&str]) -> InitStage {
        let total = list(pod, &["spec", "initContainers"]).len();
        for (place, status) in list(pod, &["status", "initContainerStatuses"]).iter().enumerate() {
            self.count_restarts(status);
            let name = text(status, &["name"]).unwrap_or_default();
            let terminated = at(status, &["state", "terminated"]);
            if terminated.is_some_and(|end| exit_code(end) == 0) {
                continue;
            }
            if sidecars.contains(&name) && is_true(status, &["started"]) {
                self.ready += i64::from(is_true(status, &["ready"]));
                continue;
            }
            let waiting = waiting_reason(status).filter(|reason| *reason != "PodInitializing");
            self.status = match (terminated, waiting) {
                (Some(end), _) => format!("Init:{}", termination_word(end)),
                (None, Some(reason)) => format!("Init:{reason}"),
                (None, None) => format!("Init:{place}/{total}"),
            };
            self.container = Some(status);
            return InitStage::Initializing;
        }
        InitStage::Initialized
    }

    fn containers(&mut self, pod: &'a Value, sidecars: &[&str]) {
        self.recount_sidecars(pod, sidecars);
        let mut has_running = false;
        let mut error: Option<(String, &Value)> = None;
        for status in list(pod, &["status", "containerStatuses"]).iter().rev() {
            self.count_restarts(status);
            if let Some(reason) = waiting_reason(status) {
                reason.clone_into(&mut self.status);
                self.container = Some(status);
            } else if let Some(end) = at(status, &["state", "terminated"]) {
                self.status = termination_word(end);
                self.container = Some(status);
                if exit_code(end) != 0 {
                    error = Some((self.status.clone(), status));
                }
            } else if is_true(status, &["ready"]) && at(status, &["state", "running"]).is_some() {
                has_running = true;
                self.ready += 1;
            }
        }
        if self.status == "Completed" {
            if has_running && has_condition(pod, "Ready") {
                "Running".clone_into(&mut self.status);
            } else if let Some((word, status)) = error {
                self.status = word;
                self.container = Some(status);
            } else if has_running {
                "NotReady".clone_into(&mut self.status);
            }
        }
    }

    /// Once the Pod is running, restarts of completed init containers no longer count.
    fn recount_sidecars(&mut self, pod: &Value, sidecars: &[&str]) {
        (self.restarts, self.last_restart) = (0, None);
        for status in list(pod, &["status", "initContainerStatuses"]) {
            if sidecars.contains(&text(status, &["name"]).unwrap_or_default()) {
                self.count_restarts(status);
            }
        }
    }

    fn count_restarts(&mut self, status: &Value) {
        self.restarts = self.restarts.saturating_add(number(status, &["restartCount"]).unwrap_or_default());
        self.last_restart = self.last_restart.max(time(status, &["lastState", "terminated", "finishedAt"]));
    }
}

/// The phase; empty if there is none.
pub(super) fn phase(pod: &Value) -> &str {
    text(pod, &["status", "phase"]).unwrap_or_default()
}

/// The exit code of a terminated container.
pub(super) fn exit_code(end: &Value) -> i64 {
    number(end, &["exitCode"]).unwrap_or_default()
}

fn initial_status(pod: &Value) -> &str {
    let is_gated = |condition: &Value| {
        text(condition, &["type"]) == Some("PodScheduled")
            && text(condition, &["reason"]) == Some("SchedulingGated")
    };
    if list(pod, &["status", "conditions"]).iter().any(is_gated) {
        return "SchedulingGated";
    }
    text(pod, &["status", "reason"]).filter(|reason| !reason.is_empty()).unwrap_or_else(|| phase(pod))
}

fn containers(pod: &Value) -> i64 {
    let sidecars = list(pod, &["spec", "initContainers"]).iter().filter(|one| is_sidecar(one)).count();
    i64::try_from(list(pod, &["spec", "containers"]).len() + sidecars).unwrap_or(i64::MAX)
}

fn is_sidecar(container: &Value) -> bool {
    text(container, &["restartPolicy"]) == Some("Always")
}

fn is_being_deleted(pod: &Value) -> bool {
    at(pod, &["metadata", "deletionTimestamp"]).is_some()
}

fn has_condition(pod: &Value, name: &str) -> bool {
    list(pod, &["status", "conditions"])
        .iter()
        .any(|one| text(one, &["type"]) == Some(name) && text(one, &["status"]) == Some("True"))
}

fn waiting_reason(status: &Value) -> Option<&str> {
    text(status, &["state", "waiting", "reason"]).filter(|reason| !reason.is_empty())
}

fn termination_word(end: &Value) -> String {
    match (text(end, &["reason"]).filter(|reason| !reason.is_empty()), number(end, &["signal"])) {
        (Some(reason), _) => reason.to_owned(),
        (None, Some(signal)) if signal != 0 => format!("Signal:{signal}"),
        (None, _) => format!("ExitCode:{}", exit_code(end)),
    }
}
