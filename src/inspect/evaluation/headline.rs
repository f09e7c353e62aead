//! The summary in one sentence: the resource, its state, the cause and since when.

use jiff::Timestamp;

use super::cause::Cause;
use super::findings::missing;
use super::node::Node;
use crate::model::age;
use crate::model::health::{Finding, Verdict};
use crate::model::ident::ObjectName;
use crate::model::snapshot::Snapshot;

/// What the sentence is built from.
pub(super) struct Headline<'a> {
    /// The resource first.
    pub(super) nodes: &'a [Node],
    pub(super) verdict: Verdict,
    pub(super) cause: Option<&'a Cause>,
    /// The first warning about an object that is Ready.
    pub(super) warning: Option<&'a Finding>,
    /// The topmost owner of the resource.
    pub(super) top: Option<&'a ObjectName>,
    pub(super) snapshot: &'a Snapshot,
}

impl Headline<'_> {
    pub(super) fn text(&self) -> String {
        let Some(root) = self.nodes.first() else { return String::new() };
        let name = &root.name;
        let Some(cause) = self.cause else { return self.without_cause(root) };
        if cause.is_own {
            let message = cause.message.as_deref();
            let duration = self.duration_beside(root.own.since, message);
            return format!("{}{}", root.summary(duration.as_deref()), after_colon(message));
        }
        let below = self.describe_cause(cause);
        match root.own.verdict {
            _ if root.reports_ready() => format!("{name} reports Ready, but {below}"),
            Verdict::None => format!("{name} is {}, because {below}", self.verdict),
            Verdict::Unknown | Verdict::Suspended => format!("{name} is {}, and {below}", root.own.verdict),
            _ => {
                // One duration in a sentence is enough: that of the cause, if it is known.
                let duration = self.duration(root.own.since.filter(|_| cause.since.is_none()));
                format!("{}: {below}", root.summary(duration.as_deref()))
            }
        }
    }

    /// The sentence if nothing is wrong, or nothing is known.
    fn without_cause(&self, root: &Node) -> String {
        let name = &root.name;
        let subtree = self.subtree();
        let own = match (root.own.verdict, &root.own.message) {
            (Verdict::None, _) if root.counts_endpoints() => root.summary(None),
            // The kind has no health, so its existence is all there is to report.
            (Verdict::None, _) => format!("{name} exists{}", self.with_warning(name)),
            (Verdict::Unknown, Some(message)) => {
                format!("{name} is Unknown: {}", message.trim_end_matches('.'))
            }
            (Verdict::Suspended, message) => {
                let message = message.as_deref();
                let duration = self.duration_beside(root.own.since, message);
                format!("{}{}", state(name, "Suspended", duration.as_deref()), after_colon(message))
            }
            (verdict, _) => {
                let warning = if verdict == Verdict::Ready { self.with_warning(name) } else { String::new() };
                let duration = self.duration(root.own.since);
                format!("{}{warning}", state(name, &verdict.to_string(), duration.as_deref()))
            }
        };
        format!("{own}{subtree}")
    }

    /// `, with a warning: disk almost full`.
    fn with_warning(&self, name: &ObjectName) -> String {
        self.warning.map_or_else(String::new, |warning| {
            let message = warning.message.trim_end_matches('.');
            if warning.object == *name {
                format!(", with a warning: {message}")
            } else {
                format!(", with a warning: {}: {message}", warning.object)
            }
        })
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
        // The missing object says more than the state of the Pod that waits for it.
        if let Some((name, location)) = node.and_then(|node| missing(node, self.snapshot)) {
            let duration = self.duration(cause.since);
            let duration = duration.map_or_else(String::new, |lasted| format!("; waiting for {lasted}"));
            return format!(
                "{} is waiting for {name} ({location}), which does not exist{duration}",
                cause.display_name()
            );
        }
        let message = cause.message.as_deref();
        let duration = self.duration_beside(cause.since, message);
        let summary = match node {
            Some(node) => node.summary(duration.as_deref()),
            None => state(&cause.object, &cause.status, duration.as_deref()),
        };
        format!("{summary}{}", after_colon(message))
    }

    fn duration(&self, since: Option<Timestamp>) -> Option<String> {
        let now = self.snapshot.coverage.now;
        since.map(|since| age::human(now.duration_since(since)))
    }

    /// The duration, unless the message next to it begins with one.
    fn duration_beside(&self, since: Option<Timestamp>, message: Option<&str>) -> Option<String> {
        self.duration(since.filter(|_| !message.is_some_and(begins_with_duration)))
    }
}

/// `Website/shop has been Ready for 3d`; without a duration `Website/shop is Ready`.
fn state(name: &ObjectName, word: &str, duration: Option<&str>) -> String {
    match duration {
        Some(duration) => format!("{name} has been {word} for {duration}"),
        None => format!("{name} is {word}"),
    }
}

/// Whether the first clause of a message ends with a duration: `Available=False for 5m: ...`, `deletion requested 5m
/// ago; ...`.
fn begins_with_duration(message: &str) -> bool {
    let clause = message.split([':', ';']).next().unwrap_or_default();
    clause.ends_with(" ago")
        || clause.rsplit_once(" for ").is_some_and(|(_, end)| {
            end.starts_with(|first: char| first.is_ascii_digit())
                && end.chars().all(|letter| letter.is_ascii_alphanumeric())
        })
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_duration_at_the_beginning_of_a_message_is_found() {
        for (message, expected) in [
            ("Available=False for 130m: Deployment does not have minimum availability.", true),
            ("Ready=False for 5d4h", true),
            ("deletion requested 130m ago; waiting for finalizer example.com/a", true),
            ("container nginx: back-off 5m0s restarting failed container=nginx; last 130m ago", false),
            ("waiting for scheduling gates example.com/quota", false),
            ("2 of 3 ready", false),
        ] {
            assert_eq!(begins_with_duration(message), expected, "{message}");
        }
    }

    #[test]
    fn the_tense_follows_the_duration() {
        let name = ObjectName {
            api_version: "example.com/v1".to_owned(),
            kind: "Website".to_owned(),
            namespace: None,
            name: "shop".to_owned(),
        };
        assert_eq!(state(&name, "Ready", Some("3d")), "Website/shop has been Ready for 3d");
        assert_eq!(state(&name, "Ready", None), "Website/shop is Ready");
    }
}
