//! Labels and annotations by which operators mark objects without an owner reference, such as those in other namespaces.

use std::sync::Arc;

use super::words::words;
use crate::known::kinds::is_custom;
use crate::model::kind::Kind;
use crate::model::meta::Meta;
use crate::model::object::Object;
use crate::model::selector::Labels;

/// Words other than the kind that can be part of a key whose value is the resource's name, sorted.
const NAME_WORDS: [&str; 15] = [
    "app",
    "application",
    "by",
    "cluster",
    "cr",
    "custom",
    "instance",
    "name",
    "of",
    "owned",
    "owner",
    "parent",
    "primary",
    "release",
    "resource",
];

/// A label or annotation that ties an object to a root, the strongest first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum LabelMatch {
    /// Its value is the root's uid. Contains the key.
    Uid(String),
    /// Its value is the name, in the root's own domain or an unambiguous format.
    Own { evidence: String, specificity: Specificity },
    /// The recommended labels of Kubernetes.
    Common(String),
}

/// Whether a label tells the kind of the resource.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Specificity {
    KindAndName,
    NameOnly,
}

/// The strongest match of an object's labels and annotations with `root`.
pub(super) fn label_match(root: &Object, meta: &Meta, kinds: &[Arc<Kind>]) -> Option<LabelMatch> {
    let all = [&meta.labels, &meta.annotations];
    let uid = root.meta.uid.0.as_str();
    let by_uid = || {
        let mut labels = all.into_iter().flatten();
        labels
            .find(|(_, value)| !uid.is_empty() && *value == uid)
            .map(|(key, _)| LabelMatch::Uid(key.clone()))
    };
    by_uid()
        .or_else(|| primary_resource(root, meta))
        .or_else(|| tracking_id(root, meta))
        .or_else(|| helm_release(root, meta))
        .or_else(|| all.into_iter().find_map(|labels| own_domain(root, meta, labels, kinds)))
        .or_else(|| common_labels(root, meta))
}

/// A key under the root's group, or its domain, whose value is the root's name.
fn own_domain(root: &Object, meta: &Meta, labels: &Labels, kinds: &[Arc<Kind>]) -> Option<LabelMatch> {
    if !is_custom(&root.kind) {
        return None;
    }
    let name = &root.meta.name;
    for (key, _) in labels.iter().filter(|(_, value)| **value == name.name) {
        let Some((prefix, word)) = key.split_once('/') else { continue };
        let words = words(word);
        if !is_domain_of(prefix, &root.kind.group) || !names_root(&words, &root.kind, kinds) {
            continue;
        }
        // Other keys with the same prefix must not contradict it.
        let values_of = |last: &str| {
            let under = labels.iter().filter(|(other, _)| {
                other.split_once('/').is_some_and(|(p, word)| {
                    p == prefix && self::words(word).last().is_some_and(|word| word == last)
                })
            });
            under.map(|(_, value)| value.as_str()).collect::<Vec<_>>()
        };
        let own_namespace = name.namespace.as_deref().unwrap_or_default();
        let (namespaces, named_kinds) = (values_of("namespace"), values_of("kind"));
        let elsewhere = meta.name.namespace != name.namespace && name.namespace.is_some();
        if namespaces.iter().any(|namespace| *namespace != own_namespace)
            || (elsewhere && namespaces.is_empty())
        {
            continue;
        }
        let is_kind =
            |text: &&str| text.split('.').next().unwrap_or_default().eq_ignore_ascii_case(&name.kind);
        if !named_kinds.iter().all(is_kind) {
            continue;
        }
        let says_kind = !named_kinds.is_empty() || words.iter().any(|word| is_word_for(word, &root.kind));
        let specificity = if says_kind { Specificity::KindAndName } else { Specificity::NameOnly };
        return Some(LabelMatch::Own { evidence: format!("{key} = name of the {}", name.kind), specificity });
    }
    None
}

/// Whether a key's words mean a resource of the root's kind and no other.
fn names_root(words: &[String], kind: &Kind, kinds: &[Arc<Kind>]) -> bool {
    let joined: Vec<&str> = words.iter().map(String::as_str).filter(|word| *word != "name").collect();
    if is_word_for(&joined.concat(), kind) {
        return true;
    }
    let other = |other: &&Arc<Kind>| {
        other.kind != kind.kind
            && shares_domain(&other.group, &kind.group)
            && words.iter().any(|word| is_word_for(word, other))
    };
    let is_name_word =
        |word: &String| NAME_WORDS.binary_search(&word.as_str()).is_ok() || is_word_for(word, kind);
    words.iter().all(is_name_word) && !kinds.iter().any(|kind| other(&kind))
}

pub(super) fn is_word_for(word: &str, kind: &Kind) -> bool {
    !word.is_empty() && (kind.kind.eq_ignore_ascii_case(word) || kind.plural == word || kind.singular == word)
}

