//! An index of objects that refer to others by selector or name: a cluster has thousands of them, too many to compare
//! with every one of thousands of roots.

use std::collections::HashMap;

use serde_json::{Map, Value};

use super::selectors::{Subtree, backends, stateful_sets};
use crate::inspect::graph::Index;
use crate::model::json::{at, text};
use crate::model::object::Object;
use crate::model::snapshot::Snapshot;

/// The label of an `EndpointSlice` with the name of its Service.
pub(super) const SERVICE_NAME_LABEL: &str = "kubernetes.io/service-name";

/// What an object must have to be selected or referred to, in its own namespace.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum SelectorKey<'a> {
    Name(&'a str),
    /// A label of a Pod.
    Label(&'a str, &'a str),
    /// Any Pod.
    Pod,
}

/// Objects by the namespace and key they refer to. It may find too many objects, but misses none.
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

    /// The objects outside of a tree that may refer to one in it, in the order of the snapshot.
    pub(super) fn candidates(&self, subtree: &Subtree<'_>) -> Vec<Index> {
        let mut found: Vec<Index> = Vec::new();
        for member in subtree.members() {
            let meta = &subtree.snapshot.objects[member].meta;
            let namespace = meta.name.namespace.as_deref();
            let mut add = |key| found.extend(self.0.get(&(namespace, key)).into_iter().flatten());
            add(SelectorKey::Name(&meta.name.name));
            if meta.name.kind == "Pod" {
                add(SelectorKey::Pod);
                meta.labels.iter().for_each(|(key, value)| add(SelectorKey::Label(key, value)));
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

/// One of the labels that a selector requires; the others are compared later.
fn selector(labels: Option<&Value>) -> Option<SelectorKey<'_>> {
    let labels: &Map<String, Value> = labels?.as_object()?;
    labels.iter().find_map(|(key, value)| Some(SelectorKey::Label(key, value.as_str()?)))
}
