//! A report that the tests of this room write out.

use jiff::Timestamp;
use proptest::prelude::*;

use crate::inspect::tree::{EdgeReport, LinkKind, Node, Standing, Tree, Unseen, Weight};
use crate::model::health::Verdict;
use crate::model::ident::ObjectName;
use crate::model::snapshot::Reach;

/// The first name is the root; it has a link to each of the others, of every kind in turn.
pub(super) fn tree(names: &[&str]) -> Tree {
    let nodes: Vec<Node> = names.iter().enumerate().map(|(place, name)| node(place, name)).collect();
    let words = [LinkKind::Controller, LinkKind::Owner, LinkKind::Related];
    let edge = |(child, link): (&Node, &LinkKind)| EdgeReport {
        from: nodes[0].id.clone(),
        to: child.id.clone(),
        link: *link,
        evidence: vec![format!("says {}", child.name.name), "and more".to_owned()],
    };
    Tree {
        schema: "kubectl-op/tree/v1",
        root: nodes[0].id.clone(),
        edges: nodes.iter().skip(1).zip(words.iter().cycle()).map(edge).collect(),
        findings: Vec::new(),
        complete: true,
        gaps: Vec::new(),
        rows: Vec::new(),
        headline: format!("{} is Failed", nodes[0].name),
        worst: nodes[0].clone(),
        unseen: Unseen::default(),
        kinds_asked: 1,
        reach: Reach::Namespace("default".to_owned()),
        now: Timestamp::UNIX_EPOCH,
        nodes,
    }
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
        verdict: Verdict::Failed,
        ready: Some("1/2".to_owned()),
        status: "Failed".to_owned(),
        reason: None,
        message: Some("it broke".to_owned()),
        rule: crate::model::rule::Rule::NotJudged,
        problem: None,
        in_progress: false,
        since: None,
        printed: Vec::new(),
        standing: Standing::Owned,
        weight: Weight::Counts,
        depth: 0,
        facts: Vec::new(),
    }
}

/// Names that no server should give, made of what the languages of drawings, markup and terminals obey.
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
