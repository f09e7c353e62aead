//! The sizes and latencies that are measured, in the order of measuring.

use std::fmt;
use std::time::Duration;

/// A number of objects and kinds, and a latency.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct BenchCase {
    /// Namespaced kinds of the server, its own among them.
    pub(crate) kinds: usize,
    /// Objects in the namespace, the tree among them.
    pub(crate) objects: usize,
    /// Added latency.
    pub(crate) round_trip: Duration,
}

/// All combinations that the flags ask for.
#[derive(Clone, Debug)]
pub(crate) struct CaseMatrix {
    pub(crate) objects: Vec<usize>,
    pub(crate) kinds: Vec<usize>,
    pub(crate) round_trips: Vec<Duration>,
}

impl BenchCase {
    /// The case of most of the targets.
    pub(crate) const BASELINE: Self = Self::without_latency(10_000, 230);
    /// The same with a tenth of the objects.
    pub(crate) const SMALL: Self = Self::without_latency(1_000, 230);
    /// A namespace for which other tools need minutes and gigabytes.
    pub(crate) const LARGE: Self = Self::without_latency(50_000, 230);

    pub(crate) const fn without_latency(objects: usize, kinds: usize) -> Self {
        Self { kinds, objects, round_trip: Duration::ZERO }
    }

    /// The namespace of its objects. Another number of kinds has a namespace of its own: kinds are only ever added, and
    /// the objects are spread over those that there are.
    pub(crate) fn namespace(self) -> String {
        format!("big{}", self.kinds)
    }
}

impl fmt::Display for BenchCase {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} objects, {} kinds", self.objects, self.kinds)?;
        if !self.round_trip.is_zero() {
            write!(f, ", {} ms away", self.round_trip.as_millis())?;
        }
        Ok(())
    }
}

impl CaseMatrix {
    /// Its cases, growing: neither objects nor kinds are ever removed. Latency is added to the largest only.
    pub(crate) fn cases(&self) -> Vec<BenchCase> {
        let largest = self.objects.iter().copied().max();
        let mut cases = Vec::new();
        for kinds in self.kinds.iter().copied() {
            for objects in self.objects.iter().copied() {
                let near = BenchCase::without_latency(objects, kinds);
                cases.push(near);
                if Some(objects) == largest {
                    cases.extend(self.round_trips.iter().map(|time| BenchCase { round_trip: *time, ..near }));
                }
            }
        }
        cases.sort_unstable();
        cases.dedup();
        cases
    }
}

/// What `--full` adds to the usual cases: many objects, few kinds and many kinds.
pub(crate) fn with_extremes(mut cases: Vec<BenchCase>) -> Vec<BenchCase> {
    cases.extend([
        BenchCase::LARGE,
        BenchCase::without_latency(10_000, 30),
        BenchCase::without_latency(10_000, 1_000),
    ]);
    cases.sort_unstable();
    cases.dedup();
    cases
}

#[cfg(test)]
mod tests {
    use super::*;

    fn usual() -> Vec<BenchCase> {
        let round_trips = [80, 20].map(Duration::from_millis).to_vec();
        CaseMatrix { objects: vec![10_000, 1_000], kinds: vec![230], round_trips }.cases()
    }

    fn said(cases: &[BenchCase]) -> Vec<String> {
        cases.iter().map(BenchCase::to_string).collect()
    }

    #[test]
    fn cases_grow_and_only_the_largest_has_latency() {
        let expected = [
            "1000 objects, 230 kinds",
            "10000 objects, 230 kinds",
            "10000 objects, 230 kinds, 20 ms away",
            "10000 objects, 230 kinds, 80 ms away",
        ];
        assert_eq!(said(&usual()), expected);
    }

    #[test]
    fn the_extremes_are_where_nothing_has_to_be_removed() {
        let all = with_extremes(usual());
        assert_eq!(all.first(), Some(&BenchCase::without_latency(10_000, 30)));
        assert_eq!(all[5], BenchCase::LARGE);
        assert_eq!(all.last(), Some(&BenchCase::without_latency(10_000, 1_000)));
        assert_eq!(with_extremes(all.clone()), all);
    }
}
