//! Resolves TYPE to one of the served kinds.
//!
//! The rules are kubectl's: plural, singular, kind in any case or short name; `TYPE.GROUP` and `TYPE.VERSION.GROUP`; a
//! group may be abbreviated to a prefix; the first group in the server's order wins.

use std::sync::Arc;

use crate::model::kind::Kind;
use crate::model::similar::similar;

/// The kind that a word resolves to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Resolved {
    pub kind: Arc<Kind>,
    /// The full names of other kinds that match the word.
    pub also: Vec<String>,
}

/// No served kind matches the word.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unknown {
    /// The full names of kinds with similar names, the most similar first.
    pub near: Vec<String>,
}

/// Resolves a word to a kind.
pub fn resolve(kinds: &[Arc<Kind>], word: &str) -> Result<Resolved, Unknown> {
    let word = word.to_lowercase();
    let mut parts = word.splitn(3, '.');
    let name = parts.next().unwrap_or_default();
    // `deployments.v1.apps` before `deployments` of a group `v1.apps`.
    if let (Some(version), Some(group)) = (parts.next(), parts.next()) {
        let served = |kind: &&Arc<Kind>| kind.versions.iter().any(|served| served == version);
        let found = candidates(kinds, name, GroupFilter::Given(group)).into_iter().find(|kind| served(kind));
        if let Some(kind) = found {
            return Ok(Resolved { kind: Arc::new(kind.in_version(version)), also: Vec::new() });
        }
    }
    let group = word.split_once('.').map_or(GroupFilter::Any, |(_, group)| GroupFilter::Given(group));
    let found = candidates(kinds, name, group);
    let Some((first, rest)) = found.split_first() else {
        return Err(Unknown { near: near(kinds, name) });
    };
    let also = rest.iter().map(|kind| kind.full_name()).collect();
    Ok(Resolved { kind: Arc::clone(first), also })
}

#[derive(Clone, Copy)]
enum GroupFilter<'a> {
    Any,
    Given(&'a str),
}

/// The kinds that match a name and a group, by the strictest rule that matches any.
fn candidates<'a>(kinds: &'a [Arc<Kind>], name: &str, group: GroupFilter<'_>) -> Vec<&'a Arc<Kind>> {
    let name_rules: [fn(&Kind, &str) -> bool; 2] = [
        |kind, name| kind.plural == name || kind.singular == name || kind.kind.to_lowercase() == name,
        |kind, name| kind.short_names.iter().any(|short| short == name),
    ];
    let groups: &[fn(&str, &str) -> bool] = match group {
        GroupFilter::Any => &[|_, _| true],
        GroupFilter::Given(_) => {
            &[|given, served| given == served, |given, served| served.starts_with(given)]
        }
    };
    let given = match group {
        GroupFilter::Any => "",
        GroupFilter::Given(given) => given,
    };
    for in_group in groups {
        for is_named in name_rules {
            let found: Vec<_> =
                kinds.iter().filter(|kind| in_group(given, &kind.group) && is_named(kind, name)).collect();
            if !found.is_empty() {
                return found;
            }
        }
    }
    Vec::new()
}

fn near(kinds: &[Arc<Kind>], name: &str) -> Vec<String> {
    let names = kinds.iter().map(|kind| {
        let short_names = kind.short_names.iter().map(String::as_str);
        (kind.full_name(), [kind.plural.as_str(), kind.singular.as_str()].into_iter().chain(short_names))
    });
    similar(name, names)
}

/// Up to three names that are similar to a word, the most similar first.
pub fn near_names<'a>(names: impl Iterator<Item = &'a str>, word: &str) -> Vec<String> {
    similar(word, names.map(|name| (name.to_owned(), [name])))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::kind::KindScope;

    fn kind(group: &str, versions: &[&str], plural: &str, kind: &str, short: &[&str]) -> Arc<Kind> {
        Arc::new(Kind {
            group: group.into(),
            version: versions[0].into(),
            kind: kind.into(),
            plural: plural.into(),
            singular: kind.to_lowercase(),
            short_names: short.iter().map(|&short| short.into()).collect(),
            categories: Vec::new(),
            scope: KindScope::Namespaced,
            verbs: vec!["list".into()],
            versions: versions.iter().map(|&version| version.into()).collect(),
            ..Kind::default()
        })
    }

    fn served() -> Vec<Arc<Kind>> {
        vec![
            kind("", &["v1"], "services", "Service", &["svc"]),
            kind("apps", &["v1", "v1beta1"], "deployments", "Deployment", &["deploy"]),
            kind("serving.knative.dev", &["v1"], "services", "Service", &["ksvc", "kservice"]),
            kind("example.com", &["v1"], "fish", "Fish", &[]),
            kind("v1.apps", &["v2"], "deployments", "Deployment", &[]),
        ]
    }

    fn found(word: &str) -> String {
        match resolve(&served(), word) {
            Ok(found) => format!("{} {} {:?}", found.kind.full_name(), found.kind.version, found.also),
            Err(unknown) => format!("near {:?}", unknown.near),
        }
    }

    #[test]
    fn every_form_of_a_type_is_resolved() {
        for (word, expected) in [
            ("deployments", r#"deployments.apps v1 ["deployments.v1.apps"]"#),
            ("Deployment.apps", "deployments.apps v1 []"),
            ("deploy", "deployments.apps v1 []"),
            ("DEPLOYMENT.v1beta1.apps", "deployments.apps v1beta1 []"),
            ("deployments.v1.apps", "deployments.apps v1 []"),
            ("deployments.v2.apps", r#"near ["deployments.apps", "deployments.v1.apps"]"#),
            ("svc", "services v1 []"),
            ("service", r#"services v1 ["services.serving.knative.dev"]"#),
            ("services.serving", "services.serving.knative.dev v1 []"),
            ("ksvc", "services.serving.knative.dev v1 []"),
            ("fish", "fish.example.com v1 []"),
            ("fihs", r#"near ["fish.example.com"]"#),
            ("deploymnts", r#"near ["deployments.apps", "deployments.v1.apps"]"#),
            // One letter of two differs from `svc` or `fish`; that is no typing error.
            ("vc", "near []"),
            ("fs", "near []"),
            ("serv", r#"near ["services", "services.serving.knative.dev"]"#),
            ("", "near []"),
        ] {
            assert_eq!(found(word), expected, "{word}");
        }
    }
}
