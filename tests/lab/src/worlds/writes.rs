//! How the operators write: plain creates, replaces and merge patches under a field manager, the habits of
//! controller-runtime, so that `managedFields` say `operation: Update`.

use std::fmt::Debug;

use anyhow::{Context as _, Result, bail};
use k8s_openapi::NamespaceResourceScope;
use k8s_openapi::apimachinery::pkg::apis::meta::v1::OwnerReference;
use kube::api::{Patch, PatchParams, PostParams};
use kube::{Api, Client, Resource, ResourceExt as _};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

/// What a kubebuilder binary calls itself: client-go takes the name of the program.
pub(super) const MANAGER: &str = "manager";

/// The namespaced kinds an operator reads and writes.
pub(super) trait Namespaced:
    Resource<DynamicType = (), Scope = NamespaceResourceScope>
    + Clone
    + Debug
    + DeserializeOwned
    + Serialize
    + Send
    + Sync
    + 'static
{
}

impl<K> Namespaced for K where
    K: Resource<DynamicType = (), Scope = NamespaceResourceScope>
        + Clone
        + Debug
        + DeserializeOwned
        + Serialize
        + Send
        + Sync
        + 'static
{
}

/// The API of a kind in the namespace of `neighbour`.
pub(super) fn beside<K: Namespaced>(client: &Client, neighbour: &impl Namespaced) -> Api<K> {
    Api::namespaced(client.clone(), &neighbour.namespace().unwrap_or_default())
}

/// Creates a child.
pub(super) async fn create<K: Namespaced>(api: &Api<K>, object: &K) -> Result<K> {
    api.create(&by(MANAGER), object)
        .await
        .with_context(|| format!("failed to create {}", display_name(object)))
}

/// Writes back a child that was read and changed; a conflict is an error, and errors are tried again.
pub(super) async fn replace<K: Namespaced>(api: &Api<K>, object: &K) -> Result<K> {
    let written = api.replace(&object.name_any(), &by(MANAGER), object).await;
    written.with_context(|| format!("failed to update {}", display_name(object)))
}

/// Patches the status subresource of a custom resource.
pub(super) async fn status<K: Namespaced>(
    client: &Client,
    object: &K,
    status: &impl Serialize,
) -> Result<()> {
    let patch = Patch::Merge(json!({ "status": status }));
    let api: Api<K> = beside(client, object);
    api.patch_status(&object.name_any(), &patching(MANAGER), &patch)
        .await
        .with_context(|| format!("failed to write the status of {}", display_name(object)))?;
    Ok(())
}

/// Patches the metadata of a custom resource, unless somebody wrote to it since it was read.
pub(super) async fn metadata<K: Namespaced>(
    client: &Client,
    manager: &str,
    object: &K,
    mut metadata: Value,
) -> Result<K> {
    metadata["resourceVersion"] = json!(object.resource_version());
    let api: Api<K> = beside(client, object);
    api.patch(&object.name_any(), &patching(manager), &Patch::Merge(json!({ "metadata": metadata })))
        .await
        .with_context(|| format!("failed to update {}", display_name(object)))
}

/// Adds a finalizer to a custom resource.
pub(super) async fn hold<K: Namespaced>(
    client: &Client,
    manager: &str,
    object: &K,
    finalizer: &str,
) -> Result<K> {
    let mut finalizers = object.finalizers().to_vec();
    finalizers.push(finalizer.to_owned());
    metadata(client, manager, object, json!({ "finalizers": finalizers })).await
}

/// Removes a finalizer from a custom resource; if it was the last one, the object is gone.
pub(super) async fn release<K: Namespaced>(
    client: &Client,
    manager: &str,
    object: &K,
    finalizer: &str,
) -> Result<()> {
    let rest: Vec<_> = object.finalizers().iter().filter(|held| *held != finalizer).collect();
    metadata(client, manager, object, json!({ "finalizers": rest })).await?;
    Ok(())
}

/// The reference by which a custom resource owns a child.
pub(super) fn owner(object: &impl Namespaced) -> Option<Vec<OwnerReference>> {
    let reference = object.controller_owner_ref(&())?;
    Some(vec![OwnerReference { block_owner_deletion: Some(true), ..reference }])
}

/// Fails when somebody else controls a child: two operators would correct each other for ever.
pub(super) fn not_of_another(object: &impl Namespaced, child: &impl Namespaced) -> Result<()> {
    let controller = child.owner_references().iter().find(|owner| owner.controller == Some(true));
    match controller {
        Some(other) if Some(&other.uid) != object.uid().as_ref() => {
            bail!("{} already belongs to {} {}", display_name(child), other.kind, other.name)
        }
        _ => Ok(()),
    }
}

/// Parameters of a create or a replace.
pub(super) fn by(manager: &str) -> PostParams {
    PostParams { field_manager: Some(manager.to_owned()), ..PostParams::default() }
}

/// Parameters of a patch.
pub(super) fn patching(manager: &str) -> PatchParams {
    PatchParams { field_manager: Some(manager.to_owned()), ..PatchParams::default() }
}

/// Whether the API server said that there is no such object.
pub(super) fn absent(error: &kube::Error) -> bool {
    matches!(error, kube::Error::Api(status) if status.code == 404)
}

/// Whether the API server said that there is already such an object.
pub(super) fn present(error: &kube::Error) -> bool {
    matches!(error, kube::Error::Api(status) if status.code == 409 && status.reason == "AlreadyExists")
}

fn display_name<K: Namespaced>(object: &K) -> String {
    format!("{} {}/{}", K::kind(&()), object.namespace().unwrap_or_default(), object.name_any())
}
