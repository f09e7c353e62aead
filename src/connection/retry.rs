//! Which requests are retried: only reads, only when a retry may help, and never for long. kube's own policy also
//! repeats writes, does not see the body of an error, and does not retry after a lost connection.
//!
//! | response                                 | what happens                                               |
//! |------------------------------------------|------------------------------------------------------------|
//! | 429                                      | retried after `Retry-After`: at most three attempts and    |
//! |                                          | five seconds of waiting                                    |
//! | 429 of a list that cannot succeed        | returned: a conversion webhook is down                     |
//! | 503, 504                                 | retried once after a short delay                           |
//! | 503 `service unavailable` in plain text  | returned: an aggregated API is down                        |
//! | none: the connection was lost            | retried once                                               |
//! | 500 and all others                       | returned                                                   |

use std::error::Error;
use std::io;
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;

use http::{HeaderMap, Method, Request, Response, StatusCode, header};
use http_body_util::BodyExt as _;
use http_body_util::combinators::UnsyncBoxBody;
use hyper::body::{Body, Bytes, Frame, SizeHint};
use kube::client::Body as RequestBody;
use tower::{BoxError, Layer, Service, ServiceExt as _};

use super::client::{ResponseFuture, clone_request};
use super::proxy;

/// The maximum number of attempts.
const MAX_ATTEMPTS: u32 = 3;
/// The longest total delay of one request.
const MAX_TOTAL_DELAY: Duration = Duration::from_secs(5);
/// The delay after a 429 without `Retry-After`.
const DEFAULT_RETRY_AFTER: Duration = Duration::from_secs(1);
/// The delay after a 503 or 504 without `Retry-After`.
const UNAVAILABLE_DELAY: Duration = Duration::from_millis(250);
/// The longest delay after a 503 or 504.
const MAX_UNAVAILABLE_DELAY: Duration = Duration::from_secs(1);
/// The delay after a lost connection, and the shortest of all.
const MIN_DELAY: Duration = Duration::from_millis(100);
/// How much of an error's body is read to decide.
const PEEK_LIMIT: usize = 64 * 1024;

/// The body of a response, perhaps one that has been peeked into.
pub(super) type ResponseBody = UnsyncBoxBody<Bytes, BoxError>;

/// The attempts so far.
#[derive(Clone, Copy, Debug, Default)]
struct Attempts {
    count: u32,
    waited: Duration,
}

impl Attempts {
    /// Returns `delay` if one more attempt after it is within the limits.
    fn allows(self, delay: Duration) -> Option<Duration> {
        (self.count < MAX_ATTEMPTS && self.waited.saturating_add(delay) <= MAX_TOTAL_DELAY).then_some(delay)
    }
}

/// Whether this status may be retried; the body decides.
fn may_be_retryable(status: StatusCode) -> bool {
    matches!(
        status,
        StatusCode::TOO_MANY_REQUESTS | StatusCode::SERVICE_UNAVAILABLE | StatusCode::GATEWAY_TIMEOUT
    )
}

/// The delay before the next attempt; `None` returns the response.
fn retry_delay(status: StatusCode, headers: &HeaderMap, text: &str, attempts: Attempts) -> Option<Duration> {
    let retry_after =
        headers.get(header::RETRY_AFTER).and_then(|value| value.to_str().ok()?.trim().parse().ok());
    let retry_after = retry_after.map(Duration::from_secs);
    match status {
        StatusCode::TOO_MANY_REQUESTS => {
            // The server also sends 429 for a list that fails as long as a conversion webhook is down.
            let is_permanent = text.contains("failed to list") || text.contains("conversion webhook");
            attempts
                .allows(retry_after.unwrap_or(DEFAULT_RETRY_AFTER).max(MIN_DELAY))
                .filter(|_| !is_permanent)
        }
        StatusCode::SERVICE_UNAVAILABLE | StatusCode::GATEWAY_TIMEOUT => {
            let is_permanent = text.trim() == "service unavailable";
            let delay = retry_after.unwrap_or(UNAVAILABLE_DELAY).clamp(MIN_DELAY, MAX_UNAVAILABLE_DELAY);
            attempts.allows(delay).filter(|_| attempts.count < 2 && !is_permanent)
        }
        _ => None,
    }
}

/// The delay after a response with this status and `Retry-After`, for tests/fuzz.
pub fn delay_for_header(status: u16, retry_after: &[u8], text: &str) -> Option<Duration> {
    let mut headers = HeaderMap::new();
    headers.insert(header::RETRY_AFTER, header::HeaderValue::from_bytes(retry_after).ok()?);
    let attempts = Attempts { count: 1, waited: Duration::ZERO };
    retry_delay(StatusCode::from_u16(status).ok()?, &headers, text, attempts)
}

