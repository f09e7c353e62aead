//! What a further look must bring before a tree can be told.

use std::collections::BTreeSet;

use super::span::{TreeSpan, main_owner};
use super::{Asked, Direction, roots};
use crate::inspect::graph::{Index, Occurrence};
use crate::inspect::related::ObjectGraph;
use crate::inspect::{health, owners, related};
use crate::model::ident::{GroupKind, ObjectName};
use crate::model::snapshot::{Detail, FetchPlan, Lookup, Snapshot};

/// What is missing still; nothing that was tried before.
pub fn fetch_plan(snapshot: &Snapshot, asked: &Asked) -> FetchPlan {
    let roots = roots(snapshot);
    let FetchPlan { bodies, named } = related::fetch_plan(snapshot, &roots, asked.related);
    let mut bodies: BTreeSet<Index> = bodies.into_iter().collect();
    let mut named: BTreeSet<Lookup> = named.into_iter().collect();
    let graph = related::graph(snapshot, &roots, asked.related);
    for root in &roots {
        let scope = TreeSpan::of(*root, snapshot, &graph, asked);
        if asked.direction != Direction::Down {
            named.extend(
                top_owner(snapshot, &graph, &scope)
                    .into_iter()
                    .map(|name| Lookup { name, detail: Detail::Whole }),
            );
        }
        named.extend(unseen_owners(snapshot, &graph, &scope));
        let homes = scope.places.iter().filter(|place| place.occurrence == Occurrence::Primary);
        let judged = homes.filter(|place| {
            let kind = snapshot.objects[place.object].kind.group_kind();
            health::needs_body(&kind) || is_followed(&kind)
        });
        bodies.extend(judged.map(|place| place.object));
    }
    let unread = |index: &Index| {
        let object = &snapshot.objects[*index];
        object.body.is_none() && !snapshot.tried.contains(&object.meta.name)
    };
    // Whole beats metadata: they sort next to each other, the larger last.
    let mut lookups: Vec<Lookup> = named.into_iter().rev().collect();
    lookups.dedup_by(|later, kept| later.name == kept.name);
    lookups.retain(|lookup| !snapshot.tried.contains(&lookup.name));
    FetchPlan { bodies: bodies.into_iter().filter(unread).collect(), named: lookups }
}

/// Slices say whom a Service reaches.
pub(super) fn is_followed(kind: &GroupKind) -> bool {
    kind.kind == "EndpointSlice" && kind.group == "discovery.k8s.io"
}

fn unseen_owners(snapshot: &Snapshot, graph: &ObjectGraph<'_>, scope: &TreeSpan) -> Vec<Lookup> {
    let unseen = owners::unseen(snapshot, graph, &scope.traversal).into_iter();
    unseen.map(|name| Lookup { name, detail: Detail::Metadata }).collect()
}

/// The owner above the topmost object that is known.
fn top_owner(snapshot: &Snapshot, graph: &ObjectGraph<'_>, scope: &TreeSpan) -> Option<ObjectName> {
    let top = scope.path.first().copied().unwrap_or(scope.root);
    let meta = &snapshot.objects[top].meta;
    owners::named_by(snapshot, graph, meta, main_owner(meta)?)
}
