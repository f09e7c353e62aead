//! Tables as kubectl prints them: upper-case headers, two spaces between columns, no borders.

use comfy_table::{ColumnConstraint, presets};

use super::wrap::wrap_words;
use crate::ui::{Styles, Tone, display_width};

/// The space between two columns.
const GAP: u16 = 2;

/// If the last column would be narrower than this, it is written below its row instead.
const MIN_LAST_COLUMN: u16 = 16;

/// The indentation of text below its row.
const INDENT: &str = "      ";

/// One cell of a table.
#[derive(Clone, Debug, Default)]
pub struct Cell {
    pub text: String,
    pub tone: Tone,
}

impl From<String> for Cell {
    fn from(text: String) -> Self {
        Self { text, tone: Tone::Plain }
    }
}

/// Rows below headers. Cells are escaped when the table is written.
#[derive(Debug)]
pub struct Table<const N: usize> {
    headers: [&'static str; N],
    rows: Vec<[Cell; N]>,
}

impl<const N: usize> Table<N> {
    /// A table without rows.
    pub fn new(headers: [&'static str; N]) -> Self {
        Self { headers, rows: Vec::new() }
    }

    /// Adds a row, one cell per header.
    pub fn row<C: Into<Cell>>(&mut self, cells: [C; N]) {
        self.rows.push(cells.map(Into::into));
    }

    /// Writes the table. With a `width`, only the last column wraps.
    pub fn write(&self, styles: &Styles, width: Option<u16>) -> String {
        let rows = self.rows.iter().map(|row| row.to_vec()).collect();
        layout(self.headers.map(str::to_owned).to_vec(), rows, styles, width)
    }
}

/// A cell with a text, or `-` without one.
pub(super) fn or_nothing(text: &str) -> Cell {
    Cell::from(if text.is_empty() { "-" } else { text }.to_owned())
}

/// Whether values differ, so that they are worth a column.
pub(super) fn differ(values: &[Option<&str>]) -> bool {
    values.windows(2).any(|pair| pair[0] != pair[1])
}

/// Lays out rows of cells. `header` may be empty.
pub(super) fn layout(
    header: Vec<String>,
    rows: Vec<Vec<Cell>>,
    styles: &Styles,
    width: Option<u16>,
) -> String {
    let mut painted = paint(&rows, styles);
    let table = arranged(&header, &painted);
    let widths = table.column_max_content_widths();
    let taken =
        widths.iter().rev().skip(1).fold(0_u16, |sum, width| sum.saturating_add(*width).saturating_add(GAP));
    let last = widths.last().copied().unwrap_or_default();
    let Some(width) = width.filter(|width| taken.saturating_add(last) > *width) else {
        return lines(&table).join("\n") + "\n";
    };
    let (room, below) = (width.saturating_sub(taken), below_width(width));
    // A word that fits only below its row is not broken beside it.
    let fits = |word: &str| display_width(word) <= usize::from(room) || display_width(word) > below;
    let beside = room >= MIN_LAST_COLUMN
        && rows.iter().filter_map(|row| row.last()).all(|cell| cell.text.split_whitespace().all(fits));
    if !beside {
        return stacked(header, rows, styles, width);
    }
    for (painted, row) in painted.iter_mut().zip(&rows) {
        if let (Some(painted), Some(cell)) = (painted.last_mut(), row.last()) {
            *painted = wrapped(cell, styles, room.into()).join("\n");
        }
    }
    lines(&arranged(&header, &painted)).join("\n") + "\n"
}

fn paint(rows: &[Vec<Cell>], styles: &Styles) -> Vec<Vec<String>> {
    let paint = |row: &Vec<Cell>| row.iter().map(|cell| styles.toned(cell.tone, &cell.text)).collect();
    rows.iter().map(paint).collect()
}

/// The lines of a cell, each with its style.
fn wrapped(cell: &Cell, styles: &Styles, width: usize) -> Vec<String> {
    let lines = wrap_words(&Styles::default().plain(&cell.text), width);
    lines.iter().map(|line| styles.toned(cell.tone, line)).collect()
}

fn arranged(header: &[String], rows: &[Vec<String>]) -> comfy_table::Table {
    let mut table = comfy_table::Table::new();
    table.load_style(presets::NOTHING).add_rows(rows);
    if !header.is_empty() {
        table.set_header(header);
    }
    for column in table.column_iter_mut() {
        column.set_padding((0, GAP)).set_constraint(ColumnConstraint::ContentWidth);
    }
    table
}

fn lines(table: &comfy_table::Table) -> Vec<String> {
    table.lines().map(|line| line.trim_end().to_owned()).collect()
}

/// The width of text below its row.
fn below_width(width: u16) -> usize {
    usize::from(width).saturating_sub(INDENT.len()).max(usize::from(MIN_LAST_COLUMN))
}

/// Writes the last column below each row, because there is no room beside it.
fn stacked(mut header: Vec<String>, mut rows: Vec<Vec<Cell>>, styles: &Styles, width: u16) -> String {
    let below: Vec<Cell> = rows.iter_mut().filter_map(Vec::pop).collect();
    header.pop();
    let above = lines(&arranged(&header, &paint(&rows, styles)));
    let mut below = below.into_iter();
    let mut text = String::new();
    for (at, line) in above.into_iter().enumerate() {
        text.push_str(&line);
        text.push('\n');
        if at == 0 && !header.is_empty() {
            continue;
        }
        let Some(cell) = below.next() else { continue };
        for part in wrapped(&cell, styles, below_width(width)).iter().filter(|part| !part.is_empty()) {
            text.push_str(INDENT);
            text.push_str(part);
            text.push('\n');
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sample() -> Table<2> {
        let mut table = Table::new(["NAME", "MEANING"]);
        table.row(["a-long-name".to_owned(), "words that can be put on a line of their own".into()]);
        table.row(["b\x1b[31m".to_owned(), "日本".into()]);
        table
    }

    #[test]
    fn a_pipe_gets_one_line_per_row() {
        insta::assert_snapshot!(sample().write(&Styles::default(), None), @"
        NAME         MEANING
        a-long-name  words that can be put on a line of their own
        b^[[31m      日本
        ");
    }

    #[test]
    fn a_terminal_gets_the_last_column_wrapped() {
        let text = sample().write(&Styles::default(), Some(40));
        insta::assert_snapshot!(text, @"
        NAME         MEANING
        a-long-name  words that can be put on a
                     line of their own
        b^[[31m      日本
        ");
        assert!(text.lines().all(|line| line.chars().count() <= 40));
    }

    #[test]
    fn a_row_never_runs_over_the_edge_while_there_is_room() {
        for width in 29..=70 {
            let text = sample().write(&Styles::default(), Some(width));
            assert!(text.lines().all(|line| line.chars().count() <= usize::from(width)), "{width}\n{text}");
        }
    }

    #[test]
    fn a_narrow_terminal_gets_the_words_below_the_row() {
        insta::assert_snapshot!(sample().write(&Styles::default(), Some(24)), @"
        NAME
        a-long-name
              words that can be
              put on a line of
              their own
        b^[[31m
              日本
        ");
    }

    #[test]
    fn a_word_that_fits_only_below_its_row_is_not_broken() {
        let mut table = Table::new(["NAME", "CAUSE"]);
        table.row([
            "VmGroup/old".to_owned(),
            "waiting for finalizer vm.codeconnect.vmworld.com/finalizer".into(),
        ]);
        insta::assert_snapshot!(table.write(&Styles::default(), Some(44)), @"
        NAME
        VmGroup/old
              waiting for finalizer
              vm.codeconnect.vmworld.com/finalizer
        ");
    }
}
