//! One object of a tree, and its own verdict.

use jiff::Timestamp;
use serde::Serialize;

use super::Context;
use crate::inspect::graph::{EdgeKind, Index};
use crate::inspect::health;
use crate::model::health::{Health, Verdict};
use crate::model::ident::ObjectName;
use crate::model::now::Now;
use crate::model::object::Object;
use crate::model::rule::Rule;
use crate::model::snapshot::PrinterColumn;

/// One object of the tree in its JSON form.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Node {
    /// The uid, or else kind, namespace and name.
    pub id: String,
    #[serde(flatten)]
    pub name: ObjectName,
    pub uid: String,
    pub created: Option<Timestamp>,
    /// When its deletion was requested.
    pub deleting: Option<Timestamp>,
    pub finalizers: Vec<String>,
    /// The verdict on the object alone, without the objects below it.
    pub own: Health,
    /// Whether it is in the tree by evidence only, not by owner references.
    pub related: bool,
    /// The weakest edge on the way to it from the root; `None` for the root.
    #[serde(skip)]
    pub link: Option<EdgeKind>,
    /// Whether it counts for the verdict on the tree; a finished Pod that was replaced does not.
    pub counts: bool,
    /// The columns that `kubectl get` prints, if they were read.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub printed: Option<Vec<PrinterColumn>>,
    /// The depth in the tree; 0 is the top.
    #[serde(skip)]
    pub depth: usize,
}

/// Words in kubectl's STATUS of a Pod that describe the Pod, sorted. The others, such as `CrashLoopBackOff`, name a state
/// that it is in.
const POD_ADJECTIVES: [&str; 11] = [
    "Completed",
    "Evicted",
    "Failed",
    "NotReady",
    "OOMKilled",
    "Pending",
    "Running",
    "SchedulingGated",
    "Succeeded",
    "Terminating",
    "Unknown",
];

/// Whether a verdict needs attention.
pub const fn is_unhealthy(verdict: Verdict) -> bool {
    !matches!(verdict, Verdict::None | Verdict::Ready | Verdict::Suspended | Verdict::Unknown)
}

impl Node {
    pub(super) fn of(index: Index, context: &Context<'_>, link: Option<EdgeKind>, depth: usize) -> Self {
        let snapshot = context.snapshot;
        let (object, now) = (&snapshot.objects[index], context.now());
        let own = match object.pruned() {
            Some(body) => health::judge_discovered(&object.kind, body, now, context.rulebook),
            None => health::judge_meta(&object.kind.group_kind(), &object.meta, now),
        };
        let own = context.kept_status.apply(own, &object.kind);
        Self {
            id: id(object),
            name: object.meta.name.clone(),
            uid: object.meta.uid.0.clone(),
            created: object.meta.created,
            deleting: object.meta.deleted,
            finalizers: object.meta.finalizers.clone(),
            own,
            related: link >= Some(EdgeKind::Related),
            link,
            counts: true,
            printed: snapshot.printed.get(&object.meta.uid).cloned(),
            depth,
        }
    }

    /// Its age as kubectl prints it, or when it was created.
    pub fn age(&self, now: Now) -> String {
        self.created.map_or_else(|| "<unknown>".to_owned(), |created| now.cell(created))
    }

    /// Its name, with `~` if it is in the tree by evidence only.
    pub fn display_name(&self) -> String {
        if self.related { format!("~{}", self.name) } else { self.name.to_string() }
    }

    /// Its STATUS: kubectl's where it has one, else the verdict.
    pub fn status_text(&self) -> String {
        if self.own.status == "-" { self.own.verdict.to_string() } else { self.own.status.clone() }
    }

    /// `Pod/a has been in CrashLoopBackOff for 5m`, `Pod/a is Running`, `Service/a has 2 endpoints`.
    pub(super) fn summary(&self, duration: Option<&str>) -> String {
        let (name, status) = (self.display_name(), self.status_text());
        let is_noun = self.own.rule == Rule::Pod && POD_ADJECTIVES.binary_search(&status.as_str()).is_err();
        match duration {
            _ if self.counts_endpoints() => format!("{name} has {status}"),
            None => format!("{name} is {status}"),
            Some(duration) if is_noun => format!("{name} has been in {status} {duration}"),
            Some(duration) => format!("{name} has been {status} {duration}"),
        }
    }

    /// Whether its STATUS is a number of endpoints.
    pub(super) fn counts_endpoints(&self) -> bool {
        match self.own.rule {
            Rule::ServiceEndpoints => true,
            Rule::Service => self.own.verdict == Verdict::None && self.own.status != "-",
            _ => false,
        }
    }

    /// Whether it reports that it is ready, whatever the verdict.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_adjectives_are_sorted() {
        assert!(POD_ADJECTIVES.is_sorted_by(|a, b| a < b));
    }
}
