//! What was found while a dump was read, before it is known which kinds exist.

use std::collections::{BTreeSet, HashMap};
use std::path::PathBuf;
use std::sync::Arc;

use jiff::Timestamp;
use tokio_util::sync::CancellationToken;

use super::capture_time::CaptureTime;
use super::compressed_store::{CompressedStore, StoredRange};
use super::logs::DumpLog;
use super::path_hint::ResourceHint;
use super::read_errors::ReadErrors;
use super::text::parse::Syntax;
use crate::known::kinds::current;
use crate::model::ident::GroupKind;
use crate::model::memory::{MemoryBudget, MemoryShare};
use crate::model::meta::Owner;
use crate::model::selector::Labels;

/// No cluster has more objects; a larger dump would only exhaust memory.
const MAX_OBJECTS: usize = 2_000_000;

/// The objects, kinds, lists and errors found so far.
#[derive(Debug, Default)]
pub(super) struct DumpIndex {
    pub(super) objects: Vec<IndexedObject>,
    pub(super) kinds: ObservedKinds,
    /// The kinds that owner references name: they exist even if none of their objects is in the dump.
    pub(super) owner_kinds: ObservedKinds,
    pub(super) complete_lists: BTreeSet<CompleteList>,
    pub(super) errors: ReadErrors,
    pub(super) capture_time: CaptureTime,
    pub(super) store: CompressedStore,
    /// Files that are read again when a complete object is needed.
    pub(super) files: Vec<PathBuf>,
    pub(super) logs: Vec<DumpLog>,
    /// Cancelled by the user: nothing more is read.
    pub(super) cancel: CancellationToken,
    naming: FileNaming,
    limit_reported: bool,
    pub(super) memory: MemoryBudget,
    /// What the index takes.
    pub(super) share: MemoryShare,
}

/// How a file in a directory or an archive is named in errors.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum FileNaming {
    /// By its path in the directory or archive.
    #[default]
    Relative,
    /// With the name of the directory or archive, of which there are several.
    Qualified,
}

impl DumpIndex {
    /// An empty index.
    pub(super) fn new(naming: FileNaming, memory: &MemoryBudget, cancel: CancellationToken) -> Self {
        Self { cancel, naming, memory: memory.clone(), share: memory.share(), ..Self::default() }
    }

    /// The name of a file in a directory or an archive, as errors show it.
    pub(super) fn name_in(&self, container: &str, path: &str) -> String {
        match self.naming {
            FileNaming::Relative => path.to_owned(),
            FileNaming::Qualified => format!("{}/{path}", container.trim_end_matches('/')),
        }
    }

    /// Whether another object fits. Reports once that none does.
    pub(super) fn has_capacity(&mut self, file_name: &str, bytes: u64) -> bool {
        let within = if self.objects.len() < MAX_OBJECTS {
            self.share.add(bytes).map_err(|over| over.to_string())
        } else {
            Err(format!("more than {MAX_OBJECTS} objects"))
        };
        if let Err(message) = &within
            && !self.limit_reported
        {
            self.limit_reported = true;
            self.errors.add_file(file_name, format!("{message}; the rest were not read"));
        }
        within.is_ok()
    }
}

/// One object as it was found.
#[derive(Debug)]
pub(super) struct IndexedObject {
    /// Index into the observed kinds; absent until the kind is known.
    pub(super) kind_index: Option<usize>,
    pub(super) name: String,
    pub(super) namespace: Option<String>,
    pub(super) uid: String,
    pub(super) resource_version: String,
    pub(super) created: Option<Timestamp>,
    pub(super) deleted: Option<Timestamp>,
    pub(super) finalizers: Vec<String>,
    pub(super) owners: Vec<Owner>,
    pub(super) labels: Labels,
    pub(super) annotations: Labels,
    pub(super) location: BodyLocation,
}

/// Where the text of an object is.
#[derive(Clone, Debug)]
pub(super) struct BodyLocation {
    /// The name of the file, archive entry or stream.
    pub(super) file_name: Arc<str>,
    pub(super) line: u64,
    pub(super) syntax: Syntax,
    pub(super) range: BodyRange,
}

/// The bytes of an object, in a file or in memory.
#[derive(Clone, Debug)]
pub(super) enum BodyRange {
    File { file: usize, offset: u64, length: u64 },
    Memory(StoredRange),
}

/// The observed kinds, each once.
#[derive(Debug, Default)]
pub(super) struct ObservedKinds {
    pub(super) all: Vec<ObservedKind>,
    positions: HashMap<GroupKind, usize>,
}

/// A kind named by objects or owner references.
#[derive(Debug)]
pub(super) struct ObservedKind {
    pub(super) group_kind: GroupKind,
    pub(super) versions: BTreeSet<String>,
    /// Whether any of its objects has a namespace.
    pub(super) namespaced: bool,
}

impl ObservedKinds {
    /// Records that an object is of this kind, and returns the index of the kind.
    pub(super) fn record(&mut self, api_version: &str, kind: &str, namespace: Option<&str>) -> usize {
        let (group, version) = api_version.split_once('/').unwrap_or(("", api_version));
        let group_kind = current(GroupKind::of(api_version, kind));
        // The group that a kind moved to need not have the version that it had before.
        let has_moved = group_kind.group != group;
        let position = *self.positions.entry(group_kind).or_insert_with_key(|group_kind| {
            self.all.push(ObservedKind {
                group_kind: group_kind.clone(),
                versions: BTreeSet::new(),
                namespaced: false,
            });
            self.all.len() - 1
        });
        let observed = &mut self.all[position];
        observed.namespaced |= namespace.is_some();
        if !has_moved && !observed.versions.contains(version) {
            observed.versions.insert(version.to_owned());
        }
        position
    }
}

/// A complete list in the dump: an object that is not in it did not exist.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct CompleteList {
    pub(super) resource: ListedResource,
    /// Absent for all namespaces.
    pub(super) namespace: Option<String>,
}

/// What a list lists.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum ListedResource {
    /// As the kind of the list says.
    Kind(GroupKind),
    /// As the path of its file says.
    Hint(ResourceHint),
}
