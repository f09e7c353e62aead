//! Runs the binary as a user does, and collects its output.

use std::path::Path;
use std::process::Command;

use anyhow::{Context as _, Result};
use serde_json::Value;

/// What a command printed, and its exit code.
#[derive(Debug)]
pub(crate) struct CommandOutput {
    pub(crate) exit_code: i32,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

impl CommandOutput {
    /// Its stdout as JSON.
    pub(crate) fn json(&self) -> Result<Value> {
        serde_json::from_str(&self.stdout).with_context(|| format!("{self:?}"))
    }

    /// What it wrote to stderr, but for the lines about a slow server.
    pub(crate) fn notes(&self) -> String {
        notes(&self.stderr)
    }

    /// Whether `version` succeeded and printed the server's version.
    pub(crate) fn has_server_version(&self) -> bool {
        self.exit_code == 0 && self.stdout.contains("Server Version: v")
    }

    /// Everything it printed.
    pub(crate) fn combined(&self) -> String {
        format!("{}{}", self.stdout, self.stderr)
    }
}

/// The lines of stderr but for those about a slow server: on a busy machine every server is slow.
pub(crate) fn notes(err: &str) -> String {
    err.split_inclusive('\n').filter(|line| !line.starts_with("waiting for ")).collect()
}

/// Runs `kubectl-op` with a clean environment.
pub(crate) async fn op(kubeconfig: &Path, words: &[&str]) -> Result<CommandOutput> {
    let mut call = Command::new(env!("CARGO_BIN_EXE_kubectl-op"));
    call.env_clear().env("KUBECONFIG", kubeconfig).env("LANG", "C.UTF-8").args(words);
    run_command(call).await
}

/// Runs any command, without blocking other tests, and collects its output.
pub(crate) async fn run_command(mut call: Command) -> Result<CommandOutput> {
    let output = tokio::task::spawn_blocking(move || call.output()).await??;
    let text = |bytes: Vec<u8>| String::from_utf8_lossy(&bytes).into_owned();
    Ok(CommandOutput {
        exit_code: output.status.code().context("it was killed")?,
        stdout: text(output.stdout),
        stderr: text(output.stderr),
    })
}
