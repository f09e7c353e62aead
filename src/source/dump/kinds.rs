//! Which kinds exist: those built into Kubernetes, those defined by a `CustomResourceDefinition` in the dump, and those
//! that its objects name.

use std::collections::HashMap;
use std::sync::Arc;

use super::crd::default_verbs;
use super::index::ObservedKind;
use super::table_of_contents;
use super::version_priority::by_priority;
use crate::known::builtin_kinds::{BUILTIN_KINDS, BuiltinKind, GROUPS};
use crate::model::ident::GroupKind;
use crate::model::kind::{Kind, KindScope, StatusSubresource};

/// The kinds, in discovery order.
#[derive(Debug)]
pub(super) struct Kinds {
    pub(super) all: Arc<[Arc<Kind>]>,
    positions: HashMap<GroupKind, usize>,
}

impl Kinds {
    /// Combines built-in and defined kinds with those of objects and owner references; a definition takes precedence over
    /// a guess.
    pub(super) fn new<'a>(
        defined: Vec<Kind>,
        observed: impl Iterator<Item = &'a ObservedKind>,
        owners: &[ObservedKind],
    ) -> Self {
        let mut kinds: Vec<Kind> = BUILTIN_KINDS.iter().map(builtin_kind).collect();
        let mut known: HashMap<GroupKind, usize> = HashMap::new();
        for kind in &kinds {
            known.insert(kind.group_kind(), known.len());
        }
        let mut add = |kind: Kind, kinds: &mut Vec<Kind>| {
            let subresource = kind.status_subresource;
            let position = *known.entry(kind.group_kind()).or_insert_with(|| {
                kinds.push(kind);
                kinds.len() - 1
            });
            // A table of contents has the names, only the definition has the subresources.
            kinds[position].status_subresource = kinds[position].status_subresource.or(subresource);
            position
        };
        for kind in defined {
            add(kind, &mut kinds);
        }
        // The table of contents is not an object of the cluster.
        for seen in observed.filter(|seen| seen.group_kind.group != table_of_contents::GROUP) {
            let position = add(guess_kind(seen), &mut kinds);
            add_versions(&mut kinds[position], seen, position < BUILTIN_KINDS.len());
        }
        for seen in owners {
            add(guess_kind(seen), &mut kinds);
        }
        kinds.sort_by(|a, b| order(a).cmp(&order(b)));
        let positions =
            kinds.iter().enumerate().map(|(position, kind)| (kind.group_kind(), position)).collect();
        Self { all: kinds.into_iter().map(Arc::new).collect(), positions }
    }

    /// The position of a kind, whatever its version.
    pub(super) fn position(&self, of: &GroupKind) -> Option<usize> {
        self.positions.get(of).copied()
    }
}

/// Sort key: built-in groups in discovery order, then the others alphabetically.
fn order(kind: &Kind) -> impl Ord + '_ {
    let group = GROUPS.iter().position(|group| *group == kind.group).unwrap_or(GROUPS.len());
    (group, &kind.group, &kind.plural)
}

fn builtin_kind(row: &BuiltinKind) -> Kind {
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
        verbs: default_verbs(),
        versions: words(row.versions),
        status_subresource: StatusSubresource::Unknown,
    }
}

/// Adds the versions in which the dump has objects. A built-in kind of an older cluster is known by the version that the
/// dump has; of other kinds, the definition says which version is preferred.
fn add_versions(kind: &mut Kind, seen: &ObservedKind, is_builtin: bool) {
    for version in seen.versions.iter().filter(|version| !version.is_empty()) {
        if !kind.versions.contains(version) {
            kind.versions.push(version.clone());
        }
    }
    kind.versions.sort_by(|a, b| by_priority(a, b));
    let newest = seen.versions.iter().min_by(|a, b| by_priority(a, b));
    if let Some(newest) = newest.filter(|_| is_builtin && !seen.versions.contains(&kind.version)) {
        kind.version.clone_from(newest);
    }
}

/// A kind of which only objects are known.
fn guess_kind(seen: &ObservedKind) -> Kind {
    let mut versions: Vec<String> = seen.versions.iter().cloned().collect();
    versions.sort_by(|a, b| by_priority(a, b));
    let singular = seen.group_kind.kind.to_lowercase();
    Kind {
        group: seen.group_kind.group.clone(),
        version: versions.first().cloned().unwrap_or_default(),
        kind: seen.group_kind.kind.clone(),
        plural: guess_plural(&singular),
        singular,
        short_names: Vec::new(),
        categories: Vec::new(),
        scope: if seen.namespaced { KindScope::Namespaced } else { KindScope::Cluster },
        verbs: default_verbs(),
        versions,
        status_subresource: StatusSubresource::Unknown,
    }
}

/// Guesses the plural as Kubernetes does.
fn guess_plural(singular: &str) -> String {
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

    fn seen(group: &str, kind: &str, versions: &[&str]) -> ObservedKind {
        let group_kind = GroupKind { group: group.to_owned(), kind: kind.to_owned() };
        let versions: BTreeSet<String> = versions.iter().map(|&version| version.to_owned()).collect();
        ObservedKind { group_kind, versions, namespaced: true }
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
            assert_eq!(guess_plural(singular), expected);
        }
    }

    #[test]
    fn every_builtin_plural_could_have_been_guessed() {
        for row in &BUILTIN_KINDS {
            assert_eq!(row.plural, guess_plural(&row.kind.to_lowercase()));
        }
    }

    #[test]
    fn what_is_known_beats_a_guess_and_the_servers_order_holds() {
        let mut fish = guess_kind(&seen("example.com", "Fish", &["v1"]));
        fish.plural = "fish".to_owned();
        let definition = Kind { status_subresource: StatusSubresource::Absent, ..fish.clone() };
        let types = [
            seen("zoo.io", "Ape", &["v1alpha1", "v1"]),
            seen("example.com", "Fish", &["v2"]),
            seen("apps", "Deployment", &["v1beta1"]),
            seen("apps", "Novelty", &["v1"]),
        ];
        let kinds = Kinds::new(vec![fish, definition], types.iter(), &[seen("land.io", "Pony", &["v1"])]);
        let names: Vec<String> = kinds.all.iter().map(|kind| kind.full_name()).collect();
        assert_eq!(names.len(), BUILTIN_KINDS.len() + 4);
        assert_eq!(names[0], "componentstatuses");
        assert_eq!(names[names.len() - 3..], ["fish.example.com", "ponies.land.io", "apes.zoo.io"]);
        let groups: Vec<&str> = kinds.all.iter().map(|kind| kind.group.as_str()).collect();
        assert!(
            groups.iter().rposition(|group| *group == "apps")
                < groups.iter().position(|group| *group == "batch")
        );
        let get = |api_version, kind| &kinds.all[kinds.position(&GroupKind::of(api_version, kind)).unwrap()];
        assert_eq!(get("apps/v1", "Deployment").version, "v1beta1");
        assert_eq!(get("apps/v1", "Deployment").versions, ["v1", "v1beta1"]);
        let fish = get("example.com/v1", "Fish");
        assert_eq!(
            (fish.version.as_str(), fish.versions.as_slice()),
            ("v1", &["v2".to_owned(), "v1".to_owned()][..])
        );
        assert_eq!(get("zoo.io/v1", "Ape").versions, ["v1", "v1alpha1"]);
        assert_eq!(get("zoo.io/v1", "Ape").status_subresource, StatusSubresource::Unknown);
        assert_eq!(get("example.com/v2", "Fish").status_subresource, StatusSubresource::Absent);
    }
}
