//! What is different between two looks at the same tree.

use std::collections::{HashMap, HashSet};

use jiff::{SignedDuration, Timestamp};
use serde::Serialize;

use super::evaluation::Node;
use super::graph::Occurrence;
use super::tree::{RowContent, Tree};
use crate::model::age;
use crate::model::ident::ObjectName;
use crate::model::snapshot::Snapshot;

/// What happened to an object.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum ChangeAction {
    Added,
    Changed,
    Deleted,
    /// Another object of the same name is in its place.
    Replaced,
    /// It is still there, but not in this tree any more.
    Left,
}

impl ChangeAction {
    /// The word for it.
    pub const fn as_str(self) -> &'static str {
        match self {
            // A new object, whatever its name.
            Self::Added | Self::Replaced => "added",
            Self::Changed => "changed",
            Self::Deleted => "deleted",
            Self::Left => "left",
        }
    }
}

/// One object that is not as it was.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Change {
    /// The node's id in the tree.
    pub id: String,
    pub object: ObjectName,
    pub action: ChangeAction,
    /// How it was; nothing for one that was not there.
    pub from: Option<String>,
    /// How it is; nothing for one that is not there any more.
    pub to: Option<String>,
}

impl Change {
    /// What changed, in words: `2/2 Ready -> 1/2 Progressing`.
    pub fn description(&self) -> String {
        match (&self.from, &self.to) {
            _ if self.action == ChangeAction::Replaced => "re-created with another uid".to_owned(),
            (Some(from), Some(to)) => format!("{from} -> {to}"),
            (Some(one), None) | (None, Some(one)) if one != "-" => one.clone(),
            _ => String::new(),
        }
    }
}

