//! Responses that the proxy sends instead of the API server, worded as the API server words them.

use http::{HeaderName, HeaderValue, Response, StatusCode, header};
use hyper::body::Bytes;
use serde_json::{Map, Value, json};

use super::target::{Continues, Target};

/// A complete response.
pub type BufferedResponse = Response<Bytes>;

/// The error responses of an API server, with the message that a 1.36 server has for the request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ErrorResponse {
    /// 401: the token is not known.
    Unauthorized,
    /// 403 of RBAC, naming the user `somebody`.
    Forbidden,
    /// 404 of an object; of a path that names no object, [`ErrorResponse::UnknownPath`].
    NotFound,
    /// 404 of a path that nothing serves: plain text.
    UnknownPath,
    /// 410 of a list. A watch gets 200 and an `ERROR` event with the 410 inside, as from the server.
    Gone,
    /// 429 as a Status, as given while a storage starts.
    TooManyRequests { retry_after: u32 },
    /// 429 of priority and fairness: plain text.
    Throttled { retry_after: u32 },
    /// 500 as a Status.
    Internal,
    /// 503 as a Status, as given by a server that shuts down.
    Unavailable,
    /// 503 of a dead aggregated API: plain text.
    DeadBackend,
}

impl ErrorResponse {
    /// The answer to a request about `target`.
    pub fn response(self, target: &Target) -> BufferedResponse {
        match self {
            Self::Unauthorized => status(401, "Unauthorized", "Unauthorized", None),
            Self::Forbidden => forbidden(target),
            Self::NotFound if !target.name.is_empty() => {
                let message = format!("{} \"{}\" not found", target.qualified(), target.name);
                status(404, "NotFound", &message, Some(details(target)))
            }
            Self::NotFound | Self::UnknownPath => text(404, "404 page not found"),
            Self::Gone => gone(target),
            Self::TooManyRequests { retry_after } => {
                let details = json!({ "retryAfterSeconds": retry_after });
                let answer = status(429, "TooManyRequests", "storage is (re)initializing", Some(details));
                with_retry_after(answer, retry_after)
            }
            Self::Throttled { retry_after } => {
                with_retry_after(text(429, "Too many requests, please try again later."), retry_after)
            }
            Self::Internal => {
                let cause = "etcdserver: request timed out";
                let details = json!({ "causes": [{ "message": cause }] });
                status(500, "InternalError", &format!("Internal error occurred: {cause}"), Some(details))
            }
            Self::Unavailable => {
                with_retry_after(status(503, "ServiceUnavailable", "apiserver is shutting down", None), 1)
            }
            Self::DeadBackend => text(503, "service unavailable"),
        }
    }
}

/// A `Status` as JSON: what the API server gives for errors whatever `Accept` says.
pub fn status(code: u16, reason: &str, message: &str, details: Option<Value>) -> BufferedResponse {
    json(code, &status_value(code, reason, message, details))
}

/// Any JSON.
pub fn json(code: u16, value: &Value) -> BufferedResponse {
    response(code, "application/json", format!("{value}\n"))
}

