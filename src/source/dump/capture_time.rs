//! Estimates when a dump was made: the newest time found in it that is not in the future.

use std::collections::BTreeMap;

use jiff::{SignedDuration, Timestamp};

/// A status may contain future times, such as the expiry of a certificate. A time this much newer than all metadata is
/// taken for one.
const FUTURE_LIMIT: SignedDuration = SignedDuration::from_hours(24);

/// Collects the times found in a dump.
#[derive(Debug, Default)]
pub(super) struct CaptureTime {
    /// The newest time that the server itself wrote into metadata.
    metadata: Option<Timestamp>,
    /// The newest of all other times per hour: which of them are in the future is known only at the end.
    others: BTreeMap<i64, Timestamp>,
}

impl CaptureTime {
    /// Adds a time from metadata.
    pub(super) fn add_metadata_time(&mut self, time: Timestamp) {
        self.metadata = self.metadata.max(Some(time));
    }

    /// Adds a time from anywhere else.
    pub(super) fn add_other_time(&mut self, time: Timestamp) {
        let newest = self.others.entry(time.as_second().div_euclid(3600)).or_insert(time);
        *newest = time.max(*newest);
    }

    /// The newest time that is not in the future. Without any time it is the epoch, so that no object has an age.
    pub(super) fn estimate(&self) -> Timestamp {
        let Some(metadata) = self.metadata else {
            return self.others.values().next_back().copied().unwrap_or(Timestamp::UNIX_EPOCH);
        };
        let limit = metadata.checked_add(FUTURE_LIMIT).unwrap_or(Timestamp::MAX);
        self.others.values().rev().find(|time| **time <= limit).map_or(metadata, |time| metadata.max(*time))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn now(metadata: &[&str], others: &[&str]) -> String {
        let mut capture = CaptureTime::default();
        for time in metadata {
            capture.add_metadata_time(time.parse().unwrap());
        }
        for time in others {
            capture.add_other_time(time.parse().unwrap());
        }
        capture.estimate().to_string()
    }

    #[test]
    fn the_newest_time_that_is_no_plan_is_now() {
        let (morning, noon) = ("2026-01-02T08:00:00Z", "2026-01-02T12:00:00Z");
        assert_eq!(now(&[morning, "2025-01-01T00:00:00Z"], &[]), morning);
        assert_eq!(now(&[morning], &["2026-01-02T07:00:00Z"]), morning);
        assert_eq!(now(&[morning], &[noon, "2027-01-01T00:00:00Z", "2026-01-02T11:59:00Z"]), noon);
        assert_eq!(now(&[], &[noon]), noon);
        assert_eq!(now(&[], &[]), "1970-01-01T00:00:00Z");
    }
}
