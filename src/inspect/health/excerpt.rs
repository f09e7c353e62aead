//! Text of an object as part of a one-line message: on one line, and not too long.

/// The longest text, in characters.
const MAX_LENGTH: usize = 300;

/// The beginning of a text with line breaks and runs of spaces as single spaces. Control characters are left to the
/// output, which escapes them.
pub(in crate::inspect) fn excerpt(text: &str) -> String {
    let text = text.trim();
    let mut out = String::with_capacity(text.len().min(MAX_LENGTH * 4));
    let (mut count, mut was_space) = (0, false);
    for letter in text.chars() {
        if letter.is_whitespace() && was_space {
            continue;
        }
        was_space = letter.is_whitespace();
        count += 1;
        if count > MAX_LENGTH {
            out.truncate(out.trim_end().len());
            out.push('…');
            break;
        }
        out.push(if was_space { ' ' } else { letter });
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_becomes_one_line_of_bounded_length() {
        assert_eq!(excerpt("  one\n\n  * two\tthree  "), "one * two three");
        assert_eq!(excerpt(" \n "), "");
        let long = excerpt(&"ü".repeat(1_000_000));
        assert_eq!((long.chars().count(), long.chars().last()), (MAX_LENGTH + 1, Some('…')));
        assert_eq!(excerpt(&"x".repeat(MAX_LENGTH)).len(), MAX_LENGTH);
        assert_eq!(excerpt("\u{1b}[31mred"), "\u{1b}[31mred");
    }
}
