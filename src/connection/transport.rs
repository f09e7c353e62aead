//! The connections to the server: over HTTP/2 when it supports that, directly or through a proxy. Built by hand
//! because kube's own connector offers HTTP/1.1 only.
//!
//! HTTP/2 is tried first and alone, so that concurrent requests share one connection. Once a server turns out
//! to support only HTTP/1.1, that is used from then on.

use std::error::Error;
use std::fmt;
use std::future::Future;
use std::io;
use std::pin::Pin;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, PoisonError, RwLock};
use std::task::{Context, Poll};
use std::time::Duration;

use http::uri::{PathAndQuery, Scheme};
use http::{Request, Response, Uri};
use hyper::body::Incoming;
use hyper_rustls::{FixedServerNameResolver, HttpsConnector, HttpsConnectorBuilder, MaybeHttpsStream};
use hyper_util::client::legacy::Client;
use hyper_util::client::legacy::connect::proxy::{SocksV5, Tunnel};
use hyper_util::client::legacy::connect::{Connection, HttpConnector};
use hyper_util::rt::{TokioExecutor, TokioIo, TokioTimer};
use kube::client::Body;
use rustls::pki_types::ServerName;
use tokio::net::TcpStream;
use tower::{BoxError, Service, service_fn};

use super::client::{ResponseFuture, clone_request};
use super::proxy::{Proxy, ProxyError, ProxyProtocol};
use super::tls::{self, Identity, ServerVerification};
use crate::error::Failure;

/// The flow-control window of one response: lists have megabytes, and round trips may be long.
const STREAM_WINDOW: u32 = 4 << 20;
/// The same for all responses of a connection together.
const CONNECTION_WINDOW: u32 = 16 << 20;
/// The idle time after which the peer is pinged.
const KEEP_ALIVE_INTERVAL: Duration = Duration::from_secs(15);
/// The time to wait for the response to a ping.
const KEEP_ALIVE_TIMEOUT: Duration = Duration::from_secs(10);

/// How connections are made.
pub(super) struct TransportConfig {
    pub(super) verification: ServerVerification,
    /// `tls-server-name`
    pub(super) server_name: Option<ServerName<'static>>,
    pub(super) proxy: Option<Proxy>,
    /// Covers name lookup, proxy and TLS.
    pub(super) connect_timeout: Duration,
    /// Whether HTTP/2 may be used.
    pub(super) http2: bool,
}

/// The innermost service: sends requests and streams responses. Clones share their connections.
#[derive(Clone)]
pub(super) struct Transport(Arc<Inner>);

struct Inner {
    config: TransportConfig,
    clients: RwLock<Clients>,
    /// Set once it is known that the server does not support HTTP/2.
    http1_only: Arc<AtomicBool>,
}

#[derive(Clone)]
struct Clients {
    http2: Client<ServerConnector, Body>,
    http1: Client<ServerConnector, Body>,
}

impl Transport {
    pub(super) fn new(config: TransportConfig, identity: Option<&Identity>) -> Result<Self, Failure> {
        let http1_only = Arc::new(AtomicBool::new(!config.http2));
        let clients = RwLock::new(Clients::new(&config, identity, &http1_only)?);
        Ok(Self(Arc::new(Inner { config, clients, http1_only })))
    }

    /// Uses another client certificate from now on, on new connections.
    pub(super) fn set_identity(&self, identity: &Identity) -> Result<(), Failure> {
        let clients = Clients::new(&self.0.config, Some(identity), &self.0.http1_only)?;
        *self.0.clients.write().unwrap_or_else(PoisonError::into_inner) = clients;
        Ok(())
    }
}

impl Inner {
    async fn send(&self, request: Request<Body>) -> Result<Response<Incoming>, BoxError> {
        let clients = self.clients.read().unwrap_or_else(PoisonError::into_inner).clone();
        if self.http1_only.load(Ordering::Relaxed) {
            return Ok(clients.http1.request(request).await?);
        }
        let fallback = clone_request(&request);
        match (clients.http2.request(request).await, fallback) {
            (Err(error), Some(fallback)) if chain_contains::<Http2NotSupported>(&error) => {
                Ok(clients.http1.request(fallback).await?)
            }
            (result, _) => Ok(result?),
        }
    }
}

fn chain_contains<E: Error + 'static>(error: &(dyn Error + 'static)) -> bool {
    std::iter::successors(Some(error), |error| (*error).source()).any(<dyn Error>::is::<E>)
}

