//! Pure answers about a snapshot: never an error, never the clock, never the network. Odd data is a finding.

pub mod graph;
pub mod health;
mod owners;
pub mod tree;
