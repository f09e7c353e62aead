//! What is parsed of every object while a dump is indexed: metadata and timestamps. Everything else is skipped.

use std::fmt;

use jiff::{SignedDuration, Timestamp};
use serde::Deserialize;
use serde::de::{Deserializer, Error, IgnoredAny, MapAccess, Visitor};

use super::capture_time::CaptureTime;
use super::timestamps::{Timestamps, parse_timestamp};
use crate::model::ident::Uid;
use crate::model::meta::{Owner, OwnerRole};
use crate::model::selector::Labels;

/// Longer values are whole configurations that no command reads.
const MAX_VALUE_LEN: usize = 4 * 1024;

/// An object or a list, with the fields that the index needs.
#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase", expecting = "a Kubernetes object")]
pub(super) struct PartialObject {
    pub(super) api_version: Option<String>,
    pub(super) kind: Option<String>,
    pub(super) metadata: Option<ObjectMeta>,
    /// Set for a list that was not split while it was scanned.
    pub(super) items: Option<IgnoredAny>,
    status: Timestamps,
    // Fields of an event.
    first_timestamp: Timestamps,
    last_timestamp: Timestamps,
    event_time: Timestamps,
    series: Timestamps,
    deprecated_last_timestamp: Timestamps,
}

/// The metadata of an object.
#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase", expecting = "metadata")]
pub(super) struct ObjectMeta {
    pub(super) name: Option<String>,
    pub(super) namespace: Option<String>,
    pub(super) uid: Option<String>,
    pub(super) resource_version: Option<String>,
    creation_timestamp: Option<String>,
    deletion_timestamp: Option<String>,
    deletion_grace_period_seconds: Option<i64>,
    owner_references: Option<Vec<OwnerReference>>,
    pub(super) finalizers: Option<Vec<String>>,
    pub(super) labels: ShortValues,
    pub(super) annotations: ShortValues,
    managed_fields: Option<Vec<ManagedFieldsEntry>>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase", expecting = "an owner reference")]
struct OwnerReference {
    api_version: Option<String>,
    kind: Option<String>,
    name: Option<String>,
    uid: Option<String>,
    controller: Option<bool>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default, expecting = "a managedFields entry")]
struct ManagedFieldsEntry {
    time: Option<String>,
}

impl PartialObject {
    /// Whether it has any field of a Kubernetes object; other documents are ignored.
    pub(super) fn looks_like_object(&self) -> bool {
        self.api_version.is_some() || self.kind.is_some() || self.metadata.is_some() || self.items.is_some()
    }

    /// Its name; `None` when empty.
    pub(super) fn name(&self) -> Option<&str> {
        self.metadata.as_ref()?.name.as_deref().filter(|name| !name.is_empty())
    }

    /// Adds all of its timestamps to the capture time.
    pub(super) fn collect_times(&self, capture: &mut CaptureTime) {
        let events = [&self.first_timestamp, &self.last_timestamp, &self.event_time, &self.series];
        let events = events.into_iter().chain([&self.deprecated_last_timestamp]);
        events.flat_map(|times| &times.0).for_each(|time| capture.add_event_time(*time));
        self.status.0.iter().for_each(|time| capture.add_status_time(*time));
        if let Some(metadata) = &self.metadata {
            metadata.times().for_each(|time| capture.add_server_time(time));
        }
    }
}

impl ObjectMeta {
    /// The creation time.
    pub(super) fn created(&self) -> Option<Timestamp> {
        self.creation_timestamp.as_deref()?.parse().ok()
    }

    /// The time at which its deletion takes effect.
    pub(super) fn deleted(&self) -> Option<Timestamp> {
        self.deletion_timestamp.as_deref()?.parse().ok()
    }

    /// Takes its owner references.
    pub(super) fn owners(&mut self) -> Vec<Owner> {
        let owner = |reference: OwnerReference| Owner {
            api_version: reference.api_version.unwrap_or_default(),
            kind: reference.kind.unwrap_or_default(),
            name: reference.name.unwrap_or_default(),
            uid: Uid(reference.uid.unwrap_or_default()),
            role: if reference.controller == Some(true) { OwnerRole::Controller } else { OwnerRole::Plain },
        };
        self.owner_references.take().unwrap_or_default().into_iter().map(owner).collect()
    }

    /// Timestamps that are certainly not in the future.
    fn times(&self) -> impl Iterator<Item = Timestamp> {
        // The deletion timestamp includes the grace period; the deletion was requested before it.
        let grace = SignedDuration::from_secs(self.deletion_grace_period_seconds.unwrap_or_default().max(0));
        let requested = self.deleted().and_then(|deleted| deleted.checked_sub(grace).ok());
        let requested = requested.filter(|_| self.deletion_grace_period_seconds.is_some());
        let managed = self.managed_fields.iter().flatten();
        let writes = managed.filter_map(|managed| parse_timestamp(managed.time.as_deref()?));
        self.created().into_iter().chain(requested).chain(writes)
    }
}

/// Labels or annotations without very long values.
#[derive(Debug, Default)]
pub(super) struct ShortValues(pub(super) Labels);

impl<'de> Deserialize<'de> for ShortValues {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        from.deserialize_option(ShortValuesVisitor)
    }
}

struct ShortValuesVisitor;

impl<'de> Visitor<'de> for ShortValuesVisitor {
    type Value = ShortValues;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a map of strings")
    }

    fn visit_none<E: Error>(self) -> Result<ShortValues, E> {
        Ok(ShortValues::default())
    }

    fn visit_unit<E: Error>(self) -> Result<ShortValues, E> {
        Ok(ShortValues::default())
    }

    fn visit_some<D: Deserializer<'de>>(self, from: D) -> Result<ShortValues, D::Error> {
        from.deserialize_map(self)
    }

    fn visit_map<A: MapAccess<'de>>(self, mut texts: A) -> Result<ShortValues, A::Error> {
        let mut short = Labels::new();
        while let Some(name) = texts.next_key::<String>()? {
            // As on a server, null is an empty string.
            let text = texts.next_value::<Option<ShortValue>>()?;
            if let Some(text) = text.map_or_else(|| Some(String::new()), |text| text.0) {
                short.insert(name, text);
            }
        }
        Ok(ShortValues(short))
    }
}

struct ShortValue(Option<String>);

impl<'de> Deserialize<'de> for ShortValue {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        from.deserialize_str(ShortValueVisitor)
    }
}

struct ShortValueVisitor;

impl Visitor<'_> for ShortValueVisitor {
    type Value = ShortValue;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a string")
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<ShortValue, E> {
        Ok(ShortValue((text.len() <= MAX_VALUE_LEN).then(|| text.to_owned())))
    }
}
