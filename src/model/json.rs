//! Getters for fields of JSON. None of them fails: a field of another type counts as absent.

use jiff::Timestamp;
use serde_json::Value;

/// The value at a path of keys.
pub fn at<'a>(object: &'a Value, path: &[&str]) -> Option<&'a Value> {
    path.iter().try_fold(object, |value, key| value.get(key)).filter(|value| !value.is_null())
}

/// The string at a path.
pub fn text<'a>(object: &'a Value, path: &[&str]) -> Option<&'a str> {
    at(object, path)?.as_str()
}

/// The integer at a path.
pub fn number(object: &Value, path: &[&str]) -> Option<i64> {
    at(object, path)?.as_i64()
}

/// The list at a path; empty if there is none.
pub fn list<'a>(object: &'a Value, path: &[&str]) -> &'a [Value] {
    at(object, path).and_then(Value::as_array).map_or(&[], Vec::as_slice)
}

/// The boolean at a path; false if there is none.
pub fn is_true(object: &Value, path: &[&str]) -> bool {
    at(object, path).and_then(Value::as_bool).unwrap_or_default()
}

/// The time at a path.
pub fn time(object: &Value, path: &[&str]) -> Option<Timestamp> {
    text(object, path)?.parse().ok()
}
