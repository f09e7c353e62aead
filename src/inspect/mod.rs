//! Reports about a snapshot: pure functions without errors, clock or network. Malformed data is a finding.
//!
//! | to find                                          | look in            |
//! |--------------------------------------------------|--------------------|
//! | the tree of owner references                     | `graph.rs`         |
//! | children without an owner reference              | `related/`         |
//! | objects of a tree, without verdicts              | `members.rs`       |
//! | findings about owner references                  | `owners.rs`        |
//! | the verdict on one object                        | `health/`          |
//! | the verdict on a tree, its cause and headline    | `evaluation/`      |
//! | the reports of the commands                      | `tree/`, `status/`, `events.rs`, `explain.rs` |
//! | the difference between two trees                 | `changes.rs`       |
//! | what must be watched to keep a report up to date | `watch_set.rs`     |
//! | independent parts computed on several threads    | `parallel.rs`      |
//! | snapshots for unit tests                         | `test_snapshot.rs` |

pub mod changes;
pub mod evaluation;
pub mod events;
pub mod explain;
pub mod graph;
pub mod health;
pub mod members;
mod owners;
mod parallel;
pub mod related;
pub mod status;
#[cfg(test)]
pub(crate) mod test_snapshot;
pub mod tree;
pub mod watch_set;

use graph::Index;

/// A report and the objects that it is about.
#[derive(Debug)]
pub struct Inspected<R> {
    pub report: R,
    /// Their indices in the snapshot, unordered, including objects that the report hides.
    pub members: Vec<Index>,
}
