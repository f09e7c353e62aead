//! Kinds that are never worth listing when children are looked for: they own nothing, are owned by nothing that
//! matters, or are not stored at all.

use crate::model::kind::{Kind, KindScope};
use crate::model::snapshot::Reach;

/// Resources to pass over, as (group, plural), sorted. `*` is every resource of the group.
const SKIPPED: [(&str, &str); 14] = [
    ("", "bindings"),
    ("", "componentstatuses"),
    ("", "endpoints"),
    ("", "events"),
    ("authentication.k8s.io", "*"),
    ("authorization.k8s.io", "*"),
    ("coordination.k8s.io", "leases"),
    ("custom.metrics.k8s.io", "*"),
    ("events.k8s.io", "*"),
    ("external.metrics.k8s.io", "*"),
    ("flowcontrol.apiserver.k8s.io", "*"),
    ("metrics.k8s.io", "*"),
    ("packages.operators.coreos.com", "*"),
    ("subresources.kubevirt.io", "*"),
];

/// Whether a kind can have children of interest among its objects.
pub fn is_worth_listing(kind: &Kind) -> bool {
    let skipped =
        |(group, plural): &(&str, &str)| kind.group == *group && (*plural == "*" || kind.plural == *plural);
    kind.is_listable() && !SKIPPED.iter().any(skipped)
}

/// Whether objects of a kind can be below a root that is looked for there.
pub fn is_within(kind: &Kind, reach: &Reach) -> bool {
    // A cluster-scoped object cannot be owned by a namespaced one.
    *reach == Reach::Cluster || kind.scope == KindScope::Namespaced
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_is_sorted_and_has_no_doubles() {
        assert!(SKIPPED.windows(2).all(|pair| pair[0] < pair[1]));
    }
}
