//! An object and how much of it was read.

use std::sync::Arc;

use serde_json::Value;

use super::kind::Kind;
use super::memory::MemoryShare;
use super::meta::Meta;

/// How much of an object is requested or was read. Each level includes the ones before it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Detail {
    #[default]
    Metadata,
    /// What the health rules use: no Pod templates, no annotations, no volumes or env of Pods.
    Pruned,
    /// Everything but managedFields.
    Whole,
    WithManagedFields,
}

/// One object: its metadata, and as much of its body as was read.
#[derive(Clone, Debug)]
pub struct Object {
    pub kind: Arc<Kind>,
    pub meta: Meta,
    body: Option<Value>,
    detail: Detail,
    /// The share of the budget that it is charged to, released with it.
    memory: Option<MemoryShare>,
}

impl Object {
    /// An object with metadata only.
    pub fn metadata(kind: Arc<Kind>, meta: Meta) -> Self {
        Self { kind, meta, body: None, detail: Detail::Metadata, memory: None }
    }

    /// An object with a body that was read with `detail`.
    pub fn with_body(kind: Arc<Kind>, meta: Meta, body: Value, detail: Detail) -> Self {
        let body = (detail > Detail::Metadata).then_some(body);
        Self { kind, meta, body, detail, memory: None }
    }

    /// The same object, charged to a share for as long as it exists.
    #[must_use]
    pub fn charged_to(mut self, memory: MemoryShare) -> Self {
        self.memory = Some(memory);
        self
    }

    /// How much of it was read.
    pub fn detail(&self) -> Detail {
        self.detail
    }

    /// The body, if at least `detail` of it was read. Callers state what they need, so that a field that was not read
    /// is not mistaken for one that is not set.
    pub fn body(&self, detail: Detail) -> Option<&Value> {
        self.body.as_ref().filter(|_| self.detail >= detail)
    }

    /// The body as far as the health rules need it.
    pub fn pruned(&self) -> Option<&Value> {
        self.body(Detail::Pruned)
    }

    /// The whole body.
    pub fn whole(&self) -> Option<&Value> {
        self.body(Detail::Whole)
    }

    /// Drops the body, so that it is read again.
    pub fn drop_body(&mut self) {
        (self.body, self.detail) = (None, Detail::Metadata);
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_body_is_returned_only_if_enough_of_it_was_read() {
        let object = |detail| Object::with_body(Arc::default(), Meta::default(), json!({}), detail);
        assert!(object(Detail::Pruned).pruned().is_some() && object(Detail::Pruned).whole().is_none());
        assert!(object(Detail::Whole).whole().is_some());
        assert!(object(Detail::Whole).body(Detail::WithManagedFields).is_none());
        assert!(object(Detail::Metadata).body(Detail::Metadata).is_none());
    }
}
