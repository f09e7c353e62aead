//! The log of a container: what to read of it, and what was read.

use super::gap::Reason;
use super::ident::ObjectName;

/// The fewest bytes of a log that are asked for.
const MIN_BYTES: usize = 64 << 10;
/// The most bytes of a log that are asked for.
const MAX_BYTES: usize = 4 << 20;
/// The bytes that are asked for per line.
const BYTES_PER_LINE: usize = 4 << 10;

/// Which run of a container a log is from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ContainerRun {
    Current,
    /// The one before the current one.
    Previous,
}

/// A container that crashed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CrashedContainer {
    pub name: String,
    /// The last run that ended.
    pub run: ContainerRun,
    pub restarts: i64,
}

/// The end of a log.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LogRequest {
    pub pod: ObjectName,
    pub container: CrashedContainer,
    /// The number of lines.
    pub lines: usize,
}

impl LogRequest {
    /// How many bytes are read at most, so that an endless line does no harm.
    pub fn max_bytes(&self) -> usize {
        self.lines.saturating_mul(BYTES_PER_LINE).clamp(MIN_BYTES, MAX_BYTES)
    }
}

/// What was read of a log.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LogTail {
    pub bytes: Vec<u8>,
    /// Whether bytes are missing at one end, because there were too many.
    pub is_cut: bool,
}

/// Why a log could not be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LogError {
    pub reason: Reason,
    /// The message of the server or the connection.
    pub message: String,
}

/// A log that was requested.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LogReading {
    pub request: LogRequest,
    pub result: Result<LogTail, LogError>,
}
