//! The bare minimum: the requests that a tree cannot do without, with nothing done with the answers. It is a
//! process of its own, so that its time and memory compare with those of the others.

use std::path::Path;
use std::sync::Arc;

use anyhow::{Context as _, Result, bail, ensure};
use futures_util::{StreamExt as _, TryStreamExt as _, stream};
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

use crate::kinds;

/// The argument that turns the benchmark's binary into this.
pub(crate) const WORD: &str = "bare-minimum";
/// Requests under way at once, on the one connection.
const AT_ONCE: usize = 32;
/// Names, owners and labels alone, in the shortest form that the server has.
const METADATA: &str = "application/vnd.kubernetes.protobuf;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1";

/// Asks for everything in a namespace and prints how much came. `args`: kubeconfig, namespace.
#[expect(clippy::print_stdout, reason = "this process has no other way to answer")]
pub(crate) fn main(mut args: impl Iterator<Item = String>) -> Result<()> {
    let (Some(kubeconfig), Some(namespace)) = (args.next(), args.next()) else {
        bail!("{WORD} wants a kubeconfig and a namespace");
    };
    // One thread: the server is the one that works.
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let (lists, bytes) = runtime.block_on(ask_all(Path::new(&kubeconfig), &namespace))?;
    println!("{lists} lists, {bytes} bytes");
    Ok(())
}

async fn ask_all(kubeconfig: &Path, namespace: &str) -> Result<(usize, usize)> {
    let server = Server::of(kubeconfig)?;
    let connection = server.connect().await?;
    let documents = kinds::PATHS.map(|path| server.ask(&connection, path, kinds::ACCEPT));
    let [core, groups] = documents;
    let (core, groups) = tokio::try_join!(whole(core), whole(groups))?;
    let kinds: Vec<_> = kinds::listable(&core)?.into_iter().chain(kinds::listable(&groups)?).collect();
    let paths = kinds.iter().map(|kind| format!("{}?resourceVersion=0", kind.path(namespace)));
    let sizes: Vec<usize> = stream::iter(paths)
        .map(|path| {
            let (server, connection) = (&server, &connection);
            async move { thrown_away(server.ask(connection, &path, METADATA)).await }
        })
        .buffer_unordered(AT_ONCE)
        .try_collect()
        .await?;
    Ok((sizes.len(), sizes.iter().sum()))
}

type Connection = SendRequest<Empty<Bytes>>;

/// The server of a kubeconfig that the lab wrote: JSON, an authority's file and a token.
struct Server {
    host: String,
    port: u16,
    authority: String,
    token: String,
}

impl Server {
    fn of(kubeconfig: &Path) -> Result<Self> {
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

    async fn connect(&self) -> Result<Connection> {
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

    async fn ask(&self, connection: &Connection, path: &str, accept: &str) -> Result<Incoming> {
        let request = Request::get(format!("https://{}:{}{path}", self.host, self.port))
            .header(header::ACCEPT, accept)
            .header(header::AUTHORIZATION, format!("Bearer {}", self.token))
            .body(Empty::new())?;
        let mut connection = connection.clone();
        connection.ready().await?;
        let answer =
            connection.send_request(request).await.with_context(|| format!("no answer for {path}"))?;
        ensure!(answer.status().is_success(), "{path}: {}", answer.status());
        Ok(answer.into_body())
    }
}

async fn whole(answer: impl Future<Output = Result<Incoming>>) -> Result<Bytes> {
    Ok(answer.await?.collect().await?.to_bytes())
}

/// How long an answer was.
async fn thrown_away(answer: impl Future<Output = Result<Incoming>>) -> Result<usize> {
    let mut body = answer.await?;
    let mut length = 0;
    while let Some(frame) = body.frame().await {
        length += frame?.data_ref().map_or(0, Bytes::len);
    }
    Ok(length)
}
