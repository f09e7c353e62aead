//! A dump in place of a cluster. What `--from` names is read once into an index of metadata; complete objects are read
//! again on demand. A dump proves only what it contains.
//!
//! | to find                                            | look in                                                 |
//! |----------------------------------------------------|---------------------------------------------------------|
//! | what `--from` names: files, directories, streams   | `read.rs`                                               |
//! | stopping when the user cancels                     | `cancellable_reader.rs`                                 |
//! | tar archives                                       | `archive.rs`                                            |
//! | what a tool's directory layout says about a file   | `path_hint.rs`                                          |
//! | detecting, splitting and parsing JSON and YAML     | `text/`                                                 |
//! | adding the objects of JSON text to the index       | `json_reader.rs`                                        |
//! | splitting YAML into objects, and adding them       | `yaml_reader.rs`                                        |
//! | what is kept of each object while indexing         | `partial_object.rs`, `timestamps.rs`                    |
//! | the index, and how it is filled                    | `index.rs`, `index_builder.rs`                          |
//! | parts of the dump that cannot be read              | `read_errors.rs`                                        |
//! | now: when the dump was made                        | `capture_time.rs`, from the times of `timestamps.rs`    |
//! |                                                    | and of Leases (`from_index` below)                      |
//! | which kinds exist                                  | `kinds.rs`, `crd.rs`                                    |
//! |                                                    | `table_of_contents.rs`, `version_priority.rs`           |
//! | the objects, each once                             | `dump_entry.rs`                                         |
//! | the complete text of an object                     | `body.rs`, `compressed_store.rs`                        |
//! | queries, as against a cluster                      | `query.rs`, `events.rs`, `printer_columns.rs`           |
//! | logs of containers                                 | `logs.rs`                                               |
//! | gaps: what the dump says nothing about             | `missing.rs`                                            |

mod archive;
mod body;
mod cancellable_reader;
mod capture_time;
mod compressed_store;
mod crd;
mod dump_entry;
mod events;
mod index;
mod index_builder;
mod json_reader;
mod kinds;
mod logs;
mod missing;
mod partial_object;
mod path_hint;
mod printer_columns;
mod query;
mod read;
mod read_errors;
mod table_of_contents;
#[cfg(test)]
mod tests;
mod text;
mod timestamps;
mod version_priority;
mod yaml_reader;

use std::collections::BTreeSet;
use std::io;
use std::path::PathBuf;
use std::sync::Arc;

use jiff::Timestamp;
use serde_json::Value;
use tokio_util::sync::CancellationToken;

use self::compressed_store::CompressedStore;
pub use self::dump_entry::DumpEntry;
use self::index::{CompleteList, DumpIndex, FileNaming, IndexedObject, ListedResource};
use self::kinds::Kinds;
use self::logs::{DumpLog, LogText};
use self::table_of_contents::Contents;
use self::text::large_stack::with_large_stack;
use self::text::parse::Syntax;
use crate::error::{Failure, FailureKind, io_reason};
use crate::model::coverage::Scope;
use crate::model::gap::Gap;
use crate::model::json;
use crate::model::kind::Kind;
use crate::model::memory::{MemoryBudget, MemoryShare};
use crate::source::selection::Discovered;
use crate::source::{DumpInput, From};

const HINT: &str = "--from accepts the output of kubectl get -o yaml or -o json, a directory of such files, a .tar.gz \
    archive of one, or - for standard input";

/// The built-in demo cluster.
const DEMO: &[u8] = include_bytes!("../demo.json.gz");

/// An indexed dump.
#[derive(Debug)]
pub struct Dump {
    entries: Vec<DumpEntry>,
    kinds: Kinds,
    complete_lists: BTreeSet<CompleteList>,
    read_errors: Vec<Gap>,
    now: Timestamp,
    files: Vec<PathBuf>,
    store: CompressedStore,
    logs: Vec<DumpLog>,
    memory: MemoryBudget,
    /// What the index takes.
    _index_memory: MemoryShare,
}

impl Dump {
    /// Reads a dump. Parts that cannot be read become gaps, also if the user cancels; only a dump without any object is a
    /// failure.
    pub fn open(from: &From, memory: &MemoryBudget, cancel: &CancellationToken) -> Result<Self, Failure> {
        let name = from.to_string();
        let inputs = match from {
            From::Dump(inputs) => inputs,
            From::Demo => return Self::from_bytes(&name, DEMO),
        };
        if inputs.iter().filter(|input| **input == DumpInput::Stdin).count() > 1 {
            let message = "--from - can be given only once";
            return Err(Failure::new(FailureKind::Usage, message));
        }
        let naming = if inputs.len() == 1 { FileNaming::Relative } else { FileNaming::Qualified };
        Self::load(&name, DumpIndex::new(naming, memory, cancel.clone()), |index| {
            inputs.iter().try_for_each(|input| {
                let name = input.to_string();
                let read = match input {
                    DumpInput::Path(path) => read::read_path(path, index),
                    DumpInput::Stdin => read::read_stream(&mut io::stdin().lock(), &name, index),
                };
                read.map_err(|error| read_failure(&name, &error))
            })
        })
        .map_err(|failure| {
            if cancel.is_cancelled() {
                Failure::new(FailureKind::Interrupted, "interrupted")
            } else {
                failure
            }
        })
    }

    /// Reads a dump from memory.
    pub fn from_bytes(name: &str, bytes: &[u8]) -> Result<Self, Failure> {
        Self::load(name, DumpIndex::default(), |index| {
            read::read_stream(&mut &*bytes, name, index).map_err(|error| read_failure(name, &error))
        })
    }

