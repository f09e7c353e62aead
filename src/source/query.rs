//! What to read: plain data, the same for clusters and dumps.

use std::sync::Arc;

use super::keep::KeepFilter;
use super::selection::Selection;
use crate::known::kinds::{is_custom, is_worth_listing};
use crate::known::references::may_attach;
use crate::model::candidate::CandidateFilter;
use crate::model::coverage::Scope;
use crate::model::kind::{Kind, KindScope};
use crate::model::object::{Detail, Object};

/// The roots, and what is listed in addition.
#[derive(Clone)]
pub struct Query<'a> {
    /// The requested objects, which are read whole.
    pub roots: &'a [Selection],
    pub kinds: KindSet,
    pub scope: Scope,
    pub keep: KeepRule<'a>,
    /// How much of each listed object is read.
    pub detail: Detail,
    pub freshness: Freshness,
}

impl Query<'_> {
    /// Whether objects of a kind may attach themselves to a root. They are listed with their bodies, which name the
    /// root, and in all namespaces, because a Gateway serves the routes of many.
    pub fn may_attach(&self, kind: &Kind) -> bool {
        matches!(self.keep, KeepRule::Related(_))
            && self.kinds != KindSet::None
            && self.roots.iter().any(|root| may_attach(kind, &root.kind))
    }
}

/// Which kinds are listed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum KindSet {
    /// None in addition to the roots.
    None,
    /// These, by their full names.
    Named(Vec<String>),
    /// Every custom kind.
    Custom,
    /// Every kind whose objects can be part of a tree.
    WorthListing,
    /// Every kind that can be listed.
    All,
}

impl KindSet {
    /// The served kinds that are in the set.
    pub fn select(&self, served: &[Arc<Kind>]) -> Vec<Arc<Kind>> {
        served.iter().filter(|kind| self.contains(kind)).cloned().collect()
    }

    /// Whether a kind is in the set.
    pub fn contains(&self, kind: &Kind) -> bool {
        kind.is_listable()
            && match self {
                Self::None => false,
                Self::Named(names) => names.contains(&kind.full_name()),
                Self::Custom => is_custom(kind) && is_worth_listing(kind),
                Self::WorthListing => is_worth_listing(kind),
                Self::All => true,
            }
    }
}

/// Whether objects of a kind can be within a scope.
pub fn is_within(kind: &Kind, scope: &Scope) -> bool {
    // A namespaced object cannot own a cluster-scoped one.
    *scope == Scope::Cluster || kind.scope == KindScope::Namespaced
}

/// Computes which objects may belong to the roots, given the kinds that are served.
pub type FilterOfRoots<'a> = dyn Fn(&[Object], &[Arc<Kind>]) -> CandidateFilter + Sync + 'a;

/// Which listed objects are kept. For trees this depends on the roots, which are read at the same time.
#[derive(Clone, Copy)]
pub enum KeepRule<'a> {
    Related(&'a FilterOfRoots<'a>),
    Deleting,
    All,
}

impl KeepRule<'_> {
    /// The rule, once the roots are known.
    pub fn resolve(&self, roots: &[Object], kinds: &[Arc<Kind>]) -> KeepFilter {
        match self {
            Self::Related(filter) => KeepFilter::Related(filter(roots, kinds)),
            Self::Deleting => KeepFilter::Deleting,
            Self::All => KeepFilter::All,
        }
    }
}

/// How old a response may be.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Freshness {
    /// From the server's watch cache, which may be slightly behind.
    #[default]
    Cached,
    /// The latest state, from a quorum of etcd.
    Latest,
}
