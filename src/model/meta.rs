//! What the first look at an object keeps: enough to hang it into a tree.

use jiff::Timestamp;

use super::ident::{ObjectName, Uid};
use super::selector::Labels;

/// An object's metadata, as far as it is used.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Meta {
    pub name: ObjectName,
    pub uid: Uid,
    pub created: Option<Timestamp>,
    /// When deletion takes or took effect; in the future while a grace period runs.
    pub deleted: Option<Timestamp>,
    pub finalizers: Vec<String>,
    pub owners: Vec<Owner>,
    /// Read with the whole object; at the first look only where a clue asks for them.
    pub labels: Labels,
    /// The same; long values are left out.
    pub annotations: Labels,
}

/// One owner reference, as the object claims it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Owner {
    pub api_version: String,
    pub kind: String,
    pub name: String,
    pub uid: Uid,
    pub role: OwnerRole,
}

/// Whether the owner manages the object or merely keeps it alive.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OwnerRole {
    Controller,
    Plain,
}
