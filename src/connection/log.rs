//! `-v`: a line for every request that goes out. Never a token, never a body.

use std::fmt::Write as _;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::{Duration, Instant};

use http::{HeaderMap, Method, Request, Response, Uri, header};
use tower::{BoxError, Layer, Service};

use super::client::Answering;

/// From here on, requests are logged.
const REQUESTS: u8 = 6;
/// From here on, the answers' headers are too.
const HEADERS: u8 = 8;

/// Where the log goes and how much of it. The default is silent.
#[derive(Clone, Default)]
pub struct Log {
    level: u8,
    say: Option<Say>,
}

type Say = Arc<dyn Fn(&str) + Send + Sync>;

impl Log {
    /// A log at `-v LEVEL` that hands its lines to `say`, which makes them harmless.
    pub fn new(level: u8, say: impl Fn(&str) + Send + Sync + 'static) -> Self {
        Self { level, say: Some(Arc::new(say)) }
    }

    /// Says something about how the connection is made.
    pub(super) fn note(&self, line: impl FnOnce() -> String) {
        if let (Some(say), true) = (&self.say, self.level >= REQUESTS) {
            say(&line());
        }
    }

    fn answered<B>(&self, asked: &Asked, answer: &Result<Response<B>, BoxError>) {
        let Some(say) = self.say.as_ref().filter(|_| self.level >= REQUESTS) else { return };
        match answer {
            Ok(answer) => {
                say(&asked.line(&answer.status().to_string()));
                if self.level >= HEADERS {
                    for line in headers(answer.headers()) {
                        say(&line);
                    }
                }
            }
            // Why is said at the end, once, in words; here it may hold more than should be shown.
            Err(_) => say(&asked.line("no answer")),
        }
    }
}

/// A request, as far as a log may know it.
struct Asked {
    method: Method,
    url: String,
    since: Instant,
}

impl Asked {
    fn line(&self, outcome: &str) -> String {
        format!("{} {} {outcome} in {} ms", self.method, self.url, milliseconds(self.since.elapsed()))
    }
}

/// As many as fit the eye.
pub(super) fn milliseconds(time: Duration) -> u128 {
    time.as_millis()
}

/// The address without user and password.
fn shown(uri: &Uri) -> String {
    let mut text = String::new();
    if let (Some(scheme), Some(authority)) = (uri.scheme_str(), uri.authority()) {
        let host = authority.as_str().rsplit('@').next().unwrap_or_default();
        // Writing to a String cannot fail.
        let _ = write!(text, "{scheme}://{host}");
    }
    text + uri.path_and_query().map_or("/", |path| path.as_str())
}

fn headers(headers: &HeaderMap) -> Vec<String> {
    let line = |(name, value): (&http::HeaderName, &http::HeaderValue)| {
        let hidden = value.is_sensitive()
            || [header::SET_COOKIE, header::AUTHORIZATION, header::WWW_AUTHENTICATE].contains(name);
        let value = if hidden { "<hidden>".into() } else { String::from_utf8_lossy(value.as_bytes()) };
        format!("    {name}: {value}")
    };
    headers.iter().map(line).collect()
}

/// Puts the log around a service.
pub(super) struct Logging(pub(super) Log);

impl<S> Layer<S> for Logging {
    type Service = Logged<S>;

    fn layer(&self, inner: S) -> Logged<S> {
        Logged { inner, log: self.0.clone() }
    }
}

/// Requests through here are logged, each try by itself.
#[derive(Clone)]
pub(super) struct Logged<S> {
    inner: S,
    log: Log,
}

impl<S, A, B> Service<Request<A>> for Logged<S>
where
    S: Service<Request<A>, Response = Response<B>, Error = BoxError>,
    S::Future: Send + 'static,
    B: Send,
{
    type Response = Response<B>;
    type Error = BoxError;
    type Future = Answering<B>;

    fn poll_ready(&mut self, cx: &mut Context<'_>) -> Poll<Result<(), BoxError>> {
        self.inner.poll_ready(cx)
    }

    fn call(&mut self, request: Request<A>) -> Answering<B> {
        if self.log.level < REQUESTS {
            return Box::pin(self.inner.call(request));
        }
        let asked =
            Asked { method: request.method().clone(), url: shown(request.uri()), since: Instant::now() };
        let (log, answer) = (self.log.clone(), self.inner.call(request));
        Box::pin(async move {
            let answer = answer.await;
            log.answered(&asked, &answer);
            answer
        })
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Mutex;

    use super::*;

    fn lines(level: u8) -> Vec<String> {
        let seen = Arc::new(Mutex::new(Vec::new()));
        let sink = Arc::clone(&seen);
        let log = Log::new(level, move |line| sink.lock().unwrap().push(line.to_owned()));
        let asked = Asked {
            method: Method::GET,
            url: shown(&Uri::from_static("https://me:s3cr3t@a:6443/api?limit=5")),
            since: Instant::now(),
        };
        let answer =
            Response::builder().header("date", "today").header("set-cookie", "s3cr3t").body(()).unwrap();
        log.answered(&asked, &Ok(answer));
        log.answered::<()>(&asked, &Err("s3cr3t".into()));
        seen.lock().unwrap().clone()
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
