//! The objects that were read.

use std::collections::HashMap;
use std::sync::Arc;

use serde::Serialize;

use super::coverage::Coverage;
use super::event::Event;
use super::ident::{ObjectName, Uid};
use super::kind::Kind;
use super::log::LogReading;
use super::memory::MemoryShare;
use super::object::Object;

/// Objects, their kinds, and what could not be read.
#[derive(Clone, Debug, Default)]
pub struct Snapshot {
    /// The requested objects; they are part of `objects`, unless deleted meanwhile.
    pub roots: Vec<Uid>,
    pub objects: Vec<Object>,
    /// Objects that others refer to and that do not exist.
    pub absent: Vec<ObjectName>,
    /// The printer columns of the roots, if they were read.
    pub printed: HashMap<Uid, Vec<PrinterColumn>>,
    /// Events about the objects, if they were read.
    pub events: Option<Vec<Event>>,
    /// The shares of the budget that the events are charged to.
    pub event_memory: Vec<MemoryShare>,
    /// The log that was read last.
    pub log: Option<LogReading>,
    /// Every kind that the server serves.
    pub kinds: Arc<[Arc<Kind>]>,
    /// The number of objects of each listed kind, by the kind's full name.
    pub counts: HashMap<String, usize>,
    pub coverage: Coverage,
}

/// One of the columns that `kubectl get` prints for a kind.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct PrinterColumn {
    pub name: String,
    pub value: String,
}
