//! Names of objects, for hints and prompts, and names of namespaces.

use serde::Deserialize;

use super::request::RequestError;
use super::{Cluster, path};
use crate::model::kind::Kind;
use crate::source::selection::NamespacedName;

const ACCEPT: &str = "application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1,application/json";
/// The maximum number of names.
const MAX_NAMES: usize = 500;

#[derive(Deserialize)]
struct NameList {
    items: Option<Vec<NameItem>>,
}

#[derive(Deserialize)]
struct NameItem {
    #[serde(default)]
    metadata: NameItemMeta,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct NameItemMeta {
    name: String,
    namespace: String,
}

impl Cluster {
    /// The objects of a kind in all namespaces, or in `namespace` if those cannot be listed; empty if neither can. At
    /// most [`MAX_NAMES`] objects.
    pub async fn names(&self, kind: &Kind, namespace: Option<&str>) -> Vec<NamespacedName> {
        match self.names_in(kind, None).await {
            Ok(names) => names,
            Err(_) if namespace.is_some() => self.names_in(kind, namespace).await.unwrap_or_default(),
            Err(_) => Vec::new(),
        }
    }

    /// The names of all namespaces.
    pub(super) async fn namespaces(&self) -> Result<Vec<String>, RequestError> {
        Ok(self.names_at("/api/v1/namespaces").await?.into_iter().map(|named| named.name).collect())
    }

    async fn names_in(
        &self,
        kind: &Kind,
        namespace: Option<&str>,
    ) -> Result<Vec<NamespacedName>, RequestError> {
        self.names_at(&path::list(kind, namespace)).await
    }

    async fn names_at(&self, path: &str) -> Result<Vec<NamespacedName>, RequestError> {
        let names: NameList = self.get_json(&format!("{path}?limit={MAX_NAMES}"), ACCEPT).await?;
        Ok(names.items.unwrap_or_default().into_iter().map(named).collect())
    }
}

fn named(item: NameItem) -> NamespacedName {
    NamespacedName { name: item.metadata.name, namespace: item.metadata.namespace }
}
