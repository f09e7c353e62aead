//! Knowledge about other software, mostly as sorted tables. Every entry names its source.

pub mod child_kinds;
pub mod codes;
pub mod conditions;
pub mod phases;
pub mod reasons;
pub mod references;
pub mod server_messages;
pub mod suffixes;
