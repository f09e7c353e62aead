//! Admission webhooks that the API server really calls, and that can fail in any way.

use std::sync::{Arc, Mutex, PoisonError};

use anyhow::{Context as _, Result};
use http::request::Parts;
use hyper::body::Bytes;
use k8s_openapi::ByteString;
use k8s_openapi::api::admissionregistration::v1::{
    MutatingWebhookConfiguration, ValidatingWebhookConfiguration,
};
use k8s_openapi::api::core::v1::LimitRange;
use kube::api::{Api, DeleteParams, PostParams};
use serde_json::{Value, json};

use super::error_response::{self, BufferedResponse};
use super::server_behavior::{RequestHandler, ServerBehavior};
use super::service_backend::{PORT, ServiceBackend};
use crate::lab::Lab;
use crate::wait::until;

/// The message of a webhook that rejects a request.
pub const DENIAL: &str = "denied by the lab's webhook";

/// Marks the objects (only ever dry-run) that show whether the API server knows a webhook yet. They are of a
/// kind that no test guards, so that one webhook does not stand in the way of another.
const PROBE: &str = "lab.example/probe";

/// What a webhook is called for, and what it does about it.
#[derive(Clone, Debug)]
pub struct WebhookConfig {
    name: String,
    effect: Effect,
    rules: Vec<Value>,
    failure_policy: FailurePolicy,
    timeout_seconds: u8,
}

#[derive(Clone, Debug)]
enum Effect {
    Validate,
    /// A JSON patch.
    Mutate(Value),
}

/// What the API server does when it gets no valid response.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FailurePolicy {
    Fail,
    Ignore,
}

/// What the API server asked a webhook about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Call {
    /// `CREATE`, `UPDATE`, `DELETE`.
    pub operation: String,
    /// Plural.
    pub resource: String,
    pub name: String,
    pub dry_run: Option<bool>,
}

impl WebhookConfig {
    /// A webhook that allows everything while it works; its Service gets this name.
    pub fn validating(name: &str) -> Self {
        Self {
            name: name.into(),
            effect: Effect::Validate,
            rules: Vec::new(),
            failure_policy: FailurePolicy::Fail,
            timeout_seconds: 2,
        }
    }

    /// A webhook that applies a JSON patch while it works.
    pub fn mutating(name: &str, patch: Value) -> Self {
        Self { effect: Effect::Mutate(patch), ..Self::validating(name) }
    }

    /// Called for these operations on a resource (plural, `*`, or `pods/status`) in the webhook's namespace.
    /// A cluster-scoped kind has no namespace: there it is called for every object.
    #[must_use]
    pub fn on(mut self, group: &str, resource: &str, operations: &[&str]) -> Self {
        self.rules.push(json!({
            "apiGroups": [group], "apiVersions": ["*"], "resources": [resource], "operations": operations,
        }));
        self
    }

    /// `Fail` unless said otherwise.
    #[must_use]
    pub fn failure_policy(mut self, policy: FailurePolicy) -> Self {
        self.failure_policy = policy;
        self
    }

    /// How long the API server waits for an answer; 2 seconds unless said otherwise, 1 to 30.
    #[must_use]
    pub fn timeout_seconds(mut self, seconds: u8) -> Self {
        self.timeout_seconds = seconds;
        self
    }
}

/// A webhook that the API server calls.
pub struct Webhook {
    lab: Lab,
    backend: ServiceBackend,
    reviewer: Arc<Reviewer>,
    config: WebhookConfig,
    namespace: String,
    configuration: String,
}

impl Webhook {
    /// Registers a webhook for one namespace and returns when the API server calls it.
    pub async fn start(
        lab: &Lab,
        namespace: &str,
        config: WebhookConfig,
        behavior: ServerBehavior,
    ) -> Result<Self> {
        let reviewer = Arc::new(Reviewer { effect: config.effect.clone(), received: Mutex::default() });
        let backend = ServiceBackend::open(lab, namespace, &config.name, reviewer.clone()).await?;
        let configuration = format!("{}.{namespace}.lab.example", config.name);
        let webhook =
            Self { lab: lab.clone(), backend, reviewer, config, namespace: namespace.into(), configuration };
        webhook.register().await.with_context(|| format!("failed to register {}", webhook.configuration))?;
        until("the API server to call a new webhook", async || {
            Ok((webhook.probe().await? == Probed::Called).then_some(()))
        })
        .await?;
        webhook.set_behavior(behavior).await?;
        Ok(webhook)
    }

