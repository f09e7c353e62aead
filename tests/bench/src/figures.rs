//! What was measured, as plain data.

use std::time::Duration;

use crate::bench_case::BenchCase;
use crate::comparison::{Comparison, MeasuredCommand, Related};
use crate::median::median;
use crate::output_check::OpCommand;
use crate::stopwatch::Run;
use crate::tool::Tool;

/// Everything that was measured in one run.
#[derive(Clone, Debug, Default)]
pub(crate) struct BenchResults {
    pub(crate) op_command: OpCommand,
    pub(crate) binary: Option<BinaryStats>,
    /// One per case, in the order of measuring.
    pub(crate) cases: Vec<CaseResult>,
    /// What else was measured.
    pub(crate) comparisons: Vec<Comparison>,
    pub(crate) related: Option<Related>,
}

/// The binary itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct BinaryStats {
    /// Bytes on disk, as shipped.
    pub(crate) size: u64,
    /// From start to the end of `--help`.
    pub(crate) help: Duration,
}

/// One case.
#[derive(Clone, Debug)]
pub(crate) struct CaseResult {
    pub(crate) case: BenchCase,
    /// Namespaced kinds that the server really lists.
    pub(crate) kinds: usize,
    /// How many nodes the tree has.
    pub(crate) nodes: usize,
    pub(crate) rows: Vec<Row>,
}

/// One tool in one case: its figures, or why there are none.
#[derive(Clone, Debug)]
pub(crate) struct Row {
    pub(crate) tool: Tool,
    pub(crate) outcome: Result<Figures, String>,
}

/// What one run of a tool costs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Figures {
    /// The median, between the fastest and the slowest.
    pub(crate) wall: Duration,
    pub(crate) fastest: Duration,
    pub(crate) slowest: Duration,
    /// Median of the peaks of memory, in bytes.
    pub(crate) peak: u64,
    /// How many lines its answer had.
    pub(crate) lines: usize,
    pub(crate) traffic: Traffic,
    /// Bytes received when it asks for no compression; only kubectl-op has a target for it.
    pub(crate) uncompressed: Option<u64>,
}

/// The network traffic.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Traffic {
    /// Received, TLS included.
    pub(crate) bytes: u64,
    pub(crate) requests: usize,
    pub(crate) connections: u64,
    /// Lists among the requests, and how often the kind was listed that was listed most.
    pub(crate) lists: usize,
    pub(crate) most_lists: usize,
}

impl Figures {
    /// Of runs that were timed and not counted; nothing when there were none.
    pub(crate) fn timed(runs: &[Run], lines: usize) -> Option<Self> {
        let walls: Vec<_> = runs.iter().map(|run| run.wall).collect();
        let peaks: Vec<_> = runs.iter().map(|run| run.peak).collect();
        Some(Self {
            wall: median(&walls)?,
            fastest: walls.iter().min().copied()?,
            slowest: walls.iter().max().copied()?,
            peak: median(&peaks)?,
            lines,
            traffic: Traffic::default(),
            uncompressed: None,
        })
    }
}

impl BenchResults {
    /// Only what the targets are about: the output of another command neither meets nor misses one.
    pub(crate) fn judgeable(&self) -> Self {
        let mut results = self.clone();
        if self.op_command == OpCommand::Other {
            for result in &mut results.cases {
                result.rows.retain(|row| row.tool != Tool::Op);
            }
        }
        results
    }

    /// What was measured of a command, when it took part.
    pub(crate) fn command(&self, command: MeasuredCommand) -> Option<&Result<Figures, String>> {
        let mut rows = self.comparisons.iter().flat_map(|comparison| &comparison.rows);
        rows.find(|row| row.command == command).map(|row| &row.outcome)
    }

    /// The result of a case, when it was measured.
    pub(crate) fn case(&self, case: BenchCase) -> Option<&CaseResult> {
        self.cases.iter().find(|result| result.case == case)
    }
}

impl CaseResult {
    /// The row of a tool, when it took part.
    pub(crate) fn row(&self, tool: Tool) -> Option<&Row> {
        self.rows.iter().find(|row| row.tool == tool)
    }

    /// The figures of a tool, when it took part and succeeded.
    pub(crate) fn figures(&self, tool: Tool) -> Option<&Figures> {
        self.row(tool)?.outcome.as_ref().ok()
    }
}
