//! Rows and columns, in plain text or Markdown. The first column is words, the rest are numbers.

use crate::cli::Format;

/// A table whose rows are as long as its header.
#[derive(Clone, Debug)]
pub(crate) struct Table {
    header: Vec<&'static str>,
    rows: Vec<Vec<String>>,
    /// How many columns on the left are words.
    words: usize,
}

impl Table {
    pub(crate) fn new(header: &[&'static str], words: usize) -> Self {
        Self { header: header.to_vec(), rows: Vec::new(), words }
    }

    pub(crate) fn push(&mut self, row: Vec<String>) {
        self.rows.push(row);
    }

    /// With a line break at the end.
    pub(crate) fn render(&self, format: Format) -> String {
        match format {
            Format::Text => self.text(),
            Format::Markdown => self.markdown(),
        }
    }

    fn text(&self) -> String {
        let header: Vec<String> = self.header.iter().map(|title| title.to_uppercase()).collect();
        let width = |column: usize| {
            let cells = self.rows.iter().chain([&header]).filter_map(|row| row.get(column));
            cells.map(|cell| cell.chars().count()).max().unwrap_or_default()
        };
        let widths: Vec<usize> = (0..header.len()).map(width).collect();
        let line = |row: &Vec<String>| {
            let cells = row.iter().zip(&widths).enumerate().map(|(column, (cell, width))| {
                if column < self.words { format!("{cell:<width$}") } else { format!("{cell:>width$}") }
            });
            format!("{}\n", cells.collect::<Vec<_>>().join("  ").trim_end())
        };
        [&header].into_iter().chain(&self.rows).map(line).collect()
    }

    fn markdown(&self) -> String {
        let line = |row: &[String]| {
            let cells: Vec<_> = row.iter().map(|cell| cell.replace('|', "\\|")).collect();
            format!("| {} |\n", cells.join(" | "))
        };
        let header: Vec<String> = self.header.iter().map(|title| (*title).to_owned()).collect();
        let rule = |column| if column < self.words { "---" } else { "---:" };
        let rules: Vec<_> = (0..header.len()).map(rule).collect();
        let rows: String = self.rows.iter().map(|row| line(row)).collect();
        format!("{}|{}|\n{rows}", line(&header), rules.join("|"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table() -> Table {
        let mut table = Table::new(&["subject", "wall"], 1);
        table.push(vec!["kubectl-op".to_owned(), "9 ms".to_owned()]);
        table.push(vec!["a|b".to_owned(), "2.31 s".to_owned()]);
        table
    }

    #[test]
    fn text_is_aligned_with_numbers_to_the_right() {
        assert_eq!(
            table().render(Format::Text),
            "SUBJECT       WALL\nkubectl-op    9 ms\na|b         2.31 s\n"
        );
    }

    #[test]
    fn markdown_survives_bars() {
        assert_eq!(
            table().render(Format::Markdown),
            "| subject | wall |\n|---|---:|\n| kubectl-op | 9 ms |\n| a\\|b | 2.31 s |\n"
        );
    }
}
