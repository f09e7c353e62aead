//! Everything that was found while a dump was read, before it is known which kinds there are.

use std::collections::{BTreeSet, HashMap};
use std::path::PathBuf;
use std::sync::Arc;

use jiff::Timestamp;

use super::broken::Broken;
use super::clock::Clock;
use super::hint::ResourceHint;
use super::parse::Form;
use super::store::{Kept, Store};
use crate::model::ident::GroupKind;
use crate::model::meta::Owner;
use crate::model::selector::Labels;

/// No cluster has more; a dump that has would only fill the memory.
const MOST_OBJECTS: usize = 2_000_000;

/// What was found.
#[derive(Debug, Default)]
pub(super) struct Index {
    pub(super) objects: Vec<IndexedObject>,
    pub(super) types: Types,
    /// What owner references name: those kinds were served too, even if none of their objects is here.
    pub(super) owners: Types,
    pub(super) listings: BTreeSet<Listing>,
    pub(super) broken: Broken,
    pub(super) clock: Clock,
    pub(super) store: Store,
    /// Files that are read again when a body is wanted.
    pub(super) files: Vec<PathBuf>,
    overflowed: bool,
}

impl Index {
    /// Whether there is room for another object; that there is none is told once.
    pub(super) fn has_room(&mut self, text: &str) -> bool {
        let has_room = self.objects.len() < MOST_OBJECTS;
        if !has_room && !self.overflowed {
            self.overflowed = true;
            let message = format!("expected at most {MOST_OBJECTS} objects; the rest was not read");
            self.broken.file(text, message);
        }
        has_room
    }
}

/// One object, as it was found.
#[derive(Debug)]
pub(super) struct IndexedObject {
    /// Its place among the types; absent until, or when never, that is said.
    pub(super) of: Option<usize>,
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
    pub(super) place: Place,
}

/// Where an object's text is.
#[derive(Clone, Debug)]
pub(super) struct Place {
    /// The file's, entry's or stream's name.
    pub(super) text: Arc<str>,
    pub(super) line: u64,
    pub(super) form: Form,
    pub(super) at: At,
}

/// How to get at it.
#[derive(Clone, Debug)]
pub(super) enum At {
    File { file: usize, offset: u64, length: u64 },
    Kept(Kept),
}

/// The groups and kinds of objects, each once.
#[derive(Debug, Default)]
pub(super) struct Types {
    pub(super) all: Vec<Type>,
    places: HashMap<GroupKind, usize>,
}

/// A group and kind that objects claim to be of.
#[derive(Debug)]
pub(super) struct Type {
    pub(super) of: GroupKind,
    pub(super) versions: BTreeSet<String>,
    /// Whether any of its objects is in a namespace.
    pub(super) namespaced: bool,
}

impl Types {
    /// The place of a type, after one of its objects was seen.
    pub(super) fn saw(&mut self, api_version: &str, kind: &str, namespace: Option<&str>) -> usize {
        let of = GroupKind::of(api_version, kind);
        let version = api_version.split_once('/').map_or(api_version, |(_, version)| version);
        let place = *self.places.entry(of).or_insert_with_key(|of| {
            self.all.push(Type { of: of.clone(), versions: BTreeSet::new(), namespaced: false });
            self.all.len() - 1
        });
        let seen = &mut self.all[place];
        seen.namespaced |= namespace.is_some();
        if !seen.versions.contains(version) {
            seen.versions.insert(version.to_owned());
        }
        place
    }
}

/// A list that the dump holds: what it does not name was not there.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Listing {
    pub(super) what: Listed,
    /// Absent for all namespaces.
    pub(super) namespace: Option<String>,
}

/// What a list is of.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Listed {
    /// As the list says.
    Kind(GroupKind),
    /// As its file's name says.
    Resource(ResourceHint),
}