/// Plain text with the newline that Go's `http.Error` adds.
pub fn text(code: u16, text: &str) -> BufferedResponse {
    let mut answer = response(code, "text/plain; charset=utf-8", format!("{text}\n"));
    answer.headers_mut().insert(header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    answer
}

/// Any body of any type. A code that HTTP does not know becomes 500.
pub fn response(code: u16, content_type: &'static str, body: impl Into<Bytes>) -> BufferedResponse {
    let mut answer = Response::new(body.into());
    *answer.status_mut() = StatusCode::from_u16(code).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
    answer.headers_mut().insert(header::CONTENT_TYPE, HeaderValue::from_static(content_type));
    answer.headers_mut().insert(header::CACHE_CONTROL, HeaderValue::from_static("no-cache, private"));
    answer
}

/// Adds a header.
pub fn with_header(mut answer: BufferedResponse, name: HeaderName, value: HeaderValue) -> BufferedResponse {
    answer.headers_mut().insert(name, value);
    answer
}

fn with_retry_after(answer: BufferedResponse, seconds: u32) -> BufferedResponse {
    with_header(answer, header::RETRY_AFTER, HeaderValue::from(seconds))
}

fn status_value(code: u16, reason: &str, message: &str, details: Option<Value>) -> Value {
    let mut status = json!({
        "kind": "Status",
        "apiVersion": "v1",
        "metadata": {},
        "status": "Failure",
        "message": message,
        "reason": reason,
        "code": code,
    });
    if let Some(details) = details {
        status["details"] = details;
    }
    status
}

/// `details` of an error about one resource; empty fields are left out, as the server does.
fn details(target: &Target) -> Value {
    let fields = [("name", &target.name), ("group", &target.group), ("kind", &target.resource)];
    let filled = fields.into_iter().filter(|(_, value)| !value.is_empty());
    Value::Object(filled.map(|(name, value)| (name.to_owned(), json!(value))).collect::<Map<_, _>>())
}

fn forbidden(target: &Target) -> BufferedResponse {
    let Target { verb, group, resource, subresource, namespace, name, path, .. } = target;
    if resource.is_empty() {
        let message = format!("forbidden: User \"somebody\" cannot {verb} path \"{path}\"");
        return status(403, "Forbidden", &message, Some(json!({})));
    }
    let subject =
        if name.is_empty() { target.qualified() } else { format!("{} \"{name}\"", target.qualified()) };
    let part = if subresource.is_empty() { resource.clone() } else { format!("{resource}/{subresource}") };
    // A namespace is its own namespace to the authorizer.
    let within = if resource == "namespaces" && namespace.is_empty() { name } else { namespace };
    let place = if within.is_empty() {
        "at the cluster scope".to_owned()
    } else {
        format!("in the namespace \"{within}\"")
    };
    let message = format!(
        "{subject} is forbidden: User \"somebody\" cannot {verb} resource \"{part}\" \
         in API group \"{group}\" {place}"
    );
    status(403, "Forbidden", &message, Some(details(target)))
}

fn gone(target: &Target) -> BufferedResponse {
    if target.verb == "watch" {
        let object = status_value(410, "Expired", "too old resource version: 1 (2)", None);
        return json(200, &json!({ "type": "ERROR", "object": object }));
    }
    let message = match target.continues {
        Continues::Yes => {
            "The provided continue parameter is too old to display a consistent list result. You can start a new \
             list without the continue parameter, or use the continue token in this response to retrieve the \
             remainder of the results. Continuing with the provided token results in an inconsistent list - \
             objects that were created, modified, or deleted between the time the first chunk was returned and \
             now may show up in the list."
        }
        Continues::No => "The resourceVersion for the provided list is too old.",
    };
    status(410, "Expired", message, None)
}

#[cfg(test)]
mod tests {
    use http::Request;

    use super::*;

    fn respond(error_response: ErrorResponse, uri: &str) -> (u16, String) {
        let parts = Request::get(uri).body(()).unwrap().into_parts().0;
        let answer = error_response.response(&Target::of(&parts));
        let code = answer.status().as_u16();
        let text = String::from_utf8(answer.body().to_vec()).unwrap();
        match serde_json::from_str::<Value>(&text) {
            Ok(value) if value["kind"] == "Status" => {
                assert_eq!(value["code"], code);
                (code, value["message"].as_str().unwrap().into())
            }
            _ => (code, text),
        }
    }

    #[test]
    fn forbidden_names_verb_resource_and_place() {
        let (code, message) = respond(ErrorResponse::Forbidden, "/apis/apps/v1/namespaces/a/deployments/b");
        assert_eq!(code, 403);
        assert_eq!(
            message,
            "deployments.apps \"b\" is forbidden: User \"somebody\" cannot get resource \"deployments\" \
             in API group \"apps\" in the namespace \"a\""
        );
        let (_, message) = respond(ErrorResponse::Forbidden, "/api/v1/nodes");
        assert_eq!(
            message,
            "nodes is forbidden: User \"somebody\" cannot list resource \"nodes\" in API group \"\" \
             at the cluster scope"
        );
        assert_eq!(
            respond(ErrorResponse::Forbidden, "/apis").1,
            "forbidden: User \"somebody\" cannot get path \"/apis\""
        );
    }

    #[test]
    fn not_found_is_plain_text_where_no_object_is_named() {
        assert_eq!(respond(ErrorResponse::NotFound, "/api/v1/nodes/a").1, "nodes \"a\" not found");
        assert_eq!(respond(ErrorResponse::NotFound, "/apis/gone/v1/things").1, "404 page not found\n");
    }

    #[test]
    fn a_watch_gets_an_event_that_it_is_too_old() {
        let (code, text) = respond(ErrorResponse::Gone, "/api/v1/pods?watch=true&resourceVersion=1");
        let event: Value = serde_json::from_str(&text).unwrap();
        assert_eq!((code, &event["type"], &event["object"]["code"]), (200, &json!("ERROR"), &json!(410)));
        assert_eq!(respond(ErrorResponse::Gone, "/api/v1/pods").0, 410);
    }

    #[test]
    fn retry_after_is_given_twice() {
        let parts = Request::get("/api/v1/pods").body(()).unwrap().into_parts().0;
        let answer = ErrorResponse::TooManyRequests { retry_after: 7 }.response(&Target::of(&parts));
        assert_eq!(answer.headers()[header::RETRY_AFTER], "7");
        let value: Value = serde_json::from_slice(answer.body()).unwrap();
        assert_eq!(value["details"]["retryAfterSeconds"], 7);
    }
}
