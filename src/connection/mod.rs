//! From flags, environment and files to a client that can be trusted with a question.
//!
//! | to find                                            | look in                    |
//! |----------------------------------------------------|----------------------------|
//! | what flags and environment ask for                 | `target.rs`                |
//! | kubeconfig files: which are read, what they define | `kubeconfig.rs`            |
//! | how a flag overrides what a file says              | `overrides.rs`             |
//! | the service account of a Pod                       | `in_cluster.rs`                 |
//! | credential plugins, and which may be run           | `exec.rs`, `kuberc.rs`     |
//! | which proxy to go through                          | `proxy.rs`                 |
//! | whom to trust, and what to show                    | `tls.rs`                   |
//! | all of that turned into a client                   | `connect.rs`               |
//! | the layers around a request, in order              | `client.rs`                |
//! | each of them                                       | `retry.rs`, `exec_auth.rs`, `warnings.rs`, `log.rs`, `transport.rs` |
//! | what a failed request is called                    | `failure.rs`                 |

mod client;
mod connect;
mod exec;
mod exec_auth;
pub(crate) mod failure;
mod in_cluster;
mod kubeconfig;
mod kuberc;
mod log;
mod overrides;
mod proxy;
mod retry;
mod target;
mod tls;
mod transport;
mod warnings;

pub(crate) use connect::connect;
pub use connect::platform;
pub use log::Log;
pub use target::{Env, Impersonation, ProxyEnv, Target};
pub(crate) use warnings::Warnings;

/// A client, and what is known about the other end.
pub(crate) struct Connection {
    pub(crate) client: kube::Client,
    /// The server's address, without any credentials in it.
    pub(crate) server: String,
    pub(crate) warnings: Warnings,
}
