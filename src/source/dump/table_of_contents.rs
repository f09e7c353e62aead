//! The table of contents that the test lab writes into a dump: which kinds were listed, so that a kind without
//! objects is known to have none.

use jiff::Timestamp;
use serde::Deserialize;
use serde_json::Value;

use crate::model::json;
use crate::model::kind::{Kind, KindScope};

/// The group and kind of the object that contains it.
pub(super) const GROUP: &str = "kubectl-op";
pub(super) const KIND: &str = "Index";

#[derive(Deserialize)]
struct TableOfContents {
    #[serde(default)]
    kinds: Vec<ContentsKind>,
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

/// When the dump was made, if the table of contents says so.
pub(super) fn time(body: &Value) -> Option<Timestamp> {
    json::time(body, &["time"])
}

/// The kinds that were listed; empty when `body` is not a table of contents.
pub(super) fn kinds(body: &Value) -> Vec<Kind> {
    let contents = TableOfContents::deserialize(body).map_or_else(|_| Vec::new(), |contents| contents.kinds);
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
    };
    contents.into_iter().map(kind).collect()
}
