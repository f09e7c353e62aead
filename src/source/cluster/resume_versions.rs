//! Where lists ended: the state of the server that each of them showed. A watch that goes on from there misses
//! nothing and reads nothing twice.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// The last list of each path.
#[derive(Debug, Default)]
pub(super) struct ResumeVersions(Mutex<HashMap<String, String>>);

impl ResumeVersions {
    /// Remembers the version that a list of a path showed; servers that name none leave nothing.
    pub(super) fn record(&self, path: String, version: &str) {
        if version.is_empty() || version == "0" {
            self.all().remove(&path);
        } else {
            self.all().insert(path, version.to_owned());
        }
    }

    /// Where the last list of a path ended.
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
    fn the_last_list_counts_and_no_version_is_no_end() {
        let versions = ResumeVersions::default();
        versions.record("/api/v1/pods".into(), "7");
        versions.record("/api/v1/pods".into(), "9");
        assert_eq!(versions.get("/api/v1/pods").as_deref(), Some("9"));
        versions.record("/api/v1/pods".into(), "");
        assert_eq!(versions.get("/api/v1/pods"), None);
        assert_eq!(versions.get("/api/v1/nodes"), None);
    }
}
