//! Splits a stream of bytes into lines.

/// No event is longer: etcd rejects objects over 1.5 MB.
const MAX_LINE_LEN: usize = 16 << 20;

/// A line is longer than the limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct LineTooLong;

/// Buffers the incomplete last line.
#[derive(Debug, Default)]
pub(super) struct LineSplitter {
    partial: Vec<u8>,
}

impl LineSplitter {
    /// Adds bytes and returns the lines that are now complete, without line feeds and without empty lines.
    pub(super) fn feed(&mut self, bytes: &[u8]) -> Result<Vec<Vec<u8>>, LineTooLong> {
        let mut lines = Vec::new();
        let mut pieces = bytes.split(|byte| *byte == b'\n');
        let last = pieces.next_back().unwrap_or_default();
        for piece in pieces {
            let mut line = std::mem::take(&mut self.partial);
            line.extend_from_slice(piece);
            if !line.trim_ascii().is_empty() {
                lines.push(line);
            }
        }
        self.partial.extend_from_slice(last);
        if self.partial.len() > MAX_LINE_LEN { Err(LineTooLong) } else { Ok(lines) }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn a_line_may_span_chunks_and_a_chunk_may_contain_lines() {
        let mut splitter = LineSplitter::default();
        assert_eq!(splitter.feed(b"{\"a\":").unwrap(), Vec::<Vec<u8>>::new());
        assert_eq!(splitter.feed(b"1}\n\r\n{}\n{\"b").unwrap(), [b"{\"a\":1}".to_vec(), b"{}".to_vec()]);
        assert_eq!(splitter.feed(b"\":2}\n").unwrap(), [b"{\"b\":2}".to_vec()]);
    }

    #[test]
    fn a_line_without_an_end_is_an_error() {
        let (mut splitter, piece) = (LineSplitter::default(), vec![b'x'; 1 << 20]);
        assert!((0..32).any(|_| splitter.feed(&piece) == Err(LineTooLong)));
    }

    proptest! {
        #[test]
        fn the_size_of_chunks_does_not_matter(text in "[a-c\n]{0,60}", cuts in proptest::collection::vec(0..60_usize, 0..6)) {
            let whole = LineSplitter::default().feed(text.as_bytes()).unwrap();
            let mut cuts: Vec<usize> = cuts.into_iter().map(|cut| cut.min(text.len())).collect();
            cuts.extend([0, text.len()]);
            cuts.sort_unstable();
            let mut splitter = LineSplitter::default();
            let pieces = cuts.windows(2).map(|pair| &text.as_bytes()[pair[0]..pair[1]]);
            let found: Vec<_> = pieces.flat_map(|piece| splitter.feed(piece).unwrap()).collect();
            prop_assert_eq!(found, whole);
        }
    }
}
