//! A drawing in Mermaid's language, for the pages that draw it: READMEs, wikis, issues.
//!
//! Mermaid reads a label many times over: for directives, entities, Markdown, formulas and icons. So of a text only
//! letters, digits and single marks between them stand as they are; all else is an entity, which is read late. What
//! is read even later is replaced by what looks the same.

use super::drawing::{Arrow, Drawing, Figure, Weight};
use crate::inspect::tree::LinkKind;
use crate::ui::{Styles, Tone};

/// Mermaid draws neither more arrows nor more text than this unless its page says so; a diagram cannot.
const MOST_ARROWS: usize = 500;
const MOST_TEXT: usize = 50_000;

/// What Mermaid obeys even when it is written in entities, and what looks the same and means nothing: formulas, icons,
/// line breaks, and the marks that Mermaid itself puts around entities.
const LOOKALIKES: &[(&str, &str)] =
    &[("$$", "$\u{ff04}"), (":fa-", ":fa\u{2010}"), ("\\n", "\u{29f5}n"), ("¶ß", "¶\u{1e9e}"), ("ﬂ°", "fl°")];

/// The looks that lines refer to. Of the sixteen base colours those that can be seen on white and on black.
const CLASSES: &str = "  classDef plain stroke:gray
  classDef good stroke:green
  classDef moving stroke:teal
  classDef uneasy stroke:olive
  classDef bad stroke:red
  classDef dim stroke:gray,stroke-dasharray:4 3
  classDef asked stroke-width:4px,font-weight:bold
  classDef note fill:none,stroke:none
";

/// Writes the drawing, one line per figure and arrow.
pub fn write(drawing: &Drawing) -> String {
    let figures = || drawing.figures.iter().enumerate();
    let mut out = vec![format!("  note[\"{}\"]:::note", label(&drawing.notes))];
    out.extend(figures().map(|(place, figure)| format!("  n{place}{}", shaped(figure))));
    let bold = figures().filter(|(_, figure)| figure.weight == Weight::Bold);
    out.extend(bold.map(|(place, _)| format!("  class n{place} asked")));
    let arrows = drawing.arrows.iter();
    out.extend(arrows.map(|arrow| format!("  n{} {} n{}", arrow.from, line(arrow), arrow.to)));
    out.push(CLASSES.to_owned());
    let out = out.join("\n") + &dashes(&drawing.arrows);
    let too_much = match (drawing.arrows.len() > MOST_ARROWS, out.len() > MOST_TEXT) {
        (false, false) => "",
        (true, false) => "%% large: drawn only where maxEdges is raised\n",
        (false, true) => "%% large: drawn only where maxTextSize is raised\n",
        (true, true) => "%% large: drawn only where maxEdges and maxTextSize are raised\n",
    };
    format!("flowchart LR\n{too_much}{out}")
}

/// The label in its shape, which says the tone again for whoever cannot tell the colours apart.
fn shaped(figure: &Figure) -> String {
    let label = label(&figure.lines);
    match figure.tone {
        Tone::Plain | Tone::Strong => format!("[\"{label}\"]:::plain"),
        Tone::Good => format!("(\"{label}\"):::good"),
        Tone::Moving => format!("([\"{label}\"]):::moving"),
        Tone::Uneasy => format!("{{{{\"{label}\"}}}}:::uneasy"),
        Tone::Bad => format!("[[\"{label}\"]]:::bad"),
        Tone::Dim => format!("[\"{label}\"]:::dim"),
    }
}

/// Dotted where it is a guess, with the evidence; solid from an owner.
fn line(arrow: &Arrow) -> String {
    match (arrow.link, arrow.evidence.as_str()) {
        (LinkKind::Controller | LinkKind::Owner, _) => "-->".to_owned(),
        (LinkKind::Related, "") => "-.->".to_owned(),
        (LinkKind::Related, evidence) => format!("-. \"{}\" .->", escaped(evidence)),
    }
}

/// An owner that is no controller has a dashed line. Mermaid has no arrow for it, but a style for lines by number.
fn dashes(arrows: &[Arrow]) -> String {
    let owners = arrows.iter().enumerate().filter(|(_, arrow)| arrow.link == LinkKind::Owner);
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
            // Letters outside of ASCII too: whoever passes the text on may not know its encoding.
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
          n0[["Thing/shop<br/>1/2 Failed"]]:::bad
          n1[["Thing/a<br/>1/2 Failed"]]:::bad
          n2[["Thing/b<br/>1/2 Failed"]]:::bad
          n3[["Thing/c<br/>1/2 Failed"]]:::bad
          class n0 asked
          n0 --> n1
          n0 --> n2
          n0 -. "says c#59; and more" .-> n3
          classDef plain stroke:gray
          classDef good stroke:green
          classDef moving stroke:teal
          classDef uneasy stroke:olive
          classDef bad stroke:red
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
        drawing.arrows = vec![drawing.arrows[0].clone(); MOST_ARROWS + 1];
        assert!(write(&drawing).starts_with("flowchart LR\n%% large: drawn only where maxEdges is raised\n"));
        drawing.notes = vec!["x".repeat(MOST_TEXT)];
        assert!(write(&drawing).contains("where maxEdges and maxTextSize are raised\n"));
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
            prop_assert_eq!(count("]]:::bad"), names.len());
            prop_assert_eq!(count("->"), names.len() - 1);
        }
    }
}
