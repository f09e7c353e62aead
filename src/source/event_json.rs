//! Parses an event, from a server or a dump, of either API: core/v1 (`involvedObject`, `message`, `count`) or
//! events.k8s.io (`regarding`, `note`, `deprecatedCount`). Both may have a series instead of a count, or only one time.
//! Unused fields are skipped; a field of the wrong type counts as absent.

use jiff::Timestamp;
use serde::de::IgnoredAny;
use serde::{Deserialize, Deserializer};
use serde_json::Value;

use crate::model::event::Event;
use crate::model::ident::{ObjectName, Uid};

/// Parses an event of either API; `None` if it does not name its object.
pub fn parse_event(body: &Value) -> Option<Event> {
    JsonEvent::deserialize(body).ok()?.into_event()
}

/// The fields used, of both APIs.
/// API servers reject longer reasons (128 bytes) and messages (1 KiB); older ones accepted more.
const MAX_REASON_LEN: usize = 1 << 10;
const MAX_MESSAGE_LEN: usize = 16 << 10;

#[derive(Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(super) struct JsonEvent {
    #[serde(deserialize_with = "lenient")]
    metadata: Option<JsonEventMeta>,
    #[serde(deserialize_with = "lenient")]
    involved_object: Option<JsonSubject>,
    #[serde(deserialize_with = "lenient")]
    regarding: Option<JsonSubject>,
    #[serde(rename = "type", deserialize_with = "lenient")]
    event_type: Option<String>,
    #[serde(deserialize_with = "lenient")]
    reason: Option<String>,
    #[serde(deserialize_with = "lenient")]
    message: Option<String>,
    #[serde(deserialize_with = "lenient")]
    note: Option<String>,
    #[serde(deserialize_with = "lenient")]
    count: Option<i64>,
    #[serde(deserialize_with = "lenient")]
    deprecated_count: Option<i64>,
    #[serde(deserialize_with = "lenient")]
    first_timestamp: Option<String>,
    #[serde(deserialize_with = "lenient")]
    deprecated_first_timestamp: Option<String>,
    #[serde(deserialize_with = "lenient")]
    last_timestamp: Option<String>,
    #[serde(deserialize_with = "lenient")]
    deprecated_last_timestamp: Option<String>,
    #[serde(deserialize_with = "lenient")]
    event_time: Option<String>,
    #[serde(deserialize_with = "lenient")]
    series: Option<JsonSeries>,
    #[serde(deserialize_with = "lenient")]
    source: Option<JsonSource>,
    #[serde(deserialize_with = "lenient")]
    deprecated_source: Option<JsonSource>,
    #[serde(deserialize_with = "lenient")]
    reporting_component: Option<String>,
    #[serde(deserialize_with = "lenient")]
    reporting_controller: Option<String>,
}

#[derive(Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
struct JsonEventMeta {
    #[serde(deserialize_with = "lenient")]
    name: Option<String>,
    #[serde(deserialize_with = "lenient")]
    namespace: Option<String>,
    #[serde(deserialize_with = "lenient")]
    uid: Option<String>,
    #[serde(deserialize_with = "lenient")]
    creation_timestamp: Option<String>,
}

#[derive(Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
struct JsonSubject {
    #[serde(deserialize_with = "lenient")]
    api_version: Option<String>,
    #[serde(deserialize_with = "lenient")]
    kind: Option<String>,
    #[serde(deserialize_with = "lenient")]
    namespace: Option<String>,
    #[serde(deserialize_with = "lenient")]
    name: Option<String>,
    #[serde(deserialize_with = "lenient")]
    uid: Option<String>,
}

