//! One sentence: the object's own verdict, and the worst in its tree when that is another story.

use super::{Node, Standing};
use crate::model::health::Verdict;

/// The sentence about the node `asked` of a tree whose worst node is `worst`.
pub(super) fn headline(nodes: &[Node], asked: usize, worst: usize, complete: bool) -> String {
    let Some(root) = nodes.get(asked) else { return String::new() };
    let own = own_words(root);
    let bad = &nodes[worst];
    if bad.verdict > Verdict::Unknown && bad.verdict > root.verdict {
        // What the resource says of itself, whatever its counts of replicas already betray.
        let says_ready = root.verdict == Verdict::Ready || root.ready.as_deref() == Some("True");
        return if says_ready {
            format!("{} says Ready, but {} is {}", root.name, bad.marked(), told(bad))
        } else {
            format!("{own}; {} is {}", bad.marked(), told(bad))
        };
    }
    if asked > 0 {
        return match nodes.first() {
            Some(top) => format!("{own}; it belongs to {}", top.name),
            None => own,
        };
    }
    let below = nodes.len() - 1;
    let guesses = nodes.iter().filter(|node| node.standing == Standing::Related).count();
    match (below, guesses) {
        (0, _) if complete => format!("{own}; no object names it as its owner"),
        (0, _) => format!("{own}; nothing was seen below it, but not everything could be read"),
        (1, 0) => format!("{own}; 1 object below it"),
        (1, _) => format!("{own}; nothing is owned by it, 1 object seems to belong to it"),
        (below, 0) => format!("{own}; {below} objects below it"),
        (below, guesses) if guesses == below => {
            format!("{own}; nothing is owned by it, {below} objects seem to belong to it")
        }
        (below, guesses) => format!("{own}; {below} objects below it, {guesses} of them not owned"),
    }
}

fn own_words(node: &Node) -> String {
    match (node.verdict, &node.message) {
        (Verdict::None, _) => node.name.to_string(),
        (Verdict::Unknown, Some(message)) => format!("{} is Unknown: {message}", node.name),
        (Verdict::Ready, _) => format!("{} is Ready", node.name),
        _ => format!("{} is {}", node.name, told(node)),
    }
}

fn told(node: &Node) -> String {
    let word = if node.status == "-" { node.verdict.to_string() } else { node.status.clone() };
    match &node.message {
        // A server's sentence goes on in ours.
        Some(message) => format!("{word}: {}", message.trim_end_matches('.')),
        None => word,
    }
}
