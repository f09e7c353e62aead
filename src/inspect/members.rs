//! The objects of a tree, unjudged: for commands that do not judge.

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
    /// Whether only evidence, and no owner reference, leads to it.
    pub related: bool,
}

/// The members of the trees of a snapshot, and what must be read before they are all known.
#[derive(Debug, Default)]
pub struct Members {
    /// Each once, every root before what is below it.
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
            // One tree that owns it is enough.
            members[at].related &= related;
        }
    }
    members
}

/// The few bodies that lead on to further members.
fn want_bodies(snapshot: &Snapshot, roots: &[Index], graph: &ObjectGraph<'_>, plan: &mut FetchPlan) {
    let has_claims = snapshot.objects.iter().any(|object| object.kind.kind == "PersistentVolumeClaim");
    let mut seen = HashSet::new();
    for root in roots {
        // Slices lead to the Pods of a Service that was asked about.
        let kind = &snapshot.objects[*root].kind;
        let is_service = kind.kind == "Service" && kind.group.is_empty();
        let below = graph.owner_index.reachable(*root).into_keys().chain([*root]);
        for index in below.filter(|index| seen.insert(*index)) {
            let kind = snapshot.objects[index].kind.group_kind();
            // The templates of a StatefulSet say which claims are its own.
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
            json!({"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "stranger"}}),
        ]);
        // The first list brings the bodies of the root and of Services only.
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
    fn members_are_known_by_few_whole_objects() {
        let mut snapshot = snapshot();
        let plan = missing(&snapshot, Relations::Related);
        let wanted: Vec<usize> = plan.bodies.into_keys().collect();
        assert_eq!(wanted, [1], "the set's templates name its claims; no Pod is read");
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
    fn owned_ones_and_roots_alone_are_fewer() {
        let snapshot = snapshot();
        assert_eq!(members(&snapshot, Relations::Owned), ["Database/db", "StatefulSet/db", "Pod/db-0"]);
        assert!(missing(&snapshot, Relations::Owned).is_empty());
        assert_eq!(Members::roots(&snapshot).all, [Member { object: 0, related: false }]);
    }
}
