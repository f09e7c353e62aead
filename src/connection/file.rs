//! Reads kubeconfigs and the files that they and the flags name: up to a limit, and without waiting forever.

use std::fs::{self, File};
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};
use std::sync::mpsc;
use std::time::Duration;
use std::{fmt, thread};

use crate::error::io_reason;

/// The largest file that is read. A kubeconfig with thousands of contexts is smaller.
const MAX_SIZE: u64 = 16 << 20;
/// The time that the other end of a pipe gets: `--kubeconfig <(...)` may run a program that logs in.
const PIPE_TIMEOUT: Duration = Duration::from_secs(60);

/// Why a file cannot be read.
#[derive(Debug)]
pub(super) enum FileError {
    Directory,
    Device,
    TooLarge,
    /// A pipe that nothing was written to in time.
    NoWriter(Duration),
    Io(io::Error),
}

impl FileError {
    /// Whether there is no such file.
    pub(super) fn is_not_found(&self) -> bool {
        matches!(self, Self::Io(error) if error.kind() == io::ErrorKind::NotFound)
    }
}

impl From<io::Error> for FileError {
    fn from(error: io::Error) -> Self {
        Self::Io(error)
    }
}

/// A fragment that fits after `cannot be read:`.
impl fmt::Display for FileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Directory => f.write_str("it is a directory, not a file"),
            Self::Device => f.write_str("it is a device, not a file"),
            Self::TooLarge => write!(f, "it is larger than {} MiB", MAX_SIZE >> 20),
            Self::NoWriter(timeout) => {
                write!(f, "it is a pipe, and nothing wrote to it within {} s", timeout.as_secs())
            }
            Self::Io(error) => f.write_str(&io_reason(error)),
        }
    }
}

/// Reads a file, or a pipe such as `/dev/stdin`.
pub(super) fn read(path: &Path) -> Result<Vec<u8>, FileError> {
    read_within(path, PIPE_TIMEOUT)
}

/// The same as text; what is not UTF-8 is an error.
pub(super) fn read_text(path: &Path) -> Result<String, FileError> {
    String::from_utf8(read(path)?).map_err(|_| io::Error::from(io::ErrorKind::InvalidData).into())
}

fn read_within(path: &Path, pipe_timeout: Duration) -> Result<Vec<u8>, FileError> {
    let kind = fs::metadata(path)?.file_type();
    if kind.is_dir() {
        return Err(FileError::Directory);
    }
    if kind.is_file() {
        return read_bounded(path, MAX_SIZE)?.ok_or(FileError::TooLarge);
    }
    // Opening or reading anything else may block. The thread then ends with the process.
    let (sender, receiver) = mpsc::channel();
    let pipe = is_pipe(kind);
    // `/dev/null` is a common way to say "no kubeconfig"; any other device has no end, or is a terminal.
    let limit = if pipe { MAX_SIZE } else { 0 };
    let path = PathBuf::from(path);
    thread::spawn(move || sender.send(read_bounded(&path, limit)));
    match receiver.recv_timeout(pipe_timeout) {
        Ok(bytes) => bytes?.ok_or(if pipe { FileError::TooLarge } else { FileError::Device }),
        Err(_) if pipe => Err(FileError::NoWriter(pipe_timeout)),
        Err(_) => Err(FileError::Device),
    }
}

/// `None` if there is more than `limit`.
fn read_bounded(path: &Path, limit: u64) -> io::Result<Option<Vec<u8>>> {
    let mut bytes = Vec::new();
    let read = File::open(path)?.take(limit + 1).read_to_end(&mut bytes)?;
    Ok((read as u64 <= limit).then_some(bytes))
}

#[cfg(unix)]
fn is_pipe(kind: fs::FileType) -> bool {
    use std::os::unix::fs::FileTypeExt as _;
    !kind.is_char_device() && !kind.is_block_device()
}

#[cfg(not(unix))]
fn is_pipe(_: fs::FileType) -> bool {
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    fn failure(path: &Path) -> String {
        read_within(path, Duration::from_millis(300)).unwrap_err().to_string()
    }

    #[test]
    fn files_are_read_up_to_the_limit() {
        let folder = tempfile::TempDir::new().unwrap();
        let path = folder.path().join("f");
        let file = File::create(&path).unwrap();
        file.set_len(MAX_SIZE).unwrap();
        assert_eq!(read(&path).unwrap().len() as u64, MAX_SIZE);
        file.set_len(MAX_SIZE + 1).unwrap();
        assert_eq!(failure(&path), "it is larger than 16 MiB");
        assert_eq!(failure(folder.path()), "it is a directory, not a file");
        assert!(read(&folder.path().join("none")).unwrap_err().is_not_found());
    }

    #[cfg(unix)]
    #[test]
    fn pipes_and_devices_never_hang() {
        let folder = tempfile::TempDir::new().unwrap();
        let pipe = folder.path().join("pipe");
        assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
        assert_eq!(failure(&pipe), "it is a pipe, and nothing wrote to it within 0 s");
        // Another one: the first read of that one still waits.
        let pipe = folder.path().join("other");
        assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
        let writer = pipe.clone();
        thread::spawn(move || fs::write(writer, "text"));
        assert_eq!(read_text(&pipe).unwrap(), "text");
        assert_eq!(read(Path::new("/dev/null")).unwrap(), b"");
        assert_eq!(failure(Path::new("/dev/zero")), "it is a device, not a file");
    }
}
