//! Adds the token of a credential plugin to every request, and runs the plugin again when the server rejects it.

use std::sync::Arc;
use std::task::{Context, Poll};

use http::{HeaderValue, Request, Response, StatusCode, header};
use kube::client::Body;
use tokio::sync::Mutex;
use tower::{BoxError, Layer, Service, ServiceExt as _};

use super::client::{ResponseFuture, clone_request};
use super::exec::{Credential, ExecPlugin};
use super::transport::Transport;
use crate::error::Failure;

/// A plugin and its current credential; clones share both.
#[derive(Clone)]
pub(super) struct ExecAuthLayer(Arc<Inner>);

struct Inner {
    plugin: ExecPlugin,
    transport: Transport,
    current: Mutex<CurrentCredential>,
}

/// The credential that requests are sent with.
struct CurrentCredential {
    header: Option<HeaderValue>,
    /// How often the plugin has run.
    generation: u32,
    /// Whether the server has accepted it.
    accepted: bool,
}

impl ExecAuthLayer {
    /// Starts with a credential that the plugin has already returned.
    pub(super) fn new(plugin: ExecPlugin, initial: &Credential, transport: Transport) -> Self {
        let current = CurrentCredential { header: initial.authorization(), generation: 1, accepted: false };
        Self(Arc::new(Inner { plugin, transport, current: Mutex::new(current) }))
    }
}

impl Inner {
    async fn authorization(&self) -> (Option<HeaderValue>, u32) {
        let current = self.current.lock().await;
        (current.header.clone(), current.generation)
    }

    async fn mark_accepted(&self, generation: u32) {
        let mut current = self.current.lock().await;
        current.accepted |= current.generation == generation;
    }

    /// Makes sure that the credential is newer than `generation`; `false` if it cannot be. A plugin whose second
    /// credential is rejected too is not run a third time: only a credential that was accepted can have expired.
    async fn refresh(&self, generation: u32) -> Result<bool, Failure> {
        let mut current = self.current.lock().await;
        if current.generation != generation {
            return Ok(true);
        }
        if current.generation > 1 && !current.accepted {
            return Ok(false);
        }
        let credential = self.plugin.run().await?;
        if let Some(identity) = &credential.identity {
            self.transport.set_identity(identity)?;
        }
        *current = CurrentCredential {
            header: credential.authorization(),
            generation: generation + 1,
            accepted: false,
        };
        Ok(true)
    }
}

impl<S> Layer<S> for ExecAuthLayer {
    type Service = ExecAuthService<S>;

    fn layer(&self, inner: S) -> ExecAuthService<S> {
        ExecAuthService { inner, auth: self.clone() }
    }
}

/// Adds the token, and retries once after a 401.
#[derive(Clone)]
pub(super) struct ExecAuthService<S> {
    inner: S,
    auth: ExecAuthLayer,
}

impl<S, B> Service<Request<Body>> for ExecAuthService<S>
where
    S: Service<Request<Body>, Response = Response<B>, Error = BoxError> + Clone + Send + 'static,
    S::Future: Send,
    B: Send + 'static,
{
    type Response = Response<B>;
    type Error = BoxError;
    type Future = ResponseFuture<B>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), BoxError>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, request: Request<Body>) -> ResponseFuture<B> {
        let (service, inner) = (self.inner.clone(), Arc::clone(&self.auth.0));
        Box::pin(async move {
            let retry = clone_request(&request);
            let (header, generation) = inner.authorization().await;
            let response = service.clone().oneshot(with_authorization(request, header)).await?;
            if response.status() != StatusCode::UNAUTHORIZED {
                inner.mark_accepted(generation).await;
                return Ok(response);
            }
            // A rejected request has changed nothing, so any method may be retried.
            let Some(request) = retry else { return Ok(response) };
            if !inner.refresh(generation).await? {
                return Ok(response);
            }
            let (header, generation) = inner.authorization().await;
            let response = service.oneshot(with_authorization(request, header)).await?;
            if response.status() != StatusCode::UNAUTHORIZED {
                inner.mark_accepted(generation).await;
            }
            Ok(response)
        })
    }
}

fn with_authorization(mut request: Request<Body>, header: Option<HeaderValue>) -> Request<Body> {
    if let Some(value) = header {
        request.headers_mut().insert(header::AUTHORIZATION, value);
    }
    request
}
