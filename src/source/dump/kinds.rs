//! Which kinds there are: Kubernetes' own, those that definitions in the dump announce, and those that its objects
//! claim to be of.

use std::collections::HashMap;
use std::sync::Arc;

use super::builtin::{BUILTIN, Builtin, GROUPS};
use super::contents;
use super::definition::verbs;
use super::index::Type;
use super::version::by_priority;
use crate::model::ident::GroupKind;
use crate::model::kind::{Kind, KindScope};

/// The kinds, in the order in which a server would announce them.
#[derive(Debug)]
pub(super) struct Kinds {
    pub(super) all: Arc<[Arc<Kind>]>,
    places: HashMap<GroupKind, usize>,
}

impl Kinds {
    /// Puts them together; what is known beats what is guessed.
    pub(super) fn of<'a>(defined: Vec<Kind>, types: impl Iterator<Item = &'a Type>) -> Self {
        let mut kinds: Vec<Kind> = BUILTIN.iter().map(own).collect();
        let mut known: HashMap<GroupKind, usize> = HashMap::new();
        for kind in &kinds {
            known.insert(kind.group_kind(), known.len());
        }
        // A table of contents is no object of the cluster.
        let guesses = types.filter(|seen| seen.of.group != contents::GROUP).map(guess);
        for kind in defined.into_iter().chain(guesses) {
            known.entry(kind.group_kind()).or_insert_with(|| {
                kinds.push(kind);
                kinds.len() - 1
            });
        }
        kinds.sort_by(|a, b| order(a).cmp(&order(b)));
        let places = kinds.iter().enumerate().map(|(place, kind)| (kind.group_kind(), place)).collect();
        Self { all: kinds.into_iter().map(Arc::new).collect(), places }
    }

    /// The place of a type's kind, whatever the version.
    pub(super) fn rank(&self, of: &GroupKind) -> Option<usize> {
        self.places.get(of).copied()
    }
}

/// Kubernetes' own groups come first and in their own order, others by the alphabet.
fn order(kind: &Kind) -> impl Ord + '_ {
    let group = GROUPS.iter().position(|group| *group == kind.group).unwrap_or(GROUPS.len());
    (group, &kind.group, &kind.plural)
}

fn own(row: &Builtin) -> Kind {
    let words = |words: &[&str]| words.iter().map(|&word| word.to_owned()).collect::<Vec<_>>();
    Kind {
        group: row.group.to_owned(),
        version: row.versions.first().copied().unwrap_or_default().to_owned(),
        kind: row.kind.to_owned(),
        plural: row.plural.to_owned(),
        singular: row.kind.to_lowercase(),
        short_names: words(row.short_names),
        categories: Vec::new(),
        scope: row.scope,
        verbs: verbs(),
        versions: words(row.versions),
    }
}

/// A kind of which only objects are known.
fn guess(seen: &Type) -> Kind {
    let mut versions: Vec<String> = seen.versions.iter().cloned().collect();
    versions.sort_by(|a, b| by_priority(a, b));
    let singular = seen.of.kind.to_lowercase();
    Kind {
        group: seen.of.group.clone(),
        version: versions.first().cloned().unwrap_or_default(),
        kind: seen.of.kind.clone(),
        plural: plural(&singular),
        singular,
        short_names: Vec::new(),
        categories: Vec::new(),
        scope: if seen.namespaced { KindScope::Namespaced } else { KindScope::Cluster },
        verbs: verbs(),
        versions,
    }
}

/// The plural as Kubernetes' own guess forms it.
fn plural(singular: &str) -> String {
    let is_vowel = |c: char| "aeiou".contains(c);
    if singular == "endpoints" {
        return singular.to_owned();
    }
    match singular.strip_suffix('y') {
        Some(stem) if !stem.ends_with(is_vowel) && !stem.is_empty() => format!("{stem}ies"),
        _ if ["s", "x", "z", "ch", "sh"].iter().any(|end| singular.ends_with(end)) => format!("{singular}es"),
        _ => format!("{singular}s"),
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    fn seen(group: &str, kind: &str, versions: &[&str]) -> Type {
        let of = GroupKind { group: group.to_owned(), kind: kind.to_owned() };
        let versions: BTreeSet<String> = versions.iter().map(|&version| version.to_owned()).collect();
        Type { of, versions, namespaced: true }
    }

    #[test]
    fn plurals_are_guessed_as_in_english() {
        for (singular, expected) in [
            ("website", "websites"),
            ("policy", "policies"),
            ("gateway", "gateways"),
            ("ingress", "ingresses"),
            ("box", "boxes"),
            ("batch", "batches"),
            ("y", "ys"),
            ("", "s"),
        ] {
            assert_eq!(plural(singular), expected);
        }
    }

    #[test]
    fn every_builtin_plural_could_have_been_guessed() {
        for row in &BUILTIN {
            assert_eq!(row.plural, plural(&row.kind.to_lowercase()));
        }
    }

    #[test]
    fn what_is_known_beats_a_guess_and_the_servers_order_holds() {
        let mut fish = guess(&seen("example.com", "Fish", &["v1"]));
        fish.plural = "fish".to_owned();
        let types = [
            seen("zoo.io", "Ape", &["v1alpha1", "v1"]),
            seen("example.com", "Fish", &["v2"]),
            seen("apps", "Deployment", &["v1beta1"]),
            seen("apps", "Novelty", &["v1"]),
        ];
        let kinds = Kinds::of(vec![fish], types.iter());
        let names: Vec<String> = kinds.all.iter().map(|kind| kind.full_name()).collect();
        assert_eq!(names.len(), BUILTIN.len() + 3);
        assert_eq!(names[0], "componentstatuses");
        assert_eq!(names[names.len() - 2..], ["fish.example.com", "apes.zoo.io"]);
        let groups: Vec<&str> = kinds.all.iter().map(|kind| kind.group.as_str()).collect();
        assert!(
            groups.iter().rposition(|group| *group == "apps")
                < groups.iter().position(|group| *group == "batch")
        );
        let get = |api_version, kind| &kinds.all[kinds.rank(&GroupKind::of(api_version, kind)).unwrap()];
        assert_eq!(get("apps/v1beta1", "Deployment").version, "v1");
        assert_eq!(get("zoo.io/v1", "Ape").versions, ["v1", "v1alpha1"]);
    }
}
