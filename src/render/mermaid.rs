//! A drawing in the Mermaid language, for READMEs, wikis and issues.
//!
//! Mermaid interprets a label in several passes: directives, entities, Markdown, formulas and icons. So only letters,
//! digits and single punctuation between them are written as they are. Everything else becomes an entity, which is
//! decoded late. What is interpreted even later is replaced by a lookalike.

use super::drawing::{Drawing, DrawnEdge, DrawnNode, Weight};
use crate::inspect::tree::LinkKind;
use crate::ui::{Styles, Tone};

/// Mermaid's default limits. The page can raise them, a diagram cannot.
const MAX_EDGES: usize = 500;
const MAX_TEXT: usize = 50_000;

/// What Mermaid interprets even if it is written as entities, and a lookalike without meaning: formulas, icons, line
/// breaks, and the marks that Mermaid itself puts around entities.
const LOOKALIKES: &[(&str, &str)] =
    &[("$$", "$\u{ff04}"), (":fa-", ":fa\u{2010}"), ("\\n", "\u{29f5}n"), ("¶ß", "¶\u{1e9e}"), ("ﬂ°", "fl°")];

/// The styles of nodes, in base colours that are readable on white and on black.
const CLASSES: &str = "  classDef plain stroke:gray
  classDef good stroke:green
  classDef progressing stroke:teal
  classDef warning stroke:olive
  classDef error stroke:red
  classDef dim stroke:gray,stroke-dasharray:4 3
  classDef asked stroke-width:4px,font-weight:bold
  classDef note fill:none,stroke:none
";

/// Writes the drawing, one line per node and edge.
pub fn write(drawing: &Drawing) -> String {
    let nodes = || drawing.nodes.iter().enumerate();
    let mut out = vec![format!("  note[\"{}\"]:::note", label(&drawing.notes))];
    out.extend(nodes().map(|(place, node)| format!("  n{place}{}", shaped(node))));
    let bold = nodes().filter(|(_, node)| node.weight == Weight::Bold);
    out.extend(bold.map(|(place, _)| format!("  class n{place} asked")));
    let edges = drawing.edges.iter();
    out.extend(edges.map(|edge| format!("  n{} {} n{}", edge.from, line(edge), edge.to)));
    out.push(CLASSES.to_owned());
    let out = out.join("\n") + &dashes(&drawing.edges);
    let too_much = match (drawing.edges.len() > MAX_EDGES, out.len() > MAX_TEXT) {
        (false, false) => "",
        (true, false) => "%% large: requires a higher maxEdges\n",
        (false, true) => "%% large: requires a higher maxTextSize\n",
        (true, true) => "%% large: requires a higher maxEdges and maxTextSize\n",
    };
    format!("flowchart LR\n{too_much}{out}")
}

/// The label in its shape, which repeats the tone for readers who cannot distinguish the colours.
fn shaped(node: &DrawnNode) -> String {
    let label = label(&node.lines);
    match node.tone {
        Tone::Plain | Tone::Bold => format!("[\"{label}\"]:::plain"),
        Tone::Good => format!("(\"{label}\"):::good"),
        Tone::Progressing => format!("([\"{label}\"]):::progressing"),
        Tone::Warning => format!("{{{{\"{label}\"}}}}:::warning"),
        Tone::Error => format!("[[\"{label}\"]]:::error"),
        Tone::Dim => format!("[\"{label}\"]:::dim"),
    }
}

/// Dotted with its evidence for a related object, solid for an owner.
fn line(edge: &DrawnEdge) -> String {
    match (edge.link, edge.evidence.as_str()) {
        (LinkKind::Controller | LinkKind::Owner, _) => "-->".to_owned(),
        (LinkKind::Related, "") => "-.->".to_owned(),
        (LinkKind::Related, evidence) => format!("-. \"{}\" .->", escaped(evidence)),
    }
}

/// Dashed lines for owners that are not the controller. Mermaid has no such edge, but styles for edges by number.
fn dashes(edges: &[DrawnEdge]) -> String {
    let owners = edges.iter().enumerate().filter(|(_, edge)| edge.link == LinkKind::Owner);
    let owners: Vec<String> = owners.map(|(place, _)| place.to_string()).collect();
    if owners.is_empty() {
        return String::new();
    }
    format!("  linkStyle {} stroke-dasharray:8 4\n", owners.join(","))
}

fn label(lines: &[String]) -> String {
    lines.iter().map(|line| escaped(line)).collect::<Vec<_>>().join("<br/>")
}