/// The delay before the next attempt after an error; `None` returns the error.
fn retry_delay_after_error(error: &BoxError, attempts: Attempts) -> Option<Duration> {
    (attempts.count < 2 && is_connection_lost(error.as_ref())).then_some(MIN_DELAY)
}

/// Whether an established connection, or one in its handshake, was lost.
fn is_connection_lost(error: &(dyn Error + 'static)) -> bool {
    use io::ErrorKind as Kind;
    let mut cause = Some(error);
    let mut was_connected = false;
    while let Some(error) = cause {
        if error.is::<proxy::ProxyError>() || error.is::<rustls::Error>() {
            return false;
        }
        if let Some(error) = error.downcast_ref::<hyper_util::client::legacy::Error>() {
            was_connected = !error.is_connect();
        }
        if let Some(error) = error.downcast_ref::<hyper::Error>() {
            // A response that is not HTTP, or none in time: a retry would not help.
            return was_connected && !error.is_parse() && !error.is_timeout();
        }
        if let Some(error) = error.downcast_ref::<io::Error>() {
            if matches!(
                error.kind(),
                Kind::ConnectionReset | Kind::ConnectionAborted | Kind::BrokenPipe | Kind::UnexpectedEof
            ) {
                return true;
            }
            if let Some(inner) = error.get_ref() {
                cause = Some(inner);
                continue;
            }
        }
        cause = error.source();
    }
    was_connected
}

/// The layer of [`RetryService`].
#[derive(Clone, Copy)]
pub(super) struct RetryLayer;

impl<S> Layer<S> for RetryLayer {
    type Service = RetryService<S>;

    fn layer(&self, inner: S) -> RetryService<S> {
        RetryService(inner)
    }
}

/// Retries reads.
#[derive(Clone)]
pub(super) struct RetryService<S>(S);

impl<S, B> Service<Request<RequestBody>> for RetryService<S>
where
    S: Service<Request<RequestBody>, Response = Response<B>, Error = BoxError> + Clone + Send + 'static,
    S::Future: Send,
    B: Body<Data = Bytes> + Send + Unpin + 'static,
    B::Error: Into<BoxError>,
{
    type Response = Response<ResponseBody>;
    type Error = BoxError;
    type Future = ResponseFuture<ResponseBody>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), BoxError>> {
        // Every attempt uses a clone, and `oneshot` waits until that is ready.
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, request: Request<RequestBody>) -> ResponseFuture<ResponseBody> {
        let service = self.0.clone();
        if request.method() == Method::GET {
            Box::pin(send_with_retries(service, request))
        } else {
            Box::pin(async move { Ok(service.oneshot(request).await?.map(boxed_body)) })
        }
    }
}

async fn send_with_retries<S, B>(
    service: S,
    request: Request<RequestBody>,
) -> Result<Response<ResponseBody>, BoxError>
where
    S: Service<Request<RequestBody>, Response = Response<B>, Error = BoxError> + Clone,
    B: Body<Data = Bytes> + Send + Unpin + 'static,
    B::Error: Into<BoxError>,
{
    let mut attempts = Attempts::default();
    let mut next = Some(request);
    // A body that can be read only once allows one attempt.
    while let Some(request) = next.take() {
        next = clone_request(&request);
        attempts.count += 1;
        let delay = match service.clone().oneshot(request).await {
            Ok(response) if next.is_some() && may_be_retryable(response.status()) => {
                let (response, text) = peek_body(response).await?;
                match retry_delay(response.status(), response.headers(), &text, attempts) {
                    Some(delay) => delay,
                    None => return Ok(response),
                }
            }
            Ok(response) => return Ok(response.map(boxed_body)),
            Err(error) => match retry_delay_after_error(&error, attempts).filter(|_| next.is_some()) {
                Some(delay) => delay,
                None => return Err(error),
            },
        };
        attempts.waited = attempts.waited.saturating_add(delay);
        tokio::time::sleep(delay).await;
    }
    unreachable!("the loop only waits when there is a next attempt")
}

/// Reads the beginning of a body, and returns it with a response whose body is still complete.
async fn peek_body<B>(response: Response<B>) -> Result<(Response<ResponseBody>, String), BoxError>
where
    B: Body<Data = Bytes> + Send + Unpin + 'static,
    B::Error: Into<BoxError>,
{
    let (parts, mut rest) = response.into_parts();
    let mut read = Vec::new();
    while read.len() < PEEK_LIMIT {
        match rest.frame().await {
            Some(frame) => {
                if let Ok(data) = frame.map_err(Into::into)?.into_data() {
                    read.extend_from_slice(&data);
                }
            }
            None => break,
        }
    }
    let text = String::from_utf8_lossy(&read).into_owned();
    let body = PeekedBody { peeked: Some(Bytes::from(read)).filter(|read| !read.is_empty()), rest };
    Ok((Response::from_parts(parts, boxed_body(body)), text))
}

