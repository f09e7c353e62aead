//! A drawing in the DOT language, for Graphviz (`dot -Tsvg`).
//!
//! Nodes are called `n0`, `n1` and so on, and every text is a quoted string. Inside quotes, `dot` interprets backslashes
//! (`\N` is the name of the node) and entities (`&lt;`), so both are escaped.

use super::drawing::{Drawing, DrawnEdge, DrawnNode, Weight};
use crate::inspect::tree::LinkKind;
use crate::ui::{Styles, Tone};

/// Writes the drawing, one line per node and edge.
pub fn write(drawing: &Drawing) -> String {
    let title = lines(&drawing.notes);
    let mut out = vec![
        "digraph tree {".to_owned(),
        format!("  graph [rankdir=LR, labelloc=t, labeljust=l, fontname=Helvetica, label={title}]"),
        "  node [shape=box, fontname=Helvetica]".to_owned(),
        "  edge [fontname=Helvetica, fontsize=10]".to_owned(),
    ];
    let nodes = drawing.nodes.iter().enumerate();
    out.extend(nodes.map(|(place, node)| format!("  n{place} [{}]", attributes(node))));
    let edges = drawing.edges.iter();
    out.extend(edges.map(|edge| format!("  n{} -> n{} [{}]", edge.from, edge.to, line(edge))));
    out.push("}\n".to_owned());
    out.join("\n")
}

fn attributes(node: &DrawnNode) -> String {
    let label = lines(&node.lines);
    let tooltip = node.message.as_ref().map(|message| format!(", tooltip={}", quoted(message)));
    let (shape, style) = shape(node.tone);
    let (style, bold) = match node.weight {
        Weight::Bold => (format!("{style},bold"), ", penwidth=3, fontname=\"Helvetica-Bold\""),
        Weight::Normal => (style.to_owned(), ""),
    };
    let color = color(node.tone);
    let tooltip = tooltip.unwrap_or_default();
    format!("label={label}, shape={shape}, style=\"{style}\", color=\"{color}\"{bold}{tooltip}")
}

/// The shape repeats the tone, for readers who cannot distinguish the colours.
const fn shape(tone: Tone) -> (&'static str, &'static str) {
    match tone {
        Tone::Plain | Tone::Bold => ("box", "solid"),
        Tone::Good => ("box", "rounded"),
        Tone::Progressing => ("ellipse", "solid"),
        Tone::Warning => ("hexagon", "solid"),
        Tone::Error => ("octagon", "solid"),
        Tone::Dim => ("box", "dashed"),
    }
}

/// Base colours that are readable on white; as numbers, because Graphviz has its own `green`.
const fn color(tone: Tone) -> &'static str {
    match tone {
        Tone::Plain | Tone::Bold => "#000000",
        Tone::Good => "#008000",
        Tone::Progressing => "#008080",
        Tone::Warning => "#808000",
        Tone::Error => "#ff0000",
        Tone::Dim => "#808080",
    }
}

/// Solid for a controller, dashed for another owner, dotted with its evidence for a related object.
fn line(edge: &DrawnEdge) -> String {
    let evidence = quoted(&edge.evidence);
    match edge.link {
        LinkKind::Controller => format!("style=solid, tooltip={evidence}"),
        LinkKind::Owner => format!("style=dashed, tooltip={evidence}"),
        LinkKind::Related => format!("style=dotted, label={evidence}, tooltip={evidence}"),
    }
}

fn lines(texts: &[String]) -> String {
    let escaped: Vec<String> = texts.iter().map(|text| escaped(text)).collect();
    format!("\"{}\"", escaped.join("\\n"))
}

fn quoted(text: &str) -> String {
    format!("\"{}\"", escaped(text))
}

fn escaped(text: &str) -> String {
    Styles::default().plain(text).replace('\\', "\\\\").replace('"', "\\\"").replace('&', "&amp;")
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::render::sample;

    #[test]
    fn a_tree_with_every_kind_of_link() {
        let drawing = Drawing::of(&sample::report(&["shop", "a", "b", "c"]));
        insta::assert_snapshot!(write(&drawing), @r##"
        digraph tree {
          graph [rankdir=LR, labelloc=t, labeljust=l, fontname=Helvetica, label="Thing/shop is Failed\ncomplete"]
          node [shape=box, fontname=Helvetica]
          edge [fontname=Helvetica, fontsize=10]
          n0 [label="Thing/shop\n1/2 Failed", shape=octagon, style="solid,bold", color="#ff0000", penwidth=3, fontname="Helvetica-Bold", tooltip="it broke"]
          n1 [label="Thing/a\n1/2 Failed", shape=octagon, style="solid", color="#ff0000", tooltip="it broke"]
          n2 [label="Thing/b\n1/2 Failed", shape=octagon, style="solid", color="#ff0000", tooltip="it broke"]
          n3 [label="Thing/c\n1/2 Failed", shape=octagon, style="solid", color="#ff0000", tooltip="it broke"]
          n0 -> n1 [style=solid, tooltip="says a; and more"]
          n0 -> n2 [style=dashed, tooltip="says b; and more"]
          n0 -> n3 [style=dotted, label="says c; and more", tooltip="says c; and more"]
        }
        "##);
    }

    #[test]
    fn text_cannot_leave_its_quotes() {
        for (given, shown) in [
            ("a\"b", r#""a\"b""#),
            (r"a\", r#""a\\""#),
            (r"\N\G", r#""\\N\\G""#),
            ("&lt;&#65;", r#""&amp;lt;&amp;#65;""#),
            ("<b>x</b>", r#""<b>x</b>""#),
            ("a\nb\r\0", r#""a b\\r^@""#),
            ("evil\u{202e}", r#""evil\\u{202e}""#),
            ("\"]; n9 [label=\"x", r#""\"]; n9 [label=\"x""#),
        ] {
            assert_eq!(quoted(given), shown);
        }
    }

    /// The text outside of quoted strings, or nothing when a quote is left open.
    fn outside(line: &str) -> Option<String> {
        let (mut out, mut inside, mut escaped) = (String::new(), false, false);
        for c in line.chars() {
            match c {
                _ if escaped => escaped = false,
                '\\' if inside => escaped = true,
                '"' => inside = !inside,
                _ if inside => {}
                _ => out.push(c),
            }
        }
        (!inside).then_some(out)
    }

    proptest! {
        #[test]
        fn any_name_stays_inside_its_quotes(names in prop::collection::vec(sample::hostile(), 1..6)) {
            let names: Vec<&str> = names.iter().map(String::as_str).collect();
            let text = write(&Drawing::of(&sample::report(&names)));
            let bare: Option<Vec<String>> = text.lines().map(outside).collect();
            let bare = bare.expect("every quote is closed on its line");
            let expected = write(&Drawing::of(&sample::report(&vec!["x"; names.len()])));
            let expected: Vec<String> = expected.lines().filter_map(outside).collect();
            let count = |part: &str| bare.iter().filter(|line| line.contains(part)).count();
            prop_assert_eq!(count(" [label="), names.len());
            prop_assert_eq!(count(" -> "), names.len() - 1);
            prop_assert_eq!(bare, expected);
        }
    }
}
