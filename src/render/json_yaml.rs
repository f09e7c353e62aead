//! Any report as JSON or YAML: the same value that is printed as text, escaped by the rules of the format. On a terminal
//! everything invisible is escaped, too; in a pipe the values are as they are.

use serde::Serialize;
use serde_json::Value;

use super::JsonOrYaml;
use crate::ui::Styles;

/// Writes `report` as one document that ends in a line feed.
pub fn write<T: Serialize>(report: &T, format: JsonOrYaml, styles: &Styles) -> Result<String, WriteError> {
    match format {
        JsonOrYaml::Json => {
            let mut text = serde_json::to_string_pretty(report).map_err(|_| WriteError)?;
            text.push('\n');
            Ok(styles.json(&text).into_owned())
        }
        JsonOrYaml::Yaml => {
            let text = yaml(report)?;
            // In the text of a whole document, line feeds are not part of a value.
            if !styles.is_terminal() || styles.yaml_string(&text.replace('\n', "")).is_none() {
                return Ok(text);
            }
            let value = serde_json::to_value(report).map_err(|_| WriteError)?;
            let mut text = String::new();
            write_escaped(&value, 0, styles, &mut text)?;
            Ok(text)
        }
    }
}

/// Writes `report` as one line of JSON, for streams of them.
pub fn line<T: Serialize>(report: &T, styles: &Styles) -> Result<String, WriteError> {
    let text = serde_json::to_string(report).map_err(|_| WriteError)?;
    Ok(styles.json(&text).into_owned() + "\n")
}

fn yaml<T: Serialize>(value: &T) -> Result<String, WriteError> {
    // kubectl's parser rejects block scalars that start with a tab; quoted strings always work.
    let options = serde_saphyr::ser_options! { prefer_block_scalars: false };
    serde_saphyr::to_string_with_options(value, options).map_err(|_| WriteError)
}

/// Writes a value as YAML in which texts are escaped: the library has no escapes for characters that YAML allows but a
/// terminal does not show.
fn write_escaped(value: &Value, indent: usize, styles: &Styles, out: &mut String) -> Result<(), WriteError> {
    let inner = indent + 2;
    match value {
        Value::Object(fields) if !fields.is_empty() => {
            for (key, value) in fields {
                out.push_str(&" ".repeat(indent));
                out.push_str(&scalar(&Value::String(key.clone()), styles)?);
                out.push(':');
                write_nested(value, inner, styles, out)?;
            }
        }
        Value::Array(items) if !items.is_empty() => {
            for item in items {
                out.push_str(&" ".repeat(indent));
                out.push('-');
                write_nested(item, inner, styles, out)?;
            }
        }
        value => {
            out.push_str(&scalar(value, styles)?);
            out.push('\n');
        }
    }
    Ok(())
}

fn write_nested(value: &Value, indent: usize, styles: &Styles, out: &mut String) -> Result<(), WriteError> {
    let is_block = match value {
        Value::Object(fields) => !fields.is_empty(),
        Value::Array(items) => !items.is_empty(),
        _ => false,
    };
    out.push(if is_block { '\n' } else { ' ' });
    write_escaped(value, indent, styles, out)
}

fn scalar(value: &Value, styles: &Styles) -> Result<String, WriteError> {
    match value {
        Value::String(text) => match styles.yaml_string(text) {
            Some(escaped) => Ok(escaped),
            // Quoted, because a plain key or one over several lines has rules of its own.
            None => serde_json::to_string(text).map_err(|_| WriteError),
        },
        value => Ok(value.to_string()),
    }
}

/// The report has a value that the format cannot represent, such as a map whose keys are not strings.
#[derive(Debug)]
pub struct WriteError;

impl std::fmt::Display for WriteError {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.write_str("the report cannot be written in this format")
    }
}

