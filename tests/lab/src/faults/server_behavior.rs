//! The moods of servers that the API server calls.

use http::request::Parts;
use hyper::body::Bytes;

use super::error_response::BufferedResponse;

/// How a staged server behaves; it can change at any time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ServerBehavior {
    /// Does its work.
    Works,
    /// Answers, and says no.
    Rejects,
    /// Nothing listens: connection refused.
    ConnectionRefused,
    /// Takes requests and does not answer them until its behavior changes.
    NeverResponds,
    /// Answers 200 and noise.
    ReturnsGarbage,
}

/// What a staged server does when it does something.
pub(super) trait RequestHandler: Send + Sync + 'static {
    fn handle(&self, parts: &Parts, body: &Bytes) -> BufferedResponse;
    fn reject(&self, parts: &Parts, body: &Bytes) -> BufferedResponse;
}
