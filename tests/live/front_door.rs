//! The binary talks about itself and about a real server, called as people call it.

use std::process::Command;

use anyhow::{Context as _, Result, ensure};
use lab::faults::{Fault, Match, Proxy, Refusal};
use lab::{Lab, User};
use serde_json::Value;

use crate::harness::{Test, in_time, shared};

pub(crate) fn tests() -> Vec<Test> {
    vec![
        shared("front_door::kubectl_finds_the_plugin", kubectl_finds_the_plugin),
        shared(
            "front_door::version_asks_the_server_as_the_flags_say",
            version_asks_the_server_as_the_flags_say,
        ),
        shared(
            "front_door::version_gives_a_silent_server_five_seconds",
            version_gives_a_silent_server_five_seconds,
        ),
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

async fn version_asks_the_server_as_the_flags_say(lab: Lab, _: String) -> Result<()> {
    let authority = lab.folder().join("ca.crt").display().to_string();
    let with = |flags: &[&str]| -> Result<(i32, String, String)> {
        let mut call = op(&lab);
        call.arg("version").args(flags);
        told(call)
    };
    let token = User::Viewer.token();
    let server = ["--server", lab.server()];
    in_time(async || {
        let trusted = ["--certificate-authority", &authority, "--token", token];
        let (code, out, err) = with(&[&server[..], &trusted].concat())?;
        ensure!(code == 0 && out.contains("Server Version: v1."), "{code} {out} {err}");
        let (code, out, err) = with(&[&server[..], &["--token", token]].concat())?;
        ensure!(
            code == 0 && !out.contains("Server") && err.contains("signed by unknown authority"),
            "{code} {out} {err}"
        );
        let insecure = ["--token", token, "--insecure-skip-tls-verify"];
        let (code, out, err) = with(&[&server[..], &insecure].concat())?;
        ensure!(code == 0 && out.contains("Server Version: v1."), "{code} {out} {err}");
        let wrong = ["--certificate-authority", &authority, "--token", "s3cr3t"];
        let (_, out, err) = with(&[&server[..], &wrong].concat())?;
        ensure!(
            !out.contains("Server") && err.contains("Unauthorized") && !err.contains("s3cr3t"),
            "{out} {err}"
        );
        Ok(())
    })
    .await
}

async fn version_gives_a_silent_server_five_seconds(lab: Lab, _: String) -> Result<()> {
    let proxy = Proxy::start(&lab).await?;
    let kubeconfig = proxy.kubeconfig(User::Admin)?;
    let ask = || {
        let mut call = op(&lab);
        call.arg("version").env("KUBECONFIG", &kubeconfig);
        tokio::task::spawn_blocking(move || told(call))
    };
    proxy.on(Match::any(), Fault::Hang);
    let (code, out, err) = ask().await??;
    ensure!(code == 0 && out.starts_with("Client Version: v"), "{code} {out} {err}");
    ensure!(err.contains("did not answer in time"), "{err}");
    for (fault, words) in [
        (Fault::Reset, "closed the connection"),
        (Refusal::Unavailable.into(), "ServiceUnavailable"),
        (Refusal::Forbidden.into(), "Forbidden"),
        (Fault::garbage(), "not like a Kubernetes API server"),
    ] {
        proxy.clear();
        proxy.on(Match::any(), fault);
        in_time(async || {
            let (code, out, err) = ask().await??;
            ensure!(
                code == 0 && out.starts_with("Client Version: v") && err.contains(words),
                "{code} {out} {err}"
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

fn told(mut call: Command) -> Result<(i32, String, String)> {
    let output = call.output()?;
    let text = |bytes: Vec<u8>| String::from_utf8_lossy(&bytes).into_owned();
    Ok((output.status.code().context("it was killed")?, text(output.stdout), text(output.stderr)))
}
