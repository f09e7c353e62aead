//! A tree as text: headline, one line per object, and what could not be read.

use super::footer::completeness;
use super::table::{Cell, Table, differ, layout, or_nothing};
use super::wrap::wrap_styled;
use crate::inspect::graph::Occurrence;
use crate::inspect::tree::{Guide, LinkKind, MAX_GUIDES, Row, RowContent, Tree};
use crate::model::code::Code;
use crate::model::coverage::{Coverage, Scope};
use crate::model::health::{Finding, Verdict};
use crate::model::ident::{ObjectName, group_of};
use crate::model::now::{Now, Times};
use crate::model::plural::counted;
use crate::ui::{Styles, Tone};

/// Which columns are shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ColumnSet {
    Default,
    Wide,
}

/// How a tree is written.
#[derive(Clone, Copy, Debug)]
pub struct WriteOptions<'a> {
    pub column_set: ColumnSet,
    pub times: Times,
    pub coverage: &'a Coverage,
    pub styles: &'a Styles,
    pub width: Option<u16>,
}

/// Writes the headline and the tree. The footer and the next command follow.
pub fn write(tree: &Tree, options: WriteOptions<'_>) -> String {
    let headline = wrap_styled(&tree.headline, tone(tree.verdict), options.styles, options.width);
    let table = match options.column_set {
        ColumnSet::Default => usual(tree, options),
        ColumnSet::Wide => wide(tree, options),
    };
    format!("{headline}\n\n{table}")
}

/// Every object as `kubectl get -o name` prints it.
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

fn usual(tree: &Tree, options: WriteOptions<'_>) -> String {
    let mut table = Table::new(["NAME", "READY", "STATUS", age_header(options.times), ""]);
    for row in &tree.rows {
        let [name, ready, status, age] = columns(tree, row, options);
        table.row([name, ready, status, age, row.notes.join("; ").into()]);
    }
    table.write(options.styles, options.width)
}

fn wide(tree: &Tree, options: WriteOptions<'_>) -> String {
    let mut headers = vec!["NAME", "READY", "STATUS", age_header(options.times), "UID", "RULE", ""];
    let (mut rows, mut namespaces) = (Vec::with_capacity(tree.rows.len()), Vec::new());
    for row in &tree.rows {
        let mut cells = Vec::from(columns(tree, row, options));
        let node = match &row.content {
            RowContent::Node(node) => Some(&tree.nodes[*node]),
            RowContent::Fold(_) => None,
        };
        let mut notes = row.notes.clone();
        if let Some(node) = node.filter(|_| row.occurrence == Occurrence::Primary) {
            notes.extend(node.own.message.clone());
            let printed =
                node.printed.iter().flatten().map(|column| format!("{}={}", column.name, column.value));
            notes.extend(Some(printed.collect::<Vec<_>>().join(" ")).filter(|text| !text.is_empty()));
        }
        cells.extend([
            or_nothing(node.map_or("", |node| node.uid.as_str())),
            or_nothing(&node.map_or_else(String::new, |node| node.own.rule.to_string())),
            notes.join("; ").into(),
        ]);
        rows.push(cells);
        namespaces.push(node.and_then(|node| node.name.namespace.as_deref()));
    }
    let of_nodes = tree.nodes.iter().map(|node| node.name.namespace.as_deref());
    if differ(&of_nodes.collect::<Vec<_>>()) {
        headers.insert(4, "NAMESPACE");
        for (row, namespace) in rows.iter_mut().zip(namespaces) {
            row.insert(4, or_nothing(namespace.unwrap_or_default()));
        }
    }
    layout(headers.into_iter().map(str::to_owned).collect(), rows, options.styles, options.width)
}

/// The header of the column with ages or times.
pub(super) const fn age_header(times: Times) -> &'static str {
    match times {
        Times::Ages => "AGE",
        Times::Absolute => "CREATED",
    }
}

