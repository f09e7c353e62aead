//! One request to the server, its response, and its errors.

use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use http::header::{ACCEPT, CONTENT_TYPE};
use http::request::Builder;
use http::{Request, Response, StatusCode, Version};
use http_body_util::{BodyExt as _, Collected, LengthLimitError, Limited};
use kube::client::Body;
use kube::core::Status;
use serde::de::DeserializeOwned;

use super::Cluster;
use crate::connection::failure;
use crate::error::{Failure, FailureKind, shortened};
use crate::known::server_messages;
use crate::model::gap::{Gap, Reason};
use crate::model::health::Problem;
use crate::model::kind::Kind;
use crate::model::memory::OverBudget;
use crate::source::memory;

/// Error documents are small; longer ones are not from an API server.
const MAX_ERROR_LEN: usize = 64 << 10;
/// How many characters of a server's message are shown.
const MAX_MESSAGE_LEN: usize = 1_000;
/// The maximum length of a document that is read as a whole; streamed lists have no limit.
const MAX_DOCUMENT_LEN: usize = 512 << 20;

/// A request that failed.
#[derive(Debug)]
pub(super) struct RequestError {
    pub(super) reason: Reason,
    /// The HTTP status, if there was a response.
    pub(super) status: Option<u16>,
    /// The message of the server or the connection.
    pub(super) message: String,
    /// The same as an error of the command.
    failure: Failure,
}

impl RequestError {
    /// The error as a gap in a report.
    pub(super) fn gap(self, kind: &Kind, namespace: Option<&str>, verb: &'static str) -> Gap {
        Gap {
            group: kind.group.clone(),
            resource: kind.plural.clone(),
            namespace: namespace.map(str::to_owned),
            verb,
            reason: self.reason,
            status: self.status,
            message: self.message,
        }
    }

    /// The error as a failure of the command.
    pub(super) fn failure(self) -> Failure {
        self.failure
    }

    /// The response does not have the expected format; `what` says what is wrong with it.
    pub(super) fn unreadable(server: &str, what: &str) -> Self {
        let failure = Failure::new(FailureKind::Server, format!("unexpected response from {server}: {what}"))
            .hint("a proxy may have responded in place of the API server; check --server or the context");
        Self { reason: Reason::Unreadable, status: Some(200), message: what.to_owned(), failure }
    }

    /// The response would take more memory than the call may use.
    pub(super) fn over_budget(over: OverBudget) -> Self {
        let message = over.to_string();
        let failure = Failure::new(FailureKind::Server, format!("the response is too large: {message}"));
        Self { reason: Reason::Memory, status: Some(200), message, failure }
    }

    /// The user cancelled.
    pub(super) fn interrupted() -> Self {
        let failure = Failure::new(FailureKind::Interrupted, "interrupted");
        Self { reason: Reason::Interrupted, status: None, message: "interrupted".to_owned(), failure }
    }

    /// The server does not serve the kind.
    pub(super) fn not_served() -> Self {
        let message = "the server does not serve this kind".to_owned();
        let failure = Failure::new(FailureKind::Server, message.clone());
        Self { reason: Reason::NotFound, status: None, message, failure }
    }

    /// Whether a conversion webhook failed; other versions of the kind may not need it.
    pub(super) fn is_conversion(&self) -> bool {
        matches!(self.status, Some(429 | 500))
            && server_messages::classify(&self.message) == Some(Problem::ConversionWebhook)
    }

    /// One gap for several objects.
    pub(super) fn gap_of_many(self, count: usize) -> Gap {
        let message = format!("{count} objects were not read: {}", self.message);
        let (group, resource) = (String::new(), format!("{count} objects"));
        Gap {
            group,
            resource,
            namespace: None,
            verb: "get",
            reason: self.reason,
            status: self.status,
            message,
        }
    }

    /// The connection failed while the body was read.
    pub(super) fn broken(error: &dyn std::error::Error, server: &str) -> Self {
        let message = format!("the connection was closed while reading the response: {error}");
        let failure = Failure::new(FailureKind::Connection, format!("{server}: {message}"));
        Self { reason: Reason::Unreadable, status: None, message, failure }
    }

    pub(super) fn timed_out(server: &str, limit: Duration) -> Self {
        let failure = failure::timed_out(server);
        Self {
            reason: Reason::Timeout,
            status: None,
            message: format!("no response within {limit:?}"),
            failure,
        }
    }
}

impl Cluster {
    /// Sends a GET request; returns a successful response whose body is still to be read. Without a timeout: callers
    /// limit the request and reading the body together, with [`Self::with_timeout`].
    pub(super) async fn get(&self, path: &str, accept: &str) -> Result<Response<Body>, RequestError> {
        self.send(Request::get(path).header(ACCEPT, accept)).await
    }

