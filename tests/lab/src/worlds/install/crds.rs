//! The worlds' CRDs, those of OLM, and when the API server really serves a kind.

use anyhow::{Context as _, Result};
use k8s_openapi::apiextensions_apiserver::pkg::apis::apiextensions::v1::CustomResourceDefinition;
use kube::api::{DynamicObject, ListParams};
use kube::core::CustomResourceExt as _;
use kube::discovery::ApiResource;
use kube::{Api, Client};
use serde_json::{Value, json};

use super::apply::{Installer, apply};
use crate::wait::until;
use crate::worlds::{HelloWorld, Memcached, VmGroup, VoteConfig, Website, World};

/// Installs a world's CRD and waits until its kind can be used.
pub(super) async fn install(client: &Client, world: World) -> Result<()> {
    let crd = match world {
        World::VoteConfig => VoteConfig::crd(),
        World::Memcached => Memcached::crd(),
        World::VmGroup => VmGroup::crd(),
        World::Website => Website::crd(),
        World::HelloWorld => HelloWorld::crd(),
    };
    let mut manifest = serde_json::to_value(crd).context("failed to write the CRD")?;
    let installer = match world {
        World::Memcached => Installer::Olm,
        _ => Installer::Kubectl,
    };
    if let Some(in_cluster) = world.names().in_cluster {
        // HelloWorld's author wrote the CRD by hand.
        manifest["metadata"]["annotations"] = json!({ "controller-gen.kubebuilder.io/version": "v0.19.0" });
        if installer == Installer::Olm {
            let component =
                format!("operators.coreos.com/{}.{}", world.names().operator, in_cluster.namespace);
            manifest["metadata"]["labels"] = json!({ "olm.managed": "true", component: "" });
        }
    }
    apply(client, installer, manifest).await?;
    served(client, &world.resource()).await
}

/// Installs the CRDs of OLM: enough of a schema for its objects to be stored and found.
pub(super) async fn install_olm(client: &Client) -> Result<()> {
    let kinds = [
        ("v1", "OperatorGroup", "operatorgroups", json!(["og"])),
        ("v1alpha1", "Subscription", "subscriptions", json!(["sub", "subs"])),
        ("v1alpha1", "InstallPlan", "installplans", json!(["ip"])),
        ("v1alpha1", "ClusterServiceVersion", "clusterserviceversions", json!(["csv", "csvs"])),
    ];
    for (version, kind, plural, short) in &kinds {
        apply(client, Installer::Kubectl, olm_crd(version, kind, plural, short)).await?;
    }
    for (version, kind, plural, _) in kinds {
        let gvk = kube::core::GroupVersionKind::gvk(OLM, version, kind);
        served(client, &ApiResource::from_gvk_with_plural(&gvk, plural)).await?;
    }
    Ok(())
}

const OLM: &str = "operators.coreos.com";

fn olm_crd(version: &str, kind: &str, plural: &str, short: &Value) -> Value {
    let open = json!({ "type": "object", "x-kubernetes-preserve-unknown-fields": true });
    let mut crd = json!({
        "apiVersion": "apiextensions.k8s.io/v1",
        "kind": "CustomResourceDefinition",
        "metadata": { "name": format!("{plural}.{OLM}") },
        "spec": {
            "group": OLM,
            "names": {
                "kind": kind, "listKind": format!("{kind}List"), "plural": plural,
                "singular": kind.to_lowercase(), "shortNames": short, "categories": ["olm"],
            },
            "scope": "Namespaced",
            "versions": [{
                "name": version, "served": true, "storage": true,
                "subresources": { "status": {} },
                "schema": { "openAPIV3Schema": {
                    "type": "object",
                    "required": ["metadata"],
                    "properties": { "spec": open, "status": open },
                } },
            }],
        },
    });
    if kind == "ClusterServiceVersion" {
        let column = |name: &str, path: &str| json!({ "name": name, "type": "string", "jsonPath": path });
        crd["spec"]["versions"][0]["additionalPrinterColumns"] = json!([
            column("Display", ".spec.displayName"),
            column("Version", ".spec.version"),
            column("Replaces", ".spec.replaces"),
            column("Phase", ".status.phase"),
        ]);
    }
    crd
}

/// Waits until a kind is established, listed among its group's kinds and answers: a fresh one says 404 or
/// "storage is (re)initializing" for a second or so.
async fn served(client: &Client, resource: &ApiResource) -> Result<()> {
    let crds: Api<CustomResourceDefinition> = Api::all(client.clone());
    let objects: Api<DynamicObject> = Api::all_with(client.clone(), resource);
    let name = format!("{}.{}", resource.plural, resource.group);
    until(&format!("{name} to be served"), async || {
        let conditions =
            crds.get(&name).await?.status.and_then(|status| status.conditions).unwrap_or_default();
        if !conditions.iter().any(|one| one.type_ == "Established" && one.status == "True") {
            return Ok(None);
        }
        objects.list(&ListParams::default().limit(1)).await?;
        let listed = client.list_api_group_resources(&resource.api_version).await?;
        Ok(listed.resources.iter().any(|one| one.name == resource.plural).then_some(()))
    })
    .await
}
