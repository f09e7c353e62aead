//! The graph of owner references, and the tree of objects below a root.

use std::cell::LazyCell;
use std::collections::{HashMap, HashSet, VecDeque};

use crate::model::meta::{Meta, OwnerRole};
use crate::model::object::Object;
use crate::model::snapshot::Snapshot;

/// The index of an object in the snapshot.
pub type Index = usize;

/// A root and every object below it.
#[derive(Debug)]
pub struct Traversal {
    /// In depth-first order: the root first, children after their parent.
    pub positions: Vec<Position>,
}

/// The edges of the whole snapshot, by owner.
#[derive(Debug, Default)]
pub struct OwnerIndex {
    children: HashMap<Index, Vec<Edge>>,
}

/// An edge from an owner to an object that it owns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Edge {
    pub from: Index,
    pub to: Index,
    pub kind: EdgeKind,
}

/// What an edge is based on, the strongest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum EdgeKind {
    Controller,
    Owner,
    /// An owner reference with the name of this owner, but the uid of a deleted one.
    Former,
    /// Evidence as good as an owner reference: the uid, a label that exists for this purpose, a selector.
    Related,
    /// The parent's status refers to it.
    Referred,
    /// A guess by names and labels.
    Guessed,
    /// The parent's spec refers to it, it is above the parent, or it has attached itself to the parent. Others may use
    /// it too, so nothing below it is part of the tree.
    Named,
}

/// One occurrence of an object in the tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Position {
    pub object: Index,
    /// The edge from its parent; `None` for the root.
    pub edge: Option<Edge>,
    pub depth: usize,
    pub occurrence: Occurrence,
}

/// Which occurrence of an object a position is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Occurrence {
    /// The one with the objects below it.
    Primary,
    /// The primary position is elsewhere in the tree.
    Repeated,
    /// The object is one of its own owners.
    Cycle,
}

impl Traversal {
    /// Walks down from a root. Terminates for any owner references, including cycles.
    pub fn below(root: Index, snapshot: &Snapshot, owner_index: &OwnerIndex) -> Self {
        let objects = &snapshot.objects;
        let children = &owner_index.children;
        let parents = reachable(root, children);
        let mut main_parents = main_parents(objects, root, children, &parents);
        let mut positions = walk(root, children, &main_parents);
        let primary: HashSet<Index> = positions
            .iter()
            .filter(|position| position.occurrence == Occurrence::Primary)
            .map(|position| position.object)
            .collect();
        if primary.len() <= parents.len() {
            // The main parents of objects that control each other do not lead to the root; the parents through
            // which they were found do.
            main_parents.extend(parents.iter().filter(|(child, _)| !primary.contains(child)));
            positions = walk(root, children, &main_parents);
        }
        Self { positions }
    }

    /// A root without the objects below it.
    pub fn alone(root: Index) -> Self {
        Self {
            positions: vec![Position { object: root, edge: None, depth: 0, occurrence: Occurrence::Primary }],
        }
    }

    /// The primary positions: each object once.
    pub fn primary(&self) -> impl Iterator<Item = &Position> {
        self.positions.iter().filter(|position| position.occurrence == Occurrence::Primary)
    }
}

type Children = HashMap<Index, Vec<Edge>>;
/// The owner through which each object was found first.
type Parents = HashMap<Index, Index>;

impl OwnerIndex {
    /// Builds the index from owner references. The edges of each owner are sorted by kind, then name.
    pub fn of(objects: &[Object], by_uid: &HashMap<&str, Index>) -> Self {
        // Only needed for owners with an unknown uid.
        let by_name: LazyCell<HashMap<_, Index>, _> = LazyCell::new(|| {
            objects.iter().enumerate().map(|(index, object)| (owner_key(&object.meta), index)).collect()
        });
        let mut owner_index = Self::default();
        for (to, object) in objects.iter().enumerate() {
            for owner in &object.meta.owners {
                let edge_kind = match owner.role {
                    OwnerRole::Controller => EdgeKind::Controller,
                    OwnerRole::Plain => EdgeKind::Owner,
                };
                let key = |namespace| OwnerKey {
                    group: crate::model::ident::group_of(&owner.api_version),
                    kind: &owner.kind,
                    namespace,
                    name: &owner.name,
                };
                let former = || {
                    let namespace = object.meta.name.namespace.as_deref();
                    by_name
                        .get(&key(namespace))
                        .or_else(|| by_name.get(&key(None)))
                        .map(|from| (*from, EdgeKind::Former))
                };
                let found = by_uid.get(owner.uid.0.as_str()).map(|from| (*from, edge_kind)).or_else(former);
                if let Some((from, edge_kind)) = found {
                    owner_index.children.entry(from).or_default().push(Edge { from, to, kind: edge_kind });
                }
            }
        }
        for edges in owner_index.children.values_mut() {
            sort(edges, objects);
        }
        owner_index
    }

