//! Which kinds can be listed in a namespace, from the two documents of aggregated discovery.

use serde::Deserialize;

/// How the documents are asked for.
pub(crate) const ACCEPT: &str = "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList";
/// Where they are.
pub(crate) const PATHS: [&str; 2] = ["/api", "/apis"];

/// A namespaced kind that can be listed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Kind {
    group: String,
    version: String,
    plural: String,
}

impl Kind {
    /// The path of its list in a namespace.
    pub(crate) fn path(&self, namespace: &str) -> String {
        let Self { group, version, plural } = self;
        if group.is_empty() {
            format!("/api/{version}/namespaces/{namespace}/{plural}")
        } else {
            format!("/apis/{group}/{version}/namespaces/{namespace}/{plural}")
        }
    }

    /// As kubectl takes it, such as `deployments.apps`.
    pub(crate) fn resource(&self) -> String {
        if self.group.is_empty() { self.plural.clone() } else { format!("{}.{}", self.plural, self.group) }
    }
}

#[derive(Deserialize)]
struct Document {
    items: Vec<Group>,
}

#[derive(Deserialize)]
struct Group {
    #[serde(default)]
    metadata: Metadata,
    #[serde(default)]
    versions: Vec<Version>,
}

#[derive(Default, Deserialize)]
struct Metadata {
    /// Missing for the core group.
    #[serde(default)]
    name: String,
}

#[derive(Deserialize)]
struct Version {
    version: String,
    #[serde(default)]
    resources: Vec<Resource>,
}

#[derive(Deserialize)]
struct Resource {
    #[serde(rename = "resource")]
    plural: String,
    scope: String,
    #[serde(default)]
    verbs: Vec<String>,
}

/// The kinds of one document, each in the first version that has it, which is the one the server prefers.
pub(crate) fn listable(document: &[u8]) -> serde_json::Result<Vec<Kind>> {
    let document: Document = serde_json::from_slice(document)?;
    let mut kinds: Vec<Kind> = Vec::new();
    for group in document.items {
        let first = kinds.len();
        for version in group.versions {
            for resource in version.resources {
                let lists =
                    resource.scope == "Namespaced" && resource.verbs.iter().any(|verb| verb == "list");
                if lists && kinds[first..].iter().all(|kind| kind.plural != resource.plural) {
                    let (group, version) = (group.metadata.name.clone(), version.version.clone());
                    kinds.push(Kind { group, version, plural: resource.plural });
                }
            }
        }
    }
    Ok(kinds)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn resource(plural: &str, scope: &str, verbs: &[&str]) -> serde_json::Value {
        json!({"resource": plural, "scope": scope, "verbs": verbs, "responseKind": {"kind": "X"}})
    }

    #[test]
    fn only_what_can_be_listed_in_a_namespace_counts_and_only_once() {
        let document = json!({"kind": "APIGroupDiscoveryList", "items": [
            {"metadata": {"creationTimestamp": null}, "versions": [{"version": "v1", "resources": [
                resource("pods", "Namespaced", &["get", "list"]),
                resource("bindings", "Namespaced", &["create"]),
                resource("nodes", "Cluster", &["list"]),
            ]}]},
            {"metadata": {"name": "autoscaling"}, "versions": [
                {"version": "v2", "resources": [resource("scalers", "Namespaced", &["list"])]},
                {"version": "v1", "resources": [
                    resource("scalers", "Namespaced", &["list"]),
                    resource("olds", "Namespaced", &["list"]),
                ]},
            ]},
            {"metadata": {"name": "dead.example.com"}, "versions": [{"version": "v1", "freshness": "Stale"}]},
        ]});
        let kinds = listable(document.to_string().as_bytes()).unwrap();
        let paths: Vec<_> = kinds.iter().map(|kind| kind.path("big")).collect();
        let expected = [
            "/api/v1/namespaces/big/pods",
            "/apis/autoscaling/v2/namespaces/big/scalers",
            "/apis/autoscaling/v1/namespaces/big/olds",
        ];
        assert_eq!(paths, expected);
        let resources: Vec<_> = kinds.iter().map(Kind::resource).collect();
        assert_eq!(resources, ["pods", "scalers.autoscaling", "olds.autoscaling"]);
    }
}
