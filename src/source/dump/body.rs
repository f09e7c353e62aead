//! Reads an object's text again, this time as a whole.

use std::fs::File;
use std::io::{Read as _, Seek as _, SeekFrom};
use std::path::PathBuf;

use serde_json::Value;

use super::compressed_store::CompressedStore;
use super::index::{BodyLocation, BodyRange};
use super::parse::parse;
use super::read_errors::read_gap;
use crate::model::gap::Gap;

/// Reads what is at a location.
pub(super) fn read(
    location: &BodyLocation,
    files: &[PathBuf],
    store: &CompressedStore,
) -> Result<Value, Gap> {
    let broken = |line: u64, message: &str| {
        read_gap(
            format!("{} line {line}", location.file_name),
            format!("expected a Kubernetes object, but {message}"),
        )
    };
    let text = text(location, files, store).map_err(|message| broken(location.line, &message))?;
    parse(&text, location.syntax).map_err(|error| broken(location.line + error.line, &error.message))
}

/// That there was no room to read it.
pub(super) fn out_of_memory_gap(location: &BodyLocation) -> Gap {
    read_gap(
        format!("{} line {}", location.file_name, location.line),
        "there is too little memory to read it".to_owned(),
    )
}

/// That the text is not any more what it was when the dump was indexed.
pub(super) fn changed_gap(location: &BodyLocation) -> Gap {
    let message = "expected a Kubernetes object, but the file has changed since it was first read";
    read_gap(format!("{} line {}", location.file_name, location.line), message.to_owned())
}

fn text(location: &BodyLocation, files: &[PathBuf], store: &CompressedStore) -> Result<Vec<u8>, String> {
    match &location.range {
        BodyRange::Memory(stored) => store.get(stored).ok_or_else(|| "it was not stored".to_owned()),
        BodyRange::File { file, offset, length } => {
            let path = files.get(*file).ok_or("its file is not known")?;
            let mut text = vec![0; usize::try_from(*length).map_err(|_| "it is too large")?];
            let mut read = || {
                let mut file = File::open(path)?;
                file.seek(SeekFrom::Start(*offset))?;
                file.read_exact(&mut text)
            };
            read().map_err(|error| format!("it cannot be read again: {error}"))?;
            Ok(text)
        }
    }
}
