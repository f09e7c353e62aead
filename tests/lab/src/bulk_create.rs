//! What creating many objects takes: concurrent requests, waiting for new kinds, and progress messages.

use std::time::{Duration, Instant};

use anyhow::Result;
use futures_util::{Stream, TryStreamExt as _};
use kube::api::{Api, DynamicObject, ListParams};

use crate::log_progress;
use crate::wait::until_within;

/// Concurrent requests: more of them slow the server down and gain nothing.
pub(crate) const AT_ONCE: usize = 16;
/// How often progress is printed.
const PROGRESS_INTERVAL: Duration = Duration::from_secs(10);
/// How long to wait for a new kind: a thousand at once keep the server busy for minutes.
const SERVED_TIMEOUT: Duration = Duration::from_secs(300);

/// A new kind answers 404, then 429, before it can be listed.
pub(crate) async fn served(things: &Api<DynamicObject>) -> Result<()> {
    until_within(SERVED_TIMEOUT, "a new kind to be served", async || {
        Ok(things.list(&ListParams::default().limit(1)).await.ok().map(drop))
    })
    .await
}

pub(crate) fn accept_existing<T>(made: kube::Result<T>) -> Result<()> {
    match made {
        Err(kube::Error::Api(status)) if status.is_already_exists() => Ok(()),
        made => Ok(made.map(drop)?),
    }
}

/// Prints the progress of a long creation.
pub(crate) struct Progress {
    what: &'static str,
    done: usize,
    all: usize,
    mentioned: Instant,
}

impl Progress {
    pub(crate) fn new(what: &'static str, done: usize, all: usize) -> Self {
        Self { what, done, all, mentioned: Instant::now() }
    }

    pub(crate) fn step(&mut self) {
        self.done += 1;
        if self.mentioned.elapsed() >= PROGRESS_INTERVAL {
            self.mentioned = Instant::now();
            log_progress(&format!("{} of {} {}", self.done, self.all, self.what));
        }
    }
}

pub(crate) async fn counted(made: impl Stream<Item = Result<()>>, progress: Progress) -> Result<()> {
    let step = async |mut progress: Progress, ()| {
        progress.step();
        Ok(progress)
    };
    made.try_fold(progress, step).await.map(drop)
}
