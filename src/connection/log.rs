//! `-v`: a line for every request that goes out. Never a token, never a body.

use std::fmt::Write as _;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Instant;

use http::{HeaderMap, Method, Request, Response, Uri, header};
use tower::{BoxError, Layer, Service};

use super::client::ResponseFuture;

/// From here on, requests are logged.
const REQUEST_LEVEL: u8 = 6;
/// From here on, the answers' headers are too.
const HEADER_LEVEL: u8 = 8;

/// Where the log goes and how much of it. The default is silent.
#[derive(Clone, Default)]
pub struct Log {
    level: u8,
    sink: Option<Sink>,
}

type Sink = Arc<dyn Fn(&str) + Send + Sync>;

impl Log {
    /// A log at `-v LEVEL` that hands its lines to `say`, which makes them harmless.
    pub fn new(level: u8, sink: impl Fn(&str) + Send + Sync + 'static) -> Self {
        Self { level, sink: Some(Arc::new(sink)) }
    }

    /// Says something about how the connection is made.
    pub(super) fn write(&self, line: impl FnOnce() -> String) {
        if let (Some(sink), true) = (&self.sink, self.level >= REQUEST_LEVEL) {
            sink(&line());
        }
    }

    fn log_response<B>(&self, request: &LoggedRequest, response: &Result<Response<B>, BoxError>) {
        let Some(sink) = self.sink.as_ref().filter(|_| self.level >= REQUEST_LEVEL) else { return };
        match response {
            Ok(response) => {
                sink(&request.line(&response.status().to_string()));
                if self.level >= HEADER_LEVEL {
                    for line in header_lines(response.headers()) {
                        sink(&line);
                    }
                }
            }
            // Why is said at the end, once, in words; here it may hold more than should be shown.
            Err(_) => sink(&request.line("no answer")),
        }
    }
}

/// A request, as far as a log may know it.
struct LoggedRequest {
    method: Method,
    url: String,
    started: Instant,
}

impl LoggedRequest {
    fn line(&self, outcome: &str) -> String {
        format!("{} {} {outcome} in {} ms", self.method, self.url, self.started.elapsed().as_millis())
    }
}

/// The address without user and password.
fn redacted_url(uri: &Uri) -> String {
    let mut text = String::new();
    if let (Some(scheme), Some(authority)) = (uri.scheme_str(), uri.authority()) {
        let host = authority.as_str().rsplit('@').next().unwrap_or_default();
        // Writing to a String cannot fail.
        let _ = write!(text, "{scheme}://{host}");
    }
    text + uri.path_and_query().map_or("/", |path| path.as_str())
}

fn header_lines(headers: &HeaderMap) -> Vec<String> {
    let line = |(name, value): (&http::HeaderName, &http::HeaderValue)| {
        let hidden = value.is_sensitive()
            || [header::SET_COOKIE, header::AUTHORIZATION, header::WWW_AUTHENTICATE].contains(name);
        let value = if hidden { "<hidden>".into() } else { String::from_utf8_lossy(value.as_bytes()) };
        format!("    {name}: {value}")
    };
    headers.iter().map(line).collect()
}

/// Puts the log around a service.
pub(super) struct LogLayer(pub(super) Log);

impl<S> Layer<S> for LogLayer {
    type Service = LogService<S>;

    fn layer(&self, inner: S) -> LogService<S> {
        LogService { inner, log: self.0.clone() }
    }
}

/// Requests through here are logged, each try by itself.
#[derive(Clone)]
pub(super) struct LogService<S> {
    inner: S,
    log: Log,
}

impl<S, A, B> Service<Request<A>> for LogService<S>
where
    S: Service<Request<A>, Response = Response<B>, Error = BoxError>,
    S::Future: Send + 'static,
    B: Send,
{
    type Response = Response<B>;
    type Error = BoxError;
    type Future = ResponseFuture<B>;

    fn poll_ready(&mut self, cx: &mut Context<'_>) -> Poll<Result<(), BoxError>> {
        self.inner.poll_ready(cx)
    }

    fn call(&mut self, request: Request<A>) -> ResponseFuture<B> {
        if self.log.level < REQUEST_LEVEL {
            return Box::pin(self.inner.call(request));
        }
        let logged = LoggedRequest {
            method: request.method().clone(),
            url: redacted_url(request.uri()),
            started: Instant::now(),
        };
        let (log, response) = (self.log.clone(), self.inner.call(request));
        Box::pin(async move {
            let response = response.await;
            log.log_response(&logged, &response);
            response
        })
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Mutex;

    use super::*;

    fn lines(level: u8) -> Vec<String> {
        let lines = Arc::new(Mutex::new(Vec::new()));
        let written = Arc::clone(&lines);
        let log = Log::new(level, move |line| written.lock().unwrap().push(line.to_owned()));
        let request = LoggedRequest {
            method: Method::GET,
            url: redacted_url(&Uri::from_static("https://me:s3cr3t@a:6443/api?limit=5")),
            started: Instant::now(),
        };
        let response =
            Response::builder().header("date", "today").header("set-cookie", "s3cr3t").body(()).unwrap();
        log.log_response(&request, &Ok(response));
        log.log_response::<()>(&request, &Err("s3cr3t".into()));
        lines.lock().unwrap().clone()
    }

    #[test]
    fn each_level_says_what_it_promises_and_no_secret() {
        assert_eq!(lines(5), Vec::<String>::new());
        let six = lines(6);
        assert_eq!(six.len(), 2, "{six:?}");
        assert!(six[0].starts_with("GET https://a:6443/api?limit=5 200 OK in "), "{six:?}");
        assert!(six[1].starts_with("GET https://a:6443/api?limit=5 no answer in "), "{six:?}");
        let eight = lines(8);
        assert_eq!(&eight[1..3], ["    date: today", "    set-cookie: <hidden>"]);
        assert!(!eight.join("\n").contains("s3cr3t"));
    }
}
