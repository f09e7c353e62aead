//! An answer that is drawn over its last one, on a terminal that can move its cursor.

use std::io::{self, IsTerminal as _};

use super::Ui;

/// Ranges of characters that fill two columns, sorted: CJK, Hangul, full-width forms, emoji. Rough, and enough to
/// know where a line wraps.
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

/// What stands at the bottom of the screen.
#[derive(Debug, Default)]
pub(super) enum Frame {
    #[default]
    Nothing,
    /// Something that will be drawn over.
    Drawn(String),
    /// Something too tall for that.
    Printed,
}

impl Ui {
    /// Whether an answer can be drawn over: stdout is a terminal that can do more than nothing.
    pub fn draws(&self) -> bool {
        let dumb = self.env.term.as_deref().is_some_and(|term| term == "dumb");
        io::stdout().is_terminal() && !dumb
    }

    /// Whether a frame fits on the screen, so that it can be drawn over.
    pub fn fits(&self, frame: &str) -> bool {
        self.screen().is_some_and(|screen| rows(frame, screen.columns) < screen.rows)
    }

    /// Draws a frame in the place of the last one. One that is taller than the screen is printed below what is
    /// there, and so is the one after it.
    pub fn draw(&mut self, frame: &str) -> io::Result<()> {
        let mut text = self.way_back();
        for line in frame.split_inclusive('\n') {
            // What the last frame had to the right of it goes.
            text.extend([line.trim_end_matches('\n'), "\x1b[K\n"]);
        }
        text.push_str("\x1b[J");
        self.frame = if self.fits(frame) { Frame::Drawn(frame.to_owned()) } else { Frame::Printed };
        self.print(&text)
    }

    /// Takes the frame away, says something in its place, and draws it again below.
    pub(super) fn note_above(&mut self, line: &str) {
        let Frame::Drawn(frame) = &self.frame else { return super::say(line) };
        let frame = frame.clone();
        let clear = self.way_back() + "\x1b[J";
        self.frame = Frame::Nothing;
        // What cannot be written now will be missed at the next frame.
        drop(self.print(&clear));
        super::say(line);
        drop(self.draw(&frame));
    }

    /// Moves the cursor to where the next frame starts: over the last one, or below what is printed.
    fn way_back(&self) -> String {
        match (&self.frame, self.screen()) {
            // Counted for the width of now: a terminal that was made narrower has wrapped the lines anew.
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
        let (width, height) = self.draws().then(size).flatten()?;
        Some(Screen { columns: width.0.into(), rows: height.0.into() })
    }
}

#[derive(Clone, Copy, Debug)]
struct Screen {
    columns: usize,
    rows: usize,
}

/// How many rows of a screen a text fills.
fn rows(text: &str, columns: usize) -> usize {
    text.lines().map(|line| width(line).div_ceil(columns.max(1)).max(1)).sum()
}

/// How many columns a line fills; colours fill none.
fn width(line: &str) -> usize {
    let (mut width, mut characters) = (0, line.chars());
    while let Some(character) = characters.next() {
        if character == '\x1b' {
            // Our own colours: `ESC [ numbers m`.
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
