//! Verdicts, and statements of trouble.

use std::fmt;

use serde::Serialize;

use super::ident::ObjectName;

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
    /// The id of the rule that decided.
    pub rule: &'static str,
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
    pub code: &'static str,
    pub severity: Severity,
    pub object: ObjectName,
    pub message: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hint: Option<String>,
}
