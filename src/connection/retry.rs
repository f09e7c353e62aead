//! When a request is sent once more: rarely, only if it reads, and never for long.
//!
//! | answer                                  | what is done                                          |
//! |-----------------------------------------|-------------------------------------------------------|
//! | 429                                     | waits as told, three tries and five seconds in all    |
//! | 429 of a list that can never work       | handed on: a conversion webhook is dead               |
//! | 503, 504                                | once more after a short pause                         |
//! | 503 `service unavailable` as plain text | handed on: an aggregated API is dead                  |
//! | none: the connection broke              | once more                                             |
//! | 500 and all others                      | handed on                                             |

use std::error::Error;
use std::io;
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;

use http::{HeaderMap, Method, Request, Response, StatusCode, header};
use http_body_util::BodyExt as _;
use http_body_util::combinators::UnsyncBoxBody;
use hyper::body::{Body, Bytes, Frame, SizeHint};
use kube::client::Body as Ask;
use tower::{BoxError, Layer, Service, ServiceExt as _};

use super::client::{Answering, copy};
use super::proxy;

/// How often a request is sent at most.
const TRIES: u32 = 3;
/// How long one request waits at most, all its pauses together.
const PATIENCE: Duration = Duration::from_secs(5);
/// The pause after a 429 that names none.
const UNTOLD: Duration = Duration::from_secs(1);
/// The pause after 503 and 504 that name none, and the longest one that they may name.
const SHORT: Duration = Duration::from_millis(250);
const SHORT_AT_MOST: Duration = Duration::from_secs(1);
/// The pause after a broken connection.
const BREATH: Duration = Duration::from_millis(100);
/// As much of an error's body is looked into.
const GLANCE: usize = 64 * 1024;

/// An answer's body, perhaps with its beginning already read.
pub(super) type Payload = UnsyncBoxBody<Bytes, BoxError>;

/// What the tries so far came to.
#[derive(Clone, Copy, Debug, Default)]
struct Tried {
    times: u32,
    waited: Duration,
}

impl Tried {
    /// Whether there is time for one more pause.
    fn allows(self, pause: Duration) -> Option<Duration> {
        (self.times < TRIES && self.waited + pause <= PATIENCE).then_some(pause)
    }
}

/// Whether the text of an error has to be known to decide.
fn is_worth_a_look(status: StatusCode) -> bool {
    matches!(
        status,
        StatusCode::TOO_MANY_REQUESTS | StatusCode::SERVICE_UNAVAILABLE | StatusCode::GATEWAY_TIMEOUT
    )
}

/// The pause before the next try; `None` hands the answer on.
fn pause_after(status: StatusCode, headers: &HeaderMap, text: &str, tried: Tried) -> Option<Duration> {
    let told = headers.get(header::RETRY_AFTER).and_then(|value| value.to_str().ok()?.trim().parse().ok());
    let told = told.map(Duration::from_secs);
    match status {
        StatusCode::TOO_MANY_REQUESTS => {
            // The server says "again later" of a list that fails for as long as a conversion webhook is dead.
            let never = text.contains("failed to list") || text.contains("conversion webhook");
            tried.allows(told.unwrap_or(UNTOLD).max(BREATH)).filter(|_| !never)
        }
        StatusCode::SERVICE_UNAVAILABLE | StatusCode::GATEWAY_TIMEOUT => {
            let dead = text.trim() == "service unavailable";
            let pause = told.unwrap_or(SHORT).clamp(BREATH, SHORT_AT_MOST);
            tried.allows(pause).filter(|_| tried.times < 2 && !dead)
        }
        _ => None,
    }
}

/// The pause before the next try after no answer at all; `None` hands the error on.
fn pause_after_error(error: &BoxError, tried: Tried) -> Option<Duration> {
    (tried.times < 2 && is_broken(error.as_ref())).then_some(BREATH)
}

