//! Parses one object of a dump from JSON or YAML, and describes what is wrong with it.

use std::borrow::Cow;

use serde::de::{Deserialize, DeserializeOwned, Deserializer};
use serde_json::Value;
use serde_json::error::Category;
use serde_saphyr::DuplicateKeyPolicy;

use crate::error::shortened;

/// How deep values may be nested; deeper ones could overflow the stack.
pub(in crate::source::dump) const MAX_DEPTH: u32 = 128;

/// Longest key that is named in an error.
const MAX_KEY_LEN: usize = 60;

/// How an object is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::source::dump) enum Syntax {
    Json,
    Yaml,
    /// One item of a YAML list, with its dash.
    YamlItem,
}

/// What is wrong with an object, as far as callers distinguish it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::source::dump) enum Defect {
    Invalid,
    /// A key occurs twice. The last value is used, as kubectl does.
    DuplicateKey,
    /// An alias refers to an anchor outside the object.
    UnknownAnchor,
}

/// Why an object cannot be parsed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::source::dump) struct ParseError {
    pub(in crate::source::dump) defect: Defect,
    /// Lines after the first line of the object.
    pub(in crate::source::dump) line: u64,
    /// A clause whose subject is "it": `it is not valid UTF-8`.
    pub(in crate::source::dump) message: String,
}

impl ParseError {
    /// An error about the object as a whole.
    pub(in crate::source::dump) fn new(message: impl Into<String>) -> Self {
        Self { defect: Defect::Invalid, line: 0, message: message.into() }
    }

    fn duplicate(line: u64, key: &str) -> Self {
        let key = shortened(key, MAX_KEY_LEN);
        let message = format!("it has the key {key} twice; the last value is used");
        Self { defect: Defect::DuplicateKey, line, message }
    }
}

/// A value, and what is wrong with it although it could be parsed.
#[derive(Debug)]
pub(in crate::source::dump) struct ParsedText<T> {
    pub(in crate::source::dump) value: T,
    pub(in crate::source::dump) warning: Option<ParseError>,
}

/// Parses an object. YAML must be parsed on a large stack.
pub(in crate::source::dump) fn parse<T: DeserializeOwned>(
    bytes: &[u8],
    syntax: Syntax,
) -> Result<T, ParseError> {
    parse_with_warning(bytes, syntax).map(|parsed| parsed.value)
}

/// Parses an object, and returns the first duplicate key as a warning.
pub(in crate::source::dump) fn parse_with_warning<T: DeserializeOwned>(
    bytes: &[u8],
    syntax: Syntax,
) -> Result<ParsedText<T>, ParseError> {
    let text = std::str::from_utf8(bytes).map_err(|error| {
        let before = bytes.get(..error.valid_up_to()).unwrap_or_default();
        ParseError { line: count_lines(before), ..ParseError::new("it is not valid UTF-8") }
    })?;
    match syntax {
        Syntax::Json => parse_json(text),
        Syntax::Yaml => parse_yaml(text),
        Syntax::YamlItem => parse_yaml(&without_dash(text)),
    }
}

/// Converts a parsed value, `Value` or `&Value`.
pub(in crate::source::dump) fn from_value<'de, T, V>(value: V) -> Result<T, ParseError>
where
    T: Deserialize<'de>,
    V: Deserializer<'de, Error = serde_json::Error>,
{
    T::deserialize(value).map_err(|error| ParseError::new(invalid_field(&error.to_string())))
}

/// Counts the line ends in a text.
pub(in crate::source::dump) fn count_lines(text: &[u8]) -> u64 {
    text.split(|byte| *byte == b'\n').skip(1).count() as u64
}

/// The item as a document of its own: the dash becomes indentation.
fn without_dash(text: &str) -> Cow<'_, str> {
    match text.find(|c: char| c != ' ') {
        Some(dash) if text[dash..].starts_with('-') => {
            Cow::Owned(format!("{} {}", &text[..dash], &text[dash + 1..]))
        }
        _ => Cow::Borrowed(text),
    }
}

