//! The minimal client: HTTP/2 over one connection, responses discarded.

use std::path::Path;
use std::sync::Arc;

use anyhow::{Context as _, Result, ensure};
use http::{Request, header};
use http_body_util::{BodyExt as _, Empty};
use hyper::body::{Bytes, Incoming};
use hyper::client::conn::http2::{self, SendRequest};
use hyper_util::rt::{TokioExecutor, TokioIo};
use rustls::crypto::ring;
use rustls::pki_types::pem::PemObject as _;
use rustls::pki_types::{CertificateDer, ServerName};
use rustls::{ClientConfig, RootCertStore};
use serde_json::Value;
use tokio::net::TcpStream;
use tokio_rustls::TlsConnector;

/// Requests under way at once, on the one connection.
pub(crate) const AT_ONCE: usize = 32;

pub(crate) type Connection = SendRequest<Empty<Bytes>>;

/// The server of a kubeconfig that the lab wrote: JSON, an authority's file and a token.
pub(crate) struct Server {
    host: String,
    port: u16,
    authority: String,
    token: String,
}

impl Server {
    /// The one that a kubeconfig names.
    pub(crate) fn of(kubeconfig: &Path) -> Result<Self> {
        let text = std::fs::read(kubeconfig).with_context(|| format!("{}", kubeconfig.display()))?;
        let config: Value = serde_json::from_slice(&text).context("not a kubeconfig of the lab")?;
        let cluster = &config["clusters"][0]["cluster"];
        let text = |value: &Value| value.as_str().map(str::to_owned).context("the kubeconfig lacks a field");
        let url: http::Uri = text(&cluster["server"])?.parse()?;
        Ok(Self {
            host: url.host().context("the server has no host")?.to_owned(),
            port: url.port_u16().context("the server has no port")?,
            authority: text(&cluster["certificate-authority"])?,
            token: text(&config["users"][0]["user"]["token"])?,
        })
    }

    /// Opens the one connection.
    pub(crate) async fn connect(&self) -> Result<Connection> {
        let mut roots = RootCertStore::empty();
        roots.add(CertificateDer::from_pem_file(&self.authority)?)?;
        let mut config = ClientConfig::builder_with_provider(Arc::new(ring::default_provider()))
            .with_safe_default_protocol_versions()?
            .with_root_certificates(roots)
            .with_no_client_auth();
        config.alpn_protocols = vec![b"h2".to_vec()];
        let socket = TcpStream::connect((self.host.as_str(), self.port)).await?;
        socket.set_nodelay(true)?;
        let name = ServerName::try_from(self.host.clone())?;
        let stream = TlsConnector::from(Arc::new(config)).connect(name, socket).await?;
        let (sender, connection) = http2::handshake(TokioExecutor::new(), TokioIo::new(stream)).await?;
        // It ends with the sender; what goes wrong on it is an error of the request under way.
        tokio::spawn(connection);
        Ok(sender)
    }

    /// Sends one request; the answer's body is still to come.
    pub(crate) async fn ask(
        &self,
        connection: &Connection,
        path: &str,
        accept: &str,
        encoding: Option<&str>,
    ) -> Result<Incoming> {
        let mut request = Request::get(format!("https://{}:{}{path}", self.host, self.port))
            .header(header::ACCEPT, accept)
            .header(header::AUTHORIZATION, format!("Bearer {}", self.token));
        if let Some(encoding) = encoding {
            request = request.header(header::ACCEPT_ENCODING, encoding);
        }
        let request = request.body(Empty::new())?;
        let mut connection = connection.clone();
        connection.ready().await?;
        let answer =
            connection.send_request(request).await.with_context(|| format!("no answer for {path}"))?;
        ensure!(answer.status().is_success(), "{path}: {}", answer.status());
        Ok(answer.into_body())
    }
}

/// The complete body.
pub(crate) async fn whole(answer: impl Future<Output = Result<Incoming>>) -> Result<Bytes> {
    Ok(answer.await?.collect().await?.to_bytes())
}

/// The length of the body, which is discarded.
pub(crate) async fn thrown_away(answer: impl Future<Output = Result<Incoming>>) -> Result<usize> {
    let mut body = answer.await?;
    let mut length = 0;
    while let Some(frame) = body.frame().await {
        length += frame?.data_ref().map_or(0, Bytes::len);
    }
    Ok(length)
}
