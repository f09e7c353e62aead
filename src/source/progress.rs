//! The pending requests, to show the user what takes long.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// The pending requests. Clones share them.
#[derive(Clone, Debug, Default)]
pub struct Progress(Arc<Mutex<Vec<PendingRequest>>>);

#[derive(Debug)]
struct PendingRequest {
    what: String,
    since: Instant,
}

/// The request that has been pending longest.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Slowest {
    pub what: String,
    pub waited: Duration,
    /// The number of other pending requests.
    pub others: usize,
}

impl Progress {
    /// Runs `work`, a request for `what`, as a pending request.
    pub async fn track<T>(&self, what: String, work: impl Future<Output = T>) -> T {
        let since = Instant::now();
        self.pending().push(PendingRequest { what: what.clone(), since });
        let _remove_on_drop = RemoveOnDrop { progress: self, what, since };
        work.await
    }

    /// The request that has been pending longest, if there is any.
    pub fn slowest(&self) -> Option<Slowest> {
        let pending = self.pending();
        let oldest = pending.iter().min_by_key(|request| request.since)?;
        Some(Slowest { what: oldest.what.clone(), waited: oldest.since.elapsed(), others: pending.len() - 1 })
    }

    fn pending(&self) -> MutexGuard<'_, Vec<PendingRequest>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Removes the request even if its future is dropped before it is done.
struct RemoveOnDrop<'a> {
    progress: &'a Progress,
    what: String,
    since: Instant,
}

impl Drop for RemoveOnDrop<'_> {
    fn drop(&mut self) {
        let mut pending = self.progress.pending();
        if let Some(index) =
            pending.iter().position(|request| request.since == self.since && request.what == self.what)
        {
            pending.swap_remove(index);
        }
    }
}
