//! A dump instead of a cluster: what `--from` names, read once into an index of metadata; whole objects are read again
//! when they are wanted. A dump proves only what it holds.

mod archive;
mod body;
mod broken;
mod builtin;
mod clock;
mod contents;
mod definition;
mod entry;
mod events;
mod filing;
mod head;
mod hint;
mod index;
mod json_text;
mod kinds;
mod meter;
mod missing;
mod parse;
mod passing;
mod printed;
mod query;
mod read;
mod scan;
mod sniff;
mod stack;
mod store;
#[cfg(test)]
mod tests;
mod times;
mod version;
mod yaml_text;

use std::collections::BTreeSet;
use std::io;
use std::path::PathBuf;
use std::sync::Arc;

use jiff::Timestamp;
use serde_json::Value;

pub use self::entry::Entry;
use self::index::{Index, IndexedObject, Listed, Listing};
use self::kinds::Kinds;
use self::parse::Form;
use self::store::Store;
use crate::error::{Failure, Kind as FailureKind};
use crate::model::coverage::Scope;
use crate::model::gap::Gap;
use crate::model::json;
use crate::model::kind::Kind;
use crate::source::From;
use crate::source::selection::Discovered;

const HINT: &str = "--from takes what kubectl get -o yaml or -o json prints, a folder of such files, a .tar.gz of \
    one, or - for standard input";

/// The world that is built in.
const DEMO: &[u8] = include_bytes!("../demo.json.gz");

/// A dump that was read.
#[derive(Debug)]
pub struct Dump {
    entries: Vec<Entry>,
    kinds: Kinds,
    listings: BTreeSet<Listing>,
    broken: Vec<Gap>,
    now: Timestamp,
    files: Vec<PathBuf>,
    store: Store,
}

impl Dump {
    /// Reads a dump. What is broken in it is a gap; only a dump without any object is a failure.
    pub fn open(from: &From) -> Result<Self, Failure> {
        match from {
            From::Path(path) => Self::gather(&path.display().to_string(), |index| read::path(path, index)),
            From::Stdin => {
                let name = "standard input";
                Self::gather(name, |index| read::stream(&mut io::stdin().lock(), name, index))
            }
            From::Demo => Self::from_bytes("the demo world", DEMO),
        }
    }

    /// Reads a dump that is in memory already.
    pub fn from_bytes(name: &str, bytes: &[u8]) -> Result<Self, Failure> {
        Self::gather(name, |index| read::stream(&mut &*bytes, name, index))
    }

    /// The kinds that there are, as a server would announce them, and what is broken in the dump.
    pub fn discovered(&self) -> Discovered {
        Discovered { kinds: Arc::clone(&self.kinds.all), gaps: self.broken.clone() }
    }

    /// When the dump was made: the newest time in it.
    pub fn now(&self) -> Timestamp {
        self.now
    }

    /// Every object, once, in the order of kinds, namespaces and names.
    pub fn entries(&self) -> &[Entry] {
        &self.entries
    }

    /// An object as a whole.
    pub fn body(&self, entry: &Entry) -> Result<Value, Gap> {
        let read = || body::read(&entry.place, &self.files, &self.store);
        let mut value = match entry.place.form {
            Form::Json => read()?,
            Form::Yaml | Form::YamlItem => stack::roomy(read).map_err(|_| body::unread(&entry.place))??,
        };
        let is_same = json::text(&value, &["metadata", "name"]) == Some(&entry.meta.name.name);
        let fields = value.as_object_mut().filter(|_| is_same).ok_or_else(|| body::changed(&entry.place))?;
        // Items of a typed list leave to the list what they are.
        for (key, text) in [("kind", &entry.meta.name.kind), ("apiVersion", &entry.meta.name.api_version)] {
            if !fields.contains_key(key) {
                fields.shift_insert(0, key.to_owned(), Value::String(text.clone()));
            }
        }
        Ok(value)
    }

    /// What the dump says nothing of, in a namespace or everywhere.
    pub fn missing(&self, scope: &Scope) -> Vec<Gap> {
        missing::missing(self, scope)
    }

    /// Reads everything with `read`.
    fn gather(name: &str, read: impl FnOnce(&mut Index) -> io::Result<()> + Send) -> Result<Self, Failure> {
        let gathered = stack::roomy(|| {
            let mut index = Index::default();
            read(&mut index).map(|()| Self::of(index, name))
        });
        gathered.flatten().map_err(|error| unreadable(name, &error))?
    }

    fn of(index: Index, name: &str) -> Result<Self, Failure> {
        let Index { mut objects, types, owners, mut listings, broken, mut clock, store, files, .. } = index;
        let used: BTreeSet<usize> = objects.iter().filter_map(|object| object.of).collect();
        if used.is_empty() {
            let why = broken.first().map(|gap| format!(" ({}: {})", gap.what(), gap.message));
            let message = format!("no Kubernetes object found in {name}{}", why.unwrap_or_default());
            return Err(Failure::new(FailureKind::Usage, message).hint(HINT));
        }
        let is = |object: &IndexedObject, group: &str, kind: &str| {
            let of = object.of.and_then(|of| types.all.get(of)).map(|seen| &seen.of);
            of.is_some_and(|of| of.group == group && of.kind == kind)
        };
        let mut defined: Vec<Kind> = Vec::new();
        for contents in objects.extract_if(.., |object| is(object, contents::GROUP, contents::KIND)) {
            let read = body::read(&contents.place, &files, &store);
            let kinds = read.map(|body| contents::kinds(&body)).unwrap_or_default();
            let listing = |kind: &Kind| Listing { what: Listed::Kind(kind.group_kind()), namespace: None };
            listings.extend(kinds.iter().map(listing));
            defined.extend(kinds);
        }
        for object in &objects {
            let read = || body::read(&object.place, &files, &store).ok();
            if is(object, "apiextensions.k8s.io", "CustomResourceDefinition") {
                defined.extend(read().as_ref().and_then(definition::defined));
            } else if is(object, "coordination.k8s.io", "Lease") {
                // The pulse of every controller: hardly anything in a dump is newer.
                let pulse = read().and_then(|lease| json::time(&lease, &["spec", "renewTime"]));
                if let Some(time) = pulse {
                    clock.told(time);
                }
            }
        }
        let seen = used.iter().filter_map(|of| types.all.get(*of));
        let kinds = Kinds::of(defined, seen.chain(&owners.all));
        let entries = entry::entries(objects, &types.all, &kinds);
        Ok(Self { entries, kinds, listings, broken: broken.gaps(), now: clock.now(), files, store })
    }
}

fn unreadable(name: &str, error: &io::Error) -> Failure {
    let message = match error.kind() {
        io::ErrorKind::NotFound => format!("no such file or folder: {name}"),
        _ => format!("failed to read {name}: {error}"),
    };
    Failure::new(FailureKind::Usage, message).hint(HINT)
}