#[derive(Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
struct JsonSeries {
    #[serde(deserialize_with = "lenient")]
    count: Option<i64>,
    #[serde(deserialize_with = "lenient")]
    last_observed_time: Option<String>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct JsonSource {
    #[serde(deserialize_with = "lenient")]
    component: Option<String>,
}

impl JsonEvent {
    /// Converts it to the model.
    pub(super) fn into_event(self) -> Option<Event> {
        let subject = self.involved_object.or(self.regarding)?;
        let (kind, name) = (non_empty(subject.kind)?, non_empty(subject.name)?);
        let meta = self.metadata.unwrap_or_default();
        let created = parse_time(meta.creation_timestamp);
        let name_id = || Some(format!("{}/{}", meta.namespace.unwrap_or_default(), non_empty(meta.name)?));
        let (event_time, series) = (parse_time(self.event_time), self.series.unwrap_or_default());
        let first = parse_time(self.first_timestamp.or(self.deprecated_first_timestamp)).or(event_time);
        let last = parse_time(self.last_timestamp.or(self.deprecated_last_timestamp));
        // A series continues after the times of its first event were written.
        let seen = [parse_time(series.last_observed_time), last, event_time, first];
        let last = seen.into_iter().flatten().max().or(created);
        let count = series.count.or(self.count).or(self.deprecated_count);
        let count = count.and_then(|count| u64::try_from(count).ok());
        let source = self.source.and_then(|source| non_empty(source.component));
        let source = source.or_else(|| non_empty(self.deprecated_source?.component));
        let reporter = non_empty(self.reporting_component).or_else(|| non_empty(self.reporting_controller));
        Some(Event {
            id: non_empty(meta.uid).or_else(name_id).unwrap_or_default(),
            object: ObjectName {
                api_version: subject.api_version.unwrap_or_default(),
                kind,
                namespace: non_empty(subject.namespace),
                name,
            },
            uid: Uid(subject.uid.unwrap_or_default()),
            event_type: capped(self.event_type, MAX_REASON_LEN),
            reason: capped(self.reason, MAX_REASON_LEN),
            message: capped(self.message.or(self.note), MAX_MESSAGE_LEN),
            // An event of the newer API has no count until it becomes a series.
            count: count.unwrap_or_default().max(1),
            first: first.or(last),
            last,
            source: capped(source.or(reporter), MAX_REASON_LEN),
        })
    }
}

/// A text without what is longer than any server accepts.
fn capped(text: Option<String>, max_len: usize) -> String {
    let mut text = text.unwrap_or_default();
    if text.len() > max_len {
        let end = (0..=max_len).rev().find(|end| text.is_char_boundary(*end));
        text.truncate(end.unwrap_or_default());
        text.push('…');
        text.shrink_to_fit();
    }
    text
}

fn non_empty(text: Option<String>) -> Option<String> {
    text.filter(|text| !text.is_empty())
}

/// Parses a time; Go's zero time is none.
fn parse_time(text: Option<String>) -> Option<Timestamp> {
    text?.parse().ok().filter(|time: &Timestamp| *time > Timestamp::UNIX_EPOCH)
}

/// `None` where the value has another type.
fn lenient<'de, D: Deserializer<'de>, T: Deserialize<'de>>(from: D) -> Result<Option<T>, D::Error> {
    #[derive(Deserialize)]
    #[serde(untagged)]
    enum Lenient<T> {
        Valid(T),
        Other(IgnoredAny),
    }
    Ok(match Lenient::deserialize(from)? {
        Lenient::Valid(value) => Some(value),
        Lenient::Other(IgnoredAny) => None,
    })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::json;

    use super::*;

    fn times(event: &Event) -> [String; 2] {
        [event.first, event.last].map(|time| time.map(|time| time.to_string()).unwrap_or_default())
    }

    #[test]
    fn a_counted_event_of_the_core_api() {
        let event = parse_event(&json!({
            "metadata": {"name": "a.1", "namespace": "shop", "uid": "e1", "managedFields": [{"x": 1}]},
            "involvedObject": {"apiVersion": "v1", "kind": "Pod", "namespace": "shop", "name": "a", "uid": "u1", "fieldPath": "x"},
            "reason": "BackOff", "message": "again", "type": "Warning", "count": 5, "eventTime": null,
            "firstTimestamp": "2026-11-16T11:00:00Z", "lastTimestamp": "2026-11-16T11:10:00Z",
            "source": {"component": "kubelet", "host": "n1"}, "reportingComponent": "other",
        }))
        .unwrap();
        assert_eq!((event.object.to_string().as_str(), event.uid.0.as_str()), ("Pod/a", "u1"));
        assert_eq!((event.id.as_str(), event.source.as_str(), event.count), ("e1", "kubelet", 5));
        assert_eq!(times(&event), ["2026-11-16T11:00:00Z", "2026-11-16T11:10:00Z"]);
        assert!(event.is_warning());
    }

