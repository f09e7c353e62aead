//! A server that gives one prepared answer, for what a real API server will not do on demand.
//! With TLS where it is to receive credentials: they are sent to no other.

use std::io::{BufRead as _, BufReader, Read, Write};
use std::net::{Ipv4Addr, SocketAddr, TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;

use lab::certs::{Authority, Identity};
use rustls::pki_types::pem::PemObject as _;
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use rustls::{ServerConfig, ServerConnection, StreamOwned};

/// Listens on a free port until the test ends.
pub(crate) struct Server {
    address: SocketAddr,
    requests: Receiver<Vec<String>>,
    /// The PEM of the authority that signed the certificate of a server with TLS.
    authority: Option<String>,
}

/// A connection, with or without TLS.
trait Stream: Read + Write + Send {}

impl<T: Read + Write + Send> Stream for T {}

impl Server {
    /// Answers every request with `status` and `body`.
    pub(crate) fn answering(status: u16, body: &str) -> Self {
        Self::start(Some(response(status, body)), None)
    }

    /// The same over TLS.
    pub(crate) fn answering_tls(status: u16, body: &str) -> Self {
        let authority = Authority::new("test").unwrap();
        let identity = authority.issue(&["localhost"], &[Ipv4Addr::LOCALHOST.into()]).unwrap();
        let mut server = Self::start(Some(response(status, body)), Some(&identity));
        server.authority = Some(authority.certificate().to_owned());
        server
    }

    /// Takes every request and never answers.
    pub(crate) fn silent() -> Self {
        Self::start(None, None)
    }

    fn start(answer: Option<String>, identity: Option<&Identity>) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let tls = identity.map(|identity| Arc::new(tls_config(identity)));
        let (sender, requests) = channel();
        thread::spawn(move || {
            // Kept open: a silent server does not hang up.
            let mut open = Vec::new();
            for stream in listener.incoming().flatten() {
                open.extend(accept(stream, tls.clone()).and_then(|s| serve(s, answer.as_deref(), &sender)));
            }
        });
        Self { address, requests, authority: None }
    }

    pub(crate) fn url(&self) -> String {
        let scheme = if self.authority.is_some() { "https" } else { "http" };
        format!("{scheme}://{}", self.address)
    }

    /// The PEM of its authority.
    pub(crate) fn authority(&self) -> &str {
        self.authority.as_deref().unwrap()
    }

    /// The lines of the first request's head, in lower case.
    pub(crate) fn wait_for_request(&self) -> Vec<String> {
        self.requests.recv_timeout(std::time::Duration::from_secs(20)).unwrap()
    }
}

fn response(status: u16, body: &str) -> String {
    format!(
        "HTTP/1.1 {status} X\r\ncontent-type: application/json\r\ncontent-length: {}\r\nconnection: close\r\n\r\n{body}",
        body.len()
    )
}

fn tls_config(identity: &Identity) -> ServerConfig {
    let chain = CertificateDer::from_pem_slice(identity.certificate.as_bytes()).unwrap();
    let key = PrivateKeyDer::from_pem_slice(identity.key.as_bytes()).unwrap();
    ServerConfig::builder_with_provider(Arc::new(rustls::crypto::ring::default_provider()))
        .with_safe_default_protocol_versions()
        .unwrap()
        .with_no_client_auth()
        .with_single_cert(vec![chain], key)
        .unwrap()
}

fn accept(stream: TcpStream, tls: Option<Arc<ServerConfig>>) -> Option<Box<dyn Stream>> {
    Some(match tls {
        Some(tls) => Box::new(StreamOwned::new(ServerConnection::new(tls).ok()?, stream)),
        None => Box::new(stream),
    })
}

fn serve(
    stream: Box<dyn Stream>,
    answer: Option<&str>,
    requests: &Sender<Vec<String>>,
) -> Option<Box<dyn Stream>> {
    let mut stream = BufReader::new(stream);
    let mut head = Vec::new();
    let mut line = Vec::new();
    // Whatever is not a line of text ends the head, such as the TLS of a client that expects it.
    while stream.read_until(b'\n', &mut line).is_ok() {
        match std::str::from_utf8(&line).map(str::trim_end) {
            Ok("") | Err(_) => break,
            Ok(text) => head.push(text.to_lowercase()),
        }
        line.clear();
    }
    // A client closes the connection on which it found out that this server has no HTTP/2.
    if !head.is_empty() {
        requests.send(head).ok()?;
    }
    let mut stream = stream.into_inner();
    match answer {
        Some(answer) => {
            stream.write_all(answer.as_bytes()).and_then(|()| stream.flush()).ok()?;
            None
        }
        None => Some(stream),
    }
}
