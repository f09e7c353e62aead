//! Kubeconfig files for the lab's users.

use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result};
use serde_json::json;

/// What one kubeconfig says.
pub(crate) struct Access<'a> {
    pub(crate) server: &'a str,
    /// A file, so that all kubeconfigs of a lab name the same authority.
    pub(crate) authority: &'a Path,
    pub(crate) user: &'a str,
    pub(crate) token: &'a str,
}

impl Access<'_> {
    /// Writes it as JSON, which every reader of YAML takes.
    pub(crate) fn write(&self, path: &Path) -> Result<PathBuf> {
        let text = json!({
            "apiVersion": "v1",
            "kind": "Config",
            "current-context": "lab",
            "clusters": [{"name": "lab", "cluster": {"server": self.server, "certificate-authority": self.authority}}],
            "users": [{"name": self.user, "user": {"token": self.token}}],
            "contexts": [{"name": "lab", "context": {"cluster": "lab", "user": self.user}}],
        });
        std::fs::write(path, format!("{text:#}\n"))
            .with_context(|| format!("failed to write {}", path.display()))?;
        Ok(path.to_owned())
    }
}
