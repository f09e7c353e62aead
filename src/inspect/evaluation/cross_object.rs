//! Verdicts that need several objects: whether a Service has ready endpoints, and which finished Pods do not count.

use std::collections::HashMap;

use serde_json::Value;

use super::node::Node;
use crate::inspect::graph::{EdgeKind, Index, Traversal};
use crate::model::health::Verdict;
use crate::model::json::{at, list, text};
use crate::model::object::Object;
use crate::model::rule::Rule;
use crate::model::snapshot::Snapshot;

/// Adjusts the verdicts of nodes that depend on other nodes.
pub(super) fn apply(
    nodes: &mut [Node],
    traversal: &Traversal,
    node_of: &HashMap<Index, usize>,
    snapshot: &Snapshot,
) {
    let mut below: HashMap<Index, Vec<Index>> = HashMap::new();
    for position in traversal.primary() {
        let Some(edge) = position.edge else { continue };
        below.entry(edge.from).or_default().push(edge.to);
        let parent = node_of.get(&edge.from).map_or(Verdict::Unknown, |parent| nodes[*parent].own.verdict);
        let Some(node) = node_of.get(&edge.to).map(|index| &mut nodes[*index]) else { continue };
        let named = edge.kind == EdgeKind::Named;
        if named || is_leftover(&snapshot.objects[edge.to], &snapshot.objects[edge.from], parent) {
            node.counts = false;
        }
        if named {
            node.related = true;
            node.link = Some(EdgeKind::Named);
        }
    }
    let pods = nodes.iter().filter(|node| is(node, "v1", "Pod")).map(|node| node.own.verdict);
    let pods: Vec<Verdict> = pods.collect();
    for (from, children) in &below {
        let Some(node) = node_of.get(from).map(|index| &mut nodes[*index]) else { continue };
        if is(node, "v1", "Service") {
            let slices = children.iter().map(|child| &snapshot.objects[*child]);
            judge_endpoints(node, &snapshot.objects[*from], slices, &pods);
        }
    }
}

fn is(node: &Node, api_version: &str, kind: &str) -> bool {
    node.name.api_version == api_version && node.name.kind == kind
}

/// Whether a Pod has finished and its workload does not need it any more.
fn is_leftover(pod: &Object, owner: &Object, owner_verdict: Verdict) -> bool {
    let phase = pod.pruned().and_then(|body| text(body, &["status", "phase"]));
    let is_finished = pod.kind.kind == "Pod" && matches!(phase, Some("Failed" | "Succeeded"));
    // A Job retries; only the verdict on the Job counts.
    let is_retried = owner.kind.kind == "Job" && owner_verdict != Verdict::Failed;
    is_finished && (is_retried || owner_verdict == Verdict::Ready)
}

/// Counts the endpoints of a Service with a selector: without ready ones it is not ready.
fn judge_endpoints<'a>(
    node: &mut Node,
    service: &Object,
    slices: impl Iterator<Item = &'a Object>,
    pods: &[Verdict],
) {
    let selector = service.pruned().and_then(|body| at(body, &["spec", "selector"]));
    let Some(selector) = selector.and_then(Value::as_object).filter(|selector| !selector.is_empty()) else {
        return;
    };
    let bodies: Vec<&Value> = slices
        .filter(|slice| slice.kind.kind == "EndpointSlice")
        .filter_map(|slice| slice.pruned())
        .collect();
    if bodies.is_empty() || node.own.verdict != Verdict::None {
        return;
    }
    let endpoints: Vec<&Value> = bodies.iter().flat_map(|body| list(body, &["endpoints"])).collect();
    // A missing condition means ready, as in the EndpointSlice API.
    let is_ready =
        |endpoint: &&&Value| at(endpoint, &["conditions", "ready"]).is_none_or(|ready| *ready == true);
    let (total, ready) = (endpoints.len(), endpoints.iter().filter(is_ready).count());
    node.own.status = match total {
        0 => "no endpoints".to_owned(),
        1 if ready == 1 => "1 endpoint".to_owned(),
        _ if ready == total => format!("{total} endpoints"),
        _ => format!("{ready} of {total} endpoints ready"),
    };
    // If no Pod is ready, the Pods are the cause, not the Service.
    if ready > 0 || !pods.contains(&Verdict::Ready) {
        return;
    }
    let labels: Vec<String> =
        selector.iter().map(|(key, value)| format!("{key}={}", value.as_str().unwrap_or_default())).collect();
    node.own.verdict = Verdict::NotReady;
    node.own.rule = Rule::ServiceEndpoints;
    node.own.message = Some(match total {
        0 => format!("its selector {} matches no Pods", labels.join(",")),
        _ => "none of its endpoints is ready".to_owned(),
    });
}
