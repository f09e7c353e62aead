//! Reads whatever `--from` names into the index: one text, a folder of them, an archive, or a stream.

use std::fs::{self, File};
use std::io::{self, Cursor, Read, Seek as _};
use std::path::Path;

use flate2::read::MultiGzDecoder;

use super::archive;
use super::filing::{Filing, Keep};
use super::hint::{Hint, hint};
use super::index::Index;
use super::meter::{MOST, Metered};
use super::sniff::{ENOUGH, Format, sniff};
use super::{json_text, yaml_text};

/// Endings of files that are read in folders and archives.
const TEXTS: [&str; 3] = ["json", "yaml", "yml"];

/// Whether an archive may be here: not inside another one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Archives {
    Opened,
    Refused,
}

/// Whether a name in a folder or an archive is of a file that may hold objects. Logs and the like do not.
pub(super) fn is_text(name: &str) -> bool {
    let name = name.strip_suffix(".gz").unwrap_or(name);
    name.rsplit_once('.')
        .is_some_and(|(_, ending)| TEXTS.iter().any(|text| text.eq_ignore_ascii_case(ending)))
}

/// Reads a file or a folder. The error is about the path itself.
pub(super) fn path(path: &Path, index: &mut Index) -> io::Result<()> {
    let name = path.display().to_string();
    let metadata = fs::metadata(path)?;
    if metadata.is_dir() {
        fs::read_dir(path)?;
        folder(path, index);
        Ok(())
    } else if metadata.is_file() {
        let file = File::open(path)?;
        regular(file, path, &name, Hint::default(), Archives::Opened, index)
    } else {
        // A pipe, as of `<(kubectl get ...)`.
        stream(&mut File::open(path)?, &name, index)
    }
}

/// Reads a stream that can be read only once.
pub(super) fn stream(input: &mut dyn Read, name: &str, index: &mut Index) -> io::Result<()> {
    unpacked(input, name, Hint::default(), Archives::Opened, index)
}

/// Reads all files below a folder, in the order of their names. Links are not followed.
fn folder(root: &Path, index: &mut Index) {
    let mut waiting = vec![root.to_owned()];
    while let Some(path) = waiting.pop() {
        let shown = path.strip_prefix(root).unwrap_or(&path);
        let name = shown.to_string_lossy().replace(std::path::MAIN_SEPARATOR, "/");
        // The root may be a link: a person named it.
        let kind = if path == root { fs::metadata(&path) } else { fs::symlink_metadata(&path) };
        let kind = match kind {
            Ok(metadata) => metadata.file_type(),
            Err(error) => {
                index.broken.file(&name, format!("it cannot be read: {error}"));
                continue;
            }
        };
        if kind.is_dir() {
            match children(&path) {
                // The last is taken first.
                Ok(children) => waiting.extend(children.into_iter().rev()),
                Err(error) => index.broken.file(&name, format!("it cannot be read: {error}")),
            }
        } else if is_text(&name) {
            if kind.is_file() {
                let read = File::open(&path)
                    .and_then(|file| regular(file, &path, &name, hint(&name), Archives::Refused, index));
                if let Err(error) = read {
                    index.broken.file(&name, format!("it cannot be read: {error}"));
                }
            } else {
                index.broken.file(&name, "it is a link or a device, which is not followed".to_owned());
            }
        }
    }
}

fn children(folder: &Path) -> io::Result<Vec<std::path::PathBuf>> {
    let mut children =
        fs::read_dir(folder)?.map(|entry| Ok(entry?.path())).collect::<io::Result<Vec<_>>>()?;
    children.sort();
    Ok(children)
}

/// Reads a file that can be read again later.
fn regular(
    mut file: File,
    path: &Path,
    name: &str,
    hint: Hint,
    archives: Archives,
    index: &mut Index,
) -> io::Result<()> {
    let head = head(&mut file)?;
    file.rewind()?;
    match sniff(&head) {
        format @ (Format::Json | Format::Yaml) => {
            index.files.push(path.to_owned());
            let keep = Keep::InFile(index.files.len() - 1);
            text(&mut file, format, Filing::new(index, name, hint, keep));
            Ok(())
        }
        _ => unpacked(&mut file, name, hint, archives, index),
    }
}

/// Reads what may be compressed or an archive; its objects are kept in memory.
pub(super) fn unpacked(
    input: &mut dyn Read,
    name: &str,
    hint: Hint,
    archives: Archives,
    index: &mut Index,
) -> io::Result<()> {
    let first = head(input)?;
    let mut input = Cursor::new(first.clone()).chain(input);
    if sniff(&first) != Format::Gzip {
        plain(&mut input, &first, name, hint, archives, index);
        return Ok(());
    }
    let mut input = Metered::new(MultiGzDecoder::new(input), MOST);
    match head(&mut input) {
        Ok(first) => {
            let mut input = Cursor::new(first.clone()).chain(input);
            plain(&mut input, &first, name, hint, archives, index);
        }
        Err(error) => index.broken.file(name, format!("expected gzipped text, but {error}")),
    }
    Ok(())
}

fn plain(input: &mut dyn Read, head: &[u8], name: &str, hint: Hint, archives: Archives, index: &mut Index) {
    match (sniff(head), archives) {
        (format @ (Format::Json | Format::Yaml), _) => {
            let mut input = Metered::new(input, MOST);
            text(&mut input, format, Filing::new(index, name, hint, Keep::InMemory));
        }
        (Format::Tar, Archives::Opened) => archive::read(input, name, index),
        (Format::Empty, _) => {}
        (Format::Tar | Format::Gzip, _) => {
            index.broken.file(name, "expected JSON or YAML, but it is an archive in an archive".to_owned());
        }
        (Format::Other(words), _) => {
            index.broken.file(name, format!("expected JSON or YAML, but it is {words}"));
        }
    }
}

fn text(input: &mut dyn Read, format: Format, mut filing: Filing<'_>) {
    match format {
        Format::Json => json_text::read(input, &mut filing),
        _ => yaml_text::read(input, &mut filing),
    }
}

/// The first bytes of a text, or all of a short one.
fn head(input: &mut dyn Read) -> io::Result<Vec<u8>> {
    let mut head = Vec::with_capacity(ENOUGH);
    input.take(ENOUGH as u64).read_to_end(&mut head)?;
    Ok(head)
}
