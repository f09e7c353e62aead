//! One resource with children of every sort: owned, labelled, referenced by name, and what selects or scales its Pods.

use anyhow::{Context as _, Result};
use k8s_openapi::api::apps::v1::Deployment;
use kube::Client;
use kube::api::{Api, ApiResource, DynamicObject, PostParams};
use kube::core::GroupVersionKind;
use serde_json::{Value, json};

use crate::many_resources::{GROUP, define, ensure_namespace, owned_by, thing};
use crate::wait::until;

/// Where it is.
pub const NAMESPACE: &str = "every-relation";
/// The resource at the root of the tree; of the kind in `many_resources.rs`.
pub const ROOT: &str = "root";

/// Makes it and waits until its Pods are ready. The names of its objects, as far as they were given any.
pub async fn fill(client: &Client) -> Result<Vec<String>> {
    define(client).await?;
    ensure_namespace(client, NAMESPACE).await?;
    let root = thing(client, NAMESPACE, ROOT, "True").await?;
    let labels = json!({"app": "web"});
    let owned = json!({"name": "web", "labels": labels, "ownerReferences": owned_by(&root)?});
    let pods =
        json!({"metadata": {"labels": labels}, "spec": {"containers": [{"name": "web", "image": "web"}]}});
    let selector = json!({"matchLabels": labels});
    let target = json!({"apiVersion": "apps/v1", "kind": "Deployment", "name": "web"});
    let all = [
        json!({"apiVersion": "apps/v1", "kind": "Deployment", "metadata": owned,
            "spec": {"replicas": 2, "selector": selector, "template": pods}}),
        json!({"apiVersion": "v1", "kind": "Service", "metadata": {"name": "front"},
            "spec": {"selector": labels, "ports": [{"port": 80}]}}),
        json!({"apiVersion": "policy/v1", "kind": "PodDisruptionBudget", "metadata": {"name": "budget"},
            "spec": {"minAvailable": 1, "selector": selector}}),
        json!({"apiVersion": "autoscaling/v2", "kind": "HorizontalPodAutoscaler", "metadata": {"name": "scaler"},
            "spec": {"scaleTargetRef": target, "minReplicas": 2, "maxReplicas": 2}}),
        // One that the resource references, and one that carries its name in a label.
        json!({"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": format!("{ROOT}-settings")}}),
        json!({"apiVersion": "v1", "kind": "Secret",
            "metadata": {"name": "marked", "labels": {format!("{GROUP}/thing"): ROOT}}}),
    ];
    let mut names = vec![ROOT.to_owned()];
    for object in all {
        names.push(create(client, object).await?);
    }
    let deployments: Api<Deployment> = Api::namespaced(client.clone(), NAMESPACE);
    until("the root's Pods to be ready", async || {
        let status = deployments.get("web").await?.status;
        Ok(status.filter(|status| status.ready_replicas == Some(2)).map(drop))
    })
    .await?;
    Ok(names)
}

async fn create(client: &Client, object: Value) -> Result<String> {
    let of = |key: &str| object[key].as_str().unwrap_or_default().to_owned();
    let (api_version, kind) = (of("apiVersion"), of("kind"));
    let name = object["metadata"]["name"].as_str().unwrap_or_default().to_owned();
    let (group, version) = api_version.split_once('/').unwrap_or(("", &api_version));
    let resource = ApiResource::from_gvk(&GroupVersionKind::gvk(group, version, &kind));
    let objects: Api<DynamicObject> = Api::namespaced_with(client.clone(), NAMESPACE, &resource);
    let made = objects.create(&PostParams::default(), &serde_json::from_value(object)?).await;
    made.with_context(|| format!("failed to create {kind} {name}"))?;
    Ok(name)
}
