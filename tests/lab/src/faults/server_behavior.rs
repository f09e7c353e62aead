//! How the servers behave that the API server calls.

use http::request::Parts;
use hyper::body::Bytes;

use super::error_response::BufferedResponse;

/// How a server behaves; it can change at any time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ServerBehavior {
    /// Handles every request.
    Works,
    /// Rejects every request with an error response.
    Rejects,
    /// Nothing listens on the port.
    ConnectionRefused,
    /// Accepts requests and does not respond until its behavior changes.
    NeverResponds,
    /// Responds with 200 and meaningless bytes.
    ReturnsGarbage,
}

/// How a server responds while it works, and while it rejects requests.
pub(super) trait RequestHandler: Send + Sync + 'static {
    fn handle(&self, parts: &Parts, body: &Bytes) -> BufferedResponse;
    fn reject(&self, parts: &Parts, body: &Bytes) -> BufferedResponse;
}
