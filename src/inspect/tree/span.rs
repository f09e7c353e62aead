//! The part of a tree in view: the objects below the root, the chain of its owners, or both.

use std::collections::{HashMap, HashSet};

use super::{Direction, TreeOptions};
use crate::inspect::graph::{Index, Occurrence, Position, Traversal};
use crate::inspect::related::ObjectGraph;
use crate::model::meta::{Meta, Owner, OwnerRole};
use crate::model::snapshot::Snapshot;

/// The maximum length of the chain of owners.
const MAX_OWNERS: usize = 32;

/// The positions in view, before filters and folds.
pub(super) struct TreeSpan {
    pub(super) positions: Vec<Position>,
    /// From the topmost owner to the requested object; empty if it has no owner.
    pub(super) path: Vec<Index>,
    pub(super) root: Index,
    /// The number of objects below each one in view that are beyond the maximum depth.
    pub(super) cut_below: HashMap<Index, usize>,
}

impl TreeSpan {
    /// The part in view of a traversal, which starts at the first object of `path`, or at the root if that is empty.
    pub(super) fn of(root: Index, traversal: &Traversal, path: &[Index], options: &TreeOptions) -> Self {
        let on_path: HashSet<Index> = path.iter().copied().collect();
        let (mut positions, mut cut_below) = (Vec::new(), HashMap::new());
        // The last object in view, and the depth of the root while its descendants are visited.
        let (mut last, mut below_root) = (None, None);
        let within = |depth: usize| options.depth.is_none_or(|deepest| depth <= deepest);
        for position in &traversal.positions {
            if below_root.is_some_and(|depth| position.depth <= depth) {
                below_root = None;
            }
            let is_shown = if options.direction == Direction::Up {
                is_link(position, path)
            } else if path.is_empty() {
                within(position.depth)
            } else {
                let from = position.edge.map(|edge| edge.from);
                let is_beside = from.is_none_or(|from| on_path.contains(&from) && from != root);
                let depth = position.depth.saturating_sub(path.len() - 1);
                let is_below = below_root.is_some() && within(depth);
                is_beside || is_below
            };
            let is_primary = position.occurrence == Occurrence::Primary;
            if position.object == root && is_primary && !path.is_empty() {
                below_root = Some(position.depth);
            }
            if is_shown && options.direction == Direction::Up {
                // The chain is all there is, whatever else owns its objects.
                positions.push(Position { occurrence: Occurrence::Primary, ..*position });
            } else if is_shown {
                positions.push(*position);
                last = Some(position.object);
            } else if let Some(last) = last.filter(|_| is_primary) {
                *cut_below.entry(last).or_insert(0) += 1;
            }
        }
        Self { positions, path: path.to_vec(), root, cut_below }
    }
}

/// Whether a position is a link of the chain of owners: its top, or right below the previous link.
fn is_link(position: &Position, path: &[Index]) -> bool {
    position.edge.is_none_or(|edge| path.windows(2).any(|pair| pair == [edge.from, position.object]))
}

/// The path from the topmost known owner to an object; empty if it has no owner.
pub(super) fn path_to(root: Index, snapshot: &Snapshot, graph: &ObjectGraph<'_>) -> Vec<Index> {
    let mut path = vec![root];
    while let Some(owner) = path.last().and_then(|last| {
        let owner = main_owner(&snapshot.objects[*last].meta)?;
        graph.by_uid.get(owner.uid.0.as_str()).copied()
    }) {
        if path.contains(&owner) || path.len() >= MAX_OWNERS {
            break;
        }
        path.push(owner);
    }
    path.reverse();
    if path.len() == 1 { Vec::new() } else { path }
}

/// The owner under which an object is shown: its controller, else its first owner reference.
pub(super) fn main_owner(meta: &Meta) -> Option<&Owner> {
    let controller = meta.owners.iter().find(|owner| owner.role == OwnerRole::Controller);
    controller.or_else(|| meta.owners.first())
}
