//! The terminal: the only owner of stdout and stderr, of width, colour and prompts.
//!
//! stdout carries the answer, stderr the talk. Text from outside is made harmless on its way: by
//! [`Styles`] where it is painted, by the methods here where it is not.

mod color;
mod frame;
mod link;
pub mod sanitize;

use std::error::Error;
use std::ffi::OsString;
use std::io::{self, IsTerminal as _, Write as _};

pub use color::{Color, Styles, Tone};
pub use link::{Hyperlinks, LinkSigns};

/// What the environment says about the terminal; read in `main`, handed on as a value.
#[derive(Clone, Debug, Default)]
pub struct Env {
    /// `NO_COLOR`: present means no colour, whatever its value.
    pub no_color: Option<OsString>,
    /// `CLICOLOR`: `0` means no colour.
    pub clicolor: Option<OsString>,
    /// `CLICOLOR_FORCE`: anything but `0` means colour in a pipe too.
    pub clicolor_force: Option<OsString>,
    /// `TERM`: `dumb` can do nothing.
    pub term: Option<OsString>,
    /// `LC_ALL`, else `LC_CTYPE`, else `LANG`: which characters the terminal shows.
    pub locale: Option<OsString>,
    /// `COLUMNS`: the width of a terminal that does not tell its own.
    pub columns: Option<OsString>,
    /// Whether the terminal's program is one that knows links.
    pub links: LinkSigns,
}

impl Env {
    /// Picks this room's variables out of the environment.
    pub fn read(variable: impl Fn(&str) -> Option<OsString>) -> Self {
        let set = |name| variable(name).filter(|value| !value.is_empty());
        Self {
            locale: set("LC_ALL").or_else(|| set("LC_CTYPE")).or_else(|| set("LANG")),
            no_color: variable("NO_COLOR"),
            clicolor: variable("CLICOLOR"),
            clicolor_force: variable("CLICOLOR_FORCE"),
            term: variable("TERM"),
            columns: variable("COLUMNS"),
            links: LinkSigns::read(&variable),
        }
    }
}

impl Env {
    /// Whether box-drawing lines can be shown: the locale is UTF-8 and the terminal can do more than nothing.
    fn draws_lines(&self) -> bool {
        let locale = self.locale.as_deref().unwrap_or_default().to_string_lossy().to_lowercase();
        let dumb = self.term.as_deref().is_some_and(|term| term == "dumb");
        !dumb && (locale.contains("utf-8") || locale.contains("utf8"))
    }
}

/// What a person said to a question.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Answer {
    /// Yes, in so many words.
    Yes,
    /// No, or just Enter, or Escape.
    No,
    /// There was nobody to ask.
    Nobody,
}

