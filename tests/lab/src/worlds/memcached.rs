//! Memcached: a Deployment of caches. Only its replicas are kept in line; an image, once set, stays what it was.
//! A webhook refuses what makes no sense.

use anyhow::{Context as _, Result};
use k8s_openapi::api::apps::v1::Deployment;
use k8s_openapi::api::core::v1::Pod;
use kube::api::ListParams;
use kube::runtime::controller::Action;
use kube::runtime::{Controller, watcher};
use kube::{Api, Client, CustomResource, ResourceExt as _};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::conditions::{self, Condition, Holds};
use super::controller::{Context, Custom};
use super::events::EventLevel;
use super::{World, writes};

/// How many caches of which version.
#[derive(CustomResource, Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[kube(
    group = "cache.example.com",
    version = "v1alpha1",
    kind = "Memcached",
    doc = "Some caches.",
    namespaced,
    status = "MemcachedStatus"
)]
pub struct MemcachedSpec {
    /// The number of caches; the webhook wants more than none.
    pub size: i32,
    /// The tag of the image; the webhook wants one.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub version: String,
}

/// What runs.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
#[schemars(transform = super::schema::without_defaults)]
pub struct MemcachedStatus {
    /// The names of the Pods.
    pub nodes: Vec<String>,
    #[schemars(extend("x-kubernetes-list-type" = "map", "x-kubernetes-list-map-keys" = ["type"]))]
    pub conditions: Vec<Condition>,
}

/// Watches the custom resources and the Deployments they own.
pub(super) fn controller(client: Client) -> Controller<Memcached> {
    Controller::new(Api::<Memcached>::all(client.clone()), watcher::Config::default())
        .owns(Api::<Deployment>::all(client), watcher::Config::default())
}

impl Custom for Memcached {
    const WORLD: World = World::Memcached;

    async fn reconcile(&self, context: &Context) -> Result<Action> {
        let api: Api<Deployment> = writes::beside(&context.client, self);
        let name = self.name_any();
        let size = self.spec.size;
        let found = api.get_opt(&name).await.context("failed to read the Deployment")?;
        if let Some(found) = &found {
            writes::not_of_another(self, found)?;
        }
        let deployment = match found {
            None => {
                let made = writes::create(&api, &self.deployment()?).await?;
                context
                    .events
                    .post(self, EventLevel::Normal, "Created", format!("Created Deployment {name}"))
                    .await;
                made
            }
            Some(found) if found.spec.as_ref().and_then(|spec| spec.replicas) == Some(size) => found,
            Some(mut found) => {
                if let Some(spec) = &mut found.spec {
                    spec.replicas = Some(size);
                }
                let scaled = writes::replace(&api, &found).await?;
                context
                    .events
                    .post(self, EventLevel::Normal, "Scaled", format!("Scaled Deployment {name} to {size}"))
                    .await;
                scaled
            }
        };
        let ready = deployment.status.and_then(|status| status.ready_replicas).unwrap_or_default();
        let status = self.judged(self.nodes(context).await?, ready);
        if self.status.as_ref() != Some(&status) {
            writes::status(&context.client, self, &status).await?;
        }
        Ok(Action::await_change())
    }

    /// The Deployment goes with its owner.
    async fn clean(&self, _: &Context) -> Result<()> {
        Ok(())
    }

    async fn report_cleanup_failure(&self, context: &Context, why: &str) -> Result<()> {
        let mut status = self.status.clone().unwrap_or_default();
        let degraded =
            Condition::new("Degraded", Holds::Yes, "CleanupFailed", why.to_owned(), self.metadata.generation);
        conditions::set(&mut status.conditions, degraded);
        writes::status(&context.client, self, &status).await
    }
}

impl Memcached {
    fn deployment(&self) -> Result<Deployment> {
        let name = self.name_any();
        let labels = json!({ "app": "memcached", "memcached_cr": name });
        let manifest = json!({
            "metadata": {
                "name": name,
                "namespace": self.namespace(),
                "labels": labels,
                "ownerReferences": writes::owner(self),
            },
            "spec": {
                "replicas": self.spec.size,
                "selector": { "matchLabels": labels },
                "template": {
                    "metadata": { "labels": labels },
                    "spec": { "containers": [{
                        "name": "memcached",
                        "image": format!("memcached:{}", self.spec.version),
                        "command": ["memcached", "--memory-limit=64", "-o", "modern", "-v"],
                        "ports": [{ "name": "memcached", "containerPort": 11211 }],
                    }] },
                },
            },
        });
        serde_json::from_value(manifest).context("failed to build the Deployment")
    }

    async fn nodes(&self, context: &Context) -> Result<Vec<String>> {
        let api: Api<Pod> = writes::beside(&context.client, self);
        let ours = ListParams::default().labels(&format!("app=memcached,memcached_cr={}", self.name_any()));
        let pods = api.list(&ours).await.context("failed to list the Pods")?;
        let staying = pods.iter().filter(|pod| pod.metadata.deletion_timestamp.is_none());
        let mut nodes: Vec<_> = staying.map(kube::ResourceExt::name_any).collect();
        nodes.sort();
        Ok(nodes)
    }

    fn judged(&self, nodes: Vec<String>, ready: i32) -> MemcachedStatus {
        let size = self.spec.size;
        let mut conditions = self.status.as_ref().map(|status| status.conditions.clone()).unwrap_or_default();
        let available = ready >= size;
        let reason = if available { "MinimumReplicasAvailable" } else { "Reconciling" };
        let message = format!("{ready} of {size} replicas of Deployment {} are ready", self.name_any());
        let generation = self.metadata.generation;
        let new = |type_, holds| Condition::new(type_, holds, reason, message.clone(), generation);
        conditions::set(&mut conditions, new("Available", Holds::from(available)));
        conditions::set(&mut conditions, new("Progressing", Holds::from(!available)));
        MemcachedStatus { nodes, conditions }
    }
}

/// Answers an `AdmissionReview`.
pub(super) fn review(review: &Value) -> Value {
    let request = &review["request"];
    let objection = objection(&request["object"]["spec"]);
    let mut response = json!({ "uid": request["uid"], "allowed": objection.is_none() });
    if let Some(message) = objection {
        response["status"] = json!({ "code": 422, "reason": "Invalid", "message": message });
    }
    json!({ "apiVersion": "admission.k8s.io/v1", "kind": "AdmissionReview", "response": response })
}

/// Why this spec is refused, if it is.
fn objection(spec: &Value) -> Option<String> {
    let size = spec["size"].as_i64().unwrap_or_default();
    if size <= 0 {
        return Some(format!("spec.size must be greater than 0, not {size}"));
    }
    if spec["version"].as_str().unwrap_or_default().is_empty() {
        return Some("spec.version must be set".to_owned());
    }
    None
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::review;

    #[test]
    fn the_webhook_wants_a_size_and_a_version() {
        let answer = |spec| review(&json!({ "request": { "uid": "u", "object": { "spec": spec } } }));
        let good = answer(json!({ "size": 3, "version": "1.6.39" }));
        assert_eq!(good["response"], json!({ "uid": "u", "allowed": true }));
        let none = answer(json!({ "size": 0, "version": "1.6.39" }));
        assert_eq!(none["response"]["allowed"], json!(false));
        assert_eq!(none["response"]["status"]["message"], "spec.size must be greater than 0, not 0");
        let unversioned = answer(json!({ "size": 3 }));
        assert_eq!(unversioned["response"]["status"]["message"], "spec.version must be set");
    }
}
