//! Discovery of the served kinds: two requests on servers since 1.26, one per group version before.

use std::sync::Arc;

use futures_util::StreamExt as _;
use serde::Deserialize;
use serde_json::Value;

use super::Cluster;
use super::discovery_documents::{
    AggregatedDiscovery, ApiGroupList, ApiResourceList, ApiVersions, ServedKinds, preferred,
};
use super::request::RequestError;
use crate::error::Failure;
use crate::model::gap::{Gap, Reason};
use crate::source::selection::Discovered;

/// All formats, the preferred first.
const ACCEPT: &str = "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList,\
    application/json;g=apidiscovery.k8s.io;v=v2beta1;as=APIGroupDiscoveryList,application/json";

/// A document of `/api` or `/apis`.
enum Document {
    Aggregated(ServedKinds),
    Legacy(Value),
}

impl Cluster {
    /// Discovers the served kinds. A group that cannot be discovered is a gap; only a failure of `/api` is an error.
    pub async fn discover(&self) -> Result<Discovered, Failure> {
        let (core, groups) = tokio::join!(self.discovery_document("/api"), self.discovery_document("/apis"));
        let mut found = ServedKinds::default();
        let mut gaps = Vec::new();
        match core.map_err(RequestError::failure)? {
            Document::Aggregated(served) => found = served,
            Document::Legacy(document) => {
                let versions: ApiVersions =
                    serde_json::from_value(document).unwrap_or(ApiVersions { versions: Vec::new() });
                self.discover_each(vec![(String::new(), versions.versions)], &mut found, &mut gaps).await;
            }
        }
        match groups {
            Ok(Document::Aggregated(served)) => {
                found.kinds.extend(served.kinds);
                found.stale.extend(served.stale);
            }
            Ok(Document::Legacy(document)) => {
                let groups = serde_json::from_value::<ApiGroupList>(document)
                    .map(ApiGroupList::versions)
                    .unwrap_or_default();
                self.discover_each(groups, &mut found, &mut gaps).await;
            }
            Err(error) => gaps.push(missing("", error.reason, error.status, error.message)),
        }
        gaps.extend(found.stale.iter().map(|group| {
            missing(group, Reason::Unavailable, None, "its aggregated API server is unavailable".to_owned())
        }));
        gaps.sort();
        Ok(Discovered { kinds: found.kinds.into_iter().map(Arc::new).collect(), gaps })
    }

    async fn discovery_document(&self, path: &str) -> Result<Document, RequestError> {
        let document: Value = self.get_json(path, ACCEPT).await?;
        if document["kind"] == "APIGroupDiscoveryList" {
            let unreadable = |_| RequestError::unreadable(&self.server, "not a valid discovery document");
            return AggregatedDiscovery::deserialize(document)
                .map(|list| Document::Aggregated(list.into_served_kinds()))
                .map_err(unreadable);
        }
        Ok(Document::Legacy(document))
    }

    /// For servers before 1.26: one request per version of each group.
    async fn discover_each(
        &self,
        groups: Vec<(String, Vec<String>)>,
        found: &mut ServedKinds,
        gaps: &mut Vec<Gap>,
    ) {
        let requests = groups.into_iter().map(|(group, versions)| async move {
            let (mut kinds, mut gaps) = (Vec::new(), Vec::new());
            for version in versions {
                let name = if group.is_empty() { version.clone() } else { format!("{group}/{version}") };
                let path = if group.is_empty() { format!("/api/{name}") } else { format!("/apis/{name}") };
                match self.get_json::<ApiResourceList>(&path, "application/json").await {
                    Ok(resources) => kinds.push(resources.kinds(&group, &version)),
                    Err(error) => {
                        gaps.push(missing(&name, error.reason, error.status, error.message));
                    }
                }
            }
            (preferred(kinds), gaps)
        });
        // In order: if two groups have a kind with the same name, the first one wins.
        let mut responses = futures_util::stream::iter(requests).buffered(self.max_concurrent());
        while let Some((kinds, missing)) = responses.next().await {
            found.kinds.extend(kinds);
            gaps.extend(missing);
        }
    }
}

/// The gap for a whole group, as `group/version`.
fn missing(group: &str, reason: Reason, status: Option<u16>, message: String) -> Gap {
    Gap {
        group: group.to_owned(),
        resource: String::new(),
        namespace: None,
        verb: "discover",
        reason,
        status,
        message,
    }
}
