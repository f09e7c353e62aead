//! Files the pieces of one text into the index: heads are read, lists give their items a kind, what is broken
//! becomes a gap.

use std::sync::Arc;

use serde_json::Value;

use super::head::{Head, Metadata};
use super::hint::Hint;
use super::index::{At, Index, Listed, Listing, Object, Place};
use super::parse::{DEEPEST, Fault, Form, parse};
use super::scan::{Header, Spot};
use crate::model::ident::GroupKind;

/// Where bodies are read again.
#[derive(Clone, Copy, Debug)]
pub(super) enum Keep {
    /// From the file at this place of the index.
    InFile(usize),
    InMemory,
}

/// Whether a list was read to its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Wholeness {
    Whole,
    Cut,
}

/// One object's text.
#[derive(Clone, Copy, Debug)]
pub(super) struct Piece<'a> {
    pub(super) text: &'a [u8],
    pub(super) form: Form,
    pub(super) spot: Spot,
    /// How deep it is nested, where that is known; else the parser minds it.
    pub(super) depth: u32,
}

/// The filing of one text.
pub(super) struct Filing<'a> {
    index: &'a mut Index,
    name: Arc<str>,
    hint: Hint,
    keep: Keep,
    /// Of the list that is open.
    items: Vec<Candidate>,
}

/// An item whose list has not said yet what it is of.
struct Candidate {
    api_version: Option<String>,
    kind: Option<String>,
    metadata: Metadata,
    place: Place,
}

impl<'a> Filing<'a> {
    pub(super) fn new(index: &'a mut Index, name: &str, hint: Hint, keep: Keep) -> Self {
        Self { index, name: Arc::from(name), hint, keep, items: Vec::new() }
    }

    /// Something that cannot be understood, as a clause about "it".
    pub(super) fn broken(&mut self, line: u64, words: &str) {
        self.index.broken.at(&self.name, line, format!("expected a Kubernetes object, but {words}"));
    }

    /// A document of its own: an object, or a list that was not taken apart.
    pub(super) fn document(&mut self, piece: Piece<'_>) {
        let head = match read(piece) {
            Ok(head) => head,
            Err(fault) => return self.broken(piece.spot.line + fault.line, &fault.words),
        };
        if head.is_of_kubernetes() {
            if is_list(&head) {
                self.take_apart(piece, &head);
            } else if let Some(found) = self.candidate(piece, head) {
                self.settle(found, None);
            }
        }
    }

    /// An item of the list that is open.
    pub(super) fn item(&mut self, piece: Piece<'_>) {
        match read(piece) {
            Ok(head) if is_list(&head) => self.take_apart(piece, &head),
            Ok(head) => {
                let found = self.candidate(piece, head);
                self.items.extend(found);
            }
            Err(fault) => self.broken(piece.spot.line + fault.line, &fault.words),
        }
    }

    /// Forgets the item that started at a line: it may be half of one.
    pub(super) fn forget(&mut self, line: u64) {
        self.items.retain(|item| item.place.line != line);
    }

    /// The list that was open has ended.
    pub(super) fn end_list(&mut self, header: &Header, wholeness: Wholeness, line: u64) {
        let items = std::mem::take(&mut self.items);
        self.settle_list(items, header, wholeness, line);
    }

    /// Reads a list as a whole, where its items could not be told apart before.
    fn take_apart(&mut self, piece: Piece<'_>, head: &Head) {
        let header = Header { api_version: head.api_version.clone(), kind: head.kind.clone(), name: None };
        let line = piece.spot.line;
        let list: Value = match parse(piece.text, piece.form) {
            Ok(list) => list,
            Err(fault) => return self.broken(line + fault.line, &fault.words),
        };
        let mut items = Vec::new();
        for item in list.get("items").and_then(Value::as_array).into_iter().flatten() {
            let text = item.to_string();
            let piece = Piece { text: text.as_bytes(), form: Form::Json, spot: piece.spot, depth: 0 };
            match read(piece) {
                Ok(head) => items.extend(self.candidate_in(piece, head, Keep::InMemory)),
                Err(fault) => self.broken(line, &fault.words),
            }
        }
        self.settle_list(items, &header, Wholeness::Whole, line);
    }

    fn candidate(&mut self, piece: Piece<'_>, head: Head) -> Option<Candidate> {
        self.candidate_in(piece, head, self.keep)
    }

    /// What can be said of a piece alone. Only what has a name is kept.
    fn candidate_in(&mut self, piece: Piece<'_>, head: Head, keep: Keep) -> Option<Candidate> {
        if head.name().is_none() {
            let words = if head.kind.is_none() { "it has no kind" } else { "it has no metadata.name" };
            self.broken(piece.spot.line, words);
            return None;
        }
        head.tell(&mut self.index.clock);
        let at = match keep {
            Keep::InFile(file) => {
                At::File { file, offset: piece.spot.offset, length: piece.text.len() as u64 }
            }
            Keep::InMemory => At::Kept(self.index.store.keep(piece.text)),
        };
        let place = Place { text: Arc::clone(&self.name), line: piece.spot.line, form: piece.form, at };
        Some(Candidate {
            api_version: head.api_version,
            kind: head.kind,
            metadata: head.metadata.unwrap_or_default(),
            place,
        })
    }

