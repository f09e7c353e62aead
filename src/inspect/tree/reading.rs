//! What a further look must bring before a tree can be told.

use std::collections::BTreeSet;

use super::scope::{Scope, main_owner};
use super::{Asked, Direction, roots};
use crate::inspect::graph::{Index, Mention};
use crate::inspect::related::Family;
use crate::inspect::{health, owners, related};
use crate::model::ident::{GroupKind, ObjectName};
use crate::model::snapshot::{Lookup, Much, Reading, Snapshot};

/// What is missing still; nothing that was tried before.
pub fn reading(snapshot: &Snapshot, asked: &Asked) -> Reading {
    let roots = roots(snapshot);
    let Reading { bodies, named } = related::reading(snapshot, &roots, asked.related);
    let mut bodies: BTreeSet<Index> = bodies.into_iter().collect();
    let mut named: BTreeSet<Lookup> = named.into_iter().collect();
    let family = related::family(snapshot, &roots, asked.related);
    for root in &roots {
        let scope = Scope::of(*root, snapshot, &family, asked);
        if asked.direction != Direction::Down {
            named.extend(
                top_owner(snapshot, &family, &scope)
                    .into_iter()
                    .map(|name| Lookup { name, much: Much::Whole }),
            );
        }
        named.extend(unseen_owners(snapshot, &family, &scope));
        let homes = scope.places.iter().filter(|place| place.mention == Mention::Home);
        let judged = homes.filter(|place| {
            let kind = snapshot.objects[place.object].kind.group_kind();
            health::needs_body(&kind) || is_followed(&kind)
        });
        bodies.extend(judged.map(|place| place.object));
    }
    let unread = |index: &Index| {
        let seen = &snapshot.objects[*index];
        seen.body.is_none() && !snapshot.tried.contains(&seen.meta.name)
    };
    // Whole beats metadata: they sort next to each other, the larger last.
    let mut lookups: Vec<Lookup> = named.into_iter().rev().collect();
    lookups.dedup_by(|later, kept| later.name == kept.name);
    lookups.retain(|lookup| !snapshot.tried.contains(&lookup.name));
    Reading { bodies: bodies.into_iter().filter(unread).collect(), named: lookups }
}

/// Slices say whom a Service reaches.
pub(super) fn is_followed(kind: &GroupKind) -> bool {
    kind.kind == "EndpointSlice" && kind.group == "discovery.k8s.io"
}

fn unseen_owners(snapshot: &Snapshot, family: &Family<'_>, scope: &Scope) -> Vec<Lookup> {
    let unseen = owners::unseen(snapshot, family, &scope.graph).into_iter();
    unseen.map(|name| Lookup { name, much: Much::Metadata }).collect()
}

/// The owner above the topmost object that is known.
fn top_owner(snapshot: &Snapshot, family: &Family<'_>, scope: &Scope) -> Option<ObjectName> {
    let top = scope.path.first().copied().unwrap_or(scope.root);
    let meta = &snapshot.objects[top].meta;
    owners::named_by(snapshot, family, meta, main_owner(meta)?)
}
