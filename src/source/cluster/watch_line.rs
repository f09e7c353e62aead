//! One line of a watch: an object that is there or gone, a mark on the way, or the server's excuse.

use std::sync::Arc;

use serde::Deserialize;
use serde_json::Value;

use super::list::parse_versioned;
use crate::known::kinds::is_listed_whole;
use crate::model::kind::Kind;
use crate::model::object::Detail;
use crate::source::watch_event::VersionedObject;

/// What a line says.
#[derive(Debug)]
pub(super) enum WatchLine {
    /// An object was added or changed.
    Applied(Box<VersionedObject>),
    Deleted(Box<VersionedObject>),
    /// Nothing happened up to this version.
    Bookmark(String),
    /// The server forgot what lies between.
    Expired,
    /// The watch cannot go on, in the server's words.
    Failed(String),
    /// Of no known sort; it is passed over.
    Other,
}

#[derive(Deserialize)]
struct JsonWatchEvent {
    #[serde(default, rename = "type")]
    kind: String,
    #[serde(default)]
    object: Value,
}

/// Reads a line about objects of a kind; nothing when it is no such line.
pub(super) fn parse(kind: &Arc<Kind>, line: &[u8]) -> Option<WatchLine> {
    let JsonWatchEvent { kind: word, object } = serde_json::from_slice(line).ok()?;
    Some(match word.as_str() {
        "ADDED" | "MODIFIED" => WatchLine::Applied(Box::new(parse_versioned(kind, object, detail(kind))?)),
        "DELETED" => WatchLine::Deleted(Box::new(parse_versioned(kind, object, detail(kind))?)),
        "BOOKMARK" => WatchLine::Bookmark(object["metadata"]["resourceVersion"].as_str()?.to_owned()),
        "ERROR" if object["code"] == 410 || object["reason"] == "Expired" => WatchLine::Expired,
        "ERROR" => {
            WatchLine::Failed(object["message"].as_str().unwrap_or("the server ended the watch").to_owned())
        }
        _ => WatchLine::Other,
    })
}

/// How much of an object its watch brings.
pub(super) fn detail(kind: &Kind) -> Detail {
    if is_listed_whole(kind) { Detail::Whole } else { Detail::Metadata }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn kind(plural: &str) -> Arc<Kind> {
        Arc::new(Kind {
            version: "v1".into(),
            kind: "Thing".into(),
            plural: plural.into(),
            versions: vec!["v1".into()],
            ..Kind::default()
        })
    }

    fn describe(plural: &str, line: &str) -> String {
        match parse(&kind(plural), line.as_bytes()) {
            Some(WatchLine::Applied(there)) => {
                format!(
                    "there {} {} {}",
                    there.object.meta.name.name,
                    there.version,
                    there.object.whole().is_some()
                )
            }
            Some(WatchLine::Deleted(gone)) => format!("gone {}", gone.object.meta.uid),
            Some(WatchLine::Bookmark(version)) => format!("bookmark {version}"),
            other => format!("{other:?}"),
        }
    }

    #[test]
    fn every_sort_of_line_is_understood() {
        let object = r#"{"metadata":{"name":"a","uid":"u","resourceVersion":"7","labels":null}}"#;
        for (plural, line, expected) in [
            ("pods", format!(r#"{{"type":"ADDED","object":{object}}}"#), "there a 7 false"),
            ("services", format!(r#"{{"type":"MODIFIED","object":{object}}}"#), "there a 7 true"),
            ("pods", format!(r#"{{"type":"DELETED","object":{object}}}"#), "gone u"),
            ("pods", format!(r#"{{"type":"BOOKMARK","object":{object}}}"#), "bookmark 7"),
            ("pods", r#"{"type":"ERROR","object":{"kind":"Status","code":410}}"#.into(), "Some(Expired)"),
            (
                "pods",
                r#"{"type":"ERROR","object":{"code":500,"message":"oh"}}"#.into(),
                r#"Some(Failed("oh"))"#,
            ),
            ("pods", r#"{"type":"SOMETHING","object":{}}"#.into(), "Some(Other)"),
            ("pods", r#"{"type":"ADDED","object":null}"#.into(), "None"),
            ("pods", "<html>".into(), "None"),
        ] {
            assert_eq!(describe(plural, &line), expected, "{line}");
        }
    }

    proptest! {
        #[test]
        fn never_panics(word in "ADDED|DELETED|BOOKMARK|ERROR|x", object in ".*|\\{\"metadata\":[^}]*\\}") {
            let line = format!("{{\"type\":\"{word}\",\"object\":{object}}}");
            drop(parse(&kind("pods"), line.as_bytes()));
            drop(parse(&kind("services"), object.as_bytes()));
        }
    }
}
