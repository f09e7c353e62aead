//! A server that gives one prepared answer, for what a real API server will not do on demand.

use std::io::{BufRead as _, BufReader, Write as _};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;

/// Listens on a free port until the test ends.
pub(crate) struct Server {
    address: SocketAddr,
    requests: Receiver<Vec<String>>,
}

impl Server {
    /// Answers every request with `status` and `body`.
    pub(crate) fn answering(status: u16, body: &str) -> Self {
        let answer = format!(
            "HTTP/1.1 {status} X\r\ncontent-type: application/json\r\ncontent-length: {}\r\nconnection: close\r\n\r\n{body}",
            body.len()
        );
        Self::start(Some(answer))
    }

    /// Takes every request and never answers.
    pub(crate) fn silent() -> Self {
        Self::start(None)
    }

    fn start(answer: Option<String>) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let (sender, requests) = channel();
        thread::spawn(move || {
            // Kept open: a silent server does not hang up.
            let mut open = Vec::new();
            for stream in listener.incoming().flatten() {
                open.extend(serve(stream, answer.as_deref(), &sender));
            }
        });
        Self { address, requests }
    }

    pub(crate) fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    /// The lines of the first request's head, in lower case.
    pub(crate) fn wait_for_request(&self) -> Vec<String> {
        self.requests.recv_timeout(std::time::Duration::from_secs(20)).unwrap()
    }
}

fn serve(mut stream: TcpStream, answer: Option<&str>, requests: &Sender<Vec<String>>) -> Option<TcpStream> {
    let lines = BufReader::new(stream.try_clone().ok()?).lines();
    let head =
        lines.map_while(Result::ok).take_while(|line| !line.is_empty()).map(|line| line.to_lowercase());
    requests.send(head.collect()).ok()?;
    match answer {
        Some(answer) => stream.write_all(answer.as_bytes()).ok().and(None),
        None => Some(stream),
    }
}
