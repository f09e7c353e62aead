//! A live cluster: the only code that sends requests to an API server.
//!
//! | to find                                            | look in                                         |
//! |----------------------------------------------------|-------------------------------------------------|
//! | one request and its response, the server's clock   | `request.rs`, `path.rs`, `clock.rs`             |
//! | discovery of the served kinds                      | `discover.rs`, `discovery_documents.rs`         |
//! | how a query is read, how a kind is listed          | `query.rs`, `list.rs`                           |
//! | lists as streamed protobuf                         | `protobuf.rs`, `wire_format.rs`                 |
//! | bodies, and objects that others refer to           | `read.rs`                                       |
//! | events about objects                               | `events.rs`                                     |
//! | the end of a container's log                       | `log.rs`                                        |
//! | watches                                            | `watch.rs`, `watch_line.rs`, `line_splitter.rs` |
//! | the resource version from which a watch starts     | `resume_versions.rs`                            |
//! | names for hints and prompts                        | `names.rs`                                      |
//! | printer columns                                    | `printer_columns.rs`                            |
//! | what tests/fuzz feeds                              | `fuzzing.rs`                                    |

mod clock;
mod discover;
mod discovery_documents;
mod events;
#[doc(hidden)]
pub mod fuzzing;
mod line_splitter;
mod list;
mod log;
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
use crate::model::memory::MemoryBudget;

/// The maximum number of concurrent requests on one HTTP/2 connection.
const MAX_STREAMS: usize = 32;
/// The same with high latency, where most requests only wait. API servers allow 100 streams per connection.
const MAX_STREAMS_HIGH_LATENCY: usize = 96;
/// The latency from which [`MAX_STREAMS_HIGH_LATENCY`] applies.
const HIGH_LATENCY: Duration = Duration::from_millis(15);
/// The same over HTTP/1.1, where each request needs a connection.
const MAX_CONNECTIONS: usize = 4;

/// A connection to a cluster. Nothing is sent before the first request.
pub struct Cluster {
    client: kube::Client,
    server: String,
    warnings: Warnings,
    /// The timeout of a request; `None` waits forever.
    timeout: Option<Duration>,
    clock: Clock,
    /// How much memory responses may take.
    memory: MemoryBudget,
    /// The resource versions of lists, from which watches start.
    resume_versions: ResumeVersions,
    /// Whether the last response used HTTP/2.
    is_http2: AtomicBool,
    /// The lowest latency so far, in microseconds.
    min_latency: AtomicU64,
}

/// The version of a server.
#[derive(Debug, Serialize)]
pub struct ServerVersion {
    /// As the server reports it; a build from source may be `v0.0.0-master+$Format:%H$`.
    pub version: String,
    /// `linux/amd64` and the like.
    pub platform: String,
}

impl Cluster {
    /// Connects to a cluster.
    pub async fn connect(target: &Target) -> Result<Self, Failure> {
        let Connection { client, server, warnings } = connection::connect(target).await?;
        Ok(Self {
            client,
            server,
            warnings,
            timeout: target.request_timeout,
            clock: Clock::default(),
            memory: MemoryBudget::default(),
            resume_versions: ResumeVersions::default(),
            is_http2: AtomicBool::new(false),
            min_latency: AtomicU64::new(u64::MAX),
        })
    }

    /// The same connection with a budget of memory.
    #[must_use]
    pub fn with_memory(self, memory: MemoryBudget) -> Self {
        Self { memory, ..self }
    }

    /// The server's address, without credentials.
    pub fn server(&self) -> &str {
        &self.server
    }

    /// The namespace of `--namespace` or of the context.
    pub fn namespace(&self) -> &str {
        self.client.default_namespace()
    }

    /// How far the server's clock is ahead of the local one; `None` if the difference is small.
    pub fn skew(&self) -> Option<jiff::SignedDuration> {
        self.clock.skew()
    }

    /// The server's current time.
    pub fn now(&self) -> jiff::Timestamp {
        self.clock.current()
    }

    /// The maximum number of concurrent requests; it changes as responses show protocol and latency.
    fn max_concurrent(&self) -> usize {
        let min_latency = Duration::from_micros(self.min_latency.load(Ordering::Relaxed));
        match self.is_http2.load(Ordering::Relaxed) {
            false => MAX_CONNECTIONS,
            true if min_latency < HIGH_LATENCY => MAX_STREAMS,
            true => MAX_STREAMS_HIGH_LATENCY,
        }
    }

    /// The warnings that the server sent with its responses so far, each once.
    pub fn warnings(&self) -> Vec<String> {
        self.warnings.all()
    }

    /// Requests the server's version, waiting at most `limit`.
    pub async fn version(&self, limit: Duration) -> Result<ServerVersion, Failure> {
        let info = tokio::time::timeout(limit, self.client.apiserver_version())
            .await
            .map_err(|_| failure::timed_out(&self.server))?
            .map_err(|error| failure::from_kube(&error, &self.server))?;
        Ok(ServerVersion { version: info.git_version, platform: info.platform })
    }
}
