//! The same work for many items, on several cores: thousands of resources are judged while a person waits.

use std::num::NonZero;
use std::thread;

/// Fewer items are done sooner than threads are started.
const MIN_ITEMS: usize = 128;
/// More threads than this would not be noticed.
const MAX_THREADS: usize = 4;

/// What `work` makes of each item, in the order of the items.
pub(super) fn map<T: Send, R: Send>(items: Vec<T>, work: impl Fn(T) -> R + Sync) -> Vec<R> {
    let threads = thread::available_parallelism().map_or(1, NonZero::get).min(MAX_THREADS);
    if items.len() < MIN_ITEMS || threads == 1 {
        return items.into_iter().map(work).collect();
    }
    let size = items.len().div_ceil(threads);
    let mut items = items.into_iter();
    let work = &work;
    thread::scope(|scope| {
        let chunks: Vec<_> = (0..threads)
            .map(|_| {
                let chunk: Vec<T> = items.by_ref().take(size).collect();
                scope.spawn(move || chunk.into_iter().map(work).collect::<Vec<R>>())
            })
            .collect();
        let mut results = Vec::new();
        for chunk in chunks {
            match chunk.join() {
                Ok(chunk) if results.is_empty() => results = chunk,
                Ok(chunk) => results.extend(chunk),
                Err(panic) => std::panic::resume_unwind(panic),
            }
        }
        results
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_come_in_the_order_of_the_items() {
        for count in [0, 1, MIN_ITEMS - 1, MIN_ITEMS, 1_001] {
            let expected: Vec<usize> = (0..count).map(|item| item * 2).collect();
            assert_eq!(map((0..count).collect(), |item| item * 2), expected);
        }
    }
}