fn escaped(text: &str) -> String {
    let text = Styles::default().plain(text);
    let text = LOOKALIKES.iter().fold(text, |text, (obeyed, looks)| text.replace(obeyed, looks));
    let mut out = String::with_capacity(text.len());
    let (mut before, mut rest) = (None, text.chars().peekable());
    while let Some(c) = rest.next() {
        let is_word = |c: Option<char>| c.is_some_and(|c| c.is_ascii_alphanumeric());
        let stays = match c {
            '-' | '.' | '/' => is_word(before) && is_word(rest.peek().copied()),
            ' ' => before.is_some_and(|before| before != ' ') && rest.peek().is_some(),
            _ => c.is_ascii_alphanumeric(),
        };
        match c {
            _ if stays => out.push(c),
            '"' => out.push_str("#quot;"),
            // Non-ASCII letters too: the encoding may get lost on the way.
            _ => out.extend(["#", &u32::from(c).to_string(), ";"]),
        }
        before = Some(c);
    }
    out
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::render::sample;

    #[test]
    fn a_tree_with_every_kind_of_link() {
        let drawing = Drawing::of(&sample::report(&["shop", "a", "b", "c"]));
        insta::assert_snapshot!(write(&drawing), @r#"
        flowchart LR
          note["Thing/shop is Failed<br/>complete"]:::note
          n0[["Thing/shop<br/>1/2 Failed"]]:::error
          n1[["Thing/a<br/>1/2 Failed"]]:::error
          n2[["Thing/b<br/>1/2 Failed"]]:::error
          n3[["Thing/c<br/>1/2 Failed"]]:::error
          class n0 asked
          n0 --> n1
          n0 --> n2
          n0 -. "says c#59; and more" .-> n3
          classDef plain stroke:gray
          classDef good stroke:green
          classDef progressing stroke:teal
          classDef warning stroke:olive
          classDef error stroke:red
          classDef dim stroke:gray,stroke-dasharray:4 3
          classDef asked stroke-width:4px,font-weight:bold
          classDef note fill:none,stroke:none
          linkStyle 1 stroke-dasharray:8 4
        "#);
    }

    #[test]
    fn plain_names_can_be_read_and_all_else_is_an_entity() {
        for (given, shown) in [
            ("Pod/shop-7d9c.x 1/2 Running", "Pod/shop-7d9c.x 1/2 Running"),
            ("a\"b]", "a#quot;b#93;"),
            ("%%{init: {}}%%", "#37;#37;#123;init#58; #123;#125;#125;#37;#37;"),
            ("<script>", "#60;script#62;"),
            ("`x` _y_ $$z$$", "#96;x#96; #95;y#95; #36;#65284;z#36;#65284;"),
            ("#quot;", "#35;quot#59;"),
            ("style:#a;", "style#58;#35;a#59;"),
            ("1. x", "1#46; x"),
            ("- x --- y", "#45; x #45;#45;#45; y"),
            ("  a  b ", "#32;#32;a #32;b#32;"),
            ("a\nclick n0", "a#10741;nclick n0"),
            ("fa:fa-car", "fa#58;fa#8208;car"),
            ("ﬂ°°60¶ß", "fl#176;#176;60#182;#7838;"),
            ("evil\u{202e}", "evil#92;u#123;202e#125;"),
        ] {
            assert_eq!(escaped(given), shown);
        }
    }

    #[test]
    fn lookalikes_are_sorted_and_none_is_obeyed() {
        assert!(LOOKALIKES.windows(2).all(|pair| pair[0].0 < pair[1].0));
        for (_, looks) in LOOKALIKES {
            assert!(LOOKALIKES.iter().all(|(obeyed, _)| !looks.repeat(2).contains(obeyed)), "{looks}");
        }
    }

    #[test]
    fn what_mermaid_will_refuse_to_draw_is_said() {
        let mut drawing = Drawing::of(&sample::report(&["shop", "a"]));
        assert!(!write(&drawing).contains("%%"));
        drawing.edges = vec![drawing.edges[0].clone(); MAX_EDGES + 1];
        assert!(write(&drawing).starts_with("flowchart LR\n%% large: requires a higher maxEdges\n"));
        drawing.notes = vec!["x".repeat(MAX_TEXT)];
        assert!(write(&drawing).contains("requires a higher maxEdges and maxTextSize\n"));
    }

    proptest! {
        #[test]
        fn any_name_stays_inside_its_quotes(names in prop::collection::vec(sample::hostile(), 1..6)) {
            let names: Vec<&str> = names.iter().map(String::as_str).collect();
            let text = write(&Drawing::of(&sample::report(&names)));
            // Every second part is the inside of a label.
            let outside = |text: &str| -> Vec<String> { text.split('"').step_by(2).map(str::to_owned).collect() };
            let expected = write(&Drawing::of(&sample::report(&vec!["x"; names.len()])));
            prop_assert_eq!(outside(&text), outside(&expected));
            for label in text.split('"').skip(1).step_by(2) {
                let bare = label.replace("<br/>", "");
                prop_assert!(bare.chars().all(|c| c.is_ascii_alphanumeric() || " -./#;".contains(c)), "{label}");
            }
            let count = |part: &str| text.lines().filter(|line| line.contains(part)).count();
            prop_assert_eq!(count("]]:::error"), names.len());
            prop_assert_eq!(count("->"), names.len() - 1);
        }
    }
}
