//! Wraps text between words, where a terminal would break inside a word.

use crate::ui::{Styles, Tone, display_width};

/// Narrower terminals break names anyway, so nothing is wrapped there.
const NARROWEST: usize = 30;

/// Styles a text and wraps it at `width`, without a trailing line feed. Without a width it stays one line.
pub(super) fn wrap_styled(text: &str, tone: Tone, styles: &Styles, width: Option<u16>) -> String {
    let width = width.map(usize::from).filter(|width| *width >= NARROWEST);
    let Some(width) = width else { return styles.toned(tone, text) };
    let lines = wrap_words(&Styles::default().plain(text), width);
    lines.iter().map(|line| styles.toned(tone, line)).collect::<Vec<_>>().join("\n")
}

/// Splits a text into lines of whole words. A word is never broken, even if it is longer than a line, because names,
/// finalizers and URLs are copied; only scripts without spaces, such as Chinese, are broken between characters.
pub(super) fn wrap_words(text: &str, width: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split(' ') {
        for (at, part) in breakable(word, width).into_iter().enumerate() {
            let fits = |line: &&mut String| display_width(line) + 1 + display_width(&part) <= width;
            match lines.last_mut().filter(|line| at == 0 && fits(line)) {
                Some(line) => {
                    line.push(' ');
                    line.push_str(&part);
                }
                None => lines.push(part),
            }
        }
    }
    lines
}

/// The parts of a word that may be on different lines.
fn breakable(word: &str, width: usize) -> Vec<String> {
    if word.is_ascii() || display_width(word) <= width {
        return vec![word.to_owned()];
    }
    let mut parts = vec![String::new()];
    for letter in word.chars() {
        let is_full =
            |part: &String| display_width(part) + display_width(letter.encode_utf8(&mut [0; 4])) > width;
        if !letter.is_ascii() && parts.last().is_some_and(is_full) {
            parts.push(String::new());
        }
        if let Some(part) = parts.last_mut() {
            part.push(letter);
        }
    }
    parts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_stay_whole_and_none_is_lost() {
        let text = "Website/shop says Ready, but Pod/shop-d778b5768-8x2g4 is CrashLoopBackOff for 130m";
        let told = wrap_styled(text, Tone::Plain, &Styles::default(), Some(40));
        assert_eq!(told.split_whitespace().collect::<Vec<_>>(), text.split_whitespace().collect::<Vec<_>>());
        assert!(told.lines().count() == 3 && told.lines().all(|line| line.len() <= 40), "{told}");
        assert_eq!(wrap_styled(text, Tone::Plain, &Styles::default(), None), text);
        assert_eq!(wrap_styled("a\nb", Tone::Plain, &Styles::default(), None).lines().count(), 1);
    }

    #[test]
    fn a_name_is_never_broken() {
        let text = "waiting for finalizer vm.codeconnect.vmworld.com/finalizer";
        assert_eq!(
            wrap_words(text, 20),
            ["waiting for", "finalizer", "vm.codeconnect.vmworld.com/finalizer"]
        );
    }

    #[test]
    fn text_without_spaces_is_broken_between_wide_characters() {
        assert_eq!(wrap_words("日本語日本語日本語", 8), ["日本語日", "本語日本", "語"]);
        assert_eq!(wrap_words("a 日本語日本語", 8), ["a", "日本語日", "本語"]);
    }
}
