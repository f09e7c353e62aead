//! Adds the objects of one file to the index: parses their metadata, gives list items the kind of their list, and
//! records what cannot be parsed.

use std::sync::Arc;

use serde_json::Value;

use super::index::{BodyLocation, BodyRange, CompleteList, DumpIndex, IndexedObject, ListedResource};
use super::partial_object::PartialObject;
use super::path_hint::PathHint;
use super::text::json_scanner::{ListHeader, TextPosition};
use super::text::parse::{MAX_DEPTH, ParseError, Syntax, from_value, parse, parse_with_warning};
use crate::error::shortened;
use crate::known::kinds::current;
use crate::model::ident::GroupKind;
use crate::source::memory;

/// The length from which it is estimated what an object takes before it is parsed.
const LARGE: usize = 1 << 20;

/// Longest kind that is named in an error.
const MAX_KIND_LEN: usize = 60;

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

/// What a document or an item is.
enum Content {
    Object(Box<PartialObject>),
    /// An array of objects.
    Values(Vec<Value>),
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
        match self.parse_content(text) {
            Ok(Content::Values(values)) => self.add_list(values, &ListHeader::default(), text.position),
            Ok(Content::Object(object)) if !object.looks_like_object() => {}
            Ok(Content::Object(object)) if is_list(&object) => self.split_list(text),
            Ok(Content::Object(object)) => {
                self.add_object(text, *object, self.storage);
                self.assign_item_types(None);
            }
            Err(error) => self.add_error(text.position.line + error.line, &error.message),
        }
        self.reset_list();
    }

    /// Adds an item of the open list.
    pub(super) fn add_item(&mut self, text: ObjectText<'_>) {
        if let Err(error) = self.try_add_item(text) {
            self.add_error(text.position.line + error.line, &error.message);
        }
    }

    /// Adds an item of the open list. An error is returned and not recorded.
    pub(super) fn try_add_item(&mut self, text: ObjectText<'_>) -> Result<(), ParseError> {
        match self.parse_content(text)? {
            Content::Values(values) => self.add_list(values, &ListHeader::default(), text.position),
            Content::Object(object) if is_list(&object) => self.split_list(text),
            Content::Object(object) => self.add_object(text, *object, self.storage),
        }
        Ok(())
    }

    /// Adds an item that is already parsed: an object, a list or an array of either. The parser limits how deep they are
    /// nested.
    pub(super) fn add_value(&mut self, value: Value, position: TextPosition) {
        if let Value::Array(values) = value {
            return self.add_list(values, &ListHeader::default(), position);
        }
        let object = match from_value::<PartialObject, _>(&value) {
            Ok(object) => object,
            Err(error) => return self.add_error(position.line, &error.message),
        };
        if is_list(&object) {
            return self.add_list_value(value, position);
        }
        let json = value.to_string();
        let text = ObjectText { bytes: json.as_bytes(), syntax: Syntax::Json, position, depth: 0 };
        self.add_object(text, object, BodyStorage::Memory);
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
            let kind = shortened(kind.unwrap_or("missing"), MAX_KIND_LEN);
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
    fn split_list(&mut self, text: ObjectText<'_>) {
        match parse(text.bytes, text.syntax) {
            Ok(list) => self.add_list_value(list, text.position),
            Err(error) => self.add_error(text.position.line + error.line, &error.message),
        }
    }

    fn add_list_value(&mut self, mut list: Value, position: TextPosition) {
        let mut field = |key: &str| list.get_mut(key).map(Value::take);
        let text = |value: Option<Value>| value.and_then(|value| value.as_str().map(str::to_owned));
        let header =
            ListHeader { api_version: text(field("apiVersion")), kind: text(field("kind")), name: None };
        let items = match field("items") {
            Some(Value::Array(items)) => items,
            _ => Vec::new(),
        };
        self.add_list(items, &header, position);
    }

    /// Adds all items of a list, which may be an item of another list.
    fn add_list(&mut self, items: Vec<Value>, header: &ListHeader, position: TextPosition) {
        let outer_list = std::mem::take(&mut self.list);
        self.list.first_object = self.index.objects.len();
        for item in items {
            self.add_value(item, position);
        }
        self.end_list(header, Completeness::Complete, position.line);
        self.list = outer_list;
    }

    /// Parses a document or an item. A duplicate key is only reported.
    fn parse_content(&mut self, text: ObjectText<'_>) -> Result<Content, ParseError> {
        // When it skips a value, the parser does not check how deep it is nested.
        if text.depth >= MAX_DEPTH {
            return Err(ParseError::new(format!("it is nested {MAX_DEPTH} or more levels deep")));
        }
        let cost = match text.syntax {
            // Most of an object is skipped; only a very large one can have that many labels.
            Syntax::Json if text.bytes.len() < LARGE => 0,
            Syntax::Json => memory::json_text(text.bytes),
            Syntax::Yaml | Syntax::YamlItem => memory::yaml_text(text.bytes),
        };
        let _parsing = self.index.memory.reserve(cost).map_err(|over| ParseError::new(over.to_string()))?;
        let is_json_object =
            text.syntax == Syntax::Json && text.bytes.trim_ascii_start().first() != Some(&b'[');
        let (content, warning) = if is_json_object {
            let parsed = parse_with_warning(text.bytes, text.syntax)?;
            (Content::Object(Box::new(parsed.value)), parsed.warning)
        } else {
            let parsed = parse_with_warning::<Value>(text.bytes, text.syntax)?;
            let content = match parsed.value {
                Value::Array(values) => Content::Values(values),
                value => Content::Object(Box::new(from_value(value)?)),
            };
            (content, parsed.warning)
        };
        if let Some(warning) = warning {
            self.add_error(text.position.line + warning.line, &warning.message);
        }
        Ok(content)
    }

    /// Adds an object to the index; without a name it is an error.
    fn add_object(&mut self, text: ObjectText<'_>, object: PartialObject, storage: BodyStorage) {
        if object.name().is_none() {
            let message = if object.kind.is_none() { "it has no kind" } else { "it has no metadata.name" };
            return self.add_error(text.position.line, message);
        }
        // What is kept in memory is compressed to less than half.
        let stored = if matches!(storage, BodyStorage::Memory) { text.bytes.len() as u64 / 2 } else { 0 };
        let metadata = object.metadata.as_ref();
        let cost = metadata.map_or(0, |metadata| memory::labels(&metadata.labels.0, &metadata.annotations.0));
        if !self.index.has_capacity(&self.file_name, stored + cost + memory::OBJECT) {
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
                    resource: ListedResource::Kind(current(GroupKind::of(&item.api_version, &item.kind))),
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
