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

impl Wanted {
    /// Whether an object is the one that was named.
    pub fn is(&self, seen: &Seen) -> bool {
        let name = &seen.meta.name;
        seen.kind.group == self.kind.group
            && seen.kind.plural == self.kind.plural
            && (self.namespace.is_none() || name.namespace == self.namespace)
            && matches!(&self.which, Which::Named(wanted) if *wanted == name.name)
    }
}

/// Which objects of the kind.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Which {
    Named(String),
    All(Selector),
    /// All that can be read: one kind among many that were not named.
    Any(Selector),
}

impl Wanted {
    /// Whether not being able to read it is no failure, only a gap.
    pub fn is_optional(&self) -> bool {
        matches!(self.which, Which::Any(_))
    }

    /// Whether this reads every object of a kind that a look could find.
    pub fn covers(&self, kind: &Kind, reach: &Reach) -> bool {
        let all = match &self.which {
            Which::Named(_) => false,
            Which::All(selector) | Which::Any(selector) => selector.is_empty(),
        };
        let there = match (reach, &self.namespace) {
            (Reach::Namespace(reach), Some(namespace)) => reach == namespace,
            (Reach::Namespace(_), None) => true,
            (Reach::Cluster, namespace) => namespace.is_none(),
        };
        all && there && self.kind.full_name() == kind.full_name()
    }
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
