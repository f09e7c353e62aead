//! A drawing whose every text tries to be more than text.

use kubectl_op::inspect::tree::LinkKind;
use kubectl_op::render::drawing::{Drawing, DrawnEdge, DrawnNode, Weight};
use kubectl_op::ui::{Styles, Tone};

const TEXTS: &[&str] = &[
    "Pod/shop-7d9c8b6f5-x2x9q",
    "Thing/a\"b\\",
    "Thing/\\N \\G \\n \\l",
    "Thing/<script>alert(1)</script>",
    "<b>bold</b><img src=x onerror=alert(1)>",
    "</svg><svg onload=alert(1)>",
    "Thing/]; n9 [label=x]; subgraph x {",
    "\"]; click n0 href \"javascript:alert(1)\"",
    "Thing/end",
    "end",
    "graph",
    "click n0 call alert(1)",
    "%%{init: {\"securityLevel\": \"loose\"}}%%",
    "%% comment",
    "---\ntitle: x\n---",
    "`code` **bold** _it_ ~~no~~ [a](http://x.y) ![b](c)",
    "`",
    "1. one",
    "- one",
    "# one",
    "> one",
    "https://www.example.com www.example.com a@b.cd",
    "$$x^2$$",
    "fa:fa-car fab:fa-github",
    "#quot; #35; #lt;b#gt; #; #x",
    "&lt;b&gt; &amp; &#65; &x; &",
    "style:\"a\" classDef:#a; linkStyle:#b;",
    "ﬂ°°60¶ß ﬂ°quot¶ß",
    "a;b|c{d}e(f)g[h]i<j>k@l^m!n?o=p+q*r~s'",
    "a --> b --x c -. d .-> e",
    ":::bad",
    "日本 ☃ 🚀 é",
    "red \x1b[31m bell\x07 nul\0 \u{202e}evil\u{200b}",
    "line\nfeed\r\ttab",
    "@{ shape: circle }",
];

/// One node per text, in every shape, and an edge of every kind to it.
pub(crate) fn drawing() -> Drawing {
    let tones = [Tone::Plain, Tone::Good, Tone::Progressing, Tone::Warning, Tone::Error, Tone::Dim];
    let links = [LinkKind::Controller, LinkKind::Owner, LinkKind::Related];
    // Each text meets each shape: a shape has its own delimiters to break out of.
    let nodes = TEXTS.iter().flat_map(|text| {
        tones.iter().map(move |tone| DrawnNode {
            lines: vec![(*text).to_owned(), format!("1/2 {text}")],
            message: Some((*text).to_owned()),
            tone: *tone,
            weight: Weight::Normal,
        })
    });
    let mut nodes: Vec<DrawnNode> = nodes.collect();
    nodes[0].weight = Weight::Bold;
    // Not to itself: Mermaid draws such an edge in pieces.
    let last = nodes.len() - 1;
    let edge = |place: usize, link: LinkKind| DrawnEdge {
        from: last,
        to: place,
        link,
        evidence: TEXTS[place / tones.len()].to_owned(),
    };
    let places = (0..nodes.len()).step_by(tones.len());
    let edges = places.flat_map(|place| links.map(|link| edge(place, link))).collect();
    Drawing { notes: TEXTS.iter().map(|text| (*text).to_owned()).collect(), nodes, edges }
}

/// The text as it may be shown anywhere.
pub(crate) fn shown(text: &str) -> String {
    Styles::default().plain(text)
}

/// The same for a label of many lines.
pub(crate) fn all_shown(lines: &[String]) -> Vec<String> {
    lines.iter().map(|line| shown(line)).collect()
}

/// The evidence that is written along lines.
pub(crate) fn evidence(drawing: &Drawing) -> Vec<String> {
    let related = drawing.edges.iter().filter(|edge| edge.link == LinkKind::Related);
    related.map(|edge| shown(&edge.evidence)).collect()
}
