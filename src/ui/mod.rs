//! The terminal: the only module that uses stdout and stderr, and that knows width, colour and prompts.
//!
//! Results go to stdout, everything else to stderr. Text from outside is escaped: by [`Styles`], or by the methods here.
//!
//! | to find                                          | look in       |
//! |--------------------------------------------------|---------------|
//! | whether to use colour, and the styles            | `color.rs`    |
//! | hyperlinks                                       | `link.rs`     |
//! | output that replaces the previous output (`-w`)  | `frame.rs`    |
//! | escaping                                         | `sanitize.rs` |
//! | quoting for the shell                            | `quote.rs`    |
//! | stdout, stderr, width, prompts                   | here          |

mod color;
mod frame;
mod link;
pub mod quote;
pub mod sanitize;

use std::error::Error;
use std::ffi::OsString;
use std::io::{self, IsTerminal as _, Write as _};
use std::sync::atomic::{AtomicBool, Ordering};

pub use color::{Color, Styles, Tone};
pub use frame::display_width;
pub use link::{Hyperlinks, LinkSupport};

/// What the environment says about the terminal. Read in `main` and passed on as a value.
#[derive(Clone, Debug, Default)]
pub struct Env {
    /// `NO_COLOR`: disables colour if it is set, whatever its value.
    pub no_color: Option<OsString>,
    /// `CLICOLOR`: `0` disables colour.
    pub clicolor: Option<OsString>,
    /// `CLICOLOR_FORCE`: anything but `0` forces colour, even in a pipe.
    pub clicolor_force: Option<OsString>,
    /// `TERM`: `dumb` supports no escape sequences.
    pub term: Option<OsString>,
    /// `LC_ALL`, else `LC_CTYPE`, else `LANG`: the character set of the terminal.
    pub locale: Option<OsString>,
    /// `COLUMNS`: the width of a terminal that does not report it.
    pub columns: Option<OsString>,
    /// Whether the terminal supports hyperlinks.
    pub links: LinkSupport,
}

impl Env {
    /// Reads the variables that are about the terminal.
    pub fn read(variable: impl Fn(&str) -> Option<OsString>) -> Self {
        let set = |name| variable(name).filter(|value| !value.is_empty());
        Self {
            locale: set("LC_ALL").or_else(|| set("LC_CTYPE")).or_else(|| set("LANG")),
            no_color: variable("NO_COLOR"),
            clicolor: variable("CLICOLOR"),
            clicolor_force: variable("CLICOLOR_FORCE"),
            term: variable("TERM"),
            columns: variable("COLUMNS"),
            links: LinkSupport::read(&variable),
        }
    }
}

impl Env {
    /// Whether box-drawing characters can be shown: the locale is UTF-8 and the terminal is not dumb.
    fn draws_lines(&self) -> bool {
        let locale = self.locale.as_deref().unwrap_or_default().to_string_lossy().to_lowercase();
        let dumb = self.term.as_deref().is_some_and(|term| term == "dumb");
        !dumb && (locale.contains("utf-8") || locale.contains("utf8"))
    }
}

/// The answer to a yes/no question.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Answer {
    /// Yes, explicitly.
    Yes,
    /// No, Enter or Escape.
    No,
    /// There is no terminal to ask on.
    NotInteractive,
}

/// The terminal of the process.
#[derive(Debug)]
pub struct Ui {
    env: Env,
    color: Color,
    hyperlinks: Hyperlinks,
    out: Styles,
    err: Styles,
    frame: frame::Frame,
}

impl Ui {
    /// A terminal as the environment describes it. [`Ui::set_color`] follows when the flags are parsed.
    pub fn new(env: Env) -> Self {
        let (out, err) = (Styles::default(), Styles::default());
        let mut ui = Self {
            env,
            color: Color::Auto,
            hyperlinks: Hyperlinks::Auto,
            out,
            err,
            frame: frame::Frame::default(),
        };
        ui.restyle();
        ui
    }

    /// Sets whether to use colour; `auto` is decided for each stream separately.
    pub fn set_color(&mut self, color: Color) {
        self.color = color;
        self.restyle();
    }

    /// Sets whether to print hyperlinks.
    pub fn set_hyperlinks(&mut self, hyperlinks: Hyperlinks) {
        self.hyperlinks = hyperlinks;
        self.restyle();
    }

    fn restyle(&mut self) {
        let (env, color, hyperlinks) = (&self.env, self.color, self.hyperlinks);
        let styles = |terminal| {
            let styles = if color.is_on(env, terminal) { Styles::colored() } else { Styles::default() };
            let links = hyperlinks.is_on(&env.links, env.term.as_deref(), terminal);
            styles.with_lines(env.draws_lines()).with_links(links).with_terminal(terminal)
        };
        (self.out, self.err) = (styles(io::stdout().is_terminal()), styles(io::stderr().is_terminal()));
    }

    /// The styles of stdout.
    pub fn styles(&self) -> &Styles {
        &self.out
    }

    /// The width of the terminal; `None` in a pipe, where nothing is wrapped so that `grep` works.
    pub fn width(&self) -> Option<u16> {
        let columns = || self.env.columns.as_deref()?.to_str()?.parse().ok().filter(|columns| *columns > 0);
        let measured = || terminal_size::terminal_size_of(io::stdout()).map(|(width, _)| width.0);
        io::stdout().is_terminal().then(|| measured().or_else(columns)).flatten()
    }

