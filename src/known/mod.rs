//! What is known about other people's software: sorted tables, nothing else. A line is added with its source.

pub mod child_kinds;
pub mod codes;
pub mod conditions;
pub mod phases;
pub mod reasons;
pub mod references;
pub mod server_messages;
pub mod suffixes;
