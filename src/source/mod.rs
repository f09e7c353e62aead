//! Where facts come from. The rest of the house cannot tell how they were fetched.

pub mod cluster;
pub mod config;
pub mod progress;
pub mod resolve;
pub mod skip;
pub mod stop;
