//! Everything that was found while a dump was read, before it is known which kinds there are.

use std::collections::{BTreeSet, HashMap};
use std::path::PathBuf;
use std::sync::Arc;

use jiff::Timestamp;

use super::capture_time::CaptureTime;
use super::compressed_store::{CompressedStore, StoredRange};
use super::parse::Syntax;
use super::path_hint::ResourceHint;
use super::read_errors::ReadErrors;
use crate::model::ident::GroupKind;
use crate::model::meta::Owner;
use crate::model::selector::Labels;

/// No cluster has more; a dump that has would only fill the memory.
const MAX_OBJECTS: usize = 2_000_000;

/// What was found.
#[derive(Debug, Default)]
pub(super) struct DumpIndex {
    pub(super) objects: Vec<IndexedObject>,
    pub(super) kinds: ObservedKinds,
    /// What owner references name: those kinds were served too, even if none of their objects is here.
    pub(super) owner_kinds: ObservedKinds,
    pub(super) complete_lists: BTreeSet<CompleteList>,
    pub(super) errors: ReadErrors,
    pub(super) capture_time: CaptureTime,
    pub(super) store: CompressedStore,
    /// Files that are read again when a body is wanted.
    pub(super) files: Vec<PathBuf>,
    limit_reported: bool,
}

impl DumpIndex {
    /// Whether there is room for another object; that there is none is told once.
    pub(super) fn has_capacity(&mut self, file_name: &str) -> bool {
        let has_capacity = self.objects.len() < MAX_OBJECTS;
        if !has_capacity && !self.limit_reported {
            self.limit_reported = true;
            let message = format!("expected at most {MAX_OBJECTS} objects; the rest was not read");
            self.errors.add_file(file_name, message);
        }
        has_capacity
    }
}

/// One object, as it was found.
#[derive(Debug)]
pub(super) struct IndexedObject {
    /// Its place among the types; absent until, or when never, that is said.
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

/// Where an object's text is.
#[derive(Clone, Debug)]
pub(super) struct BodyLocation {
    /// The file's, entry's or stream's name.
    pub(super) file_name: Arc<str>,
    pub(super) line: u64,
    pub(super) syntax: Syntax,
    pub(super) range: BodyRange,
}

/// How to get at it.
#[derive(Clone, Debug)]
pub(super) enum BodyRange {
    File { file: usize, offset: u64, length: u64 },
    Memory(StoredRange),
}

/// The groups and kinds of objects, each once.
#[derive(Debug, Default)]
pub(super) struct ObservedKinds {
    pub(super) all: Vec<ObservedKind>,
    positions: HashMap<GroupKind, usize>,
}

/// A group and kind that objects claim to be of.
#[derive(Debug)]
pub(super) struct ObservedKind {
    pub(super) group_kind: GroupKind,
    pub(super) versions: BTreeSet<String>,
    /// Whether any of its objects is in a namespace.
    pub(super) namespaced: bool,
}

impl ObservedKinds {
    /// The place of a type, after one of its objects was observed.
    pub(super) fn record(&mut self, api_version: &str, kind: &str, namespace: Option<&str>) -> usize {
        let group_kind = GroupKind::of(api_version, kind);
        let version = api_version.split_once('/').map_or(api_version, |(_, version)| version);
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
        if !observed.versions.contains(version) {
            observed.versions.insert(version.to_owned());
        }
        position
    }
}

/// A list that the dump holds: what it does not name was not there.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct CompleteList {
    pub(super) resource: ListedResource,
    /// Absent for all namespaces.
    pub(super) namespace: Option<String>,
}

/// What a list is of.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum ListedResource {
    /// As the list says.
    Kind(GroupKind),
    /// As its file's name says.
    Hint(ResourceHint),
}
