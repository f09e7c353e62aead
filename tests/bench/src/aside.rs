//! What is measured beside the tree of a cluster: dumps, the demo world, many resources at once, and one whose
//! requests are compared.

use std::fmt;

use clap::ValueEnum;

use crate::calls::Calls;
use crate::figures::Figures;

/// What the benchmark can be asked about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Topic {
    /// The tree of a cluster, beside those of others
    Tree,
    /// The tree of a large dump
    Dump,
    /// The tree of the demo world
    Demo,
    /// The status of thousands of resources
    Crowd,
    /// The requests of tree and status for one resource
    Circle,
}

impl Topic {
    /// In the order of measuring.
    pub(crate) const ALL: [Self; 5] = [Self::Dump, Self::Demo, Self::Crowd, Self::Circle, Self::Tree];
}

/// Who is measured there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Entry {
    DumpTree,
    /// Bytes read and parsed once, and nothing else.
    DumpReader,
    DemoTree,
    CrowdStatus,
    /// The same requests, with the answers thrown away.
    CrowdReplay,
    CircleTree,
    CircleOwned,
    CircleStatus,
}

impl fmt::Display for Entry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::DumpTree => "kubectl-op tree --from",
            Self::DumpReader => "bare reader",
            Self::DemoTree => "kubectl-op tree --demo",
            Self::CrowdStatus => "kubectl-op status -A",
            Self::CrowdReplay => "bare requests",
            Self::CircleTree => "kubectl-op tree",
            Self::CircleOwned => "kubectl-op tree --owned-only",
            Self::CircleStatus => "kubectl-op status",
        })
    }
}

/// One topic's measurements.
#[derive(Clone, Debug)]
pub(crate) struct Aside {
    pub(crate) title: String,
    pub(crate) rows: Vec<AsideRow>,
}

/// One entry: its figures, or why there are none.
#[derive(Clone, Debug)]
pub(crate) struct AsideRow {
    pub(crate) entry: Entry,
    pub(crate) outcome: Result<Figures, String>,
}

/// What related children cost beside those that are owned.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Related {
    pub(crate) lists: usize,
    /// Reads of objects that the answer does not show.
    pub(crate) unprinted: usize,
}

impl Related {
    /// Of a tree and its answer beside one with `--owned-only`.
    pub(crate) fn of(tree: &Calls, answer: &str, owned: &Calls) -> Self {
        Self { lists: tree.lists_beyond(owned), unprinted: tree.unprinted_beyond(owned, answer) }
    }
}
