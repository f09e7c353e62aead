//! Detects the format of a file from its first bytes; file names are not reliable.

use super::utf16_reader::ByteOrder;

/// How many bytes are needed to detect a format.
pub(in crate::source::dump) const SNIFF_LEN: usize = 512;

/// The format of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::source::dump) enum FileFormat {
    Gzip,
    Tar,
    Json,
    Yaml,
    Utf16(ByteOrder),
    /// Only whitespace in the bytes examined.
    Empty,
    /// A format that is not supported; the text fits after "it is".
    Other(&'static str),
}

/// Magic numbers of unsupported formats, sorted.
const OTHERS: [(&[u8], &str); 5] = [
    (b"(\xb5/\xfd", "compressed with zstd"),
    (b"7z\xbc\xaf'\x1c", "a 7z archive"),
    (b"BZh", "compressed with bzip2"),
    (b"PK\x03\x04", "a zip archive"),
    (b"\xfd7zXZ\x00", "compressed with xz"),
];

/// Detects the format from the first bytes.
pub(in crate::source::dump) fn sniff(head: &[u8]) -> FileFormat {
    if head.starts_with(b"\x1f\x8b") {
        return FileFormat::Gzip;
    }
    if head.get(257..262) == Some(b"ustar") {
        return FileFormat::Tar;
    }
    if head.starts_with(b"\xfe\xff") {
        return FileFormat::Utf16(ByteOrder::Big);
    }
    if head.starts_with(b"\xff\xfe") {
        return FileFormat::Utf16(ByteOrder::Little);
    }
    if let Some((_, words)) = OTHERS.iter().find(|(start, _)| head.starts_with(start)) {
        return FileFormat::Other(words);
    }
    let text = head.strip_prefix(b"\xef\xbb\xbf").unwrap_or(head).trim_ascii_start();
    match text.first() {
        None => FileFormat::Empty,
        Some(b'{' | b'[') => FileFormat::Json,
        Some(_) if head.contains(&0) => FileFormat::Other("binary data"),
        Some(_) => FileFormat::Yaml,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_is_sorted() {
        assert!(OTHERS.windows(2).all(|pair| pair[0].0 < pair[1].0));
    }

    #[test]
    fn bytes_tell() {
        assert_eq!(sniff(b"\x1f\x8b\x08"), FileFormat::Gzip);
        assert_eq!(sniff(b"\xef\xbb\xbf \n{"), FileFormat::Json);
        assert_eq!(sniff(b"# {\napiVersion: v1"), FileFormat::Yaml);
        assert_eq!(sniff(b" \n"), FileFormat::Empty);
        assert_eq!(sniff(b"\xff\xfe{\0"), FileFormat::Utf16(ByteOrder::Little));
        assert_eq!(sniff(b"\xfe\xff\0{"), FileFormat::Utf16(ByteOrder::Big));
        assert_eq!(sniff(b"\x7fELF\0"), FileFormat::Other("binary data"));
        let mut tar = [0; 512];
        tar[257..262].copy_from_slice(b"ustar");
        assert_eq!(sniff(&tar), FileFormat::Tar);
    }
}
