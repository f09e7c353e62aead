//! Words in a status that say how things are: `phase` and its relatives.

use serde_json::Value;

use super::facts;
use crate::known::phases::{self, Mood};
use crate::model::health::Fact;
use crate::model::ident::GroupKind;
use crate::model::json::{at, text};

/// Fields that operators use for the state of the whole.
const FIELDS: [&str; 5] = ["phase", "state", "health", "status", "robustness"];

/// Words one level down, sorted: the state of a catalog's connection (OLM), of a Spark application, of Ceph under
/// Rook, of what an Argo CD application deployed and of its last sync.
const NESTED: [(&[&str], Voice); 5] = [
    (&["applicationState", "state"], Voice::Main),
    (&["ceph", "health"], Voice::Side),
    (&["connectionState", "lastObservedState"], Voice::Main),
    (&["health", "status"], Voice::Main),
    (&["operationState", "phase"], Voice::Side),
];

/// Fields, set or not, that only something with an end has.
const RUNS: [&str; 8] = [
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
pub(super) struct Word<'a> {
    /// Where it stands, below `status`; empty where the status is nothing but the word.
    pub(super) field: String,
    pub(super) text: &'a str,
    /// Nothing when no table knows the word.
    pub(super) mood: Option<Mood>,
    pub(super) voice: Voice,
}

impl Word<'_> {
    /// Where it stands, and what it says.
    pub(super) fn fact(&self) -> Fact {
        let path = if self.field.is_empty() { "status".to_owned() } else { format!("status.{}", self.field) };
        facts::fact(path, self.text)
    }

    /// `phase is Error`.
    pub(super) fn told(&self) -> String {
        let field = if self.field.is_empty() { "status" } else { &self.field };
        format!("{field} is {}", self.text)
    }
}

/// How much a field may say.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Voice {
    /// It is about the whole.
    Main,
    /// It is about something: trouble there is trouble, but all well there is not all well.
    Side,
}

/// The words of a status.
pub(super) fn read<'a>(kind: &GroupKind, object: &'a Value) -> Vec<Word<'a>> {
    let Some(status) = at(object, &["status"]) else { return Vec::new() };
    let runs_to_an_end = RUNS.iter().any(|key| status.get(key).is_some());
    let mood = |word: &str| match phases::mood(kind, word) {
        // What has a beginning and an end is not done while it runs.
        Some(Mood::Good) if runs_to_an_end && word.eq_ignore_ascii_case("running") => Some(Mood::Moving),
        mood => mood,
    };
    let word = |field: &str, word: &'a str, voice| {
        (!word.trim().is_empty()).then(|| Word {
            field: field.to_owned(),
            text: word,
            mood: mood(word),
            voice,
        })
    };
    match status {
        Value::String(text) => word("", text, Voice::Main).into_iter().collect(),
        Value::Object(fields) => {
            let plain = fields.iter().filter_map(|(key, value)| word(key, value.as_str()?, voice(key)?));
            let nested =
                NESTED.iter().filter_map(|(path, voice)| word(&path.join("."), text(status, path)?, *voice));
            plain.chain(nested).collect()
        }
        _ => Vec::new(),
    }
}

fn voice(key: &str) -> Option<Voice> {
    if FIELDS.contains(&key) {
        Some(Voice::Main)
    } else if key == "synced" || key.ends_with("Status") || key.ends_with("State") {
        Some(Voice::Side)
    } else {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_tables_are_sorted_and_have_no_doubles() {
        assert!(NESTED.is_sorted_by(|a, b| a.0 < b.0));
        assert!(RUNS.is_sorted_by(|a, b| a < b));
    }
}
