//! The server's clock, from the `Date` header of its answers.

use std::sync::OnceLock;

use http::Response;
use http::header::DATE;
use jiff::Timestamp;

/// What time it is at the server; the first answer tells.
#[derive(Debug, Default)]
pub(super) struct Clock(OnceLock<Timestamp>);

impl Clock {
    /// Looks at an answer's header.
    pub(super) fn saw<B>(&self, answer: &Response<B>) {
        let date = answer.headers().get(DATE).and_then(|value| value.to_str().ok());
        if let Some(time) = date.and_then(|text| jiff::fmt::rfc2822::parse(text).ok()) {
            // Only the first is kept: one run has one `now`.
            let _ = self.0.set(time.timestamp());
        }
    }

    /// The server's time, or this machine's when no server has said.
    pub(super) fn now(&self) -> Timestamp {
        self.0.get().copied().unwrap_or_else(local)
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
    }
}
