//! Estimates of the memory that objects and documents take, to be charged to the budget of a call.

use std::ffi::OsStr;

use serde_json::Value;

use crate::error::{Failure, FailureKind};
use crate::model::event::Event;
use crate::model::memory::{MemoryBudget, parse_quantity};
use crate::model::meta::Meta;
use crate::model::object::Object;
use crate::model::selector::Labels;

/// A value, and its place in a list that grows by doubling.
const VALUE: u64 = 64;
/// The first node of a map, which has room for eleven entries.
const MAP: u64 = 640;
/// One more entry of a map.
const ENTRY: u64 = 112;
/// YAML takes this many times its size while it is parsed.
const YAML_FACTOR: u64 = 24;
/// An object or an event without its texts.
pub(super) const OBJECT: u64 = 640;

/// The budget that `KUBECTL_OP_MEMORY` sets.
pub fn budget(setting: Option<&OsStr>) -> Result<MemoryBudget, Failure> {
    let Some(setting) = setting.filter(|setting| !setting.is_empty()) else {
        return Ok(MemoryBudget::default());
    };
    setting.to_str().and_then(parse_quantity).map(MemoryBudget::new).ok_or_else(|| {
        let message = format!(
            "invalid KUBECTL_OP_MEMORY {:?}: expected a quantity of bytes",
            setting.to_string_lossy()
        );
        Failure::new(FailureKind::Usage, message)
            .hint("use a value such as 512Mi or 2Gi, or unset it for 1Gi")
    })
}

/// The most that a JSON text takes when it is parsed, itself included.
pub(super) fn json_text(text: &[u8]) -> u64 {
    let (mut cost, mut in_string, mut escaped) = (text.len() as u64 * 2, false, false);
    for byte in text {
        match byte {
            _ if escaped => escaped = false,
            b'\\' => escaped = in_string,
            b'"' => in_string = !in_string,
            b'{' if !in_string => cost += MAP,
            b'[' if !in_string => cost += VALUE,
            b',' if !in_string => cost += ENTRY,
            _ => {}
        }
    }
    cost
}

/// The same for YAML.
pub(super) fn yaml_text(text: &[u8]) -> u64 {
    text.len() as u64 * YAML_FACTOR
}

/// What a value takes.
pub(super) fn value(body: &Value) -> u64 {
    match body {
        Value::String(text) => text.len() as u64,
        Value::Array(items) => items.iter().map(|item| VALUE + value(item)).sum(),
        Value::Object(fields) => {
            let entry = |(key, field): (&String, &Value)| ENTRY + key.len() as u64 + value(field);
            MAP + fields.iter().map(entry).sum::<u64>()
        }
        _ => 0,
    }
}

/// What labels and annotations take.
pub(super) fn labels(labels: &Labels, annotations: &Labels) -> u64 {
    let pairs = labels.iter().chain(annotations);
    pairs.map(|(key, value)| ENTRY + (key.len() + value.len()) as u64).sum()
}

/// What metadata takes.
pub(super) fn meta(meta: &Meta) -> u64 {
    let labels = labels(&meta.labels, &meta.annotations);
    let finalizers: u64 = meta.finalizers.iter().map(|name| VALUE + name.len() as u64).sum();
    let owner = |text: &[&str]| text.iter().map(|text| text.len() as u64).sum::<u64>();
    let owners = meta.owners.iter();
    let owners: u64 = owners.map(|o| 2 * ENTRY + owner(&[&o.api_version, &o.kind, &o.name, &o.uid.0])).sum();
    // The name and the uid are repeated in indexes.
    OBJECT + 2 * (meta.name.name.len() + meta.uid.0.len()) as u64 + labels + finalizers + owners
}

/// What an object takes.
pub(super) fn object(object: &Object) -> u64 {
    meta(&object.meta) + object.pruned().map_or(0, value)
}

/// What an event takes, in the snapshot and in a report.
pub(super) fn event(event: &Event) -> u64 {
    let texts = [&event.reason, &event.message, &event.source, &event.id, &event.uid.0, &event.object.name];
    OBJECT + 3 * texts.iter().map(|text| text.len() as u64).sum::<u64>()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn many_small_values_cost_more_than_their_text() {
        let maps = format!("[{}{{}}]", "{\"\":0},".repeat(1_000));
        assert!(json_text(maps.as_bytes()) > 640_000);
        assert!(
            json_text(format!("\"{}\"", "{\\\",".repeat(1_000)).as_bytes()) < 10_000,
            "a string is one value"
        );
        assert!(value(&json!([{"": 0}, {"": 0}])) > 2 * MAP);
    }

    #[test]
    fn an_invalid_setting_names_the_variable() {
        assert!(budget(None).is_ok() && budget(Some(OsStr::new("64Mi"))).is_ok());
        let error = budget(Some(OsStr::new("lots"))).unwrap_err();
        assert_eq!(error.to_string(), "invalid KUBECTL_OP_MEMORY \"lots\": expected a quantity of bytes");
    }
}