fn parse_json<T: DeserializeOwned>(text: &str) -> Result<ParsedText<T>, ParseError> {
    let error = match serde_json::from_str(text) {
        Ok(value) => return Ok(ParsedText { value, warning: None }),
        Err(error) => json_error(&error),
    };
    if error.defect != Defect::DuplicateKey {
        return Err(error);
    }
    // A map keeps the last value of a key.
    let value: Value = serde_json::from_str(text).map_err(|error| json_error(&error))?;
    Ok(ParsedText { value: from_value(value)?, warning: Some(error) })
}

/// What a field should be, in the words of [`serde`]. Its error also has the value, which may be a password.
const EXPECTED: [&str; 10] = [
    "a Kubernetes object",
    "a boolean",
    "a managedFields entry",
    "a map",
    "a sequence",
    "a string",
    "an owner reference",
    "i64",
    "metadata",
    "timestamps",
];

/// Describes an error of [`serde`] without the value that it is about.
fn invalid_field(error: &str) -> String {
    let expected = error.rsplit_once(", expected ").map_or("", |(_, expected)| expected);
    match EXPECTED.iter().find(|known| **known == expected) {
        Some(&"a Kubernetes object") => "it is not an object".to_owned(),
        Some(&"i64") => "it has an invalid field: expected a number".to_owned(),
        Some(expected) => format!("it has an invalid field: expected {expected}"),
        None => "it has an invalid field".to_owned(),
    }
}

fn json_error(error: &serde_json::Error) -> ParseError {
    let line = (error.line() as u64).saturating_sub(1);
    let text = error.to_string();
    // The parser's line is relative to the object.
    let text = text.split(" at line ").next().unwrap_or_default();
    if let Some(key) = text.strip_prefix("duplicate field ") {
        return ParseError::duplicate(line, key.trim_matches('`'));
    }
    let message = match error.classify() {
        Category::Eof => "it is truncated".to_owned(),
        Category::Data => invalid_field(text),
        Category::Syntax | Category::Io => "it is not valid JSON".to_owned(),
    };
    ParseError { line, ..ParseError::new(message) }
}

fn parse_yaml<T: DeserializeOwned>(text: &str) -> Result<ParsedText<T>, ParseError> {
    // Through `Value`: the YAML deserializer is large, and would be compiled again for every type.
    let (value, warning) = match yaml_value(text, DuplicateKeyPolicy::Error) {
        Err(error) if error.defect == Defect::DuplicateKey => {
            (yaml_value(text, DuplicateKeyPolicy::LastWins)?, Some(error))
        }
        value => (value?, None),
    };
    Ok(ParsedText { value: from_value(value)?, warning })
}

fn yaml_value(text: &str, duplicate_keys: DuplicateKeyPolicy) -> Result<Value, ParseError> {
    // Limits for one object: enough for any real one, far too little for an alias bomb.
    let options = serde_saphyr::options! {
        budget: serde_saphyr::budget! {
            max_depth: MAX_DEPTH as usize,
            flow_nesting_limit: MAX_DEPTH as usize,
            max_events: 20_000_000,
            max_nodes: 10_000_000,
            max_aliases: 1_000,
            max_anchors: 1_000,
        },
        alias_limits: serde_saphyr::alias_limits! {
            max_total_replayed_events: 100_000,
            max_replay_stack_depth: 16,
        },
        // `n` and `on` are strings, not booleans.
        strict_booleans: true,
        duplicate_keys: duplicate_keys,
        with_snippet: false,
    };
    serde_saphyr::from_str_with_options(text, options).map_err(|error| {
        let line = error.location().map_or(0, |location| location.line().saturating_sub(1));
        let error = error.without_snippet();
        if let serde_saphyr::Error::DuplicateMappingKey { key, .. } = error {
            return ParseError::duplicate(line, key.as_deref().unwrap_or("of a mapping"));
        }
        let defect = match error {
            serde_saphyr::Error::UnknownAnchor { .. } => Defect::UnknownAnchor,
            _ => Defect::Invalid,
        };
        let text = error.to_string();
        let text = text.lines().next().and_then(|first| first.split(" at line ").next()).unwrap_or_default();
        let exceeds_limit = ["budget breached", "recursion limit", "alias replay", "alias expansion"]
            .iter()
            .any(|message| text.contains(message));
        let message = if exceeds_limit {
            "its YAML is nested too deeply or expands too many aliases".to_owned()
        } else {
            "it is not valid YAML".to_owned()
        };
        ParseError { defect, line, message }
    })
}

