//! The discovery documents of an API server, aggregated and legacy.

use std::collections::HashMap;

use serde::Deserialize;

use crate::model::kind::{Kind, KindScope};

/// An `APIGroupDiscoveryList`: one document for `/api`, one for `/apis`.
#[derive(Debug, Deserialize)]
pub(super) struct AggregatedDiscovery {
    #[serde(default)]
    items: Vec<GroupDiscovery>,
}

#[derive(Debug, Deserialize)]
struct GroupDiscovery {
    #[serde(default)]
    metadata: GroupMeta,
    #[serde(default)]
    versions: Vec<VersionDiscovery>,
}

#[derive(Debug, Default, Deserialize)]
struct GroupMeta {
    #[serde(default)]
    name: String,
}

#[derive(Debug, Deserialize)]
struct VersionDiscovery {
    #[serde(rename = "version")]
    name: String,
    #[serde(default)]
    resources: Vec<ResourceDiscovery>,
    /// `Stale` if the aggregated API server is unavailable.
    #[serde(default)]
    freshness: String,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
struct ResourceDiscovery {
    #[serde(rename = "resource")]
    plural: String,
    #[serde(default)]
    response_kind: ResponseKind,
    #[serde(default)]
    scope: String,
    #[serde(default, rename = "singularResource")]
    singular: String,
    #[serde(default)]
    short_names: Vec<String>,
    #[serde(default)]
    categories: Vec<String>,
    #[serde(default)]
    verbs: Vec<String>,
}

#[derive(Debug, Default, Deserialize)]
struct ResponseKind {
    #[serde(default)]
    kind: String,
}

/// The kinds in a document.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct ServedKinds {
    /// In the server's order, each in its preferred version.
    pub(super) kinds: Vec<Kind>,
    /// Unavailable groups, as `group/version`.
    pub(super) stale: Vec<String>,
}

impl AggregatedDiscovery {
    /// Converts it to kinds.
    pub(super) fn into_served_kinds(self) -> ServedKinds {
        let mut served = ServedKinds::default();
        for group in self.items {
            let name = group.metadata.name;
            let stale = group.versions.iter().filter(|version| version.freshness == "Stale");
            served.stale.extend(stale.map(|version| format!("{name}/{}", version.name)));
            let versions = group.versions.into_iter().map(|version| {
                let kinds =
                    version.resources.into_iter().filter_map(|resource| resource.kind(&name, &version.name));
                kinds.collect()
            });
            served.kinds.extend(preferred(versions));
        }
        served
    }
}

impl ResourceDiscovery {
    fn kind(self, group: &str, version: &str) -> Option<Kind> {
        // Subresources, and resources without a kind, are not listable objects.
        let known = !self.response_kind.kind.is_empty() && !self.plural.contains('/');
        known.then(|| Kind {
            group: group.to_owned(),
            version: version.to_owned(),
            kind: self.response_kind.kind,
            plural: self.plural,
            singular: self.singular,
            short_names: self.short_names,
            categories: self.categories,
            scope: if self.scope == "Namespaced" { KindScope::Namespaced } else { KindScope::Cluster },
            verbs: self.verbs,
            versions: vec![version.to_owned()],
        })
    }
}

/// One kind per resource, in the first version that has it, with a list of all its versions.
pub(super) fn preferred(versions: impl IntoIterator<Item = Vec<Kind>>) -> Vec<Kind> {
    let mut kinds: Vec<Kind> = Vec::new();
    let mut index_of: HashMap<String, usize> = HashMap::new();
    for kind in versions.into_iter().flatten() {
        if let Some(index) = index_of.get(&kind.plural) {
            kinds[*index].versions.push(kind.version);
        } else {
            index_of.insert(kind.plural.clone(), kinds.len());
            kinds.push(kind);
        }
    }
    kinds
}

/// An `APIVersions` document: the legacy form of `/api`.
#[derive(Debug, Deserialize)]
pub(super) struct ApiVersions {
    #[serde(default)]
    pub(super) versions: Vec<String>,
}

/// An `APIGroupList`: the legacy form of `/apis`.
#[derive(Debug, Deserialize)]
pub(super) struct ApiGroupList {
    #[serde(default)]
    groups: Vec<ApiGroup>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
struct ApiGroup {
    name: String,
    #[serde(default)]
    versions: Vec<ApiGroupVersion>,
    #[serde(default)]
    preferred_version: Option<ApiGroupVersion>,
}

#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
struct ApiGroupVersion {
    version: String,
}

impl ApiGroupList {
    /// Each group with its versions, the preferred one first.
    pub(super) fn versions(self) -> Vec<(String, Vec<String>)> {
        let order = |group: ApiGroup| {
            let first = group.preferred_version.filter(|version| group.versions.contains(version));
            let rest = group.versions.into_iter().filter(|version| Some(version) != first.as_ref());
            let versions = first.clone().into_iter().chain(rest).map(|version| version.version).collect();
            (group.name, versions)
        };
        self.groups.into_iter().map(order).collect()
    }
}

/// An `APIResourceList`: the legacy form of one group version.
#[derive(Debug, Deserialize)]
pub(super) struct ApiResourceList {
    #[serde(default)]
    resources: Vec<ApiResource>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
struct ApiResource {
    name: String,
    #[serde(default)]
    kind: String,
    #[serde(default)]
    namespaced: bool,
    #[serde(default)]
    singular_name: String,
    #[serde(default)]
    short_names: Vec<String>,
    #[serde(default)]
    categories: Vec<String>,
    #[serde(default)]
    verbs: Vec<String>,
}

impl ApiResourceList {
    /// The kinds in it.
    pub(super) fn kinds(self, group: &str, version: &str) -> Vec<Kind> {
        let kind = |resource: ApiResource| {
            let scope = if resource.namespaced { "Namespaced" } else { "Cluster" };
            ResourceDiscovery {
                plural: resource.name,
                response_kind: ResponseKind { kind: resource.kind },
                scope: scope.to_owned(),
                singular: resource.singular_name,
                short_names: resource.short_names,
                categories: resource.categories,
                verbs: resource.verbs,
            }
            .kind(group, version)
        };
        self.resources.into_iter().filter_map(kind).collect()
    }
}
