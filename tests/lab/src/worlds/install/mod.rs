//! What an operator needs in the cluster, and how it gets there: by `kubectl apply`, or by OLM.
//!
//! | to find                                  | look in       |
//! |------------------------------------------|---------------|
//! | how a manifest is written and removed    | `apply.rs`    |
//! | CRDs, and when they are really served    | `crds.rs`     |
//! | roles and bindings                       | `rbac.rs`     |
//! | Deployment, Services, Secret             | `workload.rs` |
//! | OperatorGroup, Subscription, CSV         | `olm.rs`      |
//! | the webhook's Service and certificate    | `hook.rs`     |
//! | versions of an operator                  | `release.rs`  |

mod apply;
mod crds;
mod hook;
mod olm;
mod rbac;
mod release;
mod workload;

use anyhow::{Context as _, Result};
use k8s_openapi::api::apps::v1::Deployment;
use kube::{Api, Client};
use serde_json::{Value, json};

use super::World;
use super::world::InClusterInstall;
use crate::lab::Lab;
pub(super) use apply::Installer;
pub(super) use hook::certify;
pub(super) use release::Release;

/// Installs the CRD and, if it runs in the cluster, the operator. What is installed already stays as it is.
pub(super) async fn install(lab: &Lab, world: World) -> Result<()> {
    let client = lab.client();
    crds::install(&client, world).await?;
    let Some(in_cluster) = world.names().in_cluster else { return Ok(()) };
    if installed(&client, world).await?.is_none() {
        put(lab, world, &in_cluster, Release::FIRST).await?;
    }
    Ok(())
}

/// Installs the next release over the one that is there.
pub(super) async fn upgrade(lab: &Lab, world: World) -> Result<()> {
    let Some(in_cluster) = world.names().in_cluster else { return Ok(()) };
    let current = installed(&lab.client(), world).await?;
    let current = current.with_context(|| format!("the {world} operator is not installed"))?;
    put(lab, world, &in_cluster, current.next()).await?;
    if world == World::Memcached {
        olm::retire(&lab.client(), &in_cluster, current).await?;
    }
    Ok(())
}

/// Removes everything but the CRD, the custom resources, the namespace and what the operator made itself.
pub(super) async fn uninstall(lab: &Lab, world: World) -> Result<()> {
    let client = lab.client();
    let Some(in_cluster) = world.names().in_cluster else { return Ok(()) };
    let release = installed(&client, world).await?.unwrap_or(Release::FIRST);
    if world == World::Memcached {
        return olm::remove(lab, &in_cluster, release).await;
    }
    for manifest in plain(world, &in_cluster, release).iter().rev() {
        apply::delete(&client, manifest).await?;
    }
    Ok(())
}

/// Which release is installed, read from the image of its Deployment.
pub(super) async fn installed(client: &Client, world: World) -> Result<Option<Release>> {
    let Some(in_cluster) = world.names().in_cluster else { return Ok(None) };
    let api: Api<Deployment> = Api::namespaced(client.clone(), in_cluster.namespace);
    let found = api.get_opt(in_cluster.workload).await.context("failed to read the operator's Deployment")?;
    let pod = found.and_then(|deployment| deployment.spec?.template.spec);
    Ok(pod.and_then(|pod| pod.containers.iter().find_map(|one| Release::of_image(one.image.as_deref()?))))
}

async fn put(lab: &Lab, world: World, in_cluster: &InClusterInstall, release: Release) -> Result<()> {
    let client = lab.client();
    apply::apply(&client, Installer::Kubectl, namespace(in_cluster)).await?;
    if world == World::Memcached {
        return olm::install(lab, in_cluster, release).await;
    }
    for manifest in plain(world, in_cluster, release) {
        apply::apply(&client, Installer::Kubectl, manifest).await?;
    }
    Ok(())
}

/// The manifests of an operator that is installed by `kubectl apply`.
fn plain(world: World, in_cluster: &InClusterInstall, release: Release) -> Vec<Value> {
    let mut manifests = rbac::manifests(world, in_cluster);
    manifests.extend(workload::extras(world, in_cluster));
    manifests.push(workload::deployment(world, in_cluster, release));
    manifests
}

fn namespace(in_cluster: &InClusterInstall) -> Value {
    json!({
        "apiVersion": "v1",
        "kind": "Namespace",
        "metadata": { "name": in_cluster.namespace, "labels": { "control-plane": "controller-manager" } },
    })
}
