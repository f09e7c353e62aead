//! A tree for the eye: verdict, one line per object, what could not be read.

use std::collections::{BTreeMap, BTreeSet};

use super::table::{Cell, Table};
use crate::inspect::graph::Mention;
use crate::inspect::tree::{LinkWord, Node, Row, Stem, Tree};
use crate::model::gap::{Gap, Reason};
use crate::model::health::Verdict;
use crate::model::ident::group_of;
use crate::model::snapshot::Reach;
use crate::ui::{Styles, Tone};

/// This many unreadable kinds are named; JSON has all.
const NAMED: usize = 5;

/// How much of each object is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum View {
    Usual,
    Wide,
}

/// How times are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Times {
    /// `3m`, `5d4h`.
    Ages,
    Absolute,
}

/// Writes the whole answer but for its last line, the next command.
pub fn write(tree: &Tree, view: View, times: Times, styles: &Styles, width: Option<u16>) -> String {
    let headline = styles.toned(tone(tree.verdict()), &tree.headline);
    let table = match view {
        View::Usual => usual(tree, times, styles, width),
        View::Wide => wide(tree, times, styles, width),
    };
    format!("{headline}\n\n{table}\n{}\n", footer(tree, styles))
}

/// Every object as kubectl's `-o name` has it.
pub fn names(tree: &Tree, styles: &Styles) -> String {
    tree.nodes.iter().map(|node| styles.plain(&resource_name(node)) + "\n").collect()
}

fn resource_name(node: &Node) -> String {
    let kind = node.name.kind.to_lowercase();
    match group_of(&node.name.api_version) {
        "" => format!("{kind}/{}", node.name.name),
        group => format!("{kind}.{group}/{}", node.name.name),
    }
}

fn usual(tree: &Tree, times: Times, styles: &Styles, width: Option<u16>) -> String {
    let mut table = Table::new(["NAME", "READY", "STATUS", "AGE", ""]);
    for row in &tree.rows {
        let [name, ready, status, age] = columns(tree, row, times, styles);
        table.row([name, ready, status, age, row.notes.join("; ").into()]);
    }
    table.write(styles, width)
}

fn wide(tree: &Tree, times: Times, styles: &Styles, width: Option<u16>) -> String {
    let mut table = Table::new(["NAME", "READY", "STATUS", "AGE", "NAMESPACE", "UID", "RULE", ""]);
    for row in &tree.rows {
        let node = &tree.nodes[row.node];
        let [name, ready, status, age] = columns(tree, row, times, styles);
        let namespace = node.name.namespace.clone().unwrap_or_else(|| "-".to_owned());
        let mut notes = row.notes.clone();
        notes.extend(node.message.clone().filter(|_| row.mention == Mention::Home));
        let (uid, rule) = (node.uid.clone(), node.rule.to_owned());
        table.row([
            name,
            ready,
            status,
            age,
            namespace.into(),
            uid.into(),
            rule.into(),
            notes.join("; ").into(),
        ]);
    }
    table.write(styles, width)
}

fn columns(tree: &Tree, row: &Row, times: Times, styles: &Styles) -> [Cell; 4] {
    let node = &tree.nodes[row.node];
    let home = tree.nodes.first().and_then(|root| root.name.namespace.as_ref());
    let mut name = prefix(row, styles) + &node.name.to_string();
    // Where it is not where the root is, the name alone would mislead.
    if let Some(namespace) = node.name.namespace.as_ref().filter(|namespace| Some(*namespace) != home) {
        name = format!("{name} (in {namespace})");
    }
    let name = Cell { text: name, tone: if row.stems.is_empty() { Tone::Strong } else { Tone::Plain } };
    if row.mention != Mention::Home {
        let nothing = || Cell::from(String::new());
        return [name, nothing(), nothing(), nothing()];
    }
    let age = match (times, node.created) {
        (Times::Absolute, Some(created)) => created.to_string(),
        _ => node.age(tree.now),
    };
    let ready = node.ready.clone().unwrap_or_else(|| "-".to_owned());
    [name, ready.into(), Cell { text: node.status.clone(), tone: tone(node.verdict) }, age.into()]
}

/// The lines to the left of a name: solid from a controller, dotted from another owner.
fn prefix(row: &Row, styles: &Styles) -> String {
    let lines = styles.draws_lines();
    let Some((own, above)) = row.stems.split_last() else { return String::new() };
    let passing = |stem: &Stem| match (stem, lines) {
        (Stem::GoesOn, true) => "│ ",
        (Stem::GoesOn, false) => "| ",
        (Stem::Ends, _) => "  ",
    };
    let solid = row.link == Some(LinkWord::Controller);
    let own = match (own, lines, solid) {
        (Stem::GoesOn, true, true) => "├─",
        (Stem::GoesOn, true, false) => "├╌",
        (Stem::Ends, true, true) => "└─",
        (Stem::Ends, true, false) => "└╌",
        (Stem::GoesOn, false, true) => "|-",
        (Stem::GoesOn, false, false) => "|.",
        (Stem::Ends, false, true) => "`-",
        (Stem::Ends, false, false) => "`.",
    };
    above.iter().map(passing).collect::<String>() + own
}

/// What a verdict means for the eye.
pub(super) const fn tone(verdict: Verdict) -> Tone {
    match verdict {
        Verdict::None => Tone::Plain,
        Verdict::Ready => Tone::Good,
        Verdict::Progressing | Verdict::Suspended => Tone::Moving,
        Verdict::NotReady | Verdict::Terminating => Tone::Uneasy,
        Verdict::Failed | Verdict::Stuck => Tone::Bad,
        Verdict::Unknown => Tone::Dim,
    }
}

/// Whether this is all there is, and if not, what is missing and why.
fn footer(tree: &Tree, styles: &Styles) -> String {
    let place = match &tree.reach {
        Reach::Namespace(namespace) => format!("in {namespace}"),
        Reach::Cluster => "in all namespaces".to_owned(),
    };
    let asked = tree.kinds_asked;
    if tree.complete {
        return styles.plain(&format!("complete: {asked} kinds read {place}"));
    }
    let count = tree.gaps.iter().map(Gap::what).collect::<BTreeSet<_>>().len();
    let missing = missing(&tree.gaps);
    styles.toned(Tone::Uneasy, &format!("incomplete: {missing}; {count} of {asked} kinds {place}"))
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
    format!("{}{more} not readable ({reason})", names.join(", "))
}
