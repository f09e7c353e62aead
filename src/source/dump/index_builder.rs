//! Adds the objects of one file to the index: parses their metadata, gives list items the kind of their list, and
//! records what cannot be parsed.

use std::sync::Arc;

use serde_json::Value;

use super::index::{BodyLocation, BodyRange, CompleteList, DumpIndex, IndexedObject, ListedResource};
use super::json_scanner::{ListHeader, TextPosition};
use super::parse::{MAX_DEPTH, ParseError, Syntax, parse};
use super::partial_object::PartialObject;
use super::path_hint::PathHint;
use crate::model::ident::GroupKind;

/// Where the complete text of an object can be read again.
#[derive(Clone, Copy, Debug)]
pub(super) enum BodyStorage {
    /// The index of the file.
    File(usize),
    Memory,
}

/// Whether a list was read to its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Completeness {
    Complete,
    Truncated,
}

/// The text of one object.
#[derive(Clone, Copy, Debug)]
pub(super) struct ObjectText<'a> {
    pub(super) bytes: &'a [u8],
    pub(super) syntax: Syntax,
    pub(super) position: TextPosition,
    /// Nesting depth where it is known; otherwise the parser checks it.
    pub(super) depth: u32,
}

/// Adds the objects of one file to the index.
pub(super) struct IndexBuilder<'a> {
    index: &'a mut DumpIndex,
    file_name: Arc<str>,
    hint: PathHint,
    storage: BodyStorage,
    list: OpenList,
}

/// The list whose items are being added.
#[derive(Default)]
struct OpenList {
    /// Index of its first item among the objects.
    first_object: usize,
    untyped: Vec<UntypedItem>,
    namespaces: NamespaceSpan,
}

/// An item without kind or apiVersion, which its list has to supply; often they follow after the items.
struct UntypedItem {
    /// Its index among the objects.
    object: usize,
    api_version: Option<String>,
    kind: Option<String>,
}

impl<'a> IndexBuilder<'a> {
    pub(super) fn new(
        index: &'a mut DumpIndex,
        file_name: &str,
        hint: PathHint,
        storage: BodyStorage,
    ) -> Self {
        let list = OpenList { first_object: index.objects.len(), ..OpenList::default() };
        Self { index, file_name: Arc::from(file_name), hint, storage, list }
    }

    /// Adds an error; `message` is a clause whose subject is "it".
    pub(super) fn add_error(&mut self, line: u64, message: &str) {
        self.index.errors.add_line(
            &self.file_name,
            line,
            format!("expected a Kubernetes object, but {message}"),
        );
    }

    /// Adds a document: an object, or a list that was not split.
    pub(super) fn add_document(&mut self, text: ObjectText<'_>) {
        let object = match parse_partial(text) {
            Ok(object) => object,
            Err(error) => return self.add_error(text.position.line + error.line, &error.message),
        };
        if object.looks_like_object() {
            if is_list(&object) {
                self.split_list(text, &object);
            } else {
                self.add_object(text, object, self.storage);
                self.assign_item_types(None);
            }
        }
        self.reset_list();
    }

    /// Adds an item of the open list.
    pub(super) fn add_item(&mut self, text: ObjectText<'_>) {
        match parse_partial(text) {
            Ok(object) if is_list(&object) => {
                let outer_list = std::mem::take(&mut self.list);
                self.list.first_object = self.index.objects.len();
                self.split_list(text, &object);
                self.list = outer_list;
            }
            Ok(object) => self.add_object(text, object, self.storage),
            Err(error) => self.add_error(text.position.line + error.line, &error.message),
        }
    }

    /// Drops the last item if it started at this line: it may be truncated.
    pub(super) fn drop_last_item(&mut self, line: u64) {
        while self.index.objects.len() > self.list.first_object
            && self.index.objects.last().is_some_and(|last| last.location.line == line)
        {
            self.index.objects.pop();
        }
        let length = self.index.objects.len();
        self.list.untyped.retain(|item| item.object < length);
    }

    /// Ends the open list.
    pub(super) fn end_list(&mut self, header: &ListHeader, completeness: Completeness, line: u64) {
        let (kind, has_name) = (header.kind.as_deref(), header.name.is_some());
        let is_list = !has_name && kind.is_none_or(|kind| kind.ends_with("List"));
        if !is_list {
            let kind = kind.unwrap_or("missing");
            self.add_error(line, &format!("it has items but is not a list: its kind is {kind}"));
        }
        if has_name {
            // These items are fields of the object, not objects.
            self.index.objects.truncate(self.list.first_object);
            return self.reset_list();
        }
        let item_type = item_type(header);
        self.assign_item_types(item_type.as_ref());
        if is_list && completeness == Completeness::Complete {
            let list = self.complete_list(item_type);
            self.index.complete_lists.extend(list);
        }
        self.reset_list();
    }

    fn reset_list(&mut self) {
        self.list = OpenList { first_object: self.index.objects.len(), ..OpenList::default() };
    }

    /// Parses a whole list whose items could not be split while scanning.
    fn split_list(&mut self, text: ObjectText<'_>, object: &PartialObject) {
        let header =
            ListHeader { api_version: object.api_version.clone(), kind: object.kind.clone(), name: None };
        let line = text.position.line;
        let list: Value = match parse(text.bytes, text.syntax) {
            Ok(list) => list,
            Err(error) => return self.add_error(line + error.line, &error.message),
        };
        for item in list.get("items").and_then(Value::as_array).into_iter().flatten() {
            let json = item.to_string();
            let text = ObjectText {
                bytes: json.as_bytes(),
                syntax: Syntax::Json,
                position: text.position,
                depth: 0,
            };
            match parse_partial(text) {
                Ok(object) => self.add_object(text, object, BodyStorage::Memory),
                Err(error) => self.add_error(line, &error.message),
            }
        }
        self.end_list(&header, Completeness::Complete, line);
    }

