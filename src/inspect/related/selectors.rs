//! Relations between objects of Kubernetes without owner references: Services and disruption budgets by selector,
//! autoscalers by target, Ingresses and `EndpointSlice`s by Service, claims by `StatefulSet`.

use std::collections::HashMap;

use serde_json::Value;

use super::selector_index::{SERVICE_NAME_LABEL, SelectorIndex};
use super::{InferredEdge, Strength};
use crate::inspect::graph::Index;
use crate::known::kinds::current;
use crate::model::ident::{GroupKind, group_of};
use crate::model::json::{at, list, text};
use crate::model::object::Object;
use crate::model::selector::{Labels, Selector};
use crate::model::snapshot::Snapshot;

/// The objects of one tree, with the parent of each.
pub(super) struct Subtree<'a> {
    pub(super) snapshot: &'a Snapshot,
    pub(super) root: Index,
    pub(super) parents: &'a HashMap<Index, Index>,
}

impl Subtree<'_> {
    /// Whether an object is in the tree.
    pub(super) fn contains(&self, index: Index) -> bool {
        index == self.root || self.parents.contains_key(&index)
    }

    pub(super) fn members(&self) -> impl Iterator<Item = Index> {
        std::iter::once(self.root).chain(self.parents.keys().copied())
    }

    fn of_kind<'s>(&'s self, group: &'s str, kind: &'s str) -> impl Iterator<Item = Index> + 's {
        self.members().filter(move |index| is(&self.snapshot.objects[*index], group, kind))
    }

    /// The lowest common owner of some Pods, not counting Pods and ReplicaSets below the root.
    pub(super) fn above(&self, pods: &[Index]) -> Option<Index> {
        let path = |index: Index| {
            let mut path = vec![index];
            while let Some(parent) = path.last().and_then(|last| self.parents.get(last)) {
                if path.len() > self.parents.len() {
                    break;
                }
                path.push(*parent);
            }
            path.reverse();
            path
        };
        let mut common = path(*pods.first()?);
        for pod in &pods[1..] {
            let other = path(*pod);
            let same = common.iter().zip(&other).take_while(|(a, b)| a == b).count();
            common.truncate(same);
        }
        let is_intermediate = |index: &Index| {
            let object = &self.snapshot.objects[*index];
            *index != self.root && (is(object, "", "Pod") || is(object, "apps", "ReplicaSet"))
        };
        while common.len() > 1 && common.last().is_some_and(is_intermediate) {
            common.pop();
        }
        common.last().copied()
    }
}

/// The edges from objects of a tree to related objects that are not in it.
pub(super) fn edges(
    subtree: &Subtree<'_>,
    selector_index: &SelectorIndex<'_>,
    by_uid: &HashMap<&str, Index>,
) -> Vec<InferredEdge> {
    let snapshot = subtree.snapshot;
    let pods: Vec<Pod<'_>> = subtree
        .of_kind("", "Pod")
        .map(|index| {
            let meta = &snapshot.objects[index].meta;
            Pod { index, labels: &meta.labels, namespace: meta.name.namespace.as_deref() }
        })
        .collect();
    let by_name: HashMap<(GroupKind, Option<&str>, &str), Index> = subtree
        .members()
        .map(|index| {
            let name = &snapshot.objects[index].meta.name;
            let kind = current(GroupKind::of(&name.api_version, &name.kind));
            ((kind, name.namespace.as_deref(), name.name.as_str()), index)
        })
        .collect();
    let mut inferred = Vec::new();
    for to in selector_index.candidates(subtree) {
        let object = &snapshot.objects[to];
        let found = match (object.kind.group.as_str(), object.kind.kind.as_str()) {
            ("", "Service") | ("policy", "PodDisruptionBudget") => selects(subtree, object, &pods),
            ("autoscaling", "HorizontalPodAutoscaler") => scales(object, &by_name),
            ("networking.k8s.io", "Ingress") => routes(object, &by_name),
            ("discovery.k8s.io", "EndpointSlice") => slices(object, &by_name),
            ("", "PersistentVolumeClaim") => claims(subtree, object, &by_name),
            _ => None,
        };
        inferred.extend(found.map(|(from, evidence)| InferredEdge {
            from,
            to,
            evidence: vec![evidence],
            strength: Strength::Declared,
        }));
    }
    inferred.extend(endpoints(subtree, by_uid));
    inferred
}

struct Pod<'a> {
    index: Index,
    labels: &'a Labels,
    namespace: Option<&'a str>,
}

type ByName<'a> = HashMap<(GroupKind, Option<&'a str>, &'a str), Index>;

fn is(object: &Object, group: &str, kind: &str) -> bool {
    object.kind.group == group && object.kind.kind == kind
}

fn selects(subtree: &Subtree<'_>, object: &Object, pods: &[Pod<'_>]) -> Option<(Index, String)> {
    // An object with an owner is part of its owner's tree, whichever Pods it selects.
    if !object.meta.owners.is_empty() {
        return None;
    }
    let selector = at(object.pruned()?, &["spec", "selector"])?;
    let selector =
        if object.kind.kind == "Service" { Selector::of_map(selector) } else { Selector::of_spec(selector) }?;
    let namespace = object.meta.name.namespace.as_deref();
    let is_selected = |pod: &&Pod<'_>| pod.namespace == namespace && selector.matches(pod.labels);
    let selected: Vec<Index> = pods.iter().filter(is_selected).map(|pod| pod.index).collect();
    let from = subtree.above(&selected)?;
    let pods = if selected.len() == 1 { "Pod" } else { "Pods" };
    let kind = &subtree.snapshot.objects[from].kind.kind;
    Some((from, format!("spec.selector matches {} {pods} of the {kind}", selected.len())))
}

