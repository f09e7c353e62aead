//! The summary in one sentence: the resource, its state, the cause and since when.

use jiff::Timestamp;

use super::cause::Cause;
use super::findings::missing;
use super::node::Node;
use crate::model::health::Verdict;
use crate::model::ident::ObjectName;
use crate::model::meta::Owner;
use crate::model::now::Now;
use crate::model::plural::counted;
use crate::model::snapshot::Snapshot;

/// What the sentence is built from.
pub(super) struct Headline<'a> {
    /// The resource first.
    pub(super) nodes: &'a [Node],
    pub(super) verdict: Verdict,
    pub(super) cause: Option<&'a Cause>,
    pub(super) owners: Owners<'a>,
    pub(super) snapshot: &'a Snapshot,
    pub(super) now: Now,
}

/// What is above the resource.
#[derive(Clone, Copy, Debug)]
pub enum Owners<'a> {
    /// Not asked about; the sentence says what is below instead.
    NotShown,
    /// It has no owner.
    Nothing,
    /// Its topmost owner.
    Top(&'a ObjectName),
    /// It has an owner, but that does not exist or could not be read.
    Missing(&'a Owner),
}

impl Headline<'_> {
    pub(super) fn text(&self) -> String {
        match (self.cause, self.owners, self.nodes.first()) {
            (Some(_), Owners::Nothing, Some(root)) => {
                format!("{}; nothing owns {}", self.state(), root.name)
            }
            _ => self.state(),
        }
    }

    fn state(&self) -> String {
        let Some(root) = self.nodes.first() else { return String::new() };
        let name = &root.name;
        // How long a deletion has been stuck is part of its message.
        let duration = self.duration(root.own.since.filter(|_| root.own.verdict != Verdict::Stuck));
        let Some(cause) = self.cause else { return self.without_cause(root, &duration) };
        if cause.is_own {
            return format!("{}{duration}{}", root.summary(), after_colon(root.own.message.as_deref()));
        }
        let below = self.describe_cause(cause);
        match root.own.verdict {
            _ if root.reports_ready() => format!("{name} reports Ready, but {below}"),
            Verdict::None => format!("{name} is {}, because {below}", self.verdict),
            Verdict::Unknown | Verdict::Suspended => format!("{name} is {}, and {below}", root.own.verdict),
            _ => format!("{}{duration}: {below}", root.summary()),
        }
    }

    /// The sentence if nothing is wrong, or nothing is known.
    fn without_cause(&self, root: &Node, duration: &str) -> String {
        let name = &root.name;
        let subtree = self.subtree();
        let own = match (root.own.verdict, &root.own.message) {
            (Verdict::None, _) if root.counts_endpoints() => root.summary(),
            // The kind has no health, so its existence is all there is to report.
            (Verdict::None, _) => format!("{name} exists"),
            (Verdict::Unknown, Some(message)) => {
                format!("{name} is Unknown: {}", message.trim_end_matches('.'))
            }
            (Verdict::Suspended, message) => {
                format!("{name} is Suspended{duration}{}", after_colon(message.as_deref()))
            }
            (verdict, _) => format!("{name} is {verdict}{duration}"),
        };
        format!("{own}{subtree}")
    }

    /// What is above or below the resource.
    fn subtree(&self) -> String {
        match self.owners {
            Owners::Top(top) => return format!("; it belongs to {top}"),
            Owners::Nothing => return "; nothing owns it".to_owned(),
            Owners::Missing(owner) => {
                return format!("; its owner {}/{} was not found", owner.kind, owner.name);
            }
            Owners::NotShown => {}
        }
        let below = self.nodes.len() - 1;
        let related = self.nodes.iter().filter(|node| node.related).count();
        let is_complete = self.snapshot.coverage.is_complete();
        let limit = if is_complete { "" } else { ", but not everything could be read" };
        match (below, related) {
            (0, _) if self.snapshot.coverage.kinds <= 1 => String::new(),
            (0, _) if is_complete => "; it owns nothing".to_owned(),
            (0, _) => "; nothing was found below it, but not everything could be read".to_owned(),
            (below, related) if related == below => {
                let verb = if below == 1 { "is" } else { "are" };
                format!("; it owns nothing, {} {verb} related{limit}", counted(below, "object"))
            }
            (below, 0) => format!("; {} below it{limit}", counted(below, "object")),
            (below, related) => {
                format!("; {} below it, {related} of them not owned{limit}", counted(below, "object"))
            }
        }
    }

    fn describe_cause(&self, cause: &Cause) -> String {
        let node = self.nodes.iter().find(|node| node.name == cause.object);
        let duration = self.duration(cause.since);
        // The missing object says more than the state of the Pod that waits for it.
        if let Some((name, location)) = node.and_then(|node| missing(node, self.snapshot)) {
            return format!(
                "{} has been waiting{duration} for {name} ({location}), which does not exist",
                cause.object
            );
        }
        let summary = node.map_or_else(|| format!("{} is {}", cause.object, cause.status), Node::summary);
        format!("{summary}{duration}{}", after_colon(cause.message.as_deref()))
    }

    fn duration(&self, since: Option<Timestamp>) -> String {
        since.map_or_else(String::new, |since| format!(" {}", self.now.lasting(since)))
    }
}

/// The message after a colon, without its full stop.
fn after_colon(message: Option<&str>) -> String {
    message.map_or_else(String::new, |message| format!(": {}", message.trim_end_matches('.')))
}
