//! The connections: over HTTP/2 when the server speaks it, straight or through a proxy.
//!
//! HTTP/2 first, alone, so that requests which arrive together share one connection. A server that turns out
//! to speak only HTTP/1.1 is called that way from then on.

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

use super::client::{Answering, copy};
use super::proxy::{Protocol, Proxy, Trouble};
use super::tls::{self, Identity, Trust};
use crate::error::Failure;

/// How much of one answer may be on its way unread: lists are megabytes, and a round trip may be long.
const STREAM_WINDOW: u32 = 4 << 20;
/// The same for all answers of a connection together.
const CONNECTION_WINDOW: u32 = 16 << 20;
/// A peer that has been silent this long is asked whether it still lives, ...
const SILENCE: Duration = Duration::from_secs(15);
/// ... and this long is waited for its answer.
const PULSE: Duration = Duration::from_secs(10);

/// Where connections lead and what they need.
pub(super) struct Road {
    pub(super) trust: Trust,
    /// `tls-server-name`
    pub(super) name: Option<ServerName<'static>>,
    pub(super) proxy: Option<Proxy>,
    /// How long making a connection may take, the name lookup, the proxy and TLS included.
    pub(super) limit: Duration,
    /// Whether the server may be spoken to in HTTP/2.
    pub(super) http2: bool,
}

/// The lowest layer: sends requests, streams answers. Clones share their connections.
#[derive(Clone)]
pub(super) struct Wire(Arc<Inside>);

struct Inside {
    road: Road,
    clients: RwLock<Clients>,
    /// Set once it is known that the server does not speak HTTP/2.
    old: Arc<AtomicBool>,
}

#[derive(Clone)]
struct Clients {
    new: Client<Dial, Body>,
    old: Client<Dial, Body>,
}

impl Wire {
    pub(super) fn new(road: Road, identity: Option<&Identity>) -> Result<Self, Failure> {
        let old = Arc::new(AtomicBool::new(!road.http2));
        let clients = RwLock::new(Clients::new(&road, identity, &old)?);
        Ok(Self(Arc::new(Inside { road, clients, old })))
    }

    /// From now on another certificate is shown, on connections of its own.
    pub(super) fn identify(&self, identity: &Identity) -> Result<(), Failure> {
        let clients = Clients::new(&self.0.road, Some(identity), &self.0.old)?;
        *self.0.clients.write().unwrap_or_else(PoisonError::into_inner) = clients;
        Ok(())
    }
}

impl Inside {
    async fn send(&self, request: Request<Body>) -> Result<Response<Incoming>, BoxError> {
        let clients = self.clients.read().unwrap_or_else(PoisonError::into_inner).clone();
        if self.old.load(Ordering::Relaxed) {
            return Ok(clients.old.request(request).await?);
        }
        let spare = copy(&request);
        match (clients.new.request(request).await, spare) {
            (Err(error), Some(spare)) if has::<OldServer>(&error) => Ok(clients.old.request(spare).await?),
            (result, _) => Ok(result?),
        }
    }
}

fn has<E: Error + 'static>(error: &(dyn Error + 'static)) -> bool {
    std::iter::successors(Some(error), |error| (*error).source()).any(<dyn Error>::is::<E>)
}

impl Service<Request<Body>> for Wire {
    type Response = Response<Incoming>;
    type Error = BoxError;
    type Future = Answering<Incoming>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), BoxError>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, request: Request<Body>) -> Answering<Incoming> {
        let inside = Arc::clone(&self.0);
        Box::pin(async move { inside.send(request).await })
    }
}

impl Clients {
    fn new(road: &Road, identity: Option<&Identity>, old: &Arc<AtomicBool>) -> Result<Self, Failure> {
        let server = tls::config(&road.trust, identity)?;
        let way = Way::new(road)?;
        let connector = || {
            let builder = HttpsConnectorBuilder::new().with_tls_config(server.clone()).https_or_http();
            match &road.name {
                Some(name) => builder.with_server_name_resolver(FixedServerNameResolver::new(name.clone())),
                None => builder,
            }
        };
        let dial = |https, wants| Dial { https, wants, limit: road.limit, old: Arc::clone(old) };
        // Both versions are offered: a server that is offered HTTP/2 alone may just hang up.
        let new = dial(connector().enable_all_versions().wrap_connector(way.clone()), Wants::Http2);
        let old = dial(connector().enable_http1().wrap_connector(way), Wants::Http1);
        let mut builder = Client::builder(TokioExecutor::new());
        builder.timer(TokioTimer::new()).pool_timer(TokioTimer::new());
        let old = builder.build(old);
        builder
            .http2_only(true)
            .http2_initial_stream_window_size(STREAM_WINDOW)
            .http2_initial_connection_window_size(CONNECTION_WINDOW)
            .http2_keep_alive_interval(SILENCE)
            .http2_keep_alive_timeout(PULSE);
        Ok(Self { new: builder.build(new), old })
    }
}

type Stream = MaybeHttpsStream<TokioIo<TcpStream>>;
type Connecting<T> = Pin<Box<dyn Future<Output = Result<T, BoxError>> + Send>>;

/// Which version a connection is for.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Wants {
    Http1,
    Http2,
}

/// The server chose HTTP/1.1.
#[derive(Debug)]
struct OldServer;

impl fmt::Display for OldServer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the server does not speak HTTP/2")
    }
}

impl Error for OldServer {}

