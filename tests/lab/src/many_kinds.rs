//! Many kinds with a few resources each: those with an even number keep no status, all others are Ready.

use anyhow::{Context as _, Result};
use futures_util::{StreamExt as _, stream};
use k8s_openapi::api::core::v1::Namespace;
use k8s_openapi::apiextensions_apiserver::pkg::apis::apiextensions::v1::CustomResourceDefinition;
use kube::Client;
use kube::api::{Api, ApiResource, DynamicObject, Patch, PatchParams, PostParams};
use kube::core::GroupVersionKind;
use serde_json::{Value, json};

use crate::bulk_create::{AT_ONCE, Progress, accept_existing, counted, served};

const GROUP: &str = "kinds.lab.kubectl-op.dev";

/// What to make.
#[derive(Clone, Debug)]
pub struct ManyKinds {
    /// `Bare0`, `Kept1`, `Bare2` and so on.
    pub kinds: usize,
    /// Of each kind: `r0`, `r1` and so on.
    pub resources: usize,
}

impl ManyKinds {
    /// Where the resources are.
    pub const NAMESPACE: &'static str = "many-kinds";

    /// Makes it, once per lab.
    pub async fn fill(&self, client: &Client) -> Result<()> {
        let namespaces: Api<Namespace> = Api::all(client.clone());
        let namespace = serde_json::from_value(json!({"metadata": {"name": Self::NAMESPACE}}))?;
        accept_existing(namespaces.create(&PostParams::default(), &namespace).await)?;
        let defining = stream::iter((0..self.kinds).map(|kind| define(client, kind)));
        counted(defining.buffer_unordered(AT_ONCE), Progress::new("kinds", 0, self.kinds)).await?;
        let filling = stream::iter((0..self.kinds).map(|kind| self.create(client, kind)));
        counted(filling.buffer_unordered(AT_ONCE), Progress::new("kinds filled", 0, self.kinds)).await
    }

    /// Removes the status of every resource of a kind.
    pub async fn clear_status(&self, client: &Client, kind: usize) -> Result<()> {
        for number in 0..self.resources {
            write_status(client, kind, number, &Value::Null).await?;
        }
        Ok(())
    }

    async fn create(&self, client: &Client, kind: usize) -> Result<()> {
        let api = resources(client, kind);
        served(&api).await?;
        let ready = json!({"conditions": [{"type": "Ready", "status": "True"}]});
        for number in 0..self.resources {
            let resource = json!({"apiVersion": format!("{GROUP}/v1"), "kind": name(kind),
                "metadata": {"name": format!("r{number}")}, "spec": {"text": "x"}});
            let made = api.create(&PostParams::default(), &serde_json::from_value(resource)?).await;
            made.with_context(|| format!("failed to create {} r{number}", name(kind)))?;
            if keeps_status(kind) {
                write_status(client, kind, number, &ready).await?;
            }
        }
        Ok(())
    }
}

async fn write_status(client: &Client, kind: usize, number: usize, status: &Value) -> Result<()> {
    let patch = Patch::Merge(json!({"status": status}));
    let written =
        resources(client, kind).patch_status(&format!("r{number}"), &PatchParams::default(), &patch).await;
    written.map(drop).with_context(|| format!("failed to write the status of {} r{number}", name(kind)))
}

const fn keeps_status(kind: usize) -> bool {
    !kind.is_multiple_of(2)
}

fn name(kind: usize) -> String {
    format!("{}{kind}", if keeps_status(kind) { "Kept" } else { "Bare" })
}

fn plural(kind: usize) -> String {
    format!("{}s", name(kind).to_lowercase())
}

fn resources(client: &Client, kind: usize) -> Api<DynamicObject> {
    let gvk = GroupVersionKind::gvk(GROUP, "v1", &name(kind));
    let resource = ApiResource::from_gvk_with_plural(&gvk, &plural(kind));
    Api::namespaced_with(client.clone(), ManyKinds::NAMESPACE, &resource)
}

async fn define(client: &Client, kind: usize) -> Result<()> {
    let crds: Api<CustomResourceDefinition> = Api::all(client.clone());
    let crd = serde_json::from_value(definition(kind))?;
    accept_existing(crds.create(&PostParams::default(), &crd).await)
        .with_context(|| format!("CRD of {}", name(kind)))
}

fn definition(kind: usize) -> Value {
    let any = json!({"type": "object", "x-kubernetes-preserve-unknown-fields": true});
    let mut version = json!({"name": "v1", "served": true, "storage": true, "schema": {"openAPIV3Schema":
        {"type": "object", "properties": {"spec": any}}}});
    if keeps_status(kind) {
        version["schema"]["openAPIV3Schema"]["properties"]["status"] = any;
        version["subresources"] = json!({"status": {}});
    }
    json!({
        "metadata": {"name": format!("{}.{GROUP}", plural(kind))},
        "spec": {
            "group": GROUP, "scope": "Namespaced",
            "names": {"plural": plural(kind), "singular": name(kind).to_lowercase(), "kind": name(kind)},
            "versions": [version],
        },
    })
}
