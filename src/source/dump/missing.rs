//! What a dump says nothing of: it proves only what it holds.

use std::collections::BTreeSet;

use super::Dump;
use super::index::{Listed, Listing};
use crate::known::kinds::is_worth_listing;
use crate::model::coverage::Scope;
use crate::model::gap::{Gap, Reason};
use crate::model::kind::Kind;
use crate::source::query::is_within;

/// Every kind worth a look of which neither an object nor a list is there.
pub(super) fn missing(dump: &Dump, scope: &Scope) -> Vec<Gap> {
    let namespace = scope.namespace();
    let lives_there = |held: Option<&String>| namespace.is_none() || held.map(String::as_str) == namespace;
    if let Some(namespace) = namespace {
        let in_it = dump.entries.iter().any(|entry| lives_there(entry.meta.name.namespace.as_ref()));
        let listed = dump.listings.iter().any(|listing| listing.namespace.as_deref() == Some(namespace));
        if !in_it && !listed {
            return vec![whole_namespace(namespace)];
        }
    }
    let present: BTreeSet<String> = dump
        .entries
        .iter()
        .filter(|entry| lives_there(entry.meta.name.namespace.as_ref()))
        .map(|entry| entry.kind.full_name())
        .collect();
    dump.kinds
        .all
        .iter()
        .filter(|kind| is_worth_listing(kind) && is_within(kind, scope))
        .filter(|kind| !present.contains(&kind.full_name()) && !dump.is_listed(kind, namespace))
        .map(|kind| Gap {
            group: kind.group.clone(),
            resource: kind.plural.clone(),
            namespace: namespace.map(str::to_owned),
            verb: "list",
            reason: Reason::NotInDump,
            status: None,
            message: format!("the dump holds no {}", kind.full_name()),
        })
        .collect()
}

impl Dump {
    /// Whether the dump says that a kind was read, in a namespace or anywhere.
    pub(super) fn is_listed(&self, kind: &Kind, namespace: Option<&str>) -> bool {
        self.listings.iter().any(|listing| covers(listing, kind, namespace))
    }
}

/// Whether a list tells all about a kind in a namespace, or of its having been read at all.
fn covers(listing: &Listing, kind: &Kind, namespace: Option<&str>) -> bool {
    let of_kind = match &listing.what {
        Listed::Kind(of) => *of == kind.group_kind(),
        Listed::Resource(hint) => {
            hint.plural == kind.plural && hint.group.as_ref().is_none_or(|group| *group == kind.group)
        }
    };
    let there = match (namespace, &listing.namespace) {
        (Some(asked), Some(listed)) => asked == listed,
        _ => true,
    };
    of_kind && there
}

fn whole_namespace(namespace: &str) -> Gap {
    Gap {
        group: String::new(),
        resource: format!("namespace {namespace}"),
        namespace: Some(namespace.to_owned()),
        verb: "list",
        reason: Reason::NotInDump,
        status: None,
        message: format!("the dump holds nothing of namespace {namespace}"),
    }
}
