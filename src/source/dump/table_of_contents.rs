//! The table of contents that the test lab writes into a dump: which kinds were listed, so that a kind without
//! objects is known to have none, and the logs of crashed containers, which are no objects.

use jiff::Timestamp;
use serde::Deserialize;
use serde_json::Value;

use super::logs::LogName;
use crate::model::json;
use crate::model::kind::{Kind, KindScope, StatusSubresource};
use crate::model::log::ContainerRun;

/// The group and kind of the object that contains it.
pub(super) const GROUP: &str = "kubectl-op";
pub(super) const KIND: &str = "Index";

#[derive(Deserialize)]
struct TableOfContents {
    #[serde(default)]
    kinds: Vec<ContentsKind>,
    #[serde(default)]
    logs: Vec<ContentsLog>,
}

#[derive(Deserialize)]
struct ContentsLog {
    namespace: String,
    pod: String,
    container: String,
    #[serde(default)]
    previous: bool,
    text: String,
}

/// What a table of contents says.
#[derive(Debug, Default)]
pub(super) struct Contents {
    /// The kinds that were listed.
    pub(super) kinds: Vec<Kind>,
    /// The captured logs.
    pub(super) logs: Vec<(LogName, String)>,
    /// When the dump was made.
    pub(super) time: Option<Timestamp>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct ContentsKind {
    #[serde(default)]
    group: String,
    version: String,
    kind: String,
    plural: String,
    #[serde(default)]
    singular: String,
    #[serde(default)]
    short_names: Vec<String>,
    #[serde(default)]
    categories: Vec<String>,
    namespaced: bool,
    #[serde(default)]
    verbs: Vec<String>,
}

/// Reads a table of contents; the result is empty when `body` is none.
pub(super) fn read(body: &Value) -> Contents {
    let Ok(contents) = TableOfContents::deserialize(body) else { return Contents::default() };
    let kind = |listed: ContentsKind| Kind {
        versions: vec![listed.version.clone()],
        group: listed.group,
        version: listed.version,
        kind: listed.kind,
        plural: listed.plural,
        singular: listed.singular,
        short_names: listed.short_names,
        categories: listed.categories,
        scope: if listed.namespaced { KindScope::Namespaced } else { KindScope::Cluster },
        verbs: listed.verbs,
        status_subresource: StatusSubresource::Unknown,
    };
    let log = |log: ContentsLog| {
        let run = if log.previous { ContainerRun::Previous } else { ContainerRun::Current };
        let container = Some(log.container);
        (LogName { namespace: log.namespace, pod: log.pod, container, run }, log.text)
    };
    Contents {
        kinds: contents.kinds.into_iter().map(kind).collect(),
        logs: contents.logs.into_iter().map(log).collect(),
        time: json::time(body, &["time"]),
    }
}
