//! Files the pieces of one text into the index: heads are read, lists give their items a kind, what is broken
//! becomes a gap.

use std::sync::Arc;

use serde_json::Value;

use super::head::Head;
use super::hint::Hint;
use super::index::{At, Index, IndexedObject, Listed, Listing, Place};
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
    open: OpenList,
}

/// The list whose items come.
#[derive(Default)]
struct OpenList {
    /// Where its items begin among the objects.
    first: usize,
    untyped: Vec<Untyped>,
    spanned: Spanned,
}

/// An item that leaves it to its list to say what it is; many lists say it in the end.
struct Untyped {
    /// Its place among the objects.
    object: usize,
    api_version: Option<String>,
    kind: Option<String>,
}

impl<'a> Filing<'a> {
    pub(super) fn new(index: &'a mut Index, name: &str, hint: Hint, keep: Keep) -> Self {
        let open = OpenList { first: index.objects.len(), ..OpenList::default() };
        Self { index, name: Arc::from(name), hint, keep, open }
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
            } else {
                self.add(piece, head, self.keep);
                self.type_items(None);
            }
        }
        self.next_list();
    }

    /// An item of the list that is open.
    pub(super) fn item(&mut self, piece: Piece<'_>) {
        match read(piece) {
            Ok(head) if is_list(&head) => {
                let outer = std::mem::take(&mut self.open);
                self.open.first = self.index.objects.len();
                self.take_apart(piece, &head);
                self.open = outer;
            }
            Ok(head) => self.add(piece, head, self.keep),
            Err(fault) => self.broken(piece.spot.line + fault.line, &fault.words),
        }
    }

    /// Forgets the last item if it started at this line: it may be half of one.
    pub(super) fn forget(&mut self, line: u64) {
        while self.index.objects.len() > self.open.first
            && self.index.objects.last().is_some_and(|last| last.place.line == line)
        {
            self.index.objects.pop();
        }
        let length = self.index.objects.len();
        self.open.untyped.retain(|item| item.object < length);
    }

    /// The list that was open has ended.
    pub(super) fn end_list(&mut self, header: &Header, wholeness: Wholeness, line: u64) {
        let (kind, is_named) = (header.kind.as_deref(), header.name.is_some());
        let is_list = !is_named && kind.is_none_or(|kind| kind.ends_with("List"));
        if !is_list {
            let kind = kind.unwrap_or("none");
            self.broken(line, &format!("it has items, and is of kind {kind}, which is no list"));
        }
        if is_named {
            // Its items are its own affair.
            self.index.objects.truncate(self.open.first);
            return self.next_list();
        }
        let of = item_type(header);
        self.type_items(of.as_ref());
        if is_list && wholeness == Wholeness::Whole {
            let listing = self.listing(of);
            self.index.listings.extend(listing);
        }
        self.next_list();
    }

    fn next_list(&mut self) {
        self.open = OpenList { first: self.index.objects.len(), ..OpenList::default() };
    }

    /// Reads a list as a whole, where its items could not be told apart before.
    fn take_apart(&mut self, piece: Piece<'_>, head: &Head) {
        let header = Header { api_version: head.api_version.clone(), kind: head.kind.clone(), name: None };
        let line = piece.spot.line;
        let list: Value = match parse(piece.text, piece.form) {
            Ok(list) => list,
            Err(fault) => return self.broken(line + fault.line, &fault.words),
        };
        for item in list.get("items").and_then(Value::as_array).into_iter().flatten() {
            let text = item.to_string();
            let piece = Piece { text: text.as_bytes(), form: Form::Json, spot: piece.spot, depth: 0 };
            match read(piece) {
                Ok(head) => self.add(piece, head, Keep::InMemory),
                Err(fault) => self.broken(line, &fault.words),
            }
        }
        self.end_list(&header, Wholeness::Whole, line);
    }

    /// Adds an object to the index; only what has a name can be one.
    fn add(&mut self, piece: Piece<'_>, head: Head, keep: Keep) {
        if head.name().is_none() {
            let words = if head.kind.is_none() { "it has no kind" } else { "it has no metadata.name" };
            return self.broken(piece.spot.line, words);
        }
        if !self.index.has_room(&self.name) {
            return;
        }
        head.tell(&mut self.index.clock);
        let Head { api_version, kind, metadata, .. } = head;
        let mut metadata = metadata.unwrap_or_default();
        let namespace = metadata.namespace.take().filter(|namespace| !namespace.is_empty());
        self.open.spanned.add(namespace.as_deref());
        let of = match (api_version, kind) {
            (Some(api_version), Some(kind)) => {
                Some(self.index.types.saw(&api_version, &kind, namespace.as_deref()))
            }
            (api_version, kind) => {
                let object = self.index.objects.len();
                self.open.untyped.push(Untyped { object, api_version, kind });
                None
            }
        };
        let at = match keep {
            Keep::InFile(file) => {
                At::File { file, offset: piece.spot.offset, length: piece.text.len() as u64 }
            }
            Keep::InMemory => At::Kept(self.index.store.keep(piece.text)),
        };
        let owners = metadata.owners();
        for owner in owners.iter().filter(|owner| !owner.api_version.is_empty() && !owner.kind.is_empty()) {
            self.index.owners.saw(&owner.api_version, &owner.kind, namespace.as_deref());
        }
        self.index.objects.push(IndexedObject {
            of,
            owners,
            created: metadata.created(),
            deleted: metadata.deleted(),
            name: metadata.name.unwrap_or_default(),
            namespace,
            uid: metadata.uid.unwrap_or_default(),
            resource_version: metadata.resource_version.unwrap_or_default(),
            finalizers: metadata.finalizers.unwrap_or_default(),
            labels: metadata.labels.0,
            annotations: metadata.annotations.0,
            place: Place { text: Arc::clone(&self.name), line: piece.spot.line, form: piece.form, at },
        });
    }

    /// Gives the items that do not say what they are the type of their list.
    fn type_items(&mut self, list: Option<&ItemType>) {
        for Untyped { object, api_version, kind } in std::mem::take(&mut self.open.untyped) {
            let Some(found) = self.index.objects.get_mut(object) else { continue };
            let (line, namespace) = (found.place.line, found.namespace.as_deref());
            let Some(kind) = kind.or_else(|| list.map(|list| list.kind.clone())) else {
                self.broken(line, "it has no kind");
                continue;
            };
            let listed = list.filter(|list| list.kind == kind).map(|list| list.api_version.clone());
            let Some(api_version) = api_version.or(listed) else {
                self.broken(line, "it has no apiVersion");
                continue;
            };
            found.of = Some(self.index.types.saw(&api_version, &kind, namespace));
        }
    }

    /// What a list proves beyond its items: that there was nothing else.
    fn listing(&self, of: Option<ItemType>) -> Option<Listing> {
        let spanned = &self.open.spanned;
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
#[derive(Debug, Default)]
enum Spanned {
    #[default]
    Nothing,
    One(String),
    Many,
}

impl Spanned {
    fn add(&mut self, namespace: Option<&str>) {
        match (&self, namespace) {
            (Self::Nothing, Some(namespace)) => *self = Self::One(namespace.to_owned()),
            (Self::One(one), Some(namespace)) if one != namespace => *self = Self::Many,
            _ => {}
        }
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
