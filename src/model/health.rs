//! Verdicts, the conditions and problems behind them, and findings.

use std::fmt;

use jiff::Timestamp;
use serde::Serialize;

use super::code::Code;
use super::ident::ObjectName;
use super::rule::Rule;

/// The state of an object in one word. Ordered from best to worst.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
pub enum Verdict {
    /// Objects of this kind have no state.
    None,
    Ready,
    Suspended,
    Unknown,
    Progressing,
    Terminating,
    NotReady,
    Failed,
    Stuck,
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::None => "-",
            Self::Ready => "Ready",
            Self::Suspended => "Suspended",
            Self::Unknown => "Unknown",
            Self::Progressing => "Progressing",
            Self::Terminating => "Terminating",
            Self::NotReady => "NotReady",
            Self::Failed => "Failed",
            Self::Stuck => "Stuck",
        })
    }
}

/// The verdict on one object, and the rule behind it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Health {
    pub verdict: Verdict,
    /// The READY column, such as `1/2` or `True`, if there is one.
    pub ready: Option<String>,
    /// The STATUS column: kubectl's value if it has one (`CrashLoopBackOff`), else the verdict.
    pub status: String,
    /// The reason of the condition or container that decided.
    pub reason: Option<String>,
    /// A sentence fragment for text output.
    pub message: Option<String>,
    /// What is worth a warning although the object is Ready.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub warning: Option<String>,
    /// The rule that decided.
    pub rule: Rule,
    /// What exactly is wrong, if the rule knows.
    #[serde(skip)]
    pub problem: Option<Problem>,
    /// Whether an object that is not ready may simply not be ready yet.
    #[serde(skip)]
    pub in_progress: bool,
    /// Whether a custom resource is not healthy and does not say why.
    #[serde(skip)]
    pub unexplained: bool,
    /// Since when this state holds, by the condition, container or deletion that decided.
    pub since: Option<Timestamp>,
    /// The fields that the rule read.
    pub facts: Vec<Fact>,
}

impl Health {
    /// A verdict without a message; its name is the STATUS.
    pub fn new(verdict: Verdict, rule: Rule) -> Self {
        Self {
            verdict,
            ready: None,
            status: verdict.to_string(),
            reason: None,
            message: None,
            warning: None,
            rule,
            problem: None,
            in_progress: false,
            unexplained: false,
            since: None,
            facts: Vec::new(),
        }
    }

    /// The same with a message.
    #[must_use]
    pub fn with_message(self, message: impl Into<String>) -> Self {
        Self { message: Some(message.into()), ..self }
    }
}

/// What exactly is wrong with an object. In order of precedence: where several apply, the first is reported.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Problem {
    /// The webhook that converts between versions of a custom resource does not respond.
    ConversionWebhook,
    /// An admission webhook does not respond.
    AdmissionWebhook,
    /// A `ResourceQuota` does not allow the Pods.
    QuotaExceeded,
    ImagePull,
    OomKilled,
    CrashLoop,
    Unschedulable,
    /// A `ConfigMap`, Secret or key that a container needs does not exist.
    ContainerConfig,
    /// A container exited with an error.
    ContainerExited,
    /// A container could not be started.
    ContainerStart,
}

impl Problem {
    /// Whether a container has run and crashed, so that the logs of its previous run may show why.
    pub const fn is_crash(self) -> bool {
        matches!(self, Self::CrashLoop | Self::OomKilled | Self::ContainerExited)
    }
}

/// One field that a rule read.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Fact {
    /// Its path: `status.phase`, `status.conditions[Ready]`.
    pub path: String,
    /// Its value, shortened if it is long.
    pub value: String,
}

/// What a condition means for the health of an object.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum ConditionMeaning {
    Good,
    Bad,
    /// Work is in progress.
    Progressing,
    /// Paused or suspended on purpose.
    Paused,
    /// Nothing about health.
    Neutral,
    /// Not known.
    Unknown,
}

/// One condition of an object and its meaning.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ConditionReport {
    /// Prefixed with the part that it is about: `listeners[http]/Programmed`.
    #[serde(rename = "type")]
    pub name: String,
    /// The status as written; `None` if the condition has none.
    pub status: Option<String>,
    /// What the type means if it is True.
    pub polarity: ConditionMeaning,
    /// What the condition means with its current status.
    pub judged: ConditionMeaning,
    /// Whether the meaning is guessed from the end of the type.
    pub guessed: bool,
    /// Whether it is worth a warning, without effect on the verdict.
    pub warning: bool,
    pub reason: Option<String>,
    pub message: Option<String>,
    /// Since when it has its status.
    pub since: Option<Timestamp>,
    /// The generation that it was written for.
    pub observed_generation: Option<i64>,
}

/// How severe a finding is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    Error,
    Warning,
    Info,
}

/// A problem with a stable code.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Finding {
    pub code: Code,
    pub severity: Severity,
    pub object: ObjectName,
    pub message: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hint: Option<String>,
}
