//! What must be read before a status can be told: what its tree needs, and what Pods in trouble are waiting for.

use super::{Below, asked};
use crate::inspect::health;
use crate::inspect::related::pod::{Must, needs};
use crate::inspect::tree::{self, is_trouble};
use crate::model::ident::ObjectName;
use crate::model::rulebook::Rulebook;
use crate::model::snapshot::{Detail, FetchPlan, Lookup, Snapshot};

/// So many objects that Pods name are looked up.
const MOST: usize = 20;

/// What is missing still; nothing that was tried before.
pub fn fetch_plan(snapshot: &Snapshot, below: Below, rulebook: &Rulebook) -> FetchPlan {
    let mut fetch_plan = tree::fetch_plan(snapshot, &asked(below));
    // For one resource only: among thousands, the Pods themselves are enough.
    if below == Below::All && fetch_plan.is_empty() && snapshot.roots.len() == 1 {
        let wanted = waited_for(snapshot, rulebook).into_iter();
        fetch_plan.named.extend(wanted.map(|name| Lookup { name, detail: Detail::Metadata }));
    }
    fetch_plan
}

/// What the Pods of the tree that are not fine cannot start without.
fn waited_for(snapshot: &Snapshot, rulebook: &Rulebook) -> Vec<ObjectName> {
    let members = tree::members(snapshot, crate::inspect::related::Reach::Related);
    let pods = members
        .iter()
        .map(|member| &snapshot.objects[member.object])
        .filter(|object| object.kind.kind == "Pod" && object.kind.group.is_empty());
    let mut wanted: Vec<ObjectName> = Vec::new();
    for pod in pods {
        let Some(body) = &pod.body else { continue };
        let health = health::judge(&pod.kind.group_kind(), body, snapshot.now, rulebook);
        if !is_trouble(health.verdict) {
            continue;
        }
        for need in needs(body).into_iter().filter(|need| need.must == Must::Exist) {
            let name = ObjectName {
                api_version: "v1".to_owned(),
                kind: need.kind.to_owned(),
                namespace: pod.meta.name.namespace.clone(),
                name: need.name,
            };
            let object = snapshot.objects.iter().any(|object| object.meta.name == name);
            if !object && !snapshot.tried.contains(&name) && !wanted.contains(&name) && wanted.len() < MOST {
                wanted.push(name);
            }
        }
    }
    wanted
}