    fn settle_list(&mut self, items: Vec<Candidate>, header: &Header, wholeness: Wholeness, line: u64) {
        let (kind, is_named) = (header.kind.as_deref(), header.name.is_some());
        let is_list = !is_named && kind.is_none_or(|kind| kind.ends_with("List"));
        if !is_list {
            let kind = kind.unwrap_or("none");
            self.broken(line, &format!("it has items, and is of kind {kind}, which is no list"));
        }
        // Its items are its own affair.
        if is_named {
            return;
        }
        let of = item_type(header);
        let spanned = Spanned::by(&items);
        for item in items {
            self.settle(item, of.as_ref());
        }
        if is_list && wholeness == Wholeness::Whole {
            let listing = self.listing(of, &spanned);
            self.index.listings.extend(listing);
        }
    }

    /// Files an object whose type is known, from itself or from its list.
    fn settle(&mut self, found: Candidate, list: Option<&ItemType>) {
        let Candidate { api_version, kind, mut metadata, place } = found;
        let kind = kind.or_else(|| list.map(|list| list.kind.clone()));
        let Some(kind) = kind else { return self.broken(place.line, "it has no kind") };
        let listed = list.filter(|list| list.kind == kind).map(|list| list.api_version.clone());
        let Some(api_version) = api_version.or(listed) else {
            return self.broken(place.line, "it has no apiVersion");
        };
        let said = metadata.namespace.take().filter(|namespace| !namespace.is_empty());
        let of = self.index.types.saw(&api_version, &kind, said.as_deref());
        let object = Object {
            of,
            owners: metadata.owners(),
            created: metadata.created(),
            deleted: metadata.deleted(),
            name: metadata.name.unwrap_or_default(),
            namespace: said,
            uid: metadata.uid.unwrap_or_default(),
            resource_version: metadata.resource_version.unwrap_or_default(),
            finalizers: metadata.finalizers.unwrap_or_default(),
            labels: metadata.labels.0,
            annotations: metadata.annotations.0,
            place,
        };
        self.index.add(object);
    }

    /// What a list proves beyond its items: that there was nothing else.
    fn listing(&self, of: Option<ItemType>, spanned: &Spanned) -> Option<Listing> {
        let hinted = self.hint.namespace.as_ref();
        let fits = match spanned {
            Spanned::Nothing => true,
            Spanned::One(namespace) => hinted.is_none_or(|hinted| hinted == namespace),
            Spanned::Many => hinted.is_none(),
        };
        match (of, &self.hint.resource) {
            (Some(of), _) => {
                let namespace = match spanned {
                    Spanned::Nothing => hinted.cloned(),
                    Spanned::One(namespace) => Some(namespace.clone()),
                    Spanned::Many => None,
                };
                Some(Listing { what: Listed::Kind(GroupKind::of(&of.api_version, &of.kind)), namespace })
            }
            (None, Some(resource)) if fits => {
                Some(Listing { what: Listed::Resource(resource.clone()), namespace: hinted.cloned() })
            }
            _ => None,
        }
    }
}

/// Over which namespaces a list's items go. Only a list of all namespaces goes over many.
enum Spanned {
    Nothing,
    One(String),
    Many,
}

impl Spanned {
    fn by(items: &[Candidate]) -> Self {
        let mut namespaces = items.iter().filter_map(|item| item.metadata.namespace.as_deref());
        let Some(first) = namespaces.next() else { return Self::Nothing };
        if namespaces.all(|other| other == first) { Self::One(first.to_owned()) } else { Self::Many }
    }
}

/// What the items of a typed list are.
struct ItemType {
    api_version: String,
    kind: String,
}

/// `PodList` has items of kind `Pod`, `List` of any, and so has a bare array.
fn item_type(header: &Header) -> Option<ItemType> {
    let kind = header.kind.as_ref()?.strip_suffix("List").filter(|kind| !kind.is_empty())?;
    Some(ItemType { api_version: header.api_version.clone()?, kind: kind.to_owned() })
}

fn is_list(head: &Head) -> bool {
    let says_so = head.kind.as_ref().is_some_and(|kind| kind.ends_with("List"));
    head.name().is_none() && (says_so || head.kind.is_none() && head.items.is_some())
}

fn read(piece: Piece<'_>) -> Result<Head, Fault> {
    // The parser passes over what is not wanted without minding its depth.
    if piece.depth >= DEEPEST {
        return Err(Fault::of_all(format!("it is nested {DEEPEST} levels deep or deeper")));
    }
    parse(piece.text, piece.form)
}
