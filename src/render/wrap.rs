//! Wraps text between words, where a terminal would break inside a word.

use crate::ui::{Styles, Tone};

/// Narrower terminals break names anyway, so nothing is wrapped there.
const NARROWEST: usize = 30;

/// Styles a text and wraps it at `width`, without a trailing line feed. Without a width it stays one line.
pub(super) fn wrap_styled(text: &str, tone: Tone, styles: &Styles, width: Option<u16>) -> String {
    let width = width.map(usize::from).filter(|width| *width >= NARROWEST);
    let Some(width) = width else { return styles.toned(tone, text) };
    let lines = wrap_words(&Styles::default().plain(text), width);
    lines.iter().map(|line| styles.toned(tone, line)).collect::<Vec<_>>().join("\n")
}

/// Splits a text into lines of whole words.
pub(super) fn wrap_words(text: &str, width: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split(' ') {
        let fits = |line: &&mut String| line.chars().count() + 1 + word.chars().count() <= width;
        match lines.last_mut().filter(fits) {
            Some(line) => {
                line.push(' ');
                line.push_str(word);
            }
            None => lines.push(word.to_owned()),
        }
    }
    lines
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
}
