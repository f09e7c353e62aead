//! The metadata that is kept of every object.

use jiff::Timestamp;

use super::ident::{ObjectName, Uid};
use super::selector::Labels;

/// The fields used of an object's metadata.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Meta {
    pub name: ObjectName,
    pub uid: Uid,
    pub created: Option<Timestamp>,
    /// When deletion takes or took effect; in the future while a grace period runs.
    pub deleted: Option<Timestamp>,
    pub finalizers: Vec<String>,
    pub owners: Vec<Owner>,
    /// Empty if the object was listed and nothing needs them, see `source/keep.rs`.
    pub labels: Labels,
    /// The same; long values are dropped.
    pub annotations: Labels,
}

/// An owner reference.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Owner {
    pub api_version: String,
    pub kind: String,
    pub name: String,
    pub uid: Uid,
    pub role: OwnerRole,
}

/// Whether the owner is the controller of the object.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OwnerRole {
    Controller,
    Plain,
}
