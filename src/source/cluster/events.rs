//! What was written down about objects: one list per namespace that they live in. There are far more events than
//! objects, so that a page is read, looked through and dropped.

use std::collections::{BTreeMap, BTreeSet};

use futures_util::{StreamExt as _, stream};
use serde::Deserialize;

use super::list::{MAX_PAGES, again_if_gone};
use super::request::RequestError;
use super::{Cluster, path};
use crate::model::event::{Event, Subjects};
use crate::model::kind::Kind;
use crate::model::snapshot::Snapshot;
use crate::source::ReadContext;
use crate::source::event_json::JsonEvent;

const JSON: &str = "application/json";
/// Where events about cluster-scoped objects are kept.
const OF_THE_CLUSTER: &str = "default";

/// One namespace to ask for events.
struct Errand {
    namespace: String,
    /// The only name that is looked for, so that the server can do the looking.
    name: Option<String>,
}

#[derive(Deserialize)]
struct Page {
    #[serde(default)]
    metadata: PageMeta,
    items: Option<Vec<JsonEvent>>,
}

#[derive(Default, Deserialize)]
struct PageMeta {
    #[serde(default, rename = "continue")]
    next: Option<String>,
}

impl Cluster {
    /// Adds the events about some objects of a snapshot; a namespace that may not be read is a gap.
    pub async fn events(&self, snapshot: &mut Snapshot, about: &[usize], context: &ReadContext) {
        let kind = events_kind();
        let errands = errands(snapshot, about);
        let mut open: BTreeSet<String> = errands.iter().map(|errand| errand.namespace.clone()).collect();
        let (mut found, mut gaps) = (Vec::new(), Vec::new());
        {
            let subjects = Subjects::of(&snapshot.objects, about.iter().copied());
            let (kind, subjects) = (&kind, &subjects);
            let ask = |errand: Errand| async move {
                let list = self.events_in(kind, &errand, subjects);
                let what = format!("events in {}", errand.namespace);
                let answer = context.progress.during(what, list).await;
                (errand.namespace, answer)
            };
            let mut answers = stream::iter(errands.into_iter().map(ask)).buffer_unordered(self.at_once());
            loop {
                let answer = tokio::select! {
                    biased;
                    () = context.cancel.cancelled() => break,
                    answer = answers.next() => answer,
                };
                let Some((namespace, answer)) = answer else { break };
                match answer {
                    Ok(events) => found.extend(events),
                    Err(error) => gaps.push(error.gap(kind, Some(&namespace), "list")),
                }
                open.remove(&namespace);
            }
        }
        let cut_off =
            open.iter().map(|namespace| RequestError::interrupted().gap(&kind, Some(namespace), "list"));
        gaps.extend(cut_off);
        snapshot.events.get_or_insert_default().extend(found);
        snapshot.coverage.add_gaps(gaps);
    }

    async fn events_in(
        &self,
        kind: &Kind,
        errand: &Errand,
        subjects: &Subjects<'_>,
    ) -> Result<Vec<Event>, RequestError> {
        let first = self.pages_of_events(kind, errand, subjects).await;
        again_if_gone(first, self.pages_of_events(kind, errand, subjects)).await
    }

    async fn pages_of_events(
        &self,
        kind: &Kind,
        errand: &Errand,
        subjects: &Subjects<'_>,
    ) -> Result<Vec<Event>, RequestError> {
        let path = path::list(kind, Some(&errand.namespace));
        let only = errand.name.as_ref().map_or_else(String::new, |name| {
            format!("&fieldSelector={}", path::segment(&format!("involvedObject.name={name}")))
        });
        let (mut all, mut query) = (Vec::new(), "limit=500".to_owned());
        for _ in 0..MAX_PAGES {
            let page: Page = self.document(&format!("{path}?{query}{only}"), JSON).await?;
            let items = page.items.unwrap_or_default().into_iter().filter_map(JsonEvent::into_event);
            all.extend(items.filter(|event| subjects.find(event).is_some()));
            match page.metadata.next.filter(|next| !next.is_empty()) {
                Some(next) => query = format!("limit=500&continue={}", path::segment(&next)),
                None => return Ok(all),
            }
        }
        Err(RequestError::unreadable(&self.server, "with a list that does not end"))
    }
}

/// The namespaces where events about the objects are kept.
fn errands(snapshot: &Snapshot, about: &[usize]) -> Vec<Errand> {
    let mut places: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for seen in about.iter().filter_map(|index| snapshot.objects.get(*index)) {
        let name = &seen.meta.name;
        let place = name.namespace.as_deref().unwrap_or(OF_THE_CLUSTER);
        places.entry(place).or_default().insert(&name.name);
    }
    let errand = |(namespace, names): (&str, BTreeSet<&str>)| Errand {
        namespace: namespace.to_owned(),
        name: names.first().filter(|_| names.len() == 1).map(|name| (*name).to_owned()),
    };
    places.into_iter().map(errand).collect()
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
