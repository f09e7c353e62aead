//! Whether to colour, decided once per stream, and the colours as a value whose default is plain.

use std::ffi::OsStr;

use owo_colors::Style;

use super::link::link;
use super::{Env, sanitize};

/// What the person asked for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Color {
    /// Let the environment and the terminal decide.
    #[default]
    Auto,
    /// Colour, also in a pipe.
    Always,
    /// Never colour.
    Never,
}

impl Color {
    /// The one decision. The flag wins, then the variables that say no, then the one that says yes, then
    /// whether a terminal that can do it is listening.
    pub(super) fn is_on(self, env: &Env, terminal: bool) -> bool {
        match self {
            Self::Always => true,
            Self::Never => false,
            Self::Auto if env.no_color.is_some() => false,
            Self::Auto if env.clicolor.as_deref() == Some(OsStr::new("0")) => false,
            Self::Auto
                if env.clicolor_force.as_deref().is_some_and(|value| value != "0" && !value.is_empty()) =>
            {
                true
            }
            Self::Auto if env.term.as_deref() == Some(OsStr::new("dumb")) => false,
            Self::Auto => terminal,
        }
    }
}

/// What a word means, for the eye; the word says it too.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Tone {
    /// Nothing in particular.
    #[default]
    Plain,
    /// The thing that was asked about.
    Strong,
    /// Fine.
    Good,
    /// On its way, or held on purpose.
    Moving,
    /// Not fine, and nobody says why.
    Uneasy,
    /// Broken.
    Bad,
    /// Nobody knows.
    Dim,
}

/// The colours of one stream. Each method takes text from anywhere and gives it back harmless and painted.
#[derive(Clone, Copy, Debug, Default)]
pub struct Styles {
    error: Style,
    hint: Style,
    strong: Style,
    good: Style,
    moving: Style,
    uneasy: Style,
    bad: Style,
    dim: Style,
    lines: bool,
    links: bool,
}

impl Styles {
    /// The sixteen base colours only: they follow the terminal's own theme.
    pub(super) fn colored() -> Self {
        let style = Style::new();
        Self {
            error: style.red().bold(),
            hint: style.cyan(),
            strong: style.bold(),
            good: style.green(),
            moving: style.cyan(),
            uneasy: style.yellow(),
            bad: style.red(),
            dim: style.dimmed(),
            lines: false,
            links: false,
        }
    }

    /// The same, for a terminal and a locale that show box-drawing lines.
    pub(super) fn with_lines(self, lines: bool) -> Self {
        Self { lines, ..self }
    }

    /// The same, for a terminal that knows links.
    pub(super) fn with_links(self, links: bool) -> Self {
        Self { links, ..self }
    }

    /// An address, as a link that can be clicked where the terminal knows them.
    pub fn link(&self, address: &str) -> String {
        link(address).filter(|_| self.links).unwrap_or_else(|| self.plain(address))
    }

    /// Whether trees are drawn with lines of Unicode; else ASCII must do.
    pub fn draws_lines(&self) -> bool {
        self.lines
    }

    /// Text by what it means.
    pub fn toned(&self, tone: Tone, text: &str) -> String {
        let style = match tone {
            Tone::Plain => Style::default(),
            Tone::Strong => self.strong,
            Tone::Good => self.good,
            Tone::Moving => self.moving,
            Tone::Uneasy => self.uneasy,
            Tone::Bad => self.bad,
            Tone::Dim => self.dim,
        };
        paint(style, text)
    }

    /// Marks the line that says what went wrong.
    pub fn error(&self, text: &str) -> String {
        paint(self.error, text)
    }

    /// Marks the line that says what to do about it.
    pub fn hint(&self, text: &str) -> String {
        paint(self.hint, text)
    }

    /// Text of many lines, without a colour.
    pub fn block(&self, text: &str) -> String {
        sanitize::block(text).into_owned()
    }

    /// Text without a colour of its own.
    pub fn plain(&self, text: &str) -> String {
        paint(Style::default(), text)
    }
}

fn paint(style: Style, text: &str) -> String {
    style.style(sanitize::line(text)).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn flag_then_environment_then_terminal() {
        // flag, NO_COLOR, CLICOLOR, CLICOLOR_FORCE, TERM, terminal -> colour
        type Row = (
            Color,
            Option<&'static str>,
            Option<&'static str>,
            Option<&'static str>,
            &'static str,
            bool,
            bool,
        );
        let table: &[Row] = &[
            (Color::Auto, None, None, None, "xterm", true, true),
            (Color::Auto, None, None, None, "xterm", false, false),
            (Color::Auto, None, None, None, "dumb", true, false),
            (Color::Auto, None, Some("1"), None, "xterm", true, true),
            (Color::Auto, None, Some("1"), None, "xterm", false, false),
            (Color::Auto, None, Some("0"), None, "xterm", true, false),
            (Color::Auto, None, Some("0"), Some("1"), "xterm", true, false),
            (Color::Auto, None, None, Some("1"), "dumb", false, true),
            (Color::Auto, None, None, Some("0"), "xterm", false, false),
            (Color::Auto, None, None, Some(""), "xterm", false, false),
            (Color::Auto, Some("1"), None, None, "xterm", true, false),
            (Color::Auto, Some(""), None, None, "xterm", true, false),
            (Color::Auto, Some(""), None, Some("1"), "xterm", true, false),
            (Color::Always, Some("1"), Some("0"), None, "dumb", false, true),
            (Color::Never, None, None, Some("1"), "xterm", true, false),
        ];
        for row in table {
            let (color, no_color, clicolor, force, term, terminal, expected) = *row;
            let env = Env {
                no_color: no_color.map(Into::into),
                clicolor: clicolor.map(Into::into),
                clicolor_force: force.map(Into::into),
                term: Some(term.into()),
                ..Env::default()
            };
            assert_eq!(color.is_on(&env, terminal), expected, "{row:?}");
        }
    }

    #[test]
    fn styles_are_plain_by_default_and_always_sanitised() {
        assert_eq!(Styles::default().error("a\x1b[31m"), "a^[[31m");
        assert_eq!(Styles::colored().hint("a\x1b"), "\x1b[36ma^[\x1b[0m");
        assert_eq!(Styles::colored().plain("a\u{202e}"), "a\\u{202e}");
        let linking = Styles::default().with_links(true);
        assert_eq!(linking.link("https://a/\x1b\\"), "https://a/^[\\");
        assert!(linking.link("https://a").starts_with("\x1b]8;;https://a\x1b"));
        assert_eq!(Styles::colored().link("https://a"), "https://a");
    }
}
