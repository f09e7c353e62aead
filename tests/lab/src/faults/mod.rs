//! The ways a cluster breaks.
//!
//! | to find                                             | look in                                     |
//! |-----------------------------------------------------|---------------------------------------------|
//! | a proxy before the API server, and its faults       | `proxy.rs`, `fault.rs`, `matching.rs`       |
//! | what the proxy answers in the API server's words    | `answer.rs`, `target.rs`                    |
//! | what was asked through the proxy                    | `record.rs`, `wire.rs`                      |
//! | servers that the API server calls, and their moods  | `mood.rs`, `stage.rs`                       |
//! | an admission webhook                                | `webhook.rs`                                |
//! | a kind whose conversion webhook breaks              | `conversion.rs`                             |
//! | an aggregated API                                   | `extension.rs`                              |

pub mod answer;
mod body;
pub mod conversion;
pub mod extension;
mod fault;
mod matching;
mod mood;
mod noise;
mod proxy;
mod record;
mod rules;
mod stage;
mod target;
pub mod tls;
mod upstream;
pub mod webhook;
mod wire;

pub use answer::{Answer, Refusal};
pub use conversion::Conversion;
pub use extension::Extension;
pub use fault::{Change, Decision, Discovery, Fault};
pub use matching::Match;
pub use mood::Mood;
pub use proxy::Proxy;
pub use record::Record;
pub use target::{Continues, Target};
pub use webhook::{FailurePolicy, Hook, Webhook};
pub use wire::{Connection, Line, Traffic};
