//! The summary in one sentence: the resource, its state, the cause and since when.

use jiff::Timestamp;

use super::cause::Cause;
use super::findings::missing;
use super::node::Node;
use crate::model::age;
use crate::model::health::Verdict;
use crate::model::ident::ObjectName;
use crate::model::snapshot::Snapshot;

/// What the sentence is built from.
pub(super) struct Headline<'a> {
    /// The resource first.
    pub(super) nodes: &'a [Node],
    pub(super) verdict: Verdict,
    pub(super) cause: Option<&'a Cause>,
    /// The topmost owner of the resource.
    pub(super) top: Option<&'a ObjectName>,
    pub(super) snapshot: &'a Snapshot,
}

impl Headline<'_> {
    pub(super) fn text(&self) -> String {
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
        if let Some(top) = self.top {
            return format!("; it belongs to {top}");
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
                format!("; it owns nothing, {} related{limit}", objects(below, "is", "are"))
            }
            (below, 0) => format!("; {} below it{limit}", counted(below)),
            (below, related) => format!("; {} below it, {related} of them not owned{limit}", counted(below)),
        }
    }

    fn describe_cause(&self, cause: &Cause) -> String {
        let node = self.nodes.iter().find(|node| node.name == cause.object);
        let duration = self.duration(cause.since);
        // The missing object says more than the state of the Pod that waits for it.
        if let Some((name, location)) = node.and_then(|node| missing(node, self.snapshot)) {
            return format!(
                "{} has been waiting{duration} for {name} ({location}), which does not exist",
                cause.display_name()
            );
        }
        let summary = node.map_or_else(|| format!("{} is {}", cause.object, cause.status), Node::summary);
        format!("{summary}{duration}{}", after_colon(cause.message.as_deref()))
    }

    fn duration(&self, since: Option<Timestamp>) -> String {
        let now = self.snapshot.coverage.now;
        since.map_or_else(String::new, |since| format!(" for {}", age::human(now.duration_since(since))))
    }
}

fn counted(count: usize) -> String {
    if count == 1 { "1 object".to_owned() } else { format!("{count} objects") }
}

fn objects(count: usize, one: &str, many: &str) -> String {
    format!("{} {}", counted(count), if count == 1 { one } else { many })
}

/// The message after a colon, without its full stop.
fn after_colon(message: Option<&str>) -> String {
    message.map_or_else(String::new, |message| format!(": {}", message.trim_end_matches('.')))
}
