//! A live cluster: the only room that names a Kubernetes client.
//!
//! | to find                                            | look in         |
//! |----------------------------------------------------|-----------------|
//! | what flags and environment ask for                 | `target.rs`     |
//! | kubeconfig files: which are read, what they define | `kubeconfig.rs` |
//! | how a flag overrides what a file says              | `overrides.rs`  |
//! | the service account of a Pod                       | `pod.rs`        |
//! | all of that turned into a client                   | `connect.rs`    |
//! | what a failed request is called                    | `fault.rs`      |

mod connect;
mod fault;
mod kubeconfig;
mod overrides;
mod pod;
mod target;

use std::time::Duration;

use serde::Serialize;

pub use connect::platform;
pub use target::{Env, Impersonation, Target};

use crate::error::Failure;

/// A cluster that can be asked. Nothing has been sent yet when one is made.
pub struct Cluster {
    client: kube::Client,
    server: String,
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
        connect::connect(target).await
    }

    /// The server's address, without any credentials in it.
    pub fn server(&self) -> &str {
        &self.server
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