    /// Adds an object to the index; without a name it is an error.
    fn add_object(&mut self, text: ObjectText<'_>, object: PartialObject, storage: BodyStorage) {
        if object.name().is_none() {
            let message = if object.kind.is_none() { "it has no kind" } else { "it has no metadata.name" };
            return self.add_error(text.position.line, message);
        }
        if !self.index.has_capacity(&self.file_name) {
            return;
        }
        object.collect_times(&mut self.index.capture_time);
        let PartialObject { api_version, kind, metadata, .. } = object;
        let mut metadata = metadata.unwrap_or_default();
        let namespace = metadata.namespace.take().filter(|namespace| !namespace.is_empty());
        self.list.namespaces.add(namespace.as_deref());
        let kind_index = match (api_version, kind) {
            (Some(api_version), Some(kind)) => {
                Some(self.index.kinds.record(&api_version, &kind, namespace.as_deref()))
            }
            (api_version, kind) => {
                let object = self.index.objects.len();
                self.list.untyped.push(UntypedItem { object, api_version, kind });
                None
            }
        };
        let range = match storage {
            BodyStorage::File(file) => {
                BodyRange::File { file, offset: text.position.offset, length: text.bytes.len() as u64 }
            }
            BodyStorage::Memory => BodyRange::Memory(self.index.store.add(text.bytes)),
        };
        let owners = metadata.owners();
        for owner in owners.iter().filter(|owner| !owner.api_version.is_empty() && !owner.kind.is_empty()) {
            self.index.owner_kinds.record(&owner.api_version, &owner.kind, namespace.as_deref());
        }
        self.index.objects.push(IndexedObject {
            kind_index,
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
            location: BodyLocation {
                file_name: Arc::clone(&self.file_name),
                line: text.position.line,
                syntax: text.syntax,
                range,
            },
        });
    }

    /// Gives items without a kind or apiVersion those of their list.
    fn assign_item_types(&mut self, list: Option<&ItemType>) {
        for UntypedItem { object, api_version, kind } in std::mem::take(&mut self.list.untyped) {
            let Some(indexed) = self.index.objects.get_mut(object) else { continue };
            let (line, namespace) = (indexed.location.line, indexed.namespace.as_deref());
            let Some(kind) = kind.or_else(|| list.map(|list| list.kind.clone())) else {
                self.add_error(line, "it has no kind");
                continue;
            };
            let listed = list.filter(|list| list.kind == kind).map(|list| list.api_version.clone());
            let Some(api_version) = api_version.or(listed) else {
                self.add_error(line, "it has no apiVersion");
                continue;
            };
            indexed.kind_index = Some(self.index.kinds.record(&api_version, &kind, namespace));
        }
    }

    /// What a list proves beyond its items: that there were no others.
    fn complete_list(&self, item_type: Option<ItemType>) -> Option<CompleteList> {
        let namespaces = &self.list.namespaces;
        let hinted = self.hint.namespace.as_ref();
        let fits = match namespaces {
            NamespaceSpan::None => true,
            NamespaceSpan::One(namespace) => hinted.is_none_or(|hinted| hinted == namespace),
            NamespaceSpan::Many => hinted.is_none(),
        };
        match (item_type, &self.hint.resource) {
            (Some(item), _) => {
                let namespace = match namespaces {
                    NamespaceSpan::None => hinted.cloned(),
                    NamespaceSpan::One(namespace) => Some(namespace.clone()),
                    NamespaceSpan::Many => None,
                };
                Some(CompleteList {
                    resource: ListedResource::Kind(GroupKind::of(&item.api_version, &item.kind)),
                    namespace,
                })
            }
            (None, Some(resource)) if fits => Some(CompleteList {
                resource: ListedResource::Hint(resource.clone()),
                namespace: hinted.cloned(),
            }),
            _ => None,
        }
    }
}

/// The namespaces of a list's items. Only a list of all namespaces has items in many.
#[derive(Debug, Default)]
enum NamespaceSpan {
    #[default]
    None,
    One(String),
    Many,
}

impl NamespaceSpan {
    fn add(&mut self, namespace: Option<&str>) {
        match (&self, namespace) {
            (Self::None, Some(namespace)) => *self = Self::One(namespace.to_owned()),
            (Self::One(one), Some(namespace)) if one != namespace => *self = Self::Many,
            _ => {}
        }
    }
}

/// The type of the items of a typed list.
struct ItemType {
    api_version: String,
    kind: String,
}

/// The items of `PodList` are of kind `Pod`; those of `List` and of a bare array are of any kind.
fn item_type(header: &ListHeader) -> Option<ItemType> {
    let kind = header.kind.as_ref()?.strip_suffix("List").filter(|kind| !kind.is_empty())?;
    Some(ItemType { api_version: header.api_version.clone()?, kind: kind.to_owned() })
}

fn is_list(object: &PartialObject) -> bool {
    let has_list_kind = object.kind.as_ref().is_some_and(|kind| kind.ends_with("List"));
    object.name().is_none() && (has_list_kind || object.kind.is_none() && object.items.is_some())
}

fn parse_partial(text: ObjectText<'_>) -> Result<PartialObject, ParseError> {
    // When it skips a value, the parser does not check how deep it is nested.
    if text.depth >= MAX_DEPTH {
        return Err(ParseError::new(format!("it is nested {MAX_DEPTH} or more levels deep")));
    }
    parse(text.bytes, text.syntax)
}
