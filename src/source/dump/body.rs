//! Reads an object's text again, this time as a whole.

use std::fs::File;
use std::io::{Read as _, Seek as _, SeekFrom};
use std::path::PathBuf;

use serde_json::Value;

use super::broken::gap;
use super::index::{At, Place};
use super::parse::parse;
use super::store::Store;
use crate::model::gap::Gap;

/// Reads what is at a place.
pub(super) fn read(place: &Place, files: &[PathBuf], store: &Store) -> Result<Value, Gap> {
    let broken = |line: u64, words: &str| {
        gap(format!("{} line {line}", place.text), format!("expected a Kubernetes object, but {words}"))
    };
    let text = text(place, files, store).map_err(|words| broken(place.line, &words))?;
    parse(&text, place.form).map_err(|fault| broken(place.line + fault.line, &fault.words))
}

/// That there was no room to read it.
pub(super) fn unread(place: &Place) -> Gap {
    gap(format!("{} line {}", place.text, place.line), "there is too little memory to read it".to_owned())
}

/// That the text is not any more what it was when the dump was indexed.
pub(super) fn changed(place: &Place) -> Gap {
    let message = "expected a Kubernetes object, but the file has changed since it was first read";
    gap(format!("{} line {}", place.text, place.line), message.to_owned())
}

fn text(place: &Place, files: &[PathBuf], store: &Store) -> Result<Vec<u8>, String> {
    match &place.at {
        At::Kept(kept) => store.get(kept).ok_or_else(|| "it was not kept".to_owned()),
        At::File { file, offset, length } => {
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
