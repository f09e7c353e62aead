//! Turns flags, environment and files into a client for one cluster. Knows nothing of objects.
//!
//! | to find                                              | look in                                    |
//! |------------------------------------------------------|--------------------------------------------|
//! | the flags and environment variables that count       | `target.rs`                                |
//! | which kubeconfig files are read, what they define    | `kubeconfig.rs`                            |
//! | how a flag overrides a kubeconfig                    | `overrides.rs`                             |
//! | how a file is read: its size, pipes, devices         | `file.rs`                                  |
//! | the service account of a Pod                         | `in_cluster.rs`                            |
//! | tokens, passwords, `oidc`: what is sent and when     | `auth.rs`                                  |
//! | credential plugins, and which of them may run        | `exec.rs`, `kuberc.rs`                     |
//! | which proxy is used                                  | `proxy.rs`                                 |
//! | server verification and client certificates          | `tls.rs`                                   |
//! | which certificates may sign those of servers         | `authority.rs`                             |
//! | all of the above turned into a client                | `connect.rs`                               |
//! | the layers around a request, in order                | `client.rs`                                |
//! | which responses are retried (429, 503)               | `retry.rs`                                 |
//! | the token of a credential plugin                     | `exec_auth.rs`                             |
//! | `Warning` headers                                    | `warnings.rs`                              |
//! | `-v`                                                 | `log.rs`                                   |
//! | HTTP/2 and connections                               | `transport.rs`                             |
//! | error messages and hints for failed requests         | `failure.rs`                               |
//! | what tests/fuzz feeds                                | `fuzzing.rs`                               |

mod auth;
mod authority;
mod client;
mod connect;
mod exec;
mod exec_auth;
pub(crate) mod failure;
mod file;
#[doc(hidden)]
pub mod fuzzing;
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

/// A client and what is known about its server.
pub(crate) struct Connection {
    pub(crate) client: kube::Client,
    /// The server's address, without credentials.
    pub(crate) server: String,
    pub(crate) warnings: Warnings,
}
