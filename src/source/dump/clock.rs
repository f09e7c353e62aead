//! What time it was when a dump was made: the newest time found in it.

use std::collections::BTreeMap;

use jiff::{SignedDuration, Timestamp};

/// A status may name a time to come, such as a certificate's end. What lies further off than this is one.
const FORESIGHT: SignedDuration = SignedDuration::from_hours(24);

/// Gathers times.
#[derive(Debug, Default)]
pub(super) struct Clock {
    /// The newest time that the server itself wrote into metadata.
    written: Option<Timestamp>,
    /// The newest of each hour that was told elsewhere: which of them lie in the future shows only in the end.
    told: BTreeMap<i64, Timestamp>,
}

impl Clock {
    /// A time from metadata.
    pub(super) fn wrote(&mut self, time: Timestamp) {
        self.written = self.written.max(Some(time));
    }

    /// A time from elsewhere.
    pub(super) fn told(&mut self, time: Timestamp) {
        let newest = self.told.entry(time.as_second().div_euclid(3600)).or_insert(time);
        *newest = time.max(*newest);
    }

    /// The newest time that can have been past; the epoch when no time was found at all, so that nothing has an age.
    pub(super) fn now(&self) -> Timestamp {
        let Some(written) = self.written else {
            return self.told.values().next_back().copied().unwrap_or(Timestamp::UNIX_EPOCH);
        };
        let limit = written.checked_add(FORESIGHT).unwrap_or(Timestamp::MAX);
        self.told.values().rev().find(|time| **time <= limit).map_or(written, |told| written.max(*told))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn now(written: &[&str], told: &[&str]) -> String {
        let mut clock = Clock::default();
        for time in written {
            clock.wrote(time.parse().unwrap());
        }
        for time in told {
            clock.told(time.parse().unwrap());
        }
        clock.now().to_string()
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
