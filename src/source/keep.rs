//! Which of the listed objects are kept: one rule for lists, dumps and watches.

use serde_json::Value;

use crate::known::kinds::is_listed_whole;
use crate::model::candidate::{CandidateFilter, KeepLabels};
use crate::model::json::{at, text};
use crate::model::kind::Kind;
use crate::model::meta::Meta;
use crate::model::object::Object;

/// Which listed objects are kept.
#[derive(Clone, Debug)]
pub enum KeepFilter {
    /// Those that can be in the tree of a root: with an owner, matched by the filter, or of a kind that refers to
    /// others in its spec.
    Related(CandidateFilter),
    /// Those that are being deleted.
    Deleting,
    All,
}

/// What the decision depends on, besides labels and annotations.
#[derive(Clone, Copy, Debug)]
pub struct Listed<'a> {
    pub kind: &'a Kind,
    pub name: &'a str,
    pub has_owner: bool,
    pub is_deleting: bool,
}

/// Whether an object is kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum KeepDecision {
    No,
    /// Without its labels and annotations, which nothing needs.
    WithoutLabels,
    Yes,
}

impl KeepFilter {
    /// Decides about an object whose body has been read.
    pub fn decide_object(&self, object: &Object) -> KeepDecision {
        if self.is_attached(object) {
            KeepDecision::Yes
        } else {
            self.decide_meta(&object.kind, &object.meta)
        }
    }

    /// Whether the spec of an object names a root as its parent.
    fn is_attached(&self, object: &Object) -> bool {
        let Self::Related(CandidateFilter { names, .. }) = self else { return false };
        let field = |key| object.pruned().and_then(|body| at(body, &["spec", key]));
        let all =
            field("parentRefs").and_then(Value::as_array).into_iter().flatten().chain(field("parentRef"));
        all.filter_map(|reference| text(reference, &["name"])).any(|name| names.contains(name))
    }

    /// Decides about an object whose metadata has been read.
    pub fn decide_meta(&self, kind: &Kind, meta: &Meta) -> KeepDecision {
        let listed = Listed {
            kind,
            name: &meta.name.name,
            has_owner: !meta.owners.is_empty(),
            is_deleting: meta.deleted.is_some(),
        };
        self.decide(listed, meta.labels.values().chain(meta.annotations.values()).map(String::as_str))
    }

    /// Decides about one object; `values` are those of its labels and annotations.
    pub fn decide<'a>(&self, object: Listed<'_>, values: impl Iterator<Item = &'a str>) -> KeepDecision {
        match self {
            Self::All => KeepDecision::Yes,
            Self::Deleting if object.is_deleting => KeepDecision::Yes,
            Self::Related(_) if is_listed_whole(object.kind) => KeepDecision::Yes,
            Self::Related(filter) if filter.matches(object.kind, object.name, values) => KeepDecision::Yes,
            Self::Related(filter) if object.has_owner && filter.keep_labels == KeepLabels::All => {
                KeepDecision::Yes
            }
            Self::Related(_) if object.has_owner => KeepDecision::WithoutLabels,
            Self::Deleting | Self::Related(_) => KeepDecision::No,
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;
    use std::sync::Arc;

    use serde_json::json;

    use super::*;
    use crate::model::object::Detail;

    fn decide(
        keep: &KeepFilter,
        name: &str,
        has_owner: bool,
        is_deleting: bool,
        values: &[&str],
    ) -> KeepDecision {
        let kind = Kind { kind: "ConfigMap".into(), ..Kind::default() };
        keep.decide(Listed { kind: &kind, name, has_owner, is_deleting }, values.iter().copied())
    }

    #[test]
    fn trees_keep_owned_objects_and_candidates() {
        let filter = |keep_labels| {
            KeepFilter::Related(CandidateFilter {
                uids: HashSet::from(["u-1".to_owned()]),
                names: HashSet::from(["shop".to_owned()]),
                keep_labels,
                ..CandidateFilter::default()
            })
        };
        let usual = filter(KeepLabels::Candidates);
        assert_eq!(decide(&usual, "other", false, false, &["x"]), KeepDecision::No);
        assert_eq!(decide(&usual, "other", true, false, &[]), KeepDecision::WithoutLabels);
        assert_eq!(decide(&filter(KeepLabels::All), "other", true, false, &[]), KeepDecision::Yes);
        for value in ["shop", "u-1", "ns/shop", "shop:more"] {
            assert_eq!(decide(&usual, "other", false, false, &[value]), KeepDecision::Yes, "{value}");
        }
        assert_eq!(decide(&usual, "shop", false, false, &[]), KeepDecision::Yes);
    }

    #[test]
    fn trees_keep_what_is_attached_to_a_root_and_no_other_object_of_the_kind() {
        let names = HashSet::from(["front".to_owned()]);
        let keep = KeepFilter::Related(CandidateFilter { names, ..CandidateFilter::default() });
        let route = |spec: Value| {
            let kind = Kind { group: "gateway.networking.k8s.io".into(), ..Kind::default() };
            let body = json!({"spec": spec});
            Object::with_body(Arc::new(kind), Meta::default(), body, Detail::Whole)
        };
        for (spec, expected) in [
            (json!({"parentRefs": [{"name": "other"}, {"name": "front"}]}), KeepDecision::Yes),
            (json!({"parentRef": {"name": "front"}}), KeepDecision::Yes),
            (json!({"parentRefs": [{"name": "other"}]}), KeepDecision::No),
            (json!({"parentRefs": "front"}), KeepDecision::No),
        ] {
            assert_eq!(keep.decide_object(&route(spec.clone())), expected, "{spec}");
        }
    }

    #[test]
    fn other_rules_keep_deleting_objects_or_everything() {
        assert_eq!(decide(&KeepFilter::Deleting, "a", true, false, &[]), KeepDecision::No);
        assert_eq!(decide(&KeepFilter::Deleting, "a", false, true, &[]), KeepDecision::Yes);
        assert_eq!(decide(&KeepFilter::All, "a", false, false, &[]), KeepDecision::Yes);
    }
}
