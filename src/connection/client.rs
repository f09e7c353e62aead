//! The stack of tower layers that a request passes, from the outermost to the innermost. Bodies are streamed
//! through all of them.
//!
//! | layer       | what it does                                              | file           |
//! |-------------|-----------------------------------------------------------|----------------|
//! | base URI    | prepends the server's address to the path                 | kube           |
//! | retry       | repeats reads that may succeed the second time            | `retry.rs`     |
//! | gzip        | decompresses responses                                    | tower-http     |
//! | auth        | tokens and passwords of the kubeconfig                    | `auth.rs`      |
//! | exec auth   | the token of a credential plugin; a new one after a 401   | `exec_auth.rs` |
//! | headers     | `User-Agent` and `Impersonate-*`                          | kube           |
//! | warnings    | collects `Warning` headers                                | `warnings.rs`  |
//! | log         | `-v 6` and above                                          | `log.rs`       |
//! | transport   | connections, TLS, proxies                                 | `transport.rs` |

use std::future::Future;
use std::pin::Pin;

use http::{Request, Response};
use kube::client::{Body, ConfigExt as _};
use tower::{BoxError, ServiceBuilder};
use tower_http::decompression::DecompressionLayer;

use super::auth::Authorization;
use super::exec_auth::ExecAuthLayer;
use super::log::{Log, LogLayer};
use super::retry::RetryLayer;
use super::transport::Transport;
use super::warnings::Warnings;

/// The future of every layer here.
pub(super) type ResponseFuture<B> = Pin<Box<dyn Future<Output = Result<Response<B>, BoxError>> + Send>>;

/// Builds the client. The credentials and the TLS, proxy, timeout and retry settings of `config` have no effect.
pub(super) fn build(
    config: &kube::Config,
    transport: Transport,
    authorization: Authorization,
    exec_auth: Option<ExecAuthLayer>,
    warnings: Warnings,
    log: &Log,
) -> Result<kube::Client, kube::Error> {
    let service = ServiceBuilder::new()
        .layer(config.base_uri_layer())
        .layer(RetryLayer)
        .layer(DecompressionLayer::new().gzip(!config.disable_compression))
        .map_request(move |mut request: Request<Body>| {
            authorization.add_to(request.headers_mut());
            request
        })
        .option_layer(exec_auth)
        .layer(config.extra_headers_layer()?)
        .map_response(move |response: Response<_>| {
            warnings.collect(response.headers());
            response
        })
        .layer(LogLayer(log.clone()))
        .service(transport);
    Ok(kube::Client::new(service, config.default_namespace.as_str()))
}

/// Copies a request; `None` when its body can be read only once.
pub(super) fn clone_request(request: &Request<Body>) -> Option<Request<Body>> {
    let mut copy = Request::new(request.body().try_clone()?);
    *copy.method_mut() = request.method().clone();
    *copy.uri_mut() = request.uri().clone();
    *copy.headers_mut() = request.headers().clone();
    *copy.extensions_mut() = request.extensions().clone();
    Some(copy)
}
