//! Reports as text for people and as data for programs. No lookups, no sorting, no decisions.

pub mod changes;
pub mod columns;
pub mod drawing;
pub mod events;
pub mod explain;
pub mod footer;
pub mod graphviz;
pub mod machine;
pub mod mermaid;
#[cfg(test)]
mod sample;
pub mod status;
pub mod table;
pub mod tree;
mod wrap;

/// A format for programs. Text is what a command prints when none is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Machine {
    /// One JSON document.
    Json,
    /// One YAML document.
    Yaml,
}
