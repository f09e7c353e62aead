//! Objects that point at others by what they hold, and by what those others can find them: a cluster has thousands,
//! and looking through all of them for each of thousands of roots would take a minute.

use std::collections::HashMap;

use serde_json::{Map, Value};

use super::plumbing::{Grove, backends, sets};
use crate::inspect::graph::Index;
use crate::model::object::{at, text};
use crate::model::snapshot::{Seen, Snapshot};

/// The label by which an `EndpointSlice` names its Service.
pub(super) const OF_SERVICE: &str = "kubernetes.io/service-name";

/// What an object must have for another to point at it, in its namespace.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Hook<'a> {
    Name(&'a str),
    /// A label of a Pod.
    Label(&'a str, &'a str),
    /// To be a Pod at all.
    Pod,
}

/// Objects that point at others, by namespace and hook. More are found than really point; none is missed.
#[derive(Debug, Default)]
pub(super) struct Pointing<'a>(HashMap<(Option<&'a str>, Hook<'a>), Vec<Index>>);

impl<'a> Pointing<'a> {
    pub(super) fn of(snapshot: &'a Snapshot) -> Self {
        let mut all = Self::default();
        for (index, seen) in snapshot.objects.iter().enumerate() {
            let namespace = seen.meta.name.namespace.as_deref();
            for hook in hooks(seen) {
                all.0.entry((namespace, hook)).or_default().push(index);
            }
        }
        all
    }

    /// Those outside of a tree that may point into it, in the snapshot's order.
    pub(super) fn at(&self, grove: &Grove<'_>) -> Vec<Index> {
        let mut found: Vec<Index> = Vec::new();
        for member in grove.members() {
            let meta = &grove.snapshot.objects[member].meta;
            let namespace = meta.name.namespace.as_deref();
            let mut look = |hook| found.extend(self.0.get(&(namespace, hook)).into_iter().flatten());
            look(Hook::Name(&meta.name.name));
            if meta.name.kind == "Pod" {
                look(Hook::Pod);
                meta.labels.iter().for_each(|(key, value)| look(Hook::Label(key, value)));
            }
        }
        found.retain(|index| !grove.holds(*index));
        found.sort_unstable();
        found.dedup();
        found
    }
}

fn hooks(seen: &Seen) -> Vec<Hook<'_>> {
    let field = |path: &[&str]| seen.body.as_ref().and_then(|body| at(body, path));
    match (seen.kind.group.as_str(), seen.kind.kind.as_str()) {
        ("", "Service") => selector(field(&["spec", "selector"])).into_iter().collect(),
        ("policy", "PodDisruptionBudget") => {
            let labels = selector(field(&["spec", "selector", "matchLabels"]));
            vec![labels.unwrap_or(Hook::Pod)]
        }
        ("autoscaling", "HorizontalPodAutoscaler") => {
            let target = seen.body.as_ref().and_then(|body| text(body, &["spec", "scaleTargetRef", "name"]));
            target.map(Hook::Name).into_iter().collect()
        }
        ("networking.k8s.io", "Ingress") => seen.body.iter().flat_map(backends).map(Hook::Name).collect(),
        ("discovery.k8s.io", "EndpointSlice") => {
            seen.meta.labels.get(OF_SERVICE).map(|service| Hook::Name(service)).into_iter().collect()
        }
        ("", "PersistentVolumeClaim") => sets(&seen.meta.name.name).map(|(_, set)| Hook::Name(set)).collect(),
        _ => Vec::new(),
    }
}

/// One label that a selector demands; the others are looked at later.
fn selector(labels: Option<&Value>) -> Option<Hook<'_>> {
    let labels: &Map<String, Value> = labels?.as_object()?;
    labels.iter().find_map(|(key, value)| Some(Hook::Label(key, value.as_str()?)))
}
