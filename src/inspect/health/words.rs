//! Words in a status that say how things are: `phase` and its relatives.

use serde_json::Value;

use crate::known::phases::{self, Mood};
use crate::model::object::at;

/// Fields that operators use for the state of the whole.
const FIELDS: [&str; 4] = ["phase", "state", "health", "status"];

/// A word and what it says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Word<'a> {
    /// Where it stands, below `status`.
    pub(super) field: String,
    pub(super) text: &'a str,
    /// Nothing when no table knows the word.
    pub(super) mood: Option<Mood>,
    pub(super) voice: Voice,
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
pub(super) fn read<'a>(group: &str, object: &'a Value) -> Vec<Word<'a>> {
    let Some(status) = at(object, &["status"]) else { return Vec::new() };
    let runs_to_an_end = ["completionTime", "startTime"].iter().any(|key| at(status, &[key]).is_some());
    let mood = |word: &str| match phases::mood(group, word) {
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
        Value::String(text) => word("status", text, Voice::Main).into_iter().collect(),
        Value::Object(fields) => fields
            .iter()
            .filter_map(|(key, value)| match value {
                Value::String(text) => word(key, text, voice(key)?),
                // Argo CD: `status.health.status`.
                Value::Object(_) if key == "health" => {
                    word("health.status", at(value, &["status"])?.as_str()?, Voice::Main)
                }
                _ => None,
            })
            .collect(),
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