fn scales(object: &Object, by_name: &ByName<'_>) -> Option<(Index, String)> {
    let target = at(object.pruned()?, &["spec", "scaleTargetRef"])?;
    let group = group_of(text(target, &["apiVersion"]).unwrap_or_default()).to_owned();
    let kind = current(GroupKind { group, kind: text(target, &["kind"])?.to_owned() });
    let namespace = object.meta.name.namespace.as_deref();
    let evidence = format!("spec.scaleTargetRef refers to the {}", kind.kind);
    let from = by_name.get(&(kind, namespace, text(target, &["name"])?))?;
    Some((*from, evidence))
}

fn routes(object: &Object, by_name: &ByName<'_>) -> Option<(Index, String)> {
    let namespace = object.meta.name.namespace.as_deref();
    backends(object.pruned()?).find_map(|service| {
        let from = by_name.get(&(GroupKind::of("v1", "Service"), namespace, service))?;
        Some((*from, "routes to the Service".to_owned()))
    })
}

/// The names of the Services that an Ingress routes to.
pub(super) fn backends(body: &Value) -> impl Iterator<Item = &str> {
    let rules = list(body, &["spec", "rules"]).iter().flat_map(|rule| list(rule, &["http", "paths"]));
    // `backend` and `serviceName` are what they are called in v1beta1.
    let default = [at(body, &["spec", "defaultBackend"]), at(body, &["spec", "backend"])];
    let backends = rules.filter_map(|path| path.get("backend")).chain(default.into_iter().flatten());
    backends
        .filter_map(|backend| text(backend, &["service", "name"]).or_else(|| text(backend, &["serviceName"])))
}

/// `EndpointSlice`s without an owner: created manually, or mirrored from Endpoints.
fn slices(object: &Object, by_name: &ByName<'_>) -> Option<(Index, String)> {
    let service = object.meta.labels.get(SERVICE_NAME_LABEL).filter(|_| object.meta.owners.is_empty())?;
    let namespace = object.meta.name.namespace.as_deref();
    let from = by_name.get(&(GroupKind::of("v1", "Service"), namespace, service.as_str()))?;
    Some((*from, format!("{SERVICE_NAME_LABEL} = name of the Service")))
}

fn claims(subtree: &Subtree<'_>, object: &Object, by_name: &ByName<'_>) -> Option<(Index, String)> {
    let name = &object.meta.name;
    let kind = GroupKind::of("apps/v1", "StatefulSet");
    stateful_sets(&name.name).find_map(|(template, set)| {
        let from = by_name.get(&(kind.clone(), name.namespace.as_deref(), set))?;
        let body = subtree.snapshot.objects[*from].pruned()?;
        let templates = list(body, &["spec", "volumeClaimTemplates"]);
        let is_created = templates.iter().any(|claim| text(claim, &["metadata", "name"]) == Some(template));
        is_created.then(|| (*from, format!("created from volumeClaimTemplate {template} of the StatefulSet")))
    })
}

/// The templates and `StatefulSet`s that a claim can belong to by its name, `TEMPLATE-STATEFULSET-ORDINAL`. Both names
/// may contain hyphens, so there can be several ways to split it.
pub(super) fn stateful_sets(claim: &str) -> impl Iterator<Item = (&str, &str)> {
    let with_ordinal = claim.rsplit_once('-').filter(|(_, ordinal)| ordinal.parse::<u32>().is_ok());
    with_ordinal.into_iter().flat_map(|(rest, _)| {
        rest.match_indices('-').map(move |(hyphen, _)| (&rest[..hyphen], &rest[hyphen + 1..]))
    })
}

/// Edges from the `EndpointSlice`s of a root Service to its Pods.
fn endpoints(subtree: &Subtree<'_>, by_uid: &HashMap<&str, Index>) -> Vec<InferredEdge> {
    let objects = &subtree.snapshot.objects;
    if !is(&objects[subtree.root], "", "Service") {
        return Vec::new();
    }
    let slices = subtree.of_kind("discovery.k8s.io", "EndpointSlice");
    let inferred =
        slices.filter_map(|from| Some((from, objects[from].pruned()?))).flat_map(|(from, body)| {
            let uids = list(body, &["endpoints"])
                .iter()
                .filter_map(|endpoint| text(endpoint, &["targetRef", "uid"]));
            uids.filter_map(|uid| by_uid.get(uid))
                .filter(|to| !subtree.contains(**to))
                .map(move |to| InferredEdge {
                    from,
                    to: *to,
                    evidence: vec!["endpoint of the EndpointSlice".to_owned()],
                    strength: Strength::Declared,
                })
                .collect::<Vec<_>>()
        });
    inferred.collect()
}

/// The Pods of a tree.
pub(super) fn pods(subtree: &Subtree<'_>) -> impl Iterator<Item = Index> {
    subtree.of_kind("", "Pod")
}

/// What the Pods of a tree refer to, as far as they were read whole.
pub(super) fn pod_references(subtree: &Subtree<'_>) -> Vec<(Index, super::pod_references::PodReference)> {
    let mut references: Vec<(Index, super::pod_references::PodReference)> = pods(subtree)
        .filter_map(|index| Some((index, subtree.snapshot.objects[index].whole()?)))
        .flat_map(|(index, body): (Index, &Value)| {
            super::pod_references::pod_references(body).into_iter().map(move |reference| (index, reference))
        })
        .collect();
    references.sort();
    references
}
