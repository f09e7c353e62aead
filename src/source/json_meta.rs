//! An object's metadata as JSON, from a server or a dump; unused fields are skipped.

use serde::Deserialize;

use crate::model::ident::{ObjectName, Uid};
use crate::model::kind::Kind;
use crate::model::meta::{Meta, Owner, OwnerRole};
use crate::model::selector::Labels;

/// Annotations can contain whole documents; those that are used are short.
pub(super) const MAX_ANNOTATION_LEN: usize = 4 << 10;

/// The fields used of `metadata`.
#[derive(Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(super) struct JsonMeta {
    name: Option<String>,
    namespace: Option<String>,
    uid: Option<String>,
    resource_version: Option<String>,
    creation_timestamp: Option<String>,
    deletion_timestamp: Option<String>,
    finalizers: Option<Vec<String>>,
    owner_references: Option<Vec<JsonOwnerReference>>,
    labels: Option<Labels>,
    annotations: Option<Labels>,
}

#[derive(Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
struct JsonOwnerReference {
    api_version: String,
    kind: String,
    name: String,
    uid: String,
    controller: Option<bool>,
}

impl JsonMeta {
    /// From the `metadata` of a document.
    pub(super) fn of(metadata: &serde_json::Map<String, serde_json::Value>) -> Option<Self> {
        Self::deserialize(metadata).ok()
    }

    /// Whether the object names any owner.
    pub(super) fn has_owner(&self) -> bool {
        self.owner_references.as_ref().is_some_and(|owners| !owners.is_empty())
    }

    /// Whether it is being deleted.
    pub(super) fn is_deleting(&self) -> bool {
        self.deletion_timestamp.is_some()
    }

    /// The values of its labels and annotations.
    pub(super) fn values(&self) -> impl Iterator<Item = &str> {
        let both = self.labels.iter().flatten().chain(self.annotations.iter().flatten());
        both.map(|(_, value)| value.as_str())
    }

    /// The object's name.
    pub(super) fn name(&self) -> &str {
        self.name.as_deref().unwrap_or_default()
    }

    /// The object's resource version.
    pub(super) fn resource_version(&self) -> &str {
        self.resource_version.as_deref().unwrap_or_default()
    }

    /// Converts it to the model.
    pub(super) fn into_meta(self, kind: &Kind) -> Meta {
        let time = |text: Option<String>| text.and_then(|text| text.parse().ok());
        let owner = |owner: JsonOwnerReference| Owner {
            api_version: owner.api_version,
            kind: owner.kind,
            name: owner.name,
            uid: Uid(owner.uid),
            role: if owner.controller == Some(true) { OwnerRole::Controller } else { OwnerRole::Plain },
        };
        let mut annotations = self.annotations.unwrap_or_default();
        annotations.retain(|_, value| value.len() <= MAX_ANNOTATION_LEN);
        Meta {
            name: object_name(
                kind,
                self.namespace.as_deref().unwrap_or_default(),
                self.name.as_deref().unwrap_or_default(),
            ),
            uid: Uid(self.uid.unwrap_or_default()),
            created: time(self.creation_timestamp),
            deleted: time(self.deletion_timestamp),
            finalizers: self.finalizers.unwrap_or_default(),
            owners: self.owner_references.unwrap_or_default().into_iter().map(owner).collect(),
            labels: self.labels.unwrap_or_default(),
            annotations,
        }
    }
}

/// The name of an object of a kind.
pub(super) fn object_name(kind: &Kind, namespace: &str, name: &str) -> ObjectName {
    ObjectName {
        api_version: kind.api_version(),
        kind: kind.kind.clone(),
        namespace: (!namespace.is_empty()).then(|| namespace.to_owned()),
        name: name.to_owned(),
    }
}
