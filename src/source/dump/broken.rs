//! What could not be understood in a dump, counted but not without end.

use crate::model::gap::{Gap, Reason};

/// From here on they are only counted: nobody reads more, and a dump of rubbish must not fill the memory.
const MOST: usize = 500;

/// The broken pieces of a dump.
#[derive(Debug, Default)]
pub(super) struct Broken {
    gaps: Vec<Gap>,
    more: usize,
}

impl Broken {
    /// A piece that starts, or went wrong, at a line of a file.
    pub(super) fn at(&mut self, file: &str, line: u64, message: String) {
        self.add(format!("{file} line {line}"), message);
    }

    /// A whole file or entry.
    pub(super) fn file(&mut self, file: &str, message: String) {
        self.add(file.to_owned(), message);
    }

    /// The first of them, for a failure's words.
    pub(super) fn first(&self) -> Option<&Gap> {
        self.gaps.first()
    }

    /// All of them, sorted.
    pub(super) fn gaps(mut self) -> Vec<Gap> {
        self.gaps.sort();
        self.gaps.dedup();
        if self.more > 0 {
            let what = format!("{} more pieces", self.more);
            self.gaps.push(gap(what, "too many broken pieces to name them all".to_owned()));
        }
        self.gaps
    }

    fn add(&mut self, resource: String, message: String) {
        if self.gaps.len() < MOST {
            self.gaps.push(gap(resource, message));
        } else {
            self.more += 1;
        }
    }
}

/// A gap for a piece of a dump; `resource` is where it is.
pub(super) fn gap(resource: String, message: String) -> Gap {
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
        let mut broken = Broken::default();
        broken.at("shop.yaml", 12, "expected a Kubernetes object".to_owned());
        assert_eq!(broken.gaps()[0].what(), "shop.yaml line 12");
    }

    #[test]
    fn rubbish_without_end_is_counted() {
        let mut broken = Broken::default();
        (0..10_000).for_each(|line| broken.at("x", line, String::new()));
        let gaps = broken.gaps();
        assert_eq!(gaps.len(), MOST + 1);
        assert_eq!(gaps[MOST].what(), "9500 more pieces");
    }
}