    /// Adds edges and keeps those of each owner sorted.
    pub fn add(&mut self, edges: &[Edge], objects: &[Object]) {
        for edge in edges {
            self.children.entry(edge.from).or_default().push(*edge);
        }
        let changed: HashSet<Index> = edges.iter().map(|edge| edge.from).collect();
        for from in changed {
            if let Some(edges) = self.children.get_mut(&from) {
                sort(edges, objects);
            }
        }
    }

    /// The edges from an object, sorted.
    pub fn children(&self, of: Index) -> &[Edge] {
        self.children.get(&of).map_or(&[], Vec::as_slice)
    }

    /// Every object below a root, with the owner through which it was found first.
    pub fn reachable(&self, root: Index) -> HashMap<Index, Index> {
        reachable(root, &self.children)
    }
}

fn sort(edges: &mut Vec<Edge>, objects: &[Object]) {
    edges.sort_by(|a, b| order(&objects[a.to].meta, &objects[b.to].meta).then(a.kind.cmp(&b.kind)));
    // Of two references to one owner, the stronger is kept.
    edges.dedup_by_key(|edge| edge.to);
}

/// An owner reference without its uid.
#[derive(PartialEq, Eq, Hash)]
struct OwnerKey<'a> {
    group: &'a str,
    kind: &'a str,
    namespace: Option<&'a str>,
    name: &'a str,
}

fn owner_key(meta: &Meta) -> OwnerKey<'_> {
    OwnerKey {
        group: crate::model::ident::group_of(&meta.name.api_version),
        kind: &meta.name.kind,
        namespace: meta.name.namespace.as_deref(),
        name: &meta.name.name,
    }
}

fn order(a: &Meta, b: &Meta) -> std::cmp::Ordering {
    fn key(meta: &Meta) -> (&str, Option<&str>, &str, &str) {
        (&meta.name.kind, meta.name.namespace.as_deref(), &meta.name.name, &meta.uid.0)
    }
    key(a).cmp(&key(b))
}

/// Every object below the root, with the owner through which it was found first.
fn reachable(root: Index, children: &Children) -> Parents {
    let mut parents = Parents::new();
    let mut queue = VecDeque::from([root]);
    while let Some(from) = queue.pop_front() {
        for edge in children.get(&from).into_iter().flatten() {
            if edge.to != root && !parents.contains_key(&edge.to) {
                parents.insert(edge.to, from);
                if edge.kind != EdgeKind::Named {
                    queue.push_back(edge.to);
                }
            }
        }
    }
    parents
}

/// The parent of each object's primary position: its controller, else its first owner reference.
fn main_parents(
    objects: &[Object],
    root: Index,
    children: &Children,
    parents: &Parents,
) -> HashMap<Index, Index> {
    let mut main_parents: HashMap<Index, Edge> = HashMap::new();
    let in_tree = |index: &Index| *index == root || parents.contains_key(index);
    let within =
        std::iter::once(&root).chain(parents.keys()).filter_map(|index| children.get(index)).flatten();
    for edge in within.filter(|edge| parents.contains_key(&edge.to) && in_tree(&edge.from)) {
        let rank = |edge: &Edge| {
            let uid = &objects[edge.from].meta.uid;
            let position = objects[edge.to].meta.owners.iter().position(|owner| owner.uid == *uid);
            (edge.kind, position.unwrap_or(usize::MAX), edge.from)
        };
        main_parents
            .entry(edge.to)
            .and_modify(|main_parent| {
                *main_parent = if rank(edge) < rank(main_parent) { *edge } else { *main_parent }
            })
            .or_insert(*edge);
    }
    main_parents.into_iter().map(|(child, edge)| (child, edge.from)).collect()
}

