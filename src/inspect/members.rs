//! The objects of a tree, for commands that report no verdicts.

use std::collections::{HashMap, HashSet};

use super::evaluation::{has_endpoints, roots};
use super::graph::{EdgeKind, Index, Traversal};
use super::related::{ObjectGraph, Relations};
use crate::model::fetch_plan::FetchPlan;
use crate::model::object::Detail;
use crate::model::snapshot::Snapshot;

/// One object of a tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Member {
    /// Its index in the snapshot.
    pub object: Index,
    /// Whether it is in the tree by evidence only, not by owner references.
    pub related: bool,
}

/// The members of the trees of a snapshot, and what must be read to know all of them.
#[derive(Debug, Default)]
pub struct Members {
    /// Each once, every root before the objects below it.
    pub all: Vec<Member>,
    pub missing: FetchPlan,
}

impl Members {
    /// The roots alone.
    pub fn roots(snapshot: &Snapshot) -> Self {
        let all = roots(snapshot).into_iter().map(|object| Member { object, related: false }).collect();
        Self { all, missing: FetchPlan::default() }
    }

    /// The roots and everything below them.
    pub fn of(snapshot: &Snapshot, relations: Relations) -> Self {
        let roots = roots(snapshot);
        let graph = ObjectGraph::build(snapshot, &roots, relations);
        let all = all(snapshot, &roots, &graph);
        let mut missing = graph.missing.clone();
        if relations != Relations::Owned {
            want_bodies(snapshot, &roots, &graph, &mut missing);
        }
        Self { all, missing }
    }
}

fn all(snapshot: &Snapshot, roots: &[Index], graph: &ObjectGraph<'_>) -> Vec<Member> {
    let mut members: Vec<Member> = Vec::new();
    let mut index_of: HashMap<Index, usize> = HashMap::new();
    for root in roots {
        let mut related_of: HashMap<Index, bool> = HashMap::new();
        for position in Traversal::below(*root, snapshot, &graph.owner_index).primary() {
            let above = position.edge.and_then(|edge| related_of.get(&edge.from)).copied();
            let is_inferred = position.edge.is_some_and(|edge| edge.kind >= EdgeKind::Related);
            let related = is_inferred || above.unwrap_or_default();
            related_of.insert(position.object, related);
            let at = *index_of.entry(position.object).or_insert_with(|| {
                members.push(Member { object: position.object, related });
                members.len() - 1
            });
            // It is owned if it is owned in any of the trees.
            members[at].related &= related;
        }
    }
    members
}

/// Asks for the bodies that refer to further members.
fn want_bodies(snapshot: &Snapshot, roots: &[Index], graph: &ObjectGraph<'_>, plan: &mut FetchPlan) {
    let has_claims = snapshot.objects.iter().any(|object| object.kind.kind == "PersistentVolumeClaim");
    let mut seen = HashSet::new();
    for root in roots {
        // EndpointSlices refer to the Pods of a Service that is a root.
        let kind = &snapshot.objects[*root].kind;
        let is_service = kind.kind == "Service" && kind.group.is_empty();
        let below = graph.owner_index.reachable(*root).into_keys().chain([*root]);
        for index in below.filter(|index| seen.insert(*index)) {
            let kind = snapshot.objects[index].kind.group_kind();
            // The templates of a StatefulSet tell which claims are its own.
            let names_claims = has_claims && kind.group == "apps" && kind.kind == "StatefulSet";
            if (is_service && has_endpoints(&kind)) || names_claims {
                plan.want(index, Detail::Pruned);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::inspect::test_snapshot::test_snapshot;
    use crate::model::fetch_plan::FetchAttempts;
    use crate::model::object::Object;

    fn snapshot() -> Snapshot {
        let owner = |kind: &str| json!([{"apiVersion": "apps/v1", "kind": kind, "name": "db", "uid": format!("{kind}/db")}]);
        let mut snapshot = test_snapshot(&[
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
            json!({"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "unrelated"}}),
        ]);
        // The first list reads the bodies of the root and of Services only.
        for object in &mut snapshot.objects {
            if !matches!(object.kind.kind.as_str(), "Database" | "Service") {
                object.drop_body();
            }
        }
        snapshot
    }

    fn members(snapshot: &Snapshot, relations: Relations) -> Vec<String> {
        let show = |member: &Member| {
            let mark = if member.related { "~" } else { "" };
            format!("{mark}{}", snapshot.objects[member.object].meta.name)
        };
        Members::of(snapshot, relations).all.iter().map(show).collect()
    }

    fn missing(snapshot: &Snapshot, relations: Relations) -> FetchPlan {
        FetchAttempts::default().untried(Members::of(snapshot, relations).missing, snapshot)
    }

    #[test]
    fn members_are_known_after_few_bodies_are_read() {
        let mut snapshot = snapshot();
        let plan = missing(&snapshot, Relations::Related);
        let wanted: Vec<usize> = plan.bodies.into_keys().collect();
        assert_eq!(wanted, [1], "the StatefulSet's templates name its claims; no Pod is read");
        let Object { kind, meta, .. } = snapshot.objects[1].clone();
        let body = json!({"spec": {"volumeClaimTemplates": [{"metadata": {"name": "data"}}]}});
        snapshot.objects[1] = Object::with_body(kind, meta, body, Detail::Pruned);
        assert!(missing(&snapshot, Relations::Related).is_empty());
        assert_eq!(
            members(&snapshot, Relations::Related),
            [
                "Database/db",
                "StatefulSet/db",
                "~PersistentVolumeClaim/data-db-0",
                "Pod/db-0",
                "~Service/front"
            ]
        );
    }

    #[test]
    fn what_was_tried_is_not_asked_for_again() {
        let snapshot = snapshot();
        let mut attempts = FetchAttempts::default();
        attempts.record(&missing(&snapshot, Relations::Related), &snapshot);
        assert!(attempts.untried(Members::of(&snapshot, Relations::Related).missing, &snapshot).is_empty());
    }

    #[test]
    fn owner_references_only_and_roots_only_have_fewer_members() {
        let snapshot = snapshot();
        assert_eq!(members(&snapshot, Relations::Owned), ["Database/db", "StatefulSet/db", "Pod/db-0"]);
        assert!(missing(&snapshot, Relations::Owned).is_empty());
        assert_eq!(Members::roots(&snapshot).all, [Member { object: 0, related: false }]);
    }
}
