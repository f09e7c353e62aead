//! A drawing whose every text tries to be more than text.

use kubectl_op::inspect::tree::LinkKind;
use kubectl_op::render::drawing::{Arrow, Drawing, Figure, Weight};
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

/// One figure per text, in every shape, and an arrow of every kind to it.
pub(crate) fn drawing() -> Drawing {
    let tones = [Tone::Plain, Tone::Good, Tone::Moving, Tone::Uneasy, Tone::Bad, Tone::Dim];
    let links = [LinkKind::Controller, LinkKind::Owner, LinkKind::Related];
    // Each text meets each shape: a shape has its own delimiters to break out of.
    let figures = TEXTS.iter().flat_map(|text| {
        tones.iter().map(move |tone| Figure {
            lines: vec![(*text).to_owned(), format!("1/2 {text}")],
            message: Some((*text).to_owned()),
            tone: *tone,
            weight: Weight::Usual,
        })
    });
    let mut figures: Vec<Figure> = figures.collect();
    figures[0].weight = Weight::Bold;
    // Not to itself: Mermaid draws such an arrow in pieces.
    let last = figures.len() - 1;
    let arrow = |place: usize, link: LinkKind| Arrow {
        from: last,
        to: place,
        link,
        evidence: TEXTS[place / tones.len()].to_owned(),
    };
    let places = (0..figures.len()).step_by(tones.len());
    let arrows = places.flat_map(|place| links.map(|link| arrow(place, link))).collect();
    Drawing { notes: TEXTS.iter().map(|text| (*text).to_owned()).collect(), figures, arrows }
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
    let related = drawing.arrows.iter().filter(|arrow| arrow.link == LinkKind::Related);
    related.map(|arrow| shown(&arrow.evidence)).collect()
}
