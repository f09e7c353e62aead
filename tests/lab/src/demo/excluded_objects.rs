//! Objects that every cluster has and that the demo does not need.

use serde_json::Value;

/// Namespaces of the control plane. The Namespaces are kept, what is in them is not: the Lease of the API server, for
/// example, contains the name of the machine.
const SYSTEM_NAMESPACES: [&str; 2] = ["kube-public", "kube-system"];

const CONFLICTS: [&str; 4] = [
    "FailedToCreateEndpoint",
    "FailedToCreateEndpointSlices",
    "FailedToUpdateEndpoint",
    "FailedToUpdateEndpointSlices",
];

/// Whether this object is left out of the demo.
pub(super) fn is_excluded(object: &Value) -> bool {
    let word = |pointer: &str| object.pointer(pointer).and_then(Value::as_str).unwrap_or_default();
    let (kind, name) = (word("/kind"), word("/metadata/name"));
    match kind {
        _ if SYSTEM_NAMESPACES.contains(&word("/metadata/namespace")) => true,
        // The roles of the API server itself.
        "ClusterRole" => name.starts_with("system:"),
        // And the bindings of the users of the lab.
        "ClusterRoleBinding" => name.starts_with("system:") || name.starts_with("lab-"),
        // Two controllers wrote at the same time and one tried again: not in every capture.
        "Event" => CONFLICTS.contains(&word("/reason")),
        // Without a service it is served by the API server itself: not an aggregated API.
        "APIService" => object.pointer("/spec/service").is_none_or(Value::is_null),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::is_excluded;

    #[test]
    fn system_objects_are_excluded_and_the_operators_stay() {
        for excluded in [
            json!({"kind": "Lease", "metadata": {"namespace": "kube-system", "name": "apiserver-x"}}),
            json!({"kind": "ClusterRole", "metadata": {"name": "system:node"}}),
            json!({"kind": "APIService", "metadata": {"name": "v1.apps"}, "spec": {}}),
            json!({"kind": "Event", "metadata": {"name": "e"}, "reason": "FailedToUpdateEndpoint"}),
        ] {
            assert!(is_excluded(&excluded), "{excluded}");
        }
        for kept in [
            json!({"kind": "Namespace", "metadata": {"name": "kube-system"}}),
            json!({"kind": "ClusterRole", "metadata": {"name": "website-operator-manager-role"}}),
            json!({"kind": "APIService", "metadata": {"name": "v1.x"}, "spec": {"service": {"name": "x"}}}),
            json!({"kind": "Lease", "metadata": {"namespace": "kube-node-lease", "name": "node-1"}}),
        ] {
            assert!(!is_excluded(&kept), "{kept}");
        }
    }
}