    /// The kinds, in discovery order, and a gap for every part of the dump that cannot be read.
    pub fn discovered(&self) -> Discovered {
        Discovered { kinds: Arc::clone(&self.kinds.all), gaps: self.read_errors.clone() }
    }

    /// When the dump was made: the newest time in it that the cluster wrote.
    pub fn now(&self) -> Timestamp {
        self.now
    }

    /// Every object once, ordered by kind, namespace and name.
    pub fn entries(&self) -> &[DumpEntry] {
        &self.entries
    }

    /// The complete object.
    pub fn body(&self, entry: &DumpEntry) -> Result<Value, Gap> {
        let read = || body::read(&entry.location, &self.files, &self.store, &self.memory);
        let mut value = match entry.location.syntax {
            Syntax::Json => read()?,
            Syntax::Yaml | Syntax::YamlItem => {
                with_large_stack(read).map_err(|_| body::out_of_memory_gap(&entry.location))??
            }
        };
        let is_same = json::text(&value, &["metadata", "name"]) == Some(&entry.meta.name.name);
        let fields =
            value.as_object_mut().filter(|_| is_same).ok_or_else(|| body::changed_gap(&entry.location))?;
        // Items of a typed list may omit kind and apiVersion.
        for (key, text) in [("kind", &entry.meta.name.kind), ("apiVersion", &entry.meta.name.api_version)] {
            if !fields.contains_key(key) {
                fields.insert(key.to_owned(), Value::String(text.clone()));
            }
        }
        Ok(value)
    }

    /// Gaps for what the dump says nothing about, in a namespace or everywhere.
    pub fn missing(&self, scope: &Scope) -> Vec<Gap> {
        missing::missing_gaps(self, scope)
    }

    /// Fills the index with `read`.
    fn load(
        name: &str,
        mut index: DumpIndex,
        read: impl FnOnce(&mut DumpIndex) -> Result<(), Failure> + Send,
    ) -> Result<Self, Failure> {
        let loaded = with_large_stack(|| {
            read(&mut index)?;
            Self::from_index(index, name)
        });
        loaded.map_err(|error| read_failure(name, &error))?
    }

    fn from_index(index: DumpIndex, name: &str) -> Result<Self, Failure> {
        let DumpIndex {
            mut objects,
            kinds: observed,
            owner_kinds,
            mut complete_lists,
            errors,
            mut capture_time,
            mut store,
            files,
            mut logs,
            memory,
            share,
            ..
        } = index;
        let used: BTreeSet<usize> = objects.iter().filter_map(|object| object.kind_index).collect();
        if used.is_empty() {
            let cause = errors.first().map(|gap| format!(" ({}: {})", gap.what(), gap.message));
            let message = format!("no Kubernetes objects found in {name}{}", cause.unwrap_or_default());
            return Err(Failure::new(FailureKind::Usage, message).hint(HINT));
        }
        let is_of_kind = |object: &IndexedObject, group: &str, kind: &str| {
            let observed = object.kind_index.and_then(|index| observed.all.get(index));
            observed
                .is_some_and(|kind_of| kind_of.group_kind.group == group && kind_of.group_kind.kind == kind)
        };
        let mut defined: Vec<Kind> = Vec::new();
        for contents in objects
            .extract_if(.., |object| is_of_kind(object, table_of_contents::GROUP, table_of_contents::KIND))
        {
            let read = body::read(&contents.location, &files, &store, &memory);
            let Ok(body) = read else { continue };
            let Contents { kinds, logs: captured, time } = table_of_contents::read(&body);
            if let Some(time) = time {
                capture_time.record(time);
            }
            logs.extend(captured.into_iter().map(|(name, text)| {
                let range = store.add(text.as_bytes());
                DumpLog { name, text: LogText::Memory { range, is_cut: false } }
            }));
            let list = |kind: &Kind| CompleteList {
                resource: ListedResource::Kind(kind.group_kind()),
                namespace: None,
            };
            complete_lists.extend(kinds.iter().map(list));
            defined.extend(kinds);
        }
        for object in &objects {
            let read = || body::read(&object.location, &files, &store, &memory).ok();
            if is_of_kind(object, "apiextensions.k8s.io", "CustomResourceDefinition") {
                defined.extend(read().as_ref().and_then(crd::kind_from_crd));
            } else if is_of_kind(object, "coordination.k8s.io", "Lease") {
                // Controllers renew their leases every few seconds: hardly anything in a dump is newer.
                let renewed = read().and_then(|lease| json::time(&lease, &["spec", "renewTime"]));
                if let Some(time) = renewed {
                    capture_time.add_server_time(time);
                }
            }
        }
        let used = used.iter().filter_map(|index| observed.all.get(*index));
        let kinds = Kinds::new(defined, used, &owner_kinds.all);
        let entries = dump_entry::entries(objects, &observed.all, &kinds);
        Ok(Self {
            entries,
            kinds,
            complete_lists,
            read_errors: errors.into_gaps(),
            now: capture_time.estimate(),
            files,
            store,
            logs,
            memory,
            _index_memory: share,
        })
    }
}

fn read_failure(name: &str, error: &io::Error) -> Failure {
    let message = match error.kind() {
        io::ErrorKind::NotFound => format!("no such file or directory: {name}"),
        _ => format!("{name} cannot be read: {}", io_reason(error)),
    };
    Failure::new(FailureKind::Usage, message).hint(HINT)
}
