//! What was asked through the proxy, in order. Credentials are never kept.

use std::sync::atomic::{AtomicU16, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use http::request::Parts;
use http::{HeaderMap, HeaderName, Method, StatusCode, Version, header};

/// Headers that carry credentials, or may: browsers put a bearer token into the WebSocket one.
const SECRET: [HeaderName; 4] =
    [header::AUTHORIZATION, header::PROXY_AUTHORIZATION, header::COOKIE, header::SEC_WEBSOCKET_PROTOCOL];

/// One request as the client sent it and what it got.
#[derive(Clone, Debug)]
pub struct Record {
    pub method: Method,
    /// Path and query.
    pub path: String,
    /// All headers but those with credentials.
    pub headers: HeaderMap,
    /// `HTTP/2.0` or `HTTP/1.1`, between the client and the proxy.
    pub protocol: Version,
    /// None while there is no answer: under way, hanging, reset, or the client left.
    pub status: Option<u16>,
    /// How much of the answer's body was handed to the client, as sent (perhaps compressed).
    pub bytes: u64,
}

impl Record {
    /// The `Accept` header, or nothing.
    pub fn accept(&self) -> &str {
        self.header(&header::ACCEPT)
    }

    /// The `User-Agent` header, or nothing.
    pub fn user_agent(&self) -> &str {
        self.header(&header::USER_AGENT)
    }

    fn header(&self, name: &HeaderName) -> &str {
        self.headers.get(name).and_then(|value| value.to_str().ok()).unwrap_or_default()
    }
}

/// All requests so far.
#[derive(Debug, Default)]
pub(super) struct Recorder(Mutex<Vec<Arc<Entry>>>);

/// A request under way: its answer is filled in as it is sent.
#[derive(Debug)]
pub(super) struct Entry {
    request: Record,
    status: AtomicU16,
    bytes: AtomicU64,
}

impl Recorder {
    /// Notes that a request came in; it keeps its place even if it is answered late.
    pub(super) fn begin(&self, parts: &Parts) -> Arc<Entry> {
        let mut headers = parts.headers.clone();
        for name in SECRET {
            headers.remove(name);
        }
        let request = Record {
            method: parts.method.clone(),
            path: parts.uri.path_and_query().map_or_else(|| "/".into(), ToString::to_string),
            headers,
            protocol: parts.version,
            status: None,
            bytes: 0,
        };
        let entry = Arc::new(Entry { request, status: AtomicU16::new(0), bytes: AtomicU64::new(0) });
        self.entries().push(entry.clone());
        entry
    }

    pub(super) fn all(&self) -> Vec<Record> {
        self.entries().iter().map(|entry| entry.record()).collect()
    }

    pub(super) fn forget(&self) {
        self.entries().clear();
    }

    fn entries(&self) -> std::sync::MutexGuard<'_, Vec<Arc<Entry>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Entry {
    pub(super) fn answered(&self, status: StatusCode) {
        self.status.store(status.as_u16(), Ordering::Relaxed);
    }

    pub(super) fn sent(&self, bytes: usize) {
        self.bytes.fetch_add(bytes as u64, Ordering::Relaxed);
    }

    fn record(&self) -> Record {
        let status = self.status.load(Ordering::Relaxed);
        Record {
            status: (status != 0).then_some(status),
            bytes: self.bytes.load(Ordering::Relaxed),
            ..self.request.clone()
        }
    }
}

#[cfg(test)]
mod tests {
    use http::Request;

    use super::*;

    fn parts() -> Parts {
        let request = Request::get("https://127.0.0.1:1/api/v1/pods?limit=5")
            .header("authorization", "Bearer secret")
            .header("accept", "application/json")
            .header("user-agent", "kubectl-op/1");
        request.body(()).unwrap().into_parts().0
    }

    #[test]
    fn credentials_are_not_kept() {
        let recorder = Recorder::default();
        recorder.begin(&parts());
        assert!(!format!("{recorder:?}").contains("secret"));
        assert!(!format!("{:?}", recorder.all()).contains("secret"));
    }

    #[test]
    fn an_answer_lands_on_its_own_request() {
        let recorder = Recorder::default();
        let (first, second) = (recorder.begin(&parts()), recorder.begin(&parts()));
        second.answered(StatusCode::OK);
        second.sent(3);
        let all = recorder.all();
        assert_eq!((all[0].status, all[1].status, all[1].bytes), (None, Some(200), 3));
        assert_eq!((all[0].path.as_str(), all[0].accept()), ("/api/v1/pods?limit=5", "application/json"));
        assert_eq!(all[0].user_agent(), "kubectl-op/1");
        recorder.forget();
        first.answered(StatusCode::OK);
        assert!(recorder.all().is_empty());
    }
}
