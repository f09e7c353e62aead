//! The last words of the containers that crashed: logs are no objects, so the index carries them.

use anyhow::{Context as _, Result};
use k8s_openapi::api::core::v1::Pod;
use kube::api::LogParams;
use kube::{Api, Client};
use serde_json::{Value, json};

/// How many lines are kept of each log.
const LINES: i64 = 20;

/// The log of the last run that ended, of every container that has not run again since.
pub(super) async fn read(client: &Client, objects: &[Value]) -> Result<Vec<Value>> {
    let mut logs = Vec::new();
    for pod in objects.iter().filter(|object| object["kind"] == "Pod") {
        let word = |pointer: &str| pod.pointer(pointer).and_then(Value::as_str).unwrap_or_default();
        let (namespace, name) = (word("/metadata/namespace"), word("/metadata/name"));
        let statuses = pod.pointer("/status/containerStatuses").and_then(Value::as_array);
        for status in statuses.into_iter().flatten() {
            let waits = status.pointer("/state/waiting").is_some();
            if !waits || status.pointer("/lastState/terminated").is_none() {
                continue;
            }
            let container = status["name"].as_str().unwrap_or_default();
            let params = LogParams {
                container: Some(container.to_owned()),
                previous: true,
                tail_lines: Some(LINES),
                ..LogParams::default()
            };
            let pods: Api<Pod> = Api::namespaced(client.clone(), namespace);
            let text = pods.logs(name, &params).await;
            let text = text.with_context(|| format!("failed to read the log of {namespace}/{name}"))?;
            logs.push(json!({
                "namespace": namespace, "pod": name, "container": container, "previous": true, "text": text,
            }));
        }
    }
    Ok(logs)
}
