//! A large namespace: many unrelated objects of many kinds around one small tree.

use anyhow::{Context as _, Result};
use futures_util::{StreamExt as _, stream};
use k8s_openapi::api::core::v1::{ConfigMap, Namespace};
use k8s_openapi::apiextensions_apiserver::pkg::apis::apiextensions::v1::CustomResourceDefinition;
use kube::api::{Api, ApiResource, DynamicObject, PostParams};
use kube::core::GroupVersionKind;
use kube::{Client, ResourceExt as _};
use serde_json::{Value, json};

use crate::bulk_create::{AT_ONCE, Progress, accept_existing, counted, served};

/// The API group of its kinds.
pub const GROUP: &str = "big.lab.kubectl-op.dev";

/// What to make. Of the objects four in ten are ConfigMaps of 4 KB, the rest custom resources of 2.5 KB, spread
/// over the kinds; the root and what it owns are counted among them.
#[derive(Clone, Debug)]
pub struct LargeNamespace {
    pub namespace: String,
    pub objects: usize,
    /// At least one.
    pub kinds: usize,
    /// How many ConfigMaps the root owns.
    pub owned: usize,
}

impl LargeNamespace {
    /// The root is the object `root` of this kind.
    pub const ROOT: &'static str = "Thing0";

    /// Makes it; the namespace too, when it does not exist. Once per namespace.
    pub async fn fill(&self, client: &Client) -> Result<()> {
        Self::define(client, self.kinds.max(1)).await?;
        let namespaces: Api<Namespace> = Api::all(client.clone());
        let namespace = serde_json::from_value(json!({"metadata": {"name": self.namespace}}))?;
        accept_existing(namespaces.create(&PostParams::default(), &namespace).await)?;
        self.create_thing(client, 0, "root").await?;
        self.grow(client, 1).await
    }

    /// Defines so many kinds and waits until each is served. Those that exist stay as they are.
    pub async fn define(client: &Client, kinds: usize) -> Result<()> {
        let defining = stream::iter((0..kinds).map(|kind| define(client, kind)));
        counted(defining.buffer_unordered(AT_ONCE), Progress::new("kinds", 0, kinds)).await?;
        let mut progress = Progress::new("kinds served", 0, kinds);
        for kind in 0..kinds {
            served(&things(client, "default", kind)).await?;
            progress.step();
        }
        Ok(())
    }

    /// Adds what is missing when it was filled with `from` objects before. It may own no more than it did then.
    pub async fn grow(&self, client: &Client, from: usize) -> Result<()> {
        let root = self.things(client, 0).get("root").await.context("failed to read the root")?;
        let root = root.uid().context("the root has no uid")?;
        // The root is one of the objects and has no index.
        let indexes = from.saturating_sub(1)..self.objects.saturating_sub(1);
        let creating = stream::iter(indexes.map(|index| self.create(client, index, &root)));
        let progress = Progress::new("objects", from, self.objects);
        counted(creating.buffer_unordered(AT_ONCE), progress).await
    }

    async fn create(&self, client: &Client, index: usize, root: &str) -> Result<()> {
        let owned = index < self.owned;
        if !owned && index % 10 >= 4 {
            let kind = index % self.kinds.max(1);
            return self.create_thing(client, kind, &format!("thing-{index}")).await.map(drop);
        }
        let mut map =
            json!({"metadata": {"name": format!("map-{index}")}, "data": {"text": "x".repeat(4000)}});
        if owned {
            map["metadata"]["ownerReferences"] = json!([{
                "apiVersion": format!("{GROUP}/v1"), "kind": Self::ROOT, "name": "root", "uid": root,
                "controller": true, "blockOwnerDeletion": true,
            }]);
        }
        let maps: Api<ConfigMap> = Api::namespaced(client.clone(), &self.namespace);
        let made = maps.create(&PostParams::default(), &serde_json::from_value(map)?).await;
        made.map(drop).with_context(|| format!("failed to create ConfigMap map-{index}"))
    }

    async fn create_thing(&self, client: &Client, kind: usize, name: &str) -> Result<DynamicObject> {
        let thing = json!({
            "apiVersion": format!("{GROUP}/v1"), "kind": format!("Thing{kind}"), "metadata": {"name": name},
            "spec": {"text": "x".repeat(2500)},
        });
        let made =
            self.things(client, kind).create(&PostParams::default(), &serde_json::from_value(thing)?).await;
        made.with_context(|| format!("failed to create Thing{kind} {name}"))
    }

    fn things(&self, client: &Client, kind: usize) -> Api<DynamicObject> {
        things(client, &self.namespace, kind)
    }
}

fn things(client: &Client, namespace: &str, kind: usize) -> Api<DynamicObject> {
    let gvk = GroupVersionKind::gvk(GROUP, "v1", &format!("Thing{kind}"));
    let resource = ApiResource::from_gvk_with_plural(&gvk, &format!("thing{kind}s"));
    Api::namespaced_with(client.clone(), namespace, &resource)
}

async fn define(client: &Client, kind: usize) -> Result<()> {
    let crds: Api<CustomResourceDefinition> = Api::all(client.clone());
    let crd = serde_json::from_value(definition(kind))?;
    accept_existing(crds.create(&PostParams::default(), &crd).await)
        .with_context(|| format!("CRD of Thing{kind}"))
}

fn definition(kind: usize) -> Value {
    let (plural, singular) = (format!("thing{kind}s"), format!("thing{kind}"));
    let schema = json!({"type": "object", "properties": {
        "spec": {"type": "object", "properties": {"text": {"type": "string"}}},
    }});
    json!({
        "metadata": {"name": format!("{plural}.{GROUP}")},
        "spec": {
            "group": GROUP, "scope": "Namespaced",
            "names": {"plural": plural, "singular": singular, "kind": format!("Thing{kind}")},
            "versions": [{"name": "v1", "served": true, "storage": true, "schema": {"openAPIV3Schema": schema}}],
        },
    })
}
