//! The fields that a rule read, with their values, for `--explain` and JSON.

use serde_json::Value;

use super::condition::Condition;
use crate::model::health::Fact;
use crate::model::json::{list, text};

/// The longest value that is kept, in characters.
const MAX_LENGTH: usize = 200;

/// The most conditions that are kept if a rule read them all.
pub(super) const MAX_CONDITIONS: usize = 8;

/// A field and its value.
pub(super) fn fact(path: impl Into<String>, value: &str) -> Fact {
    Fact { path: path.into(), value: cut(value) }
}

/// The fields at some paths, as far as they are set. `status.conditions[Ready]` selects an entry of a list by its type
/// or name.
pub(super) fn read(object: &Value, paths: &[&str]) -> Vec<Fact> {
    paths.iter().filter_map(|path| at_path(object, path)).collect()
}

/// A condition with its status and reason.
pub(super) fn condition(one: &Condition) -> Fact {
    let reason = one.reason.map(|reason| format!(" ({reason})")).unwrap_or_default();
    fact(one.path(), &format!("{}{reason}", one.status.word()))
}

fn at_path(object: &Value, path: &str) -> Option<Fact> {
    let found = path.split('.').try_fold(object, step)?;
    let value = match found {
        Value::Null => return None,
        Value::String(text) => text.clone(),
        Value::Bool(truth) => truth.to_string(),
        Value::Number(number) => number.to_string(),
        Value::Array(items) => match items.iter().map(Value::as_str).collect::<Option<Vec<_>>>() {
            Some(words) => words.join(", "),
            None => format!("{} entries", items.len()),
        },
        Value::Object(fields) => match fields.get("status").and_then(Value::as_str) {
            Some(status) => match fields.get("reason").and_then(Value::as_str) {
                Some(reason) if !reason.is_empty() => format!("{status} ({reason})"),
                _ => status.to_owned(),
            },
            None => format!("{} fields", fields.len()),
        },
    };
    Some(fact(path, &value))
}

fn step<'a>(value: &'a Value, part: &str) -> Option<&'a Value> {
    let Some((key, name)) = part.strip_suffix(']').and_then(|part| part.split_once('[')) else {
        return value.get(part);
    };
    let is_it = |item: &&Value| ["type", "name"].iter().any(|key| text(item, &[key]) == Some(name));
    list(value, &[key]).iter().find(is_it)
}

fn cut(text: &str) -> String {
    match text.char_indices().nth(MAX_LENGTH) {
        None => text.to_owned(),
        Some(_) => text.chars().take(MAX_LENGTH - 1).chain(['…']).collect(),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn values_are_read_and_shortened() {
        let object = json!({
            "spec": { "replicas": 3, "paused": true, "list": ["a", "b"], "mixed": [1], "map": { "a": 1 }, "no": null },
            "status": { "phase": "ü".repeat(300), "conditions": [{ "type": "Ready", "status": "False", "reason": "X" }] },
        });
        let value = |path| at_path(&object, path).map(|fact| fact.value);
        assert_eq!(value("spec.replicas").as_deref(), Some("3"));
        assert_eq!(value("spec.paused").as_deref(), Some("true"));
        assert_eq!(value("spec.list").as_deref(), Some("a, b"));
        assert_eq!(value("spec.mixed").as_deref(), Some("1 entries"));
        assert_eq!(value("spec.map").as_deref(), Some("1 fields"));
        assert_eq!(value("status.conditions[Ready]").as_deref(), Some("False (X)"));
        assert_eq!(value("status.conditions[Ready].reason").as_deref(), Some("X"));
        let missing = ["spec.no", "spec.replicas.deeper", "status.conditions[Other]", "spec.list[Ready]"];
        assert_eq!(read(&object, &missing), []);
        let long = value("status.phase").unwrap_or_default();
        assert_eq!((long.chars().count(), long.chars().last()), (MAX_LENGTH, Some('…')));
    }
}