/// Whether a key's prefix is the group, a domain above it, or one below it.
fn is_domain_of(prefix: &str, group: &str) -> bool {
    let above = || {
        group.strip_suffix(prefix).is_some_and(|rest| rest.ends_with('.'))
            && prefix.contains('.')
            && !matches!(prefix, "k8s.io" | "kubernetes.io" | "x-k8s.io")
    };
    prefix == group || above() || prefix.strip_suffix(group).is_some_and(|rest| rest.ends_with('.'))
}

pub(super) fn shares_domain(a: &str, b: &str) -> bool {
    a == b || is_domain_of(a, b) || is_domain_of(b, a)
}

/// Written by Helm and Ansible operators of the Operator SDK where an owner reference is not possible.
fn primary_resource(root: &Object, meta: &Meta) -> Option<LabelMatch> {
    let key = "operator-sdk/primary-resource";
    let name = &root.meta.name;
    let value = meta.annotations.get(key)?;
    let kind = meta.annotations.get("operator-sdk/primary-resource-type")?;
    let full = match &name.namespace {
        Some(namespace) => format!("{namespace}/{}", name.name),
        None => name.name.clone(),
    };
    let named = value.trim_start_matches('/') == full && *kind == root.kind.group_kind().to_string();
    named.then(|| LabelMatch::Own {
        evidence: format!("{key} refers to the {}", name.kind),
        specificity: Specificity::KindAndName,
    })
}

/// Written by Argo CD: `APP:GROUP/KIND:NAMESPACE/NAME`. A copied object has the id of the original, so every part must
/// match.
fn tracking_id(root: &Object, meta: &Meta) -> Option<LabelMatch> {
    let key = "argocd.argoproj.io/tracking-id";
    let value = meta.annotations.get(key)?;
    let [app, kind, object] = value.split(':').collect::<Vec<_>>().try_into().ok()?;
    let own_kind = format!("{}/{}", crate::model::ident::group_of(&meta.name.api_version), meta.name.kind);
    let own_name = format!("{}/{}", meta.name.namespace.as_deref().unwrap_or_default(), meta.name.name);
    // Argo CD writes `NAMESPACE_NAME` for an application outside its own namespace.
    let app = app.rsplit('_').next().unwrap_or_default();
    let is_app = root.kind.kind == "Application" && root.kind.group == "argoproj.io";
    let fits = is_app
        && app == root.meta.name.name
        && kind == own_kind
        && (object == own_name || object.ends_with(&format!("/{}", meta.name.name)));
    fits.then(|| LabelMatch::Own {
        evidence: format!("{key} refers to the Application"),
        specificity: Specificity::KindAndName,
    })
}

/// Written by Helm on every object of a release; the root must be a Helm release with that name.
fn helm_release(root: &Object, meta: &Meta) -> Option<LabelMatch> {
    let key = "meta.helm.sh/release-name";
    let name = &root.meta.name;
    let is_release = is_custom(&root.kind) && words(&root.kind.kind).iter().any(|word| word == "helm");
    let fits = is_release
        && meta.annotations.get(key) == Some(&name.name)
        && meta.annotations.get("meta.helm.sh/release-namespace") == name.namespace.as_ref();
    // A resource that is part of a release is not the release itself.
    let own = root.meta.annotations.contains_key(key);
    (fits && !own).then(|| LabelMatch::Own {
        evidence: format!("{key} = name of the {}", name.kind),
        specificity: Specificity::KindAndName,
    })
}

/// `app.kubernetes.io/instance` alone is too common; another label must contain the kind.
fn common_labels(root: &Object, meta: &Meta) -> Option<LabelMatch> {
    let label = |word: &str| meta.labels.get(&format!("app.kubernetes.io/{word}"));
    let name = &root.meta.name;
    if !is_custom(&root.kind)
        || label("instance") != Some(&name.name)
        || meta.name.namespace != name.namespace
    {
        return None;
    }
    let has_kind = |text: &String| words(text).iter().any(|word| is_word_for(word, &root.kind));
    let other =
        ["managed-by", "part-of", "name"].into_iter().find(|word| label(word).is_some_and(has_kind))?;
    let value = label(other)?;
    let evidence = format!("app.kubernetes.io/instance = name of the {}, {other} = {value}", name.kind);
    Some(LabelMatch::Common(evidence))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_words_are_sorted() {
        assert!(NAME_WORDS.is_sorted_by(|a, b| a < b));
    }

    #[test]
    fn a_prefix_belongs_to_a_group_of_its_own_domain_only() {
        for (prefix, group, expected) in [
            ("strimzi.io", "kafka.strimzi.io", true),
            ("argocd.argoproj.io", "argoproj.io", true),
            ("cache.example.com", "cache.example.com", true),
            ("cache.example.com", "apps.example.com", false),
            ("k8s.io", "gateway.networking.k8s.io", false),
            ("io", "strimzi.io", false),
            ("rimzi.io", "strimzi.io", false),
        ] {
            assert_eq!(is_domain_of(prefix, group), expected, "{prefix} {group}");
        }
    }
}
