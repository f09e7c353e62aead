//! How much of an object's JSON is kept. What nobody asked for is skipped while the text is read, before it takes
//! memory: a template is most of a Deployment, volumes and probes are most of a Pod, managedFields are half of
//! everything.

use std::fmt;
use std::sync::Arc;

use serde::Deserialize;
use serde::de::{DeserializeSeed, Deserializer, Error as _, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Value};

use super::json_meta::JsonMeta;
use crate::known::kinds::is_custom;
use crate::model::kind::{Kind, StatusSubresource};
use crate::model::object::{Detail, Object};

/// One page of a list, with the bodies of its items.
#[derive(Debug, Default)]
pub(super) struct BodyPage {
    pub(super) kind: String,
    pub(super) metadata: PageMeta,
    pub(super) items: Vec<Value>,
}

/// The metadata of a list.
#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(super) struct PageMeta {
    /// The token of the next page; empty on the last one.
    #[serde(rename = "continue")]
    pub(super) next: String,
    pub(super) resource_version: String,
}

/// Reads a page, of each item as much as `detail` asks for.
pub(super) fn parse_page(kind: &Kind, bytes: &[u8], detail: Detail) -> serde_json::Result<BodyPage> {
    let mut reader = serde_json::Deserializer::from_slice(bytes);
    let page = PageSeed(Trim::of(kind, detail)).deserialize(&mut reader)?;
    reader.end().map(|()| page)
}

/// Reads the metadata of a page alone.
pub(super) fn parse_page_meta(bytes: &[u8]) -> serde_json::Result<PageMeta> {
    #[derive(Deserialize)]
    struct Head {
        #[serde(default)]
        metadata: PageMeta,
    }
    if let Some(metadata) = trailing_metadata(bytes) {
        return Ok(metadata);
    }
    serde_json::from_slice::<Head>(bytes).map(|head| head.metadata)
}

/// The metadata of a list that ends with it, as lists of custom resources do: the next page can be requested before the
/// items are read. Only the closing brace of the list may follow, so that it cannot be that of an item.
fn trailing_metadata(bytes: &[u8]) -> Option<PageMeta> {
    const KEY: &[u8] = b"\"metadata\":";
    const MAX_LEN: usize = 4 << 10;
    let tail = &bytes[bytes.len().saturating_sub(MAX_LEN)..];
    let start = tail.windows(KEY.len()).rposition(|window| window == KEY)? + KEY.len();
    let mut reader = serde_json::Deserializer::from_slice(&tail[start..]).into_iter::<PageMeta>();
    let metadata = reader.next()?.ok()?;
    (tail[start + reader.byte_offset()..].trim_ascii() == b"}").then_some(metadata)
}

/// Reads as much of an object as `detail` asks for; `None` if it has no metadata.
pub(super) fn parse_object(
    kind: &Arc<Kind>,
    bytes: &[u8],
    detail: Detail,
) -> serde_json::Result<Option<Object>> {
    let mut reader = serde_json::Deserializer::from_slice(bytes);
    let body =
        FieldSeed { trim: Trim::of(kind, detail), field: TrimmedField::Object }.deserialize(&mut reader)?;
    reader.end().map(|()| trimmed(kind, body, detail))
}

/// The object in a body that was trimmed to `detail`; `None` if it has no metadata.
pub(super) fn trimmed(kind: &Arc<Kind>, body: Value, detail: Detail) -> Option<Object> {
    let read = if detail == Detail::Pruned && is_custom(kind) { Detail::Whole } else { detail };
    object(kind, body, read)
}

/// The object in a body of which `read` was read; `None` if it has no metadata.
pub(super) fn object(kind: &Arc<Kind>, mut body: Value, read: Detail) -> Option<Object> {
    let metadata = body.get_mut("metadata")?.as_object_mut()?;
    let meta = JsonMeta::of(metadata)?.into_meta(kind);
    if read == Detail::Pruned {
        metadata.remove("annotations");
    }
    Some(Object::with_body(Arc::clone(kind), meta, body, read))
}

/// What to leave out of an object.
#[derive(Clone, Copy)]
struct Trim {
    detail: Detail,
    is_custom: bool,
    is_pod: bool,
    /// Whether only the managers of an object tell that its kind has no status subresource.
    needs_managers: bool,
}

/// A part of an object that is not kept as it is.
#[derive(Clone, Copy, PartialEq, Eq)]
enum TrimmedField {
    Object,
    Metadata,
    ManagedFields,
    FieldsV1,
    Spec,
    Containers,
    /// Its content is left out.
    Empty,
    /// It is kept as it is.
    Whole,
}

