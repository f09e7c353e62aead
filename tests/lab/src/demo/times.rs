//! Times as RFC 3339 writes them in UTC, wherever they stand in a text: also in the middle of an annotation.

use std::ops::RangeInclusive;

use k8s_openapi::jiff::Timestamp;
use serde_json::Value;

/// The newest time of a window anywhere in the values.
pub(super) fn newest(values: &[Value], window: RangeInclusive<Timestamp>) -> Option<Timestamp> {
    let mut newest = None;
    for value in values {
        each_text(value, &mut |text| {
            let times = find(text).into_iter().map(|found| found.time).filter(|time| window.contains(time));
            newest = newest.max(times.max());
        });
    }
    newest
}

/// Writes another time in the place of each, with as many digits; one without another stays.
pub(super) fn rewrite(value: &mut Value, other: &impl Fn(Timestamp) -> Option<Timestamp>) {
    match value {
        Value::String(text) => {
            for Found { at, digits, time, length } in find(text).into_iter().rev() {
                if let Some(shifted) = other(time) {
                    text.replace_range(at..at + length, &format!("{shifted:.digits$}"));
                }
            }
        }
        Value::Array(values) => values.iter_mut().for_each(|value| rewrite(value, other)),
        Value::Object(fields) => fields.values_mut().for_each(|value| rewrite(value, other)),
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

struct Found {
    at: usize,
    length: usize,
    /// Of the fraction of a second.
    digits: usize,
    time: Timestamp,
}

/// The shape of a time up to the seconds; `0` stands for a digit.
const SHAPE: &[u8] = b"0000-00-00T00:00:00";

fn find(text: &str) -> Vec<Found> {
    let bytes = text.as_bytes();
    let mut found = Vec::new();
    let mut at = 0;
    while at < bytes.len() {
        match measure(&bytes[at..]) {
            // What has the shape is ASCII, so these are borders of characters.
            Some((length, digits)) => {
                if let Ok(time) = text[at..at + length].parse() {
                    found.push(Found { at, length, digits, time });
                }
                at += length;
            }
            None => at += 1,
        }
    }
    found
}

/// How long a time at the beginning is, and how many digits its fraction has.
fn measure(bytes: &[u8]) -> Option<(usize, usize)> {
    let head = bytes.get(..SHAPE.len())?;
    let fits = |(byte, shape): (&u8, &u8)| if *shape == b'0' { byte.is_ascii_digit() } else { byte == shape };
    if !head.iter().zip(SHAPE).all(fits) {
        return None;
    }
    let rest = &bytes[SHAPE.len()..];
    let digits = match rest.first() {
        Some(b'.') => rest[1..].iter().take_while(|byte| byte.is_ascii_digit()).count(),
        _ => 0,
    };
    let fraction = if digits > 0 { digits + 1 } else { 0 };
    (rest.get(fraction) == Some(&b'Z')).then_some((SHAPE.len() + fraction + 1, digits))
}

fn each_text<'a>(value: &'a Value, see: &mut impl FnMut(&'a str)) {
    match value {
        Value::String(text) => see(text),
        Value::Array(values) => values.iter().for_each(|value| each_text(value, see)),
        Value::Object(fields) => fields.values().for_each(|value| each_text(value, see)),
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

#[cfg(test)]
mod tests {
    use k8s_openapi::jiff::SignedDuration;
    use serde_json::json;

    use super::*;

    #[test]
    fn times_keep_their_format_wherever_they_stand() {
        let mut value = json!({
            "a": "2026-01-01T00:00:00Z",
            "b": ["2026-01-01T00:00:00.000000Z", "{\"at\":\"2026-01-01T00:00:00.25Z\"} and ä 2026-01-01T00:00:01Z"],
            "c": "2026-01-01", "d": "2026-13-01T00:00:00Z", "e": "2026-01-01T00:00:00",
        });
        rewrite(&mut value, &|time| time.checked_add(SignedDuration::from_hours(1)).ok());
        assert_eq!(
            value,
            json!({
                "a": "2026-01-01T01:00:00Z",
                "b": ["2026-01-01T01:00:00.000000Z", "{\"at\":\"2026-01-01T01:00:00.25Z\"} and ä 2026-01-01T01:00:01Z"],
                "c": "2026-01-01", "d": "2026-13-01T00:00:00Z", "e": "2026-01-01T00:00:00",
            })
        );
    }

    #[test]
    fn the_newest_time_is_one_of_the_window() {
        let values = [json!(["2026-01-01T00:00:03Z", "2026-01-01T00:00:05Z", "2099-01-01T00:00:00Z"])];
        let window = "2026-01-01T00:00:00Z".parse().unwrap()..="2026-01-02T00:00:00Z".parse().unwrap();
        assert_eq!(newest(&values, window), Some("2026-01-01T00:00:05Z".parse().unwrap()));
    }
}
