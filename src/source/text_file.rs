//! Text that a flag names: a file, a pipe or standard input, of limited size.

use std::fs::{self, File};
use std::io::{self, Read};
use std::path::Path;

use super::special_file::special_file;
use crate::error::io_reason;

const MIB: u64 = 1024 * 1024;

/// Reads a file, or standard input if `path` is `-`. The error is a clause whose subject is the file: `is a device`.
pub fn read(path: &Path, limit: u64) -> Result<String, String> {
    let unreadable = |error: io::Error| format!("cannot be read: {}", io_reason(&error));
    if path == Path::new("-") {
        return read_limited(io::stdin().lock(), limit);
    }
    // Asked before it is opened: opening some devices has effects.
    let kind = fs::metadata(path).map_err(unreadable)?.file_type();
    match special_file(kind) {
        Some(what) => Err(format!("is {what}, not a file")),
        None => read_limited(File::open(path).map_err(unreadable)?, limit),
    }
}

fn read_limited(input: impl Read, limit: u64) -> Result<String, String> {
    let mut bytes = Vec::new();
    let read = input.take(limit + 1).read_to_end(&mut bytes);
    read.map_err(|error| format!("cannot be read: {}", io_reason(&error)))?;
    if bytes.len() as u64 > limit {
        return Err(match limit / MIB {
            0 => format!("is larger than {} KiB", limit / 1024),
            limit => format!("is larger than {limit} MiB"),
        });
    }
    String::from_utf8(bytes).map_err(|_| "is not UTF-8 text".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_size_is_limited() {
        let read = |limit| read_limited(b"12345".as_slice(), limit);
        assert_eq!(read(5).unwrap(), "12345");
        assert_eq!(read_limited(io::repeat(b'a'), 2048).unwrap_err(), "is larger than 2 KiB");
        assert_eq!(read_limited(io::repeat(b'a'), 3 * MIB).unwrap_err(), "is larger than 3 MiB");
        assert_eq!(read_limited(b"\xff".as_slice(), 9).unwrap_err(), "is not UTF-8 text");
    }

    #[cfg(unix)]
    #[test]
    fn only_what_can_contain_text_is_opened() {
        let folder = tempfile::tempdir().unwrap();
        let socket = folder.path().join("socket");
        let _listener = std::os::unix::net::UnixListener::bind(&socket).unwrap();
        assert_eq!(read(&socket, 9).unwrap_err(), "is a socket, not a file");
        assert_eq!(read(folder.path(), 9).unwrap_err(), "is a directory, not a file");
        assert_eq!(read(Path::new("/dev/zero"), 9).unwrap_err(), "is a device, not a file");
        let missing = folder.path().join("missing");
        assert_eq!(read(&missing, 9).unwrap_err(), "cannot be read: no such file or directory");
    }
}