/// Depth first, without recursion: a chain of owners can be as long as the cluster has objects.
fn walk(root: Index, children: &Children, main_parents: &HashMap<Index, Index>) -> Vec<Position> {
    let mut positions = Vec::new();
    let (mut path, mut on_path) = (Vec::new(), HashSet::new());
    let mut visited = HashSet::new();
    let mut stack = vec![Position { object: root, edge: None, depth: 0, occurrence: Occurrence::Primary }];
    while let Some(mut position) = stack.pop() {
        for left in path.drain(position.depth..) {
            on_path.remove(&left);
        }
        let is_main_parent = position.edge.is_none_or(|edge| main_parents.get(&edge.to) == Some(&edge.from));
        position.occurrence = if on_path.contains(&position.object) {
            Occurrence::Cycle
        } else if is_main_parent && visited.insert(position.object) {
            Occurrence::Primary
        } else {
            Occurrence::Repeated
        };
        positions.push(position);
        let is_leaf = position.edge.is_some_and(|edge| edge.kind == EdgeKind::Named);
        if position.occurrence == Occurrence::Primary && !is_leaf {
            path.push(position.object);
            on_path.insert(position.object);
            let below = children.get(&position.object).into_iter().flatten().rev();
            stack.extend(below.map(|edge| Position {
                object: edge.to,
                edge: Some(*edge),
                depth: position.depth + 1,
                occurrence: Occurrence::Primary,
            }));
        }
    }
    positions
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::model::ident::{ObjectName, Uid};
    use crate::model::kind::Kind;
    use crate::model::meta::Owner;

    /// A snapshot of objects, the first of which is the root: `a` has no owner, `b<a` is controlled by a, `b<a,-c` is
    /// also owned by c. The uid is the name.
    fn snapshot_of(objects: &[&str]) -> Snapshot {
        let kind = Arc::new(Kind {
            group: "example.com".into(),
            version: "v1".into(),
            kind: "Thing".into(),
            plural: "things".into(),
            singular: "thing".into(),
            verbs: vec!["list".into()],
            versions: vec!["v1".into()],
            ..Kind::default()
        });
        let object = |text: &&str| {
            let (name, owners) = text.split_once('<').unwrap_or((text, ""));
            let owner = |word: &str| {
                let (role, word) = match word.strip_prefix('-') {
                    Some(word) => (OwnerRole::Plain, word),
                    None => (OwnerRole::Controller, word),
                };
                // `a@old` has the name a and another uid.
                let (name, uid) = word.split_once('@').unwrap_or((word, word));
                Owner {
                    api_version: "example.com/v1".into(),
                    kind: "Thing".into(),
                    name: name.into(),
                    uid: Uid(uid.into()),
                    role,
                }
            };
            let name = ObjectName {
                api_version: "example.com/v1".into(),
                kind: "Thing".into(),
                namespace: Some("shop".into()),
                name: name.into(),
            };
            let owners = owners.split(',').filter(|word| !word.is_empty()).map(owner).collect();
            let uid = Uid(name.name.clone());
            let meta = Meta { name, uid, owners, ..Meta::default() };
            Object::metadata(Arc::clone(&kind), meta)
        };
        let objects: Vec<Object> = objects.iter().map(object).collect();
        Snapshot {
            roots: vec![objects[0].meta.uid.clone()],
            objects,
            kinds: Arc::new([kind]),
            ..Snapshot::default()
        }
    }

    fn owner_index(snapshot: &Snapshot) -> OwnerIndex {
        let objects = snapshot.objects.iter().enumerate();
        let by_uid = objects.map(|(index, object)| (object.meta.uid.0.as_str(), index)).collect();
        OwnerIndex::of(&snapshot.objects, &by_uid)
    }

    /// The tree as text: each object after as many dots as its depth; `^` is repeated, `@` a cycle.
    fn outline(objects: &[&str]) -> String {
        let snapshot = snapshot_of(objects);
        let traversal = Traversal::below(0, &snapshot, &owner_index(&snapshot));
        let line = |position: &Position| {
            let suffix = match position.occurrence {
                Occurrence::Primary => "",
                Occurrence::Repeated => "^",
                Occurrence::Cycle => "@",
            };
            let edge_kind = match position.edge.map(|edge| edge.kind) {
                Some(EdgeKind::Owner) => "-",
                Some(EdgeKind::Former) => "?",
                _ => "",
            };
            format!(
                "{}{edge_kind}{}{suffix}",
                ".".repeat(position.depth),
                snapshot.objects[position.object].meta.name.name
            )
        };
        traversal.positions.iter().map(line).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn children_follow_their_owner_by_kind_and_name() {
        assert_eq!(outline(&["a", "c<a", "b<a", "d<b", "unrelated", "e<unrelated"]), "a .b ..d .c");
    }

    #[test]
    fn a_shared_child_is_primary_under_its_controller() {
        assert_eq!(outline(&["a", "b<a", "c<a", "d<-b,c", "e<d"]), "a .b ..-d^ .c ..d ...e");
    }

    #[test]
    fn without_a_controller_the_first_owner_is_the_main_parent() {
        assert_eq!(outline(&["a", "b<a", "c<a", "d<-c,-b"]), "a .b ..-d^ .c ..-d");
    }

    #[test]
    fn cycles_end_where_they_close() {
        assert_eq!(outline(&["a<c", "b<a", "c<b"]), "a .b ..c ...a@");
        assert_eq!(outline(&["a<a"]), "a .a@");
    }

    #[test]
    fn objects_that_control_each_other_still_have_a_primary_position() {
        assert_eq!(outline(&["a", "b<-a,c", "c<b"]), "a .-b ..c ...b@");
    }

    #[test]
    fn a_child_of_an_earlier_owner_of_that_name_is_found_and_marked() {
        assert_eq!(outline(&["a", "b<a@old", "c<a"]), "a .?b .c");
    }

    #[test]
    fn a_chain_as_long_as_a_cluster_does_not_overflow_the_stack() {
        let names: Vec<String> =
            (0..20_000).map(|n| if n == 0 { "n0".into() } else { format!("n{n}<n{}", n - 1) }).collect();
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        let snapshot = snapshot_of(&names);
        assert_eq!(Traversal::below(0, &snapshot, &owner_index(&snapshot)).positions.len(), 20_000);
    }
}