#[cfg(test)]
mod tests {
    use serde::Deserialize;
    use serde_json::{Value, json};

    use super::super::large_stack::with_large_stack;
    use super::*;

    fn error(text: &str, syntax: Syntax) -> ParseError {
        with_large_stack(|| parse::<Value>(text.as_bytes(), syntax)).unwrap().unwrap_err()
    }

    #[test]
    fn an_entry_is_read_without_its_dash() {
        let expected = json!({"a": {"b": [1, "x"]}, "c": "d"});
        for text in [
            "- a:\n    b:\n    - 1\n    - x\n  c: d\n",
            "  - a:\n      b: [1, x]\n    c: d\n",
            "-\n  a:\n    b: [1, x]\n  c: d\n",
            "-   a: {b: [1, x]}\n    c: d\n",
        ] {
            assert_eq!(parse::<Value>(text.as_bytes(), Syntax::YamlItem).unwrap(), expected, "{text}");
        }
    }

    #[test]
    fn what_is_wrong_is_said_with_its_line() {
        assert_eq!(error("{\"a\":\n1,}", Syntax::Json).line, 1);
        assert_eq!(
            error("{\"a\":\n1", Syntax::Json),
            ParseError { line: 1, ..ParseError::new("it is truncated") }
        );
        let bytes = parse::<Value>(b"{\n\"a\": \"\xff\"}", Syntax::Json).unwrap_err();
        assert_eq!(bytes, ParseError { line: 1, ..ParseError::new("it is not valid UTF-8") });
    }

    #[test]
    fn of_a_duplicate_key_the_last_value_is_used() {
        #[derive(Debug, Deserialize, PartialEq, Eq)]
        struct Thing {
            a: u8,
        }
        for (text, syntax) in
            [("a: 1\nb: 2\na: 3\n", Syntax::Yaml), ("{\"a\": 1,\n\n\"a\": 3}", Syntax::Json)]
        {
            let parsed = with_large_stack(|| parse_with_warning::<Thing>(text.as_bytes(), syntax)).unwrap();
            let ParsedText { value, warning } = parsed.unwrap();
            assert_eq!(value, Thing { a: 3 });
            let warning = warning.unwrap();
            assert_eq!((warning.defect, warning.line), (Defect::DuplicateKey, 2));
            assert_eq!(warning.message, "it has the key a twice; the last value is used");
        }
    }

    #[test]
    fn hostile_yaml_is_refused() {
        let mut bomb = "a0: &a0 [x, x, x, x, x, x, x, x, x]\n".to_owned();
        for level in 1..20 {
            let inner = format!("*a{}, ", level - 1).repeat(9);
            bomb = format!("{bomb}a{level}: &a{level} [{inner}]\n");
        }
        let steep = (0..5_000).map(|level| " ".repeat(level)).collect::<Vec<_>>().join("a:\n");
        for text in [
            bomb,
            format!("a: {}{}", "[".repeat(200), "]".repeat(200)),
            format!("a: {}", "[".repeat(100_000)),
            "- ".repeat(5_000),
            "? ".repeat(5_000),
            steep,
        ] {
            assert_eq!(
                error(&text, Syntax::Yaml).message,
                "its YAML is nested too deeply or expands too many aliases"
            );
        }
        let fits = format!("a: {}{}", "[".repeat(120), "]".repeat(120));
        assert!(with_large_stack(|| parse::<Value>(fits.as_bytes(), Syntax::Yaml)).unwrap().is_ok());
    }
}
