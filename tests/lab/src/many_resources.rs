//! Many resources of one kind in many namespaces, each with its own Ready condition and a child.

use anyhow::{Context as _, Result};
use futures_util::{StreamExt as _, TryStreamExt as _, stream};
use k8s_openapi::api::core::v1::{ConfigMap, Namespace};
use k8s_openapi::apiextensions_apiserver::pkg::apis::apiextensions::v1::CustomResourceDefinition;
use kube::api::{Api, ApiResource, DynamicObject, PostParams};
use kube::core::GroupVersionKind;
use kube::{Client, ResourceExt as _};
use serde_json::{Value, json};

use crate::bulk_create::{AT_ONCE, Progress, accept_existing, counted, served};

/// The API group of the kind.
pub const GROUP: &str = "many.lab.kubectl-op.dev";
/// The kind of every resource.
pub const KIND: &str = "Thing";
const PLURAL: &str = "things";
/// One resource in so many is not ready.
const NOT_READY_EVERY: usize = 50;

/// What to make. Every resource has 2.5 KB of its own and owns a ConfigMap.
#[derive(Clone, Debug)]
pub struct ManyResources {
    pub resources: usize,
    /// At least one.
    pub namespaces: usize,
}

impl ManyResources {
    /// Makes it, once per lab.
    pub async fn fill(&self, client: &Client) -> Result<()> {
        define(client).await?;
        let namespaces = stream::iter((0..self.namespaces.max(1)).map(|number| namespace(client, number)));
        let namespaces: Vec<String> = namespaces.buffered(AT_ONCE).try_collect().await?;
        let creating = (0..self.resources).map(|index| {
            let namespace = &namespaces[index % namespaces.len()];
            create(client, namespace, index)
        });
        let progress = Progress::new("resources", 0, self.resources);
        counted(stream::iter(creating).buffer_unordered(AT_ONCE), progress).await
    }

    /// How many of them are not ready.
    pub fn not_ready_count(&self) -> usize {
        self.resources.div_ceil(NOT_READY_EVERY)
    }
}

/// The resources of a namespace.
pub(crate) fn things(client: &Client, namespace: &str) -> Api<DynamicObject> {
    let gvk = GroupVersionKind::gvk(GROUP, "v1", KIND);
    Api::namespaced_with(client.clone(), namespace, &ApiResource::from_gvk_with_plural(&gvk, PLURAL))
}

/// Defines the kind and waits until it is served.
pub(crate) async fn define(client: &Client) -> Result<()> {
    let crds: Api<CustomResourceDefinition> = Api::all(client.clone());
    let crd = serde_json::from_value(definition())?;
    accept_existing(crds.create(&PostParams::default(), &crd).await).context("CRD of the many resources")?;
    served(&things(client, "default")).await
}

/// Creates a namespace unless it exists.
pub(crate) async fn ensure_namespace(client: &Client, name: &str) -> Result<()> {
    let namespaces: Api<Namespace> = Api::all(client.clone());
    let namespace = serde_json::from_value(json!({"metadata": {"name": name}}))?;
    accept_existing(namespaces.create(&PostParams::default(), &namespace).await)
}

/// The owner references that make a resource the owner of an object.
pub(crate) fn owned_by(owner: &DynamicObject) -> Result<Value> {
    Ok(json!([{
        "apiVersion": format!("{GROUP}/v1"), "kind": KIND, "name": owner.name_any(),
        "uid": owner.uid().context("the owner has no uid")?, "controller": true, "blockOwnerDeletion": true,
    }]))
}

/// Creates a resource whose Ready condition says `ready`.
pub(crate) async fn thing(
    client: &Client,
    namespace: &str,
    name: &str,
    ready: &str,
) -> Result<DynamicObject> {
    let thing = json!({
        "apiVersion": format!("{GROUP}/v1"), "kind": KIND, "metadata": {"name": name},
        "spec": {"text": "x".repeat(2500), "configMapName": format!("{name}-settings")},
        "status": {"observedGeneration": 1, "conditions": [{
            "type": "Ready", "status": ready, "reason": "Checked", "message": "set when it was created",
            "lastTransitionTime": "2025-01-01T00:00:00Z", "observedGeneration": 1,
        }]},
    });
    let made =
        things(client, namespace).create(&PostParams::default(), &serde_json::from_value(thing)?).await;
    made.with_context(|| format!("failed to create {KIND} {name}"))
}

async fn namespace(client: &Client, number: usize) -> Result<String> {
    let name = format!("many-{number}");
    ensure_namespace(client, &name).await?;
    Ok(name)
}

async fn create(client: &Client, namespace: &str, index: usize) -> Result<()> {
    let ready = if index.is_multiple_of(NOT_READY_EVERY) { "False" } else { "True" };
    let name = format!("thing-{index}");
    let owner = thing(client, namespace, &name, ready).await?;
    let map = json!({
        "metadata": {"name": format!("map-{index}"), "ownerReferences": owned_by(&owner)?},
        "data": {"text": "x".repeat(1000)},
    });
    let maps: Api<ConfigMap> = Api::namespaced(client.clone(), namespace);
    let made = maps.create(&PostParams::default(), &serde_json::from_value(map)?).await;
    made.map(drop).with_context(|| format!("failed to create ConfigMap map-{index}"))
}

fn definition() -> Value {
    let text = json!({"type": "string"});
    let condition = json!({"type": "object", "required": ["type", "status"], "properties": {
        "type": text, "status": text, "reason": text, "message": text, "lastTransitionTime": text,
        "observedGeneration": {"type": "integer"},
    }});
    let schema = json!({"type": "object", "properties": {
        "spec": {"type": "object", "properties": {"text": text, "configMapName": text}},
        "status": {"type": "object", "properties": {
            "observedGeneration": {"type": "integer"}, "conditions": {"type": "array", "items": condition},
        }},
    }});
    json!({
        "metadata": {"name": format!("{PLURAL}.{GROUP}")},
        "spec": {
            "group": GROUP, "scope": "Namespaced",
            "names": {"plural": PLURAL, "singular": "thing", "kind": KIND},
            "versions": [{"name": "v1", "served": true, "storage": true, "schema": {"openAPIV3Schema": schema}}],
        },
    })
}
