//! Verdicts, and statements of trouble.

use std::fmt;

use jiff::Timestamp;
use serde::Serialize;

use super::code::Code;
use super::ident::ObjectName;
use super::rule::Rule;

/// The one word for an object's state. The order is from best to worst.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
pub enum Verdict {
    /// There is nothing to judge in a kind like this.
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

/// What is said of one object, and by which rule.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Health {
    pub verdict: Verdict,
    /// The READY column: `1/2`, `True`, or nothing.
    pub ready: Option<String>,
    /// The STATUS column: kubectl's word where it has one (`CrashLoopBackOff`), else the verdict.
    pub status: String,
    /// A machine-like word: a condition's or container's reason.
    pub reason: Option<String>,
    /// A sentence fragment for people.
    pub message: Option<String>,
    /// The rule that decided.
    pub rule: Rule,
    /// What exactly is wrong, where the rule could tell.
    pub problem: Option<Problem>,
    /// Whether an object that is not ready may simply not be ready yet.
    pub in_progress: bool,
    /// Since when this state holds, by the condition, container or deletion that decided.
    pub since: Option<Timestamp>,
    /// The fields that the rule read.
    pub facts: Vec<Fact>,
}

impl Health {
    /// A verdict with nothing else to say: its own name is the STATUS.
    pub fn new(verdict: Verdict, rule: Rule) -> Self {
        Self {
            verdict,
            ready: None,
            status: verdict.to_string(),
            reason: None,
            message: None,
            rule,
            problem: None,
            in_progress: false,
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
    /// The webhook that converts between versions of a custom resource does not answer.
    ConversionWebhook,
    /// An admission webhook does not answer.
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
    /// Whether a container has run and crashed, so that the logs of its previous run may say why.
    pub const fn is_crash(self) -> bool {
        matches!(self, Self::CrashLoop | Self::OomKilled | Self::ContainerExited)
    }
}

/// One field that a rule read, for whoever asks why.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Fact {
    /// Where it stands: `status.phase`, `status.conditions[Ready]`.
    pub path: String,
    /// What it says, cut where it is long.
    pub value: String,
}

/// What a condition says of an object's health.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum ConditionMeaning {
    Good,
    Bad,
    /// Work is in progress.
    #[serde(rename = "moving")]
    Progressing,
    /// Stopped on purpose.
    Paused,
    /// Nothing about health.
    Neutral,
    /// Nobody can say.
    Unknown,
}

/// One condition of an object, and what is made of it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ConditionReport {
    /// That of a part has the part before it: `listeners[http]/Programmed`.
    #[serde(rename = "type")]
    pub name: String,
    /// The word as it is written; nothing where being listed is all that it says.
    pub status: Option<String>,
    /// What it means when it is True.
    pub polarity: ConditionMeaning,
    /// What it means as it is.
    pub judged: ConditionMeaning,
    /// The meaning comes from the end of the type's name.
    pub guessed: bool,
    /// It deserves a warning, but decides nothing.
    pub warning: bool,
    pub reason: Option<String>,
    pub message: Option<String>,
    /// From when on it has been what it is.
    pub since: Option<Timestamp>,
    /// The generation of the object that it was written for.
    pub observed_generation: Option<i64>,
}

/// How much a finding matters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    Error,
    Warning,
    Info,
}

/// A statement of trouble with a stable code.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Finding {
    pub code: Code,
    pub severity: Severity,
    pub object: ObjectName,
    pub message: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hint: Option<String>,
}
