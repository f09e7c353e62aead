//! Website: a page, the nginx that serves it and the Service before it. Ready means that the operator could do
//! its work, not that anything is served.

use anyhow::{Context as _, Result};
use k8s_openapi::api::apps::v1::Deployment;
use k8s_openapi::api::core::v1::{ConfigMap, Service};
use kube::runtime::controller::Action;
use kube::runtime::{Controller, watcher};
use kube::{Api, Client, CustomResource, ResourceExt as _};
use schemars::JsonSchema;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::conditions::{self, Condition, Holds};
use super::controller::{Context, Custom};
use super::events::EventLevel;
use super::{World, writes};

const PAGE: &str = "index.html";

/// A page and how it is served.
#[derive(CustomResource, Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[kube(
    group = "webapp.example.com",
    version = "v1",
    kind = "Website",
    doc = "A page on the web.",
    namespaced,
    status = "WebsiteStatus",
    printcolumn = r#"{"name": "Replicas", "type": "integer", "jsonPath": ".spec.replicas"}"#,
    printcolumn = r#"{"name": "Ready", "type": "integer", "jsonPath": ".status.readyReplicas"}"#,
    printcolumn = r#"{"name": "URL", "type": "string", "jsonPath": ".status.url"}"#,
    printcolumn = r#"{"name": "Age", "type": "date", "jsonPath": ".metadata.creationTimestamp"}"#
)]
pub struct WebsiteSpec {
    #[schemars(range(min = 1, max = 10))]
    #[serde(default = "one")]
    pub replicas: i32,
    /// What serves the page.
    #[serde(default = "nginx")]
    pub image: String,
    /// The page.
    pub html: String,
}

/// What is served.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default)]
#[schemars(transform = super::schema::without_defaults)]
pub struct WebsiteStatus {
    pub ready_replicas: i32,
    pub url: String,
    #[schemars(extend("x-kubernetes-list-type" = "map", "x-kubernetes-list-map-keys" = ["type"]))]
    pub conditions: Vec<Condition>,
}

fn one() -> i32 {
    1
}

fn nginx() -> String {
    "nginx:1.27-alpine".to_owned()
}

/// Watches the custom resources and the three kinds they own.
pub(super) fn controller(client: Client) -> Controller<Website> {
    let all = watcher::Config::default;
    Controller::new(Api::<Website>::all(client.clone()), all())
        .owns(Api::<ConfigMap>::all(client.clone()), all())
        .owns(Api::<Deployment>::all(client.clone()), all())
        .owns(Api::<Service>::all(client), all())
}

impl Custom for Website {
    const WORLD: World = World::Website;

    async fn reconcile(&self, context: &Context) -> Result<Action> {
        if let Some(objection) = objection(&self.spec.image) {
            let known = self
                .status
                .as_ref()
                .is_some_and(|status| status.conditions.iter().any(|held| held.message == objection));
            if !known {
                context.events.post(self, EventLevel::Warning, "ConfigurationError", objection.clone()).await;
            }
            let ready = self.ready(context).await?;
            self.write_status(context, ready, Holds::No, "ConfigurationError", objection).await?;
            return Ok(Action::await_change());
        }
        self.keep_page(context).await?;
        let ready = self.keep_deployment(context).await?;
        self.keep_service(context).await?;
        self.write_status(
            context,
            ready,
            Holds::Yes,
            "ReconcileSuccess",
            "all children are in place".to_owned(),
        )
        .await?;
        Ok(Action::await_change())
    }

    /// The children go with their owner.
    async fn clean(&self, _: &Context) -> Result<()> {
        Ok(())
    }

    async fn report_cleanup_failure(&self, context: &Context, why: &str) -> Result<()> {
        let ready = self.ready(context).await?;
        self.write_status(context, ready, Holds::No, "CleanupFailed", why.to_owned()).await
    }
}

impl Website {
    /// Keeps the page, and nothing else in the `ConfigMap`.
    async fn keep_page(&self, context: &Context) -> Result<()> {
        let api: Api<ConfigMap> = writes::beside(&context.client, self);
        let html = &self.spec.html;
        let Some(mut found) = api.get_opt(&self.name_any()).await.context("failed to read the ConfigMap")?
        else {
            return self.make(context, &api, json!({ "data": { PAGE: html } })).await.map(drop);
        };
        writes::not_of_another(self, &found)?;
        let data = found.data.get_or_insert_default();
        if data.get(PAGE) != Some(html) {
            data.insert(PAGE.to_owned(), html.clone());
            writes::replace(&api, &found).await?;
            self.record_event(context, "Updated", "ConfigMap").await;
        }
        Ok(())
    }

    /// Keeps replicas and image; says how many Pods are ready.
    async fn keep_deployment(&self, context: &Context) -> Result<i32> {
        let api: Api<Deployment> = writes::beside(&context.client, self);
        let found = api.get_opt(&self.name_any()).await.context("failed to read the Deployment")?;
        let deployment = match found {
            None => self.make(context, &api, json!({ "spec": self.deployment_spec() })).await?,
            Some(mut found) => {
                writes::not_of_another(self, &found)?;
                if self.correct(&mut found) {
                    self.record_event(context, "Updated", "Deployment").await;
                    writes::replace(&api, &found).await?
                } else {
                    found
                }
            }
        };
        Ok(ready_of(deployment))
    }

