//! What could not be read: part of every answer.

use std::fmt;

use serde::Serialize;

/// One thing that was asked for and not answered.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct Gap {
    /// Empty for the core group.
    pub group: String,
    /// The plural; empty when a whole group is missing. For a broken piece of a dump its file and line.
    pub resource: String,
    /// Absent when all namespaces, or a cluster-scoped kind, were asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub namespace: Option<String>,
    /// `list`, `get`, `discover`, or `read` for a piece of a dump.
    pub verb: &'static str,
    pub reason: Reason,
    /// The HTTP status, when there was an answer.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub status: Option<u16>,
    /// The server's or the connection's words.
    pub message: String,
}

impl Gap {
    /// `secrets`, `foos.example.com`, or the group alone.
    pub fn what(&self) -> String {
        match (self.resource.is_empty(), self.group.is_empty()) {
            (true, _) => format!("group {}", self.group),
            (false, true) => self.resource.clone(),
            (false, false) => format!("{}.{}", self.resource, self.group),
        }
    }
}

/// Why it could not be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
pub enum Reason {
    Forbidden,
    NotFound,
    Unavailable,
    Busy,
    Timeout,
    Unreadable,
    Failed,
    Interrupted,
    /// A dump says nothing of it.
    NotInDump,
    /// A piece of a dump that cannot be understood.
    Broken,
}

impl fmt::Display for Reason {
    /// The words of the footer.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Forbidden => "forbidden",
            Self::NotFound => "not there any more",
            Self::Unavailable => "unavailable",
            Self::Busy => "the server is busy",
            Self::Timeout => "no answer in time",
            Self::Unreadable => "the answer made no sense",
            Self::Failed => "the server failed",
            Self::Interrupted => "interrupted",
            Self::NotInDump => "not in the dump",
            Self::Broken => "broken in the dump",
        })
    }
}
