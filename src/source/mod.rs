//! Where objects come from: a live cluster, a dump of one, or the built-in demo cluster. All of them serve the same
//! queries with the same snapshots.
//!
//! | to find                                         | look in                             |
//! |-------------------------------------------------|-------------------------------------|
//! | an open source and what is read from it         | `session.rs`                        |
//! | what to read                                    | `query.rs`, `selection.rs`          |
//! | which listed objects are kept                   | `keep.rs`                           |
//! | how much of a body is kept                      | `trim.rs`                           |
//! | a live cluster                                  | `cluster/`                          |
//! | `--from` and `--demo`                           | `dump/`                             |
//! | how TYPE is resolved to a kind                  | `resolve.rs`                        |
//! | what a watch reports                            | `watch_event.rs`                    |
//! | metadata and events as JSON                     | `json_meta.rs`, `event_json.rs`     |
//! | estimates of memory, and the budget of a call   | `memory.rs`                         |
//! | which requests are pending                      | `progress.rs`                       |
//! | which files are never read                      | `special_file.rs`                   |
//! | text files that a flag names                    | `text_file.rs`                      |

pub mod cluster;
pub mod dump;
pub mod event_json;
mod json_meta;
pub mod keep;
pub mod memory;
pub mod progress;
pub mod query;
pub mod resolve;
pub mod selection;
pub mod session;
pub mod special_file;
pub mod text_file;
mod trim;
pub mod watch_event;

use std::fmt;
use std::path::PathBuf;

use tokio_util::sync::CancellationToken;

use progress::Progress;

use crate::connection::Target;
use crate::interrupt::Interrupt;
use crate::model::memory::MemoryBudget;

/// What accompanies a read: progress for the user, and a way to cancel it.
#[derive(Clone, Debug, Default)]
pub struct ReadContext {
    pub progress: Progress,
    pub cancel: CancellationToken,
}

/// The source that a command reads from.
pub struct SourceSpec {
    pub target: Target,
    /// `--from` or `--demo`, in place of the cluster.
    pub from: Option<From>,
    /// How much memory the call may use.
    pub memory: MemoryBudget,
    /// `--warnings-as-errors`: fail if the server sends warnings.
    pub warnings_as_errors: bool,
    /// Whether the user pressed Ctrl-C.
    pub interrupt: Interrupt,
}

impl SourceSpec {
    /// The source in a sentence: `the server`, `the dump d.yaml` or `the demo cluster`.
    pub fn described(&self) -> String {
        match &self.from {
            None => "the server".to_owned(),
            Some(from @ From::Dump(_)) => format!("the dump {from}"),
            Some(From::Demo) => "the demo cluster".to_owned(),
        }
    }
}

/// A source other than a cluster.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum From {
    /// All `--from` arguments, read as one dump.
    Dump(Vec<DumpInput>),
    /// The built-in demo cluster.
    Demo,
}

/// One `--from` argument.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DumpInput {
    /// A file, a directory or an archive.
    Path(PathBuf),
    Stdin,
}

impl fmt::Display for From {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Dump(inputs) => {
                let names: Vec<String> = inputs.iter().map(ToString::to_string).collect();
                f.write_str(&names.join(", "))
            }
            Self::Demo => f.write_str("the built-in demo cluster"),
        }
    }
}

impl fmt::Display for DumpInput {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Path(path) => path.display().fmt(f),
            Self::Stdin => f.write_str("standard input"),
        }
    }
}
