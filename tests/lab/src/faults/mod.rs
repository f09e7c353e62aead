//! The ways a cluster breaks.
//!
//! | to find                                             | look in                                     |
//! |-----------------------------------------------------|---------------------------------------------|
//! | a proxy before the API server, and its faults       | `proxy.rs`, `fault.rs`, `matching.rs`       |
//! | what the proxy answers in the API server's words    | `answer.rs`, `target.rs`                    |
//! | what was asked through the proxy                    | `record.rs`, `wire.rs`                      |
//! | servers that the API server calls, and their moods  | `behavior.rs`, `backend.rs`                       |
//! | an admission webhook                                | `webhook.rs`                                |
//! | a kind whose conversion webhook breaks              | `conversion.rs`                             |
//! | an aggregated API                                   | `extension.rs`                              |

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
