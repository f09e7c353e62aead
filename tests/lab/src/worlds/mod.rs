//! The five operators people learn from, small but real, and the hands that steer them.
//!
//! | to find                                              | look in                                   |
//! |------------------------------------------------------|-------------------------------------------|
//! | what the five are called and where they live         | `world.rs`                                |
//! | one operator: its type, reconcile, cleanup           | `voteconfig.rs` ... `helloworld.rs`       |
//! | what a test can do to an operator                    | `operator.rs`, `deployment.rs`            |
//! | CRDs, RBAC, workloads, OLM objects                   | `install/`                                |
//! | the process an operator runs in                      | `process.rs`, `lease.rs`, `webhook.rs`    |
//! | what all reconcilers share                           | `controller.rs`, `writes.rs`, `events.rs` |
//! | what lies outside the cluster                        | `outside.rs`, `vms.rs`                    |
//!
//! Each operator is a process of its own with the rights of its own service account. It writes as
//! controller-runtime would: plain updates under a field manager, never server-side apply.

pub(crate) mod clock;
mod conditions;
mod controller;
mod deployment;
mod events;
mod external_system;
mod helloworld;
mod install;
mod lease;
mod memcached;
mod operator;
mod process;
mod schema;
mod vmgroup;
mod vms;
mod voteconfig;
mod webhook;
mod website;
mod world;
mod writes;

pub use external_system::Cleanup;
pub use helloworld::HelloWorld;
pub use memcached::Memcached;
pub use operator::Operator;
pub(crate) use process::{SUBCOMMAND, operator_main};
pub use vmgroup::VmGroup;
pub use voteconfig::VoteConfig;
pub use website::Website;
pub use world::{InClusterInstall, World, WorldNames};
