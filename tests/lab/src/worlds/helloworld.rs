//! `HelloWorld`: the operator that kopf's tutorial makes, as kopf 1.45 behaves.
//!
//! It acts when the spec differs from the one it wrote down last, and only then: a child that is edited or
//! deleted by hand stays so. The child has no owner, the custom resource no status. It runs on a laptop.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context as _, Result};
use k8s_openapi::api::core::v1::{ConfigMap, Event};
use k8s_openapi::jiff::Timestamp;
use kube::api::{DeleteParams, ObjectMeta, Patch};
use kube::runtime::controller::Action;
use kube::runtime::{Controller, watcher};
use kube::{Api, Client, CustomResource, Resource as _, ResourceExt as _};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::controller::Context;
use super::process::log;
use super::{World, clock, writes};

const LAST_HANDLED: &str = "kopf.zalando.org/last-handled-configuration";
/// Where kopf writes down how often a handler was tried.
const DELETE_PROGRESS: &str = "kopf.zalando.org/delete_fn";
/// What Python's Kubernetes client calls itself; kopf's handlers use it for everything but the custom resource.
const PYTHON_CLIENT: &str = "OpenAPI-Generator";

/// Kopf waits a minute; a test must not.
const RETRY: Duration = Duration::from_secs(1);

/// Whom to greet.
#[derive(CustomResource, Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[kube(
    group = "apps.example.com",
    version = "v1alpha1",
    kind = "HelloWorld",
    doc = "A greeting.",
    namespaced
)]
pub struct HelloWorldSpec {
    pub name: String,
}

/// Watches the custom resources; kopf never looks at children.
pub(super) fn controller(client: Client) -> Controller<HelloWorld> {
    Controller::new(Api::<HelloWorld>::all(client), watcher::Config::default())
}

/// What the change of a spec asks for.
#[derive(Debug, PartialEq, Eq)]
enum Cause {
    Create,
    Update,
    Nothing,
}

/// One step of kopf: each writes at most once, and the next follows from the change it made.
pub(super) async fn step(object: HelloWorld, context: Arc<Context>) -> Result<Action> {
    let names = World::HelloWorld.names();
    let held = object.finalizers().iter().any(|finalizer| finalizer == names.finalizer);
    if object.metadata.deletion_timestamp.is_some() {
        return if held { delete(&object, &context).await } else { Ok(Action::await_change()) };
    }
    if !held {
        writes::hold(&context.client, names.manager, &object, names.finalizer).await?;
        return Ok(Action::await_change());
    }
    let last = object.annotations().get(LAST_HANDLED).map(String::as_str);
    let (handler, word) = match cause(last, &object.spec) {
        Cause::Nothing => return Ok(Action::await_change()),
        Cause::Create => ("create_fn", "Creation"),
        Cause::Update => ("update_fn", "Updating"),
    };
    greet(&object, &context).await?;
    record_event(&object, &context, "Normal", format!("Handler '{handler}' succeeded.")).await;
    record_event(&object, &context, "Normal", format!("{word} is processed: 1 succeeded; 0 failed.")).await;
    let annotations = json!({ "annotations": { LAST_HANDLED: essence(&object.spec) } });
    writes::metadata(&context.client, names.manager, &object, annotations).await?;
    Ok(Action::await_change())
}

/// Compares the spec with the one written down.
fn cause(last: Option<&str>, spec: &HelloWorldSpec) -> Cause {
    let Some(last) = last else { return Cause::Create };
    let last: Value = serde_json::from_str(last).unwrap_or_default();
    if last == json!({ "spec": spec }) { Cause::Nothing } else { Cause::Update }
}

/// What kopf writes down: the spec as one line of JSON.
fn essence(spec: &HelloWorldSpec) -> String {
    format!("{}\n", json!({ "spec": spec }))
}

async fn greet(object: &HelloWorld, context: &Context) -> Result<()> {
    let api: Api<ConfigMap> = writes::beside(&context.client, object);
    let data = BTreeMap::from([("message".to_owned(), object.spec.name.clone())]);
    let wanted = ConfigMap {
        metadata: ObjectMeta { name: Some(object.name_any()), ..ObjectMeta::default() },
        data: Some(data),
        ..ConfigMap::default()
    };
    match api.create(&writes::by(PYTHON_CLIENT), &wanted).await {
        Err(error) if writes::present(&error) => {
            let patch = Patch::Merge(json!({ "data": wanted.data }));
            api.patch(&object.name_any(), &writes::patching(PYTHON_CLIENT), &patch).await
        }
        made => made,
    }
    .context("failed to write the ConfigMap")?;
    Ok(())
}

