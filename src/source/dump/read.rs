//! Reads what `--from` names into the index: a file, a directory, an archive or a stream.

use std::fs::{self, File};
use std::io::{self, Cursor, Read, Seek as _};
use std::path::Path;

use flate2::read::MultiGzDecoder;

use super::archive;
use super::cancellable_reader::CancellableReader;
use super::index::DumpIndex;
use super::index_builder::{BodyStorage, IndexBuilder};
use super::logs::{DumpLog, LogName, LogText};
use super::path_hint::PathHint;
use super::text::limited_reader::{LimitedReader, MAX_BYTES};
use super::text::sniff::{FileFormat, SNIFF_LEN, sniff};
use super::text::utf16_reader::Utf16Reader;
use super::{json_reader, yaml_reader};
use crate::source::special_file::special_file;

/// Extensions of the files that are read in directories and archives.
const EXTENSIONS: [&str; 3] = ["json", "yaml", "yml"];

/// Whether an archive is opened: not inside a directory or another archive.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ArchivePolicy {
    Open,
    Reject,
}

/// Whether a file in a directory or an archive may contain objects, by its name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum NameHint {
    Objects,
    /// It has no extension: its first bytes decide.
    Unclear,
    /// A log, for example.
    Other,
}

impl NameHint {
    pub(super) fn of(path: &str) -> Self {
        let file = path.rsplit(['/', '\\']).next().unwrap_or(path);
        let file = file.strip_suffix(".gz").unwrap_or(file);
        match file.rsplit_once('.') {
            None => Self::Unclear,
            Some((_, ending)) if EXTENSIONS.iter().any(|text| text.eq_ignore_ascii_case(ending)) => {
                Self::Objects
            }
            Some(_) => Self::Other,
        }
    }
}

/// Whether the first bytes of a file without an extension are those of an object.
pub(super) fn looks_like_objects(head: &[u8]) -> bool {
    const FIELD: &[u8] = b"apiVersion";
    let contains_field = |text: &[u8]| text.windows(FIELD.len()).any(|window| window == FIELD);
    match sniff(head) {
        FileFormat::Json | FileFormat::Yaml => contains_field(head),
        FileFormat::Gzip => {
            let mut text = Vec::new();
            // Ends with an error, because the head is not all of the file.
            let _ = MultiGzDecoder::new(head).take(SNIFF_LEN as u64).read_to_end(&mut text);
            contains_field(&text)
        }
        _ => false,
    }
}

/// Reads a file or a directory. The error is about the path itself; errors inside it go to the index.
pub(super) fn read_path(path: &Path, index: &mut DumpIndex) -> io::Result<()> {
    let name = path.display().to_string();
    let metadata = fs::metadata(path)?;
    if metadata.is_dir() {
        fs::read_dir(path)?;
        read_folder(path, index);
        Ok(())
    } else if metadata.is_file() {
        let file = File::open(path)?;
        read_file(file, path, &name, PathHint::default(), ArchivePolicy::Open, index)
    } else if let Some(what) = special_file(metadata.file_type()) {
        Err(io::Error::other(format!("it is {what}")))
    } else {
        // A pipe, as from `<(kubectl get ...)`.
        read_stream(&mut File::open(path)?, &name, index)
    }
}

/// Reads a stream, which can be read only once.
pub(super) fn read_stream(input: &mut dyn Read, name: &str, index: &mut DumpIndex) -> io::Result<()> {
    let mut input = CancellableReader::new(input, &index.cancel);
    read_packed(&mut input, name, PathHint::default(), ArchivePolicy::Open, index)
}

/// Reads all files in a directory and its subdirectories, ordered by name. Symbolic links are not followed.
fn read_folder(root: &Path, index: &mut DumpIndex) {
    let root_name = root.to_string_lossy();
    let mut pending = vec![root.to_owned()];
    while let Some(path) = pending.pop() {
        if index.cancel.is_cancelled() {
            return index.errors.add_file(&root_name, "the rest was not read: interrupted".to_owned());
        }
        let relative = path.strip_prefix(root).unwrap_or(&path);
        let relative = relative.to_string_lossy().replace(std::path::MAIN_SEPARATOR, "/");
        let name = index.name_in(&root_name, &relative);
        // The root itself may be a link: the user named it.
        let kind = if path == root { fs::metadata(&path) } else { fs::symlink_metadata(&path) };
        let kind = match kind {
            Ok(metadata) => metadata.file_type(),
            Err(error) => {
                index.errors.add_file(&name, format!("it cannot be read: {error}"));
                continue;
            }
        };
        if kind.is_dir() {
            match children(&path) {
                // Reversed, because the last one is popped first.
                Ok(children) => pending.extend(children.into_iter().rev()),
                Err(error) => index.errors.add_file(&name, format!("it cannot be read: {error}")),
            }
            continue;
        }
        let hint = NameHint::of(&relative);
        let is_read = match hint {
            NameHint::Objects => true,
            NameHint::Unclear => kind.is_file() && has_objects(&path),
            NameHint::Other => false,
        };
        if is_read {
            if kind.is_file() {
                let read = File::open(&path).and_then(|file| {
                    read_file(file, &path, &name, PathHint::parse(&relative), ArchivePolicy::Reject, index)
                });
                if let Err(error) = read {
                    index.errors.add_file(&name, format!("it cannot be read: {error}"));
                }
            } else {
                index.errors.add_file(&name, "links and special files are not read".to_owned());
            }
        } else if let Some(log) = LogName::parse(&relative).filter(|_| kind.is_file()) {
            index.logs.push(DumpLog { name: log, text: LogText::File(path) });
        }
    }
}

