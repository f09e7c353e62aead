//! What may go wrong with a request.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use http::request::Parts;
use http::{HeaderValue, header};
use hyper::body::Bytes;

use super::error_response::{BufferedResponse, ErrorResponse};
use super::garbage_bytes;

/// One thing that goes wrong.
///
/// [`Fault::Delay`] and [`Fault::Ask`] let a request pass on to the following rules; all others decide it.
#[derive(Clone, Debug)]
pub enum Fault {
    /// The request is passed on this much later.
    Delay(Duration),
    /// The API server is asked for something else than the client asked for.
    Ask(Discovery),
    /// No answer, ever: until the client goes or the proxy is dropped.
    Hang,
    /// The client's connection, with all that is under way on it, ends in a TCP reset.
    Reset,
    /// Headers and about half of the real body, then the end: HTTP/2 resets the stream, HTTP/1.1 closes
    /// the socket too early. Of a watch, everything up to its first bytes.
    Cut,
    /// As [`Fault::Cut`], but the second half never comes.
    Stall,
    /// The API server is not asked; this is how it would have responded.
    Error(ErrorResponse),
    /// The API server is not asked; this is the answer.
    Response(BufferedResponse),
    /// The real answer, changed.
    Change(Change),
    /// The closure decides, request by request; `None` lets the request pass on to the following rules.
    Decide(Decision),
}

/// Which form of discovery the API server is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Discovery {
    /// As a server before 1.26: one document per group and version, never aggregated.
    Old,
    /// As a server of 1.26 to 1.29: aggregated only as `v2beta1`, else the old form.
    Beta,
}

/// Changes a real, whole answer, which comes uncompressed.
#[derive(Clone)]
pub struct Change(Arc<dyn Fn(BufferedResponse) -> BufferedResponse + Send + Sync>);

/// Decides about a request by its head.
#[derive(Clone)]
pub struct Decision(Arc<Decide>);

type Decide = dyn Fn(&Parts) -> Option<Fault> + Send + Sync;

impl Fault {
    /// The real body under the content type of a log-in page, as proxies of companies send it.
    pub fn wrong_content_type() -> Self {
        Self::change(|mut answer| {
            answer.headers_mut().insert(header::CONTENT_TYPE, HeaderValue::from_static("text/html"));
            answer
        })
    }

    /// The real status and content type with as many meaningless bytes, always the same ones.
    pub fn garbage() -> Self {
        Self::change(|answer| {
            let length = answer.body().len().max(64);
            answer.map(|_| Bytes::from(garbage_bytes::bytes(length)))
        })
    }

    /// A complete HTTP answer whose body ends in the middle: valid as HTTP, invalid as a document.
    pub fn half() -> Self {
        Self::change(|answer| answer.map(|body| body.slice(..body.len() / 2)))
    }

    /// The real answer, changed by a closure.
    pub fn change(change: impl Fn(BufferedResponse) -> BufferedResponse + Send + Sync + 'static) -> Self {
        Self::Change(Change(Arc::new(change)))
    }

    /// A fault that a closure chooses for each request.
    pub fn decide(decide: impl Fn(&Parts) -> Option<Self> + Send + Sync + 'static) -> Self {
        Self::Decide(Decision(Arc::new(decide)))
    }
}

impl From<ErrorResponse> for Fault {
    fn from(error_response: ErrorResponse) -> Self {
        Self::Error(error_response)
    }
}

impl From<BufferedResponse> for Fault {
    fn from(answer: BufferedResponse) -> Self {
        Self::Response(answer)
    }
}

impl Change {
    pub(super) fn apply(&self, answer: BufferedResponse) -> BufferedResponse {
        (self.0)(answer)
    }
}

impl Decision {
    pub(super) fn about(&self, parts: &Parts) -> Option<Fault> {
        (self.0)(parts)
    }
}

impl fmt::Debug for Change {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Change")
    }
}

impl fmt::Debug for Decision {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Decision")
    }
}
