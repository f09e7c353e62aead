//! The server's clock, from the `Date` header of its answers.

use std::sync::{Mutex, OnceLock, PoisonError};
use std::time::Instant;

use http::Response;
use http::header::DATE;
use jiff::{SignedDuration, Timestamp};

/// Clocks that differ by less do not mislead.
const MIN_SKEW: SignedDuration = SignedDuration::from_secs(5);

/// What time it is at the server: one run has one `now`, which the first answer tells; one that goes on and on
/// follows the latest answer.
#[derive(Debug, Default)]
pub(super) struct Clock {
    first: OnceLock<FirstDate>,
    latest: Mutex<Option<LatestDate>>,
}

/// The latest answer, and when it came.
#[derive(Clone, Copy, Debug)]
struct LatestDate {
    server: Timestamp,
    at: Instant,
}

#[derive(Clone, Copy, Debug)]
struct FirstDate {
    server: Timestamp,
    /// This machine's time at that moment.
    local: Timestamp,
}

impl Clock {
    /// Looks at an answer's header.
    pub(super) fn observe<B>(&self, answer: &Response<B>) {
        let date = answer.headers().get(DATE).and_then(|value| value.to_str().ok());
        if let Some(time) = date.and_then(|text| jiff::fmt::rfc2822::parse(text).ok()) {
            let server = time.timestamp();
            // The first stays.
            let _ = self.first.set(FirstDate { server, local: local_now() });
            *self.latest.lock().unwrap_or_else(PoisonError::into_inner) =
                Some(LatestDate { server, at: Instant::now() });
        }
    }

    /// The server's time, or this machine's when no server has said.
    pub(super) fn first(&self) -> Timestamp {
        self.first.get().map_or_else(local_now, |first| first.server)
    }

    /// The server's time at this very moment.
    pub(super) fn current(&self) -> Timestamp {
        let latest = *self.latest.lock().unwrap_or_else(PoisonError::into_inner);
        latest.map_or_else(local_now, |latest| {
            latest.server.saturating_add(latest.at.elapsed()).unwrap_or(latest.server)
        })
    }

    /// How far the server's clock is ahead of this machine's, where that is more than a slow answer explains.
    pub(super) fn skew(&self) -> Option<SignedDuration> {
        let skew = self.first.get().map(|first| first.server.duration_since(first.local))?;
        (skew.abs() > MIN_SKEW).then_some(skew)
    }
}

#[expect(clippy::disallowed_methods, reason = "the one place that falls back to this machine's clock")]
fn local_now() -> Timestamp {
    Timestamp::now()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_answer_tells_the_time() {
        let clock = Clock::default();
        for date in ["not a date", "Mon, 16 Nov 2026 11:08:00 GMT", "Mon, 16 Nov 2026 12:00:00 GMT"] {
            clock.observe(&Response::builder().header(DATE, date).body(()).unwrap());
        }
        assert_eq!(clock.first().to_string(), "2026-11-16T11:08:00Z");
        assert!(clock.skew().is_some(), "this machine's clock stands elsewhere");
        let moving = clock.current().to_string();
        assert!(moving.starts_with("2026-11-16T12:00:0"), "the latest one goes on: {moving}");
    }

    #[test]
    fn a_server_that_has_the_same_time_has_no_skew() {
        let clock = Clock::default();
        let now = jiff::fmt::rfc2822::to_string(&local_now().to_zoned(jiff::tz::TimeZone::UTC)).unwrap();
        clock.observe(&Response::builder().header(DATE, now).body(()).unwrap());
        assert_eq!(clock.skew(), None);
    }
}
