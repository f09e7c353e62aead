//! What is measured besides the tree of a cluster: dumps, the demo cluster, many resources at once, and one resource
//! whose requests are counted.

use std::fmt;

use clap::ValueEnum;

use crate::figures::Figures;
use crate::request_stats::RequestStats;

/// The parts of the benchmark.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Benchmark {
    /// The tree of a cluster, beside other tools
    Tree,
    /// The tree of a large dump
    Dump,
    /// The tree of the demo cluster
    Demo,
    /// The status of thousands of resources
    Status,
    /// The requests of tree and status for one resource
    RequestCount,
}

impl Benchmark {
    /// In the order of measuring.
    pub(crate) const ALL: [Self; 5] = [Self::Dump, Self::Demo, Self::Status, Self::RequestCount, Self::Tree];
}

/// The commands that they measure.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum MeasuredCommand {
    DumpTree,
    /// Bytes read and parsed once, and nothing else.
    DumpReader,
    DemoTree,
    StatusAll,
    /// The same requests, with the responses discarded.
    StatusReplay,
    CountedTree,
    CountedOwnedTree,
    CountedStatus,
}

impl fmt::Display for MeasuredCommand {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::DumpTree => "kubectl-op tree --from",
            Self::DumpReader => "bare reader",
            Self::DemoTree => "kubectl-op tree --demo",
            Self::StatusAll => "kubectl-op status -A",
            Self::StatusReplay => "bare requests",
            Self::CountedTree => "kubectl-op tree",
            Self::CountedOwnedTree => "kubectl-op tree --owned-only",
            Self::CountedStatus => "kubectl-op status",
        })
    }
}

/// The measurements of one benchmark, side by side.
#[derive(Clone, Debug)]
pub(crate) struct Comparison {
    pub(crate) title: String,
    pub(crate) rows: Vec<ComparisonRow>,
}

/// One command: its figures, or why there are none.
#[derive(Clone, Debug)]
pub(crate) struct ComparisonRow {
    pub(crate) command: MeasuredCommand,
    pub(crate) outcome: Result<Figures, String>,
}

/// What related children cost in addition to owned ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Related {
    pub(crate) lists: usize,
    /// Reads of objects that the answer does not show.
    pub(crate) unprinted: usize,
}

impl Related {
    /// Of a tree and its answer beside one with `--owned-only`.
    pub(crate) fn of(tree: &RequestStats, answer: &str, owned: &RequestStats) -> Self {
        Self { lists: tree.lists_beyond(owned), unprinted: tree.unprinted_beyond(owned, answer) }
    }
}
