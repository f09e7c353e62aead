//! The requested objects, once their kind is known.

use std::sync::Arc;

use crate::model::coverage::Scope;
use crate::model::gap::Gap;
use crate::model::kind::{Kind, KindScope};
use crate::model::meta::Meta;
use crate::model::object::Object;
use crate::model::selector::Selector;

/// Some objects of one kind.
#[derive(Clone, Debug)]
pub struct Selection {
    pub kind: Arc<Kind>,
    /// For a namespaced kind; `None` means all namespaces.
    pub namespace: Option<String>,
    pub objects: Select,
    /// Whether a failure to read them is only a gap.
    pub optional: bool,
}

/// Which objects of the kind.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Select {
    Named(String),
    Matching(Selector),
}

impl Selection {
    /// Whether an object of a kind is selected.
    pub fn contains(&self, kind: &Kind, meta: &Meta) -> bool {
        let is_in_namespace = self.kind.scope == KindScope::Cluster
            || self.namespace.is_none()
            || meta.name.namespace == self.namespace;
        let is_selected = match &self.objects {
            Select::Named(name) => meta.name.name == *name,
            Select::Matching(selector) => selector.matches(&meta.labels),
        };
        is_in_namespace && is_selected && kind.is_same_resource(&self.kind)
    }

    /// Whether an object was selected by name.
    pub fn names(&self, object: &Object) -> bool {
        matches!(self.objects, Select::Named(_)) && self.contains(&object.kind, &object.meta)
    }

    /// Whether this selects every object of a kind within a scope, so that the kind need not be listed again.
    pub fn covers(&self, kind: &Kind, scope: &Scope) -> bool {
        let all = matches!(&self.objects, Select::Matching(selector) if selector.is_empty());
        let everywhere = match (scope, &self.namespace) {
            (Scope::Namespace(scope), Some(namespace)) => scope == namespace,
            (Scope::Namespace(_), None) => true,
            (Scope::Cluster, namespace) => namespace.is_none(),
        };
        all && everywhere && self.kind.is_same_resource(kind)
    }
}

/// The served kinds, and the groups that could not be discovered.
#[derive(Clone, Debug)]
pub struct Discovered {
    pub kinds: Arc<[Arc<Kind>]>,
    pub gaps: Vec<Gap>,
}

/// An object's name, for a hint or a prompt.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct NamespacedName {
    pub name: String,
    /// Empty for a cluster-scoped object.
    pub namespace: String,
}
