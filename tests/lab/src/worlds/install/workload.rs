//! The Deployment of an operator, whose Pods kwok runs, and what stands beside it.

use serde_json::{Value, json};

use super::release::Release;
use crate::worlds::World;
use crate::worlds::world::InClusterInstall;

/// The operator's Deployment.
pub(super) fn deployment(world: World, in_cluster: &InClusterInstall, release: Release) -> Value {
    let labels = labels(world);
    json!({
        "apiVersion": "apps/v1",
        "kind": "Deployment",
        "metadata": { "name": in_cluster.workload, "namespace": in_cluster.namespace, "labels": labels },
        "spec": deployment_spec(world, in_cluster, release),
    })
}

/// Its spec; a CSV carries it too.
pub(super) fn deployment_spec(world: World, in_cluster: &InClusterInstall, release: Release) -> Value {
    let labels = labels(world);
    let mut annotations = json!({ "kubectl.kubernetes.io/default-container": "manager" });
    if world == World::Website {
        annotations["prometheus.io/scrape"] = json!("true");
        annotations["prometheus.io/port"] = json!("8080");
        annotations["prometheus.io/path"] = json!("/metrics");
    }
    json!({
        "replicas": 1,
        "selector": { "matchLabels": labels },
        "template": {
            "metadata": { "labels": labels, "annotations": annotations },
            "spec": {
                "serviceAccountName": in_cluster.workload,
                "terminationGracePeriodSeconds": 10,
                "securityContext": { "runAsNonRoot": true },
                "containers": containers(world, release),
            },
        },
    })
}

/// Services and Secrets.
pub(super) fn extras(world: World, in_cluster: &InClusterInstall) -> Vec<Value> {
    match world {
        World::VmGroup => vec![credentials(in_cluster), metrics(world, in_cluster, 8443)],
        World::Website => vec![metrics(world, in_cluster, 8080)],
        World::VoteConfig | World::Memcached | World::HelloWorld => vec![],
    }
}

fn labels(world: World) -> Value {
    json!({ "control-plane": "controller-manager", "app.kubernetes.io/name": world.names().operator })
}

fn containers(world: World, release: Release) -> Vec<Value> {
    let probe = |path: &str| json!({ "httpGet": { "path": path, "port": 8081 }, "periodSeconds": 10 });
    let mut manager = json!({
        "name": "manager",
        "image": release.image(world),
        "command": ["/manager"],
        "args": ["--leader-elect", "--health-probe-bind-address=:8081"],
        "livenessProbe": probe("/healthz"),
        "readinessProbe": probe("/readyz"),
        "resources": {
            "limits": { "cpu": "500m", "memory": "128Mi" },
            "requests": { "cpu": "10m", "memory": "64Mi" },
        },
        "securityContext": { "allowPrivilegeEscalation": false, "capabilities": { "drop": ["ALL"] } },
    });
    match world {
        World::Memcached => {
            manager["ports"] =
                json!([{ "name": "webhook-server", "containerPort": 9443, "protocol": "TCP" }]);
        }
        World::Website => {
            manager["ports"] = json!([{ "name": "metrics", "containerPort": 8080, "protocol": "TCP" }]);
        }
        World::VmGroup => {
            let secret = |name: &str, key: &str| json!({ "name": name, "valueFrom": { "secretKeyRef": { "name": CREDENTIALS, "key": key } } });
            manager["env"] = json!([secret("VC_USER", "VC_USER"), secret("VC_PASS", "VC_PASS")]);
            return vec![proxy(), manager];
        }
        World::VoteConfig | World::HelloWorld => {}
    }
    vec![manager]
}

const CREDENTIALS: &str = "vc-creds";

fn credentials(in_cluster: &InClusterInstall) -> Value {
    json!({
        "apiVersion": "v1",
        "kind": "Secret",
        "metadata": { "name": CREDENTIALS, "namespace": in_cluster.namespace },
        "type": "Opaque",
        "stringData": { "VC_USER": "administrator@vsphere.local", "VC_PASS": "not-a-secret" },
    })
}

fn proxy() -> Value {
    json!({
        "name": "kube-rbac-proxy",
        "image": "quay.io/brancz/kube-rbac-proxy:v0.18.0",
        "args": ["--secure-listen-address=0.0.0.0:8443", "--upstream=http://127.0.0.1:8080/", "--v=10"],
        "ports": [{ "name": "https", "containerPort": 8443, "protocol": "TCP" }],
    })
}

fn metrics(world: World, in_cluster: &InClusterInstall, port: u16) -> Value {
    let name = if port == 8443 { "https" } else { "metrics" };
    json!({
        "apiVersion": "v1",
        "kind": "Service",
        "metadata": {
            "name": format!("{}-metrics-service", in_cluster.workload),
            "namespace": in_cluster.namespace,
            "labels": labels(world),
        },
        "spec": {
            "selector": labels(world),
            "ports": [{ "name": name, "port": port, "targetPort": name, "protocol": "TCP" }],
        },
    })
}
