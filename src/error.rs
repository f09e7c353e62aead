//! How a command ends: [`Outcome`] with its exit code, and [`Failure`], an error with a hint.
//!
//! Data only. The message is written where the failure happens and printed by `ui`; which exit code a failure gets is
//! decided here and nowhere else.

use std::borrow::Cow;
use std::{fmt, io};

/// How a command ended, as its exit code tells a script.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// Everything that was asked about is healthy.
    Success,
    /// Something that was asked about is not healthy.
    Unhealthy,
    /// The command failed: usage, configuration, connection, API error, object not found.
    Error,
    /// The health is unknown, or something that could not be read might change a healthy result.
    Unknown,
    /// A safety check refused it, or the user declined.
    Refused,
    /// The object changed in the meantime, or only a part was done.
    Conflict,
    /// Access to the requested object is forbidden.
    Forbidden,
    /// Still in progress when `--timeout` expired.
    TimedOut,
    /// Interrupted by Ctrl-C.
    Interrupted,
}

impl Outcome {
    /// Every outcome, in the order of the table in README.md.
    pub const ALL: [Self; 9] = [
        Self::Success,
        Self::Unhealthy,
        Self::Error,
        Self::Unknown,
        Self::Refused,
        Self::Conflict,
        Self::Forbidden,
        Self::TimedOut,
        Self::Interrupted,
    ];

    /// The worse of two outcomes, for a command about several objects.
    #[must_use]
    pub fn worse(self, other: Self) -> Self {
        let rank = |outcome| match outcome {
            Self::Success => 0,
            Self::Unknown => 1,
            Self::TimedOut => 2,
            Self::Forbidden => 3,
            Self::Unhealthy => 4,
            Self::Conflict => 5,
            Self::Refused => 6,
            Self::Error => 7,
            Self::Interrupted => 8,
        };
        if rank(other) > rank(self) { other } else { self }
    }

    /// The exit code of the process. README.md has the same table.
    pub const fn code(self) -> u8 {
        match self {
            Self::Success => 0,
            Self::Unhealthy => 1,
            Self::Error => 2,
            Self::Unknown => 3,
            Self::Refused => 4,
            Self::Conflict => 5,
            Self::Forbidden => 6,
            Self::TimedOut => 8,
            // 128 + SIGINT, as a shell reports it.
            Self::Interrupted => 130,
        }
    }
}

/// The kind of a failure, as far as callers distinguish them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FailureKind {
    /// The command line is not valid.
    Usage,
    /// A kubeconfig or a connection flag is not valid.
    Configuration,
    /// No kubeconfig, flag or service account says which cluster to use.
    NoCluster,
    /// The server could not be reached, or is not trusted.
    Connection,
    /// The server returned an error.
    Server,
    /// The server returned `NotFound`.
    NotFound,
    /// The server returned `Forbidden`.
    Forbidden,
    /// Ctrl-C.
    Interrupted,
}

/// The longest message and the longest hint, in characters. A server or a file can make them as long as it likes.
const MAX_MESSAGE: usize = 1_000;

/// An error for the user: one line that names the object, file or flag, and a hint if there is one.
#[derive(Debug)]
pub struct Failure {
    kind: FailureKind,
    message: String,
    hint: Option<String>,
}

impl Failure {
    /// A failure without a hint; `message` is a lower-case fragment that fits after `error:`.
    pub fn new(kind: FailureKind, message: impl Into<String>) -> Self {
        let message = message.into();
        Self { kind, message: shortened(&message, MAX_MESSAGE).into_owned(), hint: None }
    }

    /// Adds a hint, a fragment that fits after `hint:`.
    #[must_use]
    pub fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(shortened(&hint.into(), MAX_MESSAGE).into_owned());
        self
    }

    /// The kind of the failure.
    pub fn kind(&self) -> FailureKind {
        self.kind
    }

    /// The hint, if there is one.
    pub fn hint_text(&self) -> Option<&str> {
        self.hint.as_deref()
    }

    /// The outcome of a command that fails like this.
    pub fn outcome(&self) -> Outcome {
        match self.kind {
            FailureKind::Usage
            | FailureKind::Configuration
            | FailureKind::NoCluster
            | FailureKind::Connection
            | FailureKind::Server
            | FailureKind::NotFound => Outcome::Error,
            FailureKind::Forbidden => Outcome::Forbidden,
            FailureKind::Interrupted => Outcome::Interrupted,
        }
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.message)
    }
}

impl std::error::Error for Failure {}

/// A text of at most `limit` characters: of a longer one the beginning, and how much was left out.
pub fn shortened(text: &str, limit: usize) -> Cow<'_, str> {
    match text.char_indices().nth(limit) {
        None => Cow::Borrowed(text),
        Some((end, _)) => {
            let omitted = text[end..].chars().count();
            Cow::Owned(format!("{}... ({omitted} more characters)", &text[..end]))
        }
    }
}

/// Describes an error of the file system as kubectl and the shell do.
pub fn io_reason(error: &io::Error) -> String {
    match (error.kind(), error.raw_os_error()) {
        (io::ErrorKind::NotFound, _) => "no such file or directory".to_owned(),
        // Without the number that the system's own text ends with.
        (kind, Some(_)) => kind.to_string(),
        (_, None) => error.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The codes in the table under `## Exit codes`, in their order.
    fn documented() -> Vec<u8> {
        include_str!("../README.md")
            .lines()
            .skip_while(|line| line.trim() != "## Exit codes")
            .skip(1)
            .take_while(|line| !line.starts_with("## "))
            .filter_map(|line| line.strip_prefix('|')?.split('|').next()?.trim().parse().ok())
            .collect()
    }

    #[test]
    fn a_long_text_is_cut_at_a_character() {
        assert_eq!(shortened("äöü", 3), "äöü");
        assert_eq!(shortened("äöüß!", 3), "äöü... (2 more characters)");
    }

    #[test]
    fn readme_lists_every_exit_code_once_and_no_other() {
        assert_eq!(documented(), Outcome::ALL.map(Outcome::code));
    }

    #[test]
    fn only_forbidden_and_interrupted_have_codes_of_their_own() {
        let code = |kind| Failure::new(kind, "x").outcome().code();
        assert_eq!(
            [
                FailureKind::Usage,
                FailureKind::Configuration,
                FailureKind::NoCluster,
                FailureKind::Connection,
                FailureKind::Server
            ]
            .map(code),
            [2; 5]
        );
        assert_eq!([FailureKind::Forbidden, FailureKind::Interrupted].map(code), [6, 130]);
    }
}