/// Where a call speaks.
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
    /// A terminal as the environment describes it; [`Ui::set_color`] follows once the flags are known.
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

    /// Decides about colour, for each stream by itself.
    pub fn set_color(&mut self, color: Color) {
        self.color = color;
        self.restyle();
    }

    /// Decides about links that can be clicked.
    pub fn set_hyperlinks(&mut self, hyperlinks: Hyperlinks) {
        self.hyperlinks = hyperlinks;
        self.restyle();
    }

    fn restyle(&mut self) {
        let (env, color, hyperlinks) = (&self.env, self.color, self.hyperlinks);
        let styles = |terminal| {
            let styles = if color.is_on(env, terminal) { Styles::colored() } else { Styles::default() };
            let links = hyperlinks.is_on(&env.links, env.term.as_deref(), terminal);
            styles.with_lines(env.draws_lines()).with_links(links)
        };
        (self.out, self.err) = (styles(io::stdout().is_terminal()), styles(io::stderr().is_terminal()));
    }

    /// The colours of stdout.
    pub fn styles(&self) -> &Styles {
        &self.out
    }

    /// How many columns an answer may fill; `None` in a pipe, where nothing is wrapped for grep's sake.
    pub fn width(&self) -> Option<u16> {
        let columns = || self.env.columns.as_deref()?.to_str()?.parse().ok().filter(|columns| *columns > 0);
        let measured = || terminal_size::terminal_size_of(io::stdout()).map(|(width, _)| width.0);
        io::stdout().is_terminal().then(|| measured().or_else(columns)).flatten()
    }

    /// Writes the answer: text that is already harmless, as `render` makes it.
    pub fn print(&mut self, answer: &str) -> io::Result<()> {
        let mut out = io::stdout().lock();
        let written = out.write_all(answer.as_bytes()).and_then(|()| out.flush());
        written.map_err(|error| {
            io::Error::new(error.kind(), format!("cannot write the answer: {}", error.kind()))
        })
    }

    /// Says something beside the answer.
    pub fn note(&mut self, text: &str) {
        let line = self.err.plain(text);
        if io::stderr().is_terminal() { self.note_above(&line) } else { say(&line) }
    }

    /// Says what is being waited for: on a terminal always on the same line, elsewhere as a line of its own.
    pub fn waiting(&mut self, text: &str) {
        if io::stderr().is_terminal() {
            drop(write!(io::stderr().lock(), "\r\x1b[K{}", self.err.plain(text)));
        } else {
            say(&self.err.plain(text));
        }
    }

    /// Whether what is waited for is shown on one line that is written over.
    pub fn rewrites(&self) -> bool {
        io::stderr().is_terminal()
    }

    /// Takes the line of [`Self::waiting`] away.
    pub fn waited(&mut self) {
        if io::stderr().is_terminal() {
            drop(write!(io::stderr().lock(), "\r\x1b[K"));
        }
    }

    /// Says what went wrong, its causes, and what to do about it.
    pub fn error(&mut self, error: &(dyn Error + 'static), hint: Option<&str>) {
        let mut words = error.to_string();
        let mut cause = error.source();
        while let Some(inner) = cause {
            words = format!("{words}: {inner}");
            cause = inner.source();
        }
        say(&format!("{} {}", self.err.error("error:"), self.err.plain(&words)));
        if let Some(hint) = hint {
            say(&format!("{} {}", self.err.hint("hint:"), self.err.plain(hint)));
        }
    }

    /// Asks for a yes on stderr, so that a piped answer stays clean. Enter means no.
    pub fn confirm(&mut self, question: &str) -> io::Result<Answer> {
        if !self.can_ask() {
            return Ok(Answer::Nobody);
        }
        let prompt = dialoguer::Confirm::new().with_prompt(self.err.plain(question)).default(false);
        match prompt.interact_opt() {
            Ok(Some(true)) => Ok(Answer::Yes),
            Ok(_) => Ok(Answer::No),
            Err(dialoguer::Error::IO(error)) => Err(error),
        }
    }

    /// Whether somebody is there to be asked.
    pub fn can_ask(&self) -> bool {
        io::stdin().is_terminal() && io::stderr().is_terminal()
    }

    /// Lets a person choose from a list; nothing when they would rather not.
    pub fn pick(&mut self, question: &str, items: &[String]) -> io::Result<Option<usize>> {
        let items: Vec<String> = items.iter().map(|item| self.err.plain(item)).collect();
        let prompt =
            dialoguer::FuzzySelect::new().with_prompt(self.err.plain(question)).items(&items).default(0);
        match prompt.max_length(PICKED).interact_opt() {
            Ok(choice) => Ok(choice),
            Err(dialoguer::Error::IO(error)) => Err(error),
        }
    }
}

/// So many lines of a choice are on the screen at once.
const PICKED: usize = 15;

/// One line of talk. A closed stderr is nobody's loss, and there is nowhere left to say so.
fn say(line: &str) {
    drop(writeln!(io::stderr().lock(), "{line}"));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nobody_is_asked_where_nobody_can_answer() {
        if io::stdin().is_terminal() && io::stderr().is_terminal() {
            return; // Somebody runs this by hand, and would be asked.
        }
        assert_eq!(Ui::new(Env::default()).confirm("sure?").unwrap(), Answer::Nobody);
    }

    #[test]
    fn only_a_terminal_has_a_width() {
        let ui = Ui::new(Env { columns: Some("70".into()), ..Env::default() });
        assert_eq!(ui.width().is_some(), io::stdout().is_terminal());
    }
}
