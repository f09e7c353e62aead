//! What a person asked about, once its kind is known.

use std::sync::Arc;

use crate::model::candidate::CandidateFilter;
use crate::model::gap::Gap;
use crate::model::kind::Kind;
use crate::model::selector::Selector;
use crate::model::snapshot::{Object, Reach};

/// The objects that were asked about.
#[derive(Clone, Debug)]
pub struct Selection {
    pub kind: Arc<Kind>,
    /// For a namespaced kind; nothing means all namespaces.
    pub namespace: Option<String>,
    pub which: Select,
}

impl Selection {
    /// Whether an object is the one that was named.
    pub fn is(&self, object: &Object) -> bool {
        let name = &object.meta.name;
        object.kind.group == self.kind.group
            && object.kind.plural == self.kind.plural
            && (self.namespace.is_none() || name.namespace == self.namespace)
            && matches!(&self.which, Select::Named(wanted) if *wanted == name.name)
    }
}

/// Which objects of the kind.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Select {
    Named(String),
    All(Selector),
    /// All that can be read: one kind among many that were not named.
    Any(Selector),
}

impl Selection {
    /// Whether not being able to read it is no failure, only a gap.
    pub fn is_optional(&self) -> bool {
        matches!(self.which, Select::Any(_))
    }

    /// Whether this reads every object of a kind that a look could find.
    pub fn covers(&self, kind: &Kind, reach: &Reach) -> bool {
        let all = match &self.which {
            Select::Named(_) => false,
            Select::All(selector) | Select::Any(selector) => selector.is_empty(),
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
pub type FilterOfRoots<'a> = dyn Fn(&[Object], &[Arc<Kind>]) -> CandidateFilter + Sync + 'a;

/// Where to look, and by which traces children are known that no owner reference leads to.
#[derive(Clone)]
pub struct Look<'a> {
    pub reach: Reach,
    pub candidates: &'a FilterOfRoots<'a>,
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