/// Makes connections to the server, within a time limit.
#[derive(Clone)]
struct Dial {
    https: HttpsConnector<Way>,
    wants: Wants,
    limit: Duration,
    old: Arc<AtomicBool>,
}

impl Service<Uri> for Dial {
    type Response = MaybeHttpsStream<Stream>;
    type Error = BoxError;
    type Future = Connecting<Self::Response>;

    fn poll_ready(&mut self, cx: &mut Context<'_>) -> Poll<Result<(), BoxError>> {
        self.https.poll_ready(cx)
    }

    fn call(&mut self, server: Uri) -> Self::Future {
        let (wants, limit, old) = (self.wants, self.limit, Arc::clone(&self.old));
        // Those that waited for the first connection need not find out again.
        if wants == Wants::Http2 && old.load(Ordering::Relaxed) {
            return Box::pin(std::future::ready(Err(OldServer.into())));
        }
        let connecting = self.https.call(server);
        Box::pin(async move {
            let stream = tokio::time::timeout(limit, connecting)
                .await
                .map_err(|_| io::Error::from(io::ErrorKind::TimedOut))??;
            if wants == Wants::Http2 && !stream.connected().is_negotiated_h2() {
                old.store(true, Ordering::Relaxed);
                return Err(OldServer.into());
            }
            Ok(stream)
        })
    }
}

/// The way to the server under TLS.
#[derive(Clone)]
enum Way {
    Direct(HttpsConnector<HttpConnector>),
    Connect(Tunnel<HttpsConnector<HttpConnector>>, Proxy, Duration),
    Socks(HttpsConnector<HttpConnector>, Proxy, Duration),
}

impl Way {
    fn new(road: &Road) -> Result<Self, Failure> {
        let mut http = HttpConnector::new();
        http.enforce_http(false);
        http.set_nodelay(true);
        http.set_keepalive(Some(SILENCE));
        http.set_keepalive_interval(Some(PULSE));
        http.set_keepalive_retries(Some(2));
        // An https proxy is believed on the same grounds as the server, as Go does; it is shown no certificate.
        let is_tls = |proxy: &Proxy| proxy.uri.scheme() == Some(&Scheme::HTTPS);
        let trust = if road.proxy.as_ref().is_some_and(is_tls) { &road.trust } else { &Trust::Nobody };
        let base = HttpsConnectorBuilder::new()
            .with_tls_config(tls::config(trust, None)?)
            .https_or_http()
            .enable_http1()
            .wrap_connector(http);
        // A little less than the whole, so that a proxy which keeps silent is named.
        let limit = road.limit.mul_f32(0.9);
        Ok(match road.proxy.clone() {
            None => Self::Direct(base),
            Some(proxy) if proxy.protocol == Protocol::Connect => {
                let tunnel = Tunnel::new(proxy.uri.clone(), base);
                let tunnel = match proxy.authorization() {
                    Some(value) => tunnel.with_auth(value),
                    None => tunnel,
                };
                Self::Connect(tunnel, proxy, limit)
            }
            Some(proxy) => Self::Socks(base, proxy, limit),
        })
    }
}

impl Service<Uri> for Way {
    type Response = Stream;
    type Error = BoxError;
    type Future = Connecting<Stream>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), BoxError>> {
        // The connectors underneath are always ready.
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, server: Uri) -> Self::Future {
        let server = plain(&server);
        match self {
            Self::Direct(direct) => direct.call(server),
            Self::Connect(tunnel, proxy, limit) => through(tunnel.call(server), proxy, *limit),
            Self::Socks(base, proxy, limit) => {
                let connecting = base.call(proxy.uri.clone());
                through(socks(connecting, proxy.clone(), server), proxy, *limit)
            }
        }
    }
}

/// Connects to the proxy by ourselves: the error that hyper-util makes of it would hide what went wrong.
async fn socks(connecting: Connecting<Stream>, proxy: Proxy, server: Uri) -> Result<Stream, BoxError> {
    let mut stream = Some(connecting.await?);
    let given = service_fn(move |_: Uri| {
        std::future::ready(stream.take().ok_or_else(|| io::Error::from(io::ErrorKind::NotConnected)))
    });
    let socks = SocksV5::new(proxy.uri, given);
    let mut socks = match proxy.user {
        Some((name, password)) => socks.with_auth(name, password),
        None => socks,
    };
    Ok(socks.call(server).await?)
}

/// Whatever fails here is the proxy's doing, or about it.
fn through<E: Into<BoxError>>(
    connecting: impl Future<Output = Result<Stream, E>> + Send + 'static,
    proxy: &Proxy,
    limit: Duration,
) -> Connecting<Stream> {
    let proxy = proxy.named.clone();
    Box::pin(async move {
        let connected = match tokio::time::timeout(limit, connecting).await {
            Ok(connected) => connected.map_err(Into::into),
            Err(_) => Err(io::Error::from(io::ErrorKind::TimedOut).into()),
        };
        connected.map_err(|error| Trouble::new(proxy, error).into())
    })
}

/// The same place without TLS, which is the caller's, and with its port.
fn plain(server: &Uri) -> Uri {
    let usual = if server.scheme() == Some(&Scheme::HTTP) { 80 } else { 443 };
    let host = server.host().unwrap_or_default();
    Uri::builder()
        .scheme(Scheme::HTTP)
        .authority(format!("{host}:{}", server.port_u16().unwrap_or(usual)))
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
            assert_eq!(plain(&Uri::from_static(server)), expected);
        }
    }
}
