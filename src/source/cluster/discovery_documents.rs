//! The discovery documents of an API server, aggregated and legacy.

use std::collections::{HashMap, HashSet};

use serde::Deserialize;

use crate::model::kind::{Kind, KindScope, StatusSubresource};

/// The subresource by which controllers write a status.
const STATUS: &str = "status";

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
    #[serde(default)]
    subresources: Vec<SubresourceDiscovery>,
}

#[derive(Debug, Deserialize)]
struct SubresourceDiscovery {
    #[serde(default, rename = "subresource")]
    name: String,
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
        let has_status = self.subresources.iter().any(|subresource| subresource.name == STATUS);
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
            status_subresource: StatusSubresource::listed(has_status),
        })
    }
}

/// One kind per resource, in the first version that has it, with a list of all its versions.
pub(super) fn preferred(versions: impl IntoIterator<Item = Vec<Kind>>) -> Vec<Kind> {
    let mut kinds: Vec<Kind> = Vec::new();
    let mut index_of: HashMap<String, usize> = HashMap::new();
    for kind in versions.into_iter().flatten() {
        if let Some(index) = index_of.get(&kind.plural) {
            let known = &mut kinds[*index];
            known.status_subresource = known.status_subresource.or(kind.status_subresource);
            known.versions.push(kind.version);
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
        // Subresources are resources of their own here: `things/status`.
        let subresource = |resource: &ApiResource| {
            let (plural, name) = resource.name.split_once('/')?;
            (name == STATUS).then(|| plural.to_owned())
        };
        let with_status: HashSet<String> = self.resources.iter().filter_map(subresource).collect();
        let kind = |resource: ApiResource| {
            let has_status = with_status.contains(&resource.name);
            let subresources = has_status.then(|| SubresourceDiscovery { name: STATUS.to_owned() });
            let scope = if resource.namespaced { "Namespaced" } else { "Cluster" };
            ResourceDiscovery {
                plural: resource.name,
                response_kind: ResponseKind { kind: resource.kind },
                scope: scope.to_owned(),
                singular: resource.singular_name,
                short_names: resource.short_names,
                categories: resource.categories,
                verbs: resource.verbs,
                subresources: subresources.into_iter().collect(),
            }
            .kind(group, version)
        };
        self.resources.into_iter().filter_map(kind).collect()
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn subresources(kinds: &[Kind]) -> Vec<(&str, StatusSubresource)> {
        kinds.iter().map(|kind| (kind.plural.as_str(), kind.status_subresource)).collect()
    }

    #[test]
    fn an_aggregated_document_lists_subresources_with_their_resource() {
        let thing = |plural: &str, subresources: &[&str]| {
            let subresources: Vec<_> =
                subresources.iter().map(|name| json!({"subresource": name, "verbs": ["get"]})).collect();
            json!({"resource": plural, "responseKind": {"kind": "Thing"}, "subresources": subresources})
        };
        let document = json!({"items": [{"metadata": {"name": "example.com"}, "versions": [
            {"version": "v2", "resources": [
                thing("kept", &["status"]), thing("bare", &[]), thing("scaled", &["scale"]), thing("late", &[]),
            ]},
            {"version": "v1", "resources": [thing("late", &["scale", "status"])]},
        ]}]});
        let served = AggregatedDiscovery::deserialize(document).unwrap().into_served_kinds();
        assert_eq!(
            subresources(&served.kinds),
            [
                ("kept", StatusSubresource::Present),
                ("bare", StatusSubresource::Absent),
                ("scaled", StatusSubresource::Absent),
                // A status that is written in one version is there in all.
                ("late", StatusSubresource::Present),
            ]
        );
    }

    #[test]
    fn a_legacy_document_lists_subresources_as_resources() {
        let list = json!({"resources": [
            {"name": "kept", "kind": "Kept"}, {"name": "kept/status", "kind": "Kept"},
            {"name": "bare", "kind": "Bare"}, {"name": "bare/scale", "kind": "Scale"},
        ]});
        let kinds = ApiResourceList::deserialize(list).unwrap().kinds("example.com", "v1");
        assert_eq!(
            subresources(&kinds),
            [("kept", StatusSubresource::Present), ("bare", StatusSubresource::Absent)]
        );
    }
}
