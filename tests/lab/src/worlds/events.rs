//! Events on custom resources, the way controller-runtime posts them: old (core/v1, counted, no instance) or
//! new (events.k8s.io/v1, a series, the Pod named in `reportingInstance`).

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

use anyhow::{Context as _, Result};
use k8s_openapi::api::core::v1::{Event, EventSource, ObjectReference};
use kube::api::{ObjectMeta, Patch};
use kube::runtime::events::{Event as Note, EventType, Recorder as Series, Reporter};
use kube::{Api, Client};
use serde_json::json;

use super::clock;
use super::process::log;
use super::writes::{self, MANAGER, Namespaced};

/// Normal or a warning.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum EventLevel {
    Normal,
    Warning,
}

/// Which of the two APIs a recorder posts to.
pub(super) enum EventApi {
    /// `record.EventRecorder`: says the controller, not the Pod.
    Classic,
    /// `events.EventRecorder`: says the Pod, too.
    Series { pod: String },
}

/// Posts events; the same one again raises the count of the first.
pub(super) struct Recorder {
    client: Client,
    component: String,
    backend: Backend,
}

enum Backend {
    Classic { seen: Mutex<HashMap<Key, Posted>> },
    Series(Series),
}

#[derive(Clone, PartialEq, Eq, Hash)]
struct Key {
    uid: String,
    level: EventLevel,
    reason: String,
    message: String,
}

#[derive(Clone)]
struct Posted {
    name: String,
    count: i32,
}

impl Recorder {
    pub(super) fn new(client: Client, component: String, event_api: EventApi) -> Self {
        let backend = match event_api {
            EventApi::Classic => Backend::Classic { seen: Mutex::default() },
            EventApi::Series { pod } => {
                let instance = Some(format!("{component}-{pod}"));
                Backend::Series(Series::new(
                    client.clone(),
                    Reporter { controller: component.clone(), instance },
                ))
            }
        };
        Self { client, component, backend }
    }

    /// Posts one event about an object. Nothing fails for want of an event: a namespace that is being deleted
    /// takes no new ones.
    pub(super) async fn post(
        &self,
        object: &impl Namespaced,
        level: EventLevel,
        reason: &str,
        message: String,
    ) {
        let about = object.object_ref(&());
        let posted = match &self.backend {
            Backend::Classic { seen } => {
                let uid = about.uid.clone().unwrap_or_default();
                let key = Key { uid, level, reason: reason.to_owned(), message };
                self.count(about, key, seen).await
            }
            Backend::Series(series) => {
                let type_ = match level {
                    EventLevel::Normal => EventType::Normal,
                    EventLevel::Warning => EventType::Warning,
                };
                let note = Note {
                    type_,
                    reason: reason.to_owned(),
                    note: Some(message),
                    action: "Reconcile".to_owned(),
                    secondary: None,
                };
                series.publish(&note, &about).await.context("failed to post an event")
            }
        };
        if let Err(error) = posted {
            log(&format!("{error:#}"));
        }
    }

    async fn count(
        &self,
        about: ObjectReference,
        key: Key,
        seen: &Mutex<HashMap<Key, Posted>>,
    ) -> Result<()> {
        let api: Api<Event> =
            Api::namespaced(self.client.clone(), about.namespace.as_deref().unwrap_or("default"));
        let known = seen.lock().unwrap_or_else(PoisonError::into_inner).get(&key).cloned();
        let posted = if let Some(Posted { name, count }) = known {
            let count = count + 1;
            let patch = json!({ "count": count, "lastTimestamp": clock::stamp() });
            api.patch(&name, &writes::patching(MANAGER), &Patch::Merge(patch))
                .await
                .context("failed to count an event")?;
            Posted { name, count }
        } else {
            let event = self.event(about, &key);
            let made = api.create(&writes::by(MANAGER), &event).await.context("failed to post an event")?;
            Posted { name: made.metadata.name.unwrap_or_default(), count: 1 }
        };
        seen.lock().unwrap_or_else(PoisonError::into_inner).insert(key, posted);
        Ok(())
    }

    fn event(&self, about: ObjectReference, key: &Key) -> Event {
        let now = clock::time();
        let name = about.name.as_deref().unwrap_or_default();
        Event {
            metadata: ObjectMeta {
                name: Some(format!("{name}.{:x}", now.0.as_nanosecond())),
                namespace: about.namespace.clone(),
                ..ObjectMeta::default()
            },
            involved_object: about,
            type_: Some(format!("{:?}", key.level)),
            reason: Some(key.reason.clone()),
            message: Some(key.message.clone()),
            count: Some(1),
            first_timestamp: Some(now.clone()),
            last_timestamp: Some(now),
            source: Some(EventSource { component: Some(self.component.clone()), host: None }),
            reporting_component: Some(self.component.clone()),
            ..Event::default()
        }
    }
}
