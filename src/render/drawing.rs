//! A tree as boxes and arrows: what a drawing shows, whichever language it is written in.

use std::collections::HashMap;

use super::footer::missing;
use super::tree::tone;
use crate::inspect::tree::{EdgeReport, LinkKind, Node, Tree};
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
    pub fn of(trees: &[Tree]) -> Self {
        let mut drawing = Self { notes: Vec::new(), figures: Vec::new(), arrows: Vec::new() };
        let mut places: HashMap<&str, usize> = HashMap::new();
        for tree in trees {
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
        // All trees were read in one go, so that one knows what is missing.
        drawing.notes.extend(trees.first().map(|tree| {
            if tree.complete { "complete".to_owned() } else { format!("incomplete: {}", missing(&tree.gaps)) }
        }));
        drawing
    }
}

fn figure(node: &Node, root: &str, home: Option<&str>) -> Figure {
    let mut lines = vec![node.name.to_string()];
    // Where it is not where the root is, the name alone would mislead.
    if let Some(namespace) = node.name.namespace.as_deref().filter(|namespace| Some(*namespace) != home) {
        lines.push(format!("in {namespace}"));
    }
    let status = Some(node.status.as_str()).filter(|status| *status != "-");
    let state: Vec<&str> = node.ready.as_deref().into_iter().chain(status).collect();
    if !state.is_empty() {
        lines.push(state.join(" "));
    }
    Figure {
        lines,
        message: node.message.clone(),
        tone: tone(node.verdict),
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
        let mut tree = sample::tree(&["shop", "other", "silent"]);
        tree.nodes[1].name.namespace = Some("elsewhere".to_owned());
        tree.nodes[2].ready = None;
        tree.nodes[2].status = "-".to_owned();
        tree.nodes[2].verdict = Verdict::None;
        let drawing = Drawing::of(std::slice::from_ref(&tree));
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
        let mut tree = sample::tree(&["shop"]);
        assert_eq!(Drawing::of(std::slice::from_ref(&tree)).notes, ["Thing/shop is Failed", "complete"]);
        tree.complete = false;
        tree.gaps.push(Gap {
            group: String::new(),
            resource: "secrets".to_owned(),
            namespace: None,
            verb: "list",
            reason: Reason::Forbidden,
            status: Some(403),
            message: String::new(),
        });
        assert_eq!(
            Drawing::of(std::slice::from_ref(&tree)).notes[1],
            "incomplete: secrets not readable (forbidden)"
        );
    }

    #[test]
    fn an_edge_to_a_node_that_is_not_shown_is_not_drawn() {
        let mut tree = sample::tree(&["shop", "child"]);
        tree.nodes.pop();
        assert!(Drawing::of(std::slice::from_ref(&tree)).arrows.is_empty());
    }
}
