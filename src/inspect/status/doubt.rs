//! Whether something that could not be read could make a clean answer wrong.

use crate::inspect::health;
use crate::model::gap::Gap;
use crate::model::snapshot::Snapshot;

/// Kinds with nothing to judge change no verdict, and neither do events.
pub(super) fn is_in_doubt(snapshot: &Snapshot) -> bool {
    snapshot.coverage.gaps.iter().any(|gap| could_matter(gap, snapshot))
}

fn could_matter(gap: &Gap, snapshot: &Snapshot) -> bool {
    if gap.resource == "events" {
        return false;
    }
    let kind = snapshot.kinds.iter().find(|kind| kind.group == gap.group && kind.plural == gap.resource);
    kind.is_none_or(|kind| health::needs_body(&kind.group_kind()))
}