fn boxed_body<B>(body: B) -> ResponseBody
where
    B: Body<Data = Bytes> + Send + 'static,
    B::Error: Into<BoxError>,
{
    body.map_err(Into::into).boxed_unsync()
}

/// A body whose beginning has already been read.
struct PeekedBody<B> {
    peeked: Option<Bytes>,
    rest: B,
}

impl<B: Body<Data = Bytes> + Unpin> Body for PeekedBody<B> {
    type Data = Bytes;
    type Error = B::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, B::Error>>> {
        if let Some(peeked) = self.peeked.take() {
            return Poll::Ready(Some(Ok(Frame::data(peeked))));
        }
        if self.rest.is_end_stream() {
            return Poll::Ready(None);
        }
        Pin::new(&mut self.rest).poll_frame(cx)
    }

    fn is_end_stream(&self) -> bool {
        self.peeked.is_none() && self.rest.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        // The hint of the rest does not include what was read.
        SizeHint::default()
    }
}

#[cfg(test)]
mod tests {
    use std::sync::{Arc, Mutex};

    use http_body_util::Full;
    use tower::service_fn;

    use super::*;

    const DEAD_CONVERSION: &str =
        "storage is (re)initializing: failed to list: conversion webhook for a/v1 failed";

    #[test]
    fn decisions() {
        // status, Retry-After, text, attempts so far, seconds waited so far -> delay
        type Row = (u16, Option<&'static str>, &'static str, u32, u64, Option<Duration>);
        let seconds = |seconds| Some(Duration::from_secs(seconds));
        let table: &[Row] = &[
            (429, Some("2"), "storage is (re)initializing", 1, 0, seconds(2)),
            (429, Some("2"), "", 2, 2, seconds(2)),
            (429, Some("2"), "", 2, 4, None),
            (429, Some("1"), "", 3, 2, None),
            (429, Some("26"), "", 1, 0, None),
            (429, Some("0"), "", 1, 0, Some(MIN_DELAY)),
            (429, Some("Wed, 21 Oct 2015 07:28:00 GMT"), "", 1, 0, Some(DEFAULT_RETRY_AFTER)),
            (429, None, "Too many requests, please try again later.", 1, 0, Some(DEFAULT_RETRY_AFTER)),
            (429, Some("1"), DEAD_CONVERSION, 1, 0, None),
            (429, Some("1"), "conversion webhook for a/v1 failed", 1, 0, None),
            (503, Some("1"), "apiserver is shutting down", 1, 0, seconds(1)),
            (503, Some("1"), "apiserver is shutting down", 2, 1, None),
            (503, Some("30"), "", 1, 0, Some(MAX_UNAVAILABLE_DELAY)),
            (503, None, "service unavailable\n", 1, 0, None),
            (503, None, "<html>", 1, 0, Some(UNAVAILABLE_DELAY)),
            (504, None, "", 1, 0, Some(UNAVAILABLE_DELAY)),
            (504, None, "", 2, 1, None),
            (500, Some("1"), "", 1, 0, None),
            (502, None, "", 1, 0, None),
            (200, None, "", 1, 0, None),
            (401, None, "", 1, 0, None),
        ];
        for row in table {
            let (status, retry_after, text, count, waited, expected) = *row;
            let mut headers = HeaderMap::new();
            if let Some(retry_after) = retry_after {
                headers.insert(header::RETRY_AFTER, retry_after.parse().unwrap());
            }
            let attempts = Attempts { count, waited: Duration::from_secs(waited) };
            let delay = retry_delay(StatusCode::from_u16(status).unwrap(), &headers, text, attempts);
            assert_eq!(delay, expected, "{row:?}");
        }
    }

    #[test]
    fn only_a_lost_connection_is_retried() {
        let io = |kind: io::ErrorKind| -> BoxError { Box::new(io::Error::other(io::Error::from(kind))) };
        for kind in [io::ErrorKind::ConnectionReset, io::ErrorKind::UnexpectedEof, io::ErrorKind::BrokenPipe]
        {
            assert!(is_connection_lost(io(kind).as_ref()), "{kind}");
        }
        for kind in [io::ErrorKind::ConnectionRefused, io::ErrorKind::TimedOut, io::ErrorKind::NotFound] {
            assert!(!is_connection_lost(io(kind).as_ref()), "{kind}");
        }
        let once = Attempts { count: 2, ..Attempts::default() };
        assert_eq!(retry_delay_after_error(&io(io::ErrorKind::ConnectionReset), once), None);
    }

