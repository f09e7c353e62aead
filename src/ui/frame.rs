//! Output that replaces the previous output, on a terminal that can move its cursor.

use std::io::{self, IsTerminal as _};

use super::Ui;

/// Ranges of characters that are two columns wide, sorted: CJK, Hangul, full-width forms, emoji. Not exact, but good
/// enough to know where a line wraps.
const WIDE: &[std::ops::RangeInclusive<char>] = &[
    '\u{1100}'..='\u{115e}',
    '\u{231a}'..='\u{231b}',
    '\u{2e80}'..='\u{303e}',
    '\u{3041}'..='\u{a4cf}',
    '\u{ac00}'..='\u{d7a3}',
    '\u{f900}'..='\u{faff}',
    '\u{fe30}'..='\u{fe6f}',
    '\u{ff00}'..='\u{ff60}',
    '\u{ffe0}'..='\u{ffe6}',
    '\u{1f300}'..='\u{1f64f}',
    '\u{1f680}'..='\u{1f6ff}',
    '\u{1f900}'..='\u{1f9ff}',
    '\u{20000}'..='\u{3fffd}',
];

/// What is at the bottom of the screen.
#[derive(Debug, Default)]
pub(super) enum Frame {
    #[default]
    Nothing,
    /// A frame that the next one replaces.
    Drawn(String),
    /// A frame that is too tall to be replaced.
    Printed,
}

impl Ui {
    /// Whether output can be replaced: stdout is a terminal that is not dumb.
    pub fn can_redraw(&self) -> bool {
        let dumb = self.env.term.as_deref().is_some_and(|term| term == "dumb");
        io::stdout().is_terminal() && !dumb
    }

    /// Whether a frame fits on the screen, so that it can be replaced.
    pub fn fits(&self, frame: &str) -> bool {
        self.screen().is_some_and(|screen| rows(frame, screen.columns) < screen.rows)
    }

    /// Draws a frame in place of the previous one. A frame that is taller than the screen is printed below, and so is the
    /// next one.
    pub fn draw(&mut self, frame: &str) -> io::Result<()> {
        let mut text = self.cursor_home();
        for line in frame.split_inclusive('\n') {
            // Erases the rest of the previous frame's line.
            text.extend([line.trim_end_matches('\n'), "\x1b[K\n"]);
        }
        text.push_str("\x1b[J");
        self.frame = if self.fits(frame) { Frame::Drawn(frame.to_owned()) } else { Frame::Printed };
        self.print(&text)
    }

    /// Prints a line above the frame.
    pub(super) fn note_above(&mut self, line: &str) {
        let Frame::Drawn(frame) = &self.frame else { return super::write_line(line) };
        let frame = frame.clone();
        let clear = self.cursor_home() + "\x1b[J";
        self.frame = Frame::Nothing;
        // A write error shows up again with the next frame.
        drop(self.print(&clear));
        super::write_line(line);
        drop(self.draw(&frame));
    }

    /// Moves the cursor to where the next frame starts: over the previous one, or below it.
    fn cursor_home(&self) -> String {
        match (&self.frame, self.screen()) {
            // By the current width: a terminal that was made narrower has wrapped the lines again.
            (Frame::Drawn(frame), Some(screen)) => match rows(frame, screen.columns) {
                0 => String::new(),
                rows => format!("\r\x1b[{rows}A"),
            },
            (Frame::Printed, _) => "\n".to_owned(),
            _ => String::new(),
        }
    }

    fn screen(&self) -> Option<Screen> {
        let size = || terminal_size::terminal_size_of(io::stdout());
        let (width, height) = self.can_redraw().then(size).flatten()?;
        Some(Screen { columns: width.0.into(), rows: height.0.into() })
    }
}

#[derive(Clone, Copy, Debug)]
struct Screen {
    columns: usize,
    rows: usize,
}

/// How many rows of the screen a text takes.
fn rows(text: &str, columns: usize) -> usize {
    text.lines().map(|line| display_width(line).div_ceil(columns.max(1)).max(1)).sum()
}

/// How many columns a line takes. Escape sequences take none.
pub fn display_width(line: &str) -> usize {
    let (mut width, mut characters) = (0, line.chars());
    while let Some(character) = characters.next() {
        if character == '\x1b' {
            // Our own styles: `ESC [ numbers m`.
            characters.by_ref().find(char::is_ascii_alphabetic);
        } else if WIDE.iter().any(|range| range.contains(&character)) {
            width += 2;
        } else {
            width += 1;
        }
    }
    width
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_fills_as_many_rows_as_it_wraps_into() {
        for (text, columns, filled) in [
            ("", 10, 0),
            ("\n", 10, 1),
            ("0123456789\n", 10, 1),
            ("01234567890\n", 10, 2),
            ("a\n\nb\n", 10, 3),
            ("\x1b[1;31m0123456789\x1b[0m\n", 10, 1),
            ("日本語日本\n", 10, 1),
            ("日本語日本a\n", 10, 2),
            ("a\n", 0, 1),
        ] {
            assert_eq!(rows(text, columns), filled, "{text:?} in {columns}");
        }
    }

    #[test]
    fn ranges_are_sorted_and_apart() {
        assert!(WIDE.windows(2).all(|pair| pair[0].end() < pair[1].start()));
    }
}
