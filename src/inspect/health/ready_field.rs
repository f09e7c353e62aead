//! Boolean fields of a status that say whether an object is ready.

use serde_json::Value;

use super::condition::WRAPPERS;
use crate::model::json::at;

/// The fields, sorted; false means a problem. Of those that are true only some cover the whole object. `readyToUse` is
/// that of a `VolumeSnapshot` (kubernetes-csi/external-snapshotter client/apis/volumesnapshot/v1/types.go).
const READY_FIELDS: [(&str, bool); 6] = [
    ("available", false),
    ("healthy", true),
    ("ready", true),
    ("readyToUse", true),
    ("synced", false),
    ("valid", false),
];

/// A boolean field of the status.
pub(super) struct ReadyField {
    pub(super) path: String,
    pub(super) value: bool,
    /// Whether it covers the whole object.
    pub(super) is_whole: bool,
}

/// The ready fields of a status, including those in a wrapper.
pub(super) fn read(object: &Value) -> impl Iterator<Item = ReadyField> {
    let whole = std::iter::once(("status".to_owned(), at(object, &["status"])));
    let wrapped = WRAPPERS.iter().map(|key| (format!("status.{key}"), at(object, &["status", key])));
    whole.chain(wrapped).flat_map(|(path, holder)| {
        let field = move |(key, is_whole)| {
            let value = at(holder?, &[key])?.as_bool()?;
            Some(ReadyField { path: format!("{path}.{key}"), value, is_whole })
        };
        READY_FIELDS.into_iter().filter_map(field)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_is_sorted_and_has_no_duplicates() {
        assert!(READY_FIELDS.is_sorted_by(|a, b| a.0 < b.0));
    }
}
