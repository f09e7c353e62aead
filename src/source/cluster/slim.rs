//! Objects that are read by the thousand are kept without what nobody judges by: a template is most of a Deployment,
//! and its volumes and probes most of a Pod.

use serde_json::{Map, Value};

use crate::model::kind::Kind;

/// What of a container says anything about a Pod's health.
const OF_CONTAINER: [&str; 2] = ["name", "restartPolicy"];

/// Drops from an object of Kubernetes what its verdict does not rest on; custom resources stay as they are.
pub(super) fn slim(kind: &Kind, body: &mut Value) {
    if kind.group.contains('.') && !kind.group.ends_with(".k8s.io") {
        return;
    }
    if let Some(metadata) = body.get_mut("metadata").and_then(Value::as_object_mut) {
        metadata.remove("annotations");
        metadata.remove("managedFields");
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
            all.filter_map(Value::as_object_mut).for_each(slim_container);
        }
    }
}

fn slim_container(container: &mut Map<String, Value>) {
    container.retain(|key, _| OF_CONTAINER.contains(&key.as_str()));
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn kind(group: &str, name: &str) -> Kind {
        Kind {
            group: group.into(),
            version: "v1".into(),
            kind: name.into(),
            plural: name.to_lowercase(),
            ..Kind::default()
        }
    }

    #[test]
    fn what_is_judged_stays() {
        let mut pod = json!({"metadata": {"name": "p", "annotations": {"a": "b"}}, "spec": {"nodeName": "n",
            "volumes": [1], "containers": [{"name": "c", "image": "i", "env": []}]}, "status": {"phase": "Running"}});
        slim(&kind("", "Pod"), &mut pod);
        assert_eq!(
            pod,
            json!({"metadata": {"name": "p"}, "spec": {"nodeName": "n", "containers": [{"name": "c"}]},
                "status": {"phase": "Running"}})
        );
        let custom = json!({"metadata": {"managedFields": []}, "spec": {"template": {}}});
        let mut same = custom.clone();
        slim(&kind("example.com", "Thing"), &mut same);
        assert_eq!(same, custom);
    }
}
