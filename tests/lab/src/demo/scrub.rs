//! Prepares an object for publication: removes secrets, certificates that nobody reads, addresses and names of this
//! machine, labels by which the lab controls Pods, and long descriptions.

use std::net::Ipv4Addr;

use serde_json::{Value, json};

use crate::pods;

const LAST_APPLIED: &str = "kubectl.kubernetes.io/last-applied-configuration";
/// The ConfigMap with the cluster's authority that every namespace has.
const ROOT_AUTHORITY: &str = "kube-root-ca.crt";
const NODE_LEASES: &str = "kube-node-lease";
const SHORTENED: &str = "-----BEGIN CERTIFICATE-----\n(left out)\n-----END CERTIFICATE-----\n";

/// Scrubs one object.
pub(super) fn scrub(object: &mut Value) {
    let applied = object.pointer_mut("/metadata/annotations").and_then(|all| all.get_mut(LAST_APPLIED));
    if let Some(Value::String(text)) = applied
        && let Ok(mut manifest) = serde_json::from_str(text)
    {
        clean(&mut manifest);
        *text = format!("{manifest}\n");
    }
    clean(object);
    move_addresses(object);
}

/// What is wrong with the object itself, and with the copy of its manifest that kubectl keeps in it.
fn clean(object: &mut Value) {
    match object["kind"].as_str() {
        Some("Secret") => {
            empty_values(object, "data");
            empty_values(object, "stringData");
        }
        Some("ConfigMap") if object["metadata"]["name"] == ROOT_AUTHORITY => {
            object["data"]["ca.crt"] = json!(SHORTENED);
        }
        // kwok puts the name of the machine there, a kubelet that of its node.
        Some("Lease") if object["metadata"]["namespace"] == NODE_LEASES => {
            object["spec"]["holderIdentity"] = object["metadata"]["name"].clone();
        }
        // A free port of this machine; every kubelet listens on the same one.
        Some("Node") => {
            if let Some(port) = object.pointer_mut("/status/daemonEndpoints/kubeletEndpoint/Port") {
                *port = json!(10250);
            }
        }
        Some("Pod") => remove_label(object, pods::LABEL),
        Some("CustomResourceDefinition") => {
            let versions = object.pointer_mut("/spec/versions").and_then(Value::as_array_mut);
            for version in versions.into_iter().flatten() {
                if let Some(schema) = version.pointer_mut("/schema/openAPIV3Schema") {
                    strip_descriptions(schema);
                }
            }
        }
        _ => {}
    }
}

/// The keys of a Secret say what it is for; its values must not be published.
fn empty_values(secret: &mut Value, field: &str) {
    if let Some(Value::Object(data)) = secret.get_mut(field) {
        data.values_mut().for_each(|value| *value = json!(""));
    }
}

/// Removes a label, and every trace of who wrote it.
fn remove_label(object: &mut Value, label: &str) {
    if let Some(Value::Object(labels)) = object.pointer_mut("/metadata/labels") {
        labels.remove(label);
    }
    let Some(Value::Array(entries)) = object.pointer_mut("/metadata/managedFields") else { return };
    let of_labels = "/fieldsV1/f:metadata/f:labels";
    for entry in entries.iter_mut() {
        if let Some(Value::Object(fields)) = entry.pointer_mut(of_labels) {
            fields.remove(&format!("f:{label}"));
        }
    }
    // The writer of nothing but that label wrote nothing.
    let wrote_nothing = json!({ "f:metadata": { "f:labels": {} } });
    entries.retain(|entry| entry["fieldsV1"] != wrote_nothing);
}

/// Removes the prose of a schema; a property that is called `description` stays.
fn strip_descriptions(schema: &mut Value) {
    let Value::Object(fields) = schema else { return };
    fields.remove("description");
    for (key, field) in fields {
        match (key.as_str(), field) {
            ("properties" | "patternProperties", Value::Object(properties)) => {
                properties.values_mut().for_each(strip_descriptions);
            }
            ("allOf" | "anyOf" | "oneOf", Value::Array(schemas)) => {
                schemas.iter_mut().for_each(strip_descriptions);
            }
            ("items" | "additionalProperties" | "not", schema) => strip_descriptions(schema),
            _ => {}
        }
    }
}

