//! `dot` reads our Graphviz.

use std::process::Command;

use kubectl_op::render::graphviz;
use libtest_mimic::{Completion, Failed};
use serde_json::Value;

use crate::hostile::{all_shown, drawing, evidence};
use crate::tool::{Absent, ask};

pub(crate) fn draws_every_text_as_it_is() -> Result<Completion, Failed> {
    let drawing = drawing();
    let text = graphviz::write(&drawing);
    let dot = |format: &str| {
        let mut dot = Command::new("dot");
        dot.arg(format);
        ask(dot, &text)
    };
    let svg = match dot("-Tsvg")? {
        Ok(svg) => svg,
        Err(Absent(reason)) => return Ok(Completion::ignored_with(reason)),
    };
    assert_eq!(svg.matches("class=\"node\"").count(), drawing.nodes.len());
    assert_eq!(svg.matches("class=\"edge\"").count(), drawing.edges.len());
    assert!(!svg.contains(" href=") && !svg.contains("xlink:href=") && !svg.contains("<script"));

    // The strokes that would be drawn, with the texts among them.
    let Ok(strokes) = dot("-Tjson")? else { return Err(Failed::from("dot is gone")) };
    let strokes: Value = serde_json::from_str(&strokes)?;
    assert_eq!(texts(&strokes), all_shown(&drawing.notes));
    let nodes = strokes["objects"].as_array().unwrap();
    assert_eq!(nodes.len(), drawing.nodes.len());
    for (stroked, node) in nodes.iter().zip(&drawing.nodes) {
        assert_eq!(texts(stroked), all_shown(&node.lines));
    }
    let labels: Vec<String> = strokes["edges"].as_array().unwrap().iter().flat_map(texts).collect();
    assert_eq!(labels, evidence(&drawing));
    Ok(Completion::Completed)
}

/// The lines of an object's label.
fn texts(object: &Value) -> Vec<String> {
    let strokes = object["_ldraw_"].as_array().into_iter().flatten();
    strokes.filter_map(|stroke| stroke["text"].as_str()).map(str::to_owned).collect()
}
