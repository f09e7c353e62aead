//! A webhook's server: JSON in, JSON out.

use std::net::SocketAddr;

use anyhow::Result;
use http::{HeaderValue, Request, Response, StatusCode, header};
use http_body_util::{BodyExt as _, Full};
use hyper::body::{Bytes, Incoming};
use hyper::service::service_fn;
use serde_json::Value;

use super::process::log;
use crate::certs::Identity;
use crate::faults::tls;

/// Answers every request with what `handler` makes of its body, until the process ends.
pub(super) async fn serve(
    address: SocketAddr,
    identity: &Identity,
    handler: impl Fn(&Value) -> Value + Clone + Send + Sync + 'static,
) -> Result<()> {
    let service = service_fn(move |request| answer(request, handler.clone()));
    let _server = tls::serve(address, identity, service).await?;
    log(&format!("serving webhooks on {address}"));
    std::future::pending().await
}

async fn answer(
    request: Request<Incoming>,
    handler: impl Fn(&Value) -> Value,
) -> Result<Response<Full<Bytes>>, hyper::Error> {
    let body = request.into_body().collect().await?.to_bytes();
    let (status, text) = match serde_json::from_slice(&body) {
        Ok(question) => (StatusCode::OK, handler(&question).to_string()),
        Err(error) => (StatusCode::BAD_REQUEST, format!("the body is no JSON: {error}")),
    };
    let mut response = Response::new(Full::from(text));
    *response.status_mut() = status;
    response.headers_mut().insert(header::CONTENT_TYPE, HeaderValue::from_static("application/json"));
    Ok(response)
}
