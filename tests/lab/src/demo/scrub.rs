//! Makes an object fit to be shown to anybody: no secret, no certificate that nobody reads, no address of this
//! machine, no long prose.

use std::net::Ipv4Addr;

use serde_json::{Value, json};

const LAST_APPLIED: &str = "kubectl.kubernetes.io/last-applied-configuration";
/// The ConfigMap with the cluster's authority that every namespace has.
const ROOT_AUTHORITY: &str = "kube-root-ca.crt";
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

/// The keys of a Secret say what it is for; its values are nobody's business.
fn empty_values(secret: &mut Value, field: &str) {
    if let Some(Value::Object(data)) = secret.get_mut(field) {
        data.values_mut().for_each(|value| *value = json!(""));
    }
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

/// Gives addresses on loopback, which the lab uses for its node and its Services, the look of a real cluster's. Only
/// where they are the whole text: in a command line they mean what they say.
fn move_addresses(value: &mut Value) {
    match value {
        Value::String(text) => {
            if let Some(other) = text.parse().ok().and_then(elsewhere) {
                *text = other.to_string();
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
        let mut value = json!(["127.9.3.73", "127.0.0.1", "198.18.0.4", "--upstream=http://127.0.0.1:8080/"]);
        move_addresses(&mut value);
        assert_eq!(
            value,
            json!(["10.96.0.73", "192.0.2.1", "198.18.0.4", "--upstream=http://127.0.0.1:8080/"])
        );
    }
}
