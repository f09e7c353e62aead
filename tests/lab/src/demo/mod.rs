//! The cluster that `kubectl op --demo` shows: set up on a real control plane by the five operators, read back
//! through discovery, and kept in the repository as one gzipped `List`.
//!
//! | to find                                          | look in               |
//! |--------------------------------------------------|-----------------------|
//! | what is in it, and how each problem is caused    | `scenario.rs`         |
//! | how minutes become days, and what stays accurate | `timeline.rs`         |
//! | timestamps inside texts                          | `times.rs`            |
//! | which kinds are read, and the index of them      | `kinds.rs`            |
//! | the logs of crashed containers                   | `logs.rs`             |
//! | which objects are left out                       | `excluded_objects.rs` |
//! | removing secrets, certificates and addresses     | `scrub.rs`            |
//! | the check that nothing private is left           | `leaks.rs`            |
//! | the file: one line per object, gzipped           | `pack.rs`             |
//!
//! Two captures differ in uids, resource versions, generated names, Pod addresses, and in times by seconds.

mod excluded_objects;
mod kinds;
mod leaks;
mod logs;
mod pack;
mod scenario;
mod scrub;
mod timeline;
mod times;

use anyhow::{Context as _, Result};
use serde_json::Value;

pub use pack::unpack;

use crate::lab::Lab;
use crate::log_progress;

/// The command that captures the file again.
pub const RECAPTURE: &str = "cargo run -p lab -- capture src/source/demo.json.gz";

/// Sets up the demo cluster on a lab that is still empty, and returns the content of the file.
pub async fn capture(lab: &Lab) -> Result<Vec<u8>> {
    let timeline = scenario::run_scenario(lab).await.context("failed to set up the demo cluster")?;
    let client = lab.client();
    let kinds = kinds::discover(&client).await?;
    log_progress(&format!("reading {} kinds", kinds.len()));
    let mut items = Vec::new();
    for objects in kinds::read(&client, &kinds).await? {
        items.extend(objects.into_iter().filter(|object| !excluded_objects::is_excluded(object)));
    }
    let logs = logs::read(&client, &items).await?;
    items.iter_mut().for_each(scrub::scrub);
    let end = times::newest(&items, timeline.window()).context("no object that was read has a timestamp")?;
    let shifts = timeline.finish(end)?;
    for item in &mut items {
        times::rewrite(item, &|time| shifts.shifted(time));
    }
    let all: Vec<Value> = std::iter::once(kinds::index(&kinds, &logs)).chain(items).collect();
    let text = pack::text(&all)?;
    leaks::check(lab, &text)?;
    log_progress(&format!("{} objects, {} KB of JSON", all.len() - 1, text.len() / 1024));
    pack::gzip(&text)
}