impl Service<Request<Body>> for Transport {
    type Response = Response<Incoming>;
    type Error = BoxError;
    type Future = ResponseFuture<Incoming>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), BoxError>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, request: Request<Body>) -> ResponseFuture<Incoming> {
        let inner = Arc::clone(&self.0);
        Box::pin(async move { inner.send(request).await })
    }
}

impl Clients {
    fn new(
        config: &TransportConfig,
        identity: Option<&Identity>,
        http1_only: &Arc<AtomicBool>,
    ) -> Result<Self, Failure> {
        let tls_config = tls::client_config(&config.verification, identity)?;
        let proxy_connector = ProxyConnector::new(config)?;
        let tls_connector = || {
            let builder = HttpsConnectorBuilder::new().with_tls_config(tls_config.clone()).https_or_http();
            match &config.server_name {
                Some(server_name) => {
                    builder.with_server_name_resolver(FixedServerNameResolver::new(server_name.clone()))
                }
                None => builder,
            }
        };
        let connector_for = |https, version| ServerConnector {
            https,
            version,
            connect_timeout: config.connect_timeout,
            http1_only: Arc::clone(http1_only),
        };
        // Both versions are offered: a server that is offered HTTP/2 alone may just close the connection.
        let http2 = connector_for(
            tls_connector().enable_all_versions().wrap_connector(proxy_connector.clone()),
            HttpVersion::Http2,
        );
        let http1 =
            connector_for(tls_connector().enable_http1().wrap_connector(proxy_connector), HttpVersion::Http1);
        let mut builder = Client::builder(TokioExecutor::new());
        builder.timer(TokioTimer::new()).pool_timer(TokioTimer::new());
        let http1 = builder.build(http1);
        builder
            .http2_only(true)
            .http2_initial_stream_window_size(STREAM_WINDOW)
            .http2_initial_connection_window_size(CONNECTION_WINDOW)
            .http2_keep_alive_interval(KEEP_ALIVE_INTERVAL)
            .http2_keep_alive_timeout(KEEP_ALIVE_TIMEOUT);
        Ok(Self { http2: builder.build(http2), http1 })
    }
}

type Stream = MaybeHttpsStream<TokioIo<TcpStream>>;
type ConnectFuture<T> = Pin<Box<dyn Future<Output = Result<T, BoxError>> + Send>>;

/// The HTTP version that a connection is for.
#[derive(Clone, Copy, PartialEq, Eq)]
enum HttpVersion {
    Http1,
    Http2,
}

/// The server chose HTTP/1.1.
#[derive(Debug)]
struct Http2NotSupported;

impl fmt::Display for Http2NotSupported {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the server does not support HTTP/2")
    }
}

impl Error for Http2NotSupported {}

/// Connects to the server within the timeout, and checks the negotiated HTTP version.
#[derive(Clone)]
struct ServerConnector {
    https: HttpsConnector<ProxyConnector>,
    version: HttpVersion,
    connect_timeout: Duration,
    http1_only: Arc<AtomicBool>,
}

impl Service<Uri> for ServerConnector {
    type Response = MaybeHttpsStream<Stream>;
    type Error = BoxError;
    type Future = ConnectFuture<Self::Response>;

    fn poll_ready(&mut self, cx: &mut Context<'_>) -> Poll<Result<(), BoxError>> {
        self.https.poll_ready(cx)
    }

    fn call(&mut self, server: Uri) -> Self::Future {
        let (version, connect_timeout, http1_only) =
            (self.version, self.connect_timeout, Arc::clone(&self.http1_only));
        // Requests that waited for the first connection need not try again.
        if version == HttpVersion::Http2 && http1_only.load(Ordering::Relaxed) {
            return Box::pin(std::future::ready(Err(Http2NotSupported.into())));
        }
        let connecting = self.https.call(server);
        Box::pin(async move {
            let stream = tokio::time::timeout(connect_timeout, connecting)
                .await
                .map_err(|_| io::Error::from(io::ErrorKind::TimedOut))??;
            if version == HttpVersion::Http2 && !stream.connected().is_negotiated_h2() {
                http1_only.store(true, Ordering::Relaxed);
                return Err(Http2NotSupported.into());
            }
            Ok(stream)
        })
    }
}

/// Makes the connection below TLS: directly or through a proxy.
#[derive(Clone)]
enum ProxyConnector {
    Direct(HttpsConnector<HttpConnector>),
    Connect(Tunnel<HttpsConnector<HttpConnector>>, Proxy, Duration),
    Socks(HttpsConnector<HttpConnector>, Proxy, Duration),
}

