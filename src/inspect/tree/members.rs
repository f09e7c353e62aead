//! The objects of a tree, without a word about how they are: for commands that do not judge.

use std::collections::{HashMap, HashSet};

use super::fetch_plan::is_followed;
use super::{Standing, roots};
use crate::inspect::graph::{EdgeKind, Index, Traversal};
use crate::inspect::related;
use crate::model::snapshot::{FetchPlan, Snapshot};

/// One object of a tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Member {
    /// Its place in the snapshot.
    pub object: Index,
    pub standing: Standing,
}

/// The roots alone, in the snapshot's order.
pub fn root_members(snapshot: &Snapshot) -> Vec<Member> {
    roots(snapshot).into_iter().map(|object| Member { object, standing: Standing::Owned }).collect()
}

/// Every object of the trees of a snapshot, once, each root before what is below it.
pub fn members(snapshot: &Snapshot, reach: related::Reach) -> Vec<Member> {
    let roots = roots(snapshot);
    let graph = related::graph(snapshot, &roots, reach);
    // One place for each object; a tree that owns it makes it sure.
    let mut members: Vec<Member> = Vec::new();
    let mut places: HashMap<Index, usize> = HashMap::new();
    for root in roots {
        let mut standings: HashMap<Index, Standing> = HashMap::new();
        for place in Traversal::below(root, snapshot, &graph.owner_index).homes() {
            let above = place.edge.and_then(|edge| standings.get(&edge.from)).copied().unwrap_or_default();
            let guessed = place.edge.is_some_and(|edge| edge.kind >= EdgeKind::Related);
            let standing = if guessed { Standing::Related } else { above };
            standings.insert(place.object, standing);
            let at = *places.entry(place.object).or_insert_with(|| {
                members.push(Member { object: place.object, standing });
                members.len() - 1
            });
            if standing == Standing::Owned {
                members[at].standing = Standing::Owned;
            }
        }
    }
    members
}

/// What must be read before the members are known; nothing that was tried before.
pub fn members_fetch_plan(snapshot: &Snapshot, reach: related::Reach) -> FetchPlan {
    let roots = roots(snapshot);
    let FetchPlan { mut bodies, mut named } = related::fetch_plan(snapshot, &roots, reach);
    if reach != related::Reach::Owned {
        let graph = related::graph(snapshot, &roots, reach);
        let has_claims = snapshot.objects.iter().any(|object| object.kind.kind == "PersistentVolumeClaim");
        for root in roots {
            // Slices lead on to the Pods of a Service that was asked about.
            let service = &snapshot.objects[root].kind;
            let is_service = service.kind == "Service" && service.group.is_empty();
            let below = graph.owner_index.reachable(root).into_keys().chain([root]);
            bodies.extend(below.filter(|index| {
                let kind = snapshot.objects[*index].kind.group_kind();
                // A set's templates say which claims are its own.
                (is_service && is_followed(&kind))
                    || (has_claims && kind.group == "apps" && kind.kind == "StatefulSet")
            }));
        }
    }
    let mut asked = HashSet::new();
    bodies.retain(|index| {
        let object = &snapshot.objects[*index];
        object.body.is_none() && !snapshot.tried.contains(&object.meta.name) && asked.insert(*index)
    });
    bodies.sort_unstable();
    named.retain(|lookup| !snapshot.tried.contains(&lookup.name));
    FetchPlan { bodies, named }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::inspect::staged::staged;

    fn world() -> Snapshot {
        let owner = |kind: &str| json!([{"apiVersion": "apps/v1", "kind": kind, "name": "db", "uid": format!("{kind}/db")}]);
        let mut snapshot = staged(&[
            json!({"apiVersion": "db.example.com/v1", "kind": "Database", "metadata": {"name": "db"}}),
            json!({
                "apiVersion": "apps/v1", "kind": "StatefulSet",
                "metadata": {"name": "db", "ownerReferences": owner("Database")},
            }),
            json!({
                "apiVersion": "v1", "kind": "Pod",
                "metadata": {"name": "db-0", "labels": {"app": "db"}, "ownerReferences": owner("StatefulSet")},
            }),
            json!({"apiVersion": "v1", "kind": "PersistentVolumeClaim", "metadata": {"name": "data-db-0"}}),
            json!({
                "apiVersion": "v1", "kind": "Service", "metadata": {"name": "front"},
                "spec": {"selector": {"app": "db"}},
            }),
            json!({"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "stranger"}}),
        ]);
        // The first look brings the bodies of the root and of Services only.
        for object in &mut snapshot.objects {
            if !matches!(object.kind.kind.as_str(), "Database" | "Service") {
                object.body = None;
            }
        }
        snapshot
    }

    fn told(snapshot: &Snapshot, reach: related::Reach) -> Vec<String> {
        let mark = |member: &Member| {
            let guess = if member.standing == Standing::Related { "~" } else { "" };
            format!("{guess}{}", snapshot.objects[member.object].meta.name)
        };
        members(snapshot, reach).iter().map(mark).collect()
    }

    #[test]
    fn members_are_known_by_few_whole_objects() {
        let mut snapshot = world();
        let fetch_plan = members_fetch_plan(&snapshot, related::Reach::Related);
        assert_eq!(fetch_plan.bodies, [1], "the set's templates name its claims; no Pod is read");
        snapshot.objects[1].body =
            Some(json!({"spec": {"volumeClaimTemplates": [{"metadata": {"name": "data"}}]}}));
        assert!(members_fetch_plan(&snapshot, related::Reach::Related).is_empty());
        let found = told(&snapshot, related::Reach::Related);
        let wanted = [
            "Database/db",
            "StatefulSet/db",
            "~PersistentVolumeClaim/data-db-0",
            "Pod/db-0",
            "~Service/front",
        ];
        assert_eq!(found, wanted);
    }

    #[test]
    fn what_was_tried_is_not_asked_for_again() {
        let mut snapshot = world();
        let tried = snapshot.objects[1].meta.name.clone();
        snapshot.tried.insert(tried);
        assert!(members_fetch_plan(&snapshot, related::Reach::Related).is_empty());
    }

    #[test]
    fn owned_ones_and_roots_alone_are_fewer() {
        let snapshot = world();
        assert_eq!(told(&snapshot, related::Reach::Owned), ["Database/db", "StatefulSet/db", "Pod/db-0"]);
        assert!(members_fetch_plan(&snapshot, related::Reach::Owned).is_empty());
        assert_eq!(root_members(&snapshot), [Member { object: 0, standing: Standing::Owned }]);
    }
}
