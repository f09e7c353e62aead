//! The Deployment of an operator, as an admin works with it: scaled, watched, broken.

use anyhow::{Context as _, Result, bail};
use k8s_openapi::api::apps::v1::Deployment;
use k8s_openapi::api::core::v1::Pod;
use kube::api::{ListParams, Patch};
use kube::{Api, Client, ResourceExt as _};
use serde_json::json;

use super::world::InClusterInstall;
use super::writes;
use crate::pods::{self, PodState};
use crate::wait::until;

/// The label kubebuilder gives to every operator's Pods.
const SELECTOR: &str = "control-plane=controller-manager";

/// What `kubectl scale` does.
pub(super) async fn scale(client: &Client, in_cluster: &InClusterInstall, replicas: i32) -> Result<()> {
    let api: Api<Deployment> = Api::namespaced(client.clone(), in_cluster.namespace);
    let patch = Patch::Merge(json!({ "spec": { "replicas": replicas } }));
    api.patch_scale(in_cluster.workload, &writes::patching("kubectl"), &patch)
        .await
        .with_context(|| format!("failed to scale {} to {replicas}", in_cluster.workload))?;
    Ok(())
}

/// Puts the Pods that are there into a state.
pub(super) async fn put(client: &Client, in_cluster: &InClusterInstall, state: PodState) -> Result<()> {
    pods::set(client, in_cluster.namespace, SELECTOR, state).await.map(drop)
}

/// Waits until no Pod is left.
pub(super) async fn gone(client: &Client, in_cluster: &InClusterInstall) -> Result<()> {
    until(&format!("the Pods of {} to go", in_cluster.workload), async || {
        Ok(pods_of(client, in_cluster).await?.is_empty().then_some(()))
    })
    .await
}

/// Waits until the Deployment is rolled out, one Pod is left and it is ready; the Pod's name.
pub(super) async fn settled(client: &Client, in_cluster: &InClusterInstall) -> Result<String> {
    let api: Api<Deployment> = Api::namespaced(client.clone(), in_cluster.namespace);
    until(&format!("{} to be ready", in_cluster.workload), async || {
        let deployment = api.get(in_cluster.workload).await?;
        let status = deployment.status.unwrap_or_default();
        let seen = status.observed_generation == deployment.metadata.generation;
        let ready = status.replicas == Some(1)
            && status.updated_replicas == Some(1)
            && status.ready_replicas == Some(1);
        if !(seen && ready) {
            bail!("its status is {}", json!(status));
        }
        let pods = pods_of(client, in_cluster).await?;
        Ok(match pods.as_slice() {
            [pod] => Some(pod.name_any()),
            _ => None,
        })
    })
    .await
}

async fn pods_of(client: &Client, in_cluster: &InClusterInstall) -> Result<Vec<Pod>> {
    let api: Api<Pod> = Api::namespaced(client.clone(), in_cluster.namespace);
    Ok(api
        .list(&ListParams::default().labels(SELECTOR))
        .await
        .context("failed to list the operator's Pods")?
        .items)
}
