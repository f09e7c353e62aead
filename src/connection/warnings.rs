//! What a server says beside its answers: the `Warning` headers, each text once.

use std::collections::HashSet;
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll};

use http::{HeaderMap, Request, Response, header};
use tower::{BoxError, Layer, Service};

use super::client::Answering;

/// A server that says more than this, or longer, says too much.
const MANY: usize = 100;
const LONG: usize = 2048;

/// The warnings so far; clones share them.
#[derive(Clone, Default)]
pub(crate) struct Warnings(Arc<Mutex<Said>>);

#[derive(Default)]
struct Said {
    in_order: Vec<String>,
    known: HashSet<String>,
}

impl Warnings {
    /// All of them, in the order they came.
    pub(crate) fn all(&self) -> Vec<String> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).in_order.clone()
    }

    fn collect(&self, headers: &HeaderMap) {
        for value in headers.get_all(header::WARNING) {
            let Ok(value) = value.to_str() else { continue };
            let mut said = self.0.lock().unwrap_or_else(PoisonError::into_inner);
            for text in texts(value) {
                if said.in_order.len() < MANY && said.known.insert(text.clone()) {
                    said.in_order.push(text);
                }
            }
        }
    }
}

/// The texts of one header: `299 - "text"`, more of them after commas. Only 299 is for people; what is
/// malformed ends the reading.
fn texts(mut value: &str) -> Vec<String> {
    let mut found = Vec::new();
    while let Some((code, after)) = value.trim_start_matches([' ', ',']).split_once(' ') {
        let Some((_agent, quoted)) = after.trim_start().split_once(' ') else { break };
        let Some((text, rest)) = quoted_string(quoted.trim_start()) else { break };
        if code == "299" && !text.is_empty() {
            found.push(text);
        }
        // A date may follow, in quotes, before the comma.
        let rest = rest.trim_start();
        value = quoted_string(rest).map_or(rest, |(_, rest)| rest);
    }
    found
}

/// Reads `"a \"b\""` and gives what is inside, and what comes after.
fn quoted_string(text: &str) -> Option<(String, &str)> {
    let inner = text.strip_prefix('"')?;
    let (mut out, mut escaped) = (String::new(), false);
    for (at, c) in inner.char_indices() {
        match c {
            '\\' if !escaped => {
                escaped = true;
                continue;
            }
            '"' if !escaped => return Some((out, &inner[at + 1..])),
            _ if out.len() < LONG => out.push(c),
            _ => {}
        }
        escaped = false;
    }
    None
}

impl<S> Layer<S> for Warnings {
    type Service = Listening<S>;

    fn layer(&self, inner: S) -> Listening<S> {
        Listening { inner, warnings: self.clone() }
    }
}

/// Answers through here leave their warnings behind.
#[derive(Clone)]
pub(crate) struct Listening<S> {
    inner: S,
    warnings: Warnings,
}

impl<S, A, B> Service<Request<A>> for Listening<S>
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
        let (warnings, answer) = (self.warnings.clone(), self.inner.call(request));
        Box::pin(async move {
            let answer = answer.await?;
            warnings.collect(answer.headers());
            Ok(answer)
        })
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn a_header_holds_one_text_or_many() {
        for (header, expected) in [
            (r#"299 - "v1 Endpoints is deprecated""#, vec!["v1 Endpoints is deprecated"]),
            (r#"299 - "a, \"b\" \\c", 299 kube "d""#, vec![r#"a, "b" \c"#, "d"]),
            (r#"299 - "a" "Wed, 21 Oct 2015 07:28:00 GMT", 299 - "b""#, vec!["a", "b"]),
            (r#"199 - "not for people", 299 - "b""#, vec!["b"]),
            (r#"299 - "never ends"#, vec![]),
            ("299 - bare", vec![]),
            ("", vec![]),
        ] {
            assert_eq!(texts(header), expected, "{header}");
        }
    }

    #[test]
    fn each_text_is_kept_once_and_in_order() {
        let warnings = Warnings::default();
        let mut headers = HeaderMap::new();
        for value in [r#"299 - "b""#, r#"299 - "a""#, r#"299 - "b""#] {
            headers.append(header::WARNING, value.parse().unwrap());
        }
        warnings.collect(&headers);
        warnings.collect(&headers);
        assert_eq!(warnings.all(), ["b", "a"]);
    }

    proptest! {
        #[test]
        fn never_panics_and_never_loops(text in "[0-9 ,\"\\\\a-z-]*|.*") {
            drop(texts(&text));
        }
    }
}
