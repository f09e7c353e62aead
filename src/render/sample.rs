//! Reports for the tests of this module.

use jiff::Timestamp;
use proptest::prelude::*;

use crate::inspect::evaluation::Node;
use crate::inspect::tree::{EdgeReport, LinkKind, Tree, TreeReport};
use crate::model::coverage::{Coverage, Scope};
use crate::model::health::{Health, Verdict};
use crate::model::ident::ObjectName;
use crate::model::rule::Rule;

/// Nodes with these names.
pub(super) fn nodes(names: &[&str]) -> Vec<Node> {
    names.iter().enumerate().map(|(place, name)| node(place, name)).collect()
}

/// A tree whose root is the first name, with links of all kinds to the others.
pub(super) fn report(names: &[&str]) -> TreeReport {
    let nodes = nodes(names);
    let links = [LinkKind::Controller, LinkKind::Owner, LinkKind::Related];
    let edge = |(child, link): (&Node, &LinkKind)| EdgeReport {
        from: nodes[0].id.clone(),
        to: child.id.clone(),
        link: *link,
        evidence: vec![format!("says {}", child.name.name), "and more".to_owned()],
    };
    let edges = nodes.iter().skip(1).zip(links.iter().cycle()).map(edge).collect();
    let tree = Tree {
        root: nodes[0].id.clone(),
        headline: format!("{} is Failed", nodes[0].name),
        verdict: Verdict::Failed,
        cause: None,
        edges,
        findings: Vec::new(),
        hidden: 0,
        folded: 0,
        rows: Vec::new(),
        all: nodes.clone(),
        nodes,
    };
    let scope = Scope::Namespace("default".to_owned());
    let coverage = Coverage { kinds: 1, scope, gaps: Vec::new(), now: Timestamp::UNIX_EPOCH };
    TreeReport { trees: vec![tree], coverage, of_one: true }
}

fn node(place: usize, name: &str) -> Node {
    Node {
        id: format!("id {place}"),
        name: ObjectName {
            api_version: "example.com/v1".to_owned(),
            kind: "Thing".to_owned(),
            namespace: Some("default".to_owned()),
            name: name.to_owned(),
        },
        uid: format!("uid {place}"),
        created: Some(Timestamp::UNIX_EPOCH),
        deleting: None,
        finalizers: vec!["example.com/a".to_owned(), "example.com/b".to_owned()],
        own: Health {
            ready: Some("1/2".to_owned()),
            message: Some("it broke".to_owned()),
            ..Health::new(Verdict::Failed, Rule::NotJudged)
        },
        related: false,
        link: None,
        counts: true,
        printed: None,
        depth: 0,
    }
}

/// Names with characters that drawing languages, markup or terminals interpret.
pub(super) fn hostile() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        prop::sample::select(PIECES).prop_map(str::to_owned),
        any::<char>().prop_map(String::from),
        "[a-z0-9.-]{1,8}",
    ];
    prop::collection::vec(piece, 0..8).prop_map(|pieces| pieces.concat())
}

const PIECES: &[&str] = &[
    "\"",
    "\\",
    "\\N",
    "\n",
    "\r",
    "\t",
    "\0",
    "\x1b[31m",
    "\u{202e}",
    "\u{200b}",
    "]",
    "[",
    "}",
    "{",
    ")",
    "(",
    "%%",
    "%%{init: {}}%%",
    "click n0 href",
    "end",
    "<script>",
    "</svg>",
    "<br/>",
    "`",
    "#",
    "#quot;",
    ";",
    "&lt;",
    "&",
    "$$",
    "_",
    "*",
    "- ",
    "1. ",
    "www.",
    "http://",
    "fa:fa-car",
    "style:",
    "classDef:",
    "->",
    "-->",
    "|",
    "ﬂ°",
    "¶ß",
    "日本",
    " ",
];
