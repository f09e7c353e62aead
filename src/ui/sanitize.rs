//! Escapes text from outside: control characters and invisible characters are printed as text.
//!
//! Everything from a server, a file or the command line is untrusted, on a terminal and in a pipe alike, because output
//! is read with `less -R` too. JSON and YAML have escapes of their own, which are used on a terminal; in a pipe they
//! have the values as they are.

use std::borrow::Cow;
use std::fmt::Write as _;

/// Escapes one line. Line feeds become spaces, so that the text stays in its cell or line; other line breaks and tabs
/// are escaped.
pub fn line(text: &str) -> Cow<'_, str> {
    if !text.contains('\n') {
        return escape(text, |_| false);
    }
    let parts: Vec<&str> = text.split('\n').map(str::trim).filter(|part| !part.is_empty()).collect();
    Cow::Owned(escape(&parts.join(" "), |_| false).into_owned())
}

/// Escapes several lines. Line feeds and tabs are kept.
pub fn block(text: &str) -> Cow<'_, str> {
    escape(text, |c| matches!(c, '\n' | '\t'))
}

/// Escapes all of a text, line feeds and tabs too, so that it cannot look like a line of its own.
pub fn value(text: &str) -> Cow<'_, str> {
    escape(text, |_| false)
}

/// Escapes a JSON document. A character that is escaped can only be in a string, apart from the line feeds between the
/// fields.
pub fn json(text: &str) -> Cow<'_, str> {
    let dangerous = |c: char| is_dangerous(c) && c != '\n';
    if !text.contains(dangerous) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len() + 64);
    for c in text.chars() {
        if dangerous(c) {
            let mut units = [0; 2];
            for unit in c.encode_utf16(&mut units) {
                // Writing into a String cannot fail.
                let _ = write!(out, "\\u{unit:04x}");
            }
        } else {
            out.push(c);
        }
    }
    Cow::Owned(out)
}

/// A text as a double-quoted YAML string, if it must be escaped.
pub fn yaml_string(text: &str) -> Option<String> {
    if !text.contains(is_dangerous) {
        return None;
    }
    let mut out = String::with_capacity(text.len() + 16);
    out.push('"');
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\t' => out.push_str("\\t"),
            _ if !is_dangerous(c) => out.push(c),
            // Writing into a String cannot fail.
            _ if u32::from(c) > 0xffff => drop(write!(out, "\\U{:08x}", u32::from(c))),
            _ => drop(write!(out, "\\u{:04x}", u32::from(c))),
        }
    }
    out.push('"');
    Some(out)
}

fn escape(text: &str, stays: impl Fn(char) -> bool) -> Cow<'_, str> {
    let dangerous = |c: char| is_dangerous(c) && !stays(c);
    if !text.contains(dangerous) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len() + 8);
    for c in text.chars() {
        if dangerous(c) {
            push_escaped(c, &mut out);
        } else {
            out.push(c);
        }
    }
    Cow::Owned(out)
}

/// kubectl's spelling where it has one (`^[` for ESC, `\r`), Rust's `\u{..}` for the rest.
fn push_escaped(c: char, out: &mut String) {
    match c {
        '\n' => out.push_str("\\n"),
        '\r' => out.push_str("\\r"),
        '\t' => out.push_str("\\t"),
        '\0'..='\x1f' => {
            out.push('^');
            out.push(char::from(c as u8 + b'@'));
        }
        '\x7f' => out.push_str("^?"),
        // Writing into a String cannot fail.
        _ => drop(write!(out, "\\u{{{:x}}}", c as u32)),
    }
}

/// Whether a character is a control character, is invisible, or joins or reorders the text around it.
pub fn is_dangerous(c: char) -> bool {
    c.is_control() || INVISIBLE.iter().any(|range| range.contains(&c))
}

