//! One line of a watch: an object that is there or gone, a mark on the way, or the server's excuse.

use std::sync::Arc;

use serde::Deserialize;
use serde_json::Value;

use super::list::kept_whole;
use crate::model::kind::Kind;
use crate::model::snapshot::Object;
use crate::source::json_meta::JsonMeta;
use crate::source::pointing::points_at_others;
use crate::source::watch_event::VersionedObject;

/// What a line says.
#[derive(Debug)]
pub(super) enum Event {
    /// An object is there, new or changed.
    There(Box<VersionedObject>),
    Gone(Box<VersionedObject>),
    /// Nothing happened up to this version.
    Mark(String),
    /// The server forgot what lies between.
    Expired,
    /// The watch cannot go on, in the server's words.
    Failed(String),
    /// Of no known sort; it is passed over.
    Other,
}

#[derive(Deserialize)]
struct Line {
    #[serde(default, rename = "type")]
    kind: String,
    #[serde(default)]
    object: Value,
}

/// Reads a line about objects of a kind; nothing when it is no such line.
pub(super) fn read(kind: &Arc<Kind>, line: &[u8]) -> Option<Event> {
    let Line { kind: word, object } = serde_json::from_slice(line).ok()?;
    Some(match word.as_str() {
        "ADDED" | "MODIFIED" => Event::There(Box::new(versioned(kind, object)?)),
        "DELETED" => Event::Gone(Box::new(versioned(kind, object)?)),
        "BOOKMARK" => Event::Mark(object["metadata"]["resourceVersion"].as_str()?.to_owned()),
        "ERROR" if object["code"] == 410 || object["reason"] == "Expired" => Event::Expired,
        "ERROR" => {
            Event::Failed(object["message"].as_str().unwrap_or("the server ended the watch").to_owned())
        }
        _ => Event::Other,
    })
}

fn versioned(kind: &Arc<Kind>, object: Value) -> Option<VersionedObject> {
    let (meta, body, version) = if points_at_others(kind) {
        let kept = kept_whole(kind, object)?;
        (kept.meta, kept.body, kept.version)
    } else {
        let meta = JsonMeta::deserialize(object.get("metadata")?).ok()?;
        let version = meta.resource_version().to_owned();
        (meta.into_meta(kind), None, version)
    };
    Some(VersionedObject { object: Object { kind: Arc::clone(kind), meta, body }, version })
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

    fn told(plural: &str, line: &str) -> String {
        match read(&kind(plural), line.as_bytes()) {
            Some(Event::There(there)) => {
                format!(
                    "there {} {} {}",
                    there.object.meta.name.name,
                    there.version,
                    there.object.body.is_some()
                )
            }
            Some(Event::Gone(gone)) => format!("gone {}", gone.object.meta.uid),
            Some(Event::Mark(version)) => format!("mark {version}"),
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
            ("pods", format!(r#"{{"type":"BOOKMARK","object":{object}}}"#), "mark 7"),
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
            assert_eq!(told(plural, &line), expected, "{line}");
        }
    }

    proptest! {
        #[test]
        fn never_panics(word in "ADDED|DELETED|BOOKMARK|ERROR|x", object in ".*|\\{\"metadata\":[^}]*\\}") {
            let line = format!("{{\"type\":\"{word}\",\"object\":{object}}}");
            drop(read(&kind("pods"), line.as_bytes()));
            drop(read(&kind("services"), object.as_bytes()));
        }
    }
}
