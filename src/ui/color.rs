//! Whether to use colour, decided once per stream, and the styles as a value. The default styles are plain.

use std::borrow::Cow;
use std::ffi::OsStr;

use owo_colors::Style;

use super::link::link;
use super::{Env, sanitize};

/// The value of `--color`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Color {
    /// Decide by the environment and the terminal.
    #[default]
    Auto,
    /// Use colour, even in a pipe.
    Always,
    /// Never use colour.
    Never,
}

impl Color {
    /// Whether to use colour. The flag takes precedence, then the variables that disable colour, then the one that
    /// forces it, then whether the stream is a terminal.
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

/// What a text means. Colour repeats what the words say, never more.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Tone {
    /// No meaning.
    #[default]
    Plain,
    /// The object that was asked about.
    Bold,
    /// Healthy.
    Good,
    /// In progress, or paused on purpose.
    Progressing,
    /// Not healthy, without a known failure.
    Warning,
    /// Failed.
    Error,
    /// Unknown, or less important.
    Dim,
}

/// The styles of one stream. Each method escapes control characters in the text before it styles it.
#[derive(Clone, Copy, Debug, Default)]
pub struct Styles {
    error: Style,
    hint: Style,
    bold: Style,
    good: Style,
    progressing: Style,
    warning: Style,
    failed: Style,
    dim: Style,
    lines: bool,
    links: bool,
    is_terminal: bool,
}

impl Styles {
    /// Uses the sixteen base colours only, because they follow the theme of the terminal.
    pub(super) fn colored() -> Self {
        let style = Style::new();
        Self {
            error: style.red().bold(),
            hint: style.cyan(),
            bold: style.bold(),
            good: style.green(),
            progressing: style.cyan(),
            warning: style.yellow(),
            failed: style.red(),
            dim: style.dimmed(),
            lines: false,
            links: false,
            is_terminal: false,
        }
    }

    /// Sets whether the terminal and the locale support box-drawing characters.
    pub(super) fn with_lines(self, lines: bool) -> Self {
        Self { lines, ..self }
    }

    /// Sets whether the terminal supports hyperlinks.
    pub(super) fn with_links(self, links: bool) -> Self {
        Self { links, ..self }
    }

    /// Sets whether the stream is a terminal.
    #[must_use]
    pub fn with_terminal(self, is_terminal: bool) -> Self {
        Self { is_terminal, ..self }
    }

    /// Whether the stream is a terminal, on which no value from outside may move the cursor or look like another one.
    pub fn is_terminal(&self) -> bool {
        self.is_terminal
    }

    /// A URL, as a hyperlink if the terminal supports them.
    pub fn link(&self, address: &str) -> String {
        link(address).filter(|_| self.links).unwrap_or_else(|| self.plain(address))
    }

    /// Whether trees are drawn with box-drawing characters instead of ASCII.
    pub fn draws_lines(&self) -> bool {
        self.lines
    }

    /// Styles a text by its meaning.
    pub fn toned(&self, tone: Tone, text: &str) -> String {
        let style = match tone {
            Tone::Plain => Style::default(),
            Tone::Bold => self.bold,
            Tone::Good => self.good,
            Tone::Progressing => self.progressing,
            Tone::Warning => self.warning,
            Tone::Error => self.failed,
            Tone::Dim => self.dim,
        };
        paint(style, text)
    }

    /// Styles the prefix of an error.
    pub fn error(&self, text: &str) -> String {
        paint(self.error, text)
    }

    /// Styles the prefix of a hint.
    pub fn hint(&self, text: &str) -> String {
        paint(self.hint, text)
    }

    /// A JSON document; on a terminal its strings are escaped.
    pub fn json<'a>(&self, text: &'a str) -> Cow<'a, str> {
        if self.is_terminal { sanitize::json(text) } else { Cow::Borrowed(text) }
    }

    /// The double-quoted YAML string for a text that must be escaped on a terminal; `None` in a pipe, and for any other
    /// text.
    pub fn yaml_string(&self, text: &str) -> Option<String> {
        if self.is_terminal { sanitize::yaml_string(text) } else { None }
    }

    /// A value that a template prints: on a terminal one line, in a pipe as it is but for control characters.
    pub fn value<'a>(&self, text: &'a str) -> Cow<'a, str> {
        if self.is_terminal { sanitize::value(text) } else { sanitize::block(text) }
    }

    /// Several lines of unstyled text.
    pub fn block(&self, text: &str) -> String {
        sanitize::block(text).into_owned()
    }

    /// One line of unstyled text.
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
