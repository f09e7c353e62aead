//! Collects the timestamps in a status, whatever its structure: the newest one dates the dump. A field that is for a time
//! in the future by its name, or is inside such a field, is left out.

use std::fmt;

use jiff::Timestamp;
use serde::de::{Deserialize, DeserializeSeed, Deserializer, Error, MapAccess, SeqAccess, Visitor};

use crate::known::time_fields::is_planned;

/// Every timestamp found in a value.
#[derive(Debug, Default)]
pub(super) struct Timestamps(pub(super) Vec<Timestamp>);

impl<'de> Deserialize<'de> for Timestamps {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let mut times = Self::default();
        TimestampVisitor { times: &mut times, field: None }.deserialize(from)?;
        Ok(times)
    }
}

/// Parses a timestamp in the format of Kubernetes. Checking its shape first avoids parsing most strings.
pub(super) fn parse_timestamp(text: &str) -> Option<Timestamp> {
    let bytes = text.as_bytes();
    let looks = (20..=35).contains(&bytes.len())
        && bytes.get(4) == Some(&b'-')
        && bytes.get(10) == Some(&b'T')
        && bytes.last().is_some_and(|last| *last == b'Z' || last.is_ascii_digit());
    if looks { text.parse().ok() } else { None }
}

/// A field on the path to a value.
struct FieldPath<'a> {
    name: FieldName,
    parent: Option<&'a Self>,
}

impl FieldPath<'_> {
    /// Whether this field or one that contains it is for a time in the future.
    fn is_planned(&self) -> bool {
        is_planned(self.name.as_str()) || self.parent.is_some_and(FieldPath::is_planned)
    }
}

/// The name of a field, kept without allocating: most fields contain no timestamp.
struct FieldName {
    bytes: [u8; MAX_FIELD_NAME],
    length: usize,
}

/// No word of a longer name would be known.
const MAX_FIELD_NAME: usize = 48;

impl FieldName {
    fn new(name: &str) -> Self {
        let length = name.len().min(MAX_FIELD_NAME);
        let mut bytes = [0; MAX_FIELD_NAME];
        bytes[..length].copy_from_slice(&name.as_bytes()[..length]);
        Self { bytes, length }
    }

    fn as_str(&self) -> &str {
        std::str::from_utf8(&self.bytes[..self.length]).unwrap_or_default()
    }
}

struct FieldNameSeed;

impl<'de> DeserializeSeed<'de> for FieldNameSeed {
    type Value = FieldName;

    fn deserialize<D: Deserializer<'de>>(self, from: D) -> Result<FieldName, D::Error> {
        from.deserialize_str(self)
    }
}

impl Visitor<'_> for FieldNameSeed {
    type Value = FieldName;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the name of a field")
    }

    fn visit_str<E: Error>(self, name: &str) -> Result<FieldName, E> {
        Ok(FieldName::new(name))
    }
}

/// Recurses into every value; the parsers limit the depth.
struct TimestampVisitor<'a> {
    times: &'a mut Timestamps,
    field: Option<&'a FieldPath<'a>>,
}

impl<'de> DeserializeSeed<'de> for TimestampVisitor<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, from: D) -> Result<(), D::Error> {
        from.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for TimestampVisitor<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("any value")
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<(), E> {
        let is_counted = |_: &Timestamp| !self.field.is_some_and(FieldPath::is_planned);
        self.times.0.extend(parse_timestamp(text).filter(is_counted));
        Ok(())
    }

    fn visit_bytes<E: Error>(self, _: &[u8]) -> Result<(), E> {
        Ok(())
    }

    fn visit_bool<E: Error>(self, _: bool) -> Result<(), E> {
        Ok(())
    }

    fn visit_i64<E: Error>(self, _: i64) -> Result<(), E> {
        Ok(())
    }

    fn visit_i128<E: Error>(self, _: i128) -> Result<(), E> {
        Ok(())
    }

    fn visit_u64<E: Error>(self, _: u64) -> Result<(), E> {
        Ok(())
    }

    fn visit_u128<E: Error>(self, _: u128) -> Result<(), E> {
        Ok(())
    }

    fn visit_f64<E: Error>(self, _: f64) -> Result<(), E> {
        Ok(())
    }

    fn visit_unit<E: Error>(self) -> Result<(), E> {
        Ok(())
    }

    fn visit_none<E: Error>(self) -> Result<(), E> {
        Ok(())
    }

    fn visit_some<D: Deserializer<'de>>(self, from: D) -> Result<(), D::Error> {
        from.deserialize_any(self)
    }

    fn visit_newtype_struct<D: Deserializer<'de>>(self, from: D) -> Result<(), D::Error> {
        from.deserialize_any(self)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut entries: A) -> Result<(), A::Error> {
        let Self { times, field } = self;
        while entries.next_element_seed(TimestampVisitor { times: &mut *times, field })?.is_some() {}
        Ok(())
    }

    fn visit_map<A: MapAccess<'de>>(self, mut fields: A) -> Result<(), A::Error> {
        while let Some(name) = fields.next_key_seed(FieldNameSeed)? {
            let field = FieldPath { name, parent: self.field };
            fields.next_value_seed(TimestampVisitor { times: &mut *self.times, field: Some(&field) })?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_found_wherever_they_are() {
        let text = r#"{"a": [1, null, true, "2026-01-02T03:04:05Z", {"b": "2026-01-02T03:04:05.123456Z"}],
            "c": "2026-01-02", "d": "soon", "2026-01-02T03:04:05Z": -1.5}"#;
        let found: Timestamps = serde_json::from_str(text).unwrap();
        let yaml: Timestamps = serde_saphyr::from_str(text).unwrap();
        assert_eq!(found.0.len(), 2);
        assert_eq!(found.0, yaml.0);
    }

    #[test]
    fn a_plan_is_left_out_with_all_that_is_in_it() {
        let text = r#"{"notAfter": "2030-01-01T00:00:00Z", "nextRun": [{"time": "2030-01-01T00:00:00Z"}],
            "expirations": {"server": "2030-01-01T00:00:00Z"}, "lastScheduleTime": "2026-01-02T03:04:05+00:00"}"#;
        let found: Timestamps = serde_json::from_str(text).unwrap();
        assert_eq!(found.0, ["2026-01-02T03:04:05Z".parse().unwrap()]);
    }
}
