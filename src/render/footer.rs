//! Whether an answer is all there is: the line under every report.

use std::collections::{BTreeMap, BTreeSet};

use crate::model::coverage::{Coverage, Scope};
use crate::model::gap::{Gap, Reason};
use crate::ui::{Styles, Tone};

/// This many unreadable kinds are named; JSON has all.
const NAMED: usize = 5;

/// Whether this is all there is, and if not, what is missing and why.
pub fn completeness(coverage: &Coverage, styles: &Styles) -> String {
    let place = match &coverage.scope {
        Scope::Namespace(namespace) => format!("in {namespace}"),
        Scope::Cluster => "in all namespaces".to_owned(),
    };
    let asked = match coverage.kinds {
        1 => "1 kind".to_owned(),
        asked => format!("{asked} kinds"),
    };
    if coverage.is_complete() {
        return styles.plain(&format!("complete: {asked} read {place}"));
    }
    let count = coverage.gaps.iter().map(Gap::what).collect::<BTreeSet<_>>().len();
    let said = format!("incomplete: {}; {count} of {asked} {place}", missing(&coverage.gaps));
    styles.toned(Tone::Uneasy, &said)
}

/// What could not be read, together by why.
pub(super) fn missing(gaps: &[Gap]) -> String {
    let mut by_reason: BTreeMap<Reason, Vec<&Gap>> = BTreeMap::new();
    for gap in gaps {
        by_reason.entry(gap.reason).or_default().push(gap);
    }
    let parts: Vec<String> = by_reason.iter().map(|(reason, gaps)| unreadable(*reason, gaps)).collect();
    parts.join("; ")
}

fn unreadable(reason: Reason, gaps: &[&Gap]) -> String {
    let mut names: Vec<String> = gaps.iter().map(|gap| gap.what()).collect();
    names.dedup();
    let more = names.len().saturating_sub(NAMED);
    names.truncate(NAMED);
    let more = if more > 0 { format!(" and {more} more") } else { String::new() };
    let names = names.join(", ");
    match reason {
        Reason::NotInDump | Reason::Broken => format!("{names}{more} {reason}"),
        _ => format!("{names}{more} not readable ({reason})"),
    }
}
