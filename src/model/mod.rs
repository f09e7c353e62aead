//! Plain data, no IO: what a cluster holds and what is said of it. Everything here can be made by hand in a test.

mod string_enum;

pub mod age;
pub mod candidate;
pub mod code;
pub mod coverage;
pub mod event;
pub mod fetch_plan;
pub mod gap;
pub mod health;
pub mod ident;
pub mod json;
pub mod kind;
pub mod meta;
pub mod object;
pub mod rule;
pub mod rulebook;
pub mod selector;
pub mod snapshot;