    /// Sends one request to a server with these responses; returns status, text, and the number of requests.
    async fn send(method: Method, responses: Vec<(u16, &'static str)>) -> (u16, String, usize) {
        let requests = Arc::new(Mutex::new(0));
        let counter = Arc::clone(&requests);
        let server = service_fn(move |_: Request<RequestBody>| {
            let mut requests = counter.lock().unwrap();
            let (status, text) = responses[(*requests).min(responses.len() - 1)];
            *requests += 1;
            let response =
                Response::builder().status(status).header("retry-after", "0").body(Full::from(text));
            std::future::ready(response.map_err(BoxError::from))
        });
        let request = Request::builder().method(method).uri("/").body(RequestBody::empty()).unwrap();
        let response = RetryLayer.layer(server).oneshot(request).await.unwrap();
        let status = response.status().as_u16();
        let text = response.into_body().collect().await.unwrap().to_bytes();
        let count = *requests.lock().unwrap();
        (status, String::from_utf8_lossy(&text).into_owned(), count)
    }

    #[tokio::test]
    async fn responses_are_complete_after_any_number_of_attempts() {
        let row = |status, text: &str, count| (status, text.to_owned(), count);
        assert_eq!(send(Method::GET, vec![(429, "wait"), (200, "fine")]).await, row(200, "fine", 2));
        assert_eq!(send(Method::GET, vec![(429, "wait")]).await, row(429, "wait", 3));
        assert_eq!(send(Method::GET, vec![(429, DEAD_CONVERSION)]).await, row(429, DEAD_CONVERSION, 1));
        assert_eq!(send(Method::GET, vec![(503, "down")]).await, row(503, "down", 2));
        assert_eq!(
            send(Method::GET, vec![(503, "service unavailable\n")]).await,
            row(503, "service unavailable\n", 1)
        );
        assert_eq!(send(Method::GET, vec![(500, "no")]).await, row(500, "no", 1));
        for method in [Method::PATCH, Method::PUT, Method::POST, Method::DELETE] {
            assert_eq!(send(method, vec![(429, "wait")]).await, row(429, "wait", 1));
        }
    }

    #[test]
    fn an_absurd_delay_is_no_delay() {
        let mut headers = HeaderMap::new();
        headers.insert(header::RETRY_AFTER, u64::MAX.to_string().parse().unwrap());
        for waited in [Duration::ZERO, Duration::from_secs(1)] {
            let attempts = Attempts { count: 1, waited };
            assert_eq!(retry_delay(StatusCode::TOO_MANY_REQUESTS, &headers, "", attempts), None);
        }
    }

    /// A body whose first frame is there and whose second one never arrives.
    struct PendingBody(Option<Bytes>);

    impl Body for PendingBody {
        type Data = Bytes;
        type Error = BoxError;

        fn poll_frame(
            mut self: Pin<&mut Self>,
            _: &mut Context<'_>,
        ) -> Poll<Option<Result<Frame<Bytes>, BoxError>>> {
            self.0.take().map_or(Poll::Pending, |bytes| Poll::Ready(Some(Ok(Frame::data(bytes)))))
        }
    }

    #[tokio::test]
    async fn a_body_is_streamed() {
        let server = service_fn(|_: Request<RequestBody>| {
            let response = Response::new(PendingBody(Some(Bytes::from_static(b"first"))));
            std::future::ready(Ok::<_, BoxError>(response))
        });
        let response = RetryLayer
            .layer(server)
            .oneshot(Request::get("/").body(RequestBody::empty()).unwrap())
            .await
            .unwrap();
        let first = response.into_body().frame().await.unwrap().unwrap().into_data().unwrap();
        assert_eq!(first, "first");
    }

    #[tokio::test]
    async fn only_the_beginning_of_a_long_error_is_read() {
        let long = "x".repeat(3 * PEEK_LIMIT);
        let (response, text) = peek_body(Response::new(Full::<Bytes>::from(long.clone()))).await.unwrap();
        assert!(text.len() >= PEEK_LIMIT);
        assert_eq!(response.into_body().collect().await.unwrap().to_bytes(), long);
        let pending =
            peek_body(Response::new(PendingBody(Some(Bytes::from(vec![b'x'; PEEK_LIMIT]))))).await.unwrap();
        assert_eq!(pending.1.len(), PEEK_LIMIT);
    }
}
