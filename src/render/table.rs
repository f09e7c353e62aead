//! Tables as kubectl prints them: upper-case headers, two spaces between columns, no borders.

use comfy_table::{ColumnConstraint, Width, presets};

use super::wrap::wrap_words;
use crate::ui::{Styles, Tone};

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
        let header = self.headers.map(str::to_owned).to_vec();
        let painted = |row: &[Cell; N]| row.iter().map(|cell| styles.toned(cell.tone, &cell.text)).collect();
        layout(header, self.rows.iter().map(painted), width)
    }
}

/// Lays out cells that are styled already. `header` may be empty.
pub(super) fn layout(
    header: Vec<String>,
    rows: impl Iterator<Item = Vec<String>>,
    width: Option<u16>,
) -> String {
    let rows: Vec<Vec<String>> = rows.collect();
    let mut table = arranged(&header, &rows);
    let widths = table.column_max_content_widths();
    let taken =
        widths.iter().rev().skip(1).fold(0_u16, |sum, width| sum.saturating_add(*width).saturating_add(GAP));
    let last = widths.last().copied().unwrap_or_default();
    match width {
        Some(width) if taken.saturating_add(last) > width => {
            let room = width.saturating_sub(taken);
            if room < MIN_LAST_COLUMN {
                return stacked(header, rows, width);
            }
            if let Some(last) = table.column_iter_mut().last() {
                // The padding of the last column is trimmed from the line, but comfy-table counts it.
                last.set_constraint(ColumnConstraint::Absolute(Width::Fixed(room.saturating_add(GAP))));
            }
        }
        _ => {}
    }
    lines(&table).join("\n") + "\n"
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

/// Writes the last column below each row, because there is no room beside it.
fn stacked(mut header: Vec<String>, mut rows: Vec<Vec<String>>, width: u16) -> String {
    let below: Vec<String> = rows.iter_mut().filter_map(Vec::pop).collect();
    header.pop();
    let above = lines(&arranged(&header, &rows));
    let mut below = below.into_iter();
    let mut text = String::new();
    for (at, line) in above.into_iter().enumerate() {
        text.push_str(&line);
        text.push('\n');
        if at == 0 && !header.is_empty() {
            continue;
        }
        let words = below.next().unwrap_or_default();
        let room = usize::from(width).saturating_sub(INDENT.len()).max(usize::from(MIN_LAST_COLUMN));
        for part in wrap_words(&words, room).iter().filter(|part| !part.is_empty()) {
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
}
