//! Reads a tar archive entry by entry, without writing anything to disk.

use std::io::{self, Cursor, Read};

use tar::{Archive, Entry, EntryType};

use super::index::DumpIndex;
use super::logs::{self, LogName};
use super::path_hint::PathHint;
use super::read::{ArchivePolicy, NameHint, first_bytes, looks_like_objects, read_packed};
use super::text::limited_reader::{LimitedReader, MAX_BYTES, MAX_ENTRY_BYTES};

/// Longest accepted name of an entry.
const MAX_NAME_BYTES: u64 = 64 * 1024;
/// How much is read after the last entry.
const MAX_PADDING_BYTES: u64 = 1024 * 1024;

/// Reads every entry that may contain objects. Entries whose path points outside the archive are reported and skipped.
pub(super) fn read_tar(input: &mut dyn Read, name: &str, index: &mut DumpIndex) {
    let input = LimitedReader::new(input, MAX_BYTES);
    let remaining = input.remaining();
    let mut archive = Archive::new(input);
    let entries = match archive.entries() {
        // Raw, because the library reads names of any length into memory before it returns them.
        Ok(entries) => entries.raw(true),
        Err(error) => return index.errors.add_file(name, format!("expected a tar archive, but {error}")),
    };
    let mut long_name = None;
    for entry in entries {
        let mut entry = match entry {
            Ok(entry) => entry,
            Err(error) => {
                let message =
                    format!("expected a complete tar archive, but the rest cannot be read: {error}");
                return index.errors.add_file(name, message);
            }
        };
        match entry.header().entry_type() {
            EntryType::GNULongName => long_name = gnu_name(&mut entry),
            EntryType::XHeader => long_name = pax_name(&mut entry).or(long_name),
            EntryType::XGlobalHeader | EntryType::GNULongLink => {}
            kind => {
                let own = String::from_utf8_lossy(&entry.path_bytes()).into_owned();
                let entry_name = long_name.take().unwrap_or(own);
                let shown_name = index.name_in(name, &entry_name);
                if let Err(message) = read_entry(entry, kind, &entry_name, &shown_name, index) {
                    index.errors.add_file(&shown_name, message);
                }
            }
        }
        if remaining.is_zero() {
            return index
                .errors
                .add_file(name, "it contains more than 8 GiB; the rest was not read".to_owned());
        }
    }
    // After the last entry comes padding; with gzip, reading it also verifies the checksum.
    let mut rest = archive.into_inner().take(MAX_PADDING_BYTES);
    if let Err(error) = io::copy(&mut rest, &mut io::sink()) {
        index.errors.add_file(name, format!("expected a complete tar archive, but {error}"));
    }
}

/// Reads one entry, called `shown_name` in errors. The error says why it was skipped.
fn read_entry<R: Read>(
    entry: Entry<'_, R>,
    kind: EntryType,
    name: &str,
    shown_name: &str,
    index: &mut DumpIndex,
) -> Result<(), String> {
    if kind.is_dir() {
        return Ok(());
    }
    if !matches!(kind, EntryType::Regular | EntryType::Continuous) {
        return Err("links and special files are not read".to_owned());
    }
    let is_absolute = name.starts_with(['/', '\\']) || name.get(1..2) == Some(":");
    if is_absolute || name.split(['/', '\\']).any(|part| part == "..") {
        return Err("its path points outside the archive, so it was skipped".to_owned());
    }
    let mut input = LimitedReader::new(entry, MAX_ENTRY_BYTES);
    if let Some(log) = LogName::parse(name) {
        // A log that cannot be read is no gap: nothing is concluded from it.
        let _ = logs::keep(&mut input, log, index);
        return Ok(());
    }
    let hint = NameHint::of(name);
    if hint == NameHint::Other {
        return Ok(());
    }
    let unreadable = |error: io::Error| format!("it cannot be read: {error}");
    let head = first_bytes(&mut input).map_err(unreadable)?;
    if hint == NameHint::Unclear && !looks_like_objects(&head) {
        return Ok(());
    }
    let mut input = Cursor::new(head).chain(input);
    read_packed(&mut input, shown_name, PathHint::parse(name), ArchivePolicy::Reject, index)
        .map_err(unreadable)
}

/// The name of the next entry, as GNU tar stores long names.
fn gnu_name(entry: &mut impl Read) -> Option<String> {
    let text = read_name(entry)?;
    let end = text.iter().position(|byte| *byte == 0).unwrap_or(text.len());
    Some(String::from_utf8_lossy(&text[..end]).into_owned())
}

/// The name of the next entry, as POSIX pax stores it: records such as `26 path=long/name.yaml`, length first.
fn pax_name(entry: &mut impl Read) -> Option<String> {
    let text = read_name(entry)?;
    let records = text.split(|byte| *byte == b'\n');
    let path = records.filter_map(|record| {
        let space = record.iter().position(|byte| *byte == b' ')?;
        record.get(space + 1..)?.strip_prefix(b"path=")
    });
    path.collect::<Vec<_>>().pop().map(|path| String::from_utf8_lossy(path).into_owned())
}

fn read_name(entry: &mut impl Read) -> Option<Vec<u8>> {
    let mut text = Vec::new();
    entry.take(MAX_NAME_BYTES).read_to_end(&mut text).ok()?;
    Some(text)
}
