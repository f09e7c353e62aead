//! What could not be read: part of every report.

use std::fmt;

use serde::Serialize;

/// One request that failed.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct Gap {
    /// Empty for the core group.
    pub group: String,
    /// The plural; empty if a whole group is missing. For an unreadable part of a dump its file and line.
    pub resource: String,
    /// Absent for all namespaces and for cluster-scoped kinds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub namespace: Option<String>,
    /// `list`, `get`, `discover`, or `read` for a part of a dump.
    pub verb: &'static str,
    pub reason: Reason,
    /// The HTTP status, if there was a response.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub status: Option<u16>,
    /// The message of the server or the connection.
    pub message: String,
}

impl Gap {
    /// Whether it is about one kind, not about a group, a namespace, several objects or a part of a dump.
    pub fn is_of_kind(&self) -> bool {
        // A plural contains no spaces; the names of everything else do.
        self.reason != Reason::Broken && !self.resource.is_empty() && !self.resource.contains(' ')
    }

    /// `secrets`, `foos.example.com`, or the group alone.
    pub fn what(&self) -> String {
        match (self.resource.is_empty(), self.group.is_empty()) {
            (true, _) => format!("group {}", self.group),
            (false, true) => self.resource.clone(),
            (false, false) => format!("{}.{}", self.resource, self.group),
        }
    }
}

/// Why a request failed.
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
    /// It would take more memory than the call may use.
    Memory,
    /// The dump does not contain it.
    NotInDump,
    /// An unreadable part of a dump.
    Broken,
}

impl fmt::Display for Reason {
    /// The text in the footer.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Forbidden => "forbidden",
            Self::NotFound => "not found",
            Self::Unavailable => "unavailable",
            Self::Busy => "too many requests",
            Self::Timeout => "timed out",
            Self::Unreadable => "unexpected response",
            Self::Failed => "server error",
            Self::Interrupted => "interrupted",
            Self::Memory => "too large for KUBECTL_OP_MEMORY",
            Self::NotInDump => "not in the dump",
            Self::Broken => "not readable in the dump",
        })
    }
}
