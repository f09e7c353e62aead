//! Events about objects: one list per namespace. There can be far more events than objects, so each page is filtered
//! before the next one is read.

use std::collections::{BTreeMap, BTreeSet};

use futures_util::{StreamExt as _, stream};
use serde::Deserialize;

use super::list::{MAX_PAGES, retry_if_expired};
use super::request::RequestError;
use super::{Cluster, path};
use crate::model::event::{Event, Subjects};
use crate::model::kind::Kind;
use crate::model::memory::MemoryShare;
use crate::model::snapshot::Snapshot;
use crate::source::ReadContext;
use crate::source::event_json::JsonEvent;
use crate::source::memory;

const JSON: &str = "application/json";
/// The namespace of events about cluster-scoped objects.
const CLUSTER_SCOPED_NAMESPACE: &str = "default";

/// A list of the events in one namespace.
struct EventQuery {
    namespace: String,
    /// The name of the only object, for a field selector.
    name: Option<String>,
}

#[derive(Deserialize)]
struct EventPage {
    #[serde(default)]
    metadata: EventPageMeta,
    items: Option<Vec<JsonEvent>>,
}

#[derive(Default, Deserialize)]
struct EventPageMeta {
    #[serde(default, rename = "continue")]
    next: Option<String>,
}

impl Cluster {
    /// Adds the events about some objects to a snapshot; a namespace that cannot be read is a gap.
    pub async fn events(&self, snapshot: &mut Snapshot, about: &[usize], context: &ReadContext) {
        let kind = events_kind();
        let event_queries = event_queries(snapshot, about);
        let mut pending: BTreeSet<String> =
            event_queries.iter().map(|query| query.namespace.clone()).collect();
        let (mut found, mut gaps, mut shares) = (Vec::new(), Vec::new(), Vec::new());
        {
            let subjects = Subjects::of(&snapshot.objects, about.iter().copied());
            let (kind, subjects) = (&kind, &subjects);
            let list_events = |query: EventQuery| async move {
                let list = self.events_in(kind, &query, subjects);
                let what = format!("events in {}", query.namespace);
                let response = context.progress.track(what, list).await;
                (query.namespace, response)
            };
            let mut responses = stream::iter(event_queries.into_iter().map(list_events))
                .buffer_unordered(self.max_concurrent());
            loop {
                let response = tokio::select! {
                    biased;
                    () = context.cancel.cancelled() => break,
                    response = responses.next() => response,
                };
                let Some((namespace, response)) = response else { break };
                match response {
                    Ok((events, share)) => {
                        found.extend(events);
                        shares.push(share);
                    }
                    Err(error) => gaps.push(error.gap(kind, Some(&namespace), "list")),
                }
                pending.remove(&namespace);
            }
        }
        let interrupted =
            pending.iter().map(|namespace| RequestError::interrupted().gap(&kind, Some(namespace), "list"));
        gaps.extend(interrupted);
        snapshot.event_memory.extend(shares);
        snapshot.events.get_or_insert_default().extend(found);
        snapshot.coverage.add_gaps(gaps);
    }

    async fn events_in(
        &self,
        kind: &Kind,
        query: &EventQuery,
        subjects: &Subjects<'_>,
    ) -> Result<(Vec<Event>, MemoryShare), RequestError> {
        let first = self.event_pages(kind, query, subjects).await;
        retry_if_expired(first, self.event_pages(kind, query, subjects)).await
    }

    async fn event_pages(
        &self,
        kind: &Kind,
        query: &EventQuery,
        subjects: &Subjects<'_>,
    ) -> Result<(Vec<Event>, MemoryShare), RequestError> {
        let path = path::list(kind, Some(&query.namespace));
        let only = query.name.as_ref().map_or_else(String::new, |name| {
            format!("&fieldSelector={}", path::segment(&format!("involvedObject.name={name}")))
        });
        let (mut all, mut parameters) = (Vec::new(), "limit=500".to_owned());
        let share = self.memory.share();
        for _ in 0..MAX_PAGES {
            let page: EventPage = self.get_json(&format!("{path}?{parameters}{only}"), JSON).await?;
            let items = page.items.unwrap_or_default().into_iter().filter_map(JsonEvent::into_event);
            for event in items.filter(|event| subjects.find(event).is_some()) {
                share.add(memory::event(&event)).map_err(RequestError::over_budget)?;
                all.push(event);
            }
            match page.metadata.next.filter(|next| !next.is_empty()) {
                Some(next) => parameters = format!("limit=500&continue={}", path::segment(&next)),
                None => return Ok((all, share)),
            }
        }
        Err(RequestError::unreadable(&self.server, "the list has too many pages"))
    }
}

/// The lists that contain the events about the objects.
fn event_queries(snapshot: &Snapshot, about: &[usize]) -> Vec<EventQuery> {
    let mut namespaces: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for object in about.iter().filter_map(|index| snapshot.objects.get(*index)) {
        let name = &object.meta.name;
        let namespace = name.namespace.as_deref().unwrap_or(CLUSTER_SCOPED_NAMESPACE);
        namespaces.entry(namespace).or_default().insert(&name.name);
    }
    let query = |(namespace, names): (&str, BTreeSet<&str>)| EventQuery {
        namespace: namespace.to_owned(),
        name: names.first().filter(|_| names.len() == 1).map(|name| (*name).to_owned()),
    };
    namespaces.into_iter().map(query).collect()
}

fn events_kind() -> Kind {
    Kind {
        version: "v1".to_owned(),
        kind: "Event".to_owned(),
        plural: "events".to_owned(),
        singular: "event".to_owned(),
        verbs: vec!["list".to_owned()],
        versions: vec!["v1".to_owned()],
        ..Kind::default()
    }
}
