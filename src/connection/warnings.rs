//! The `Warning` headers of the server, each text once.

use std::collections::HashSet;
use std::sync::{Arc, Mutex, PoisonError};

use http::{HeaderMap, header};

/// More warnings than this are dropped.
const MAX_WARNINGS: usize = 100;
/// Longer texts are cut off.
const MAX_LENGTH: usize = 2048;

/// The warnings so far; shared by clones.
#[derive(Clone, Default)]
pub(crate) struct Warnings(Arc<Mutex<WarningList>>);

#[derive(Default)]
struct WarningList {
    texts: Vec<String>,
    seen: HashSet<String>,
}

impl Warnings {
    /// All warnings, in the order of arrival.
    pub(crate) fn all(&self) -> Vec<String> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).texts.clone()
    }

    pub(super) fn collect(&self, headers: &HeaderMap) {
        for value in headers.get_all(header::WARNING) {
            let Ok(value) = value.to_str() else { continue };
            let mut list = self.0.lock().unwrap_or_else(PoisonError::into_inner);
            for text in parse_header(value) {
                if list.texts.len() < MAX_WARNINGS && list.seen.insert(text.clone()) {
                    list.texts.push(text);
                }
            }
        }
    }
}

/// The texts of one header: `299 - "text"`, separated by commas. Only code 299 is shown to users; parsing stops at
/// the first malformed entry.
fn parse_header(mut value: &str) -> Vec<String> {
    let mut found = Vec::new();
    while let Some((code, after)) = value.trim_start_matches([' ', ',']).split_once(' ') {
        let Some((_agent, quoted)) = after.trim_start().split_once(' ') else { break };
        let Some((text, rest)) = quoted_string(quoted.trim_start()) else { break };
        if code == "299" && !text.is_empty() {
            found.push(text);
        }
        // A quoted date may follow before the comma.
        let rest = rest.trim_start();
        value = quoted_string(rest).map_or(rest, |(_, rest)| rest);
    }
    found
}

/// Parses a string such as `"a \"b\""`; returns its content and the rest.
fn quoted_string(text: &str) -> Option<(String, &str)> {
    let inner = text.strip_prefix('"')?;
    let (mut out, mut escaped) = (String::new(), false);
    for (at, c) in inner.char_indices() {
        match c {
            '\\' if !escaped => {
                escaped = true;
                continue;
            }
            '"' if !escaped => return Some((out, &inner[at + 1..])),
            _ if out.len() < MAX_LENGTH => out.push(c),
            _ => {}
        }
        escaped = false;
    }
    None
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn a_header_contains_one_text_or_more() {
        for (header, expected) in [
            (r#"299 - "v1 Endpoints is deprecated""#, vec!["v1 Endpoints is deprecated"]),
            (r#"299 - "a, \"b\" \\c", 299 kube "d""#, vec![r#"a, "b" \c"#, "d"]),
            (r#"299 - "a" "Wed, 21 Oct 2015 07:28:00 GMT", 299 - "b""#, vec!["a", "b"]),
            (r#"199 - "not for users", 299 - "b""#, vec!["b"]),
            (r#"299 - "never ends"#, vec![]),
            ("299 - bare", vec![]),
            ("", vec![]),
        ] {
            assert_eq!(parse_header(header), expected, "{header}");
        }
    }

    #[test]
    fn each_text_is_kept_once_and_in_order() {
        let warnings = Warnings::default();
        let mut headers = HeaderMap::new();
        for value in [r#"299 - "b""#, r#"299 - "a""#, r#"299 - "b""#] {
            headers.append(header::WARNING, value.parse().unwrap());
        }
        warnings.collect(&headers);
        warnings.collect(&headers);
        assert_eq!(warnings.all(), ["b", "a"]);
    }

    proptest! {
        #[test]
        fn never_panics_and_never_loops(text in "[0-9 ,\"\\\\a-z-]*|.*") {
            drop(parse_header(&text));
        }
    }
}
