//! Finding codes as text: a page for one, or a table of all.

use super::table::{Cell, Table};
use crate::inspect::explain::{Explanation, Explanations};
use crate::model::health::Severity;
use crate::ui::{Styles, Tone};

/// The indentation of lines under a title.
const INDENT: &str = "  ";

/// Writes the page of one code. Sentences wrap at `width`; commands and links never do.
pub fn page(code: &Explanation, program: &str, styles: &Styles, width: Option<u16>) -> String {
    let mut lines = vec![
        format!(
            "{} {}",
            styles.toned(tone(code.severity), &format!("{} ({})", code.code, word(code.severity))),
            styles.plain(code.title)
        ),
        String::new(),
    ];
    for (title, text) in [("what it means", code.meaning), ("why it matters", code.why)] {
        lines.push(styles.toned(Tone::Bold, title));
        lines.extend(wrapped(text, width).iter().map(|line| styles.plain(line)));
    }
    lines.push(styles.toned(Tone::Bold, "what to do"));
    for step in &code.steps {
        let colon = if step.command.is_some() { ":" } else { "" };
        lines.extend(
            wrapped(&format!("{}{colon}", step.instruction), width).iter().map(|line| styles.plain(line)),
        );
        // Our own commands under the name that the user runs us by.
        let call = step.command.map(|call| match call.strip_prefix("kubectl op ") {
            Some(words) => format!("{INDENT}{INDENT}{program} {words}"),
            None => format!("{INDENT}{INDENT}{call}"),
        });
        lines.extend(call.map(|call| styles.plain(&call)));
    }
    lines.push(styles.toned(Tone::Bold, "read more"));
    lines.push(format!("{INDENT}{}", styles.link(code.link)));
    lines.join("\n") + "\n"
}

/// Writes all codes, one line each.
pub fn list(codes: &Explanations, styles: &Styles, width: Option<u16>) -> String {
    let mut table = Table::new(["CODE", "SEVERITY", "MEANING"]);
    for code in &codes.codes {
        let severity = Cell { text: word(code.severity).to_owned(), tone: tone(code.severity) };
        table.row([code.code.to_string().into(), severity, Cell::from(code.title.to_owned())]);
    }
    format!("{} finding codes\n\n{}", codes.codes.len(), table.write(styles, width))
}

const fn word(severity: Severity) -> &'static str {
    match severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Info => "info",
    }
}

const fn tone(severity: Severity) -> Tone {
    match severity {
        Severity::Error => Tone::Error,
        Severity::Warning => Tone::Warning,
        Severity::Info => Tone::Plain,
    }
}

/// Wraps our own text, where every character is one column wide.
fn wrapped(text: &str, width: Option<u16>) -> Vec<String> {
    let Some(width) = width else { return vec![format!("{INDENT}{text}")] };
    let mut lines = vec![INDENT.to_owned()];
    for word in text.split_whitespace() {
        if let Some(line) = lines.last_mut() {
            let empty = line.len() == INDENT.len();
            if empty || line.chars().count() + 1 + word.chars().count() <= usize::from(width) {
                line.push_str(if empty { "" } else { " " });
                line.push_str(word);
                continue;
            }
        }
        lines.push(format!("{INDENT}{word}"));
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sentences_wrap_on_a_terminal_and_not_in_a_pipe() {
        assert_eq!(wrapped("one two three", Some(9)), ["  one two", "  three"]);
        assert_eq!(wrapped("incomprehensible one", Some(5)), ["  incomprehensible", "  one"]);
        assert_eq!(wrapped("one two three", None), ["  one two three"]);
    }

    #[test]
    fn every_page_opens_with_the_code_and_fits_a_small_terminal() {
        for code in crate::inspect::explain::all().codes {
            let page = page(&code, "kubectl foo", &Styles::default(), Some(80));
            assert!(page.starts_with(&format!("{} (", code.code)), "{page}");
            assert!(!page.contains("kubectl op "), "{page}");
            let sentence = |line: &&str| !line.starts_with("    ") && !line.contains("https://");
            for line in page.lines().filter(sentence) {
                assert!(line.chars().count() <= 90, "{line}");
            }
        }
    }
}
