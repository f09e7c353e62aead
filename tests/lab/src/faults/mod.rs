//! Faults of an API server and of the servers that it calls.
//!
//! | to find                                               | look in                                    |
//! |-------------------------------------------------------|--------------------------------------------|
//! | a proxy before the API server, and its faults         | `proxy.rs`, `fault.rs`                     |
//! | which requests a fault applies to                     | `matching.rs`, `rules.rs`                  |
//! | responses in the words of the API server              | `error_response.rs`, `target.rs`           |
//! | bodies that are cut short or are garbage              | `body.rs`, `garbage_bytes.rs`              |
//! | requests and bytes that went through the proxy        | `record.rs`, `wire.rs`                     |
//! | the connection from the proxy to the API server       | `upstream.rs`                              |
//! | HTTP over TLS, for all servers here                   | `tls.rs`                                   |
//! | servers that the API server calls, and their behavior | `server_behavior.rs`, `service_backend.rs` |
//! | an admission webhook                                  | `webhook.rs`                               |
//! | a kind whose conversion webhook fails                 | `conversion.rs`                            |
//! | an aggregated API                                     | `extension.rs`                             |

mod body;
pub mod conversion;
pub mod error_response;
pub mod extension;
mod fault;
mod garbage_bytes;
mod matching;
mod proxy;
mod record;
mod rules;
mod server_behavior;
mod service_backend;
mod target;
pub mod tls;
mod upstream;
pub mod webhook;
mod wire;

pub use conversion::Conversion;
pub use error_response::{BufferedResponse, ErrorResponse};
pub use extension::Extension;
pub use fault::{Change, Decision, Discovery, Fault};
pub use matching::Match;
pub use proxy::Proxy;
pub use record::Record;
pub use server_behavior::ServerBehavior;
pub use target::{Continues, Target};
pub use webhook::{FailurePolicy, Webhook, WebhookConfig};
pub use wire::{Connection, ConnectionStats, Traffic};
