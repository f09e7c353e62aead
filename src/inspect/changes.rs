//! The changes between two states of the same tree.

use std::collections::{HashMap, HashSet};

use jiff::{SignedDuration, Timestamp};
use serde::Serialize;

use super::evaluation::Node;
use super::graph::Occurrence;
use super::tree::{RowContent, Tree};
use crate::model::ident::ObjectName;
use crate::model::now::Now;
use crate::model::snapshot::Snapshot;

/// What happened to an object.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum ChangeAction {
    Added,
    Changed,
    Deleted,
    /// Deleted and recreated under the same name.
    Replaced,
    /// It still exists, but is no longer in this tree.
    Detached,
}

impl ChangeAction {
    /// The word that text output shows.
    pub const fn as_str(self) -> &'static str {
        match self {
            // A new object, even if its name is not new.
            Self::Added | Self::Replaced => "added",
            Self::Changed => "changed",
            Self::Deleted => "deleted",
            Self::Detached => "detached",
        }
    }
}

/// A change of one object.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Change {
    /// The node's id in the tree.
    pub id: String,
    pub object: ObjectName,
    pub action: ChangeAction,
    /// Its state before; `None` for a new object.
    pub from: Option<String>,
    /// Its state now; `None` for one that is gone.
    pub to: Option<String>,
}

impl Change {
    /// Describes the change: `2/2 Ready -> 1/2 Progressing`.
    pub fn description(&self) -> String {
        match (&self.from, &self.to) {
            _ if self.action == ChangeAction::Replaced => "recreated with a new uid".to_owned(),
            (Some(from), Some(to)) => format!("{from} -> {to}"),
            (Some(one), None) | (None, Some(one)) if one != "-" => one.clone(),
            _ => String::new(),
        }
    }
}

/// The changes from `old` to `new`, removed objects first, in the order of the trees. `snapshot` is the one `new` was
/// built from. `new` is `None` when the root is gone; then only deletions are reported.
pub fn between(old: &[Node], new: Option<&Tree>, snapshot: &Snapshot) -> Vec<Change> {
    let now = new.map_or(&[][..], |tree| &tree.all);
    let old_nodes: HashMap<&str, &Node> = old.iter().map(|node| (node.id.as_str(), node)).collect();
    let new_ids: HashSet<&str> = now.iter().map(|node| node.id.as_str()).collect();
    let exists: HashSet<&str> = snapshot.objects.iter().map(|object| object.meta.uid.0.as_str()).collect();
    let mut changes = Vec::new();
    for node in old.iter().filter(|node| !new_ids.contains(node.id.as_str())) {
        let action =
            if exists.contains(node.uid.as_str()) { ChangeAction::Detached } else { ChangeAction::Deleted };
        if action == ChangeAction::Deleted || new.is_some() {
            changes.push(change(node, action, Some(state(node)), None));
        }
    }
    for node in now {
        match old_nodes.get(node.id.as_str()) {
            None => changes.push(change(node, ChangeAction::Added, None, Some(state(node)))),
            Some(before) => {
                if let Some((from, to)) = difference(before, node) {
                    changes.push(change(node, ChangeAction::Changed, Some(from), Some(to)));
                }
            }
        }
    }
    changes
}

fn change(node: &Node, action: ChangeAction, from: Option<String>, to: Option<String>) -> Change {
    Change { id: node.id.clone(), object: node.name.clone(), action, from, to }
}

/// `2/2 Ready`; `-` for kinds without a verdict.
fn state(node: &Node) -> String {
    match &node.own.ready {
        Some(ready) if node.own.status == "-" => ready.clone(),
        Some(ready) => format!("{ready} {}", node.own.status),
        None => node.own.status.clone(),
    }
}

/// The most significant difference between two states. Messages do not count: they contain ages and counters.
fn difference(before: &Node, after: &Node) -> Option<(String, String)> {
    let (from, to) = (state(before), state(after));
    if from != to {
        return Some((from, to));
    }
    if before.own.verdict != after.own.verdict {
        return Some((before.own.verdict.to_string(), after.own.verdict.to_string()));
    }
    if before.own.reason != after.own.reason {
        let reason = |node: &Node| match &node.own.reason {
            Some(reason) => format!("{} ({reason})", state(node)),
            None => state(node),
        };
        return Some((reason(before), reason(after)));
    }
    if before.deleting.is_none() && after.deleting.is_some() {
        return Some((from, "being deleted".to_owned()));
    }
    if before.finalizers != after.finalizers {
        let finalizers = |node: &Node| match node.finalizers.as_slice() {
            [] => "no finalizers".to_owned(),
            names => format!("finalizers {}", names.join(", ")),
        };
        return Some((finalizers(before), finalizers(after)));
    }
    None
}

/// Holds back objects that left a tree: those below a deleted object are deleted shortly after it, and then only
/// their deletion is reported.
#[derive(Debug, Default)]
pub struct LeaveDebouncer(Vec<RecentChange>);

