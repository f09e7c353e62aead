//! What is wrong in the settings file, with its line: the errors of serde and of the YAML reader in our own
//! words. What a field may contain is said here, since an error has only the path of the field.

use serde_path_to_error::{Path, Segment};
use serde_saphyr::Error;

/// One thing that is wrong, and where.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct FieldError {
    pub(super) line: u64,
    pub(super) message: String,
    /// What should be there.
    pub(super) hint: String,
}

impl FieldError {
    /// Translates an error that was found while the field at `path` was read.
    pub(super) fn explain(error: &Error, path: &Path) -> Self {
        let line = error.location().map_or(1, |location| location.line());
        let path: Vec<String> = path.iter().filter_map(segment).collect();
        let path: Vec<&str> = path.iter().map(String::as_str).collect();
        let (message, expected) = match original(error) {
            Error::SerdeUnknownField { field, expected, .. } => {
                let parent = match path.split_last() {
                    Some((_, parent)) if !parent.is_empty() => format!(" in {}", join(parent)),
                    _ => String::new(),
                };
                (format!("unknown key {field:?}{parent}"), format!("one of {}", expected.join(", ")))
            }
            Error::SerdeUnknownVariant { variant, .. } => return Self::value(line, &path, variant),
            Error::SerdeMissingField { field, .. } => return Self::missing(line, &join(&path), field),
            Error::DuplicateMappingKey { key, .. } => {
                let key = key.as_ref().map_or_else(|| "a key".to_owned(), |key| format!("key {key:?}"));
                (format!("{key} is given twice"), "every key once".to_owned())
            }
            Error::MultipleDocuments { .. } => ("more than one YAML document".to_owned(), "one".to_owned()),
            Error::Budget { .. }
            | Error::AliasReplayLimitExceeded { .. }
            | Error::AliasExpansionLimitExceeded { .. }
            | Error::AliasReplayStackDepthExceeded { .. } => (
                "the file is nested too deeply, or has too many aliases".to_owned(),
                field(&[]).expected.to_owned(),
            ),
            Error::Unexpected { .. }
            | Error::NullIntoString { .. }
            | Error::NonFiniteFloat { .. }
            | Error::SerdeInvalidType { .. }
            | Error::ExternallyTaggedEnumExpectedScalarOrMapping { .. }
            | Error::UnexpectedValueForUnitEnumVariant { .. } => return Self::wrong_type(line, &path),
            _ => ("invalid YAML".to_owned(), field(&[]).expected.to_owned()),
        };
        Self::expected(line, message, &expected)
    }

    /// An error with what was expected instead.
    pub(super) fn expected(line: u64, message: String, expected: &str) -> Self {
        Self { line, message, hint: format!("expected {expected}") }
    }

    /// The field at `path` is of the wrong type.
    pub(super) fn wrong_type(line: u64, path: &[&str]) -> Self {
        let Field { fault, expected } = field(path);
        Self::expected(line, format!("{} {fault}", join(path)), expected)
    }

    /// The field at `path` is a string, but not a valid one.
    pub(super) fn value(line: u64, path: &[&str], value: &str) -> Self {
        Self::expected(line, format!("invalid value {value:?} for {}", join(path)), field(path).expected)
    }

    /// A condition has no `key`.
    pub(super) fn missing(line: u64, condition: &str, key: &str) -> Self {
        Self::expected(line, format!("{condition} has no {key}"), "a type and a meaning")
    }
}

/// The message for a field of the wrong type, and what the field should contain.
struct Field {
    fault: &'static str,
    expected: &'static str,
}

fn field(path: &[&str]) -> Field {
    let map = |expected| Field { fault: "is not a map", expected };
    let list = |expected| Field { fault: "is not a list", expected };
    let string = |expected| Field { fault: "is not a string", expected };
    match path {
        ["conditions"] => list("a list of conditions"),
        ["conditions", _] => map("a map with the keys type, group, kind, meaning"),
        ["conditions", _, "type"] => string("a condition type such as Ready"),
        ["conditions", _, "group"] => string("an API group, or \"\" for the core group"),
        ["conditions", _, "kind"] => string("a kind such as Deployment"),
        ["conditions", _, "meaning", ..] => {
            string("good, bad, progressing, paused or neutral: what the condition means when it is True")
        }
        ["skip"] => list("a list of codes such as OP-T004"),
        ["skip", ..] => string("a code such as OP-T004"),
        ["defaults"] => map("a map of commands"),
        ["defaults", _] => map("a map of flags"),
        ["defaults", ..] => Field {
            fault: "has an invalid value",
            expected: "a string, a number, true, false, or a list of them",
        },
        _ => map("a map with the keys conditions, skip, defaults"),
    }
}

/// Stands for a command or a flag in `defaults`: `serde_path_to_error` does not record a key that is read with
/// its line.
const UNKNOWN: &str = "?";

fn segment(segment: &Segment) -> Option<String> {
    match segment {
        Segment::Seq { index } => Some(format!("[{index}]")),
        // Added by `Spanned`; no key of the file has this name.
        Segment::Map { key } if key == "value" => None,
        Segment::Map { key } => Some(key.clone()),
        // `meaning: {good: 1}`: the path ends at the field.
        Segment::Enum { .. } => None,
        Segment::Unknown => Some(UNKNOWN.to_owned()),
    }
}

/// The path as a message shows it: `conditions[0].type`.
fn join(path: &[&str]) -> String {
    match path {
        [] => "the file".to_owned(),
        [section, UNKNOWN] => format!("an entry of {section}"),
        [section, UNKNOWN, ..] => format!("a flag in {section}"),
        [first, rest @ ..] => rest.iter().fold((*first).to_owned(), |path, segment| {
            if segment.starts_with('[') { path + segment } else { format!("{path}.{segment}") }
        }),
    }
}

/// The error itself, without the location of the alias that led to it.
fn original(mut error: &Error) -> &Error {
    while let Error::AliasError { error: inner, .. } | Error::WithSnippet { error: inner, .. } = error {
        error = inner;
    }
    error
}