/// What changed from `old` to `new`, those that went first, in the order of the trees. `snapshot` is what `new` was
/// told from; without a new tree, because its root is gone, only what was deleted is said.
pub fn between(old: &[Node], new: Option<&Tree>, snapshot: &Snapshot) -> Vec<Change> {
    let now = new.map_or(&[][..], |tree| &tree.all);
    let known: HashMap<&str, &Node> = old.iter().map(|node| (node.id.as_str(), node)).collect();
    let there: HashSet<&str> = now.iter().map(|node| node.id.as_str()).collect();
    let exists: HashSet<&str> = snapshot.objects.iter().map(|object| object.meta.uid.0.as_str()).collect();
    let mut changes = Vec::new();
    for node in old.iter().filter(|node| !there.contains(node.id.as_str())) {
        let action =
            if exists.contains(node.uid.as_str()) { ChangeAction::Left } else { ChangeAction::Deleted };
        if action == ChangeAction::Deleted || new.is_some() {
            changes.push(change(node, action, Some(state(node)), None));
        }
    }
    for node in now {
        match known.get(node.id.as_str()) {
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

/// `2/2 Ready`; a bare dash for what is not judged.
fn state(node: &Node) -> String {
    match &node.own.ready {
        Some(ready) if node.own.status == "-" => ready.clone(),
        Some(ready) => format!("{ready} {}", node.own.status),
        None => node.own.status.clone(),
    }
}

/// What can be told apart, the most telling first. Messages are left out: they hold ages and counts.
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
        let held = |node: &Node| match node.finalizers.as_slice() {
            [] => "no finalizers".to_owned(),
            held => format!("finalizers {}", held.join(", ")),
        };
        return Some((held(before), held(after)));
    }
    None
}

/// Objects that left a tree and may be on their way out: those below a deleted one follow it within moments, and
/// only the second half is worth a word.
#[derive(Debug, Default)]
pub struct LeaveDebouncer(Vec<RecentChange>);

impl LeaveDebouncer {
    /// How long an object is given to be deleted after it left.
    const GRACE: SignedDuration = SignedDuration::from_secs(3);

    /// Keeps back what left just now; what was kept back comes out as deleted, as left for good, or not at all when
    /// it is in the tree again.
    pub fn debounce(&mut self, changes: Vec<Change>, snapshot: &Snapshot) -> Vec<Change> {
        let exists: HashSet<&str> =
            snapshot.objects.iter().map(|object| object.meta.uid.0.as_str()).collect();
        let (left, mut shown): (Vec<Change>, Vec<Change>) =
            changes.into_iter().partition(|change| change.action == ChangeAction::Left);
        let now = snapshot.coverage.now;
        for RecentChange { mut change, at } in std::mem::take(&mut self.0) {
            if let Some(back) =
                shown.iter_mut().find(|one| one.action == ChangeAction::Added && one.id == change.id)
            {
                // It was away for a moment: what counts is how it was and how it is.
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

/// A change and when it was seen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RecentChange {
    pub change: Change,
    pub at: Timestamp,
}

impl RecentChange {
    /// `2/2 Ready -> 1/2 Progressing, 5s ago`.
    pub fn note(&self, now: Timestamp) -> String {
        let ago = age::human(now.duration_since(self.at));
        match self.change.action {
            ChangeAction::Added => format!("new, {ago} ago"),
            _ => format!("{}, {ago} ago", self.change.description()),
        }
    }
}

/// Writes what changed lately beside the objects it happened to; gives back what has no place in the tree.
pub fn annotate<'a>(tree: &mut Tree, recent: &'a [RecentChange], now: Timestamp) -> Vec<&'a RecentChange> {
    let mut unplaced: Vec<&RecentChange> = Vec::new();
    for one in recent {
        let nodes = &tree.nodes;
        let is_home = |row: &&mut super::tree::Row| {
            let node = match &row.content {
                RowContent::Node(node) => nodes.get(*node),
                RowContent::Fold(_) => None,
            };
            row.occurrence == Occurrence::Primary && node.is_some_and(|node| node.id == one.change.id)
        };
        match tree.rows.iter_mut().find(is_home) {
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
            counts: true,
            printed: None,
            depth: 0,
        }
    }

    fn tree(nodes: Vec<Node>) -> Tree {
        let rows = (0..nodes.len()).map(|at| super::super::tree::Row {
            content: RowContent::Node(at),
            link: None,
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
    fn what_came_went_left_and_changed_is_told_once() {
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
                "left Pod/p3 1/1 Running",
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
    fn what_leaves_is_told_when_it_is_deleted_or_stays_away_and_not_when_it_comes_back() {
        let states = |id: &str| node(id, Some("1/1"), "Running", Verdict::Ready);
        let old = [states("1"), states("2"), states("3"), states("4")];
        let mut debouncer = LeaveDebouncer::default();
        let mut look = |seconds: i64, known: &[Node], nodes: Vec<Node>, uids: &[&str]| {
            let mut snapshot = snapshot(uids);
            snapshot.coverage.now = Timestamp::from_second(seconds).unwrap();
            lines(&debouncer.debounce(between(known, Some(&tree(nodes)), &snapshot), &snapshot))
        };
        let one = [states("1")];
        assert_eq!(look(0, &old, one.to_vec(), &["1", "2", "3", "4"]), Vec::<String>::new());
        assert_eq!(look(1, &one, one.to_vec(), &["1", "3", "4"]), ["deleted Pod/p2 1/1 Running"]);
        let both = [states("1"), states("4")];
        assert_eq!(look(2, &one, both.to_vec(), &["1", "3", "4"]), Vec::<String>::new());
        assert_eq!(look(3, &both, both.to_vec(), &["1", "3", "4"]), ["left Pod/p3 1/1 Running"]);
        assert_eq!(look(9, &both, both.to_vec(), &["1", "4"]), Vec::<String>::new());
    }

    #[test]
    fn without_a_root_only_what_is_gone_is_said() {
        let old = [node("1", None, "-", Verdict::None), node("2", None, "-", Verdict::None)];
        assert_eq!(lines(&between(&old, None, &snapshot(&["2"]))), ["deleted Pod/p1 "]);
    }

    #[test]
    fn a_recent_change_stands_beside_its_object_and_a_deletion_nowhere() {
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
        let unplaced = annotate(&mut now, &recent, Timestamp::from_second(65).unwrap());
        assert_eq!(now.rows[0].notes, ["2/2 Ready -> 1/2 Progressing, 5s ago"]);
        assert_eq!(unplaced, [&recent[1]]);
        assert_eq!(unplaced[0].note(Timestamp::from_second(65).unwrap()), "1/1 Running, 5s ago");
    }
}
