//! The moment of a report, and how other times are written as seen from it.
//!
//! Everything that prints how long something has lasted or when it happened uses [`Now`], so that `--absolute-time`
//! holds in every column and every sentence.

use jiff::{SignedDuration, Timestamp};

use super::age::human;

/// How times are shown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Times {
    /// `3m`, `5d4h`.
    #[default]
    Ages,
    /// `2026-11-16T11:08:05Z`.
    Absolute,
}

/// The current time by the clock of the source, and how times are shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Now {
    pub time: Timestamp,
    pub times: Times,
}

impl From<Timestamp> for Now {
    fn from(time: Timestamp) -> Self {
        Self { time, times: Times::Ages }
    }
}

impl Now {
    /// The time since `then`.
    pub fn duration_since(self, then: Timestamp) -> SignedDuration {
        self.time.duration_since(then)
    }

    /// For a column: `3d`, or the time itself.
    pub fn cell(self, then: Timestamp) -> String {
        match self.times {
            Times::Ages => human(self.duration_since(then)),
            Times::Absolute => absolute(then),
        }
    }

    /// When something happened: `3d ago`, or `at` and the time.
    pub fn ago(self, then: Timestamp) -> String {
        match self.times {
            Times::Ages => format!("{} ago", human(self.duration_since(then))),
            Times::Absolute => format!("at {}", absolute(then)),
        }
    }

    /// How long a state has lasted: `for 3d`, or `since` and the time.
    pub fn lasting(self, since: Timestamp) -> String {
        match self.times {
            Times::Ages => format!("for {}", human(self.duration_since(since))),
            Times::Absolute => format!("since {}", absolute(since)),
        }
    }

    /// The same if the state may have lasted longer.
    pub fn lasting_at_least(self, since: Timestamp) -> String {
        match self.times {
            Times::Ages => format!("for at least {}", human(self.duration_since(since))),
            Times::Absolute => format!("since {} or earlier", absolute(since)),
        }
    }

    /// A span of time that ends now: `in the last 3d`, or `since` and its start.
    pub fn in_the_last(self, span: SignedDuration) -> String {
        match self.times {
            Times::Ages => format!("in the last {}", human(span)),
            Times::Absolute => {
                format!("since {}", absolute(self.time.saturating_sub(span).unwrap_or(Timestamp::MIN)))
            }
        }
    }
}

/// To the second, as servers write times.
pub fn absolute(time: Timestamp) -> String {
    Timestamp::from_second(time.as_second()).unwrap_or(time).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_sentence_with_ages_and_with_times() {
        let ages = Now::from("2026-11-16T12:00:00Z".parse::<Timestamp>().unwrap());
        let absolute = Now { times: Times::Absolute, ..ages };
        let then: Timestamp = "2026-11-16T09:00:00.75Z".parse().unwrap();
        for (write, with_age, with_time) in [
            (Now::cell as fn(Now, Timestamp) -> String, "179m", "2026-11-16T09:00:00Z"),
            (Now::ago, "179m ago", "at 2026-11-16T09:00:00Z"),
            (Now::lasting, "for 179m", "since 2026-11-16T09:00:00Z"),
            (Now::lasting_at_least, "for at least 179m", "since 2026-11-16T09:00:00Z or earlier"),
        ] {
            assert_eq!((write(ages, then).as_str(), write(absolute, then).as_str()), (with_age, with_time));
        }
        let hour = SignedDuration::from_hours(1);
        assert_eq!(ages.in_the_last(hour), "in the last 60m");
        assert_eq!(absolute.in_the_last(hour), "since 2026-11-16T11:00:00Z");
        assert_eq!(absolute.in_the_last(SignedDuration::MAX), format!("since {}", Timestamp::MIN));
    }
}
