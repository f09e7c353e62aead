//! Pods that fail: a label on a Pod tells kwok which state to give it (see stages.yaml).

use anyhow::{Context as _, Result};
use futures_util::TryStreamExt as _;
use k8s_openapi::api::core::v1::Pod;
use kube::api::{Api, ListParams, Patch, PatchParams};
use kube::runtime::{WatchStreamExt as _, watcher};
use kube::{Client, ResourceExt as _};
use serde_json::json;
use tokio::task::JoinHandle;

use crate::wait::until;

/// The label that tells kwok the state.
pub const LABEL: &str = "lab.kubectl-op.dev/pod-state";

/// The states that a Pod can be put into.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PodState {
    Ready,
    Pending,
    CrashLoopBackOff,
    ImagePullBackOff,
    OomKilled,
}

impl PodState {
    /// The value of [`LABEL`], and what kubectl prints as the Pod's STATUS (but for Ready, which is Running there,
    /// and Pending, which is `ContainerCreating`).
    pub const fn word(self) -> &'static str {
        match self {
            Self::Ready => "Ready",
            Self::Pending => "Pending",
            Self::CrashLoopBackOff => "CrashLoopBackOff",
            Self::ImagePullBackOff => "ImagePullBackOff",
            Self::OomKilled => "OOMKilled",
        }
    }

    /// Whether the Pod is in this state.
    fn reached(self, pod: &Pod) -> bool {
        let status = pod.status.as_ref();
        let ready = status
            .and_then(|status| status.conditions.as_ref())
            .is_some_and(|all| all.iter().any(|c| c.type_ == "Ready" && c.status == "True"));
        let first = status.and_then(|status| status.container_statuses.as_ref()?.first()?.state.as_ref());
        let waits = first.and_then(|state| state.waiting.as_ref()?.reason.as_deref());
        let ended = first.and_then(|state| state.terminated.as_ref()?.reason.as_deref());
        match self {
            Self::Ready => ready,
            Self::Pending => waits == Some("ContainerCreating"),
            Self::CrashLoopBackOff | Self::ImagePullBackOff => waits == Some(self.word()),
            Self::OomKilled => ended == Some(self.word()),
        }
    }
}

/// Puts every Pod that matches the selector now into a state and waits until each is in it. Returns their number.
pub async fn set(client: &Client, namespace: &str, selector: &str, state: PodState) -> Result<usize> {
    let pods: Api<Pod> = Api::namespaced(client.clone(), namespace);
    let matching = ListParams::default().labels(selector);
    let listed = pods
        .list(&matching)
        .await
        .with_context(|| format!("failed to list Pods {selector} in {namespace}"))?;
    for pod in &listed {
        match mark(&pods, pod, state).await {
            // A rollout may have deleted it since it was listed.
            Err(error) if is_gone(&error) => {}
            marked => marked?,
        }
    }
    until(&format!("Pods {selector} in {namespace} to be {}", state.word()), async || {
        let now = pods.list(&matching).await?;
        let done =
            now.iter().filter(|pod| pod.metadata.deletion_timestamp.is_none()).all(|pod| state.reached(pod));
        Ok(done.then_some(now.items.len()))
    })
    .await
}

fn is_gone(error: &anyhow::Error) -> bool {
    matches!(error.downcast_ref::<kube::Error>(), Some(kube::Error::Api(status)) if status.is_not_found())
}

/// Puts one Pod into a state, and waits until it is in it.
pub async fn set_one(client: &Client, namespace: &str, name: &str, state: PodState) -> Result<()> {
    let pods: Api<Pod> = Api::namespaced(client.clone(), namespace);
    let read =
        async || pods.get(name).await.with_context(|| format!("failed to read Pod {namespace}/{name}"));
    mark(&pods, &read().await?, state).await?;
    until(&format!("Pod {name} in {namespace} to be {}", state.word()), async || {
        Ok(state.reached(&read().await?).then_some(()))
    })
    .await
}

/// Keeps Pods in a state until dropped, including those that a controller creates later.
pub struct Hold(JoinHandle<()>);

impl Hold {
    /// Holds every Pod that matches, those that exist and those to come.
    pub fn new(client: &Client, namespace: &str, selector: &str, state: PodState) -> Self {
        let pods: Api<Pod> = Api::namespaced(client.clone(), namespace);
        let config = watcher::Config::default().labels(selector);
        Self(tokio::spawn(async move {
            let stream = watcher(pods.clone(), config).default_backoff().applied_objects();
            // The watcher recovers by itself; the stream ends with the lab.
            let _ = stream
                .try_for_each(|pod| {
                    let pods = pods.clone();
                    async move {
                        // A Pod that was deleted meanwhile needs no label.
                        let _ = mark(&pods, &pod, state).await;
                        Ok(())
                    }
                })
                .await;
        }))
    }
}

impl Drop for Hold {
    fn drop(&mut self) {
        self.0.abort();
    }
}

async fn mark(pods: &Api<Pod>, pod: &Pod, state: PodState) -> Result<()> {
    if pod.labels().get(LABEL).is_some_and(|word| word == state.word()) {
        return Ok(());
    }
    let patch = json!({"metadata": {"labels": {LABEL: state.word()}}});
    let name = pod.name_any();
    pods.patch_metadata(&name, &PatchParams::default(), &Patch::Merge(&patch))
        .await
        .with_context(|| format!("failed to label Pod {name}"))?;
    Ok(())
}
