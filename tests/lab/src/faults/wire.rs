//! One accepted TCP connection: what went over it is counted, and it can end with a reset.

use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::task::{Context, Poll};
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::TcpStream;
use tokio::sync::Notify;

/// What all connections of one server have in common: their count, their bytes, their latency.
#[derive(Debug, Default)]
pub struct ConnectionStats {
    connections: AtomicU64,
    received: AtomicU64,
    sent: AtomicU64,
    round_trip_micros: AtomicU64,
}

/// Bytes on the wire, TLS included.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Traffic {
    pub from_client: u64,
    pub to_client: u64,
}

impl ConnectionStats {
    /// How many connections were accepted since the start or the last [`ConnectionStats::forget`].
    pub fn connections(&self) -> u64 {
        self.connections.load(Ordering::Relaxed)
    }

    /// How many bytes went over the wire since the start or the last [`ConnectionStats::forget`].
    pub fn traffic(&self) -> Traffic {
        Traffic {
            from_client: self.received.load(Ordering::Relaxed),
            to_client: self.sent.load(Ordering::Relaxed),
        }
    }

    /// Starts counting anew.
    pub fn forget(&self) {
        for count in [&self.connections, &self.received, &self.sent] {
            count.store(0, Ordering::Relaxed);
        }
    }

    /// Sets the latency: connections and requests that begin from now on take this much longer.
    pub fn set_round_trip(&self, time: Duration) {
        self.round_trip_micros.store(u64::try_from(time.as_micros()).unwrap_or(u64::MAX), Ordering::Relaxed);
    }

    /// The time last given to [`ConnectionStats::set_round_trip`].
    pub fn round_trip(&self) -> Duration {
        Duration::from_micros(self.round_trip_micros.load(Ordering::Relaxed))
    }

    /// Waits for so many round trips.
    pub(super) async fn delay_round_trips(&self, times: u32) {
        pause(self.round_trip() * times).await;
    }

    pub(super) fn opened(&self) {
        self.connections.fetch_add(1, Ordering::Relaxed);
    }
}

/// Sleeps, but not at all for no time: a timer takes a millisecond or two even for nothing.
pub(super) async fn pause(time: Duration) {
    if !time.is_zero() {
        tokio::time::sleep(time).await;
    }
}

/// The connection that a request came over; every request carries one as an extension.
#[derive(Clone, Debug, Default)]
pub struct Connection(Arc<ResetSignal>);

#[derive(Debug, Default)]
struct ResetSignal {
    reset: AtomicBool,
    asked: Notify,
}

impl Connection {
    /// Ends the connection with a TCP reset, whatever else is under way on it.
    pub fn reset(&self) {
        self.0.reset.store(true, Ordering::Release);
        self.0.asked.notify_one();
    }

    /// Waits until somebody asks for a reset.
    pub(super) async fn reset_asked(&self) {
        self.0.asked.notified().await;
    }
}

/// The socket under TLS.
pub(super) struct CountedStream {
    socket: TcpStream,
    stats: Arc<ConnectionStats>,
    connection: Connection,
}

impl CountedStream {
    pub(super) fn new(
        socket: TcpStream,
        stats: Arc<ConnectionStats>,
        connection: Connection,
    ) -> io::Result<Self> {
        // A proxy that waits for more bytes before it sends would show up in every measurement.
        socket.set_nodelay(true)?;
        Ok(Self { socket, stats, connection })
    }
}

impl Drop for CountedStream {
    fn drop(&mut self) {
        if self.connection.0.reset.load(Ordering::Acquire) {
            // Without lingering the kernel throws away what is unsent and answers with RST in place of FIN.
            // A socket that is already gone has nothing left to reset.
            let _ = self.socket.set_zero_linger();
        }
    }
}

impl AsyncRead for CountedStream {
    fn poll_read(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buf: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let before = buf.filled().len();
        let result = Pin::new(&mut self.socket).poll_read(cx, buf);
        self.stats.received.fetch_add((buf.filled().len() - before) as u64, Ordering::Relaxed);
        result
    }
}

impl AsyncWrite for CountedStream {
    fn poll_write(mut self: Pin<&mut Self>, cx: &mut Context<'_>, buf: &[u8]) -> Poll<io::Result<usize>> {
        let result = Pin::new(&mut self.socket).poll_write(cx, buf);
        if let Poll::Ready(Ok(written)) = &result {
            self.stats.sent.fetch_add(*written as u64, Ordering::Relaxed);
        }
        result
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.socket).poll_flush(cx)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.socket).poll_shutdown(cx)
    }
}