    /// Changes how the webhook answers from now on.
    pub async fn set_behavior(&self, behavior: ServerBehavior) -> Result<()> {
        self.backend.set_behavior(behavior).await
    }

    /// The webhook's name in the API server's messages, and that of its configuration.
    pub fn name(&self) -> &str {
        &self.configuration
    }

    /// What the webhook was called for so far, in order, while it worked or rejected requests.
    pub fn calls(&self) -> Vec<Call> {
        self.reviewer.received().calls.clone()
    }

    /// Removes the webhook and returns when the API server no longer calls it.
    pub async fn remove(self) -> Result<()> {
        self.set_behavior(ServerBehavior::Works).await?;
        let (client, params) = (self.lab.client(), DeleteParams::default());
        let gone = match self.config.effect {
            Effect::Validate => {
                let api = Api::<ValidatingWebhookConfiguration>::all(client);
                api.delete(&self.configuration, &params).await.map(drop)
            }
            Effect::Mutate(_) => {
                let api = Api::<MutatingWebhookConfiguration>::all(client);
                api.delete(&self.configuration, &params).await.map(drop)
            }
        };
        gone.with_context(|| format!("failed to delete {}", self.configuration))?;
        until("the API server to forget a webhook", async || {
            Ok((self.probe().await? == Probed::Unknown).then_some(()))
        })
        .await?;
        self.backend.close().await
    }

    async fn register(&self) -> Result<()> {
        let value = self.configuration();
        let (client, params) = (self.lab.client(), PostParams::default());
        match self.config.effect {
            Effect::Validate => {
                let api = Api::<ValidatingWebhookConfiguration>::all(client);
                api.create(&params, &serde_json::from_value(value)?).await?;
            }
            Effect::Mutate(_) => {
                let api = Api::<MutatingWebhookConfiguration>::all(client);
                api.create(&params, &serde_json::from_value(value)?).await?;
            }
        }
        Ok(())
    }

    fn configuration(&self) -> Value {
        let Self { config, namespace, configuration, .. } = self;
        let authority = ByteString(self.lab.authority().certificate().as_bytes().to_vec());
        let webhook = |name: &str, rules: Value, policy: FailurePolicy, objects: Value| {
            json!({
                "name": name,
                "admissionReviewVersions": ["v1"],
                "sideEffects": "None",
                "timeoutSeconds": config.timeout_seconds,
                "failurePolicy": format!("{policy:?}"),
                "clientConfig": {
                    "caBundle": authority,
                    "service": { "namespace": namespace, "name": config.name, "port": PORT },
                },
                "namespaceSelector": { "matchLabels": { "kubernetes.io/metadata.name": namespace } },
                "objectSelector": objects,
                "rules": rules,
            })
        };
        let probed = json!([{
            "apiGroups": [""], "apiVersions": ["v1"], "resources": ["limitranges"], "operations": ["CREATE"],
        }]);
        let marked = json!({ "matchLabels": { PROBE: config.name } });
        json!({
            "metadata": { "name": configuration },
            "webhooks": [
                webhook(configuration, json!(config.rules), config.failure_policy, json!({})),
                webhook(&format!("probe.{configuration}"), probed, FailurePolicy::Ignore, marked),
            ],
        })
    }