async fn delete(object: &HelloWorld, context: &Context) -> Result<Action> {
    let names = World::HelloWorld.names();
    let noted = object.annotations().get(DELETE_PROGRESS).map(String::as_str);
    let now = clock::now();
    if let Some(wait) = noted.and_then(|noted| delay(noted, now)) {
        return Ok(Action::requeue(wait));
    }
    if let Err(error) = context.external.ensure_cleanup_allowed() {
        let why = format!("{error:#}");
        record_event(object, context, "Error", format!("Handler 'delete_fn' failed temporarily: {why}"))
            .await;
        let progress = json!({ "annotations": { DELETE_PROGRESS: progress(noted, &why, now) } });
        writes::metadata(&context.client, names.manager, object, progress).await?;
        return Ok(Action::requeue(RETRY));
    }
    let api: Api<ConfigMap> = writes::beside(&context.client, object);
    match api.delete(&object.name_any(), &DeleteParams::default()).await {
        Err(error) if writes::absent(&error) => {}
        done => drop(done.context("failed to delete the ConfigMap")?),
    }
    record_event(object, context, "Normal", "Handler 'delete_fn' succeeded.".to_owned()).await;
    record_event(object, context, "Normal", "Deletion is processed: 1 succeeded; 0 failed.".to_owned()).await;
    writes::release(&context.client, names.manager, object, names.finalizer).await?;
    Ok(Action::await_change())
}

/// How long a handler that failed still has to wait; writing the failure down wakes the operator at once.
fn delay(noted: &str, now: Timestamp) -> Option<Duration> {
    let noted: Value = serde_json::from_str(noted).ok()?;
    let until: Timestamp = noted["delayed"].as_str()?.parse().ok()?;
    Duration::try_from(until.duration_since(now)).ok().filter(|wait| !wait.is_zero())
}

/// What kopf notes about a handler that has to be tried again.
fn progress(noted: Option<&str>, why: &str, now: Timestamp) -> String {
    let noted: Value = noted.and_then(|noted| serde_json::from_str(noted).ok()).unwrap_or_default();
    let delayed = now.saturating_add(RETRY).unwrap_or(now).to_string();
    let now = now.to_string();
    let started = noted["started"].as_str().unwrap_or(&now);
    let retries = noted["retries"].as_u64().unwrap_or_default() + 1;
    let record = json!({
        "started": started, "delayed": delayed, "purpose": "delete", "retries": retries,
        "success": false, "failure": false, "message": why,
    });
    record.to_string()
}

/// Posts what a handler logged, in kopf's way: the reason is always `Logging`, and an error is of type `Error`.
async fn record_event(object: &HelloWorld, context: &Context, type_: &str, message: String) {
    let now = clock::now().to_string();
    let event = json!({
        "metadata": { "generateName": "kopf-event-", "namespace": object.namespace() },
        "action": "Action?",
        "type": type_,
        "reason": "Logging",
        "message": message,
        "reportingComponent": "kopf",
        "reportingInstance": "dev",
        "source": { "component": "kopf" },
        "involvedObject": object.object_ref(&()),
        "firstTimestamp": now,
        "lastTimestamp": now,
        "eventTime": now,
    });
    let api: Api<Event> = writes::beside(&context.client, object);
    let posted = match serde_json::from_value(event) {
        Ok(event) => {
            api.create(&writes::by("kopf"), &event).await.context("failed to post an event").map(drop)
        }
        Err(error) => Err(error).context("failed to build an event"),
    };
    if let Err(error) = posted {
        log(&format!("{error:#}"));
    }
}

#[cfg(test)]
mod tests {
    use super::{Cause, HelloWorldSpec, cause, delay, essence, progress};

    fn spec(name: &str) -> HelloWorldSpec {
        HelloWorldSpec { name: name.to_owned() }
    }

    #[test]
    fn only_another_spec_is_a_cause() {
        assert_eq!(cause(None, &spec("Ada")), Cause::Create);
        assert_eq!(cause(Some(&essence(&spec("Ada"))), &spec("Ada")), Cause::Nothing);
        assert_eq!(cause(Some(&essence(&spec("Ada"))), &spec("Bob")), Cause::Update);
        assert_eq!(cause(Some("not json"), &spec("Ada")), Cause::Update);
    }

    #[test]
    fn what_is_written_down_is_one_line() {
        assert_eq!(essence(&spec("Ada")), "{\"spec\":{\"name\":\"Ada\"}}\n");
    }

    #[test]
    fn a_failed_handler_waits() {
        let noted = progress(None, "no", "2026-01-01T00:00:00Z".parse().unwrap());
        assert!(delay(&noted, "2026-01-01T00:00:00.5Z".parse().unwrap()).is_some());
        assert!(delay(&noted, "2026-01-01T00:00:01Z".parse().unwrap()).is_none());
        assert!(delay("{}", "2026-01-01T00:00:01Z".parse().unwrap()).is_none());
    }

    #[test]
    fn tries_are_counted_from_the_first() {
        let first = progress(None, "no", "2026-01-01T00:00:00Z".parse().unwrap());
        let second = progress(Some(&first), "no", "2026-01-01T00:00:05Z".parse().unwrap());
        let second: serde_json::Value = serde_json::from_str(&second).unwrap();
        assert_eq!(second["retries"], 2);
        assert_eq!(second["started"], "2026-01-01T00:00:00Z");
        assert_eq!(second["delayed"], "2026-01-01T00:00:06Z");
    }
}