    /// How many Pods are ready, when nothing may be changed.
    async fn ready(&self, context: &Context) -> Result<i32> {
        let api: Api<Deployment> = writes::beside(&context.client, self);
        let found = api.get_opt(&self.name_any()).await.context("failed to read the Deployment")?;
        Ok(found.map_or(0, ready_of))
    }

    /// Puts replicas and image right; says whether they were wrong.
    fn correct(&self, deployment: &mut Deployment) -> bool {
        let Some(spec) = &mut deployment.spec else { return false };
        let mut wrong = spec.replicas != Some(self.spec.replicas);
        spec.replicas = Some(self.spec.replicas);
        let containers = spec.template.spec.as_mut().map(|pod| &mut pod.containers);
        if let Some(nginx) = containers.and_then(|all| all.iter_mut().find(|one| one.name == "nginx")) {
            wrong |= nginx.image.as_ref() != Some(&self.spec.image);
            nginx.image = Some(self.spec.image.clone());
        }
        wrong
    }

    /// Makes the Service if it is missing; what others did to it stays.
    async fn keep_service(&self, context: &Context) -> Result<()> {
        let api: Api<Service> = writes::beside(&context.client, self);
        if api.get_opt(&self.name_any()).await.context("failed to read the Service")?.is_none() {
            let ports = json!([{ "name": "http", "port": 80, "targetPort": 80, "protocol": "TCP" }]);
            self.make(context, &api, json!({ "spec": { "selector": self.labels(), "ports": ports } }))
                .await?;
        }
        Ok(())
    }

    /// Creates a child under the Website's own name.
    async fn make<K>(&self, context: &Context, api: &Api<K>, mut manifest: Value) -> Result<K>
    where
        K: writes::Namespaced + DeserializeOwned,
    {
        manifest["metadata"] = json!({
            "name": self.name_any(),
            "namespace": self.namespace(),
            "labels": self.labels(),
            "ownerReferences": writes::owner(self),
        });
        let object = serde_json::from_value(manifest).context("failed to build a child")?;
        let made = writes::create(api, &object).await?;
        self.record_event(context, "Created", &K::kind(&())).await;
        Ok(made)
    }

    async fn record_event(&self, context: &Context, verb: &str, kind: &str) {
        context
            .events
            .post(self, EventLevel::Normal, verb, format!("{verb} {kind} {}", self.name_any()))
            .await;
    }

    async fn write_status(
        &self,
        context: &Context,
        ready: i32,
        holds: Holds,
        reason: &str,
        message: String,
    ) -> Result<()> {
        let mut status = self.status.clone().unwrap_or_default();
        status.ready_replicas = ready;
        status.url =
            format!("http://{}.{}.svc.cluster.local", self.name_any(), self.namespace().unwrap_or_default());
        let ready = Condition::new("Ready", holds, reason, message, self.metadata.generation);
        conditions::set(&mut status.conditions, ready);
        if self.status.as_ref() != Some(&status) {
            writes::status(&context.client, self, &status).await?;
        }
        Ok(())
    }

    fn labels(&self) -> Value {
        json!({ "app": self.name_any() })
    }

    fn deployment_spec(&self) -> Value {
        json!({
            "replicas": self.spec.replicas,
            "selector": { "matchLabels": self.labels() },
            "template": {
                "metadata": { "labels": self.labels() },
                "spec": {
                    "containers": [{
                        "name": "nginx",
                        "image": self.spec.image,
                        "ports": [{ "name": "http", "containerPort": 80 }],
                        "volumeMounts": [{ "name": "html", "mountPath": "/usr/share/nginx/html", "readOnly": true }],
                    }],
                    "volumes": [{ "name": "html", "configMap": { "name": self.name_any() } }],
                },
            },
        })
    }
}

fn ready_of(deployment: Deployment) -> i32 {
    deployment.status.and_then(|status| status.ready_replicas).unwrap_or_default()
}

/// Why an image cannot be one, if it cannot: the characters a reference may have, and a tag that is there.
fn objection(image: &str) -> Option<String> {
    let (path, tag) = match image.rsplit_once(':') {
        // A colon before a slash belongs to the registry's port.
        Some((path, tag)) if !tag.contains('/') => (path, Some(tag)),
        _ => (image, None),
    };
    let path_fits = !path.is_empty()
        && path.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b"./-_:@".contains(&b));
    let tag_fits = tag.is_none_or(|tag| {
        !tag.is_empty() && tag.bytes().all(|b| b.is_ascii_alphanumeric() || b"._-".contains(&b))
    });
    (!(path_fits && tag_fits)).then(|| format!("spec.image: {image:?} is not a valid image reference"))
}

#[cfg(test)]
mod tests {
    use super::objection;

    #[test]
    fn an_image_has_to_be_a_reference() {
        for good in ["nginx", "nginx:1.27-alpine", "127.0.0.1:5000/a/b:V1", "a.b/c@sha256:0f"] {
            assert_eq!(objection(good), None, "{good}");
        }
        for bad in ["", "nginx:", "not an image", "NGINX", "nginx:la test"] {
            assert!(objection(bad).is_some(), "{bad}");
        }
    }
}
