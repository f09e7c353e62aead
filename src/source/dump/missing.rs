//! Gaps for the kinds of which a dump contains nothing: that is no proof that there were none.

use std::collections::BTreeSet;

use super::Dump;
use super::index::{CompleteList, ListedResource};
use crate::known::kinds::{is_worth_listing, moved_to};
use crate::model::coverage::Scope;
use crate::model::gap::{Gap, Reason};
use crate::model::kind::Kind;
use crate::source::query::is_within;

/// One gap for every relevant kind of which the dump has neither an object nor a list.
pub(super) fn missing_gaps(dump: &Dump, scope: &Scope) -> Vec<Gap> {
    let namespace = scope.namespace();
    let is_in_reach = |held: Option<&String>| namespace.is_none() || held.map(String::as_str) == namespace;
    if let Some(namespace) = namespace {
        let has_objects = dump.entries.iter().any(|entry| is_in_reach(entry.meta.name.namespace.as_ref()));
        let has_lists = dump.complete_lists.iter().any(|list| list.namespace.as_deref() == Some(namespace));
        if !has_objects && !has_lists {
            return vec![namespace_gap(namespace)];
        }
    }
    let present: BTreeSet<String> = dump
        .entries
        .iter()
        .filter(|entry| is_in_reach(entry.meta.name.namespace.as_ref()))
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
            message: format!("the dump contains no {}", kind.full_name()),
        })
        .collect()
}

impl Dump {
    /// Whether the dump contains a complete list of a kind, in a namespace or anywhere.
    pub(super) fn is_listed(&self, kind: &Kind, namespace: Option<&str>) -> bool {
        self.complete_lists.iter().any(|list| covers(list, kind, namespace))
    }
}

/// Whether a list is complete for a kind in a namespace; without a namespace, whether it lists the kind at all.
fn covers(list: &CompleteList, kind: &Kind, namespace: Option<&str>) -> bool {
    let of_kind = match &list.resource {
        ListedResource::Kind(of) => *of == kind.group_kind(),
        ListedResource::Hint(hint) => {
            let is_group =
                |group: &String| *group == kind.group || moved_to(group, &kind.kind) == Some(&kind.group);
            hint.plural == kind.plural && hint.group.as_ref().is_none_or(is_group)
        }
    };
    let there = match (namespace, &list.namespace) {
        (Some(asked), Some(listed)) => asked == listed,
        _ => true,
    };
    of_kind && there
}

fn namespace_gap(namespace: &str) -> Gap {
    Gap {
        group: String::new(),
        resource: format!("namespace {namespace}"),
        namespace: Some(namespace.to_owned()),
        verb: "list",
        reason: Reason::NotInDump,
        status: None,
        message: format!("the dump contains nothing from namespace {namespace}"),
    }
}
