//! Calls the binary as a person would.

use std::path::Path;
use std::process::Command;

use anyhow::{Context as _, Result};
use serde_json::Value;

/// What a call printed and how it ended.
#[derive(Debug)]
pub(crate) struct Told {
    pub(crate) code: i32,
    pub(crate) out: String,
    pub(crate) err: String,
}

impl Told {
    /// The answer as data.
    pub(crate) fn json(&self) -> Result<Value> {
        serde_json::from_str(&self.out).with_context(|| format!("{self:?}"))
    }

    /// What it wrote to stderr, but for the lines about a slow server.
    pub(crate) fn notes(&self) -> String {
        notes(&self.err)
    }
}

/// The lines of stderr but for those about a slow server: on a busy machine every server is slow.
pub(crate) fn notes(err: &str) -> String {
    err.split_inclusive('\n').filter(|line| !line.starts_with("waiting for ")).collect()
}

/// Runs `kubectl-op` with a clean environment, without holding up other tests.
pub(crate) async fn op(kubeconfig: &Path, words: &[&str]) -> Result<Told> {
    let mut call = Command::new(env!("CARGO_BIN_EXE_kubectl-op"));
    call.env_clear().env("KUBECONFIG", kubeconfig).env("LANG", "C.UTF-8").args(words);
    told(call).await
}

/// Runs any command and collects what it says.
pub(crate) async fn told(mut call: Command) -> Result<Told> {
    let output = tokio::task::spawn_blocking(move || call.output()).await??;
    let text = |bytes: Vec<u8>| String::from_utf8_lossy(&bytes).into_owned();
    Ok(Told {
        code: output.status.code().context("it was killed")?,
        out: text(output.stdout),
        err: text(output.stderr),
    })
}
