//! How a call can end: [`Outcome`] with its exit code, and [`Failure`], an error that knows its hint.
//!
//! Data only. Words are chosen where the failure happens, printing is the `ui`'s, and which exit code a
//! failure gets is decided here and nowhere else.

use std::fmt;

/// How a call ended, for the script that made it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// Asked, and fine.
    Fine,
    /// Asked, and not fine.
    NotFine,
    /// Could not ask: usage, configuration, connection, API error, no such object.
    CouldNotAsk,
    /// Cannot judge: unknown, or a gap that could overturn a clean answer.
    CannotJudge,
    /// Refused by a safety gate, or declined by the person.
    Refused,
    /// Changed under us, or only partly done.
    Overtaken,
    /// Forbidden for the very thing asked about.
    Forbidden,
    /// Still moving when the timeout ended.
    StillMoving,
    /// Interrupted by Ctrl-C.
    Interrupted,
}

impl Outcome {
    /// Every outcome, in the order of the table in README.md.
    pub const ALL: [Self; 9] = [
        Self::Fine,
        Self::NotFine,
        Self::CouldNotAsk,
        Self::CannotJudge,
        Self::Refused,
        Self::Overtaken,
        Self::Forbidden,
        Self::StillMoving,
        Self::Interrupted,
    ];

    /// The one of two outcomes that a call about both ends with.
    #[must_use]
    pub fn worse(self, other: Self) -> Self {
        let rank = |outcome| match outcome {
            Self::Fine => 0,
            Self::CannotJudge => 1,
            Self::StillMoving => 2,
            Self::Forbidden => 3,
            Self::NotFine => 4,
            Self::Overtaken => 5,
            Self::Refused => 6,
            Self::CouldNotAsk => 7,
            Self::Interrupted => 8,
        };
        if rank(other) > rank(self) { other } else { self }
    }

    /// The process's exit code; README.md prints the same table.
    pub const fn code(self) -> u8 {
        match self {
            Self::Fine => 0,
            Self::NotFine => 1,
            Self::CouldNotAsk => 2,
            Self::CannotJudge => 3,
            Self::Refused => 4,
            Self::Overtaken => 5,
            Self::Forbidden => 6,
            Self::StillMoving => 8,
            // 128 + SIGINT, as a shell reports it.
            Self::Interrupted => 130,
        }
    }
}

/// What went wrong, as far as a caller tells it apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// The words typed make no call.
    Usage,
    /// A kubeconfig or a flag about the connection is wrong.
    Configuration,
    /// Nothing at all says which cluster to talk to.
    NoCluster,
    /// The server could not be reached, or not be trusted.
    Connection,
    /// The server answered with an error.
    Server,
    /// The server answered that there is no such thing.
    NotFound,
    /// The server answered that this is not allowed.
    Forbidden,
    /// Ctrl-C.
    Interrupted,
}

/// An error in words for a person: one line that names the thing, and the way on when there is one.
#[derive(Debug)]
pub struct Failure {
    kind: Kind,
    message: String,
    hint: Option<String>,
}

impl Failure {
    /// A failure without a hint; `message` is a lower-case fragment that fits after `error:`.
    pub fn new(kind: Kind, message: impl Into<String>) -> Self {
        Self { kind, message: message.into(), hint: None }
    }

    /// Adds the way on, a fragment that fits after `hint:`.
    #[must_use]
    pub fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }

    /// What went wrong.
    pub fn kind(&self) -> Kind {
        self.kind
    }

    /// The way on, if there is one.
    pub fn way_on(&self) -> Option<&str> {
        self.hint.as_deref()
    }

    /// How a call that fails like this has ended.
    pub fn outcome(&self) -> Outcome {
        match self.kind {
            Kind::Usage
            | Kind::Configuration
            | Kind::NoCluster
            | Kind::Connection
            | Kind::Server
            | Kind::NotFound => Outcome::CouldNotAsk,
            Kind::Forbidden => Outcome::Forbidden,
            Kind::Interrupted => Outcome::Interrupted,
        }
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.message)
    }
}

impl std::error::Error for Failure {}

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
    fn readme_lists_every_exit_code_once_and_no_other() {
        assert_eq!(documented(), Outcome::ALL.map(Outcome::code));
    }

    #[test]
    fn only_forbidden_and_interrupted_have_codes_of_their_own() {
        let code = |kind| Failure::new(kind, "x").outcome().code();
        assert_eq!(
            [Kind::Usage, Kind::Configuration, Kind::NoCluster, Kind::Connection, Kind::Server].map(code),
            [2; 5]
        );
        assert_eq!([Kind::Forbidden, Kind::Interrupted].map(code), [6, 130]);
    }
}
