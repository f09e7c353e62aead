//! Collects the parts of a dump that cannot be read, up to a limit.

use crate::error::shortened;
use crate::model::gap::{Gap, Reason};

/// Further errors are only counted: nobody reads more, and a corrupt dump must not exhaust memory.
const MAX_GAPS: usize = 500;

/// Longest message, and longest name of a part. A path of a file may be longer than any message should be.
const MAX_LEN: usize = 300;

/// The errors found while a dump was read.
#[derive(Debug, Default)]
pub(super) struct ReadErrors {
    gaps: Vec<Gap>,
    omitted: usize,
}

impl ReadErrors {
    /// Adds an error at a line of a file.
    pub(super) fn add_line(&mut self, file: &str, line: u64, message: String) {
        self.add(format!("{file} line {line}"), message);
    }

    /// Adds an error about a whole file or archive entry.
    pub(super) fn add_file(&mut self, file: &str, message: String) {
        self.add(file.to_owned(), message);
    }

    /// The first error, for the message of a failure.
    pub(super) fn first(&self) -> Option<&Gap> {
        self.gaps.first()
    }

    /// All errors as gaps, sorted.
    pub(super) fn into_gaps(mut self) -> Vec<Gap> {
        self.gaps.sort();
        self.gaps.dedup();
        if self.omitted > 0 {
            let what = format!("{} more errors", self.omitted);
            self.gaps.push(read_gap(what, "too many errors to list".to_owned()));
        }
        self.gaps
    }

    fn add(&mut self, resource: String, message: String) {
        if self.gaps.len() < MAX_GAPS {
            self.gaps.push(read_gap(limited(resource), limited(message)));
        } else {
            self.omitted += 1;
        }
    }
}

fn limited(text: String) -> String {
    if text.len() <= MAX_LEN { text } else { shortened(&text, MAX_LEN).into_owned() }
}

/// A gap for a part of a dump; `resource` says where it is.
pub(super) fn read_gap(resource: String, message: String) -> Gap {
    Gap {
        group: String::new(),
        resource,
        namespace: None,
        verb: "read",
        reason: Reason::Broken,
        status: None,
        message,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_broken_piece_is_named_by_file_and_line() {
        let mut errors = ReadErrors::default();
        errors.add_line("shop.yaml", 12, "expected a Kubernetes object".to_owned());
        assert_eq!(errors.into_gaps()[0].what(), "shop.yaml line 12");
    }

    #[test]
    fn rubbish_without_end_is_counted() {
        let mut errors = ReadErrors::default();
        (0..10_000).for_each(|line| errors.add_line("x", line, String::new()));
        let gaps = errors.into_gaps();
        assert_eq!(gaps.len(), MAX_GAPS + 1);
        assert_eq!(gaps[MAX_GAPS].what(), "9500 more errors");
    }
}
