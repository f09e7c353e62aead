//! The Deployment of an operator, as a person handles it: scaled, watched, broken.

use anyhow::{Context as _, Result, bail};
use k8s_openapi::api::apps::v1::Deployment;
use k8s_openapi::api::core::v1::Pod;
use kube::api::{ListParams, Patch};
use kube::{Api, Client, ResourceExt as _};
use serde_json::json;

use super::world::Home;
use super::writes;
use crate::pods::{self, PodState};
use crate::wait::until;

/// The label kubebuilder gives to every operator's Pods.
const SELECTOR: &str = "control-plane=controller-manager";

/// What `kubectl scale` does.
pub(super) async fn scale(client: &Client, home: &Home, replicas: i32) -> Result<()> {
    let api: Api<Deployment> = Api::namespaced(client.clone(), home.namespace);
    let patch = Patch::Merge(json!({ "spec": { "replicas": replicas } }));
    api.patch_scale(home.workload, &writes::patching("kubectl"), &patch)
        .await
        .with_context(|| format!("failed to scale {} to {replicas}", home.workload))?;
    Ok(())
}

/// Puts the Pods that are there into a state.
pub(super) async fn put(client: &Client, home: &Home, state: PodState) -> Result<()> {
    pods::set(client, home.namespace, SELECTOR, state).await.map(drop)
}

/// Waits until no Pod is left.
pub(super) async fn gone(client: &Client, home: &Home) -> Result<()> {
    until(&format!("the Pods of {} to go", home.workload), async || {
        Ok(pods_of(client, home).await?.is_empty().then_some(()))
    })
    .await
}

/// Waits until the Deployment is rolled out, one Pod is left and it is ready; the Pod's name.
pub(super) async fn settled(client: &Client, home: &Home) -> Result<String> {
    let api: Api<Deployment> = Api::namespaced(client.clone(), home.namespace);
    until(&format!("{} to be ready", home.workload), async || {
        let deployment = api.get(home.workload).await?;
        let status = deployment.status.unwrap_or_default();
        let seen = status.observed_generation == deployment.metadata.generation;
        let ready = status.replicas == Some(1)
            && status.updated_replicas == Some(1)
            && status.ready_replicas == Some(1);
        if !(seen && ready) {
            bail!("its status is {}", json!(status));
        }
        let pods = pods_of(client, home).await?;
        Ok(match pods.as_slice() {
            [pod] => Some(pod.name_any()),
            _ => None,
        })
    })
    .await
}

async fn pods_of(client: &Client, home: &Home) -> Result<Vec<Pod>> {
    let api: Api<Pod> = Api::namespaced(client.clone(), home.namespace);
    Ok(api
        .list(&ListParams::default().labels(SELECTOR))
        .await
        .context("failed to list the operator's Pods")?
        .items)
}
