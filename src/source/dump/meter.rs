//! Counts bytes as they come out of an archive: a small file can hold more than any disk.

use std::cell::Cell;
use std::io::{self, Read};
use std::rc::Rc;

/// How much may come out of one archive or stream.
pub(super) const MOST: u64 = 8 * GIB;
/// How much may come out of one entry of an archive.
pub(super) const MOST_OF_ENTRY: u64 = 4 * GIB;
const GIB: u64 = 1024 * 1024 * 1024;

/// Reads until a limit is passed, which is an error.
pub(super) struct Metered<R> {
    input: R,
    left: Rc<Cell<u64>>,
    limit: u64,
}

impl<R: Read> Metered<R> {
    pub(super) fn new(input: R, limit: u64) -> Self {
        Self { input, left: Rc::new(Cell::new(limit)), limit }
    }

    /// Tells, also later, whether the limit was passed.
    pub(super) fn gauge(&self) -> Gauge {
        Gauge(Rc::clone(&self.left))
    }
}

/// How much is left.
pub(super) struct Gauge(Rc<Cell<u64>>);

impl Gauge {
    pub(super) fn is_empty(&self) -> bool {
        self.0.get() == 0
    }
}

impl<R: Read> Read for Metered<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let left = self.left.get();
        if left == 0 {
            // Exactly the limit is fine.
            if self.input.read(&mut [0])? == 0 {
                return Ok(0);
            }
            let limit = match self.limit / GIB {
                0 => format!("{} bytes", self.limit),
                limit => format!("{limit} GiB"),
            };
            return Err(io::Error::other(format!("there is more than {limit}")));
        }
        let most = usize::try_from(left).unwrap_or(usize::MAX).min(buffer.len());
        let read = self.input.read(&mut buffer[..most])?;
        self.left.set(left - read as u64);
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
            Metered::new(b"12345".as_slice(), limit).read_to_string(&mut text).map(|_| text)
        };
        assert_eq!(read(6).unwrap(), "12345");
        assert_eq!(read(5).unwrap(), "12345");
        assert_eq!(read(4).unwrap_err().to_string(), "there is more than 4 bytes");
        assert!(Metered::new(io::repeat(0), 3 * GIB).read(&mut []).is_ok());
    }
}
