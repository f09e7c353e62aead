//! `-v`: one line for every request that is sent. Never a token, never a body.

use std::fmt::Write as _;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Instant;

use http::{HeaderMap, Method, Request, Response, Uri, header};
use tower::{BoxError, Layer, Service};

use super::client::ResponseFuture;

/// The level from which requests are logged.
const REQUEST_LEVEL: u8 = 6;
/// The level from which response headers are logged.
const HEADER_LEVEL: u8 = 8;

/// A log and its level. The default logs nothing.
#[derive(Clone, Default)]
pub struct Log {
    level: u8,
    sink: Option<Sink>,
}

type Sink = Arc<dyn Fn(&str) + Send + Sync>;

impl Log {
    /// A log at `-v LEVEL` that passes its lines to `sink`, which escapes them.
    pub fn new(level: u8, sink: impl Fn(&str) + Send + Sync + 'static) -> Self {
        Self { level, sink: Some(Arc::new(sink)) }
    }

    /// Writes a line about how the connection is made.
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
            // The error is reported at the end; its text may contain a secret.
            Err(_) => sink(&request.line("no response")),
        }
    }
}

/// The parts of a request that are logged.
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

/// The URL without user and password.
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

/// The layer of [`LogService`].
pub(super) struct LogLayer(pub(super) Log);

impl<S> Layer<S> for LogLayer {
    type Service = LogService<S>;

    fn layer(&self, inner: S) -> LogService<S> {
        LogService { inner, log: self.0.clone() }
    }
}

/// Logs every request, each attempt on its own.
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
    fn each_level_logs_its_lines_and_no_secret() {
        assert_eq!(lines(5), Vec::<String>::new());
        let six = lines(6);
        assert_eq!(six.len(), 2, "{six:?}");
        assert!(six[0].starts_with("GET https://a:6443/api?limit=5 200 OK in "), "{six:?}");
        assert!(six[1].starts_with("GET https://a:6443/api?limit=5 no response in "), "{six:?}");
        let eight = lines(8);
        assert_eq!(&eight[1..3], ["    date: today", "    set-cookie: <hidden>"]);
        assert!(!eight.join("\n").contains("s3cr3t"));
    }
}
