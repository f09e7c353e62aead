//! What a person asked about, once its kind is known.

use std::sync::Arc;

use crate::model::clue::Clues;
use crate::model::gap::Gap;
use crate::model::kind::Kind;
use crate::model::selector::Selector;
use crate::model::snapshot::{Reach, Seen};

/// The objects that were asked about.
#[derive(Clone, Debug)]
pub struct Wanted {
    pub kind: Arc<Kind>,
    /// For a namespaced kind; nothing means all namespaces.
    pub namespace: Option<String>,
    pub which: Which,
}

/// Which objects of the kind.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Which {
    Named(String),
    All(Selector),
}

/// Tells the traces of some roots, given the kinds that are served.
pub type ClueTeller<'a> = dyn Fn(&[Seen], &[Arc<Kind>]) -> Clues + Sync + 'a;

/// Where to look, and by which traces children are known that no owner reference leads to.
#[derive(Clone)]
pub struct Look<'a> {
    pub reach: Reach,
    pub clues: &'a ClueTeller<'a>,
}

/// What there is, and what could not be said.
#[derive(Clone, Debug)]
pub struct Discovered {
    pub kinds: Arc<[Arc<Kind>]>,
    pub gaps: Vec<Gap>,
}

/// An object by its name.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Named {
    pub name: String,
    /// Empty for a cluster-scoped one.
    pub namespace: String,
}
