//! How a manifest gets into the cluster and out of it.

use anyhow::{Context as _, Result};
use kube::api::{DeleteParams, DynamicObject, Patch};
use kube::core::{GroupVersionKind, TypeMeta};
use kube::discovery::ApiResource;
use kube::{Api, Client};
use serde_json::{Value, json};

use crate::worlds::writes;

/// Who installs: it shows in `managedFields`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::worlds) enum Installer {
    /// `kubectl apply -f`, which also leaves its annotation.
    Kubectl,
    Olm,
}

impl Installer {
    pub(super) const fn manager(self) -> &'static str {
        match self {
            Self::Kubectl => "kubectl-client-side-apply",
            Self::Olm => "olm",
        }
    }
}

/// Creates an object, or changes it to what the manifest says.
pub(super) async fn apply(
    client: &Client,
    installer: Installer,
    mut manifest: Value,
) -> Result<DynamicObject> {
    if installer == Installer::Kubectl {
        let text = format!("{manifest}\n");
        manifest["metadata"]["annotations"]["kubectl.kubernetes.io/last-applied-configuration"] = json!(text);
    }
    let api = api(client, &manifest)?;
    let object: DynamicObject = serde_json::from_value(manifest.clone())
        .with_context(|| format!("{} is no object", display_name(&manifest)))?;
    let written = match api.create(&writes::by(installer.manager()), &object).await {
        Err(error) if writes::present(&error) => {
            let params = writes::patching(installer.manager());
            api.patch(name(&manifest), &params, &Patch::Merge(&manifest)).await
        }
        made => made,
    };
    written.with_context(|| format!("failed to install {}", display_name(&manifest)))
}

/// Writes the status of an installed object.
pub(super) async fn status(
    client: &Client,
    installer: Installer,
    manifest: &Value,
    status: Value,
) -> Result<()> {
    let patch = Patch::Merge(json!({ "status": status }));
    api(client, manifest)?
        .patch_status(name(manifest), &writes::patching(installer.manager()), &patch)
        .await
        .with_context(|| format!("failed to write the status of {}", display_name(manifest)))?;
    Ok(())
}

/// Deletes what the manifest names; a namespace stays, and what is gone already is fine.
pub(super) async fn delete(client: &Client, manifest: &Value) -> Result<()> {
    if manifest["kind"] == "Namespace" {
        return Ok(());
    }
    match api(client, manifest)?.delete(name(manifest), &DeleteParams::background()).await {
        Err(error) if writes::absent(&error) => Ok(()),
        done => done.map(drop).with_context(|| format!("failed to delete {}", display_name(manifest))),
    }
}

fn api(client: &Client, manifest: &Value) -> Result<Api<DynamicObject>> {
    let word = |key: &str| manifest[key].as_str().unwrap_or_default().to_owned();
    let types = TypeMeta { api_version: word("apiVersion"), kind: word("kind") };
    let kind = GroupVersionKind::try_from(types)
        .with_context(|| format!("{} has no kind", display_name(manifest)))?;
    let resource = ApiResource::from_gvk(&kind);
    Ok(match manifest["metadata"]["namespace"].as_str() {
        Some(namespace) => Api::namespaced_with(client.clone(), namespace, &resource),
        None => Api::all_with(client.clone(), &resource),
    })
}

fn name(manifest: &Value) -> &str {
    manifest["metadata"]["name"].as_str().unwrap_or_default()
}

fn display_name(manifest: &Value) -> String {
    format!("{} {}", manifest["kind"].as_str().unwrap_or("an object"), name(manifest))
}
