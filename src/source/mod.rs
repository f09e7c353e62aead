//! Where facts come from. The rest of the house cannot tell how they were fetched.

pub mod cluster;
