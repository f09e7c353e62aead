//! What must be read before a tree can be evaluated.

use super::{Below, Context, Evaluation, is_unhealthy};
use crate::inspect::graph::{Index, Position, Traversal};
use crate::inspect::related::pod_references::{Presence, pod_references};
use crate::inspect::{health, owners};
use crate::model::fetch_plan::FetchPlan;
use crate::model::ident::{GroupKind, ObjectName};
use crate::model::object::Detail;

/// The maximum number of Pods that are read whole, and of the objects they refer to that are looked up.
const MAX_LOOKUPS: usize = 20;

/// Asks for the bodies of objects with a verdict, and for owners that were not listed.
pub fn bodies(traversal: &Traversal, context: &Context<'_>, plan: &mut FetchPlan) {
    wanted(traversal.primary(), context, plan);
    if context.below == Below::All {
        for name in owners::unknown_owners(context.snapshot, context.graph, traversal) {
            plan.look_up(name, Detail::Metadata);
        }
    }
}

/// Asks for the bodies of objects with a verdict at some positions.
pub fn wanted<'a>(
    positions: impl Iterator<Item = &'a Position>,
    context: &Context<'_>,
    plan: &mut FetchPlan,
) {
    for position in positions {
        let object = &context.snapshot.objects[position.object];
        if object.detail() >= Detail::Pruned {
            continue;
        }
        let kind = object.kind.group_kind();
        if health::needs_body(&kind) || has_endpoints(&kind) {
            plan.want(position.object, Detail::Pruned);
        }
    }
}

/// Whether a kind lists the endpoints of a Service.
pub(in crate::inspect) fn has_endpoints(kind: &GroupKind) -> bool {
    kind.kind == "EndpointSlice" && kind.group == "discovery.k8s.io"
}

/// What unhealthy Pods may be waiting for: first the Pods as a whole, then the objects they need to start.
pub(super) fn unhealthy_pods(evaluation: &Evaluation, context: &Context<'_>) -> FetchPlan {
    let (mut plan, snapshot) = (FetchPlan::default(), context.snapshot);
    let is_unhealthy_pod = |index: &Index| {
        let node = &evaluation.nodes[evaluation.node_of[index]];
        node.name.kind == "Pod" && node.name.api_version == "v1" && is_unhealthy(node.own.verdict)
    };
    let pods = evaluation.traversal.primary().map(|position| position.object).filter(is_unhealthy_pod);
    for index in pods.take(MAX_LOOKUPS) {
        let object = &snapshot.objects[index];
        let Some(body) = object.whole() else {
            plan.want(index, Detail::Whole);
            continue;
        };
        for reference in
            pod_references(body).into_iter().filter(|reference| reference.presence == Presence::Required)
        {
            let name = ObjectName {
                api_version: "v1".to_owned(),
                kind: reference.kind.to_owned(),
                namespace: object.meta.name.namespace.clone(),
                name: reference.name,
            };
            let is_known = || snapshot.objects.iter().any(|object| object.meta.name == name);
            if plan.named.len() < MAX_LOOKUPS && !snapshot.absent.contains(&name) && !is_known() {
                plan.look_up(name, Detail::Metadata);
            }
        }
    }
    plan
}