fn columns(tree: &Tree, row: &Row, options: WriteOptions<'_>) -> [Cell; 4] {
    let node = match &row.content {
        RowContent::Node(node) => &tree.nodes[*node],
        RowContent::Fold(fold) => {
            let name = Cell { text: prefix(row, options.styles) + &fold.text, tone: Tone::Plain };
            let ready = fold.ready.clone().unwrap_or_else(|| "-".to_owned());
            let status = Cell { text: fold.status.clone(), tone: tone(fold.verdict) };
            return [name, ready.into(), status, Cell::from("-".to_owned())];
        }
    };
    // If all namespaces were searched, the root's is shown too.
    let root = tree.nodes.first().filter(|_| options.coverage.scope != Scope::Cluster);
    let home = root.and_then(|root| root.name.namespace.as_ref());
    let guess = if row.link == Some(LinkKind::Related) { "~" } else { "" };
    let mut name = format!("{}{guess}{}", prefix(row, options.styles), node.name);
    // The namespace, if it is not that of the root.
    if let Some(namespace) = node.name.namespace.as_ref().filter(|namespace| Some(*namespace) != home) {
        name = format!("{name} (in {namespace})");
    }
    let name = Cell { text: name, tone: if node.id == tree.root { Tone::Bold } else { Tone::Plain } };
    if row.occurrence != Occurrence::Primary {
        let nothing = || Cell::from(String::new());
        return [name, nothing(), nothing(), nothing()];
    }
    let age = node.age(Now { time: options.coverage.now, times: options.times });
    let ready = node.own.ready.clone().unwrap_or_else(|| "-".to_owned());
    [name, ready.into(), Cell { text: node.own.status.clone(), tone: tone(node.own.verdict) }, age.into()]
}

/// The lines to the left of a name: solid below a controller, dotted below another owner.
fn prefix(row: &Row, styles: &Styles) -> String {
    let lines = styles.draws_lines();
    let Some((own, above)) = row.guides.split_last() else { return String::new() };
    // Lines of thousands of levels would take more room than the objects.
    let level = if row.level > MAX_GUIDES { format!("(level {}) ", row.level) } else { String::new() };
    let passing = |guide: &Guide| match (guide, lines) {
        (Guide::Continues, true) => "│ ",
        (Guide::Continues, false) => "| ",
        (Guide::Ends, _) => "  ",
    };
    // A related object is marked with `~` instead.
    let solid = row.link != Some(LinkKind::Owner);
    let own = match (own, lines, solid) {
        (Guide::Continues, true, true) => "├─",
        (Guide::Continues, true, false) => "├╌",
        (Guide::Ends, true, true) => "└─",
        (Guide::Ends, true, false) => "└╌",
        (Guide::Continues, false, true) => "|-",
        (Guide::Continues, false, false) => "|.",
        (Guide::Ends, false, true) => "`-",
        (Guide::Ends, false, false) => "`.",
    };
    above.iter().map(passing).collect::<String>() + own + &level
}

pub(super) const fn tone(verdict: Verdict) -> Tone {
    match verdict {
        Verdict::None => Tone::Plain,
        Verdict::Ready => Tone::Good,
        Verdict::Progressing | Verdict::Suspended => Tone::Progressing,
        Verdict::NotReady | Verdict::Terminating => Tone::Warning,
        Verdict::Failed | Verdict::Stuck => Tone::Error,
        Verdict::Unknown => Tone::Dim,
    }
}

/// What is hidden or folded, and what could not be read.
pub fn footer(tree: &Tree, coverage: &Coverage, styles: &Styles) -> String {
    let hidden = match (tree.hidden, tree.folded) {
        (0, 0) => String::new(),
        (0, folded) => format!("folded: {} (use --all to show them)\n", counted(folded, "healthy object")),
        (hidden, 0) => format!("hidden: {}\n", counted(hidden, "object")),
        (hidden, folded) => {
            format!(
                "hidden: {}; folded: {} (use --all to show them)\n",
                counted(hidden, "object"),
                counted(folded, "healthy object")
            )
        }
    };
    let is_note =
        |finding: &&Finding| matches!(finding.code, Code::NotListedElsewhere | Code::PartlySearched);
    let elsewhere = tree.findings.iter().filter(is_note);
    let elsewhere: String = elsewhere
        .map(|finding| styles.plain(&format!("note: {} ({})", finding.message, finding.code)) + "\n")
        .collect();
    format!("{hidden}{elsewhere}{}", completeness(coverage, styles))
}
