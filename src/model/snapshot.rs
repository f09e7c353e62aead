//! What one reading found.

use std::collections::HashMap;
use std::sync::Arc;

use serde::Serialize;

use super::coverage::Coverage;
use super::event::Event;
use super::ident::{ObjectName, Uid};
use super::kind::Kind;
use super::object::Object;

/// Objects, the kinds they are of, and how far the reading went.
#[derive(Clone, Debug, Default)]
pub struct Snapshot {
    /// The objects that were asked about; always among `objects`.
    pub roots: Vec<Uid>,
    pub objects: Vec<Object>,
    /// Objects that others name and that do not exist.
    pub absent: Vec<ObjectName>,
    /// The printer columns of the roots, where they were read.
    pub printed: HashMap<Uid, Vec<PrinterColumn>>,
    /// Events about the objects, where they were read.
    pub events: Option<Vec<Event>>,
    /// Every kind that the server serves.
    pub kinds: Arc<[Arc<Kind>]>,
    /// How many objects each listed kind has, by the kind's full name.
    pub counts: HashMap<String, usize>,
    pub coverage: Coverage,
}

/// One of the columns that `kubectl get` prints for a kind.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct PrinterColumn {
    pub name: String,
    pub value: String,
}
