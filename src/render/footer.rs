//! The line below every report that says whether everything could be read.

use std::collections::BTreeMap;

use crate::model::coverage::{Coverage, Scope};
use crate::model::gap::{Gap, Reason};
use crate::ui::{Styles, Tone};

/// How many unreadable kinds are named per reason; JSON has all.
const MAX_NAMED: usize = 5;

/// Whether everything could be read and, if not, what is missing and why.
pub fn completeness(coverage: &Coverage, styles: &Styles) -> String {
    let place = match &coverage.scope {
        Scope::Namespace(namespace) => format!("in {namespace}"),
        Scope::Cluster => "in all namespaces".to_owned(),
    };
    let kinds = match coverage.kinds {
        1 => "1 kind".to_owned(),
        kinds => format!("{kinds} kinds"),
    };
    if coverage.is_complete() {
        return styles.plain(&format!("complete: {kinds} read {place}"));
    }
    let read = coverage.kinds_read();
    let text = format!("incomplete: {}; {read} of {kinds} read {place}", summarize_gaps(&coverage.gaps));
    styles.toned(Tone::Warning, &text)
}

/// What could not be read, grouped by reason.
pub(super) fn summarize_gaps(gaps: &[Gap]) -> String {
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
    let more = names.len().saturating_sub(MAX_NAMED);
    names.truncate(MAX_NAMED);
    let more = if more > 0 { format!(" and {more} more") } else { String::new() };
    let names = names.join(", ");
    match reason {
        Reason::NotInDump | Reason::Broken => format!("{names}{more} {reason}"),
        _ => format!("{names}{more} not readable ({reason})"),
    }
}
