//! What a Pod names: the objects without which it does not start.

use std::collections::BTreeSet;

use serde_json::Value;

use crate::model::json::{list, text};

/// An object that a Pod names in its own namespace.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Need {
    /// A kind of the core group.
    pub kind: &'static str,
    pub name: String,
    /// Where: `volume config`, `environment of app`.
    pub place: String,
    pub must: Must,
}

/// Whether the Pod starts without it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Must {
    Exist,
    Optional,
}

/// Everything that a Pod's spec names.
pub fn needs(pod: &Value) -> Vec<Need> {
    let Some(spec) = pod.get("spec") else { return Vec::new() };
    let mut found = BTreeSet::new();
    for volume in list(spec, &["volumes"]) {
        let place = format!("volume {}", text(volume, &["name"]).unwrap_or_default());
        in_volume(volume, &place, &mut found);
        for source in list(volume, &["projected", "sources"]) {
            in_volume(source, &place, &mut found);
        }
    }
    for group in ["initContainers", "containers", "ephemeralContainers"] {
        for container in list(spec, &[group]) {
            let place = format!("environment of {}", text(container, &["name"]).unwrap_or_default());
            for source in list(container, &["envFrom"]) {
                named(source, "configMapRef", "ConfigMap", &place, &mut found);
                named(source, "secretRef", "Secret", &place, &mut found);
            }
            for source in list(container, &["env"]).iter().filter_map(|variable| variable.get("valueFrom")) {
                named(source, "configMapKeyRef", "ConfigMap", &place, &mut found);
                named(source, "secretKeyRef", "Secret", &place, &mut found);
            }
        }
    }
    for secret in list(spec, &["imagePullSecrets"]) {
        // A pull secret that is missing is only a warning.
        add(secret.get("name"), "Secret", "pull secret", Must::Optional, &mut found);
    }
    add(spec.get("serviceAccountName"), "ServiceAccount", "service account", Must::Exist, &mut found);
    found.into_iter().collect()
}

fn in_volume(volume: &Value, place: &str, found: &mut BTreeSet<Need>) {
    named(volume, "configMap", "ConfigMap", place, found);
    named(volume, "secret", "Secret", place, found);
    let secret = volume.get("secret");
    add(secret.and_then(|s| s.get("secretName")), "Secret", place, must(secret), found);
    let claim = volume.get("persistentVolumeClaim").and_then(|claim| claim.get("claimName"));
    add(claim, "PersistentVolumeClaim", place, Must::Exist, found);
}

fn named(source: &Value, key: &str, kind: &'static str, place: &str, found: &mut BTreeSet<Need>) {
    let reference = source.get(key);
    add(reference.and_then(|r| r.get("name")), kind, place, must(reference), found);
}

fn must(reference: Option<&Value>) -> Must {
    let optional = reference.and_then(|r| r.get("optional")).and_then(Value::as_bool).unwrap_or_default();
    if optional { Must::Optional } else { Must::Exist }
}

fn add(name: Option<&Value>, kind: &'static str, place: &str, must: Must, found: &mut BTreeSet<Need>) {
    if let Some(name) = name.and_then(Value::as_str).filter(|name| !name.is_empty()) {
        found.insert(Need { kind, name: name.to_owned(), place: place.to_owned(), must });
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn everything_that_a_pod_names_is_found() {
        let pod = json!({"spec": {
            "serviceAccountName": "runner",
            "imagePullSecrets": [{"name": "registry"}],
            "volumes": [
                {"name": "page", "configMap": {"name": "page"}},
                {"name": "tls", "secret": {"secretName": "tls", "optional": true}},
                {"name": "data", "persistentVolumeClaim": {"claimName": "data-0"}},
                {"name": "all", "projected": {"sources": [{"secret": {"name": "token"}}]}},
            ],
            "containers": [{"name": "app", "envFrom": [{"configMapRef": {"name": "env"}}],
                "env": [{"name": "A", "valueFrom": {"secretKeyRef": {"name": "password", "key": "p"}}}]}],
        }});
        let told: Vec<String> =
            needs(&pod).iter().map(|n| format!("{}/{} {} {:?}", n.kind, n.name, n.place, n.must)).collect();
        assert_eq!(
            told,
            [
                "ConfigMap/env environment of app Exist",
                "ConfigMap/page volume page Exist",
                "PersistentVolumeClaim/data-0 volume data Exist",
                "Secret/password environment of app Exist",
                "Secret/registry pull secret Optional",
                "Secret/tls volume tls Optional",
                "Secret/token volume all Exist",
                "ServiceAccount/runner service account Exist",
            ]
        );
    }
}
