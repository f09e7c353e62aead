//! A live cluster: the only room that names a Kubernetes client.
//!
//! | to find                                            | look in                    |
//! |----------------------------------------------------|----------------------------|
//! | flags, kubeconfig, credentials, TLS, proxies       | `connection/`              |
//! | one question and its answer, the server's clock    | `ask.rs`, `clock.rs`, `path.rs` |
//! | which kinds there are                              | `discover.rs`, its documents in `discovery.rs` |
//! | metadata of every kind at once                     | `sweep.rs`, one kind in `list.rs` |
//! | protobuf as it streams in                          | `protobuf.rs`, `fields.rs` |
//! | whole objects, owners that were not seen           | `read.rs`                  |
//! | names for a hint                                   | `names.rs`                 |

mod ask;
mod clock;
mod connection;
mod discover;
mod discovery;
mod fields;
mod list;
mod names;
mod path;
mod protobuf;
mod read;
mod sweep;

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use serde::Serialize;

pub use connection::{Env, Impersonation, Log, Proxies, Target, platform};
pub use discover::Discovered;
pub use sweep::Wanted;

use clock::Clock;
use connection::{Connection, Warnings, fault};

use crate::error::Failure;
use crate::source::progress::Progress;
use crate::source::stop::Stop;

/// Requests under way at once on one HTTP/2 connection.
const STREAMS: usize = 32;
/// The same over HTTP/1.1, where each is a connection.
const CONNECTIONS: usize = 4;

/// A cluster that can be asked. Nothing has been sent yet when one is made.
pub struct Cluster {
    client: kube::Client,
    server: String,
    warnings: Warnings,
    /// How long one question may take; `None` waits forever.
    timeout: Option<Duration>,
    clock: Clock,
    /// Whether the server has been seen to speak HTTP/2.
    streams: AtomicBool,
}

/// Who watches a long read: told what is slow, and able to end it.
#[derive(Clone, Debug, Default)]
pub struct Attention {
    pub progress: Progress,
    pub stop: Stop,
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
        let (clock, streams) = (Clock::default(), AtomicBool::new(false));
        Ok(Self { client, server, warnings, timeout: target.request_timeout, clock, streams })
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

    fn at_once(&self) -> usize {
        if self.streams.load(Ordering::Relaxed) { STREAMS } else { CONNECTIONS }
    }

    /// What the server has said beside its answers so far, each text once.
    pub fn warnings(&self) -> Vec<String> {
        self.warnings.all()
    }

    /// Asks the server what it is, and waits no longer than `limit`.
    pub async fn version(&self, limit: Duration) -> Result<ServerVersion, Failure> {
        let info = tokio::time::timeout(limit, self.client.apiserver_version())
            .await
            .map_err(|_| fault::no_answer(&self.server))?
            .map_err(|error| fault::explain(&error, &self.server))?;
        Ok(ServerVersion { version: info.git_version, platform: info.platform })
    }
}
