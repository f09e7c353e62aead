//! Pure answers about a snapshot: never an error, never the clock, never the network. Odd data is a finding.

pub mod changes;
pub mod events;
pub mod explain;
pub mod graph;
pub mod health;
mod owners;
pub mod related;
#[cfg(test)]
pub(crate) mod staged;
pub mod status;
pub mod tree;
pub mod watch_set;
