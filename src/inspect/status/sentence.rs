//! One line that has the answer: the resource, the word, the cause, for how long.

use jiff::Timestamp;

use super::cause::Cause;
use super::trouble::missing;
use crate::inspect::tree::Node;
use crate::model::age;
use crate::model::health::Verdict;
use crate::model::snapshot::Snapshot;

/// The sentence about the first node of a tree.
pub(super) fn sentence(
    nodes: &[Node],
    subtree: Verdict,
    cause: Option<&Cause>,
    snapshot: &Snapshot,
) -> String {
    let Some(root) = nodes.first() else { return String::new() };
    let now = snapshot.now;
    let name = &root.name;
    // How long a deletion hangs is said with the rest of its story.
    let lasted = lasted(root.since.filter(|_| root.verdict != Verdict::Stuck), now);
    let Some(cause) = cause else { return quiet(root, nodes.len() - 1, &lasted, snapshot) };
    if cause.is_own {
        return format!("{name} is {}{lasted}{}", word(root), because(root.message.as_deref()));
    }
    let their = cause_words(cause, nodes, snapshot);
    let says_ready = root.verdict == Verdict::Ready || root.ready.as_deref() == Some("True");
    match root.verdict {
        _ if says_ready => format!("{name} says Ready, but {their}"),
        Verdict::Unknown | Verdict::None | Verdict::Suspended => {
            format!(
                "{name} is {}, and {their}",
                if root.verdict == Verdict::None { subtree } else { root.verdict }
            )
        }
        _ => format!("{name} is {}{lasted}: {their}", word(root)),
    }
}

/// Nothing is wrong, or nobody can say.
fn quiet(root: &Node, below: usize, lasted: &str, snapshot: &Snapshot) -> String {
    let name = &root.name;
    let rest = match below {
        0 => String::new(),
        1 => "; the object below it is fine".to_owned(),
        below => format!("; {below} objects below it are fine"),
    };
    match (root.verdict, &root.message) {
        (Verdict::None, _) => format!("{name}: there is nothing to judge in a {}{rest}", name.kind),
        (Verdict::Unknown, Some(message)) => format!("{name} is Unknown: {}", message.trim_end_matches('.')),
        (Verdict::Suspended, message) => {
            format!("{name} is Suspended{lasted}{}", because(message.as_deref()))
        }
        _ if snapshot.gaps.is_empty() => format!("{name} is {}{lasted}{rest}", root.verdict),
        _ => format!("{name} is {}{lasted}, as far as could be read", root.verdict),
    }
}

fn cause_words(cause: &Cause, nodes: &[Node], snapshot: &Snapshot) -> String {
    let node = nodes.iter().find(|node| node.name == cause.object);
    let lasted = lasted(cause.since, snapshot.now);
    // What is missing says more than that something waits for it.
    if let Some((name, place)) = node.and_then(|node| missing(node, snapshot)) {
        return format!("{} waits{lasted} for {name} ({place}), which does not exist", cause.object);
    }
    let marked = node.map_or_else(|| cause.object.to_string(), Node::marked);
    format!("{marked} is {}{lasted}{}", cause.status, because(cause.message.as_deref()))
}

fn word(node: &Node) -> String {
    if node.status == "-" { node.verdict.to_string() } else { node.status.clone() }
}

/// A server's sentence goes on in ours.
fn because(message: Option<&str>) -> String {
    message.map_or_else(String::new, |message| format!(": {}", message.trim_end_matches('.')))
}

fn lasted(since: Option<Timestamp>, now: Timestamp) -> String {
    since.map_or_else(String::new, |since| format!(" for {}", age::human(now.duration_since(since))))
}
