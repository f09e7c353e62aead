//! Admission webhooks that are really called, in any mood.

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

use super::answer::{self, Answer};
use super::mood::{Mood, Role};
use super::stage::{PORT, Stage};
use crate::lab::Lab;
use crate::wait::until;

/// The words of a webhook that refuses.
pub const DENIAL: &str = "the lab's webhook is in a bad mood";

/// Marks the objects (only ever dry-run) that show whether the API server knows a webhook yet. They are of a
/// kind that no test guards, so that one webhook does not stand in the way of another.
const PROBE: &str = "lab.example/probe";

/// What a webhook is called for, and what it does about it.
#[derive(Clone, Debug)]
pub struct Hook {
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

/// What the API server does when it gets no sound answer.
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

impl Hook {
    /// A webhook that lets everything pass when alive; its Service gets this name.
    pub fn validating(name: &str) -> Self {
        Self {
            name: name.into(),
            effect: Effect::Validate,
            rules: Vec::new(),
            failure_policy: FailurePolicy::Fail,
            timeout_seconds: 2,
        }
    }

    /// A webhook that applies a JSON patch when alive.
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
    stage: Stage,
    reviewer: Arc<Reviewer>,
    hook: Hook,
    namespace: String,
    configuration: String,
}

impl Webhook {
    /// Registers a webhook for one namespace and returns when the API server calls it.
    pub async fn start(lab: &Lab, namespace: &str, hook: Hook, mood: Mood) -> Result<Self> {
        let reviewer = Arc::new(Reviewer { effect: hook.effect.clone(), seen: Mutex::default() });
        let stage = Stage::open(lab, namespace, &hook.name, reviewer.clone()).await?;
        let configuration = format!("{}.{namespace}.lab.example", hook.name);
        let webhook =
            Self { lab: lab.clone(), stage, reviewer, hook, namespace: namespace.into(), configuration };
        webhook.register().await.with_context(|| format!("failed to register {}", webhook.configuration))?;
        until("the API server to call a new webhook", async || {
            Ok((webhook.probe().await? == Probed::Called).then_some(()))
        })
        .await?;
        webhook.set_mood(mood).await?;
        Ok(webhook)
    }

    /// Changes how the webhook answers from now on.
    pub async fn set_mood(&self, mood: Mood) -> Result<()> {
        self.stage.set_mood(mood).await
    }

    /// The webhook's name in the API server's messages, and that of its configuration.
    pub fn name(&self) -> &str {
        &self.configuration
    }

    /// What the webhook was asked so far, in order, while alive or refusing.
    pub fn calls(&self) -> Vec<Call> {
        self.reviewer.seen().calls.clone()
    }

    /// Takes the webhook away and returns when the API server no longer calls it.
    pub async fn remove(self) -> Result<()> {
        self.set_mood(Mood::Alive).await?;
        let (client, params) = (self.lab.client(), DeleteParams::default());
        let gone = match self.hook.effect {
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
        self.stage.close().await
    }

    async fn register(&self) -> Result<()> {
        let value = self.configuration();
        let (client, params) = (self.lab.client(), PostParams::default());
        match self.hook.effect {
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
        let Self { hook, namespace, configuration, .. } = self;
        let authority = ByteString(self.lab.authority().certificate().as_bytes().to_vec());
        let webhook = |name: &str, rules: Value, policy: FailurePolicy, objects: Value| {
            json!({
                "name": name,
                "admissionReviewVersions": ["v1"],
                "sideEffects": "None",
                "timeoutSeconds": hook.timeout_seconds,
                "failurePolicy": format!("{policy:?}"),
                "clientConfig": {
                    "caBundle": authority,
                    "service": { "namespace": namespace, "name": hook.name, "port": PORT },
                },
                "namespaceSelector": { "matchLabels": { "kubernetes.io/metadata.name": namespace } },
                "objectSelector": objects,
                "rules": rules,
            })
        };
        let probed = json!([{
            "apiGroups": [""], "apiVersions": ["v1"], "resources": ["limitranges"], "operations": ["CREATE"],
        }]);
        let marked = json!({ "matchLabels": { PROBE: hook.name } });
        json!({
            "metadata": { "name": configuration },
            "webhooks": [
                webhook(configuration, json!(hook.rules), hook.failure_policy, json!({})),
                webhook(&format!("probe.{configuration}"), probed, FailurePolicy::Ignore, marked),
            ],
        })
    }

    /// Creates nothing, but in a way that the API server would ask the webhook about if it knew it.
    async fn probe(&self) -> Result<Probed> {
        let before = self.reviewer.seen().probes;
        let api: Api<LimitRange> = Api::namespaced(self.lab.client(), &self.namespace);
        let labels = json!({ PROBE: self.hook.name });
        let metadata = json!({ "generateName": "probe-", "labels": labels });
        let object = json!({ "metadata": metadata, "spec": { "limits": [] } });
        let params = PostParams { dry_run: true, ..PostParams::default() };
        api.create(&params, &serde_json::from_value(object)?).await.context("failed to probe a webhook")?;
        Ok(if self.reviewer.seen().probes > before { Probed::Called } else { Probed::Unknown })
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
    seen: Mutex<Seen>,
}

#[derive(Default)]
struct Seen {
    calls: Vec<Call>,
    probes: u64,
}

impl Reviewer {
    fn seen(&self) -> std::sync::MutexGuard<'_, Seen> {
        self.seen.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The uid to answer to, if the question is not a mere probe.
    fn note(&self, review: &Value) -> Option<Value> {
        let request = &review["request"];
        let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
        let mut seen = self.seen();
        if request["object"]["metadata"]["labels"].get(PROBE).is_some() {
            seen.probes += 1;
            return None;
        }
        seen.calls.push(Call {
            operation: text(&request["operation"]),
            resource: text(&request["resource"]["resource"]),
            name: text(&request["name"]),
            dry_run: request["dryRun"].as_bool(),
        });
        Some(request["uid"].clone())
    }
}

impl Role for Reviewer {
    fn work(&self, _: &Parts, body: &Bytes) -> Answer {
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

    fn refuse(&self, _: &Parts, body: &Bytes) -> Answer {
        let review: Value = serde_json::from_slice(body).unwrap_or_default();
        self.note(&review);
        let uid = &review["request"]["uid"];
        reviewed(&json!({ "uid": uid, "allowed": false, "status": { "message": DENIAL } }))
    }
}

fn reviewed(response: &Value) -> Answer {
    let review =
        json!({ "kind": "AdmissionReview", "apiVersion": "admission.k8s.io/v1", "response": response });
    answer::json(200, &review)
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
        let read =
            |answer: Answer| serde_json::from_slice::<Value>(answer.body()).unwrap()["response"].clone();
        (read(reviewer.work(&parts, body)), read(reviewer.refuse(&parts, body)))
    }

    #[test]
    fn reviews_are_answered_and_remembered() {
        let patch = json!([{ "op": "add", "path": "/metadata/labels", "value": {} }]);
        let reviewer = Reviewer { effect: Effect::Mutate(patch), seen: Mutex::default() };
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
        assert_eq!(reviewer.seen().calls, [call.clone(), call]);
    }

    #[test]
    fn probes_are_counted_apart() {
        let reviewer = Reviewer { effect: Effect::Validate, seen: Mutex::default() };
        ask(&reviewer, &review(&json!({ PROBE: "x" })));
        let seen = reviewer.seen();
        assert_eq!((seen.calls.len(), seen.probes), (0, 2));
    }
}
