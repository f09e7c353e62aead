//! What was measured, as plain data.

use std::time::Duration;

use crate::answer::Question;
use crate::aside::{Aside, Entry, Related};
use crate::median::median;
use crate::scene::Scene;
use crate::stopwatch::Run;
use crate::subject::Name;

/// Everything that one run found out.
#[derive(Clone, Debug, Default)]
pub(crate) struct Findings {
    pub(crate) question: Question,
    pub(crate) product: Option<Product>,
    /// One per scene, in the order of measuring.
    pub(crate) pages: Vec<Page>,
    /// What else was measured.
    pub(crate) asides: Vec<Aside>,
    pub(crate) related: Option<Related>,
}

/// The binary itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Product {
    /// Bytes on disk, as shipped.
    pub(crate) size: u64,
    /// From start to the end of `--help`.
    pub(crate) help: Duration,
}

/// One scene.
#[derive(Clone, Debug)]
pub(crate) struct Page {
    pub(crate) scene: Scene,
    /// Namespaced kinds that the server really lists.
    pub(crate) kinds: usize,
    /// How many nodes the tree has.
    pub(crate) nodes: usize,
    pub(crate) rows: Vec<Row>,
}

/// One subject in one scene: its figures, or why there are none.
#[derive(Clone, Debug)]
pub(crate) struct Row {
    pub(crate) name: Name,
    pub(crate) outcome: Result<Figures, String>,
}

/// What one subject cost.
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

/// What went over the wire.
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

impl Findings {
    /// Only what the targets are about: an answer to another question neither keeps nor breaks a promise.
    pub(crate) fn judgeable(&self) -> Self {
        let mut findings = self.clone();
        if self.question == Question::Other {
            for page in &mut findings.pages {
                page.rows.retain(|row| row.name != Name::Op);
            }
        }
        findings
    }

    /// What was measured of an entry, when it took part.
    pub(crate) fn entry(&self, entry: Entry) -> Option<&Result<Figures, String>> {
        let mut rows = self.asides.iter().flat_map(|aside| &aside.rows);
        rows.find(|row| row.entry == entry).map(|row| &row.outcome)
    }

    /// The page of a scene, when it was measured.
    pub(crate) fn page(&self, scene: Scene) -> Option<&Page> {
        self.pages.iter().find(|page| page.scene == scene)
    }
}

impl Page {
    /// A subject's row, when it took part.
    pub(crate) fn row(&self, name: Name) -> Option<&Row> {
        self.rows.iter().find(|row| row.name == name)
    }

    /// A subject's figures, when it took part and ran.
    pub(crate) fn figures(&self, name: Name) -> Option<&Figures> {
        self.row(name)?.outcome.as_ref().ok()
    }
}
