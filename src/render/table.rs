//! Tables as kubectl prints them: capitals on top, two spaces between columns, nothing around.

use comfy_table::{ColumnConstraint, Width, presets};

use crate::ui::{Styles, Tone};

/// Between two columns.
const GAP: u16 = 2;

/// A last column narrower than this is easier to read when it runs over the edge.
const READABLE: u16 = 20;

/// What stands in one place of a table.
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

/// Rows under headers. Text goes in as it came; it is made harmless on the way out.
#[derive(Debug)]
pub struct Table<const N: usize> {
    headers: [&'static str; N],
    rows: Vec<[Cell; N]>,
}

impl<const N: usize> Table<N> {
    /// A table without rows yet.
    pub fn new(headers: [&'static str; N]) -> Self {
        Self { headers, rows: Vec::new() }
    }

    /// Adds a row, one cell per header.
    pub fn row<C: Into<Cell>>(&mut self, cells: [C; N]) {
        self.rows.push(cells.map(Into::into));
    }

    /// Writes the table. Given a `width`, the last column wraps inside it; no other ever does.
    pub fn write(&self, styles: &Styles, width: Option<u16>) -> String {
        let header = self.headers.map(str::to_owned).to_vec();
        let painted = |row: &[Cell; N]| row.iter().map(|cell| styles.toned(cell.tone, &cell.text)).collect();
        lay_out(header, self.rows.iter().map(painted), width)
    }
}

/// Lays out cells that are painted already; without headers when there are none.
pub(super) fn lay_out(
    header: Vec<String>,
    rows: impl Iterator<Item = Vec<String>>,
    width: Option<u16>,
) -> String {
    let mut table = comfy_table::Table::new();
    table.load_style(presets::NOTHING).add_rows(rows);
    if !header.is_empty() {
        table.set_header(header);
    }
    for column in table.column_iter_mut() {
        column.set_padding((0, GAP)).set_constraint(ColumnConstraint::ContentWidth);
    }
    let widths = table.column_max_content_widths();
    let taken =
        widths.iter().rev().skip(1).fold(0_u16, |sum, width| sum.saturating_add(*width).saturating_add(GAP));
    if let Some(room) = width.and_then(|width| width.checked_sub(taken)).filter(|room| *room >= READABLE)
        && let Some(last) = table.column_iter_mut().last()
    {
        // The last column's padding is cut off with the line's end, but comfy-table counts it.
        last.set_constraint(ColumnConstraint::UpperBoundary(Width::Fixed(room.saturating_add(GAP))));
    }
    let lines: Vec<_> = table.lines().map(|line| line.trim_end().to_owned()).collect();
    lines.join("\n") + "\n"
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
    fn a_narrow_terminal_gets_the_row_unbroken() {
        assert_eq!(sample().write(&Styles::default(), Some(20)), sample().write(&Styles::default(), None));
    }
}
