//! Reads a tar archive entry by entry; nothing of it is ever written to disk.

use std::io::{self, Read};

use tar::{Archive, Entry, EntryType};

use super::hint::hint;
use super::index::Index;
use super::meter::{MOST, MOST_OF_ENTRY, Metered};
use super::read::{Archives, is_text, unpacked};

/// How long an entry's name may be.
const LONGEST_NAME: u64 = 64 * 1024;
/// How far is read behind the last entry.
const MOST_PADDING: u64 = 1024 * 1024;

/// Reads all entries that may hold objects; entries that lead out of the archive are told of and left alone.
pub(super) fn read(input: &mut dyn Read, name: &str, index: &mut Index) {
    let input = Metered::new(input, MOST);
    let gauge = input.gauge();
    let mut archive = Archive::new(input);
    let entries = match archive.entries() {
        // Raw: names of any length would be read into memory before we see them.
        Ok(entries) => entries.raw(true),
        Err(error) => return index.broken.file(name, format!("expected a tar archive, but {error}")),
    };
    let mut long_name = None;
    for entry in entries {
        let mut entry = match entry {
            Ok(entry) => entry,
            Err(error) => {
                let message = format!("expected a whole tar archive, but the rest cannot be read: {error}");
                return index.broken.file(name, message);
            }
        };
        match entry.header().entry_type() {
            EntryType::GNULongName => long_name = gnu_name(&mut entry),
            EntryType::XHeader => long_name = pax_name(&mut entry).or(long_name),
            EntryType::XGlobalHeader | EntryType::GNULongLink => {}
            kind => {
                let own = String::from_utf8_lossy(&entry.path_bytes()).into_owned();
                let entry_name = long_name.take().unwrap_or(own);
                if let Err(message) = one(entry, kind, &entry_name, index) {
                    index.broken.file(&entry_name, message);
                }
            }
        }
        if gauge.is_empty() {
            return index
                .broken
                .file(name, "there is more than 8 GiB in it; the rest was not read".to_owned());
        }
    }
    // Behind the last entry is padding, and where it is gzipped the proof that all was right.
    let mut rest = archive.into_inner().take(MOST_PADDING);
    if let Err(error) = io::copy(&mut rest, &mut io::sink()) {
        index.broken.file(name, format!("expected a whole tar archive, but {error}"));
    }
}

/// Reads one entry; else why not.
fn one<R: Read>(entry: Entry<'_, R>, kind: EntryType, name: &str, index: &mut Index) -> Result<(), String> {
    if kind.is_dir() {
        return Ok(());
    }
    if !matches!(kind, EntryType::Regular | EntryType::Continuous) {
        return Err("it is a link, a device or the like, which is not followed".to_owned());
    }
    let is_absolute = name.starts_with(['/', '\\']) || name.get(1..2) == Some(":");
    if is_absolute || name.split(['/', '\\']).any(|part| part == "..") {
        return Err("its name leads out of the archive, so it was left alone".to_owned());
    }
    if !is_text(name) {
        return Ok(());
    }
    let mut input = Metered::new(entry, MOST_OF_ENTRY);
    unpacked(&mut input, name, hint(name), Archives::Refused, index)
        .map_err(|error| format!("it cannot be read: {error}"))
}

/// The name of the next entry, as GNU tar writes long ones.
fn gnu_name(entry: &mut impl Read) -> Option<String> {
    let text = bounded(entry)?;
    let end = text.iter().position(|byte| *byte == 0).unwrap_or(text.len());
    Some(String::from_utf8_lossy(&text[..end]).into_owned())
}

/// The name of the next entry, as POSIX has it: records like `26 path=long/name.yaml`, each with its length.
fn pax_name(entry: &mut impl Read) -> Option<String> {
    let text = bounded(entry)?;
    let records = text.split(|byte| *byte == b'\n');
    let path = records.filter_map(|record| {
        let space = record.iter().position(|byte| *byte == b' ')?;
        record.get(space + 1..)?.strip_prefix(b"path=")
    });
    path.collect::<Vec<_>>().pop().map(|path| String::from_utf8_lossy(path).into_owned())
}

fn bounded(entry: &mut impl Read) -> Option<Vec<u8>> {
    let mut text = Vec::new();
    entry.take(LONGEST_NAME).read_to_end(&mut text).ok()?;
    Some(text)
}
