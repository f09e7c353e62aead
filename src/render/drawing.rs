//! A tree as boxes and arrows: what a drawing shows, whichever language it is written in.

use std::collections::HashMap;

use super::footer::missing;
use super::tree::tone;
use crate::inspect::evaluation::Node;
use crate::inspect::tree::{EdgeReport, LinkKind, TreeReport};
use crate::ui::Tone;

/// What is to be drawn. The texts are as they came: each language escapes them its own way.
#[derive(Clone, Debug)]
pub struct Drawing {
    /// What is said about the whole, line by line: the verdict, and whether this is all.
    pub notes: Vec<String>,
    pub figures: Vec<Figure>,
    pub arrows: Vec<Arrow>,
}

/// One object.
#[derive(Clone, Debug)]
pub struct Figure {
    /// Its name, then how it is.
    pub lines: Vec<String>,
    /// Why it is like that.
    pub message: Option<String>,
    pub tone: Tone,
    pub weight: Weight,
}

/// Whether a figure is the one that was asked about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Weight {
    Bold,
    Usual,
}

/// A link between two figures, by their places.
#[derive(Clone, Debug)]
pub struct Arrow {
    pub from: usize,
    pub to: usize,
    pub link: LinkKind,
    pub evidence: String,
}

impl Drawing {
    /// Draws every node of some trees, once.
    pub fn of(report: &TreeReport) -> Self {
        let mut drawing = Self { notes: Vec::new(), figures: Vec::new(), arrows: Vec::new() };
        let mut places: HashMap<&str, usize> = HashMap::new();
        for tree in &report.trees {
            let home = tree.nodes.iter().find(|node| node.id == tree.root);
            let home = home.and_then(|root| root.name.namespace.as_deref());
            for node in &tree.nodes {
                places.entry(&node.id).or_insert_with(|| {
                    drawing.figures.push(figure(node, &tree.root, home));
                    drawing.figures.len() - 1
                });
            }
            let arrow = |edge: &EdgeReport| {
                Some(Arrow {
                    from: *places.get(edge.from.as_str())?,
                    to: *places.get(edge.to.as_str())?,
                    link: edge.link,
                    evidence: edge.evidence.join("; "),
                })
            };
            drawing.arrows.extend(tree.edges.iter().filter_map(arrow));
            drawing.notes.push(tree.headline.clone());
        }
        drawing.notes.push(if report.coverage.is_complete() {
            "complete".to_owned()
        } else {
            format!("incomplete: {}", missing(&report.coverage.gaps))
        });
        drawing
    }
}

fn figure(node: &Node, root: &str, home: Option<&str>) -> Figure {
    let mut lines = vec![node.name.to_string()];
    // Where it is not where the root is, the name alone would mislead.
    if let Some(namespace) = node.name.namespace.as_deref().filter(|namespace| Some(*namespace) != home) {
        lines.push(format!("in {namespace}"));
    }
    let status = Some(node.own.status.as_str()).filter(|status| *status != "-");
    let state: Vec<&str> = node.own.ready.as_deref().into_iter().chain(status).collect();
    if !state.is_empty() {
        lines.push(state.join(" "));
    }
    Figure {
        lines,
        message: node.own.message.clone(),
        tone: tone(node.own.verdict),
        weight: if node.id == root { Weight::Bold } else { Weight::Usual },
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::gap::{Gap, Reason};
    use crate::model::health::Verdict;
    use crate::render::sample;

    #[test]
    fn every_node_is_a_figure_that_says_how_it_is() {
        let mut report = sample::report(&["shop", "other", "silent"]);
        report.trees[0].nodes[1].name.namespace = Some("elsewhere".to_owned());
        report.trees[0].nodes[2].own.ready = None;
        report.trees[0].nodes[2].own.status = "-".to_owned();
        report.trees[0].nodes[2].own.verdict = Verdict::None;
        let drawing = Drawing::of(&report);
        let lines: Vec<_> = drawing.figures.iter().map(|figure| figure.lines.join(" | ")).collect();
        assert_eq!(
            lines,
            ["Thing/shop | 1/2 Failed", "Thing/other | in elsewhere | 1/2 Failed", "Thing/silent"]
        );
        let weights: Vec<_> = drawing.figures.iter().map(|figure| figure.weight).collect();
        assert_eq!(weights, [Weight::Bold, Weight::Usual, Weight::Usual]);
        assert_eq!((drawing.figures[0].tone, drawing.figures[2].tone), (Tone::Bad, Tone::Plain));
        assert_eq!(drawing.arrows.len(), 2);
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
        assert_eq!(Drawing::of(&report).notes[1], "incomplete: secrets not readable (forbidden)");
    }

    #[test]
    fn an_edge_to_a_node_that_is_not_shown_is_not_drawn() {
        let mut report = sample::report(&["shop", "child"]);
        report.trees[0].nodes.pop();
        assert!(Drawing::of(&report).arrows.is_empty());
    }
}
