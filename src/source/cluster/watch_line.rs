//! Parses one line of a watch stream: an event about an object, a bookmark or an error.

use std::sync::Arc;

use serde::Deserialize;
use serde_json::Value;

use super::list::parse_versioned;
use crate::known::kinds::is_listed_whole;
use crate::model::kind::Kind;
use crate::model::object::Detail;
use crate::source::watch_event::VersionedObject;

/// A parsed line.
#[derive(Debug)]
pub(super) enum WatchLine {
    /// An object was added or changed.
    Applied(Box<VersionedObject>),
    Deleted(Box<VersionedObject>),
    /// A resource version to resume from.
    Bookmark(String),
    /// The server no longer has the events since the requested version.
    Expired,
    /// The watch cannot continue; the message of the server.
    Failed(String),
    /// An unknown type; it is ignored.
    Other,
}

#[derive(Deserialize)]
struct JsonWatchEvent {
    #[serde(default, rename = "type")]
    event_type: String,
    #[serde(default)]
    object: Value,
}

/// Parses a line about objects of a kind; `None` if it is malformed.
pub(super) fn parse(kind: &Arc<Kind>, line: &[u8]) -> Option<WatchLine> {
    let JsonWatchEvent { event_type, object } = serde_json::from_slice(line).ok()?;
    Some(match event_type.as_str() {
        "ADDED" | "MODIFIED" => WatchLine::Applied(Box::new(parse_versioned(kind, object, detail(kind))?)),
        "DELETED" => WatchLine::Deleted(Box::new(parse_versioned(kind, object, detail(kind))?)),
        "BOOKMARK" => WatchLine::Bookmark(object["metadata"]["resourceVersion"].as_str()?.to_owned()),
        "ERROR" if object["code"] == 410 || object["reason"] == "Expired" => WatchLine::Expired,
        "ERROR" => {
            WatchLine::Failed(object["message"].as_str().unwrap_or("the server closed the watch").to_owned())
        }
        _ => WatchLine::Other,
    })
}

/// How much of an object is requested in a watch.
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
            Some(WatchLine::Applied(applied)) => {
                format!(
                    "applied {} {} {}",
                    applied.object.meta.name.name,
                    applied.version,
                    applied.object.whole().is_some()
                )
            }
            Some(WatchLine::Deleted(deleted)) => format!("deleted {}", deleted.object.meta.uid),
            Some(WatchLine::Bookmark(version)) => format!("bookmark {version}"),
            other => format!("{other:?}"),
        }
    }

    #[test]
    fn every_type_of_line_is_parsed() {
        let object = r#"{"metadata":{"name":"a","uid":"u","resourceVersion":"7","labels":null}}"#;
        for (plural, line, expected) in [
            ("pods", format!(r#"{{"type":"ADDED","object":{object}}}"#), "applied a 7 false"),
            ("services", format!(r#"{{"type":"MODIFIED","object":{object}}}"#), "applied a 7 true"),
            ("pods", format!(r#"{{"type":"DELETED","object":{object}}}"#), "deleted u"),
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