/// Unicode's format characters (general category Cf), its line and paragraph separators, and the fillers, which are
/// letters that look blank. Sorted. Variation selectors are not in it: they belong to the emoji before them.
const INVISIBLE: &[std::ops::RangeInclusive<char>] = &[
    '\u{ad}'..='\u{ad}',       // soft hyphen
    '\u{34f}'..='\u{34f}',     // combining grapheme joiner
    '\u{600}'..='\u{605}',     // Arabic number support
    '\u{61c}'..='\u{61c}',     // Arabic letter mark
    '\u{6dd}'..='\u{6dd}',     // Arabic end of ayah
    '\u{70f}'..='\u{70f}',     // Syriac abbreviation mark
    '\u{890}'..='\u{891}',     // Arabic pound and piastre marks
    '\u{8e2}'..='\u{8e2}',     // Arabic disputed end of ayah
    '\u{115f}'..='\u{1160}',   // Hangul fillers
    '\u{17b4}'..='\u{17b5}',   // Khmer inherent vowels
    '\u{180e}'..='\u{180e}',   // Mongolian vowel separator
    '\u{200b}'..='\u{200f}',   // zero width space and joiners, left-to-right and right-to-left marks
    '\u{2028}'..='\u{202e}',   // line and paragraph separators, bidi embeddings and overrides
    '\u{2060}'..='\u{206f}',   // word joiner, invisible operators, bidi isolates, deprecated formats
    '\u{3164}'..='\u{3164}',   // Hangul filler
    '\u{feff}'..='\u{feff}',   // byte order mark
    '\u{ffa0}'..='\u{ffa0}',   // halfwidth Hangul filler
    '\u{fff0}'..='\u{fffb}',   // interlinear annotations
    '\u{110bd}'..='\u{110bd}', // Kaithi number sign
    '\u{110cd}'..='\u{110cd}', // Kaithi number sign above
    '\u{13430}'..='\u{1343f}', // Egyptian hieroglyph format controls
    '\u{1bca0}'..='\u{1bca3}', // shorthand format controls
    '\u{1d173}'..='\u{1d17a}', // musical symbol controls
    '\u{e0000}'..='\u{e0fff}', // tags and other invisible specials
];

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn writes_out_what_a_terminal_would_obey() {
        for (given, shown) in [
            ("red \x1b[31mtext", "red ^[[31mtext"),
            ("over\rwritten", "over\\rwritten"),
            ("bell\x07 back\x08 nul\0 del\x7f", "bell^G back^H nul^@ del^?"),
            ("8-bit \u{9b}31m", "8-bit \\u{9b}31m"),
            ("evil\u{202e}gpj.exe", "evil\\u{202e}gpj.exe"),
            ("isolate\u{2066}x\u{2069}", "isolate\\u{2066}x\\u{2069}"),
            ("zero\u{200b}width\u{feff}", "zero\\u{200b}width\\u{feff}"),
            ("tag\u{e0041}", "tag\\u{e0041}"),
        ] {
            assert_eq!(line(given), shown);
            assert_eq!(block(given), shown);
        }
    }

    #[test]
    fn line_breaks_and_tabs_stay_only_in_a_block() {
        assert_eq!(line("a\tb"), "a\\tb");
        assert_eq!(line("\na:\r\n\t- b\n\n- c\n"), "a: - b - c");
        assert_eq!(block("a\n\tb\r\n"), "a\n\tb\\r\n");
    }

    #[test]
    fn ranges_are_sorted_and_apart() {
        assert!(INVISIBLE.windows(2).all(|pair| pair[0].end() < pair[1].start()));
    }

    proptest! {
        #[test]
        fn nothing_dangerous_comes_out(text in any::<String>(), spot in 0..INVISIBLE.len()) {
            // Random text rarely holds a rare mark, so one is always put in.
            let text = format!("{text}{}{text}", INVISIBLE[spot].start());
            prop_assert!(!line(&text).contains(is_dangerous));
            prop_assert!(!block(&text).contains(|c| is_dangerous(c) && c != '\n' && c != '\t'));
        }

        #[test]
        fn plain_text_is_unchanged(text in "[ -~äöüßéñ日本語🚀✓├─└]*") {
            prop_assert!(matches!(line(&text), Cow::Borrowed(same) if same == text));
        }
    }
}