    /// Creates nothing, but in a way that the API server would ask the webhook about if it knew it.
    async fn probe(&self) -> Result<Probed> {
        let before = self.reviewer.received().probes;
        let api: Api<LimitRange> = Api::namespaced(self.lab.client(), &self.namespace);
        let labels = json!({ PROBE: self.config.name });
        let metadata = json!({ "generateName": "probe-", "labels": labels });
        let object = json!({ "metadata": metadata, "spec": { "limits": [] } });
        let params = PostParams { dry_run: true, ..PostParams::default() };
        api.create(&params, &serde_json::from_value(object)?).await.context("failed to probe a webhook")?;
        Ok(if self.reviewer.received().probes > before { Probed::Called } else { Probed::Unknown })
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Probed {
    Called,
    Unknown,
}

/// Answers admission reviews and remembers them.
struct Reviewer {
    effect: Effect,
    received: Mutex<ReceivedReviews>,
}

#[derive(Default)]
struct ReceivedReviews {
    calls: Vec<Call>,
    probes: u64,
}

impl Reviewer {
    fn received(&self) -> std::sync::MutexGuard<'_, ReceivedReviews> {
        self.received.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The uid to answer to, if the question is not a mere probe.
    fn note(&self, review: &Value) -> Option<Value> {
        let request = &review["request"];
        let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
        let mut received = self.received();
        if request["object"]["metadata"]["labels"].get(PROBE).is_some() {
            received.probes += 1;
            return None;
        }
        received.calls.push(Call {
            operation: text(&request["operation"]),
            resource: text(&request["resource"]["resource"]),
            name: text(&request["name"]),
            dry_run: request["dryRun"].as_bool(),
        });
        Some(request["uid"].clone())
    }
}

impl RequestHandler for Reviewer {
    fn handle(&self, _: &Parts, body: &Bytes) -> BufferedResponse {
        let review: Value = serde_json::from_slice(body).unwrap_or_default();
        let mut response = json!({ "uid": review["request"]["uid"], "allowed": true });
        if self.note(&review).is_some()
            && let Effect::Mutate(patch) = &self.effect
        {
            response["patchType"] = json!("JSONPatch");
            response["patch"] = json!(ByteString(patch.to_string().into_bytes()));
        }
        reviewed(&response)
    }

    fn reject(&self, _: &Parts, body: &Bytes) -> BufferedResponse {
        let review: Value = serde_json::from_slice(body).unwrap_or_default();
        self.note(&review);
        let uid = &review["request"]["uid"];
        reviewed(&json!({ "uid": uid, "allowed": false, "status": { "message": DENIAL } }))
    }
}

fn reviewed(response: &Value) -> BufferedResponse {
    let review =
        json!({ "kind": "AdmissionReview", "apiVersion": "admission.k8s.io/v1", "response": response });
    error_response::json(200, &review)
}

#[cfg(test)]
mod tests {
    use http::Request;

    use super::*;

    fn review(labels: &Value) -> Bytes {
        let request = json!({
            "uid": "u", "operation": "CREATE", "resource": { "resource": "pods" }, "name": "a",
            "dryRun": true, "object": { "metadata": { "labels": labels } },
        });
        Bytes::from(json!({ "request": request }).to_string())
    }

    fn ask(reviewer: &Reviewer, body: &Bytes) -> (Value, Value) {
        let parts = Request::post("/").body(()).unwrap().into_parts().0;
        let read = |answer: BufferedResponse| {
            serde_json::from_slice::<Value>(answer.body()).unwrap()["response"].clone()
        };
        (read(reviewer.handle(&parts, body)), read(reviewer.reject(&parts, body)))
    }

    #[test]
    fn reviews_are_answered_and_remembered() {
        let patch = json!([{ "op": "add", "path": "/metadata/labels", "value": {} }]);
        let reviewer = Reviewer { effect: Effect::Mutate(patch), received: Mutex::default() };
        let (allowed, denied) = ask(&reviewer, &review(&json!({})));
        assert_eq!((&allowed["allowed"], &allowed["uid"]), (&json!(true), &json!("u")));
        assert!(allowed["patch"].as_str().unwrap().starts_with("W3si"));
        assert_eq!((&denied["allowed"], &denied["status"]["message"]), (&json!(false), &json!(DENIAL)));
        let call = Call {
            operation: "CREATE".into(),
            resource: "pods".into(),
            name: "a".into(),
            dry_run: Some(true),
        };
        assert_eq!(reviewer.received().calls, [call.clone(), call]);
    }

    #[test]
    fn probes_are_counted_apart() {
        let reviewer = Reviewer { effect: Effect::Validate, received: Mutex::default() };
        ask(&reviewer, &review(&json!({ PROBE: "x" })));
        let received = reviewer.received();
        assert_eq!((received.calls.len(), received.probes), (0, 2));
    }
}
