//! Converts UTF-16 text to UTF-8 while it is read, as files that PowerShell redirected output into need it.

use std::io::{self, Read};

/// How much is converted at once.
const CHUNK: u64 = 64 * 1024;

/// Which byte of a code unit comes first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::source::dump) enum ByteOrder {
    Big,
    Little,
}

/// A reader that returns UTF-8. The byte order mark stays in the text; it is no content in UTF-8 either.
pub(in crate::source::dump) struct Utf16Reader<R> {
    input: R,
    order: ByteOrder,
    /// Bytes that are not converted yet: an incomplete code unit or surrogate pair.
    pending: Vec<u8>,
    converted: Vec<u8>,
    /// How much of the converted text has been returned.
    returned: usize,
}

impl<R: Read> Utf16Reader<R> {
    pub(in crate::source::dump) fn new(input: R, order: ByteOrder) -> Self {
        Self { input, order, pending: Vec::new(), converted: Vec::new(), returned: 0 }
    }

    /// Converts the next chunk, and returns how much was read. At the end of the input nothing may be left over.
    fn convert(&mut self) -> io::Result<usize> {
        let read = (&mut self.input).take(CHUNK).read_to_end(&mut self.pending)?;
        let mut units: Vec<u16> = Vec::with_capacity(self.pending.len() / 2);
        units.extend(self.pending.chunks_exact(2).map(|pair| match self.order {
            ByteOrder::Big => u16::from_be_bytes([pair[0], pair[1]]),
            ByteOrder::Little => u16::from_le_bytes([pair[0], pair[1]]),
        }));
        let is_high_surrogate = |unit: &u16| (0xd800..0xdc00).contains(unit);
        if read > 0 && units.last().is_some_and(is_high_surrogate) {
            units.pop();
        }
        self.pending.drain(..units.len() * 2);
        if read == 0 && !self.pending.is_empty() {
            return Err(invalid());
        }
        self.converted = String::from_utf16(&units).map_err(|_| invalid())?.into_bytes();
        self.returned = 0;
        Ok(read)
    }
}

impl<R: Read> Read for Utf16Reader<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        // A chunk may end before its first character does.
        while self.returned == self.converted.len() && self.convert()? > 0 {}
        let rest = &self.converted[self.returned..];
        let length = rest.len().min(buffer.len());
        buffer[..length].copy_from_slice(&rest[..length]);
        self.returned += length;
        Ok(length)
    }
}

fn invalid() -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, "it is not valid UTF-16")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn convert(bytes: &[u8], order: ByteOrder) -> io::Result<String> {
        let mut text = String::new();
        Utf16Reader::new(bytes, order).read_to_string(&mut text).map(|_| text)
    }

    #[test]
    fn any_text_is_converted_across_chunks() {
        // Surrogate pairs fall on every boundary.
        let text = format!("a{}\u{e9}", "\u{1f600}".repeat(50_000));
        let units: Vec<u16> = text.encode_utf16().collect();
        let little: Vec<u8> = units.iter().flat_map(|unit| unit.to_le_bytes()).collect();
        let big: Vec<u8> = units.iter().flat_map(|unit| unit.to_be_bytes()).collect();
        assert_eq!(convert(&little, ByteOrder::Little).unwrap(), text);
        assert_eq!(convert(&big, ByteOrder::Big).unwrap(), text);
        assert_eq!(convert(&[], ByteOrder::Big).unwrap(), "");
    }

    #[test]
    fn invalid_text_is_an_error() {
        for bytes in [&b"a\0b"[..], b"\0\xd8", b"\0\xdca\0", b"\0\xd8a\0"] {
            let error = convert(bytes, ByteOrder::Little).unwrap_err();
            assert_eq!(error.to_string(), "it is not valid UTF-16", "{bytes:?}");
        }
    }
}
