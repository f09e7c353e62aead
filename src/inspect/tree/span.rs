//! Which objects a tree looks at: everything below a root, the way up to its last owner, or both.

use std::collections::{HashMap, HashSet};

use super::{Asked, Direction, within};
use crate::inspect::graph::{Index, Occurrence, Position, Traversal};
use crate::inspect::related::ObjectGraph;
use crate::model::meta::{Meta, OwnerRole};
use crate::model::snapshot::Snapshot;

/// Chains of owners longer than this are no chains of owners.
const LONGEST: usize = 32;

/// A tree before anything is hidden or folded.
pub(super) struct TreeSpan {
    pub(super) traversal: Traversal,
    /// The places that are looked at, in their order.
    pub(super) places: Vec<Position>,
    /// From the top down to the object that was asked about; empty when that is the top itself.
    pub(super) path: Vec<Index>,
    pub(super) root: Index,
    /// Objects that are cut off below each of those shown.
    pub(super) cut: HashMap<Index, usize>,
}

impl TreeSpan {
    pub(super) fn of(root: Index, snapshot: &Snapshot, graph: &ObjectGraph<'_>, asked: &Asked) -> Self {
        let path = match asked.direction {
            Direction::Down => Vec::new(),
            Direction::Up | Direction::Around => path_to(root, snapshot, graph),
        };
        let top = path.first().copied().unwrap_or(root);
        let traversal = Traversal::below(top, snapshot, &graph.owner_index);
        let on_path: HashSet<Index> = path.iter().copied().collect();
        let (mut places, mut cut) = (Vec::new(), HashMap::new());
        // The last place that is shown, whose descendants follow; and how deep the object asked about is.
        let (mut last, mut below_root) = (None, None);
        for place in &traversal.places {
            if below_root.is_some_and(|depth| place.depth <= depth) {
                below_root = None;
            }
            let is_shown = if path.is_empty() {
                within(place, asked.depth)
            } else {
                let from = place.edge.map(|edge| edge.from);
                let beside = from.is_none_or(|from| on_path.contains(&from) && from != root);
                let deep = place.depth.saturating_sub(path.len() - 1);
                let below = below_root.is_some() && asked.depth.is_none_or(|depth| deep <= depth);
                beside || (asked.direction == Direction::Around && below)
            };
            if place.object == root && place.occurrence == Occurrence::Primary && !path.is_empty() {
                below_root = Some(place.depth);
            }
            if is_shown {
                places.push(*place);
                last = Some(place.object);
            } else if place.occurrence == Occurrence::Primary
                && let Some(last) = last
            {
                *cut.entry(last).or_insert(0) += 1;
            }
        }
        Self { traversal, places, path, root, cut }
    }
}

/// From the last owner that was seen down to an object; empty when it has none.
fn path_to(root: Index, snapshot: &Snapshot, graph: &ObjectGraph<'_>) -> Vec<Index> {
    let mut path = vec![root];
    while let Some(owner) = path.last().and_then(|last| {
        let owner = main_owner(&snapshot.objects[*last].meta)?;
        graph.by_uid.get(owner.uid.0.as_str()).copied()
    }) {
        if path.contains(&owner) || path.len() >= LONGEST {
            break;
        }
        path.push(owner);
    }
    path.reverse();
    if path.len() == 1 { Vec::new() } else { path }
}

/// The owner under which an object is told: its controller, else the first.
pub(super) fn main_owner(meta: &Meta) -> Option<&crate::model::meta::Owner> {
    let controller = meta.owners.iter().find(|owner| owner.role == OwnerRole::Controller);
    controller.or_else(|| meta.owners.first())
}