    /// The same for a request with headers of its own.
    pub(super) async fn send(&self, request: Builder) -> Result<Response<Body>, RequestError> {
        let request = request.body(Body::empty());
        let request = request.map_err(|_| RequestError::unreadable(&self.server, "invalid request path"))?;
        let sent = Instant::now();
        let response = self.client.send(request).await.map_err(|error| {
            let failure = failure::from_kube(&error, &self.server);
            let reason =
                if failure.kind() == FailureKind::Connection { Reason::Unavailable } else { Reason::Failed };
            RequestError { reason, status: None, message: failure.to_string(), failure }
        })?;
        self.clock.observe(&response);
        let took = u64::try_from(sent.elapsed().as_micros()).unwrap_or(u64::MAX);
        self.min_latency.fetch_min(took, Ordering::Relaxed);
        self.is_http2.store(response.version() == Version::HTTP_2, Ordering::Relaxed);
        if response.status() == StatusCode::OK { Ok(response) } else { Err(self.error_from(response).await) }
    }

    /// Requests a JSON document.
    pub(super) async fn get_json<T: DeserializeOwned>(
        &self,
        path: &str,
        accept: &str,
    ) -> Result<T, RequestError> {
        let bytes = self.get_bytes(path, accept).await?;
        let _parsing = self.memory.reserve(memory::json_text(&bytes)).map_err(RequestError::over_budget)?;
        serde_json::from_slice(&bytes).map_err(|_| self.not_json())
    }

    /// Asks for a document and gives its text.
    pub(super) async fn get_bytes(&self, path: &str, accept: &str) -> Result<Vec<u8>, RequestError> {
        self.get_bytes_into(path, accept, Vec::new()).await
    }

    /// The same in a buffer that was used before: fresh memory for every page of a long list costs as much as reading
    /// the page.
    pub(super) async fn get_bytes_into(
        &self,
        path: &str,
        accept: &str,
        mut buffer: Vec<u8>,
    ) -> Result<Vec<u8>, RequestError> {
        buffer.clear();
        let read = async { self.read_body_into(self.get(path, accept).await?, buffer).await };
        self.with_timeout(read).await
    }

    /// The text is not the JSON that was asked for.
    pub(super) fn not_json(&self) -> RequestError {
        RequestError::unreadable(&self.server, "not the expected JSON")
    }

    /// Reads a whole body.
    pub(super) async fn read_body(&self, response: Response<Body>) -> Result<Vec<u8>, RequestError> {
        self.read_body_into(response, Vec::new()).await
    }

    /// Reads a whole body into a buffer. Frames are appended as they come: collected first, a body would take its size
    /// twice.
    async fn read_body_into(
        &self,
        response: Response<Body>,
        mut buffer: Vec<u8>,
    ) -> Result<Vec<u8>, RequestError> {
        let mut body = std::pin::pin!(Limited::new(response.into_body(), MAX_DOCUMENT_LEN));
        let received = self.memory.share();
        while let Some(frame) = body.frame().await {
            match frame {
                Ok(frame) => {
                    let data = frame.data_ref().map_or(&[][..], |data| data);
                    received.add(data.len() as u64).map_err(RequestError::over_budget)?;
                    buffer.extend_from_slice(data);
                }
                Err(error) if error.is::<LengthLimitError>() => {
                    return Err(RequestError::unreadable(&self.server, "the response is too large"));
                }
                Err(error) => return Err(RequestError::broken(error.as_ref(), &self.server)),
            }
        }
        Ok(buffer)
    }

    /// Limits a request and its response to `--request-timeout`.
    pub(super) async fn with_timeout<T>(
        &self,
        work: impl Future<Output = Result<T, RequestError>>,
    ) -> Result<T, RequestError> {
        match self.timeout {
            None => work.await,
            Some(limit) => match tokio::time::timeout(limit, work).await {
                Ok(result) => result,
                Err(_) => Err(RequestError::timed_out(&self.server, limit)),
            },
        }
    }

    /// Converts a response that is not a success. Its body is JSON or plain text, whatever was requested.
    async fn error_from(&self, response: Response<Body>) -> RequestError {
        let code = response.status().as_u16();
        let body = Limited::new(response.into_body(), MAX_ERROR_LEN).collect().await;
        let bytes = body.map(Collected::to_bytes).unwrap_or_default();
        let status = parse_status(&bytes);
        let reason = match code {
            401 | 403 => Reason::Forbidden,
            404 | 405 | 410 => Reason::NotFound,
            429 => Reason::Busy,
            503 => Reason::Unavailable,
            504 => Reason::Timeout,
            406 | 415 => Reason::Unreadable,
            _ => Reason::Failed,
        };
        // Any other body is not from the API server and may be long.
        let message = status.as_ref().map_or_else(|| format!("HTTP {code}"), |status| status.message.clone());
        let failure = failure::from_status(&status.unwrap_or_default(), &self.server);
        RequestError { reason, status: Some(code), message, failure }
    }
}

/// The `Status` in the body of an error, if it is one with a message, which is shortened.
pub(super) fn parse_status(body: &[u8]) -> Option<Status> {
    let mut status = serde_json::from_slice::<Status>(body).ok()?;
    status.message = shortened(&status.message, MAX_MESSAGE_LEN).into_owned();
    status.reason = shortened(&status.reason, MAX_MESSAGE_LEN).into_owned();
    Some(status).filter(|status| !status.message.is_empty())
}

/// The media type of a response, without its parameters.
pub(super) fn media_type(response: &Response<Body>) -> &str {
    let value =
        response.headers().get(CONTENT_TYPE).and_then(|value| value.to_str().ok()).unwrap_or_default();
    value.split(';').next().unwrap_or_default().trim()
}