impl std::error::Error for WriteError {}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use proptest::prelude::*;

    use super::*;

    #[test]
    fn yaml_quotes_what_another_reader_would_take_for_something_else() {
        let odd = ["yes", "on", "012", "1e3", "null", "~", "\tx\n", "a\x1b[31m"];
        let text = write(&odd, JsonOrYaml::Yaml, &Styles::default()).unwrap();
        assert!(!text.contains('\x1b'), "{text}");
        assert_eq!(serde_saphyr::from_str::<Vec<String>>(&text).unwrap(), odd);
        assert!(!text.contains(['|', '>']), "{text}");
    }

    /// Whether a terminal shows all of a text as it is.
    fn is_harmless(text: &str) -> bool {
        let lines: String = text.split('\n').collect();
        Styles::default().with_terminal(true).yaml_string(&lines).is_none()
    }

    #[test]
    fn a_terminal_gets_escapes_that_a_parser_understands() {
        let terminal = Styles::default().with_terminal(true);
        let value = serde_json::json!({ "a\u{202e}": ["x\u{9b}31m", "\u{e0041}", {}, []], "b": "say \"hi\"\\ \u{7f}\n" });
        let json = write(&value, JsonOrYaml::Json, &terminal).unwrap();
        assert!(json.contains(r#""a\u202e""#) && json.contains(r#""\udb40\udc41""#), "{json}");
        let yaml = write(&value, JsonOrYaml::Yaml, &terminal).unwrap();
        insta::assert_snapshot!(yaml, @r#"
        "a\u202e":
          - "x\u009b31m"
          - "\U000e0041"
          - {}
          - []
        "b": "say \"hi\"\\ \u007f\n"
        "#);
        assert_eq!(line(&value, &terminal).unwrap().matches('\n').count(), 1);
        for text in [&json, &yaml] {
            assert!(is_harmless(text), "{text}");
            assert_eq!(serde_saphyr::from_str::<Value>(&yaml).unwrap(), value, "{text}");
        }
    }

    /// Any text, with a character that must be escaped more often than by chance.
    fn text() -> impl Strategy<Value = String> {
        let odd = prop::sample::select(vec![
            '\u{0}',
            '\u{7f}',
            '\u{85}',
            '\u{9b}',
            '\u{ad}',
            '\u{200b}',
            '\u{202e}',
            '\u{2028}',
            '\u{feff}',
            '\u{e0041}',
            '\u{1d173}',
            '"',
            '\\',
            '\'',
            '\n',
            '\t',
            '\r',
            ':',
            '#',
            ' ',
        ]);
        prop::collection::vec(prop_oneof![odd, any::<char>()], 0..12)
            .prop_map(|all| all.into_iter().collect())
    }

    proptest! {
        #[test]
        fn what_a_terminal_gets_is_harmless_and_the_same_value(
            value in prop::collection::btree_map(text(), prop::collection::vec(text(), 0..3), 0..4),
        ) {
            let terminal = Styles::default().with_terminal(true);
            let json = write(&value, JsonOrYaml::Json, &terminal).unwrap();
            prop_assert!(is_harmless(&json), "{}", json);
            prop_assert_eq!(&serde_json::from_str::<BTreeMap<String, Vec<String>>>(&json).unwrap(), &value);
            let yaml = write(&value, JsonOrYaml::Yaml, &terminal).unwrap();
            prop_assert!(is_harmless(&yaml), "{}", yaml);
            prop_assert_eq!(&serde_saphyr::from_str::<BTreeMap<String, Vec<String>>>(&yaml).unwrap(), &value);
        }

        #[test]
        fn both_formats_keep_every_text(value in any::<BTreeMap<String, String>>()) {
            let json = write(&value, JsonOrYaml::Json, &Styles::default()).unwrap();
            prop_assert_eq!(&serde_json::from_str::<BTreeMap<String, String>>(&json).unwrap(), &value);
            let yaml = write(&value, JsonOrYaml::Yaml, &Styles::default()).unwrap();
            prop_assert_eq!(&serde_saphyr::from_str::<BTreeMap<String, String>>(&yaml).unwrap(), &value);
        }
    }
}
