//! The server's clock, from the `Date` header of its answers.

use std::sync::OnceLock;

use http::Response;
use http::header::DATE;
use jiff::{SignedDuration, Timestamp};

/// Clocks that differ by less do not mislead.
const NOTICEABLE: SignedDuration = SignedDuration::from_secs(5);

/// What time it is at the server; the first answer tells.
#[derive(Debug, Default)]
pub(super) struct Clock(OnceLock<Told>);

#[derive(Clone, Copy, Debug)]
struct Told {
    server: Timestamp,
    /// This machine's time at that moment.
    here: Timestamp,
}

impl Clock {
    /// Looks at an answer's header.
    pub(super) fn saw<B>(&self, answer: &Response<B>) {
        let date = answer.headers().get(DATE).and_then(|value| value.to_str().ok());
        if let Some(time) = date.and_then(|text| jiff::fmt::rfc2822::parse(text).ok()) {
            // Only the first is kept: one run has one `now`.
            let _ = self.0.set(Told { server: time.timestamp(), here: local() });
        }
    }

    /// The server's time, or this machine's when no server has said.
    pub(super) fn now(&self) -> Timestamp {
        self.0.get().map_or_else(local, |told| told.server)
    }

    /// How far the server's clock is ahead of this machine's, where that is more than a slow answer explains.
    pub(super) fn skew(&self) -> Option<SignedDuration> {
        let skew = self.0.get().map(|told| told.server.duration_since(told.here))?;
        (skew.abs() > NOTICEABLE).then_some(skew)
    }
}

#[expect(clippy::disallowed_methods, reason = "the one place that falls back to this machine's clock")]
fn local() -> Timestamp {
    Timestamp::now()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_answer_tells_the_time() {
        let clock = Clock::default();
        for date in ["not a date", "Mon, 16 Nov 2026 11:08:00 GMT", "Mon, 16 Nov 2026 12:00:00 GMT"] {
            clock.saw(&Response::builder().header(DATE, date).body(()).unwrap());
        }
        assert_eq!(clock.now().to_string(), "2026-11-16T11:08:00Z");
        assert!(clock.skew().is_some(), "this machine's clock stands elsewhere");
    }

    #[test]
    fn a_server_that_has_the_same_time_has_no_skew() {
        let clock = Clock::default();
        let now = jiff::fmt::rfc2822::to_string(&local().to_zoned(jiff::tz::TimeZone::UTC)).unwrap();
        clock.saw(&Response::builder().header(DATE, now).body(()).unwrap());
        assert_eq!(clock.skew(), None);
    }
}
