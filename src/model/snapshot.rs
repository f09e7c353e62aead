//! What a command looks at: read once, then never changed.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use jiff::Timestamp;
use serde::Serialize;
use serde_json::Value;

use super::event::Event;
use super::gap::Gap;
use super::ident::{ObjectName, Uid};
use super::kind::Kind;
use super::meta::Meta;

/// Objects, the kinds they are of, and what could not be read.
#[derive(Clone, Debug, Default)]
pub struct Snapshot {
    /// The objects that were asked about; always among `objects`.
    pub roots: Vec<Uid>,
    pub objects: Vec<Object>,
    /// Objects that are named by others and are not there.
    pub absent: Vec<ObjectName>,
    /// What a second look has asked for already, whatever came of it.
    pub tried: HashSet<ObjectName>,
    /// What the server's own table says of an object, where that was asked for.
    pub printed: HashMap<Uid, Vec<Printed>>,
    /// What was written down about the objects, where that was asked for.
    pub events: Vec<Event>,
    /// Every kind that the server announced.
    pub kinds: Arc<[Arc<Kind>]>,
    /// How many objects each listed kind has, by the kind's full name.
    pub counts: HashMap<String, usize>,
    /// How many kinds were asked for their objects.
    pub kinds_asked: usize,
    pub reach: Reach,
    pub gaps: Vec<Gap>,
    /// The server's clock, or the newest time in a dump.
    pub now: Timestamp,
}

/// Where objects were looked for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Reach {
    /// Namespaced kinds, in one namespace.
    Namespace(String),
    /// All kinds, everywhere.
    #[default]
    Cluster,
}

/// One object: its metadata, and the whole of it where that was read.
#[derive(Clone, Debug)]
pub struct Object {
    pub kind: Arc<Kind>,
    pub meta: Meta,
    pub body: Option<Value>,
}

/// One column that an operator's author chose to show of a kind.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Printed {
    pub name: String,
    pub value: String,
}

/// What to read beside the metadata that is known.
#[derive(Clone, Debug, Default)]
pub struct FetchPlan {
    /// Objects to read whole, by their place in the snapshot.
    pub bodies: Vec<usize>,
    /// Objects that are named somewhere and were not seen.
    pub named: Vec<Lookup>,
}

impl FetchPlan {
    /// Whether there is nothing to read.
    pub fn is_empty(&self) -> bool {
        self.bodies.is_empty() && self.named.is_empty()
    }
}

/// An object to look up by its name.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Lookup {
    pub name: ObjectName,
    pub detail: Detail,
}

/// How much of an object is wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Detail {
    Metadata,
    Whole,
}
