//! Objects that every cluster has and no world needs.

use serde_json::Value;

/// Namespaces of the control plane; they stay themselves, what is in them goes. Among it is the API server's own
/// Lease, which carries the name of the machine.
const SYSTEM_NAMESPACES: [&str; 2] = ["kube-public", "kube-system"];

const CONFLICTS: [&str; 4] = [
    "FailedToCreateEndpoint",
    "FailedToCreateEndpointSlices",
    "FailedToUpdateEndpoint",
    "FailedToUpdateEndpointSlices",
];

/// Whether the demo is better off without this object.
pub(super) fn is_excluded(object: &Value) -> bool {
    let word = |pointer: &str| object.pointer(pointer).and_then(Value::as_str).unwrap_or_default();
    let (kind, name) = (word("/kind"), word("/metadata/name"));
    match kind {
        _ if SYSTEM_NAMESPACES.contains(&word("/metadata/namespace")) => true,
        // What the API server gives to itself.
        "ClusterRole" => name.starts_with("system:"),
        // ... and what the lab gives to its own users.
        "ClusterRoleBinding" => name.starts_with("system:") || name.starts_with("lab-"),
        // Two controllers wrote at once and tried again: told in one capture and not in the next.
        "Event" => CONFLICTS.contains(&word("/reason")),
        // Without a service it is answered by the API server that was asked: no API of anybody's.
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
