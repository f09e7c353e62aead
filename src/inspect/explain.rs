//! The report of `explain`: what the codes of findings mean.

use serde::Serialize;

use crate::known::codes::{self, CODES, CodeEntry};
use crate::model::code::Code;
use crate::model::health::Severity;

/// The report in its JSON form: one code, or all of them.
#[derive(Debug, Serialize)]
pub struct Explanations {
    pub schema: &'static str,
    pub codes: Vec<Explanation>,
}

/// What one code means.
#[derive(Debug, Serialize)]
pub struct Explanation {
    pub code: Code,
    pub severity: Severity,
    pub title: &'static str,
    pub meaning: &'static str,
    pub why: &'static str,
    pub steps: Vec<ExplanationStep>,
    pub link: &'static str,
}

/// One step to take.
#[derive(Debug, Serialize)]
pub struct ExplanationStep {
    pub instruction: &'static str,
    /// The command to run, if there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub command: Option<&'static str>,
}

/// Every code, in order.
pub fn all() -> Explanations {
    report(CODES.iter())
}

/// One code, in upper or lower case; `None` if there is no such code.
pub fn one(code: &str) -> Option<Explanations> {
    let code: Code = code.parse().ok()?;
    Some(report(std::iter::once(codes::entry(code))))
}

/// The names of all codes.
pub fn names() -> impl Iterator<Item = &'static str> {
    Code::ALL.iter().map(|code| code.as_str())
}

fn report<'a>(codes: impl Iterator<Item = &'a CodeEntry>) -> Explanations {
    let step = |step: &codes::Step| ExplanationStep {
        instruction: step.instruction,
        command: Some(step.command).filter(|command| !command.is_empty()),
    };
    let explanation = |code: &CodeEntry| Explanation {
        code: code.code,
        severity: code.severity,
        title: code.title,
        meaning: code.meaning,
        why: code.why,
        steps: code.steps.iter().map(step).collect(),
        link: code.link,
    };
    Explanations { schema: "kubectl-op/explain/v1", codes: codes.map(explanation).collect() }
}
