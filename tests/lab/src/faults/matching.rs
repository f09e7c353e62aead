//! Which requests a fault is for.

use std::fmt;
use std::sync::Arc;

use http::request::Parts;
use http::{HeaderName, Method, header};

/// A filter for requests; every part that is set must match.
///
/// Paths and queries are compared as they travel, percent signs and all.
#[derive(Clone, Debug, Default)]
pub struct Match {
    method: Option<Method>,
    path: Vec<PathPattern>,
    query: Vec<String>,
    headers: Vec<(HeaderName, String)>,
    when: Vec<RequestPredicate>,
}

#[derive(Clone, Debug)]
enum PathPattern {
    Is(String),
    Starts(String),
    Ends(String),
    Has(String),
}

#[derive(Clone)]
struct RequestPredicate(Arc<dyn Fn(&Parts) -> bool + Send + Sync>);

impl fmt::Debug for RequestPredicate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("RequestPredicate")
    }
}

impl Match {
    /// Every request.
    pub fn any() -> Self {
        Self::default()
    }

    /// Requests for exactly this path, whatever the query.
    pub fn path(path: impl Into<String>) -> Self {
        Self { path: vec![PathPattern::Is(path.into())], ..Self::default() }
    }

    /// Requests for paths that begin so.
    pub fn path_starts(start: impl Into<String>) -> Self {
        Self { path: vec![PathPattern::Starts(start.into())], ..Self::default() }
    }

    /// Requests for paths that end so.
    pub fn path_ends(end: impl Into<String>) -> Self {
        Self { path: vec![PathPattern::Ends(end.into())], ..Self::default() }
    }

    /// Requests for paths with this in them.
    pub fn path_has(part: impl Into<String>) -> Self {
        Self { path: vec![PathPattern::Has(part.into())], ..Self::default() }
    }

    /// `/api` and `/apis`: the documents of aggregated discovery, or their old forms.
    pub fn discovery() -> Self {
        Self::any().when(|parts| matches!(parts.uri.path(), "/api" | "/apis"))
    }

    /// And only with this method.
    #[must_use]
    pub fn method(mut self, method: Method) -> Self {
        self.method = Some(method);
        self
    }

    /// And only with this in the query.
    #[must_use]
    pub fn query_has(mut self, part: impl Into<String>) -> Self {
        self.query.push(part.into());
        self
    }

    /// And only with this in the named header.
    #[must_use]
    pub fn header_has(mut self, name: HeaderName, part: impl Into<String>) -> Self {
        self.headers.push((name, part.into()));
        self
    }

    /// And only with this in the `Accept` header.
    #[must_use]
    pub fn accept_has(self, part: impl Into<String>) -> Self {
        self.header_has(header::ACCEPT, part)
    }

    /// And only when the closure says so.
    #[must_use]
    pub fn when(mut self, predicate: impl Fn(&Parts) -> bool + Send + Sync + 'static) -> Self {
        self.when.push(RequestPredicate(Arc::new(predicate)));
        self
    }

    /// Whether a request is meant.
    pub fn holds(&self, parts: &Parts) -> bool {
        let path = parts.uri.path();
        let query = parts.uri.query().unwrap_or_default();
        let has_header = |name: &HeaderName, part: &str| {
            parts.headers.get_all(name).iter().any(|value| value.to_str().is_ok_and(|v| v.contains(part)))
        };
        self.method.as_ref().is_none_or(|method| *method == parts.method)
            && self.path.iter().all(|pattern| pattern.fits(path))
            && self.query.iter().all(|part| query.contains(part.as_str()))
            && self.headers.iter().all(|(name, part)| has_header(name, part))
            && self.when.iter().all(|predicate| predicate.0(parts))
    }
}

impl PathPattern {
    fn fits(&self, path: &str) -> bool {
        match self {
            Self::Is(whole) => path == whole,
            Self::Starts(start) => path.starts_with(start.as_str()),
            Self::Ends(end) => path.ends_with(end.as_str()),
            Self::Has(part) => path.contains(part.as_str()),
        }
    }
}

#[cfg(test)]
mod tests {
    use http::Request;

    use super::*;

    fn parts() -> Parts {
        let request = Request::get("/api/v1/namespaces/a/pods?limit=500&watch=1")
            .header("accept", "application/vnd.kubernetes.protobuf");
        request.body(()).unwrap().into_parts().0
    }

    #[test]
    fn every_part_must_hold() {
        for yes in [
            Match::any(),
            Match::path("/api/v1/namespaces/a/pods"),
            Match::path_starts("/api/").method(Method::GET),
            Match::path_ends("/pods").query_has("limit=500").accept_has("protobuf"),
            Match::path_has("/namespaces/").when(|parts| parts.method == Method::GET),
        ] {
            assert!(yes.holds(&parts()), "{yes:?}");
        }
        for no in [
            Match::path("/api/v1/namespaces/a/pods/"),
            Match::path_starts("/apis/"),
            Match::path_ends("/pods").method(Method::PUT),
            Match::path_has("/pods").query_has("continue="),
            Match::any().accept_has("json"),
            Match::any().when(|_| false),
            Match::discovery(),
        ] {
            assert!(!no.holds(&parts()), "{no:?}");
        }
    }
}