impl ProxyConnector {
    fn new(config: &TransportConfig) -> Result<Self, Failure> {
        let mut http = HttpConnector::new();
        http.enforce_http(false);
        http.set_nodelay(true);
        http.set_keepalive(Some(KEEP_ALIVE_INTERVAL));
        http.set_keepalive_interval(Some(KEEP_ALIVE_TIMEOUT));
        http.set_keepalive_retries(Some(2));
        // An https proxy is verified like the server, as in Go, but gets no client certificate.
        let is_https = |proxy: &Proxy| proxy.uri.scheme() == Some(&Scheme::HTTPS);
        let verification = if config.proxy.as_ref().is_some_and(is_https) {
            &config.verification
        } else {
            &ServerVerification::NoRoots
        };
        let https = HttpsConnectorBuilder::new()
            .with_tls_config(tls::client_config(verification, None)?)
            .https_or_http()
            .enable_http1()
            .wrap_connector(http);
        // Slightly less than the whole timeout, so that the error names a proxy that does not respond.
        let timeout = config.connect_timeout.mul_f32(0.9);
        Ok(match config.proxy.clone() {
            None => Self::Direct(https),
            Some(proxy) if proxy.protocol == ProxyProtocol::Connect => {
                let tunnel = Tunnel::new(proxy.uri.clone(), https);
                let tunnel = match proxy.authorization() {
                    Some(value) => tunnel.with_auth(value),
                    None => tunnel,
                };
                Self::Connect(tunnel, proxy, timeout)
            }
            Some(proxy) => Self::Socks(https, proxy, timeout),
        })
    }
}

impl Service<Uri> for ProxyConnector {
    type Response = Stream;
    type Error = BoxError;
    type Future = ConnectFuture<Stream>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), BoxError>> {
        // The connectors underneath are always ready.
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, server: Uri) -> Self::Future {
        let server = plain_http(&server);
        match self {
            Self::Direct(direct) => direct.call(server),
            Self::Connect(tunnel, proxy, timeout) => via_proxy(tunnel.call(server), proxy, *timeout),
            Self::Socks(https, proxy, timeout) => {
                let connecting = https.call(proxy.uri.clone());
                via_proxy(connect_socks5(connecting, proxy.clone(), server), proxy, *timeout)
            }
        }
    }
}

/// Hands an open connection to `SocksV5`: if hyper-util connected to the proxy, its error would hide the cause.
async fn connect_socks5(
    connecting: ConnectFuture<Stream>,
    proxy: Proxy,
    server: Uri,
) -> Result<Stream, BoxError> {
    let mut stream = Some(connecting.await?);
    let connected = service_fn(move |_: Uri| {
        std::future::ready(stream.take().ok_or_else(|| io::Error::from(io::ErrorKind::NotConnected)))
    });
    let connector = SocksV5::new(proxy.uri, connected);
    let mut connector = match proxy.user {
        Some((user, password)) => connector.with_auth(user, password),
        None => connector,
    };
    Ok(connector.call(server).await?)
}

/// Applies the timeout, and wraps every error in a `ProxyError`.
fn via_proxy<E: Into<BoxError>>(
    connecting: impl Future<Output = Result<Stream, E>> + Send + 'static,
    proxy: &Proxy,
    timeout: Duration,
) -> ConnectFuture<Stream> {
    let proxy = proxy.info.clone();
    Box::pin(async move {
        let connected = match tokio::time::timeout(timeout, connecting).await {
            Ok(connected) => connected.map_err(Into::into),
            Err(_) => Err(io::Error::from(io::ErrorKind::TimedOut).into()),
        };
        connected.map_err(|error| ProxyError::new(proxy, error).into())
    })
}

/// The same host as an `http` URI with an explicit port; the caller adds TLS.
fn plain_http(server: &Uri) -> Uri {
    let default_port = if server.scheme() == Some(&Scheme::HTTP) { 80 } else { 443 };
    let host = server.host().unwrap_or_default();
    Uri::builder()
        .scheme(Scheme::HTTP)
        .authority(format!("{host}:{}", server.port_u16().unwrap_or(default_port)))
        .path_and_query(PathAndQuery::from_static("/"))
        .build()
        .unwrap_or_else(|_| server.clone())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_server_without_a_port_gets_the_usual_one() {
        for (server, expected) in [
            ("https://a/x", "http://a:443/"),
            ("http://a", "http://a:80/"),
            ("https://[fd00::1]:6443", "http://[fd00::1]:6443/"),
        ] {
            assert_eq!(plain_http(&Uri::from_static(server)), expected);
        }
    }
}
