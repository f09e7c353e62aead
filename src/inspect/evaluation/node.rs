//! One object of a tree, and its own verdict.

use jiff::Timestamp;
use serde::Serialize;

use super::Context;
use crate::inspect::graph::Index;
use crate::inspect::health;
use crate::model::age;
use crate::model::health::{Health, Verdict};
use crate::model::ident::ObjectName;
use crate::model::object::Object;
use crate::model::snapshot::PrinterColumn;

/// One object, as JSON has it.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Node {
    /// The uid, or kind, namespace and name of an object without one.
    pub id: String,
    #[serde(flatten)]
    pub name: ObjectName,
    pub uid: String,
    pub created: Option<Timestamp>,
    /// Since when it is being deleted.
    pub deleting: Option<Timestamp>,
    pub finalizers: Vec<String>,
    /// The verdict on the object alone, whatever is below it.
    pub own: Health,
    /// Whether only evidence, and no owner reference, leads to it.
    pub related: bool,
    /// Whether it is part of the verdict on the whole: a leftover of a finished rollout is not.
    pub counts: bool,
    /// The columns that `kubectl get` prints, where they were read.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub printed: Option<Vec<PrinterColumn>>,
    /// How many steps below the top.
    #[serde(skip)]
    pub depth: usize,
}

/// Whether a verdict is one that a person should look at.
pub const fn is_trouble(verdict: Verdict) -> bool {
    !matches!(verdict, Verdict::None | Verdict::Ready | Verdict::Suspended | Verdict::Unknown)
}

impl Node {
    pub(super) fn of(index: Index, context: &Context<'_>, related: bool, depth: usize) -> Self {
        let snapshot = context.snapshot;
        let (object, now) = (&snapshot.objects[index], snapshot.coverage.now);
        let kind = object.kind.group_kind();
        let own = match object.pruned() {
            Some(body) => health::judge(&kind, body, now, context.rulebook),
            None => health::judge_meta(&kind, &object.meta, now),
        };
        Self {
            id: id(object),
            name: object.meta.name.clone(),
            uid: object.meta.uid.0.clone(),
            created: object.meta.created,
            deleting: object.meta.deleted,
            finalizers: object.meta.finalizers.clone(),
            own,
            related,
            counts: true,
            printed: snapshot.printed.get(&object.meta.uid).cloned(),
            depth,
        }
    }

    /// Its age as kubectl prints it.
    pub fn age(&self, now: Timestamp) -> String {
        self.created.map_or_else(|| "<unknown>".to_owned(), |created| age::human(now.duration_since(created)))
    }

    /// Its name, marked when only evidence leads to it.
    pub fn display_name(&self) -> String {
        if self.related { format!("~{}", self.name) } else { self.name.to_string() }
    }

    /// The word for its state: kubectl's where it has one, else the verdict.
    pub fn status_text(&self) -> String {
        if self.own.status == "-" { self.own.verdict.to_string() } else { self.own.status.clone() }
    }

    /// Whether its status claims that it is ready, whatever the verdict.
    pub fn reports_ready(&self) -> bool {
        self.own.verdict == Verdict::Ready || self.own.ready.as_deref() == Some("True")
    }
}

fn id(object: &Object) -> String {
    let name = &object.meta.name;
    match object.meta.uid.0.as_str() {
        "" => format!(
            "{}/{}/{}",
            object.kind.full_name(),
            name.namespace.as_deref().unwrap_or_default(),
            name.name
        ),
        uid => uid.to_owned(),
    }
}
