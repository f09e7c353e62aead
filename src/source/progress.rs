//! What is being waited for: written by the one who asks, read by the one who tells the person.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// Questions under way. Clones share them.
#[derive(Clone, Debug, Default)]
pub struct Progress(Arc<Mutex<Vec<PendingRequest>>>);

#[derive(Debug)]
struct PendingRequest {
    what: String,
    since: Instant,
}

/// The question that is open longest.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Slowest {
    pub what: String,
    pub waited: Duration,
    /// How many more are open.
    pub others: usize,
}

impl Progress {
    /// Does some work that answers a question about `what`.
    pub async fn track<T>(&self, what: String, work: impl Future<Output = T>) -> T {
        let since = Instant::now();
        self.pending().push(PendingRequest { what: what.clone(), since });
        let _remove_on_drop = RemoveOnDrop { progress: self, what, since };
        work.await
    }

    /// What has kept us longest, if anything is open.
    pub fn slowest(&self) -> Option<Slowest> {
        let pending = self.pending();
        let oldest = pending.iter().min_by_key(|request| request.since)?;
        Some(Slowest { what: oldest.what.clone(), waited: oldest.since.elapsed(), others: pending.len() - 1 })
    }

    fn pending(&self) -> MutexGuard<'_, Vec<PendingRequest>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Closes the question also when the work is dropped half done.
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