impl LeaveDebouncer {
    /// How long an object is held back after it left.
    const GRACE: SignedDuration = SignedDuration::from_secs(3);

    /// Holds back objects that just left. Those held back earlier are returned as deleted, or as left after the grace
    /// period; one that is in the tree again has merely changed.
    pub fn debounce(&mut self, changes: Vec<Change>, snapshot: &Snapshot) -> Vec<Change> {
        let exists: HashSet<&str> =
            snapshot.objects.iter().map(|object| object.meta.uid.0.as_str()).collect();
        let (left, mut shown): (Vec<Change>, Vec<Change>) =
            changes.into_iter().partition(|change| change.action == ChangeAction::Detached);
        let now = snapshot.coverage.now;
        for RecentChange { mut change, at } in std::mem::take(&mut self.0) {
            if let Some(back) =
                shown.iter_mut().find(|one| one.action == ChangeAction::Added && one.id == change.id)
            {
                // It left for a moment: only its states before and after matter.
                (back.action, back.from) = (ChangeAction::Changed, change.from);
            } else if !exists.contains(change.id.as_str()) {
                change.action = ChangeAction::Deleted;
                shown.push(change);
            } else if now.duration_since(at) >= Self::GRACE {
                shown.push(change);
            } else {
                self.0.push(RecentChange { change, at });
            }
        }
        shown.retain(|change| change.action != ChangeAction::Changed || change.from != change.to);
        self.0.extend(left.into_iter().map(|change| RecentChange { change, at: now }));
        shown
    }
}

/// A change and the time it was noticed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RecentChange {
    pub change: Change,
    pub at: Timestamp,
}

impl RecentChange {
    /// `2/2 Ready -> 1/2 Progressing, 5s ago`.
    pub fn note(&self, now: Now) -> String {
        let when = now.ago(self.at);
        match self.change.action {
            ChangeAction::Added => format!("new, {when}"),
            _ => format!("{}, {when}", self.change.description()),
        }
    }
}

