//! The kubectl-op that is measured: built if necessary, its size and its start time.

use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context as _, Result, ensure};
use tempfile::TempDir;
use tokio::process::Command;

use crate::figures::BinaryStats;
use crate::log_progress;
use crate::median::median;
use crate::stopwatch::{self, Invocation};

/// A start takes milliseconds, so that many cost nothing.
const STARTS: usize = 21;

/// Builds kubectl-op as it is shipped, beside this binary. Cargo knows whether there is anything to do; a binary
/// that merely exists may be an old one.
pub(crate) async fn build() -> Result<PathBuf> {
    let here = std::env::current_exe().context("failed to find this binary")?;
    // target/PROFILE/bench
    let target = here.ancestors().nth(2).context("this binary is not in a target folder")?;
    log_progress("building kubectl-op");
    let status = Command::new(env!("CARGO"))
        .args(["build", "--release", "--quiet", "-p", "kubectl-op", "--target-dir"])
        .arg(target)
        .current_dir(Path::new(env!("CARGO_MANIFEST_DIR")))
        .kill_on_drop(true)
        .status()
        .await
        .context("failed to run cargo")?;
    ensure!(status.success(), "failed to build kubectl-op: {status}");
    Ok(target.join("release").join("kubectl-op"))
}

/// Measures its size and its start time.
pub(crate) async fn examine(binary: &Path) -> Result<BinaryStats> {
    let size =
        std::fs::metadata(binary).with_context(|| format!("failed to find {}", binary.display()))?.len();
    let folder = TempDir::with_prefix("kubectl-op-bench-").context("failed to make a folder")?;
    let invocation =
        Invocation { program: binary.to_owned(), args: vec!["--help".to_owned()], env: Vec::new() };
    let mut starts: Vec<Duration> = Vec::new();
    for _ in 0..STARTS {
        let run = stopwatch::time(&invocation, folder.path()).await?;
        ensure!(run.code == Some(0), "--help failed: {}", stopwatch::last_words(&run.stderr));
        starts.push(run.wall);
    }
    Ok(BinaryStats { size, help: median(&starts).unwrap_or_default() })
}
