//! Mermaid's own code reads and draws our Mermaid, in Node with a DOM without a screen.

use std::collections::BTreeMap;
use std::process::Command;

use kubectl_op::render::mermaid;
use libtest_mimic::{Completion, Failed};
use serde_json::Value;

use crate::hostile::{all_shown, drawing, evidence};
use crate::tool::{Absent, ask};

pub(crate) fn draws_every_text_as_it_is() -> Result<Completion, Failed> {
    let folder = lab::settings::cache()?.join("mermaid");
    if !folder.join("installed").is_file() {
        let reason = format!("no Mermaid in {}; .ci/run installs it there", folder.display());
        return Ok(Completion::ignored_with(reason));
    }
    let drawing = drawing();
    let mut node = Command::new("node");
    // A module from the command line finds its packages from the folder it is run in.
    node.args(["--input-type=module", "--eval", include_str!("mermaid.mjs")]).current_dir(folder);
    let drawn = match ask(node, &mermaid::write(&drawing))? {
        Ok(drawn) => drawn,
        Err(Absent(reason)) => return Ok(Completion::ignored_with(reason)),
    };
    let drawn: Value = serde_json::from_str(&drawn)?;
    let nodes = drawing.nodes.iter().enumerate();
    let mut expected: BTreeMap<String, Vec<String>> =
        nodes.map(|(place, node)| (format!("n{place}"), all_shown(&node.lines))).collect();
    expected.insert("note".to_owned(), all_shown(&drawing.notes));
    let labels = drawn["nodes"].as_object().unwrap();
    assert_eq!(labels.len(), expected.len());
    for (id, lines) in &expected {
        assert_eq!(texts(&labels[id]), *lines, "{id}");
    }
    assert_eq!(texts(&drawn["evidence"]), evidence(&drawing));
    assert_eq!(drawn["edges"], drawing.edges.len());
    assert_eq!(drawn["elements"], serde_json::json!(["BR", "P", "SPAN"]), "nothing else inside of a label");
    assert_eq!(drawn["config"], serde_json::json!({}), "no directive was obeyed");
    Ok(Completion::Completed)
}

/// The texts as they look to the eye.
fn texts(list: &Value) -> Vec<String> {
    let texts = list.as_array().into_iter().flatten().filter_map(Value::as_str);
    let looks = [("\u{ff04}", "$"), ("\u{2010}", "-"), ("\u{29f5}", "\\"), ("\u{1e9e}", "ß"), ("fl°", "ﬂ°")];
    texts
        .map(|text| looks.iter().fold(text.to_owned(), |text, (is, looks)| text.replace(is, looks)))
        .collect()
}