/// Adds recent changes as notes to the rows of their objects; returns those without a row.
pub fn annotate<'a>(tree: &mut Tree, recent: &'a [RecentChange], now: Now) -> Vec<&'a RecentChange> {
    let mut unplaced: Vec<&RecentChange> = Vec::new();
    for one in recent {
        let nodes = &tree.nodes;
        let is_row_of_object = |row: &&mut super::tree::Row| {
            let node = match &row.content {
                RowContent::Node(node) => nodes.get(*node),
                RowContent::Fold(_) => None,
            };
            row.occurrence == Occurrence::Primary && node.is_some_and(|node| node.id == one.change.id)
        };
        match tree.rows.iter_mut().find(is_row_of_object) {
            Some(row) => row.notes.push(one.note(now)),
            None => unplaced.push(one),
        }
    }
    unplaced
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::model::health::Health;
    use crate::model::health::Verdict;
    use crate::model::ident::Uid;
    use crate::model::object::Object;
    use crate::model::rule::Rule;

    fn node(id: &str, ready: Option<&str>, status: &str, verdict: Verdict) -> Node {
        Node {
            id: id.into(),
            name: ObjectName {
                api_version: "v1".into(),
                kind: "Pod".into(),
                namespace: Some("shop".into()),
                name: format!("p{id}"),
            },
            uid: id.into(),
            created: None,
            deleting: None,
            finalizers: Vec::new(),
            own: Health {
                ready: ready.map(str::to_owned),
                status: status.into(),
                ..Health::new(verdict, Rule::NotJudged)
            },
            related: false,
            link: None,
            counts: true,
            printed: None,
            depth: 0,
        }
    }

    fn tree(nodes: Vec<Node>) -> Tree {
        let rows = (0..nodes.len()).map(|at| super::super::tree::Row {
            content: RowContent::Node(at),
            link: None,
            level: 0,
            guides: Vec::new(),
            occurrence: Occurrence::Primary,
            notes: Vec::new(),
        });
        Tree {
            root: "1".into(),
            headline: String::new(),
            verdict: Verdict::None,
            cause: None,
            rows: rows.collect(),
            all: nodes.clone(),
            nodes,
            edges: Vec::new(),
            findings: Vec::new(),
            hidden: 0,
            folded: 0,
        }
    }

    fn snapshot(uids: &[&str]) -> Snapshot {
        let object = |uid: &&str| {
            let kind = crate::model::kind::Kind { kind: "Pod".into(), ..crate::model::kind::Kind::default() };
            let meta = crate::model::meta::Meta {
                name: node(uid, None, "-", Verdict::None).name,
                uid: Uid((*uid).to_owned()),
                ..crate::model::meta::Meta::default()
            };
            Object::metadata(Arc::new(kind), meta)
        };
        Snapshot { objects: uids.iter().map(object).collect(), ..Snapshot::default() }
    }

    fn lines(changes: &[Change]) -> Vec<String> {
        changes
            .iter()
            .map(|change| format!("{} {} {}", change.action.as_str(), change.object, change.description()))
            .collect()
    }

    #[test]
    fn additions_deletions_departures_and_changes_are_reported_once() {
        let old = [
            node("1", Some("2/2"), "Ready", Verdict::Ready),
            node("2", Some("1/1"), "Running", Verdict::Ready),
            node("3", Some("1/1"), "Running", Verdict::Ready),
            node("4", None, "-", Verdict::None),
        ];
        let new = tree(vec![
            node("1", Some("1/2"), "Progressing", Verdict::Progressing),
            node("4", None, "-", Verdict::None),
            node("5", Some("0/1"), "Pending", Verdict::Progressing),
        ]);
        let changes = between(&old, Some(&new), &snapshot(&["1", "3", "4", "5"]));
        assert_eq!(
            lines(&changes),
            [
                "deleted Pod/p2 1/1 Running",
                "detached Pod/p3 1/1 Running",
                "changed Pod/p1 2/2 Ready -> 1/2 Progressing",
                "added Pod/p5 0/1 Pending",
            ]
        );
        assert_eq!(between(&new.nodes, Some(&new), &snapshot(&["1", "4", "5"])), []);
    }

    #[test]
    fn the_same_state_for_another_reason_or_with_other_finalizers_is_a_change() {
        let before = node("1", Some("False"), "NotReady", Verdict::NotReady);
        let mut after = before.clone();
        after.own.message = Some("for 40s".into());
        assert_eq!(
            between(std::slice::from_ref(&before), Some(&tree(vec![after.clone()])), &snapshot(&["1"])),
            []
        );
        after.own.reason = Some("Broken".into());
        let changes = between(std::slice::from_ref(&before), Some(&tree(vec![after])), &snapshot(&["1"]));
        assert_eq!(lines(&changes), ["changed Pod/p1 False NotReady -> False NotReady (Broken)"]);
        let mut held = before.clone();
        held.finalizers = vec!["example.com/hold".into()];
        let changes = between(&[held], Some(&tree(vec![before])), &snapshot(&["1"]));
        assert_eq!(lines(&changes), ["changed Pod/p1 finalizers example.com/hold -> no finalizers"]);
    }

    #[test]
    fn a_departure_is_reported_when_the_object_is_deleted_or_stays_away_and_not_when_it_returns() {
        let states = |id: &str| node(id, Some("1/1"), "Running", Verdict::Ready);
        let old = [states("1"), states("2"), states("3"), states("4")];
        let mut debouncer = LeaveDebouncer::default();
        let mut update = |seconds: i64, known: &[Node], nodes: Vec<Node>, uids: &[&str]| {
            let mut snapshot = snapshot(uids);
            snapshot.coverage.now = Timestamp::from_second(seconds).unwrap();
            lines(&debouncer.debounce(between(known, Some(&tree(nodes)), &snapshot), &snapshot))
        };
        let one = [states("1")];
        assert_eq!(update(0, &old, one.to_vec(), &["1", "2", "3", "4"]), Vec::<String>::new());
        assert_eq!(update(1, &one, one.to_vec(), &["1", "3", "4"]), ["deleted Pod/p2 1/1 Running"]);
        let both = [states("1"), states("4")];
        assert_eq!(update(2, &one, both.to_vec(), &["1", "3", "4"]), Vec::<String>::new());
        assert_eq!(update(3, &both, both.to_vec(), &["1", "3", "4"]), ["detached Pod/p3 1/1 Running"]);
        assert_eq!(update(9, &both, both.to_vec(), &["1", "4"]), Vec::<String>::new());
    }

    #[test]
    fn without_a_root_only_deletions_are_reported() {
        let old = [node("1", None, "-", Verdict::None), node("2", None, "-", Verdict::None)];
        assert_eq!(lines(&between(&old, None, &snapshot(&["2"]))), ["deleted Pod/p1 "]);
    }

    #[test]
    fn a_recent_change_is_a_note_of_its_row_and_a_deletion_has_no_row() {
        let mut now = tree(vec![node("1", Some("1/2"), "Progressing", Verdict::Progressing)]);
        let recent = |id: &str, action, from: Option<&str>, to: Option<&str>| RecentChange {
            change: Change {
                id: id.into(),
                object: node(id, None, "-", Verdict::None).name,
                action,
                from: from.map(str::to_owned),
                to: to.map(str::to_owned),
            },
            at: Timestamp::from_second(60).unwrap(),
        };
        let recent = [
            recent("1", ChangeAction::Changed, Some("2/2 Ready"), Some("1/2 Progressing")),
            recent("2", ChangeAction::Deleted, Some("1/1 Running"), None),
        ];
        let unplaced = annotate(&mut now, &recent, Timestamp::from_second(65).unwrap().into());
        assert_eq!(now.rows[0].notes, ["2/2 Ready -> 1/2 Progressing, 5s ago"]);
        assert_eq!(unplaced, [&recent[1]]);
        assert_eq!(unplaced[0].note(Timestamp::from_second(65).unwrap().into()), "1/1 Running, 5s ago");
    }
}
