//! The stack that a request goes down and its answer comes up, in order. Bodies stream through all of it.
//!
//! | layer       | what it does                                              | file          |
//! |-------------|-----------------------------------------------------------|---------------|
//! | address     | puts the server in front of the path                      | kube's        |
//! | retry       | sends a read once more when that helps                    | `retry.rs`    |
//! | gzip        | unpacks                                                   | `tower-http`  |
//! | login       | tokens and passwords of the kubeconfig                    | kube's        |
//! | plugin      | the token of a credential plugin; a new one on 401        | `login.rs`    |
//! | headers     | who asks and as whom: `User-Agent`, `Impersonate-*`       | kube's        |
//! | warnings    | keeps what the server says beside its answer              | `warnings.rs` |
//! | log         | `-v 6`                                                    | `log.rs`      |
//! | wire        | connections, TLS, proxies                                 | `wire.rs`     |

use std::future::Future;
use std::pin::Pin;

use http::{Request, Response};
use kube::client::{Body, ConfigExt as _};
use tower::{BoxError, ServiceBuilder};
use tower_http::decompression::DecompressionLayer;

use super::exec_auth::ExecAuthLayer;
use super::log::{Log, LogLayer};
use super::retry::RetryLayer;
use super::transport::Transport;
use super::warnings::Warnings;

/// An answer on its way.
pub(super) type ResponseFuture<B> = Pin<Box<dyn Future<Output = Result<Response<B>, BoxError>> + Send>>;

/// Builds the client. What `config` says about TLS, proxies, timeouts and retries has no effect here.
pub(super) fn build(
    config: &kube::Config,
    transport: Transport,
    exec_auth: Option<ExecAuthLayer>,
    warnings: Warnings,
    log: &Log,
) -> Result<kube::Client, kube::Error> {
    let service = ServiceBuilder::new()
        .layer(config.base_uri_layer())
        .layer(RetryLayer)
        .layer(DecompressionLayer::new().gzip(!config.disable_compression))
        .option_layer(config.auth_layer()?)
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

/// The same request once more; `None` when its body can be read only once.
pub(super) fn clone_request(request: &Request<Body>) -> Option<Request<Body>> {
    let mut copy = Request::new(request.body().try_clone()?);
    *copy.method_mut() = request.method().clone();
    *copy.uri_mut() = request.uri().clone();
    *copy.headers_mut() = request.headers().clone();
    *copy.extensions_mut() = request.extensions().clone();
    Some(copy)
}