    #[test]
    fn a_series_has_its_own_count_and_last_time() {
        let event = parse_event(&json!({
            "involvedObject": {"kind": "Node", "name": "n1", "uid": "n1"}, "reason": "x",
            "eventTime": "2026-11-16T11:00:00.123456Z",
            "series": {"count": 7, "lastObservedTime": "2026-11-16T11:30:00.000000Z"},
            "firstTimestamp": null, "lastTimestamp": null, "reportingComponent": "default-scheduler",
        }))
        .unwrap();
        assert_eq!((event.count, event.source.as_str()), (7, "default-scheduler"));
        assert_eq!(times(&event), ["2026-11-16T11:00:00.123456Z", "2026-11-16T11:30:00Z"]);
        assert_eq!((event.object.namespace, event.object.api_version.as_str()), (None, ""));
    }

    #[test]
    fn an_event_of_the_newer_api_has_other_field_names() {
        let event = parse_event(&json!({
            "metadata": {"name": "a.1", "namespace": "shop"},
            "regarding": {"apiVersion": "apps/v1", "kind": "Deployment", "namespace": "shop", "name": "a", "uid": "u1"},
            "reason": "Scaled", "note": "up", "type": "Normal", "deprecatedCount": 2,
            "deprecatedFirstTimestamp": "2026-11-16T11:00:00Z", "deprecatedLastTimestamp": "2026-11-16T11:01:00Z",
            "deprecatedSource": {"component": "deployment-controller"}, "reportingController": "x",
        }))
        .unwrap();
        assert_eq!((event.message.as_str(), event.count, event.id.as_str()), ("up", 2, "shop/a.1"));
        assert_eq!(event.source, "deployment-controller");
        assert_eq!(times(&event), ["2026-11-16T11:00:00Z", "2026-11-16T11:01:00Z"]);
    }

    #[test]
    fn one_time_is_both_times_and_a_missing_count_is_one() {
        let about = json!({"kind": "Pod", "name": "a"});
        let alone = parse_event(&json!({"regarding": about, "eventTime": "2026-11-16T11:00:00Z"})).unwrap();
        assert_eq!(times(&alone), ["2026-11-16T11:00:00Z", "2026-11-16T11:00:00Z"]);
        assert_eq!(alone.count, 1);
        let meta = json!({"creationTimestamp": "2026-11-16T11:00:00Z"});
        let created = parse_event(&json!({"metadata": meta, "regarding": about, "count": -3})).unwrap();
        assert_eq!((times(&created)[1].as_str(), created.count), ("2026-11-16T11:00:00Z", 1));
        let zero =
            parse_event(&json!({"regarding": about, "lastTimestamp": "0001-01-01T00:00:00Z"})).unwrap();
        assert_eq!(zero.last, None);
    }

    #[test]
    fn an_event_without_an_object_is_none() {
        for body in [
            json!({}),
            json!("words"),
            json!(null),
            json!({"involvedObject": "Pod/a"}),
            json!({"involvedObject": {"kind": "", "name": "a"}}),
            json!({"involvedObject": {"kind": "Pod", "name": 3}}),
        ] {
            assert_eq!(parse_event(&body), None, "{body}");
        }
    }

    #[test]
    fn a_field_of_another_type_counts_as_absent() {
        let event = parse_event(&json!({
            "involvedObject": {"kind": "Pod", "name": "a", "uid": 7, "namespace": []}, "metadata": "x",
            "reason": {}, "message": 1, "type": false, "count": "many", "series": [], "source": "me",
            "firstTimestamp": 3, "lastTimestamp": "yesterday", "eventTime": {},
        }))
        .unwrap();
        assert_eq!((event.count, event.uid.0.as_str(), event.last, event.first), (1, "", None, None));
    }

    proptest! {
        #[test]
        fn any_value_in_any_field_is_read_without_a_panic(
            field in prop::sample::select(FIELDS),
            value in prop_oneof![
                Just(json!(null)), any::<i64>().prop_map(|n| json!(n)), any::<f64>().prop_map(|n| json!(n)),
                any::<String>().prop_map(|s| json!(s)), Just(json!([{}])), Just(json!({"count": [], "name": {}})),
            ],
        ) {
            let mut body = json!({"involvedObject": {"kind": "Pod", "name": "a"}});
            body[field] = value;
            let read = parse_event(&body);
            prop_assert!(read.is_some() || field == "involvedObject", "{}", body);
            prop_assert!(read.is_none_or(|event| event.count >= 1));
        }
    }

    const FIELDS: &[&str] = &[
        "count",
        "deprecatedCount",
        "deprecatedLastTimestamp",
        "eventTime",
        "involvedObject",
        "lastTimestamp",
        "message",
        "metadata",
        "note",
        "reason",
        "regarding",
        "reportingController",
        "series",
        "source",
        "type",
    ];
}
