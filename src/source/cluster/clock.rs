//! The server's clock, from the `Date` header of its responses.

use std::sync::{Mutex, OnceLock, PoisonError};
use std::time::Instant;

use http::Response;
use http::header::DATE;
use jiff::{SignedDuration, Timestamp};

/// Smaller differences are ignored.
const MIN_SKEW: SignedDuration = SignedDuration::from_secs(5);

/// The server's time. A single report uses the time of the first response as its `now`; a watch follows the latest
/// response.
#[derive(Debug, Default)]
pub(super) struct Clock {
    first: OnceLock<FirstDate>,
    latest: Mutex<Option<LatestDate>>,
}

/// The `Date` of the latest response, and when it was received.
#[derive(Clone, Copy, Debug)]
struct LatestDate {
    server: Timestamp,
    at: Instant,
}

/// The `Date` of the first response.
#[derive(Clone, Copy, Debug)]
struct FirstDate {
    server: Timestamp,
    /// The local time at that moment.
    local: Timestamp,
}

impl Clock {
    /// Records the `Date` header of a response.
    pub(super) fn observe<B>(&self, response: &Response<B>) {
        let date = response.headers().get(DATE).and_then(|value| value.to_str().ok());
        if let Some(time) = date.and_then(|text| jiff::fmt::rfc2822::parse(text).ok()) {
            let server = time.timestamp();
            // Fails after the first time, which is intended.
            let _ = self.first.set(FirstDate { server, local: local_now() });
            *self.latest.lock().unwrap_or_else(PoisonError::into_inner) =
                Some(LatestDate { server, at: Instant::now() });
        }
    }

    /// The time of the first response, or the local time if there was none.
    pub(super) fn first(&self) -> Timestamp {
        self.first.get().map_or_else(local_now, |first| first.server)
    }

    /// The server's current time.
    pub(super) fn current(&self) -> Timestamp {
        let latest = *self.latest.lock().unwrap_or_else(PoisonError::into_inner);
        latest.map_or_else(local_now, |latest| {
            latest.server.saturating_add(latest.at.elapsed()).unwrap_or(latest.server)
        })
    }

    /// How far the server's clock is ahead of the local one, if that is more than a slow response can explain.
    pub(super) fn skew(&self) -> Option<SignedDuration> {
        let skew = self.first.get().map(|first| first.server.duration_since(first.local))?;
        (skew.abs() > MIN_SKEW).then_some(skew)
    }
}

#[expect(clippy::disallowed_methods, reason = "the only fallback to the local clock")]
fn local_now() -> Timestamp {
    Timestamp::now()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_response_sets_the_time_and_the_latest_one_the_current_time() {
        let clock = Clock::default();
        for date in ["not a date", "Mon, 16 Nov 2026 11:08:00 GMT", "Mon, 16 Nov 2026 12:00:00 GMT"] {
            clock.observe(&Response::builder().header(DATE, date).body(()).unwrap());
        }
        assert_eq!(clock.first().to_string(), "2026-11-16T11:08:00Z");
        assert!(clock.skew().is_some(), "the local clock differs");
        let current = clock.current().to_string();
        assert!(current.starts_with("2026-11-16T12:00:0"), "{current}");
    }

    #[test]
    fn a_server_with_the_same_time_has_no_skew() {
        let clock = Clock::default();
        let now = jiff::fmt::rfc2822::to_string(&local_now().to_zoned(jiff::tz::TimeZone::UTC)).unwrap();
        clock.observe(&Response::builder().header(DATE, now).body(()).unwrap());
        assert_eq!(clock.skew(), None);
    }
}
