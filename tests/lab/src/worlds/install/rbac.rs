//! Roles and bindings as kubebuilder scaffolds them, with the rights the operators use.

use serde_json::{Value, json};

use crate::worlds::World;
use crate::worlds::world::InClusterInstall;

const EVERYTHING: [&str; 7] = ["create", "delete", "get", "list", "patch", "update", "watch"];
const READING: [&str; 3] = ["get", "list", "watch"];
const GROUP: &str = "rbac.authorization.k8s.io";

/// Service account, the operator's roles, the election's role, and the roles for people.
pub(super) fn manifests(world: World, in_cluster: &InClusterInstall) -> Vec<Value> {
    let prefix = world.names().operator;
    let manager = format!("{prefix}-manager-role");
    let election = format!("{prefix}-leader-election-role");
    let mut all = vec![
        service_account(in_cluster),
        cluster_role(&manager, &rules(world)),
        cluster_binding(&format!("{prefix}-manager-rolebinding"), &manager, in_cluster),
        role(&election, in_cluster, &election_rules()),
        binding(&format!("{prefix}-leader-election-rolebinding"), &election, in_cluster),
    ];
    all.extend(for_people(world));
    if world == World::VmGroup {
        let proxy = format!("{prefix}-proxy-role");
        all.push(cluster_role(&proxy, &proxy_rules()));
        all.push(cluster_binding(&format!("{prefix}-proxy-rolebinding"), &proxy, in_cluster));
    }
    all
}

/// The rights of an operator in every namespace.
pub(super) fn rules(world: World) -> Value {
    let names = world.names();
    let on = |suffix: &str, verbs: &[&str]| rule(names.group, &format!("{}{suffix}", names.plural), verbs);
    let mut rules =
        vec![on("", &EVERYTHING), on("/finalizers", &["update"]), on("/status", &["get", "patch", "update"])];
    rules.extend(match world {
        World::VoteConfig => vec![rule("", "configmaps", &EVERYTHING)],
        World::Memcached => vec![rule("apps", "deployments", &EVERYTHING), rule("", "pods", &READING)],
        World::Website => vec![
            rule("apps", "deployments", &EVERYTHING),
            rule("", "configmaps", &EVERYTHING),
            rule("", "services", &EVERYTHING),
        ],
        World::VmGroup | World::HelloWorld => vec![],
    });
    let events = if world == World::Website { "events.k8s.io" } else { "" };
    rules.push(rule(events, "events", &["create", "patch"]));
    json!(rules)
}

/// The rights to be elected, in the operator's own namespace.
pub(super) fn election_rules() -> Value {
    json!([
        rule("", "configmaps", &EVERYTHING),
        rule("coordination.k8s.io", "leases", &EVERYTHING),
        rule("", "events", &["create", "patch"]),
    ])
}

pub(super) fn service_account(in_cluster: &InClusterInstall) -> Value {
    json!({
        "apiVersion": "v1",
        "kind": "ServiceAccount",
        "metadata": { "name": in_cluster.workload, "namespace": in_cluster.namespace },
    })
}

pub(super) fn cluster_role(name: &str, rules: &Value) -> Value {
    json!({ "apiVersion": format!("{GROUP}/v1"), "kind": "ClusterRole", "metadata": { "name": name }, "rules": rules })
}

pub(super) fn cluster_binding(name: &str, role: &str, in_cluster: &InClusterInstall) -> Value {
    json!({
        "apiVersion": format!("{GROUP}/v1"),
        "kind": "ClusterRoleBinding",
        "metadata": { "name": name },
        "roleRef": { "apiGroup": GROUP, "kind": "ClusterRole", "name": role },
        "subjects": [subject(in_cluster)],
    })
}

pub(super) fn role(name: &str, in_cluster: &InClusterInstall, rules: &Value) -> Value {
    json!({
        "apiVersion": format!("{GROUP}/v1"),
        "kind": "Role",
        "metadata": { "name": name, "namespace": in_cluster.namespace },
        "rules": rules,
    })
}

pub(super) fn binding(name: &str, role: &str, in_cluster: &InClusterInstall) -> Value {
    json!({
        "apiVersion": format!("{GROUP}/v1"),
        "kind": "RoleBinding",
        "metadata": { "name": name, "namespace": in_cluster.namespace },
        "roleRef": { "apiGroup": GROUP, "kind": "Role", "name": role },
        "subjects": [subject(in_cluster)],
    })
}

/// Roles that nobody has until an admin binds them; on the status they only read, unlike the operator.
fn for_people(world: World) -> [Value; 2] {
    let names = world.names();
    let called = |role: &str| format!("{}-{}-{role}-role", names.operator, names.name);
    let on = |suffix: &str, verbs: &[&str]| rule(names.group, &format!("{}{suffix}", names.plural), verbs);
    [
        cluster_role(&called("editor"), &json!([on("", &EVERYTHING), on("/status", &["get"])])),
        cluster_role(&called("viewer"), &json!([on("", &READING), on("/status", &["get"])])),
    ]
}

fn proxy_rules() -> Value {
    json!([
        rule("authentication.k8s.io", "tokenreviews", &["create"]),
        rule("authorization.k8s.io", "subjectaccessreviews", &["create"]),
    ])
}

fn rule(group: &str, resource: &str, verbs: &[&str]) -> Value {
    json!({ "apiGroups": [group], "resources": [resource], "verbs": verbs })
}

fn subject(in_cluster: &InClusterInstall) -> Value {
    json!({ "kind": "ServiceAccount", "name": in_cluster.workload, "namespace": in_cluster.namespace })
}
