//! How much of an object's JSON is kept. To save memory, objects that are read in large numbers are kept without the
//! fields that no health rule uses: Pod templates, most of a Pod's spec, managedFields.

use std::sync::Arc;

use serde::Deserialize as _;
use serde_json::{Map, Value};

use super::json_meta::JsonMeta;
use crate::known::kinds::is_custom;
use crate::model::kind::Kind;
use crate::model::object::{Detail, Object};

/// The fields of a container that the health rules use.
const CONTAINER_FIELDS: [&str; 2] = ["name", "restartPolicy"];

/// Converts a JSON document to an object with as much of its body as `detail` asks for; `None` without metadata.
pub(super) fn object(kind: &Arc<Kind>, mut body: Value, detail: Detail) -> Option<Object> {
    let metadata = body.get_mut("metadata")?.as_object_mut()?;
    // The health rules for custom resources use the times in managedFields.
    if detail < Detail::WithManagedFields && !is_custom(kind) {
        metadata.remove("managedFields");
    }
    let has_managed_fields = metadata.contains_key("managedFields");
    let meta = JsonMeta::deserialize(&body["metadata"]).ok()?.into_meta(kind);
    let read = match detail {
        Detail::Metadata => return Some(Object::metadata(Arc::clone(kind), meta)),
        Detail::Pruned if !is_custom(kind) => {
            prune(kind, &mut body);
            Detail::Pruned
        }
        _ if has_managed_fields => Detail::WithManagedFields,
        _ => Detail::Whole,
    };
    Some(Object::with_body(Arc::clone(kind), meta, body, read))
}

/// Drops the fields that [`Detail::Pruned`] does not include.
fn prune(kind: &Kind, body: &mut Value) {
    if let Some(metadata) = body.get_mut("metadata").and_then(Value::as_object_mut) {
        metadata.remove("annotations");
    }
    let Some(spec) = body.get_mut("spec").and_then(Value::as_object_mut) else { return };
    spec.remove("template");
    spec.remove("jobTemplate");
    if kind.kind == "Pod" && kind.group.is_empty() {
        for dropped in ["volumes", "affinity", "tolerations", "topologySpreadConstraints", "securityContext"]
        {
            spec.remove(dropped);
        }
        for containers in ["containers", "initContainers", "ephemeralContainers"] {
            let all = spec.get_mut(containers).and_then(Value::as_array_mut).into_iter().flatten();
            all.filter_map(Value::as_object_mut).for_each(prune_container);
        }
    }
}

fn prune_container(container: &mut Map<String, Value>) {
    container.retain(|key, _| CONTAINER_FIELDS.contains(&key.as_str()));
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn kind(group: &str, name: &str) -> Arc<Kind> {
        Arc::new(Kind {
            group: group.into(),
            version: "v1".into(),
            kind: name.into(),
            plural: name.to_lowercase(),
            ..Kind::default()
        })
    }

    fn pod() -> Value {
        json!({"metadata": {"name": "p", "annotations": {"a": "b"}, "managedFields": [1]}, "spec": {"nodeName": "n",
            "volumes": [1], "containers": [{"name": "c", "image": "i", "env": []}]}, "status": {"phase": "Running"}})
    }

    #[test]
    fn fields_of_the_health_rules_are_kept() {
        let pruned = object(&kind("", "Pod"), pod(), Detail::Pruned).unwrap();
        assert_eq!(
            pruned.pruned(),
            Some(
                &json!({"metadata": {"name": "p"}, "spec": {"nodeName": "n", "containers": [{"name": "c"}]},
                "status": {"phase": "Running"}})
            )
        );
        assert_eq!(pruned.whole(), None, "it is not the whole body");
    }

    #[test]
    fn managed_fields_are_kept_if_requested_and_for_custom_resources() {
        let detail = |group: &str, detail| object(&kind(group, "Thing"), pod(), detail).unwrap().detail();
        assert_eq!(detail("", Detail::Metadata), Detail::Metadata);
        assert_eq!(detail("", Detail::Whole), Detail::Whole);
        assert_eq!(detail("", Detail::WithManagedFields), Detail::WithManagedFields);
        assert_eq!(detail("example.com", Detail::Pruned), Detail::WithManagedFields);
    }

    #[test]
    fn a_document_without_metadata_is_none() {
        assert!(object(&kind("", "Pod"), json!({"metadata": 1}), Detail::Whole).is_none());
        assert!(object(&kind("", "Pod"), json!([]), Detail::Whole).is_none());
    }
}
