//! A live cluster: the only room that asks a Kubernetes client.
//!
//! | to find                                            | look in                    |
//! |----------------------------------------------------|----------------------------|
//! | one question and its answer, the server's clock    | `request.rs`, `clock.rs`, `path.rs` |
//! | which kinds there are                              | `discover.rs`, its documents in `discovery.rs` |
//! | what a query asks for, all at once                 | `query.rs`, one kind in `list.rs` |
//! | protobuf as it streams in                          | `protobuf.rs`, `fields.rs` |
//! | bodies, and objects that others name               | `read.rs`                  |
//! | what was written down about objects                | `events.rs`                |
//! | what happens from then on                          | `watch.rs`, its documents in `event.rs` and `lines.rs`, where it starts in `versions.rs` |
//! | names for a hint, columns of a kind's author       | `names.rs`, `printed.rs`   |

mod clock;
mod discover;
mod discovery_documents;
mod events;
mod line_splitter;
mod list;
mod names;
mod path;
mod printer_columns;
mod protobuf;
mod query;
mod read;
mod request;
mod resume_versions;
mod watch;
mod watch_line;
mod wire_format;

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

use serde::Serialize;

use clock::Clock;
use resume_versions::ResumeVersions;

use crate::connection::{self, Connection, Target, Warnings, failure};
use crate::error::Failure;

/// Requests under way at once on one HTTP/2 connection.
const MAX_STREAMS: usize = 32;
/// The same where every answer is a long way off: waiting for it costs the server nothing. Below the hundred streams
/// that a server allows on a connection.
const MAX_STREAMS_HIGH_LATENCY: usize = 96;
/// A server whose quickest answer takes this long is far away.
const HIGH_LATENCY: Duration = Duration::from_millis(15);
/// The same over HTTP/1.1, where each is a connection.
const MAX_CONNECTIONS: usize = 4;

/// A cluster that can be asked. Nothing has been sent yet when one is made.
pub struct Cluster {
    client: kube::Client,
    server: String,
    warnings: Warnings,
    /// How long one question may take; `None` waits forever.
    timeout: Option<Duration>,
    clock: Clock,
    /// Where lists ended, for watches to go on from.
    resume_versions: ResumeVersions,
    /// Whether the server has been seen to speak HTTP/2.
    is_http2: AtomicBool,
    /// How long its quickest answer took, in microseconds.
    min_latency: AtomicU64,
}

/// What a server says about itself.
#[derive(Debug, Serialize)]
pub struct ServerVersion {
    /// As the server spells it: a build from source may say `v0.0.0-master+$Format:%H$`.
    pub version: String,
    /// `linux/amd64` and the like.
    pub platform: String,
}

impl Cluster {
    /// Finds the cluster that `target` means.
    pub async fn connect(target: &Target) -> Result<Self, Failure> {
        let Connection { client, server, warnings } = connection::connect(target).await?;
        Ok(Self {
            client,
            server,
            warnings,
            timeout: target.request_timeout,
            clock: Clock::default(),
            resume_versions: ResumeVersions::default(),
            is_http2: AtomicBool::new(false),
            min_latency: AtomicU64::new(u64::MAX),
        })
    }

    /// The server's address, without any credentials in it.
    pub fn server(&self) -> &str {
        &self.server
    }

    /// The namespace that the context, or `--namespace`, names.
    pub fn namespace(&self) -> &str {
        self.client.default_namespace()
    }

    /// How far the server's clock is ahead of this machine's, where that is worth a word.
    pub fn skew(&self) -> Option<jiff::SignedDuration> {
        self.clock.skew()
    }

    /// The server's time at this very moment.
    pub fn now(&self) -> jiff::Timestamp {
        self.clock.current()
    }

    /// How many questions to have under way; changes as more is known about the way to the server.
    fn max_concurrent(&self) -> usize {
        let min_latency = Duration::from_micros(self.min_latency.load(Ordering::Relaxed));
        match self.is_http2.load(Ordering::Relaxed) {
            false => MAX_CONNECTIONS,
            true if min_latency < HIGH_LATENCY => MAX_STREAMS,
            true => MAX_STREAMS_HIGH_LATENCY,
        }
    }

    /// What the server has said beside its answers so far, each text once.
    pub fn warnings(&self) -> Vec<String> {
        self.warnings.all()
    }

    /// Asks the server what it is, and waits no longer than `limit`.
    pub async fn version(&self, limit: Duration) -> Result<ServerVersion, Failure> {
        let info = tokio::time::timeout(limit, self.client.apiserver_version())
            .await
            .map_err(|_| failure::timed_out(&self.server))?
            .map_err(|error| failure::from_kube(&error, &self.server))?;
        Ok(ServerVersion { version: info.git_version, platform: info.platform })
    }
}
