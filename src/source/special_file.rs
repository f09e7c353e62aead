//! Files that are never read: a device may be endless, and reading a directory or a socket as a file fails in words of the
//! system. Pipes are read, because `<(kubectl get ...)` is one.

use std::fs::FileType;

/// What a file is if it cannot contain text; the words fit after "it is".
pub fn special_file(kind: FileType) -> Option<&'static str> {
    if kind.is_dir() {
        return Some("a directory");
    }
    #[cfg(unix)]
    {
        use std::os::unix::fs::FileTypeExt as _;
        if kind.is_char_device() || kind.is_block_device() {
            return Some("a device");
        }
        if kind.is_socket() {
            return Some("a socket");
        }
    }
    None
}
