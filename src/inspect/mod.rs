//! Pure answers about a snapshot: never an error, never the clock, never the network. Odd data is a finding.

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

/// A report, and the objects it is about.
#[derive(Debug)]
pub struct Inspected<R> {
    pub report: R,
    /// By their index in the snapshot, in no order, whether the report shows or hides them.
    pub members: Vec<Index>,
}
