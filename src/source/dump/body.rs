//! Reads the complete text of an object again.

use std::fs::File;
use std::io::{Read as _, Seek as _, SeekFrom};
use std::path::PathBuf;

use serde_json::Value;

use super::compressed_store::CompressedStore;
use super::index::{BodyLocation, BodyRange};
use super::read_errors::read_gap;
use super::text::parse::{Syntax, parse};
use crate::model::gap::Gap;
use crate::model::memory::{MemoryBudget, OverBudget};
use crate::source::memory;

/// Reads the object at a location.
pub(super) fn read(
    location: &BodyLocation,
    files: &[PathBuf],
    store: &CompressedStore,
    budget: &MemoryBudget,
) -> Result<Value, Gap> {
    let broken = |line: u64, message: &str| {
        read_gap(
            format!("{} line {line}", location.file_name),
            format!("expected a Kubernetes object, but {message}"),
        )
    };
    let text = text(location, files, store).map_err(|message| broken(location.line, &message))?;
    let cost = match location.syntax {
        Syntax::Json => memory::json_text(&text),
        Syntax::Yaml | Syntax::YamlItem => memory::yaml_text(&text),
    };
    let _parsing = budget.reserve(cost).map_err(|over| over_budget_gap(location, over))?;
    parse(&text, location.syntax).map_err(|error| broken(location.line + error.line, &error.message))
}

/// The gap for an object that would take too much memory.
pub(super) fn over_budget_gap(location: &BodyLocation, over: OverBudget) -> Gap {
    read_gap(format!("{} line {}", location.file_name, location.line), over.to_string())
}

/// The gap for an object for which there was not enough memory.
pub(super) fn out_of_memory_gap(location: &BodyLocation) -> Gap {
    read_gap(
        format!("{} line {}", location.file_name, location.line),
        "not enough memory to read it".to_owned(),
    )
}

/// The gap for an object whose file has changed since the dump was indexed.
pub(super) fn changed_gap(location: &BodyLocation) -> Gap {
    let message = "expected a Kubernetes object, but the file has changed since the dump was read";
    read_gap(format!("{} line {}", location.file_name, location.line), message.to_owned())
}

fn text(location: &BodyLocation, files: &[PathBuf], store: &CompressedStore) -> Result<Vec<u8>, String> {
    match &location.range {
        BodyRange::Memory(stored) => store.get(stored).ok_or_else(|| "its text is not in memory".to_owned()),
        BodyRange::File { file, offset, length } => {
            let path = files.get(*file).ok_or("its file is unknown")?;
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
