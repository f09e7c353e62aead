//! The world that `kubectl op --demo` shows: staged on a real control plane by the five operators, read back
//! through discovery, and kept in the repository as one gzipped `List`.
//!
//! | to find                                                | look in     |
//! |--------------------------------------------------------|-------------|
//! | what is in it, and how each trouble is made            | `stage.rs`  |
//! | why minutes look like weeks, and what stays true       | `story.rs`  |
//! | times inside texts                                     | `times.rs`  |
//! | which kinds are read, and the index of them            | `kinds.rs`  |
//! | the logs of crashed containers                         | `logs.rs`   |
//! | which objects are left out                             | `noise.rs`  |
//! | secrets, certificates and addresses made harmless      | `scrub.rs`  |
//! | the last look before anything leaves the machine       | `leaks.rs`  |
//! | the file: one line per object, gzipped                 | `pack.rs`   |
//!
//! Two captures differ in uids, resource versions, generated names, Pod addresses, and in times by seconds.

mod kinds;
mod leaks;
mod logs;
mod noise;
mod pack;
mod scrub;
mod stage;
mod story;
mod times;

use anyhow::{Context as _, Result};
use serde_json::Value;

pub use pack::unpack;

use crate::lab::Lab;
use crate::log_progress;

/// What makes the file anew, for those who find it stale.
pub const RECAPTURE: &str = "cargo run -p lab -- capture src/source/demo.json.gz";

/// Stages the demo world on a lab that has nothing on it yet, and returns it as the file is kept.
pub async fn capture(lab: &Lab) -> Result<Vec<u8>> {
    let story = stage::stage(lab).await.context("failed to stage the demo world")?;
    let client = lab.client();
    let kinds = kinds::discover(&client).await?;
    log_progress(&format!("reading {} kinds", kinds.len()));
    let mut items = Vec::new();
    for objects in kinds::read(&client, &kinds).await? {
        items.extend(objects.into_iter().filter(|object| !noise::is_noise(object)));
    }
    let logs = logs::read(&client, &items).await?;
    items.iter_mut().for_each(scrub::scrub);
    let end = times::newest(&items, story.window()).context("nothing that was read has a time")?;
    let retelling = story.ends(end)?;
    for item in &mut items {
        times::rewrite(item, &|time| retelling.moment(time));
    }
    let all: Vec<Value> = std::iter::once(kinds::index(&kinds, &logs)).chain(items).collect();
    let text = pack::text(&all)?;
    leaks::check(lab, &text)?;
    log_progress(&format!("{} objects, {} KB of JSON", all.len() - 1, text.len() / 1024));
    pack::gzip(&text)
}
