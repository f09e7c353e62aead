//! What is read of every object while a dump is indexed: its metadata and the times in it. The rest is passed over.

use std::fmt;

use jiff::{SignedDuration, Timestamp};
use serde::Deserialize;
use serde::de::{Deserializer, Error, IgnoredAny, MapAccess, Visitor};

use super::clock::Clock;
use super::times::{Times, time};
use crate::model::ident::Uid;
use crate::model::meta::{Owner, OwnerRole};
use crate::model::selector::Labels;

/// Longer annotations are whole configurations; nobody looks at them here.
const LONGEST: usize = 4 * 1024;

/// An object, or a list, as far as the index needs it.
#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase", expecting = "a Kubernetes object")]
pub(super) struct Head {
    pub(super) api_version: Option<String>,
    pub(super) kind: Option<String>,
    pub(super) metadata: Option<Metadata>,
    /// Of a list that was not taken apart.
    pub(super) items: Option<IgnoredAny>,
    status: Times,
    // An event's.
    first_timestamp: Times,
    last_timestamp: Times,
    event_time: Times,
    series: Times,
    deprecated_last_timestamp: Times,
}

/// An object's metadata.
#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase", expecting = "metadata")]
pub(super) struct Metadata {
    pub(super) name: Option<String>,
    pub(super) namespace: Option<String>,
    pub(super) uid: Option<String>,
    pub(super) resource_version: Option<String>,
    creation_timestamp: Option<String>,
    deletion_timestamp: Option<String>,
    deletion_grace_period_seconds: Option<i64>,
    owner_references: Option<Vec<Reference>>,
    pub(super) finalizers: Option<Vec<String>>,
    pub(super) labels: Short,
    pub(super) annotations: Short,
    managed_fields: Option<Vec<Managed>>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase", expecting = "an owner reference")]
struct Reference {
    api_version: String,
    kind: String,
    name: String,
    uid: String,
    controller: Option<bool>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default, expecting = "managed fields")]
struct Managed {
    time: Option<String>,
}

impl Head {
    /// Whether it could be an object of Kubernetes at all; other documents are none of our business.
    pub(super) fn is_of_kubernetes(&self) -> bool {
        self.api_version.is_some() || self.kind.is_some() || self.metadata.is_some() || self.items.is_some()
    }

    /// Its name; nothing when that is empty.
    pub(super) fn name(&self) -> Option<&str> {
        self.metadata.as_ref()?.name.as_deref().filter(|name| !name.is_empty())
    }

    /// Hands its times to the clock.
    pub(super) fn tell(&self, clock: &mut Clock) {
        let events = [&self.first_timestamp, &self.last_timestamp, &self.event_time, &self.series];
        let told = events.into_iter().chain([&self.status, &self.deprecated_last_timestamp]);
        told.flat_map(|times| &times.0).for_each(|time| clock.told(*time));
        if let Some(metadata) = &self.metadata {
            metadata.times().for_each(|time| clock.wrote(time));
        }
    }
}

impl Metadata {
    /// When it was made.
    pub(super) fn created(&self) -> Option<Timestamp> {
        self.creation_timestamp.as_deref()?.parse().ok()
    }

    /// When its deletion takes effect.
    pub(super) fn deleted(&self) -> Option<Timestamp> {
        self.deletion_timestamp.as_deref()?.parse().ok()
    }

    /// Its owners, as it claims them.
    pub(super) fn owners(&mut self) -> Vec<Owner> {
        let owner = |reference: Reference| Owner {
            api_version: reference.api_version,
            kind: reference.kind,
            name: reference.name,
            uid: Uid(reference.uid),
            role: if reference.controller == Some(true) { OwnerRole::Controller } else { OwnerRole::Plain },
        };
        self.owner_references.take().unwrap_or_default().into_iter().map(owner).collect()
    }

    /// Times that are past for certain.
    fn times(&self) -> impl Iterator<Item = Timestamp> {
        // Deletion takes effect after a period of grace; it was asked for before.
        let grace = SignedDuration::from_secs(self.deletion_grace_period_seconds.unwrap_or_default().max(0));
        let asked = self.deleted().and_then(|deleted| deleted.checked_sub(grace).ok());
        let asked = asked.filter(|_| self.deletion_grace_period_seconds.is_some());
        let managed = self.managed_fields.iter().flatten();
        let writes = managed.filter_map(|managed| time(managed.time.as_deref()?));
        self.created().into_iter().chain(asked).chain(writes)
    }
}

/// Labels or annotations without the very long ones.
#[derive(Debug, Default)]
pub(super) struct Short(pub(super) Labels);

impl<'de> Deserialize<'de> for Short {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        from.deserialize_option(Shortening)
    }
}

struct Shortening;

impl<'de> Visitor<'de> for Shortening {
    type Value = Short;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("texts by name")
    }

    fn visit_none<E: Error>(self) -> Result<Short, E> {
        Ok(Short::default())
    }

    fn visit_unit<E: Error>(self) -> Result<Short, E> {
        Ok(Short::default())
    }

    fn visit_some<D: Deserializer<'de>>(self, from: D) -> Result<Short, D::Error> {
        from.deserialize_map(self)
    }

    fn visit_map<A: MapAccess<'de>>(self, mut texts: A) -> Result<Short, A::Error> {
        let mut short = Labels::new();
        while let Some(name) = texts.next_key::<String>()? {
            // Nothing is an empty text, as it is to a server.
            let text = texts.next_value::<Option<ShortText>>()?;
            if let Some(text) = text.map_or_else(|| Some(String::new()), |text| text.0) {
                short.insert(name, text);
            }
        }
        Ok(Short(short))
    }
}

struct ShortText(Option<String>);

impl<'de> Deserialize<'de> for ShortText {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        from.deserialize_str(ShorteningText)
    }
}

struct ShorteningText;

impl Visitor<'_> for ShorteningText {
    type Value = ShortText;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a text")
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<ShortText, E> {
        Ok(ShortText((text.len() <= LONGEST).then(|| text.to_owned())))
    }
}
