//! The message for a status that no rule understands: which conditions and fields it has instead.

use jiff::Timestamp;
use serde_json::Value;

use super::condition_effect::{Confidence, EvaluatedCondition};
use super::elapsed;
use super::phase::{PhaseField, PhaseScope};
use crate::model::age::human;
use crate::model::json::at;

/// The most fields that are named; the others are counted.
const MAX_FIELDS: usize = 3;

/// The most conditions that are named; the others are counted.
const MAX_CONDITIONS: usize = 12;

/// Why there is no verdict.
pub(super) fn message(
    object: &Value,
    conditions: &[EvaluatedCondition],
    phases: &[PhaseField],
    now: Timestamp,
) -> String {
    let labels = |is_wanted: fn(&EvaluatedCondition) -> bool| {
        let labels = conditions.iter().filter(|one| is_wanted(one)).map(|one| one.condition.label());
        join_first(labels, MAX_CONDITIONS)
    };
    let known = labels(|one| one.confidence != Confidence::Unknown);
    let unknown = labels(|one| one.confidence == Confidence::Unknown);
    let words: Vec<String> = phases
        .iter()
        .filter(|phase| phase.scope == PhaseScope::Whole && phase.meaning.is_none())
        .map(PhaseField::quoted)
        .collect();
    let mut parts = Vec::new();
    if !known.is_empty() {
        parts.push(format!("it has no condition such as Ready, only {known}"));
    }
    if !unknown.is_empty() {
        parts.push(format!("unknown conditions: {unknown}"));
    }
    match words.len() {
        0 if parts.is_empty() => parts.push(fields(object, now)),
        0 => {}
        1 => parts.push(format!("{} is not a known word", words[0])),
        _ => parts.push(format!("{} are not known words", join_first(words.into_iter(), MAX_FIELDS))),
    }
    parts.join("; ")
}

fn fields(object: &Value, now: Timestamp) -> String {
    let none = "its status has no condition, phase or ready field";
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

/// Joins the first few items and counts the others.
pub(super) fn join_first(items: impl Iterator<Item = String>, limit: usize) -> String {
    let mut items = items.fuse();
    let mut parts: Vec<String> = items.by_ref().take(limit).collect();
    let more = items.count();
    if more > 0 {
        parts.push(format!("{more} more"));
    }
    parts.join(", ")
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

/// `last update` for `lastUpdateTime`.
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