/// Whether a file without an extension contains objects.
fn has_objects(path: &Path) -> bool {
    let head = File::open(path).and_then(|mut file| first_bytes(&mut file));
    head.is_ok_and(|head| looks_like_objects(&head))
}

fn children(folder: &Path) -> io::Result<Vec<std::path::PathBuf>> {
    let mut children =
        fs::read_dir(folder)?.map(|entry| Ok(entry?.path())).collect::<io::Result<Vec<_>>>()?;
    children.sort();
    Ok(children)
}

/// Reads a file that can be read again later.
fn read_file(
    mut file: File,
    path: &Path,
    name: &str,
    hint: PathHint,
    policy: ArchivePolicy,
    index: &mut DumpIndex,
) -> io::Result<()> {
    let head = first_bytes(&mut file)?;
    file.rewind()?;
    let mut file = CancellableReader::new(file, &index.cancel);
    match sniff(&head) {
        format @ (FileFormat::Json | FileFormat::Yaml) => {
            index.files.push(path.to_owned());
            let storage = BodyStorage::File(index.files.len() - 1);
            read_text(&mut file, format, IndexBuilder::new(index, name, hint, storage));
            Ok(())
        }
        _ => read_packed(&mut file, name, hint, policy, index),
    }
}

/// Reads input that may be compressed or an archive; its objects are kept in memory.
pub(super) fn read_packed(
    input: &mut dyn Read,
    name: &str,
    hint: PathHint,
    policy: ArchivePolicy,
    index: &mut DumpIndex,
) -> io::Result<()> {
    let first = first_bytes(input)?;
    let mut input = Cursor::new(first.clone()).chain(input);
    if sniff(&first) != FileFormat::Gzip {
        read_unpacked(&mut input, &first, name, hint, policy, index);
        return Ok(());
    }
    let mut input = LimitedReader::new(MultiGzDecoder::new(input), MAX_BYTES);
    match first_bytes(&mut input) {
        Ok(first) => {
            let mut input = Cursor::new(first.clone()).chain(input);
            read_unpacked(&mut input, &first, name, hint, policy, index);
        }
        Err(error) => index.errors.add_file(name, format!("expected gzip data, but {error}")),
    }
    Ok(())
}

fn read_unpacked(
    input: &mut dyn Read,
    head: &[u8],
    name: &str,
    hint: PathHint,
    policy: ArchivePolicy,
    index: &mut DumpIndex,
) {
    match (sniff(head), policy) {
        (format @ (FileFormat::Json | FileFormat::Yaml), _) => {
            let mut input = LimitedReader::new(input, MAX_BYTES);
            read_text(&mut input, format, IndexBuilder::new(index, name, hint, BodyStorage::Memory));
        }
        (FileFormat::Utf16(order), _) => {
            let mut input = LimitedReader::new(Utf16Reader::new(input, order), MAX_BYTES);
            match first_bytes(&mut input) {
                Ok(head) if matches!(sniff(&head), FileFormat::Json | FileFormat::Yaml) => {
                    let format = sniff(&head);
                    let mut input = Cursor::new(head).chain(input);
                    read_text(&mut input, format, IndexBuilder::new(index, name, hint, BodyStorage::Memory));
                }
                Ok(head) if sniff(&head) == FileFormat::Empty => {}
                Ok(_) => {
                    index.errors.add_file(name, "expected JSON or YAML, but it is binary data".to_owned());
                }
                Err(error) => index.errors.add_file(name, format!("expected JSON or YAML, but {error}")),
            }
        }
        (FileFormat::Tar, ArchivePolicy::Open) => archive::read_tar(input, name, index),
        (FileFormat::Empty, _) => {}
        (FileFormat::Tar | FileFormat::Gzip, _) => {
            index.errors.add_file(
                name,
                "expected JSON or YAML, but it is an archive inside a directory or another archive"
                    .to_owned(),
            );
        }
        (FileFormat::Other(words), _) => {
            index.errors.add_file(name, format!("expected JSON or YAML, but it is {words}"));
        }
    }
}

fn read_text(input: &mut dyn Read, format: FileFormat, mut builder: IndexBuilder<'_>) {
    match format {
        FileFormat::Json => json_reader::read_json(input, &mut builder),
        _ => yaml_reader::read_yaml(input, &mut builder),
    }
}

/// The first bytes of the input, or all of a short one.
pub(super) fn first_bytes(input: &mut dyn Read) -> io::Result<Vec<u8>> {
    let mut head = Vec::with_capacity(SNIFF_LEN);
    input.take(SNIFF_LEN as u64).read_to_end(&mut head)?;
    Ok(head)
}
