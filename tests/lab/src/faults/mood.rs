//! The moods of servers that the API server calls.

use http::request::Parts;
use hyper::body::Bytes;

use super::answer::Answer;

/// How a staged server behaves; it can change at any time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mood {
    /// Does its work.
    Alive,
    /// Answers, and says no.
    Refuses,
    /// Nothing listens: connection refused.
    Dead,
    /// Takes requests and does not answer them until its mood changes.
    Hangs,
    /// Answers 200 and noise.
    Lies,
}

/// What a staged server does when it does something.
pub(super) trait Role: Send + Sync + 'static {
    fn work(&self, parts: &Parts, body: &Bytes) -> Answer;
    fn refuse(&self, parts: &Parts, body: &Bytes) -> Answer;
}
