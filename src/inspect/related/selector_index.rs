//! Objects that point at others by what they hold, and by what those others can find them: a cluster has thousands,
//! and looking through all of them for each of thousands of roots would take a minute.

use std::collections::HashMap;

use serde_json::{Map, Value};

use super::selectors::{Subtree, backends, stateful_sets};
use crate::inspect::graph::Index;
use crate::model::json::{at, text};
use crate::model::object::Object;
use crate::model::snapshot::Snapshot;

/// The label by which an `EndpointSlice` names its Service.
pub(super) const SERVICE_NAME_LABEL: &str = "kubernetes.io/service-name";

/// What an object must have for another to point at it, in its namespace.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum SelectorKey<'a> {
    Name(&'a str),
    /// A label of a Pod.
    Label(&'a str, &'a str),
    /// To be a Pod at all.
    Pod,
}

/// Objects that point at others, by namespace and hook. More are found than really point; none is missed.
#[derive(Debug, Default)]
pub(super) struct SelectorIndex<'a>(HashMap<(Option<&'a str>, SelectorKey<'a>), Vec<Index>>);

impl<'a> SelectorIndex<'a> {
    pub(super) fn of(snapshot: &'a Snapshot) -> Self {
        let mut all = Self::default();
        for (index, object) in snapshot.objects.iter().enumerate() {
            let namespace = object.meta.name.namespace.as_deref();
            for key in selector_keys(object) {
                all.0.entry((namespace, key)).or_default().push(index);
            }
        }
        all
    }

    /// Those outside of a tree that may point into it, in the snapshot's order.
    pub(super) fn candidates(&self, subtree: &Subtree<'_>) -> Vec<Index> {
        let mut found: Vec<Index> = Vec::new();
        for member in subtree.members() {
            let meta = &subtree.snapshot.objects[member].meta;
            let namespace = meta.name.namespace.as_deref();
            let mut look = |key| found.extend(self.0.get(&(namespace, key)).into_iter().flatten());
            look(SelectorKey::Name(&meta.name.name));
            if meta.name.kind == "Pod" {
                look(SelectorKey::Pod);
                meta.labels.iter().for_each(|(key, value)| look(SelectorKey::Label(key, value)));
            }
        }
        found.retain(|index| !subtree.contains(*index));
        found.sort_unstable();
        found.dedup();
        found
    }
}

fn selector_keys(object: &Object) -> Vec<SelectorKey<'_>> {
    let field = |path: &[&str]| object.pruned().and_then(|body| at(body, path));
    match (object.kind.group.as_str(), object.kind.kind.as_str()) {
        ("", "Service") => selector(field(&["spec", "selector"])).into_iter().collect(),
        ("policy", "PodDisruptionBudget") => {
            let labels = selector(field(&["spec", "selector", "matchLabels"]));
            vec![labels.unwrap_or(SelectorKey::Pod)]
        }
        ("autoscaling", "HorizontalPodAutoscaler") => {
            let target = object.pruned().and_then(|body| text(body, &["spec", "scaleTargetRef", "name"]));
            target.map(SelectorKey::Name).into_iter().collect()
        }
        ("networking.k8s.io", "Ingress") => {
            object.pruned().into_iter().flat_map(backends).map(SelectorKey::Name).collect()
        }
        ("discovery.k8s.io", "EndpointSlice") => object
            .meta
            .labels
            .get(SERVICE_NAME_LABEL)
            .map(|service| SelectorKey::Name(service))
            .into_iter()
            .collect(),
        ("", "PersistentVolumeClaim") => {
            stateful_sets(&object.meta.name.name).map(|(_, set)| SelectorKey::Name(set)).collect()
        }
        _ => Vec::new(),
    }
}

/// One label that a selector demands; the others are looked at later.
fn selector(labels: Option<&Value>) -> Option<SelectorKey<'_>> {
    let labels: &Map<String, Value> = labels?.as_object()?;
    labels.iter().find_map(|(key, value)| Some(SelectorKey::Label(key, value.as_str()?)))
}
