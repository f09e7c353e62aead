//! One question to the server, and what can come back instead of an answer.

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
use crate::error::{Failure, Kind as FailureKind};
use crate::known::server_messages;
use crate::model::gap::{Gap, Reason};
use crate::model::health::Problem;
use crate::model::kind::Kind;

/// An error document is small; what is longer is a page of somebody else's.
const MAX_ERROR_LEN: usize = 64 << 10;
/// A document that is read as a whole; lists of metadata are read as they come and have no such bound.
const MAX_DOCUMENT_LEN: usize = 512 << 20;

/// Why there is no answer.
#[derive(Debug)]
pub(super) struct RequestError {
    pub(super) reason: Reason,
    /// The HTTP status, when there was one.
    pub(super) status: Option<u16>,
    /// In the words of the server or the connection.
    pub(super) message: String,
    /// The same for a person who asked just this.
    failure: Failure,
}

impl RequestError {
    /// The part of an answer that this leaves out.
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

    /// For when there is no answer at all without this one.
    pub(super) fn failure(self) -> Failure {
        self.failure
    }

    /// The answer was of another shape than promised.
    pub(super) fn unreadable(server: &str, what: &str) -> Self {
        let failure = Failure::new(FailureKind::Server, format!("{server} answers, but {what}"))
            .hint("is there a proxy in between? Check --server or the context");
        Self { reason: Reason::Unreadable, status: Some(200), message: what.to_owned(), failure }
    }

    /// The person had enough.
    pub(super) fn interrupted() -> Self {
        let failure = Failure::new(FailureKind::Interrupted, "interrupted");
        Self { reason: Reason::Interrupted, status: None, message: "interrupted".to_owned(), failure }
    }

    /// No kind of that name is announced.
    pub(super) fn not_served() -> Self {
        let message = "no such kind is served".to_owned();
        let failure = Failure::new(FailureKind::Server, message.clone());
        Self { reason: Reason::NotFound, status: None, message, failure }
    }

    /// Whether a conversion webhook is to blame, which other versions of the kind may do without.
    pub(super) fn is_conversion(&self) -> bool {
        matches!(self.status, Some(429 | 500))
            && server_messages::classify(&self.message) == Some(Problem::ConversionWebhook)
    }

    /// Stands for several objects that were not read.
    pub(super) fn gap_of_many(self, count: usize) -> Gap {
        let message = format!("{count} objects were not read: {}", self.message);
        let (group, resource) = (String::new(), "objects".to_owned());
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

    /// The body broke off, or took too long.
    pub(super) fn broken(error: &dyn std::error::Error, server: &str) -> Self {
        let message = format!("the answer broke off: {error}");
        let failure = Failure::new(
            FailureKind::Connection,
            format!("unable to connect to the server: {server}: {message}"),
        );
        Self { reason: Reason::Unreadable, status: None, message, failure }
    }

    fn timed_out(server: &str, limit: Duration) -> Self {
        let failure = failure::timed_out(server);
        Self { reason: Reason::Timeout, status: None, message: format!("no answer in {limit:?}"), failure }
    }
}

impl Cluster {
    /// Asks for a path; the answer is a success whose body is still to come. Not bounded in time: the caller
    /// bounds asking and reading together, with [`Self::in_time`].
    pub(super) async fn get(&self, path: &str, accept: &str) -> Result<Response<Body>, RequestError> {
        self.send(Request::get(path).header(ACCEPT, accept)).await
    }

    /// The same for a question with headers of its own.
    pub(super) async fn send(&self, request: Builder) -> Result<Response<Body>, RequestError> {
        let request = request.body(Body::empty());
        let request =
            request.map_err(|_| RequestError::unreadable(&self.server, "the path cannot be asked for"))?;
        let sent = Instant::now();
        let answer = self.client.send(request).await.map_err(|error| {
            let failure = failure::from_kube(&error, &self.server);
            let reason =
                if failure.kind() == FailureKind::Connection { Reason::Unavailable } else { Reason::Failed };
            RequestError { reason, status: None, message: failure.to_string(), failure }
        })?;
        self.clock.observe(&answer);
        let took = u64::try_from(sent.elapsed().as_micros()).unwrap_or(u64::MAX);
        self.min_latency.fetch_min(took, Ordering::Relaxed);
        self.is_http2.store(answer.version() == Version::HTTP_2, Ordering::Relaxed);
        if answer.status() == StatusCode::OK { Ok(answer) } else { Err(self.error_from(answer).await) }
    }

    /// Asks for a JSON document and reads it whole.
    pub(super) async fn get_json<T: DeserializeOwned>(
        &self,
        path: &str,
        accept: &str,
    ) -> Result<T, RequestError> {
        let bytes = self.get_bytes(path, accept).await?;
        serde_json::from_slice(&bytes).map_err(|_| self.not_json())
    }

    /// Asks for a document and gives its text.
    pub(super) async fn get_bytes(&self, path: &str, accept: &str) -> Result<Vec<u8>, RequestError> {
        self.with_timeout(async { self.read_body(self.get(path, accept).await?).await }).await
    }

    /// The text is not the JSON that was asked for.
    pub(super) fn not_json(&self) -> RequestError {
        RequestError::unreadable(&self.server, "not with the JSON asked for")
    }

    /// Reads a body to its end.
    pub(super) async fn read_body(&self, answer: Response<Body>) -> Result<Vec<u8>, RequestError> {
        match Limited::new(answer.into_body(), MAX_DOCUMENT_LEN).collect().await {
            Ok(body) => Ok(body.to_bytes().into()),
            Err(error) if error.is::<LengthLimitError>() => {
                Err(RequestError::unreadable(&self.server, "with more than can be read"))
            }
            Err(error) => Err(RequestError::broken(error.as_ref(), &self.server)),
        }
    }

    /// Bounds a question and its answer by `--request-timeout`.
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

    /// Names an answer that is not a success. Errors are JSON whatever was asked for, or plain text.
    async fn error_from(&self, answer: Response<Body>) -> RequestError {
        let code = answer.status().as_u16();
        let body = Limited::new(answer.into_body(), MAX_ERROR_LEN).collect().await;
        let bytes = body.map(Collected::to_bytes).unwrap_or_default();
        let status =
            serde_json::from_slice::<Status>(&bytes).ok().filter(|status| !status.message.is_empty());
        let reason = match code {
            401 | 403 => Reason::Forbidden,
            404 | 405 | 410 => Reason::NotFound,
            429 => Reason::Busy,
            503 => Reason::Unavailable,
            504 => Reason::Timeout,
            406 | 415 => Reason::Unreadable,
            _ => Reason::Failed,
        };
        // Somebody else's page says nothing about the cluster, and may be long.
        let message = status.as_ref().map_or_else(|| format!("HTTP {code}"), |status| status.message.clone());
        let failure = failure::from_status(&status.unwrap_or_default(), &self.server);
        RequestError { reason, status: Some(code), message, failure }
    }
}

/// The media type of an answer, without its parameters.
pub(super) fn media_type(answer: &Response<Body>) -> &str {
    let value = answer.headers().get(CONTENT_TYPE).and_then(|value| value.to_str().ok()).unwrap_or_default();
    value.split(';').next().unwrap_or_default().trim()
}
