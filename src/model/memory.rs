//! How much memory a call may use: one budget for everything that is received and kept, so that no server and no file can
//! exhaust the machine. The numbers are estimates; they are released when what they stand for is dropped.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// The default budget.
pub const DEFAULT_LIMIT: u64 = 1 << 30;

/// The memory of one call; clones share it.
#[derive(Clone, Debug)]
pub struct MemoryBudget(Arc<Counter>);

#[derive(Debug)]
struct Counter {
    limit: u64,
    used: AtomicU64,
}

impl MemoryBudget {
    /// A budget of so many bytes.
    pub fn new(limit: u64) -> Self {
        Self(Arc::new(Counter { limit, used: AtomicU64::new(0) }))
    }

    /// A share of which nothing is used yet.
    pub fn share(&self) -> MemoryShare {
        MemoryShare(Arc::new(ShareCounter { budget: self.clone(), used: AtomicU64::new(0) }))
    }

    /// A share of so many bytes.
    pub fn reserve(&self, bytes: u64) -> Result<MemoryShare, OverBudget> {
        let share = self.share();
        share.add(bytes).map(|()| share)
    }
}

impl Default for MemoryBudget {
    fn default() -> Self {
        Self::new(DEFAULT_LIMIT)
    }
}

/// What one part of a call uses; released when the last clone is dropped.
#[derive(Clone, Debug)]
pub struct MemoryShare(Arc<ShareCounter>);

#[derive(Debug)]
struct ShareCounter {
    budget: MemoryBudget,
    used: AtomicU64,
}

impl MemoryShare {
    /// Adds bytes to the share, unless the budget is used up.
    pub fn add(&self, bytes: u64) -> Result<(), OverBudget> {
        let Counter { limit, used } = &*self.0.budget.0;
        // The program itself and what the allocator cannot reuse take the rest.
        let available = limit / 4 * 3;
        let before = used.fetch_add(bytes, Ordering::Relaxed);
        if before.saturating_add(bytes) > available {
            used.fetch_sub(bytes, Ordering::Relaxed);
            return Err(OverBudget { limit: *limit });
        }
        self.0.used.fetch_add(bytes, Ordering::Relaxed);
        Ok(())
    }
}

impl Default for MemoryShare {
    fn default() -> Self {
        MemoryBudget::default().share()
    }
}

impl Drop for ShareCounter {
    fn drop(&mut self) {
        self.budget.0.used.fetch_sub(self.used.load(Ordering::Relaxed), Ordering::Relaxed);
    }
}

/// The budget is used up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OverBudget {
    limit: u64,
}

impl fmt::Display for OverBudget {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let limit = Quantity(self.limit);
        write!(f, "more than {limit} of memory would be needed; raise KUBECTL_OP_MEMORY")
    }
}

const UNITS: [(&str, u64); 6] =
    [("Gi", 1 << 30), ("Mi", 1 << 20), ("Ki", 1 << 10), ("G", 1_000_000_000), ("M", 1_000_000), ("k", 1_000)];

/// A number of bytes as Kubernetes writes it: `512Mi`.
struct Quantity(u64);

impl fmt::Display for Quantity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match UNITS.iter().find(|(_, size)| self.0 >= *size && self.0.is_multiple_of(*size)) {
            Some((unit, size)) => write!(f, "{}{unit}", self.0 / size),
            None => write!(f, "{} bytes", self.0),
        }
    }
}

/// Parses a number of bytes: `512Mi`, `1Gi`, or a plain number. `None` if it is none, or 0.
pub fn parse_quantity(text: &str) -> Option<u64> {
    let text = text.trim();
    let unit = UNITS.iter().find_map(|(unit, size)| Some((text.strip_suffix(unit)?, *size)));
    let (number, size) = unit.unwrap_or((text, 1));
    number.parse::<u64>().ok()?.checked_mul(size).filter(|bytes| *bytes > 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_share_is_released_when_its_last_clone_is_dropped() {
        let budget = MemoryBudget::new(1 << 20);
        let share = budget.reserve(700 << 10).unwrap();
        let clone = share.clone();
        assert!(budget.reserve(100 << 10).is_err(), "three quarters of it are available");
        drop(share);
        assert!(budget.reserve(100 << 10).is_err());
        drop(clone);
        assert!(budget.reserve(700 << 10).is_ok());
        assert_eq!(
            budget.reserve(u64::MAX).unwrap_err().to_string(),
            "more than 1Mi of memory would be needed; raise KUBECTL_OP_MEMORY"
        );
    }

    #[test]
    fn quantities_are_those_of_kubernetes() {
        for (text, bytes) in [
            ("512Mi", Some(512 << 20)),
            ("1Gi", Some(1 << 30)),
            ("1G", Some(1_000_000_000)),
            ("4096", Some(4096)),
            ("0", None),
            ("", None),
            ("-1", None),
            ("1.5Gi", None),
            ("much", None),
            ("99999999999Gi", None),
        ] {
            assert_eq!(parse_quantity(text), bytes, "{text}");
        }
    }
}