impl Trim {
    fn of(kind: &Kind, detail: Detail) -> Self {
        let is_pod = kind.kind == "Pod" && kind.group.is_empty();
        let is_custom = is_custom(kind);
        let needs_managers = is_custom && kind.status_subresource == StatusSubresource::Unknown;
        Self { detail, is_custom, is_pod, needs_managers }
    }

    /// What becomes of a key below a field; `None` if it is left out.
    fn child(self, field: TrimmedField, key: &str) -> Option<TrimmedField> {
        let is_pruned = self.detail == Detail::Pruned && !self.is_custom;
        match (field, key) {
            (TrimmedField::Object, "metadata") => Some(TrimmedField::Metadata),
            (TrimmedField::Object, "spec") if is_pruned => Some(TrimmedField::Spec),
            (TrimmedField::Metadata, "managedFields") => match self.detail {
                Detail::WithManagedFields => Some(TrimmedField::Whole),
                // They tell whether the kind has a status subresource, where discovery does not.
                _ if self.needs_managers => Some(TrimmedField::ManagedFields),
                _ => None,
            },
            (TrimmedField::ManagedFields, "fieldsV1") => Some(TrimmedField::FieldsV1),
            (TrimmedField::FieldsV1, "f:status") => Some(TrimmedField::Empty),
            (
                TrimmedField::Spec,
                "volumes" | "affinity" | "tolerations" | "topologySpreadConstraints" | "securityContext",
            ) if self.is_pod => None,
            (TrimmedField::Spec, "containers" | "initContainers" | "ephemeralContainers") if self.is_pod => {
                Some(TrimmedField::Containers)
            }
            (TrimmedField::Containers, "name" | "restartPolicy")
            | (TrimmedField::ManagedFields, "manager" | "subresource" | "time") => Some(TrimmedField::Whole),
            (TrimmedField::Spec, "template" | "jobTemplate")
            | (TrimmedField::Containers | TrimmedField::FieldsV1 | TrimmedField::ManagedFields, _) => None,
            _ => Some(TrimmedField::Whole),
        }
    }
}

/// Reads a field, without what is left out of it.
#[derive(Clone, Copy)]
struct FieldSeed {
    trim: Trim,
    field: TrimmedField,
}

impl<'de> DeserializeSeed<'de> for FieldSeed {
    type Value = Value;

    fn deserialize<D: Deserializer<'de>>(self, reader: D) -> Result<Value, D::Error> {
        match self.field {
            TrimmedField::Whole => Value::deserialize(reader),
            TrimmedField::Empty => IgnoredAny::deserialize(reader).map(|_| Value::Object(Map::new())),
            _ => reader.deserialize_any(self),
        }
    }
}

impl<'de> Visitor<'de> for FieldSeed {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("JSON")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Value, A::Error> {
        let mut fields = Map::new();
        while let Some(key) = map.next_key::<String>()? {
            match self.trim.child(self.field, &key) {
                Some(field) => {
                    let value = map.next_value_seed(Self { field, ..self })?;
                    fields.insert(key, value);
                }
                None => drop(map.next_value::<IgnoredAny>()?),
            }
        }
        Ok(Value::Object(fields))
    }

    /// The items of a list are trimmed alike. Of the managers only those that write the status are kept.
    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Value, A::Error> {
        let writes_status = |item: &Value| item.pointer("/fieldsV1/f:status").is_some();
        let mut items = Vec::new();
        while let Some(item) = list.next_element_seed(self)? {
            if self.field != TrimmedField::ManagedFields || writes_status(&item) {
                items.push(item);
            }
        }
        Ok(Value::Array(items))
    }

