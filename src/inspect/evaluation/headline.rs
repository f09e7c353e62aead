//! One line that has the answer: the resource, the word, the cause, for how long.

use jiff::Timestamp;

use super::cause::Cause;
use super::node::Node;
use super::trouble::missing;
use crate::model::age;
use crate::model::health::Verdict;
use crate::model::ident::ObjectName;
use crate::model::snapshot::Snapshot;

/// What the sentence is made of.
pub(super) struct Headline<'a> {
    /// The resource first.
    pub(super) nodes: &'a [Node],
    pub(super) verdict: Verdict,
    pub(super) cause: Option<&'a Cause>,
    /// The last owner above the resource.
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
            return format!(
                "{name} is {}{duration}{}",
                root.status_text(),
                after_colon(root.own.message.as_deref())
            );
        }
        let below = self.describe_cause(cause);
        match root.own.verdict {
            _ if root.reports_ready() => format!("{name} reports Ready, but {below}"),
            Verdict::None => format!("{name} is {}, because {below}", self.verdict),
            Verdict::Unknown | Verdict::Suspended => format!("{name} is {}, and {below}", root.own.verdict),
            _ => format!("{name} is {}{duration}: {below}", root.status_text()),
        }
    }

    /// Nothing is wrong, or nothing can be said.
    fn without_cause(&self, root: &Node, duration: &str) -> String {
        let name = &root.name;
        let subtree = self.subtree();
        let own = match (root.own.verdict, &root.own.message) {
            (Verdict::None, _) => format!("{name} has no state of its own"),
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

    /// What is below the resource, or above it.
    fn subtree(&self) -> String {
        if let Some(top) = self.top {
            return format!("; it belongs to {top}");
        }
        let below = self.nodes.len() - 1;
        let related = self.nodes.iter().filter(|node| node.related).count();
        let is_complete = self.snapshot.coverage.is_complete();
        let limit = if is_complete { "" } else { ", as far as could be read" };
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
        // What is missing says more than that something waits for it.
        if let Some((name, place)) = node.and_then(|node| missing(node, self.snapshot)) {
            return format!(
                "{} has been waiting{duration} for {name} ({place}), which does not exist",
                cause.object
            );
        }
        let marked = node.map_or_else(|| cause.object.to_string(), Node::display_name);
        format!("{marked} is {}{duration}{}", cause.status, after_colon(cause.message.as_deref()))
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

/// A server's sentence continues ours.
fn after_colon(message: Option<&str>) -> String {
    message.map_or_else(String::new, |message| format!(": {}", message.trim_end_matches('.')))
}
