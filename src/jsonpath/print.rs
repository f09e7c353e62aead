//! Prints results exactly as kubectl does: strings as they are, everything else as Go formats it.

use std::io;
use std::ops::RangeInclusive;

use serde::Serialize as _;
use serde_json::Value;
use serde_json::ser::{Formatter, Serializer};

/// The exponents that Go's `%v` and Go's JSON do not print.
const TEXT: RangeInclusive<i32> = -4..=5;
const JSON: RangeInclusive<i32> = -6..=20;

/// Appends the results of one action, separated by spaces.
pub(super) fn print_results(found: &[&Value], out: &mut String) {
    for (position, value) in found.iter().enumerate() {
        if position > 0 {
            out.push(' ');
        }
        match value {
            Value::String(text) => out.push_str(text),
            Value::Number(number) => match number.as_f64().filter(|_| number.is_f64()) {
                Some(float) => out.push_str(&go_float(float, TEXT, 2)),
                None => out.push_str(&number.to_string()),
            },
            Value::Null | Value::Bool(_) => out.push_str(&value.to_string()),
            Value::Array(_) | Value::Object(_) => out.push_str(&json(value)),
        }
    }
}

/// A value as Go's `%v` formats it, which is what kubectl prints in a custom column: `[a b]`, `map[k:v]`.
pub fn go_text(value: &Value) -> String {
    match value {
        Value::Null => "<nil>".to_owned(),
        Value::Array(items) => {
            format!("[{}]", items.iter().map(go_text).collect::<Vec<_>>().join(" "))
        }
        Value::Object(fields) => {
            let mut fields: Vec<_> = fields.iter().collect();
            fields.sort_by_key(|(key, _)| *key);
            let fields: Vec<_> =
                fields.iter().map(|(key, value)| format!("{key}:{}", go_text(value))).collect();
            format!("map[{}]", fields.join(" "))
        }
        _ => {
            let mut text = String::new();
            print_results(&[value], &mut text);
            text
        }
    }
}

/// Compact JSON with sorted keys, as Go marshals a map.
fn json(value: &Value) -> String {
    let mut sorted = value.clone();
    sorted.sort_all_objects();
    let mut bytes = Vec::new();
    let written = sorted.serialize(&mut Serializer::with_formatter(&mut bytes, GoJson));
    // Neither can fail for a value in memory; plain JSON would still be correct.
    written.ok().and_then(|()| String::from_utf8(bytes).ok()).unwrap_or_else(|| sorted.to_string())
}

/// JSON as Go's encoding/json writes it: escaped for HTML, and floats without a needless fraction.
struct GoJson;

impl Formatter for GoJson {
    fn write_f64<W: ?Sized + io::Write>(&mut self, writer: &mut W, value: f64) -> io::Result<()> {
        writer.write_all(go_float(value, JSON, 1).as_bytes())
    }

    fn write_string_fragment<W: ?Sized + io::Write>(
        &mut self,
        writer: &mut W,
        fragment: &str,
    ) -> io::Result<()> {
        for piece in fragment.split_inclusive(is_escaped) {
            let plain = piece.trim_end_matches(is_escaped);
            writer.write_all(plain.as_bytes())?;
            for c in piece.chars().filter(|c| is_escaped(*c)) {
                write!(writer, "\\u{:04x}", u32::from(c))?;
            }
        }
        Ok(())
    }
}

fn is_escaped(c: char) -> bool {
    matches!(c, '<' | '>' | '&' | '\u{2028}' | '\u{2029}')
}

/// The shortest digits that parse back to `value`; outside of `plain` with an exponent of at least `width` digits.
fn go_float(value: f64, plain: RangeInclusive<i32>, width: usize) -> String {
    let scientific = format!("{value:e}");
    let parts =
        scientific.split_once('e').and_then(|(digits, exponent)| Some((digits, exponent.parse().ok()?)));
    match parts {
        Some((digits, exponent)) if !plain.contains(&exponent) => {
            let sign = if exponent < 0 { '-' } else { '+' };
            format!("{digits}e{sign}{:0width$}", exponent.unsigned_abs())
        }
        _ => value.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn floats_change_their_form_where_go_does() {
        let table = [
            (0.0, "0", "0"),
            (-0.0, "-0", "-0"),
            (999_999.5, "999999.5", "999999.5"),
            (1e6, "1e+06", "1000000"),
            (0.0001, "0.0001", "0.0001"),
            (0.000_012_5, "1.25e-05", "0.0000125"),
            (1e-7, "1e-07", "1e-7"),
            (-2.5e20, "-2.5e+20", "-250000000000000000000"),
            (1e21, "1e+21", "1e+21"),
            (1e100, "1e+100", "1e+100"),
        ];
        for (value, text, json) in table {
            assert_eq!(
                (go_float(value, TEXT, 2), go_float(value, JSON, 1)),
                (text.to_owned(), json.to_owned())
            );
        }
    }

    proptest! {
        #[test]
        fn floats_lose_nothing(value in any::<f64>()) {
            for text in [go_float(value, TEXT, 2), go_float(value, JSON, 1)] {
                prop_assert_eq!(text.parse::<f64>().unwrap().to_bits(), value.to_bits());
            }
        }
    }
}
