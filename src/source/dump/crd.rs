//! The kind that a `CustomResourceDefinition` defines.

use serde::Deserialize;
use serde_json::Value;

use super::version_priority::by_priority;
use crate::model::kind::{Kind, KindScope, StatusSubresource};

/// The verbs that the server offers for a custom resource.
const VERBS: [&str; 8] = ["delete", "deletecollection", "get", "list", "patch", "create", "update", "watch"];

#[derive(Deserialize)]
struct Crd {
    spec: CrdSpec,
}

#[derive(Deserialize)]
struct CrdSpec {
    group: String,
    names: CrdNames,
    #[serde(default)]
    scope: String,
    /// Used by `v1beta1` definitions only.
    #[serde(default)]
    version: Option<String>,
    /// Those of every version; used by `v1beta1` definitions only.
    #[serde(default)]
    subresources: Option<CrdSubresources>,
    #[serde(default)]
    versions: Option<Vec<CrdVersion>>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct CrdNames {
    kind: String,
    plural: String,
    #[serde(default)]
    singular: String,
    #[serde(default)]
    short_names: Option<Vec<String>>,
    #[serde(default)]
    categories: Option<Vec<String>>,
}

#[derive(Deserialize)]
struct CrdVersion {
    name: String,
    #[serde(default = "default_true")]
    served: bool,
    #[serde(default)]
    subresources: Option<CrdSubresources>,
}

#[derive(Deserialize)]
struct CrdSubresources {
    #[serde(default)]
    status: Option<Value>,
}

const fn default_true() -> bool {
    true
}

/// The kind that a definition defines; `None` when it serves no version or is not a definition.
pub(super) fn kind_from_crd(body: &Value) -> Option<Kind> {
    let CrdSpec { group, names, scope, version, subresources, versions } = Crd::deserialize(body).ok()?.spec;
    let mut listed = versions.unwrap_or_default();
    listed.retain(|version| version.served);
    let of_versions = listed.iter().filter_map(|version| version.subresources.as_ref());
    let has_status = subresources.iter().chain(of_versions).any(|subresources| subresources.status.is_some());
    let mut versions: Vec<String> = listed.into_iter().map(|version| version.name).collect();
    if versions.is_empty() {
        versions.extend(version);
    }
    versions.sort_by(|a, b| by_priority(a, b));
    versions.dedup();
    let singular = if names.singular.is_empty() { names.kind.to_lowercase() } else { names.singular };
    Some(Kind {
        group,
        version: versions.first()?.clone(),
        kind: names.kind,
        plural: names.plural,
        singular,
        short_names: names.short_names.unwrap_or_default(),
        categories: names.categories.unwrap_or_default(),
        scope: if scope == "Cluster" { KindScope::Cluster } else { KindScope::Namespaced },
        verbs: default_verbs(),
        versions,
        status_subresource: StatusSubresource::listed(has_status),
    })
}

/// The verbs of every stored resource.
pub(super) fn default_verbs() -> Vec<String> {
    VERBS.map(str::to_owned).to_vec()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_definition_announces_a_kind() {
        let kind = kind_from_crd(&json!({"spec": {
            "group": "example.com", "scope": "Namespaced",
            "names": {"kind": "Shop", "plural": "shops", "singular": "shop", "shortNames": ["sh"], "categories": ["all"]},
            "versions": [
                {"name": "v1beta1", "served": true, "storage": true}, {"name": "v2", "served": false},
                {"name": "v1", "served": true, "schema": {"openAPIV3Schema": {}}},
            ],
        }}))
        .unwrap();
        assert_eq!(
            (kind.full_name().as_str(), kind.api_version().as_str()),
            ("shops.example.com", "example.com/v1")
        );
        assert_eq!(kind.versions, ["v1", "v1beta1"]);
        assert_eq!((kind.short_names, kind.categories), (vec!["sh".to_owned()], vec!["all".to_owned()]));
        assert_eq!(kind.scope, KindScope::Namespaced);
    }

    #[test]
    fn the_status_subresource_is_that_of_a_served_version() {
        let kind = |spec: Value| {
            let mut body =
                json!({"spec": {"group": "a.b", "version": "v1", "names": {"kind": "C", "plural": "cs"}}});
            body["spec"].as_object_mut().unwrap().extend(spec.as_object().unwrap().clone());
            kind_from_crd(&body).unwrap().status_subresource
        };
        let version = |served: bool, subresources: Value| json!({"name": "v1", "served": served, "subresources": subresources});
        let status = json!({"status": {}});
        for (spec, expected) in [
            (json!({"versions": [version(true, status.clone())]}), StatusSubresource::Present),
            (json!({"versions": [version(false, status.clone())]}), StatusSubresource::Absent),
            (json!({"versions": [version(true, json!({"scale": {}}))]}), StatusSubresource::Absent),
            (json!({"versions": [version(true, json!(null))]}), StatusSubresource::Absent),
            (json!({"subresources": status}), StatusSubresource::Present),
            (json!({}), StatusSubresource::Absent),
        ] {
            assert_eq!(kind(spec.clone()), expected, "{spec}");
        }
    }

    #[test]
    fn an_old_or_half_definition_does_what_it_can() {
        let old = json!({"spec": {"group": "a.b", "version": "v1", "scope": "Cluster", "names": {"kind": "C", "plural": "cs"}}});
        let kind = kind_from_crd(&old).unwrap();
        assert_eq!(
            (kind.singular.as_str(), kind.scope, kind.version.as_str()),
            ("c", KindScope::Cluster, "v1")
        );
        for nothing in [
            json!(null),
            json!({"spec": {}}),
            json!({"spec": {"group": "a", "names": {"kind": "C", "plural": "cs"}}}),
        ] {
            assert_eq!(kind_from_crd(&nothing), None);
        }
    }
}