    fn visit_unit<E>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_bool<E>(self, value: bool) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_i64<E>(self, value: i64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_u64<E>(self, value: u64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_f64<E>(self, value: f64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_str<E>(self, value: &str) -> Result<Value, E> {
        Ok(value.into())
    }
}

struct PageSeed(Trim);

impl<'de> DeserializeSeed<'de> for PageSeed {
    type Value = BodyPage;

    fn deserialize<D: Deserializer<'de>>(self, reader: D) -> Result<BodyPage, D::Error> {
        reader.deserialize_map(self)
    }
}

impl<'de> Visitor<'de> for PageSeed {
    type Value = BodyPage;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a list")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<BodyPage, A::Error> {
        let mut page = BodyPage::default();
        while let Some(key) = map.next_key::<String>()? {
            match key.as_str() {
                "kind" => page.kind = map.next_value()?,
                "metadata" => page.metadata = map.next_value()?,
                "items" => {
                    let items =
                        map.next_value_seed(FieldSeed { trim: self.0, field: TrimmedField::Object })?;
                    page.items = match items {
                        Value::Array(items) => items,
                        Value::Null => Vec::new(),
                        _ => return Err(A::Error::custom("items is no list")),
                    };
                }
                _ => drop(map.next_value::<IgnoredAny>()?),
            }
        }
        Ok(page)
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn kind(group: &str, name: &str) -> Arc<Kind> {
        Arc::new(Kind {
            group: group.into(),
            version: "v1".into(),
            kind: name.into(),
            plural: name.to_lowercase(),
            ..Kind::default()
        })
    }

    fn pod() -> Value {
        let writer = json!({"manager": "m", "fieldsV1": {"f:spec": {"f:a": {}}, "f:status": {"f:b": {}}}});
        let other = json!({"manager": "o", "fieldsV1": {"f:spec": {"f:a": {}}}});
        json!({
            "metadata": {"name": "p", "annotations": {"a": "b"}, "managedFields": [writer, other]},
            "spec": {"nodeName": "n", "volumes": [1], "containers": [{"name": "c", "image": "i", "env": []}]},
            "status": {"phase": "Running", "n": [1, -1, 1.5, null, true]},
        })
    }

    fn parse(group: &str, name: &str, detail: Detail) -> Object {
        parse_object(&kind(group, name), pod().to_string().as_bytes(), detail).unwrap().unwrap()
    }

    #[test]
    fn what_verdicts_rest_on_stays() {
        let pruned = parse("", "Pod", Detail::Pruned);
        let expected = json!({
            "metadata": {"name": "p"}, "spec": {"nodeName": "n", "containers": [{"name": "c"}]},
            "status": {"phase": "Running", "n": [1, -1, 1.5, null, true]},
        });
        assert_eq!(pruned.pruned(), Some(&expected));
        assert_eq!(pruned.meta.annotations.len(), 1);
        assert_eq!(pruned.whole(), None, "nobody takes it for the whole");
    }

    #[test]
    fn managed_fields_are_read_only_when_asked_for() {
        let mut without = pod();
        without["metadata"].as_object_mut().unwrap().remove("managedFields");
        assert_eq!(parse("", "Pod", Detail::Whole).whole(), Some(&without));
        assert_eq!(parse("", "Pod", Detail::WithManagedFields).body(Detail::WithManagedFields), Some(&pod()));
    }

    #[test]
    fn of_custom_resources_only_the_writers_of_the_status_are_kept() {
        for detail in [Detail::Pruned, Detail::Whole] {
            let custom = parse("example.com", "Thing", detail);
            assert_eq!(custom.detail(), Detail::Whole);
            let writers = &custom.whole().unwrap()["metadata"]["managedFields"];
            assert_eq!(*writers, json!([{"manager": "m", "fieldsV1": {"f:status": {}}}]));
        }
        let known = Kind {
            status_subresource: StatusSubresource::Present,
            ..(*kind("example.com", "Thing")).clone()
        };
        let object = parse_object(&Arc::new(known), pod().to_string().as_bytes(), Detail::Whole);
        assert_eq!(object.unwrap().unwrap().whole().unwrap()["metadata"].get("managedFields"), None);
    }

    #[test]
    fn a_page_has_its_items_and_the_way_to_the_next() {
        let page = json!({"kind": "PodList", "metadata": {"continue": "x", "resourceVersion": "7"},
            "items": [pod(), 1, null]});
        let bytes = page.to_string();
        let page = parse_page(&kind("", "Pod"), bytes.as_bytes(), Detail::Metadata).unwrap();
        assert_eq!((page.kind.as_str(), page.items.len()), ("PodList", 3));
        assert_eq!(parse_page_meta(bytes.as_bytes()).unwrap().next, "x");
        for (text, next) in [
            (r#"{"items":[{"metadata":{"continue":"no"}}],"metadata":{"continue":"yes"}}"#, "yes"),
            (r#"{"metadata":{"continue":"yes"},"items":[{"metadata":{"continue":"no"}}]}"#, "yes"),
            (r#"{"metadata":{"continue":"yes"},"items":[],"x":{"metadata":{"continue":"no"}}}"#, "yes"),
            (r#"{"items":[{"a":"\"metadata\":{\"continue\":\"no\"}}"}]}"#, ""),
        ] {
            assert_eq!(parse_page_meta(text.as_bytes()).unwrap().next, next, "{text}");
        }
        for odd in ["[]", "{\"items\": {}}", "{\"items\": [}", "{} {}"] {
            assert!(parse_page(&kind("", "Pod"), odd.as_bytes(), Detail::Whole).is_err(), "{odd}");
        }
    }

    #[test]
    fn what_is_no_object_is_none() {
        assert!(object(&kind("", "Pod"), json!({"metadata": 1}), Detail::Whole).is_none());
        assert!(object(&kind("", "Pod"), json!([]), Detail::Whole).is_none());
    }
}
