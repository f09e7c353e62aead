//! The line below every report that says whether everything could be read.

use std::collections::{BTreeMap, HashSet};

use crate::model::coverage::{Coverage, Scope};
use crate::model::gap::{Gap, Reason};
use crate::ui::{Styles, Tone};

/// How many unreadable kinds are named per reason; JSON has all.
const MAX_NAMED: usize = 5;

/// Whether everything could be read and, if not, what is missing and why.
pub fn completeness(coverage: &Coverage, styles: &Styles) -> String {
    if coverage.is_complete() {
        return styles.plain(&format!("complete: {} read {}", kinds(coverage.kinds), place(coverage)));
    }
    styles.toned(Tone::Warning, &incomplete(coverage))
}

/// What could not be read: kinds out of all kinds, then what is not a kind, then unreadable parts of a dump.
pub(super) fn incomplete(coverage: &Coverage) -> String {
    let (unreadable, unread): (Vec<&Gap>, Vec<&Gap>) =
        coverage.gaps.iter().partition(|gap| gap.reason == Reason::Broken);
    let (of_kinds, others): (Vec<&Gap>, Vec<&Gap>) = unread.into_iter().partition(|gap| gap.is_of_kind());
    let place = place(coverage);
    let mut parts = Vec::new();
    match names(&of_kinds).len() {
        // The dump has nothing from the namespace at all.
        0 if others.iter().any(|gap| gap.reason == Reason::NotInDump) => {}
        0 => parts.push(format!("{} read {place}", kinds(coverage.kinds))),
        // Kinds that were read for single objects are not among those that were listed.
        count if count > coverage.kinds => {
            parts.push(format!("{} {place} not read: {}", kinds(count), by_reason(&of_kinds)));
        }
        count => {
            let all = kinds(coverage.kinds);
            parts.push(format!("{count} of {all} {place} not read: {}", by_reason(&of_kinds)));
        }
    }
    if !others.is_empty() {
        let also = if of_kinds.is_empty() { "" } else { "also " };
        parts.push(format!("{also}not read: {}", by_reason(&others)));
    }
    if !unreadable.is_empty() {
        parts.push(format!("{}: {}", Reason::Broken, listed(names(&unreadable))));
    }
    format!("incomplete: {}", parts.join("; "))
}

fn place(coverage: &Coverage) -> String {
    match &coverage.scope {
        Scope::Namespace(namespace) => format!("in namespace {namespace}"),
        Scope::Cluster => "in all namespaces".to_owned(),
    }
}

fn kinds(count: usize) -> String {
    if count == 1 { "1 kind".to_owned() } else { format!("{count} kinds") }
}

/// `secrets, podtemplates (forbidden); foos.example.com (timed out)`.
fn by_reason(gaps: &[&Gap]) -> String {
    let mut by_reason: BTreeMap<Reason, Vec<&Gap>> = BTreeMap::new();
    for gap in gaps {
        by_reason.entry(gap.reason).or_default().push(gap);
    }
    let parts: Vec<String> =
        by_reason.iter().map(|(reason, gaps)| format!("{} ({reason})", listed(names(gaps)))).collect();
    parts.join("; ")
}

/// What the gaps are about, each once.
fn names(gaps: &[&Gap]) -> Vec<String> {
    let mut names: Vec<String> = gaps.iter().map(|gap| gap.what()).collect();
    let mut seen = HashSet::new();
    names.retain(|name| seen.insert(name.clone()));
    names
}

fn listed(mut names: Vec<String>) -> String {
    let more = names.len().saturating_sub(MAX_NAMED);
    names.truncate(MAX_NAMED);
    let more = if more > 0 { format!(" and {more} more") } else { String::new() };
    format!("{}{more}", names.join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn gap(group: &str, resource: &str, reason: Reason) -> Gap {
        Gap {
            group: group.to_owned(),
            resource: resource.to_owned(),
            namespace: None,
            verb: "list",
            reason,
            status: None,
            message: String::new(),
        }
    }

    fn text(kinds: usize, gaps: Vec<Gap>) -> String {
        let scope = Scope::Namespace("shop".to_owned());
        completeness(&Coverage { kinds, scope, gaps, ..Coverage::default() }, &Styles::default())
    }

    #[test]
    fn kinds_are_counted_and_grouped_by_reason() {
        assert_eq!(text(214, Vec::new()), "complete: 214 kinds read in namespace shop");
        let gaps = vec![
            gap("", "secrets", Reason::Forbidden),
            gap("", "podtemplates", Reason::Forbidden),
            gap("example.com", "foos", Reason::Timeout),
        ];
        assert_eq!(
            text(214, gaps),
            "incomplete: 3 of 214 kinds in namespace shop not read: secrets, podtemplates (forbidden); \
             foos.example.com (timed out)"
        );
    }

    #[test]
    fn what_is_not_a_kind_is_not_counted_as_one() {
        let broken = |line: usize| gap("", &format!("shop.yaml line {line}"), Reason::Broken);
        let gaps: Vec<Gap> = (1..=7).map(broken).collect();
        assert_eq!(
            text(3, gaps.clone()),
            "incomplete: 3 kinds read in namespace shop; not readable in the dump: shop.yaml line 1, shop.yaml line 2, \
             shop.yaml line 3, shop.yaml line 4, shop.yaml line 5 and 2 more"
        );
        let secrets = gap("", "secrets", Reason::NotInDump);
        assert_eq!(
            text(3, vec![secrets.clone(), gaps[0].clone()]),
            "incomplete: 1 of 3 kinds in namespace shop not read: secrets (not in the dump); \
             not readable in the dump: shop.yaml line 1"
        );
        let group = gap("metrics.k8s.io", "", Reason::Unavailable);
        assert_eq!(
            text(3, vec![group.clone()]),
            "incomplete: 3 kinds read in namespace shop; not read: group metrics.k8s.io (unavailable)"
        );
        assert_eq!(
            text(3, vec![secrets.clone(), group]),
            "incomplete: 1 of 3 kinds in namespace shop not read: secrets (not in the dump); \
             also not read: group metrics.k8s.io (unavailable)"
        );
        assert_eq!(
            text(3, vec![gap("", "namespace shop", Reason::NotInDump)]),
            "incomplete: not read: namespace shop (not in the dump)"
        );
        assert_eq!(
            text(1, vec![gap("", "configmaps", Reason::Forbidden), secrets]),
            "incomplete: 2 kinds in namespace shop not read: configmaps (forbidden); secrets (not in the dump)"
        );
    }
}
