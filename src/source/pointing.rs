//! Kinds of Kubernetes whose objects say in their spec what they belong to, without owner references: they are
//! listed whole, in the one list that the tree reads of them anyway.

use crate::model::kind::Kind;

/// (group, plural), sorted.
const POINTING: [(&str, &str); 4] = [
    ("", "services"),
    ("autoscaling", "horizontalpodautoscalers"),
    ("networking.k8s.io", "ingresses"),
    ("policy", "poddisruptionbudgets"),
];

/// Whether a kind is listed whole.
pub fn points_at_others(kind: &Kind) -> bool {
    POINTING.binary_search(&(kind.group.as_str(), kind.plural.as_str())).is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_is_sorted_and_has_no_doubles() {
        assert!(POINTING.windows(2).all(|pair| pair[0] < pair[1]));
    }
}
