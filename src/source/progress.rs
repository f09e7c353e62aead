//! What is being waited for: written by the one who asks, read by the one who tells the person.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// Questions under way. Clones share them.
#[derive(Clone, Debug, Default)]
pub struct Progress(Arc<Mutex<Vec<Question>>>);

#[derive(Debug)]
struct Question {
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
    pub async fn during<T>(&self, what: String, work: impl Future<Output = T>) -> T {
        let since = Instant::now();
        self.open().push(Question { what: what.clone(), since });
        let _closing = Closing { progress: self, what, since };
        work.await
    }

    /// What has kept us longest, if anything is open.
    pub fn slowest(&self) -> Option<Slowest> {
        let open = self.open();
        let oldest = open.iter().min_by_key(|question| question.since)?;
        Some(Slowest { what: oldest.what.clone(), waited: oldest.since.elapsed(), others: open.len() - 1 })
    }

    fn open(&self) -> MutexGuard<'_, Vec<Question>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Closes the question also when the work is dropped half done.
struct Closing<'a> {
    progress: &'a Progress,
    what: String,
    since: Instant,
}

impl Drop for Closing<'_> {
    fn drop(&mut self) {
        let mut open = self.progress.open();
        if let Some(at) =
            open.iter().position(|question| question.since == self.since && question.what == self.what)
        {
            open.swap_remove(at);
        }
    }
}
