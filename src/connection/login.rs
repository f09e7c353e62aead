//! What a credential plugin gave, put on every request; asked for anew when the server stops accepting it.

use std::sync::Arc;
use std::task::{Context, Poll};

use http::{HeaderValue, Request, Response, StatusCode, header};
use kube::client::Body;
use tokio::sync::Mutex;
use tower::{BoxError, Layer, Service, ServiceExt as _};

use super::client::{Answering, copy};
use super::exec::{Credential, Plugin};
use super::wire::Wire;
use crate::error::Failure;

/// A plugin and what it gave last; clones share both.
#[derive(Clone)]
pub(super) struct Login(Arc<Inside>);

struct Inside {
    plugin: Plugin,
    wire: Wire,
    pass: Mutex<Pass>,
}

/// What is shown to the server.
struct Pass {
    header: Option<HeaderValue>,
    /// How often the plugin has been run.
    run: u32,
    /// Whether the server has taken it.
    worked: bool,
}

impl Login {
    /// Starts with what the plugin has given already.
    pub(super) fn new(plugin: Plugin, first: &Credential, wire: Wire) -> Self {
        let pass = Pass { header: first.header(), run: 1, worked: false };
        Self(Arc::new(Inside { plugin, wire, pass: Mutex::new(pass) }))
    }
}

impl Inside {
    async fn shown(&self) -> (Option<HeaderValue>, u32) {
        let pass = self.pass.lock().await;
        (pass.header.clone(), pass.run)
    }

    async fn accepted(&self, run: u32) {
        let mut pass = self.pass.lock().await;
        pass.worked |= pass.run == run;
    }

    /// Whether there is something newer to show than what `run` gave. A plugin that gives nothing better the
    /// second time is not asked a third time: only what has worked once can have expired.
    async fn renew(&self, run: u32) -> Result<bool, Failure> {
        let mut pass = self.pass.lock().await;
        if pass.run != run {
            return Ok(true);
        }
        if pass.run > 1 && !pass.worked {
            return Ok(false);
        }
        let credential = self.plugin.run().await?;
        if let Some(identity) = &credential.identity {
            self.wire.identify(identity)?;
        }
        *pass = Pass { header: credential.header(), run: run + 1, worked: false };
        Ok(true)
    }
}

impl<S> Layer<S> for Login {
    type Service = LoggedIn<S>;

    fn layer(&self, inner: S) -> LoggedIn<S> {
        LoggedIn { inner, login: self.clone() }
    }
}

/// Requests through here carry the plugin's token.
#[derive(Clone)]
pub(super) struct LoggedIn<S> {
    inner: S,
    login: Login,
}

impl<S, B> Service<Request<Body>> for LoggedIn<S>
where
    S: Service<Request<Body>, Response = Response<B>, Error = BoxError> + Clone + Send + 'static,
    S::Future: Send,
    B: Send + 'static,
{
    type Response = Response<B>;
    type Error = BoxError;
    type Future = Answering<B>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), BoxError>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, request: Request<Body>) -> Answering<B> {
        let (service, inside) = (self.inner.clone(), Arc::clone(&self.login.0));
        Box::pin(async move {
            let spare = copy(&request);
            let (header, run) = inside.shown().await;
            let answer = service.clone().oneshot(with(request, header)).await?;
            if answer.status() != StatusCode::UNAUTHORIZED {
                inside.accepted(run).await;
                return Ok(answer);
            }
            // A request that was not let in has changed nothing, so any may be sent again.
            let Some(request) = spare else { return Ok(answer) };
            if !inside.renew(run).await? {
                return Ok(answer);
            }
            let (header, run) = inside.shown().await;
            let answer = service.oneshot(with(request, header)).await?;
            if answer.status() != StatusCode::UNAUTHORIZED {
                inside.accepted(run).await;
            }
            Ok(answer)
        })
    }
}

fn with(mut request: Request<Body>, header: Option<HeaderValue>) -> Request<Body> {
    if let Some(value) = header {
        request.headers_mut().insert(header::AUTHORIZATION, value);
    }
    request
}
