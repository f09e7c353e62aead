//! `version` against a real server, and the binary as a plugin of kubectl.

use std::process::Command;

use anyhow::{Context as _, Result, ensure};
use lab::faults::{ErrorResponse, Fault, Match, Proxy};
use lab::{Lab, User};
use serde_json::Value;

use crate::binary::{CommandOutput, run_command};
use crate::harness::{Test, in_time, shared};

pub(crate) fn tests() -> Vec<Test> {
    vec![
        shared("version::kubectl_finds_the_plugin", kubectl_finds_the_plugin),
        shared("version::asks_the_server_as_the_flags_say", asks_the_server_as_the_flags_say),
        shared("version::gives_a_silent_server_five_seconds", gives_a_silent_server_five_seconds),
    ]
}

async fn kubectl_finds_the_plugin(lab: Lab, _: String) -> Result<()> {
    let folder =
        std::path::Path::new(env!("CARGO_BIN_EXE_kubectl-op")).parent().context("a binary has a folder")?;
    in_time(async || {
        let output = Command::new(lab.kubectl())
            .args(["op", "version", "-o", "json"])
            .env_clear()
            .env("PATH", folder)
            .env("HOME", lab.folder())
            .env("KUBECONFIG", lab.kubeconfig(User::Viewer))
            .output()?;
        let report: Value = serde_json::from_slice(&output.stdout)
            .with_context(|| String::from_utf8_lossy(&output.stderr).into_owned())?;
        ensure!(report["schema"] == "kubectl-op/version/v1", "{report}");
        ensure!(report["client"]["version"] == format!("v{}", env!("CARGO_PKG_VERSION")), "{report}");
        let server = report["server"]["version"].as_str().unwrap_or_default();
        ensure!(server.starts_with("v1."), "{report}");
        Ok(())
    })
    .await
}

async fn asks_the_server_as_the_flags_say(lab: Lab, _: String) -> Result<()> {
    let authority = lab.folder().join("ca.crt").display().to_string();
    let with = async |flags: &[&str]| -> Result<CommandOutput> {
        let mut call = op(&lab);
        call.arg("version").args(flags);
        run_command(call).await
    };
    let token = User::Viewer.token();
    let server = ["--server", lab.server()];
    in_time(async || {
        let trusted = ["--certificate-authority", &authority, "--token", token];
        let output = with(&[&server[..], &trusted].concat()).await?;
        ensure!(output.exit_code == 0 && output.stdout.contains("Server Version: v1."), "{output:?}");
        let output = with(&[&server[..], &["--token", token]].concat()).await?;
        ensure!(
            output.exit_code == 0
                && !output.stdout.contains("Server")
                && output.stderr.contains("signed by unknown authority"),
            "{output:?}"
        );
        let insecure = ["--token", token, "--insecure-skip-tls-verify"];
        let output = with(&[&server[..], &insecure].concat()).await?;
        ensure!(output.exit_code == 0 && output.stdout.contains("Server Version: v1."), "{output:?}");
        let wrong = ["--certificate-authority", &authority, "--token", "s3cr3t"];
        let output = with(&[&server[..], &wrong].concat()).await?;
        ensure!(
            !output.stdout.contains("Server")
                && output.stderr.contains("Unauthorized")
                && !output.stderr.contains("s3cr3t"),
            "{output:?}"
        );
        Ok(())
    })
    .await
}

async fn gives_a_silent_server_five_seconds(lab: Lab, _: String) -> Result<()> {
    let proxy = Proxy::start(&lab).await?;
    let kubeconfig = proxy.kubeconfig(User::Admin)?;
    let ask = || {
        let mut call = op(&lab);
        call.arg("version").env("KUBECONFIG", &kubeconfig);
        run_command(call)
    };
    proxy.on(Match::any(), Fault::Hang);
    let output = ask().await?;
    ensure!(output.exit_code == 0 && output.stdout.starts_with("Client Version: v"), "{output:?}");
    ensure!(output.stderr.contains("did not respond in time"), "{output:?}");
    for (fault, words) in [
        (Fault::Reset, "closed the connection"),
        (ErrorResponse::Unavailable.into(), "ServiceUnavailable"),
        (ErrorResponse::Forbidden.into(), "Forbidden"),
        (Fault::garbage(), "not a Kubernetes API server"),
    ] {
        proxy.clear();
        proxy.on(Match::any(), fault);
        in_time(async || {
            let output = ask().await?;
            ensure!(
                output.exit_code == 0
                    && output.stdout.starts_with("Client Version: v")
                    && output.stderr.contains(words),
                "{output:?}"
            );
            Ok(())
        })
        .await?;
    }
    Ok(())
}

fn op(lab: &Lab) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_kubectl-op"));
    command.env_clear().env("HOME", lab.folder());
    command
}
