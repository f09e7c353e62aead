//! Limits how many bytes are decompressed: a small archive can expand to more than any disk holds.

use std::cell::Cell;
use std::io::{self, Read};
use std::rc::Rc;

/// Limit for one archive or stream.
pub(in crate::source::dump) const MAX_BYTES: u64 = 8 * GIB;
/// Limit for one entry of an archive.
pub(in crate::source::dump) const MAX_ENTRY_BYTES: u64 = 4 * GIB;
const GIB: u64 = 1024 * 1024 * 1024;

/// A reader that fails once a limit is exceeded.
pub(in crate::source::dump) struct LimitedReader<R> {
    input: R,
    remaining: Rc<Cell<u64>>,
    limit: u64,
}

impl<R: Read> LimitedReader<R> {
    pub(in crate::source::dump) fn new(input: R, limit: u64) -> Self {
        Self { input, remaining: Rc::new(Cell::new(limit)), limit }
    }

    /// A handle that can still be asked while the reader is borrowed.
    pub(in crate::source::dump) fn remaining(&self) -> RemainingBytes {
        RemainingBytes(Rc::clone(&self.remaining))
    }
}

/// The number of bytes that may still be read.
pub(in crate::source::dump) struct RemainingBytes(Rc<Cell<u64>>);

impl RemainingBytes {
    pub(in crate::source::dump) fn is_zero(&self) -> bool {
        self.0.get() == 0
    }
}

impl<R: Read> Read for LimitedReader<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let remaining = self.remaining.get();
        if remaining == 0 {
            // Exactly the limit is allowed.
            if self.input.read(&mut [0])? == 0 {
                return Ok(0);
            }
            let limit = match self.limit / GIB {
                0 => format!("{} bytes", self.limit),
                limit => format!("{limit} GiB"),
            };
            return Err(io::Error::other(format!("it is larger than {limit}")));
        }
        let most = usize::try_from(remaining).unwrap_or(usize::MAX).min(buffer.len());
        let read = self.input.read(&mut buffer[..most])?;
        self.remaining.set(remaining - read as u64);
        Ok(read)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn more_than_the_limit_is_an_error() {
        let read = |limit| {
            let mut text = String::new();
            LimitedReader::new(b"12345".as_slice(), limit).read_to_string(&mut text).map(|_| text)
        };
        assert_eq!(read(6).unwrap(), "12345");
        assert_eq!(read(5).unwrap(), "12345");
        assert_eq!(read(4).unwrap_err().to_string(), "it is larger than 4 bytes");
        assert!(LimitedReader::new(io::repeat(0), 3 * GIB).read(&mut []).is_ok());
    }
}
