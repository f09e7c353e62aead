//! The resource versions of lists. A watch that starts from one misses no event and repeats none.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// The resource version of the last list of each path.
#[derive(Debug, Default)]
pub(super) struct ResumeVersions(Mutex<HashMap<String, String>>);

impl ResumeVersions {
    /// Records the version of a list; some servers send none.
    pub(super) fn record(&self, path: String, version: &str) {
        if version.is_empty() || version == "0" {
            self.all().remove(&path);
        } else {
            self.all().insert(path, version.to_owned());
        }
    }

    /// The version of the last list of a path.
    pub(super) fn get(&self, path: &str) -> Option<String> {
        self.all().get(path).cloned()
    }

    fn all(&self) -> MutexGuard<'_, HashMap<String, String>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_list_counts_and_an_empty_version_is_none() {
        let versions = ResumeVersions::default();
        versions.record("/api/v1/pods".into(), "7");
        versions.record("/api/v1/pods".into(), "9");
        assert_eq!(versions.get("/api/v1/pods").as_deref(), Some("9"));
        versions.record("/api/v1/pods".into(), "");
        assert_eq!(versions.get("/api/v1/pods"), None);
        assert_eq!(versions.get("/api/v1/nodes"), None);
    }
}