/// Whether a connection broke that had been made, or nearly.
fn is_broken(error: &(dyn Error + 'static)) -> bool {
    use io::ErrorKind as Kind;
    let mut cause = Some(error);
    let mut was_up = false;
    while let Some(error) = cause {
        if error.is::<proxy::Trouble>() || error.is::<rustls::Error>() {
            return false;
        }
        if let Some(error) = error.downcast_ref::<hyper_util::client::legacy::Error>() {
            was_up = !error.is_connect();
        }
        if let Some(error) = error.downcast_ref::<hyper::Error>() {
            // What was said is no HTTP, or nothing was said: neither gets better.
            return was_up && !error.is_parse() && !error.is_timeout();
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
    was_up
}

/// Puts the retries around a service.
#[derive(Clone, Copy)]
pub(super) struct Retries;

impl<S> Layer<S> for Retries {
    type Service = Retry<S>;

    fn layer(&self, inner: S) -> Retry<S> {
        Retry(inner)
    }
}

/// Requests through here may be sent again.
#[derive(Clone)]
pub(super) struct Retry<S>(S);

impl<S, B> Service<Request<Ask>> for Retry<S>
where
    S: Service<Request<Ask>, Response = Response<B>, Error = BoxError> + Clone + Send + 'static,
    S::Future: Send,
    B: Body<Data = Bytes> + Send + Unpin + 'static,
    B::Error: Into<BoxError>,
{
    type Response = Response<Payload>;
    type Error = BoxError;
    type Future = Answering<Payload>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), BoxError>> {
        // Every try asks a clone, which waits by itself.
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, request: Request<Ask>) -> Answering<Payload> {
        let service = self.0.clone();
        if request.method() == Method::GET {
            Box::pin(patiently(service, request))
        } else {
            Box::pin(async move { Ok(service.oneshot(request).await?.map(boxed)) })
        }
    }
}

async fn patiently<S, B>(service: S, request: Request<Ask>) -> Result<Response<Payload>, BoxError>
where
    S: Service<Request<Ask>, Response = Response<B>, Error = BoxError> + Clone,
    B: Body<Data = Bytes> + Send + Unpin + 'static,
    B::Error: Into<BoxError>,
{
    let mut tried = Tried::default();
    let mut next = Some(request);
    // A body that can be read only once allows one try.
    while let Some(request) = next.take() {
        next = copy(&request);
        tried.times += 1;
        let pause = match service.clone().oneshot(request).await {
            Ok(answer) if next.is_some() && is_worth_a_look(answer.status()) => {
                let (answer, text) = glance(answer).await?;
                match pause_after(answer.status(), answer.headers(), &text, tried) {
                    Some(pause) => pause,
                    None => return Ok(answer),
                }
            }
            Ok(answer) => return Ok(answer.map(boxed)),
            Err(error) => match pause_after_error(&error, tried).filter(|_| next.is_some()) {
                Some(pause) => pause,
                None => return Err(error),
            },
        };
        tried.waited += pause;
        tokio::time::sleep(pause).await;
    }
    unreachable!("a next try is waited for only when there is one")
}

/// Reads the beginning of an error's body, and gives the answer back as if nobody had.
async fn glance<B>(answer: Response<B>) -> Result<(Response<Payload>, String), BoxError>
where
    B: Body<Data = Bytes> + Send + Unpin + 'static,
    B::Error: Into<BoxError>,
{
    let (parts, mut rest) = answer.into_parts();
    let mut read = Vec::new();
    while read.len() < GLANCE {
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
    let body = Resumed { read: Some(Bytes::from(read)).filter(|read| !read.is_empty()), rest };
    Ok((Response::from_parts(parts, boxed(body)), text))
}

fn boxed<B>(body: B) -> Payload
where
    B: Body<Data = Bytes> + Send + 'static,
    B::Error: Into<BoxError>,
{
    body.map_err(Into::into).boxed_unsync()
}

/// A body whose beginning has been read already.
struct Resumed<B> {
    read: Option<Bytes>,
    rest: B,
}

impl<B: Body<Data = Bytes> + Unpin> Body for Resumed<B> {
    type Data = Bytes;
    type Error = B::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, B::Error>>> {
        if let Some(read) = self.read.take() {
            return Poll::Ready(Some(Ok(Frame::data(read))));
        }
        if self.rest.is_end_stream() {
            return Poll::Ready(None);
        }
        Pin::new(&mut self.rest).poll_frame(cx)
    }

    fn is_end_stream(&self) -> bool {
        self.read.is_none() && self.rest.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        // The rest's hint does not count what was read.
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
        // status, Retry-After, text, tries so far, seconds waited so far -> pause
        type Row = (u16, Option<&'static str>, &'static str, u32, u64, Option<Duration>);
        let seconds = |seconds| Some(Duration::from_secs(seconds));
        let table: &[Row] = &[
            (429, Some("2"), "storage is (re)initializing", 1, 0, seconds(2)),
            (429, Some("2"), "", 2, 2, seconds(2)),
            (429, Some("2"), "", 2, 4, None),
            (429, Some("1"), "", 3, 2, None),
            (429, Some("26"), "", 1, 0, None),
            (429, Some("0"), "", 1, 0, Some(BREATH)),
            (429, Some("Wed, 21 Oct 2015 07:28:00 GMT"), "", 1, 0, Some(UNTOLD)),
            (429, None, "Too many requests, please try again later.", 1, 0, Some(UNTOLD)),
            (429, Some("1"), DEAD_CONVERSION, 1, 0, None),
            (429, Some("1"), "conversion webhook for a/v1 failed", 1, 0, None),
            (503, Some("1"), "apiserver is shutting down", 1, 0, seconds(1)),
            (503, Some("1"), "apiserver is shutting down", 2, 1, None),
            (503, Some("30"), "", 1, 0, Some(SHORT_AT_MOST)),
            (503, None, "service unavailable\n", 1, 0, None),
            (503, None, "<html>", 1, 0, Some(SHORT)),
            (504, None, "", 1, 0, Some(SHORT)),
            (504, None, "", 2, 1, None),
            (500, Some("1"), "", 1, 0, None),
            (502, None, "", 1, 0, None),
            (200, None, "", 1, 0, None),
            (401, None, "", 1, 0, None),
        ];
        for row in table {
            let (status, told, text, times, waited, expected) = *row;
            let mut headers = HeaderMap::new();
            if let Some(told) = told {
                headers.insert(header::RETRY_AFTER, told.parse().unwrap());
            }
            let tried = Tried { times, waited: Duration::from_secs(waited) };
            let pause = pause_after(StatusCode::from_u16(status).unwrap(), &headers, text, tried);
            assert_eq!(pause, expected, "{row:?}");
        }
    }

    #[test]
    fn only_a_connection_that_broke_is_made_again() {
        let io = |kind: io::ErrorKind| -> BoxError { Box::new(io::Error::other(io::Error::from(kind))) };
        for kind in [io::ErrorKind::ConnectionReset, io::ErrorKind::UnexpectedEof, io::ErrorKind::BrokenPipe]
        {
            assert!(is_broken(io(kind).as_ref()), "{kind}");
        }
        for kind in [io::ErrorKind::ConnectionRefused, io::ErrorKind::TimedOut, io::ErrorKind::NotFound] {
            assert!(!is_broken(io(kind).as_ref()), "{kind}");
        }
        let once = Tried { times: 2, ..Tried::default() };
        assert_eq!(pause_after_error(&io(io::ErrorKind::ConnectionReset), once), None);
    }

    /// Sends one request to a server that gives these answers; the answer, its text, and how often it was asked.
    async fn ask(method: Method, answers: Vec<(u16, &'static str)>) -> (u16, String, usize) {
        let asked = Arc::new(Mutex::new(0));
        let count = Arc::clone(&asked);
        let server = service_fn(move |_: Request<Ask>| {
            let mut asked = count.lock().unwrap();
            let (status, text) = answers[(*asked).min(answers.len() - 1)];
            *asked += 1;
            let answer = Response::builder().status(status).header("retry-after", "0").body(Full::from(text));
            std::future::ready(answer.map_err(BoxError::from))
        });
        let request = Request::builder().method(method).uri("/").body(Ask::empty()).unwrap();
        let answer = Retries.layer(server).oneshot(request).await.unwrap();
        let status = answer.status().as_u16();
        let text = answer.into_body().collect().await.unwrap().to_bytes();
        let times = *asked.lock().unwrap();
        (status, String::from_utf8_lossy(&text).into_owned(), times)
    }

    #[tokio::test]
    async fn answers_arrive_whole_however_often_they_were_asked_for() {
        let row = |status, text: &str, times| (status, text.to_owned(), times);
        assert_eq!(ask(Method::GET, vec![(429, "wait"), (200, "fine")]).await, row(200, "fine", 2));
        assert_eq!(ask(Method::GET, vec![(429, "wait")]).await, row(429, "wait", 3));
        assert_eq!(ask(Method::GET, vec![(429, DEAD_CONVERSION)]).await, row(429, DEAD_CONVERSION, 1));
        assert_eq!(ask(Method::GET, vec![(503, "down")]).await, row(503, "down", 2));
        assert_eq!(
            ask(Method::GET, vec![(503, "service unavailable\n")]).await,
            row(503, "service unavailable\n", 1)
        );
        assert_eq!(ask(Method::GET, vec![(500, "no")]).await, row(500, "no", 1));
        for method in [Method::PATCH, Method::PUT, Method::POST, Method::DELETE] {
            assert_eq!(ask(method, vec![(429, "wait")]).await, row(429, "wait", 1));
        }
    }

    /// A body whose first piece has come and whose next one never does.
    struct Endless(Option<Bytes>);

    impl Body for Endless {
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
    async fn a_body_is_read_while_it_arrives() {
        let server = service_fn(|_: Request<Ask>| {
            let answer = Response::new(Endless(Some(Bytes::from_static(b"first"))));
            std::future::ready(Ok::<_, BoxError>(answer))
        });
        let answer =
            Retries.layer(server).oneshot(Request::get("/").body(Ask::empty()).unwrap()).await.unwrap();
        let first = answer.into_body().frame().await.unwrap().unwrap().into_data().unwrap();
        assert_eq!(first, "first");
    }

    #[tokio::test]
    async fn of_a_long_error_only_the_beginning_is_looked_at() {
        let long = "x".repeat(3 * GLANCE);
        let (answer, text) = glance(Response::new(Full::<Bytes>::from(long.clone()))).await.unwrap();
        assert!(text.len() >= GLANCE);
        assert_eq!(answer.into_body().collect().await.unwrap().to_bytes(), long);
        let endless = glance(Response::new(Endless(Some(Bytes::from(vec![b'x'; GLANCE]))))).await.unwrap();
        assert_eq!(endless.1.len(), GLANCE);
    }
}
