//! A tree as a drawing of nodes and edges, independent of the drawing language.

use std::collections::HashMap;

use super::footer::incomplete;
use super::tree::tone;
use crate::inspect::evaluation::Node;
use crate::inspect::tree::{EdgeReport, LinkKind, TreeReport};
use crate::model::health::Verdict;
use crate::ui::Tone;

/// A drawing. Texts are not escaped yet: each language has its own rules.
#[derive(Clone, Debug)]
pub struct Drawing {
    /// Lines about the whole drawing: the verdicts, and whether it is complete.
    pub notes: Vec<String>,
    pub nodes: Vec<DrawnNode>,
    pub edges: Vec<DrawnEdge>,
}

/// One object.
#[derive(Clone, Debug)]
pub struct DrawnNode {
    /// Its name, then its status.
    pub lines: Vec<String>,
    /// The message of its verdict.
    pub message: Option<String>,
    pub tone: Tone,
    pub weight: Weight,
}

/// Whether a node is the object that was asked about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Weight {
    Bold,
    Normal,
}

/// A link between two nodes, by index.
#[derive(Clone, Debug)]
pub struct DrawnEdge {
    pub from: usize,
    pub to: usize,
    pub link: LinkKind,
    pub evidence: String,
}

impl Drawing {
    /// Draws every node of some trees, once.
    pub fn of(report: &TreeReport) -> Self {
        let mut drawing = Self { notes: Vec::new(), nodes: Vec::new(), edges: Vec::new() };
        let mut places: HashMap<&str, usize> = HashMap::new();
        for tree in &report.trees {
            let home = tree.nodes.iter().find(|node| node.id == tree.root);
            let home = home.and_then(|root| root.name.namespace.as_deref());
            for node in &tree.nodes {
                places.entry(&node.id).or_insert_with(|| {
                    drawing.nodes.push(drawn_node(node, &tree.root, home));
                    drawing.nodes.len() - 1
                });
            }
            let edge = |edge: &EdgeReport| {
                Some(DrawnEdge {
                    from: *places.get(edge.from.as_str())?,
                    to: *places.get(edge.to.as_str())?,
                    link: edge.link,
                    evidence: edge.evidence.join("; "),
                })
            };
            drawing.edges.extend(tree.edges.iter().filter_map(edge));
            drawing.notes.push(tree.headline.clone());
        }
        drawing.notes.push(if report.coverage.is_complete() {
            "complete".to_owned()
        } else {
            incomplete(&report.coverage)
        });
        drawing
    }
}

fn drawn_node(node: &Node, root: &str, home: Option<&str>) -> DrawnNode {
    let mut lines = vec![node.name.to_string()];
    // The namespace, if it is not that of the root.
    if let Some(namespace) = node.name.namespace.as_deref().filter(|namespace| Some(*namespace) != home) {
        lines.push(format!("in namespace {namespace}"));
    }
    // An object without a state of its own has a placeholder in the STATUS column.
    let placeholder = Verdict::None.to_string();
    let status = Some(node.own.status.as_str()).filter(|status| *status != placeholder);
    let state: Vec<&str> = node.own.ready.as_deref().into_iter().chain(status).collect();
    if !state.is_empty() {
        lines.push(state.join(" "));
    }
    DrawnNode {
        lines,
        message: node.own.message.clone(),
        tone: tone(node.own.verdict),
        weight: if node.id == root { Weight::Bold } else { Weight::Normal },
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::gap::{Gap, Reason};
    use crate::render::sample;

    #[test]
    fn every_node_is_drawn_with_its_status() {
        let mut report = sample::report(&["shop", "other", "silent"]);
        report.trees[0].nodes[1].name.namespace = Some("elsewhere".to_owned());
        report.trees[0].nodes[2].own.ready = None;
        report.trees[0].nodes[2].own.status = "-".to_owned();
        report.trees[0].nodes[2].own.verdict = Verdict::None;
        let drawing = Drawing::of(&report);
        let lines: Vec<_> = drawing.nodes.iter().map(|node| node.lines.join(" | ")).collect();
        assert_eq!(
            lines,
            ["Thing/shop | 1/2 Failed", "Thing/other | in namespace elsewhere | 1/2 Failed", "Thing/silent"]
        );
        let weights: Vec<_> = drawing.nodes.iter().map(|node| node.weight).collect();
        assert_eq!(weights, [Weight::Bold, Weight::Normal, Weight::Normal]);
        assert_eq!((drawing.nodes[0].tone, drawing.nodes[2].tone), (Tone::Error, Tone::Plain));
        assert_eq!(drawing.edges.len(), 2);
    }

    #[test]
    fn what_could_not_be_read_is_part_of_the_drawing() {
        let mut report = sample::report(&["shop"]);
        assert_eq!(Drawing::of(&report).notes, ["Thing/shop is Failed", "complete"]);
        report.coverage.gaps.push(Gap {
            group: String::new(),
            resource: "secrets".to_owned(),
            namespace: None,
            verb: "list",
            reason: Reason::Forbidden,
            status: Some(403),
            message: String::new(),
        });
        assert_eq!(
            Drawing::of(&report).notes[1],
            "incomplete: 1 of 1 kind in namespace default not read: secrets (forbidden)"
        );
    }

    #[test]
    fn an_edge_to_a_node_that_is_not_shown_is_not_drawn() {
        let mut report = sample::report(&["shop", "child"]);
        report.trees[0].nodes.pop();
        assert!(Drawing::of(&report).edges.is_empty());
    }
}
