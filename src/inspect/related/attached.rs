//! Objects that attach themselves to a resource: their spec names it as a parent, as the routes of a Gateway do.

use std::collections::{BTreeMap, HashMap};

use serde_json::Value;

use super::{InferredEdge, Strength};
use crate::inspect::graph::Index;
use crate::known::kinds::is_custom;
use crate::known::references::may_attach;
use crate::model::fetch_plan::FetchPlan;
use crate::model::ident::group_of;
use crate::model::json::{at, text};
use crate::model::kind::Kind;
use crate::model::object::{Detail, Object};
use crate::model::snapshot::Snapshot;

/// The fields of a spec that name a parent.
const FIELDS: [&str; 2] = ["parentRef", "parentRefs"];

/// Attached objects by the namespace and name of their parent.
#[derive(Default)]
pub(super) struct AttachedIndex<'a>(HashMap<(Option<&'a str>, &'a str), Vec<Attachment<'a>>>);

/// One reference to a parent.
struct Attachment<'a> {
    object: Index,
    field: &'static str,
    /// `None` is the group of the object.
    group: Option<&'a str>,
    /// `None` is any kind of the group.
    kind: Option<&'a str>,
}

impl<'a> AttachedIndex<'a> {
    /// Builds the index, and asks for the bodies of objects that may attach themselves to a root.
    pub(super) fn of(snapshot: &'a Snapshot, roots: &[Index], plan: &mut FetchPlan) -> Self {
        let mut root_kinds: Vec<&Kind> = roots.iter().map(|root| &*snapshot.objects[*root].kind).collect();
        root_kinds.sort_by_key(|kind| (&kind.group, &kind.kind));
        root_kinds.dedup_by_key(|kind| (&kind.group, &kind.kind));
        let mut may_attach_of: HashMap<*const Kind, bool> = HashMap::new();
        let mut all = Self::default();
        for (index, object) in snapshot.objects.iter().enumerate() {
            let kind: &Kind = &object.kind;
            let may_attach = *may_attach_of
                .entry(std::ptr::from_ref(kind))
                .or_insert_with(|| is_custom(kind) && root_kinds.iter().any(|root| may_attach(kind, root)));
            match object.whole() {
                _ if !is_custom(kind) => {}
                Some(body) => all.add(index, object, body),
                None if may_attach => plan.want(index, Detail::Whole),
                None => {}
            }
        }
        all
    }

    fn add(&mut self, index: Index, object: &'a Object, body: &'a Value) {
        for field in FIELDS {
            let Some(value) = at(body, &["spec", field]) else { continue };
            let references = value.as_array().map_or(std::slice::from_ref(value), Vec::as_slice);
            for reference in references {
                let Some(name) = text(reference, &["name"]) else { continue };
                let namespace = text(reference, &["namespace"]).or(object.meta.name.namespace.as_deref());
                let group = text(reference, &["group"])
                    .or_else(|| text(reference, &["apiVersion"]).map(group_of))
                    .or_else(|| text(reference, &["apiGroup"]));
                let kind = text(reference, &["kind"]);
                // Only the kind tells whether the parent is in a namespace; the parent is looked up by either.
                for namespace in [namespace, None] {
                    let attachment = Attachment { object: index, field, group, kind };
                    self.0.entry((namespace, name)).or_default().push(attachment);
                }
            }
        }
    }

    /// The edges from a root to the objects that are attached to it. Each belongs to whoever created it, so it does not
    /// count for the root.
    pub(super) fn edges(&self, root: Index, snapshot: &Snapshot) -> Vec<InferredEdge> {
        let object = &snapshot.objects[root];
        let (kind, name) = (&object.kind, &object.meta.name);
        let mut edges: BTreeMap<Index, InferredEdge> = BTreeMap::new();
        let attached = self.0.get(&(name.namespace.as_deref(), name.name.as_str()));
        for attachment in attached.into_iter().flatten() {
            let to = &snapshot.objects[attachment.object];
            let is_meant = attachment.group.unwrap_or(&to.kind.group) == kind.group
                && attachment.kind.is_none_or(|wanted| wanted == kind.kind);
            if is_meant && attachment.object != root {
                let evidence = vec![format!("spec.{} refers to the {}", attachment.field, kind.kind)];
                let (to, strength) = (attachment.object, Strength::Named);
                edges.entry(to).or_insert(InferredEdge { from: root, to, evidence, strength });
            }
        }
        edges.into_values().collect()
    }
}
