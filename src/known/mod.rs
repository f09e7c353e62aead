//! Knowledge about Kubernetes and operators, mostly as sorted tables. Every entry names its source.
//!
//! | to find                                        | look in                                    |
//! |------------------------------------------------|--------------------------------------------|
//! | what condition types and their reasons mean    | `conditions.rs`, `reasons.rs`, `suffixes.rs` |
//! | what phases mean                               | `phases.rs`                                |
//! | which words of a message report an error       | `error_words.rs`                           |
//! | which kinds are custom, listed whole or never, | `kinds.rs`                                 |
//! | which have moved to another group              |                                            |
//! | which kinds are built into Kubernetes          | `builtin_kinds.rs`                         |
//! | which kinds Kubernetes creates below a kind    | `child_kinds.rs`                           |
//! | which field names refer to which kinds         | `references.rs`                            |
//! | what messages of the API server mean           | `server_messages.rs`                       |
//! | which fields are for a time in the future      | `time_fields.rs`                           |
//! | what the codes of findings mean                | `codes.rs`                                 |

pub mod builtin_kinds;
pub mod child_kinds;
pub mod codes;
pub mod conditions;
pub mod error_words;
pub mod kinds;
pub mod phases;
pub mod reasons;
pub mod references;
pub mod server_messages;
pub mod suffixes;
pub mod time_fields;
