//! What a command looks at: read once, then never changed.

use std::collections::HashMap;
use std::sync::Arc;

use jiff::Timestamp;
use serde_json::Value;

use super::gap::Gap;
use super::ident::{ObjectName, Uid};
use super::kind::Kind;
use super::meta::Meta;

/// Objects, the kinds they are of, and what could not be read.
#[derive(Clone, Debug)]
pub struct Snapshot {
    /// The object that was asked about; always among `objects`.
    pub root: Uid,
    pub objects: Vec<Seen>,
    /// Objects that are named as owners and are not there.
    pub absent: Vec<ObjectName>,
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
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reach {
    /// Namespaced kinds, in one namespace.
    Namespace(String),
    /// All kinds, everywhere.
    Cluster,
}

/// One object: its metadata, and the whole of it where that was read.
#[derive(Clone, Debug)]
pub struct Seen {
    pub kind: Arc<Kind>,
    pub meta: Meta,
    pub body: Option<Value>,
}

/// What to read beside the metadata that is known.
#[derive(Clone, Debug, Default)]
pub struct Reading {
    /// Objects to read whole, by their place in the snapshot.
    pub bodies: Vec<usize>,
    /// Objects that are named as owners and were not seen.
    pub owners: Vec<ObjectName>,
}
