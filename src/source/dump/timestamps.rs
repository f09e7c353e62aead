//! Collects the timestamps in a status, whatever its structure: the newest one dates the dump.

use std::fmt;

use jiff::Timestamp;
use serde::de::{
    Deserialize, DeserializeSeed, Deserializer, Error, IgnoredAny, MapAccess, SeqAccess, Visitor,
};

/// Every timestamp found in a value.
#[derive(Debug, Default)]
pub(super) struct Timestamps(pub(super) Vec<Timestamp>);

impl<'de> Deserialize<'de> for Timestamps {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let mut times = Self::default();
        TimestampVisitor(&mut times).deserialize(from)?;
        Ok(times)
    }
}

/// Parses a timestamp in the format of Kubernetes. Checking its shape first avoids parsing most strings.
pub(super) fn parse_timestamp(text: &str) -> Option<Timestamp> {
    let bytes = text.as_bytes();
    let looks = (20..=35).contains(&bytes.len())
        && bytes.get(4) == Some(&b'-')
        && bytes.get(10) == Some(&b'T')
        && bytes.last() == Some(&b'Z');
    if looks { text.parse().ok() } else { None }
}

/// Recurses into every value; the parsers limit the depth.
struct TimestampVisitor<'a>(&'a mut Timestamps);

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
        self.0.0.extend(parse_timestamp(text));
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
        while entries.next_element_seed(TimestampVisitor(&mut *self.0))?.is_some() {}
        Ok(())
    }

    fn visit_map<A: MapAccess<'de>>(self, mut fields: A) -> Result<(), A::Error> {
        while fields.next_key::<IgnoredAny>()?.is_some() {
            fields.next_value_seed(TimestampVisitor(&mut *self.0))?;
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
}
