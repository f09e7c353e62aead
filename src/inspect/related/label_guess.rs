//! A guess by labels: an operator that sets no owner references may label everything with the name of its resource,
//! under a key such as `cluster-name` that any software could use. One label alone is never enough.

use super::NameIndex;
use super::labels::is_word_for;
use super::same_name::is_not_older;
use super::selectors::stateful_sets;
use super::words::words;
use crate::inspect::graph::Index;
use crate::known::kinds::is_custom;
use crate::model::ident::ObjectName;
use crate::model::kind::Kind;
use crate::model::meta::Meta;
use crate::model::snapshot::Snapshot;

/// Last words of a key whose value is the name of an instance of any kind, sorted.
const INSTANCE_WORDS: [&str; 3] = ["cluster", "cr", "instance"];

/// Prefixes of keys that any software may use, sorted; keys without a prefix are common as well.
const COMMON_PREFIXES: [&str; 1] = ["app.kubernetes.io"];

/// Labels and annotations of tools that apply manifests, sorted: what they created belongs to them.
const APPLIED: [&str; 6] = [
    "argocd.argoproj.io/tracking-id",
    "helm.sh/chart",
    "helm.toolkit.fluxcd.io/name",
    "kubectl.kubernetes.io/last-applied-configuration",
    "kustomize.toolkit.fluxcd.io/name",
    "meta.helm.sh/release-name",
];

/// The evidence that an object without an owner belongs to a root; `None` if there is too little. `is_below` tells which
/// objects are below the root already.
pub(super) fn evidence(
    root: Index,
    to: Index,
    snapshot: &Snapshot,
    name_index: &NameIndex<'_>,
    is_below: impl Fn(Index) -> bool,
) -> Option<Vec<String>> {
    let (root_object, object) = (&snapshot.objects[root], &snapshot.objects[to]);
    let (own, meta) = (&root_object.meta, &object.meta);
    let may_belong = is_custom(&root_object.kind)
        && !is_custom(&object.kind)
        && own.name.namespace == meta.name.namespace
        && own.name.namespace.is_some()
        && meta.owners.is_empty()
        && is_not_older(own, meta)
        && !is_applied(meta);
    if !may_belong {
        return None;
    }
    let (key, _) = meta.labels.iter().find(|(key, value)| {
        // Who labelled the resource in the same way has created the object as well.
        **value == own.name.name
            && names_instance(key, &root_object.kind)
            && own.labels.get(*key) != Some(value)
    })?;
    let support = support(&own.name, &root_object.kind, meta, key)?;
    let is_rival = |index: &Index| {
        *index != root && *index != to && is_custom(&snapshot.objects[*index].kind) && !is_below(*index)
    };
    if name_index.same_name(&own.name).iter().any(is_rival) || is_claim_of_set(meta, snapshot, name_index) {
        return None;
    }
    Some(vec![format!("{key} = name of the {}", own.name.kind), support])
}

/// Whether the value of a key is the name of an instance, or of a resource of the kind.
fn names_instance(key: &str, kind: &Kind) -> bool {
    let (prefix, name) = key.split_once('/').unwrap_or(("", key));
    if !prefix.is_empty() && !COMMON_PREFIXES.contains(&prefix) {
        return false;
    }
    let mut words = words(name);
    words.pop_if(|last| last == "name");
    let is_instance = |word: &String| INSTANCE_WORDS.binary_search(&word.as_str()).is_ok();
    words.last().is_some_and(|last| is_instance(last) || is_word_for(last, kind))
        || is_word_for(&words.concat(), kind)
}

/// What else speaks for the guess: the name of the object, or another label with a word for the kind or its group. The
/// recommended labels are on every object of an application, whatever it is named, so they need the latter.
fn support(own: &ObjectName, kind: &Kind, meta: &Meta, key: &str) -> Option<String> {
    let is_recommended = key.contains('/');
    if own.name == meta.name.name && !is_recommended {
        return Some("same name".to_owned());
    }
    if !is_recommended && contains_name(&meta.name.name, &own.name) {
        return Some(format!("name contains that of the {}", own.kind));
    }
    let group = kind.group.split('.').next().unwrap_or_default();
    let is_meant = |word: &String| is_word_for(word, kind) || word.len() >= 3 && word == group;
    let mut others = meta.labels.iter().filter(|(other, _)| *other != key);
    let (other, value) = others.find(|(_, value)| words(value).iter().any(is_meant))?;
    Some(format!("{other} = {value}"))
}

/// Whether a name contains another one between hyphens, dots or its ends.
fn contains_name(name: &str, part: &str) -> bool {
    let is_end = |letter: Option<char>| letter.is_none_or(|letter| matches!(letter, '-' | '.'));
    !part.is_empty()
        && name.match_indices(part).any(|(start, _)| {
            is_end(name[..start].chars().next_back()) && is_end(name[start + part.len()..].chars().next())
        })
}

fn is_applied(meta: &Meta) -> bool {
    let managed_by = meta.labels.get("app.kubernetes.io/managed-by");
    managed_by.is_some_and(|by| by.eq_ignore_ascii_case("helm") || by.eq_ignore_ascii_case("kustomize"))
        || APPLIED.iter().any(|key| meta.labels.contains_key(*key) || meta.annotations.contains_key(*key))
}

/// Whether it is a claim with the name of a known `StatefulSet`, below which it is shown.
fn is_claim_of_set(meta: &Meta, snapshot: &Snapshot, name_index: &NameIndex<'_>) -> bool {
    meta.name.kind == "PersistentVolumeClaim"
        && stateful_sets(&meta.name.name).any(|(_, set)| {
            let name = ObjectName {
                api_version: "apps/v1".to_owned(),
                kind: "StatefulSet".to_owned(),
                namespace: meta.name.namespace.clone(),
                name: set.to_owned(),
            };
            name_index.find(snapshot, &name).is_some()
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_tables_are_sorted() {
        assert!(INSTANCE_WORDS.is_sorted_by(|a, b| a < b));
        assert!(COMMON_PREFIXES.is_sorted_by(|a, b| a < b));
        assert!(APPLIED.is_sorted_by(|a, b| a < b));
    }

    #[test]
    fn a_key_names_an_instance_by_its_last_word() {
        let kind = Kind { kind: "Redis".into(), singular: "redis".into(), ..Kind::default() };
        for (key, expected) in [
            ("cluster-name", true),
            ("cluster", true),
            ("redis", true),
            ("redis_cr", true),
            ("app.kubernetes.io/instance", true),
            ("app", false),
            ("role", false),
            ("cluster-role", false),
            ("strimzi.io/cluster", false),
            ("name", false),
        ] {
            assert_eq!(names_instance(key, &kind), expected, "{key}");
        }
    }

    #[test]
    fn a_name_is_contained_between_hyphens_or_dots() {
        for (name, expected) in [
            ("db", true),
            ("db-0", true),
            ("x.db.y", true),
            ("pg-db-pdb", true),
            ("db2", false),
            ("mydb-0", false),
        ] {
            assert_eq!(contains_name(name, "db"), expected, "{name}");
        }
    }
}