/// Replaces addresses on loopback, which the lab uses for its node and its Services, by those of a usual cluster. Only
/// where they are the whole text: in a command line they are meant literally.
fn move_addresses(value: &mut Value) {
    match value {
        Value::String(text) => {
            // A network ends in its length.
            let (address, length) = text.split_at(text.find('/').unwrap_or(text.len()));
            if let Some(other) = address.parse().ok().and_then(elsewhere) {
                *text = format!("{other}{length}");
            }
        }
        Value::Array(values) => values.iter_mut().for_each(move_addresses),
        Value::Object(fields) => fields.values_mut().for_each(move_addresses),
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

fn elsewhere(address: Ipv4Addr) -> Option<Ipv4Addr> {
    match address.octets() {
        // The lab's Services: 127.9.SLOT.N.
        [127, 9, _, last] => Some(Ipv4Addr::new(10, 96, 0, last)),
        // The node; an address from the range for examples.
        [127, ..] => Some(Ipv4Addr::new(192, 0, 2, 1)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_secret_keeps_its_keys_and_loses_its_values_also_in_what_was_applied() {
        let mut secret = json!({
            "kind": "Secret", "type": "Opaque", "data": {"user": "YQ=="},
            "metadata": {"annotations": {LAST_APPLIED: "{\"kind\":\"Secret\",\"stringData\":{\"user\":\"a\"}}\n"}},
        });
        scrub(&mut secret);
        let expected = json!({
            "kind": "Secret", "type": "Opaque", "data": {"user": ""},
            "metadata": {"annotations": {LAST_APPLIED: "{\"kind\":\"Secret\",\"stringData\":{\"user\":\"\"}}\n"}},
        });
        assert_eq!(secret, expected);
    }

    #[test]
    fn a_label_of_the_lab_goes_with_its_writer_and_another_writer_stays() {
        let wrote = |label: &str| json!({ "fieldsV1": { "f:metadata": { "f:labels": { label: {} } } } });
        let ours = format!("f:{}", pods::LABEL);
        let mut pod = json!({
            "kind": "Pod",
            "metadata": {
                "labels": { "app": "shop", pods::LABEL: "Ready" },
                "managedFields": [wrote(&ours), wrote("f:app")],
            },
        });
        scrub(&mut pod);
        assert_eq!(
            pod["metadata"],
            json!({ "labels": { "app": "shop" }, "managedFields": [wrote("f:app")] })
        );
    }

    #[test]
    fn the_lease_of_a_node_names_the_node() {
        let lease = |holder: &str| {
            json!({
                "kind": "Lease",
                "metadata": { "namespace": NODE_LEASES, "name": "node-1" },
                "spec": { "holderIdentity": holder },
            })
        };
        let mut kwoks = lease("laptop_7bc5686d");
        scrub(&mut kwoks);
        assert_eq!(kwoks, lease("node-1"));
    }

    #[test]
    fn prose_goes_and_a_property_called_description_stays() {
        let mut schema = json!({
            "description": "prose",
            "properties": {"description": {"type": "string", "description": "prose"}},
            "items": {"description": "prose", "anyOf": [{"description": "prose", "type": "null"}]},
        });
        strip_descriptions(&mut schema);
        let expected = json!({
            "properties": {"description": {"type": "string"}},
            "items": {"anyOf": [{"type": "null"}]},
        });
        assert_eq!(schema, expected);
    }

    #[test]
    fn loopback_goes_elsewhere_but_not_in_a_command_line() {
        let upstream = "--upstream=http://127.0.0.1:8080/";
        let mut value = json!(["127.9.3.73", "127.9.3.0/24", "127.0.0.1", "198.18.0.4", upstream]);
        move_addresses(&mut value);
        assert_eq!(value, json!(["10.96.0.73", "10.96.0.0/24", "192.0.2.1", "198.18.0.4", upstream]));
    }
}
