//! Estimates when a dump was made: the newest time in it that the cluster wrote.

use std::collections::BTreeMap;

use jiff::{SignedDuration, Timestamp};

/// Servers keep events for an hour: a dump with events was made soon after the newest of them, and a status with a time
/// this much later has a wrong clock.
const LIMIT_WITH_EVENTS: SignedDuration = SignedDuration::from_hours(24);

/// Otherwise a status may have changed long after everything else. Ten years later is a placeholder, such as the year
/// 9999.
const LIMIT: SignedDuration = SignedDuration::from_hours(10 * 365 * 24);

/// Collects the times found in a dump.
#[derive(Debug, Default)]
pub(super) struct CaptureTime {
    /// The time that the dump itself gives.
    recorded: Option<Timestamp>,
    /// The newest time in metadata, leases and events.
    server: Option<Timestamp>,
    has_events: bool,
    /// The newest time of statuses per hour: which of them are too late is known only at the end.
    statuses: BTreeMap<i64, Timestamp>,
}

impl CaptureTime {
    /// Sets the time that the dump itself gives, which takes precedence.
    pub(super) fn record(&mut self, time: Timestamp) {
        self.recorded = self.recorded.max(Some(time));
    }

    /// Adds a time from metadata or a lease.
    pub(super) fn add_server_time(&mut self, time: Timestamp) {
        self.server = self.server.max(Some(time));
    }

    /// Adds a time from an event.
    pub(super) fn add_event_time(&mut self, time: Timestamp) {
        self.has_events = true;
        self.add_server_time(time);
    }

    /// Adds a time from a status.
    pub(super) fn add_status_time(&mut self, time: Timestamp) {
        let newest = self.statuses.entry(time.as_second().div_euclid(3600)).or_insert(time);
        *newest = time.max(*newest);
    }

    /// The time at which the dump was made. Without any time it is the epoch, so that no object has an age.
    pub(super) fn estimate(&self) -> Timestamp {
        if let Some(recorded) = self.recorded {
            return recorded;
        }
        let Some(server) = self.server else {
            return self.statuses.values().next_back().copied().unwrap_or(Timestamp::UNIX_EPOCH);
        };
        let limit = if self.has_events { LIMIT_WITH_EVENTS } else { LIMIT };
        let limit = server.checked_add(limit).unwrap_or(Timestamp::MAX);
        self.statuses.values().rev().find(|time| **time <= limit).map_or(server, |time| server.max(*time))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MORNING: &str = "2026-01-02T08:00:00Z";
    const NOON: &str = "2026-01-02T12:00:00Z";
    const MONTHS_LATER: &str = "2026-06-02T12:00:00Z";

    fn capture(server: &[&str], statuses: &[&str]) -> CaptureTime {
        let mut capture = CaptureTime::default();
        for time in server {
            capture.add_server_time(time.parse().unwrap());
        }
        for time in statuses {
            capture.add_status_time(time.parse().unwrap());
        }
        capture
    }

    fn now(server: &[&str], statuses: &[&str]) -> String {
        capture(server, statuses).estimate().to_string()
    }

    #[test]
    fn the_newest_time_that_the_cluster_wrote_is_now() {
        assert_eq!(now(&[MORNING, "2025-01-01T00:00:00Z"], &[]), MORNING);
        assert_eq!(now(&[MORNING], &["2026-01-02T07:00:00Z"]), MORNING);
        assert_eq!(now(&[MORNING], &[NOON, "2026-01-02T11:59:00Z"]), NOON);
        assert_eq!(now(&[MORNING], &[NOON, MONTHS_LATER]), MONTHS_LATER);
        assert_eq!(now(&[MORNING], &[NOON, "9999-01-01T00:00:00Z"]), NOON);
        assert_eq!(now(&[], &[NOON]), NOON);
        assert_eq!(now(&[], &[]), "1970-01-01T00:00:00Z");
    }

    #[test]
    fn an_event_tells_a_wrong_clock_and_the_dump_itself_knows_best() {
        let mut capture = capture(&[MORNING], &[NOON, MONTHS_LATER]);
        capture.add_event_time(MORNING.parse().unwrap());
        assert_eq!(capture.estimate().to_string(), NOON);
        capture.record("2026-01-02T13:00:00Z".parse().unwrap());
        assert_eq!(capture.estimate().to_string(), "2026-01-02T13:00:00Z");
    }
}
