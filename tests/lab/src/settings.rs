//! What the lab takes from the environment, read in one place.

use std::path::PathBuf;

use anyhow::{Context as _, Result};

/// A folder that already has some of the control plane's binaries (the habit of envtest).
pub(crate) const ASSETS: &str = "KUBEBUILDER_ASSETS";
/// The folder where the lab keeps what it built.
pub(crate) const CACHE: &str = "KUBECTL_OP_LAB_CACHE";

/// The folder of [`ASSETS`], when set.
pub(crate) fn assets() -> Option<PathBuf> {
    path(ASSETS)
}

/// The folder of [`CACHE`], else one below the user's cache folder.
pub fn cache() -> Result<PathBuf> {
    if let Some(cache) = path(CACHE) {
        // The builder runs `go` in another folder, where a relative path would mean something else.
        return std::path::absolute(&cache).with_context(|| format!("{CACHE} is {}", cache.display()));
    }
    let home = path("XDG_CACHE_HOME").or_else(|| path("HOME").map(|home| home.join(".cache")));
    Ok(home
        .with_context(|| format!("neither {CACHE}, XDG_CACHE_HOME nor HOME is set"))?
        .join("kubectl-op-lab"))
}

/// Whether a lab that cannot be had is a failure instead of a skip.
pub fn in_ci() -> bool {
    path("CI").is_some_and(|value| value != *"false")
}

#[expect(clippy::disallowed_methods, reason = "this is the one place of the lab that reads the environment")]
fn path(name: &str) -> Option<PathBuf> {
    std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from)
}
