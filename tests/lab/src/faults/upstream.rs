//! The proxy's way to the real API server: one HTTP/2 connection that all clients share.

use std::sync::Arc;

use anyhow::{Context as _, Result, ensure};
use http::request::Parts;
use http::uri::{Authority, Scheme};
use http::{HeaderMap, HeaderName, HeaderValue, Request, Response, Uri, Version, header};
use hyper::body::{Bytes, Incoming};
use hyper_rustls::{HttpsConnector, HttpsConnectorBuilder};
use hyper_util::client::legacy::Client;
use hyper_util::client::legacy::connect::HttpConnector;
use hyper_util::rt::TokioExecutor;
use rustls::crypto::ring;
use rustls::pki_types::CertificateDer;
use rustls::pki_types::pem::PemObject as _;
use rustls::{ClientConfig, RootCertStore};

use super::body::{self, Payload};
use super::fault::Discovery;

/// Headers about one connection; they end at the proxy.
const HOP_BY_HOP: [HeaderName; 6] = [
    header::CONNECTION,
    HeaderName::from_static("keep-alive"),
    HeaderName::from_static("proxy-connection"),
    header::TE,
    header::TRANSFER_ENCODING,
    header::UPGRADE,
];

const PLAIN: &str = "application/json";
const AGGREGATED: &str = "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList";
const AGGREGATED_BETA: &str = "application/json;g=apidiscovery.k8s.io;v=v2beta1;as=APIGroupDiscoveryList";

/// The API server behind the proxy.
#[derive(Debug)]
pub(super) struct Upstream {
    authority: Authority,
    client: Client<HttpsConnector<HttpConnector>, Incoming>,
}

/// How much of the answer's encoding is left to the client's wish.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Encoding {
    AsAsked,
    Plain,
}

impl Upstream {
    /// A server on loopback whose certificate this authority (PEM) signed.
    pub(super) fn new(url: &str, certificate_authority: &str) -> Result<Self> {
        let uri: Uri = url.parse().with_context(|| format!("{url} is not a URL"))?;
        let authority = uri.authority().with_context(|| format!("{url} names no host"))?.clone();
        let host = authority.host();
        ensure!(host.starts_with("127.") || host == "localhost", "{url} is not on loopback");
        let mut http = HttpConnector::new();
        http.enforce_http(false);
        http.set_nodelay(true);
        let connector = HttpsConnectorBuilder::new()
            .with_tls_config(client_config(certificate_authority)?)
            .https_only()
            .enable_http2()
            .wrap_connector(http);
        // With HTTP/2 alone, requests that arrive together wait for one connection and do not open many.
        let client = Client::builder(TokioExecutor::new()).http2_only(true).build(connector);
        Ok(Self { authority, client })
    }

    /// Passes a request on.
    pub(super) async fn ask(
        &self,
        mut parts: Parts,
        body: Incoming,
        encoding: Encoding,
        discovery: Option<Discovery>,
    ) -> Result<Response<Payload>> {
        let form = discovery.and_then(|discovery| Form::of(discovery, &parts));
        let mut uri = parts.uri.into_parts();
        uri.scheme = Some(Scheme::HTTPS);
        uri.authority = Some(self.authority.clone());
        parts.uri = Uri::from_parts(uri)?;
        parts.version = Version::HTTP_2;
        parts.extensions.clear();
        parts.headers.remove(header::HOST);
        remove_hop_by_hop(&mut parts.headers);
        if encoding == Encoding::Plain {
            parts.headers.remove(header::ACCEPT_ENCODING);
        }
        if let Some(form) = form {
            parts.headers.insert(header::ACCEPT, HeaderValue::from_static(form.accept()));
            parts.headers.remove(header::ACCEPT_ENCODING);
        }
        let answer = self.client.request(Request::from_parts(parts, body)).await?;
        let (mut parts, body) = answer.into_parts();
        parts.version = Version::default();
        remove_hop_by_hop(&mut parts.headers);
        let answer = Response::from_parts(parts, body::boxed(body));
        if form == Some(Form::Beta) { as_beta(answer).await } else { Ok(answer) }
    }
}

/// The form of discovery that stands in for what the client asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Form {
    Old,
    Beta,
}

impl Form {
    fn of(discovery: Discovery, parts: &Parts) -> Option<Self> {
        let asks = |text: &str| {
            parts
                .headers
                .get_all(header::ACCEPT)
                .iter()
                .any(|value| value.to_str().is_ok_and(|v| v.contains(text)))
        };
        match discovery {
            _ if !matches!(parts.uri.path(), "/api" | "/apis") => None,
            Discovery::Beta if asks("v=v2beta1") => Some(Self::Beta),
            Discovery::Old | Discovery::Beta => Some(Self::Old),
        }
    }

    fn accept(self) -> &'static str {
        match self {
            Self::Old => PLAIN,
            // Servers no longer speak v2beta1; v2 has the same fields under another name.
            Self::Beta => AGGREGATED,
        }
    }
}

/// Renames the current aggregated document to what it was called before.
async fn as_beta(answer: Response<Payload>) -> Result<Response<Payload>> {
    let (mut parts, body) = answer.into_parts();
    let document = body::collect(body).await?;
    if !parts.status.is_success() {
        return Ok(Response::from_parts(parts, body::full(document)));
    }
    let text = std::str::from_utf8(&document).context("aggregated discovery is not text")?;
    let renamed = text.replacen("\"apidiscovery.k8s.io/v2\"", "\"apidiscovery.k8s.io/v2beta1\"", 1);
    parts.headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(AGGREGATED_BETA));
    parts.headers.remove(header::CONTENT_LENGTH);
    parts.headers.remove(header::ETAG);
    Ok(Response::from_parts(parts, body::full(Bytes::from(renamed))))
}

fn remove_hop_by_hop(headers: &mut HeaderMap) {
    for name in HOP_BY_HOP {
        headers.remove(name);
    }
}

/// TLS that trusts one authority (PEM) and nobody else.
pub(super) fn client_config(certificate_authority: &str) -> Result<ClientConfig> {
    let mut roots = RootCertStore::empty();
    for certificate in CertificateDer::pem_slice_iter(certificate_authority.as_bytes()) {
        roots.add(certificate.context("failed to read a certificate authority")?)?;
    }
    Ok(ClientConfig::builder_with_provider(Arc::new(ring::default_provider()))
        .with_safe_default_protocol_versions()?
        .with_root_certificates(roots)
        .with_no_client_auth())
}
