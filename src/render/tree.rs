//! A tree for the eye: verdict, one line per object, what could not be read.

use super::footer::{Extent, completeness};
use super::table::{Cell, Table};
use super::wrap::sentence;
use crate::inspect::graph::Occurrence;
use crate::inspect::tree::{LinkKind, Row, Stem, Tree, Unseen, What};
use crate::model::health::Verdict;
use crate::model::ident::{ObjectName, group_of};
use crate::model::snapshot::Reach;
use crate::ui::{Styles, Tone};

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

/// Writes the verdict and the tree; the footer and the next command follow.
pub fn write(tree: &Tree, view: View, times: Times, styles: &Styles, width: Option<u16>) -> String {
    let headline = sentence(&tree.headline, tone(tree.verdict()), styles, width);
    let table = match view {
        View::Usual => usual(tree, times, styles, width),
        View::Wide => wide(tree, times, styles, width),
    };
    format!("{headline}\n\n{table}")
}

/// Every object as kubectl's `-o name` has it.
pub fn names(tree: &Tree, styles: &Styles) -> String {
    tree.nodes.iter().map(|node| styles.plain(&resource_name(&node.name)) + "\n").collect()
}

pub(super) fn resource_name(name: &ObjectName) -> String {
    let kind = name.kind.to_lowercase();
    match group_of(&name.api_version) {
        "" => format!("{kind}/{}", name.name),
        group => format!("{kind}.{group}/{}", name.name),
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
        let [name, ready, status, age] = columns(tree, row, times, styles);
        let What::Node(node) = &row.what else {
            let nothing = || Cell::from("-".to_owned());
            let notes = row.notes.join("; ").into();
            table.row([name, ready, status, age, nothing(), nothing(), nothing(), notes]);
            continue;
        };
        let node = &tree.nodes[*node];
        let namespace = node.name.namespace.clone().unwrap_or_else(|| "-".to_owned());
        let mut notes = row.notes.clone();
        if row.occurrence == Occurrence::Primary {
            notes.extend(node.message.clone());
            let printed = node.printed.iter().map(|column| format!("{}={}", column.name, column.value));
            notes.extend(Some(printed.collect::<Vec<_>>().join(" ")).filter(|text| !text.is_empty()));
        }
        let (uid, rule) = (node.uid.clone(), node.rule.to_string());
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
    let node = match &row.what {
        What::Node(node) => &tree.nodes[*node],
        What::Fold(fold) => {
            let name = Cell { text: prefix(row, styles) + &fold.text, tone: Tone::Plain };
            let ready = fold.ready.clone().unwrap_or_else(|| "-".to_owned());
            let status = Cell { text: fold.status.clone(), tone: tone(fold.verdict) };
            return [name, ready.into(), status, Cell::from("-".to_owned())];
        }
    };
    // Among all namespaces, also the root's is worth saying.
    let root = tree.nodes.first().filter(|_| tree.reach != Reach::Cluster);
    let home = root.and_then(|root| root.name.namespace.as_ref());
    let guess = if row.link == Some(LinkKind::Related) { "~" } else { "" };
    let mut name = format!("{}{guess}{}", prefix(row, styles), node.name);
    // Where it is not where the root is, the name alone would mislead.
    if let Some(namespace) = node.name.namespace.as_ref().filter(|namespace| Some(*namespace) != home) {
        name = format!("{name} (in {namespace})");
    }
    let name = Cell { text: name, tone: if node.id == tree.root { Tone::Strong } else { Tone::Plain } };
    if row.occurrence != Occurrence::Primary {
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
    // What is only related has its own mark.
    let solid = row.link != Some(LinkKind::Owner);
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
pub fn footer(tree: &Tree, styles: &Styles) -> String {
    let unseen = match tree.unseen {
        Unseen { hidden: 0, folded: 0 } => String::new(),
        Unseen { hidden: 0, folded } => format!("folded: {folded} objects that are fine; --all shows them\n"),
        Unseen { hidden, folded: 0 } => format!("hidden: {hidden} objects, by the filters\n"),
        Unseen { hidden, folded } => {
            format!("hidden: {hidden} objects, by the filters; {folded} more are folded, --all shows them\n")
        }
    };
    let extent = Extent { kinds_asked: tree.kinds_asked, reach: &tree.reach, gaps: &tree.gaps };
    format!("{unseen}{}", completeness(&extent, styles))
}