    /// Writes a result to stdout. The text must be escaped already, as `render` does.
    pub fn print(&mut self, text: &str) -> io::Result<()> {
        let mut out = io::stdout().lock();
        let written = out.write_all(text.as_bytes()).and_then(|()| out.flush());
        written.map_err(|error| {
            io::Error::new(error.kind(), format!("cannot write the output: {}", error.kind()))
        })
    }

    /// Prints a note to stderr.
    pub fn note(&mut self, text: &str) {
        let line = self.err.plain(text);
        if io::stderr().is_terminal() { self.note_above(&line) } else { write_line(&line) }
    }

    /// Prints a warning of the server to stderr, as kubectl does.
    pub fn warn(&mut self, text: &str) {
        let line = format!("{} {}", self.err.toned(Tone::Warning, "Warning:"), self.err.plain(text));
        if io::stderr().is_terminal() { self.note_above(&line) } else { write_line(&line) }
    }

    /// Prints a suggestion to stderr.
    pub fn hint(&mut self, text: &str) {
        write_line(&format!("{} {}", self.err.hint("hint:"), self.err.plain(text)));
    }

    /// Shows what is being waited for: on a terminal always on the same line, elsewhere on a new line.
    pub fn show_progress(&mut self, text: &str) {
        if io::stderr().is_terminal() {
            drop(write!(io::stderr().lock(), "\r\x1b[K{}", self.err.plain(text)));
        } else {
            write_line(&self.err.plain(text));
        }
    }

    /// Whether progress is shown on one line that is overwritten.
    pub fn overwrites_progress(&self) -> bool {
        io::stderr().is_terminal()
    }

    /// Erases the line of [`Self::show_progress`].
    pub fn clear_progress(&mut self) {
        if io::stderr().is_terminal() {
            drop(write!(io::stderr().lock(), "\r\x1b[K"));
        }
    }

    /// Prints an error with its causes and a hint.
    pub fn error(&mut self, error: &(dyn Error + 'static), hint: Option<&str>) {
        let mut words = error.to_string();
        let mut cause = error.source();
        while let Some(inner) = cause {
            words = format!("{words}: {inner}");
            cause = inner.source();
        }
        write_line(&format!("{} {}", self.err.error("error:"), self.err.plain(&words)));
        if let Some(hint) = hint {
            write_line(&format!("{} {}", self.err.hint("hint:"), self.err.plain(hint)));
        }
    }

    /// Asks a yes/no question on stderr, so that stdout can be piped. Enter means no.
    pub fn confirm(&mut self, question: &str) -> io::Result<Answer> {
        if !self.is_interactive() {
            return Ok(Answer::NotInteractive);
        }
        let prompt = dialoguer::Confirm::new().with_prompt(self.err.plain(question)).default(false);
        match prompt.interact_opt() {
            Ok(Some(true)) => Ok(Answer::Yes),
            Ok(_) => Ok(Answer::No),
            Err(dialoguer::Error::IO(error)) => Err(error),
        }
    }

    /// Whether the user can be asked: stdin and stderr are terminals.
    pub fn is_interactive(&self) -> bool {
        io::stdin().is_terminal() && io::stderr().is_terminal()
    }

    /// Lets the user select an item of a list; `None` if they cancel.
    pub fn pick(&mut self, question: &str, items: &[String]) -> io::Result<Option<usize>> {
        let items: Vec<String> = items.iter().map(|item| self.err.plain(item)).collect();
        let prompt =
            dialoguer::FuzzySelect::new().with_prompt(self.err.plain(question)).items(&items).default(0);
        CURSOR_IS_HIDDEN.store(true, Ordering::SeqCst);
        let choice = prompt.max_length(PICKER_ROWS).interact_opt();
        // After Ctrl-C the cursor is still hidden.
        restore_terminal();
        choice.map_err(|dialoguer::Error::IO(error)| error)
    }
}

/// Whether a prompt has hidden the cursor.
static CURSOR_IS_HIDDEN: AtomicBool = AtomicBool::new(false);

/// Shows the cursor again if a prompt has hidden it. Writes nothing otherwise: another thread may be blocked in a write,
/// and this must not wait for it.
pub fn restore_terminal() {
    if CURSOR_IS_HIDDEN.swap(false, Ordering::SeqCst) {
        drop(write!(io::stderr().lock(), "\x1b[?25h"));
    }
}

/// How many items of a list are on the screen at once.
const PICKER_ROWS: usize = 15;

/// Writes a line to stderr. An error is ignored: there is no other place to report it.
fn write_line(line: &str) {
    drop(writeln!(io::stderr().lock(), "{line}"));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn without_a_terminal_nothing_is_asked() {
        if io::stdin().is_terminal() && io::stderr().is_terminal() {
            return; // Run in a terminal, this would prompt.
        }
        assert_eq!(Ui::new(Env::default()).confirm("sure?").unwrap(), Answer::NotInteractive);
    }

    #[test]
    fn only_a_terminal_has_a_width() {
        let ui = Ui::new(Env { columns: Some("70".into()), ..Env::default() });
        assert_eq!(ui.width().is_some(), io::stdout().is_terminal());
    }
}
