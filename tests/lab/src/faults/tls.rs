//! HTTP over TLS on one address, both HTTP/2 and HTTP/1.1, until the handle is dropped.

use std::error::Error;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use anyhow::{Context as _, Result, ensure};
use http::{Request, Response};
use hyper::body::{Body, Incoming};
use hyper::rt::Executor;
use hyper::service::{Service, service_fn};
use hyper_util::rt::TokioIo;
use hyper_util::server::conn::auto;
use rustls::ServerConfig;
use rustls::crypto::ring;
use rustls::pki_types::pem::PemObject as _;
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use tokio::net::{TcpListener, TcpStream};
use tokio::task::{JoinHandle, JoinSet};
use tokio::time::timeout;
use tokio_rustls::TlsAcceptor;

use super::wire::{Connection, ConnectionStats, CountedStream};
use crate::certs::Identity;

/// An error of any kind, as hyper's bodies carry it.
pub type BoxError = Box<dyn Error + Send + Sync>;

/// A client that connects and sends nothing is disconnected after this long.
const HANDSHAKE_LIMIT: Duration = Duration::from_secs(10);

/// A listening server. Dropping it closes the port and every connection.
#[derive(Debug)]
pub struct Server {
    address: SocketAddr,
    stats: Arc<ConnectionStats>,
    accepting: JoinHandle<()>,
}

impl Server {
    /// The address that was bound; port 0 has become a real one.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Counts and latency of the server's connections.
    pub fn stats(&self) -> &Arc<ConnectionStats> {
        &self.stats
    }

    /// Closes the port and every connection, and is done only when that has happened.
    pub async fn stop(mut self) {
        self.accepting.abort();
        // The only possible error is that the task was aborted, which is the point.
        let _ = (&mut self.accepting).await;
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.accepting.abort();
    }
}

/// Serves `service` on a loopback address; each request carries its [`Connection`] as an extension.
pub async fn serve<S, B>(address: SocketAddr, identity: &Identity, service: S) -> Result<Server>
where
    S: Service<Request<Incoming>, Response = Response<B>> + Clone + Send + Sync + 'static,
    S::Future: Send + 'static,
    S::Error: Into<BoxError>,
    B: Body + Send + 'static,
    B::Data: Send,
    B::Error: Into<BoxError>,
{
    ensure!(address.ip().is_loopback(), "{address} is not a loopback address");
    let acceptor = TlsAcceptor::from(Arc::new(server_config(identity)?));
    let listener =
        TcpListener::bind(address).await.with_context(|| format!("failed to listen on {address}"))?;
    let address = listener.local_addr()?;
    let stats = Arc::new(ConnectionStats::default());
    let shared = stats.clone();
    let accepting = tokio::spawn(async move {
        // Connections live in this set, so that they end with the task.
        let mut connections = JoinSet::new();
        loop {
            let Ok((socket, _)) = listener.accept().await else {
                // Out of file descriptors, most likely: others may give some back.
                tokio::time::sleep(Duration::from_millis(20)).await;
                continue;
            };
            shared.opened();
            connections.spawn(converse(socket, acceptor.clone(), shared.clone(), service.clone()));
            while connections.try_join_next().is_some() {}
        }
    });
    Ok(Server { address, stats, accepting })
}

/// Serves one connection until either side closes it.
async fn converse<S, B>(socket: TcpStream, acceptor: TlsAcceptor, stats: Arc<ConnectionStats>, service: S)
where
    S: Service<Request<Incoming>, Response = Response<B>> + Clone + Send + Sync + 'static,
    S::Future: Send + 'static,
    S::Error: Into<BoxError>,
    B: Body + Send + 'static,
    B::Data: Send,
    B::Error: Into<BoxError>,
{
    let connection = Connection::default();
    // TCP's handshake and that of TLS 1.3 cost one round trip each before the first request is on its way.
    stats.delay_round_trips(2).await;
    let Ok(stream) = CountedStream::new(socket, stats.clone(), connection.clone()) else { return };
    let Ok(Ok(stream)) = timeout(HANDSHAKE_LIMIT, acceptor.accept(stream)).await else { return };
    let builder = auto::Builder::new(Spawner::default());
    let tagged = service_fn(|mut request: Request<Incoming>| {
        request.extensions_mut().insert(connection.clone());
        let (service, stats) = (service.clone(), stats.clone());
        async move {
            stats.delay_round_trips(1).await;
            service.call(request).await
        }
    });
    tokio::select! {
        // What goes wrong here is the client's doing or the fault that the test asked for.
        _ = builder.serve_connection(TokioIo::new(stream), tagged) => {}
        () = connection.reset_asked() => {}
    }
}

/// Runs HTTP/2 streams as tasks that end with their connection.
///
/// Tokio's own executor would detach them, and a hanging answer would outlive the server.
#[derive(Clone, Default)]
struct Spawner(Arc<Mutex<JoinSet<()>>>);

impl<F> Executor<F> for Spawner
where
    F: Future<Output = ()> + Send + 'static,
{
    fn execute(&self, future: F) {
        let mut tasks = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        while tasks.try_join_next().is_some() {}
        tasks.spawn(future);
    }
}

fn server_config(identity: &Identity) -> Result<ServerConfig> {
    let chain = CertificateDer::pem_slice_iter(identity.certificate.as_bytes())
        .collect::<Result<Vec<_>, _>>()
        .context("failed to read a serving certificate")?;
    let key =
        PrivateKeyDer::from_pem_slice(identity.key.as_bytes()).context("failed to read a serving key")?;
    let mut config = ServerConfig::builder_with_provider(Arc::new(ring::default_provider()))
        .with_safe_default_protocol_versions()?
        .with_no_client_auth()
        .with_single_cert(chain, key)?;
    config.alpn_protocols = vec![b"h2".to_vec(), b"http/1.1".to_vec()];
    Ok(config)
}
