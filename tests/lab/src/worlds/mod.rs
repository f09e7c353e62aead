//! Five operators from well-known tutorials, small but real, and how a test controls them.
//!
//! | to find                                    | look in                                                      |
//! |--------------------------------------------|--------------------------------------------------------------|
//! | the names of the five, and where they run  | `world.rs`                                                   |
//! | one operator: its type, reconcile, cleanup | `voteconfig.rs`, `memcached.rs`, `vmgroup.rs`, `website.rs`, |
//! |                                            | `helloworld.rs`                                              |
//! | what a test can do to an operator          | `operator.rs`, `deployment.rs`                               |
//! | CRDs, RBAC, workloads, OLM objects         | `install/`                                                   |
//! | the process an operator runs in            | `process.rs`, `lease.rs`, `webhook.rs`                       |
//! | what all reconcilers share                 | `controller.rs`, `writes.rs`, `events.rs`                    |
//! | conditions, schemas and the clock          | `conditions.rs`, `schema.rs`, `clock.rs`                     |
//! | systems outside the cluster                | `external_system.rs`, `vms.rs`                               |
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
