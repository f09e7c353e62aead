//! What a program asked of the server, taken apart: lists of kinds, reads of objects, and the rest.

use std::collections::{BTreeMap, BTreeSet};

/// The requests of one run.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct RequestStats {
    /// How often each kind was listed, wherever; further pages of a list are the same list.
    lists: BTreeMap<String, usize>,
    /// Objects that were read by name.
    reads: BTreeSet<String>,
    requests: usize,
}

impl RequestStats {
    /// Of paths with their queries.
    pub(crate) fn of<'a>(paths: impl IntoIterator<Item = &'a str>) -> Self {
        let mut stats = Self::default();
        for path in paths {
            stats.requests += 1;
            let (path, query) = path.split_once('?').unwrap_or((path, ""));
            match target(path) {
                Some(Target::Kind(_)) if query.contains("continue=") => {}
                Some(Target::Kind(kind)) => *stats.lists.entry(kind).or_default() += 1,
                Some(Target::Object) => drop(stats.reads.insert(path.to_owned())),
                None => {}
            }
        }
        stats
    }

    pub(crate) fn requests(&self) -> usize {
        self.requests
    }

    /// How many lists there were in all.
    pub(crate) fn lists(&self) -> usize {
        self.lists.values().sum()
    }

    /// How often the kind was listed that was listed most.
    pub(crate) fn most_lists(&self) -> usize {
        self.lists.values().copied().max().unwrap_or_default()
    }

    /// Lists that another run did without.
    pub(crate) fn lists_beyond(&self, other: &Self) -> usize {
        let beyond = |(kind, times): (&String, &usize)| {
            times.saturating_sub(other.lists.get(kind).copied().unwrap_or_default())
        };
        self.lists.iter().map(beyond).sum()
    }

    /// Reads that another run did without, of objects whose name is not in the answer.
    pub(crate) fn unprinted_beyond(&self, other: &Self, answer: &str) -> usize {
        let name = |path: &String| path.rsplit('/').next().unwrap_or_default().to_owned();
        self.reads.difference(&other.reads).filter(|path| !answer.contains(&name(path))).count()
    }
}

enum Target {
    /// Without the namespace.
    Kind(String),
    Object,
}

/// What a path means; nothing for discovery and the like.
fn target(path: &str) -> Option<Target> {
    let mut segments: Vec<&str> = path.trim_matches('/').split('/').collect();
    let own = match *segments.first()? {
        "api" => 2,
        "apis" => 3,
        _ => return None,
    };
    if segments.len() > own + 2 && segments[own] == "namespaces" {
        segments.drain(own..own + 2);
    }
    match segments.len().checked_sub(own)? {
        0 => None,
        1 => Some(Target::Kind(segments.join("/"))),
        _ => Some(Target::Object),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_are_counted_by_kind_and_pages_are_not() {
        let stats = RequestStats::of([
            "/api",
            "/apis",
            "/api/v1/pods?resourceVersion=0",
            "/api/v1/namespaces/a/pods?limit=500",
            "/api/v1/namespaces/a/pods?limit=500&continue=x",
            "/apis/apps/v1/deployments",
            "/api/v1/namespaces",
            "/api/v1/namespaces/a",
            "/apis/apps/v1/namespaces/a/deployments/web",
        ]);
        assert_eq!((stats.requests(), stats.lists(), stats.most_lists()), (9, 4, 2));
        assert_eq!(stats.reads.len(), 2);
    }

    #[test]
    fn what_another_run_did_without_is_told() {
        let few = RequestStats::of(["/api/v1/pods", "/api/v1/namespaces/a/pods/one"]);
        let more = RequestStats::of([
            "/api/v1/pods",
            "/api/v1/services",
            "/api/v1/namespaces/a/pods/one",
            "/api/v1/namespaces/a/pods/two",
            "/api/v1/namespaces/a/pods/three",
        ]);
        assert_eq!((more.lists_beyond(&few), few.lists_beyond(&more)), (1, 0));
        assert_eq!(more.unprinted_beyond(&few, "Pod/two"), 1);
        assert_eq!(more.unprinted_beyond(&few, "Pod/two Pod/three"), 0);
    }
}
