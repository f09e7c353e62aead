//! The objects that a Pod's spec refers to; it does not start without the required ones.

use std::collections::BTreeSet;

use serde_json::Value;

use crate::model::json::{list, text};

/// A reference from a Pod to an object in its own namespace.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct PodReference {
    /// A kind of the core group.
    pub kind: &'static str,
    pub name: String,
    /// Where it is in the spec: `volume config`, `env of container app`.
    pub location: String,
    pub presence: Presence,
}

/// Whether the object must exist for the Pod to start.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Presence {
    Required,
    Optional,
}

/// All objects that a Pod's spec refers to.
pub fn pod_references(pod: &Value) -> Vec<PodReference> {
    let Some(spec) = pod.get("spec") else { return Vec::new() };
    let mut found = BTreeSet::new();
    for volume in list(spec, &["volumes"]) {
        let location = format!("volume {}", text(volume, &["name"]).unwrap_or_default());
        add_volume(volume, &location, &mut found);
        for source in list(volume, &["projected", "sources"]) {
            add_volume(source, &location, &mut found);
        }
    }
    for group in ["initContainers", "containers", "ephemeralContainers"] {
        for container in list(spec, &[group]) {
            let location = format!("env of container {}", text(container, &["name"]).unwrap_or_default());
            for source in list(container, &["envFrom"]) {
                add_reference(source, "configMapRef", "ConfigMap", &location, &mut found);
                add_reference(source, "secretRef", "Secret", &location, &mut found);
            }
            for source in list(container, &["env"]).iter().filter_map(|variable| variable.get("valueFrom")) {
                add_reference(source, "configMapKeyRef", "ConfigMap", &location, &mut found);
                add_reference(source, "secretKeyRef", "Secret", &location, &mut found);
            }
        }
    }
    for secret in list(spec, &["imagePullSecrets"]) {
        // A missing pull secret is only a warning.
        add(secret.get("name"), "Secret", "imagePullSecrets", Presence::Optional, &mut found);
    }
    add(
        spec.get("serviceAccountName"),
        "ServiceAccount",
        "serviceAccountName",
        Presence::Required,
        &mut found,
    );
    found.into_iter().collect()
}

fn add_volume(volume: &Value, location: &str, found: &mut BTreeSet<PodReference>) {
    add_reference(volume, "configMap", "ConfigMap", location, found);
    add_reference(volume, "secret", "Secret", location, found);
    let secret = volume.get("secret");
    add(secret.and_then(|s| s.get("secretName")), "Secret", location, presence(secret), found);
    let claim = volume.get("persistentVolumeClaim").and_then(|claim| claim.get("claimName"));
    add(claim, "PersistentVolumeClaim", location, Presence::Required, found);
}

fn add_reference(
    source: &Value,
    key: &str,
    kind: &'static str,
    location: &str,
    found: &mut BTreeSet<PodReference>,
) {
    let reference = source.get(key);
    add(reference.and_then(|r| r.get("name")), kind, location, presence(reference), found);
}

fn presence(reference: Option<&Value>) -> Presence {
    let optional = reference.and_then(|r| r.get("optional")).and_then(Value::as_bool).unwrap_or_default();
    if optional { Presence::Optional } else { Presence::Required }
}

fn add(
    name: Option<&Value>,
    kind: &'static str,
    location: &str,
    presence: Presence,
    found: &mut BTreeSet<PodReference>,
) {
    if let Some(name) = name.and_then(Value::as_str).filter(|name| !name.is_empty()) {
        found.insert(PodReference { kind, name: name.to_owned(), location: location.to_owned(), presence });
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn every_reference_of_a_pod_is_found() {
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
        let found: Vec<String> = pod_references(&pod)
            .iter()
            .map(|n| format!("{}/{} {} {:?}", n.kind, n.name, n.location, n.presence))
            .collect();
        assert_eq!(
            found,
            [
                "ConfigMap/env env of container app Required",
                "ConfigMap/page volume page Required",
                "PersistentVolumeClaim/data-0 volume data Required",
                "Secret/password env of container app Required",
                "Secret/registry imagePullSecrets Optional",
                "Secret/tls volume tls Optional",
                "Secret/token volume all Required",
                "ServiceAccount/runner serviceAccountName Required",
            ]
        );
    }
}
