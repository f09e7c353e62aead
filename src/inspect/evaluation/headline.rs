//! The summary in one sentence: the resource, its state, the cause and since when.

use jiff::Timestamp;

use super::cause::Cause;
use super::findings::missing;
use super::node::Node;
use crate::model::health::{Finding, Verdict};
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
    /// The first warning about an object that is Ready.
    pub(super) warning: Option<&'a Finding>,
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
        // The missing object says more than the state of the Pod that waits for it.
        if let Some((name, location)) = node.and_then(|node| missing(node, self.snapshot)) {
            let duration = self.duration(cause.since);
            let duration = duration.map_or_else(String::new, |lasted| format!("; waiting {lasted}"));
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

    /// `for 5m`.
    fn duration(&self, since: Option<Timestamp>) -> Option<String> {
        since.map(|since| self.now.lasting(since))
    }

    /// The duration, unless the message next to it begins with one.
    fn duration_beside(&self, since: Option<Timestamp>, message: Option<&str>) -> Option<String> {
        self.duration(since.filter(|_| !message.is_some_and(begins_with_duration)))
    }
}

/// `Website/shop has been Ready for 3d`; without a duration `Website/shop is Ready`.
fn state(name: &ObjectName, word: &str, duration: Option<&str>) -> String {
    match duration {
        Some(duration) => format!("{name} has been {word} {duration}"),
        None => format!("{name} is {word}"),
    }
}

/// Whether the first clause of a message ends with a duration or a time: `Available=False for 5m: ...`, `deletion
/// requested 5m ago; ...`, `Available=False since 2026-11-16T11:08:05Z: ...`.
fn begins_with_duration(message: &str) -> bool {
    let clause = message.split(": ").next().and_then(|clause| clause.split("; ").next()).unwrap_or_default();
    let clause = clause.strip_suffix(" or earlier").unwrap_or(clause);
    clause.ends_with(" ago")
        || clause.rsplit(' ').next().is_some_and(|last| last.parse::<Timestamp>().is_ok())
        || clause.rsplit_once(" for ").is_some_and(|(_, end)| {
            end.starts_with(|first: char| first.is_ascii_digit())
                && end.chars().all(|letter| letter.is_ascii_alphanumeric())
        })
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
            ("Ready=False since 2026-11-16T11:08:05Z: no", true),
            ("Ready=False since 2026-11-16T11:08:05Z or earlier", true),
            ("deletion requested at 2026-11-16T11:08:05Z; waiting", true),
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
        assert_eq!(state(&name, "Ready", Some("for 3d")), "Website/shop has been Ready for 3d");
        assert_eq!(state(&name, "Ready", None), "Website/shop is Ready");
    }
}
