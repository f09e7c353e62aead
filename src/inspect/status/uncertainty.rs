//! Whether objects that could not be read could change the verdict.

use crate::inspect::health;
use crate::model::gap::Gap;
use crate::model::snapshot::Snapshot;

/// Whether a gap could hide an unhealthy object. Events and kinds without health cannot.
pub(super) fn is_uncertain(snapshot: &Snapshot) -> bool {
    snapshot.coverage.gaps.iter().any(|gap| could_matter(gap, snapshot))
}

fn could_matter(gap: &Gap, snapshot: &Snapshot) -> bool {
    if gap.resource == "events" {
        return false;
    }
    let kind = snapshot.kinds.iter().find(|kind| kind.group == gap.group && kind.plural == gap.resource);
    kind.is_none_or(|kind| health::needs_body(&kind.group_kind()))
}
