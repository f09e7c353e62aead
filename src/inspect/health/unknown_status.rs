//! Words for a status that says nothing about health: what is there instead.

use jiff::Timestamp;
use serde_json::Value;

use super::condition_effect::{Confidence, EvaluatedCondition};
use super::elapsed;
use super::phase::{PhaseField, PhaseScope};
use crate::model::age::human;
use crate::model::json::at;

/// How many fields are named before the rest is counted.
const MAX_FIELDS: usize = 3;

/// How much of a word is shown.
const MAX_LENGTH: usize = 80;

/// How many conditions are listed before the rest is counted.
const MAX_CONDITIONS: usize = 12;

/// Why nothing can be said, and what the status holds.
pub(super) fn message(
    object: &Value,
    evaluated: &[EvaluatedCondition],
    words: &[PhaseField],
    now: Timestamp,
) -> String {
    let labels = |unknown: fn(&EvaluatedCondition) -> bool| {
        join_first(
            evaluated.iter().filter(|one| unknown(one)).map(|one| one.condition.label()),
            MAX_CONDITIONS,
        )
    };
    let steps = labels(|one| one.confidence != Confidence::Unknown);
    let strange = labels(|one| one.confidence == Confidence::Unknown);
    let unknown = words.iter().filter(|word| word.scope == PhaseScope::Whole && word.meaning.is_none());
    let unknown = join_first(unknown.map(|word| cut(&word.description())), MAX_FIELDS);
    let mut told = match (steps.is_empty(), strange.is_empty()) {
        (true, true) if unknown.is_empty() => fields(object, now),
        (true, true) => String::new(),
        (true, false) => format!("its conditions are not judged: {strange}"),
        (false, true) => format!("no condition sums it up: {steps}"),
        (false, false) => format!("no condition sums it up: {steps}; not judged: {strange}"),
    };
    if !unknown.is_empty() {
        let gap = if told.is_empty() { "" } else { "; " };
        told = format!("{told}{gap}{unknown}, which no table knows");
    }
    told
}

fn fields(object: &Value, now: Timestamp) -> String {
    let none = "the status has no readiness word";
    let Some(Value::Object(fields)) = at(object, &["status"]) else { return none.to_owned() };
    let set = fields
        .iter()
        .filter(|(key, value)| !matches!(key.as_str(), "conditions" | "observedGeneration") && is_set(value))
        .map(|(key, value)| field(key, value, now));
    match join_first(set, MAX_FIELDS) {
        set if set.is_empty() => none.to_owned(),
        set => format!("{none}; {set}"),
    }
}

fn cut(text: &str) -> String {
    match text.char_indices().nth(MAX_LENGTH) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

/// The first of some words, and how many more there are.
pub(super) fn join_first(words: impl Iterator<Item = String>, limit: usize) -> String {
    let mut words = words.fuse();
    let mut told: Vec<String> = words.by_ref().take(limit).collect();
    let more = words.count();
    if more > 0 {
        told.push(format!("{more} more"));
    }
    told.join(", ")
}

fn is_set(value: &Value) -> bool {
    match value {
        Value::Null => false,
        Value::String(text) => !text.is_empty(),
        Value::Array(items) => !items.is_empty(),
        Value::Object(fields) => !fields.is_empty(),
        Value::Bool(_) | Value::Number(_) => true,
    }
}

/// `configMapName is set`, `last updated 3m ago`.
fn field(key: &str, value: &Value, now: Timestamp) -> String {
    let time = value.as_str().and_then(|text| text.parse::<Timestamp>().ok());
    match time.and_then(|time| elapsed(time, now)) {
        Some(age) if key.starts_with("last") => format!("{} {} ago", words_of(key), human(age)),
        _ => format!("{key} is set"),
    }
}

/// `lastUpdateTime` as people say it.
fn words_of(key: &str) -> String {
    let stem = ["Timestamp", "Time"].iter().find_map(|end| key.strip_suffix(end)).unwrap_or(key);
    let mut words = String::with_capacity(stem.len() + 2);
    for letter in stem.chars() {
        if letter.is_ascii_uppercase() {
            words.push(' ');
        }
        words.push(letter.to_ascii_lowercase());
    }
    words
}
