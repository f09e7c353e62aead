//! Words in a status that say how things are: `phase` and its relatives.

use serde_json::Value;

use super::facts;
use crate::known::phases::{self, PhaseMeaning};
use crate::model::health::Fact;
use crate::model::ident::GroupKind;
use crate::model::json::{at, text};

/// Fields that operators use for the state of the whole.
const MAIN_FIELDS: [&str; 5] = ["phase", "state", "health", "status", "robustness"];

/// Words one level down, sorted: the state of a catalog's connection (OLM), of a Spark application, of Ceph under
/// Rook, of what an Argo CD application deployed and of its last sync.
const NESTED_FIELDS: [(&[&str], PhaseScope); 5] = [
    (&["applicationState", "state"], PhaseScope::Whole),
    (&["ceph", "health"], PhaseScope::Part),
    (&["connectionState", "lastObservedState"], PhaseScope::Whole),
    (&["health", "status"], PhaseScope::Whole),
    (&["operationState", "phase"], PhaseScope::Part),
];

/// Fields, set or not, that only something with an end has.
const RUN_FIELDS: [&str; 8] = [
    "completionTime",
    "completionTimestamp",
    "finishedAt",
    "lastSubmissionAttemptTime",
    "startTime",
    "startTimestamp",
    "startedAt",
    "terminationTime",
];

/// A word and what it says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct PhaseField<'a> {
    /// Where it stands, below `status`; empty where the status is nothing but the word.
    pub(super) field: String,
    pub(super) text: &'a str,
    /// Nothing when no table knows the word.
    pub(super) meaning: Option<PhaseMeaning>,
    pub(super) scope: PhaseScope,
}

impl PhaseField<'_> {
    /// Where it stands, and what it says.
    pub(super) fn fact(&self) -> Fact {
        let path = if self.field.is_empty() { "status".to_owned() } else { format!("status.{}", self.field) };
        facts::fact(path, self.text)
    }

    /// `phase is Error`.
    pub(super) fn description(&self) -> String {
        let field = if self.field.is_empty() { "status" } else { &self.field };
        format!("{field} is {}", self.text)
    }
}

/// How much a field may say.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum PhaseScope {
    /// It is about the whole.
    Whole,
    /// It is about something: trouble there is trouble, but all well there is not all well.
    Part,
}

/// The words of a status.
pub(super) fn read<'a>(kind: &GroupKind, object: &'a Value) -> Vec<PhaseField<'a>> {
    let Some(status) = at(object, &["status"]) else { return Vec::new() };
    let runs_to_an_end = RUN_FIELDS.iter().any(|key| status.get(key).is_some());
    let meaning = |word: &str| match phases::meaning(kind, word) {
        // What has a beginning and an end is not done while it runs.
        Some(PhaseMeaning::Good) if runs_to_an_end && word.eq_ignore_ascii_case("running") => {
            Some(PhaseMeaning::Progressing)
        }
        meaning => meaning,
    };
    let word = |field: &str, word: &'a str, scope| {
        (!word.trim().is_empty()).then(|| PhaseField {
            field: field.to_owned(),
            text: word,
            meaning: meaning(word),
            scope,
        })
    };
    match status {
        Value::String(text) => word("", text, PhaseScope::Whole).into_iter().collect(),
        Value::Object(fields) => {
            let plain = fields.iter().filter_map(|(key, value)| word(key, value.as_str()?, scope(key)?));
            let nested = NESTED_FIELDS
                .iter()
                .filter_map(|(path, scope)| word(&path.join("."), text(status, path)?, *scope));
            plain.chain(nested).collect()
        }
        _ => Vec::new(),
    }
}

fn scope(key: &str) -> Option<PhaseScope> {
    if MAIN_FIELDS.contains(&key) {
        Some(PhaseScope::Whole)
    } else if key == "synced" || key.ends_with("Status") || key.ends_with("State") {
        Some(PhaseScope::Part)
    } else {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_tables_are_sorted_and_have_no_doubles() {
        assert!(NESTED_FIELDS.is_sorted_by(|a, b| a.0 < b.0));
        assert!(RUN_FIELDS.is_sorted_by(|a, b| a < b));
    }
}
