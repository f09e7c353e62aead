//! `status --wait`, `status -w` and `events -w`: every way in which waiting ends.

use std::io::Write as _;
use std::process::{Command, Stdio};

use anyhow::{Context as _, Result, ensure};
use k8s_openapi::api::apps::v1::Deployment;
use kube::api::{Api, DeleteParams, ListParams, Patch, PatchParams};
use lab::faults::{ErrorResponse, Fault, Match, Proxy};
use lab::pods::{self, PodState};
use lab::wait::{eventually, until};
use lab::worlds::{Operator, World};
use lab::{Lab, User};
use serde_json::json;

use crate::binary::op;
use crate::harness::{Test, shared};
use crate::running::RunningCommand;

/// The `--timeout` of a call that is to end before it, whatever else the machine does.
const LIMIT: &str = "5m";

pub(crate) fn tests() -> Vec<Test> {
    vec![
        shared("wait::until_it_is_ready", until_it_is_ready),
        shared("wait::what_was_applied_is_waited_for", what_was_applied_is_waited_for),
        shared("wait::until_it_is_too_late", until_it_is_too_late),
        shared("wait::until_nothing_moves", until_nothing_moves),
        shared("wait::until_it_is_gone", until_it_is_gone),
        shared("wait::another_of_the_same_name_is_said", another_of_the_same_name_is_said),
        shared("wait::dropped_watches_are_taken_up_again", dropped_watches_are_taken_up_again),
        shared("wait::a_page_is_kept_up_to_date", a_page_is_kept_up_to_date),
        shared("wait::events_are_appended", events_are_appended),
    ]
}

async fn until_it_is_ready(lab: Lab, namespace: String) -> Result<()> {
    held(&lab, &namespace).await?;
    let call = status(&lab, &namespace, &["--wait", "--timeout", LIMIT])?;
    call.note("Memcached/mc ").await?;
    release(&lab, &namespace).await?;
    let (code, out, err) = call.end().await?;
    ensure!(code == Some(0) && out.starts_with("Memcached/mc has been Ready"), "{code:?}\n{out}\n{err}");
    Ok(())
}

async fn what_was_applied_is_waited_for(lab: Lab, namespace: String) -> Result<()> {
    let manifest = format!(
        "apiVersion: webapp.example.com/v1\nkind: Website\nmetadata: {{name: shop, namespace: {namespace}}}\nspec: {{html: hi}}\n---\n\
         apiVersion: cache.example.com/v1alpha1\nkind: Memcached\nmetadata: {{name: mc, namespace: {namespace}}}\nspec: {{size: 1, version: '1.6'}}\n"
    );
    let kubeconfig = lab.kubeconfig(User::Admin);
    let piped = |call: &mut Command| {
        call.env_clear().env("HOME", lab.folder()).env("KUBECONFIG", &kubeconfig);
        call.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    };
    let feed = |mut call: Command, text: Vec<u8>| -> Result<std::process::Output> {
        piped(&mut call);
        let mut child = call.spawn()?;
        child.stdin.take().context("a pipe")?.write_all(&text)?;
        Ok(child.wait_with_output()?)
    };
    let mut apply = Command::new(lab.kubectl());
    apply.args(["apply", "-f", "-", "-o", "yaml"]);
    let applied = feed(apply, manifest.into_bytes())?;
    ensure!(applied.status.success(), "{applied:?}");
    let mut wait = Command::new(env!("CARGO_BIN_EXE_kubectl-op"));
    wait.args(["status", "-f", "-", "--wait", "--timeout", LIMIT]);
    let waited = tokio::task::spawn_blocking({
        let mut call = wait;
        piped(&mut call);
        move || -> Result<std::process::Output> {
            let mut child = call.spawn()?;
            child.stdin.take().context("a pipe")?.write_all(&applied.stdout)?;
            Ok(child.wait_with_output()?)
        }
    })
    .await??;
    let out = String::from_utf8_lossy(&waited.stdout);
    ensure!(waited.status.code() == Some(0), "{waited:?}");
    ensure!(
        out.contains("Website/shop has been Ready") && out.contains("Memcached/mc has been Ready"),
        "{out}"
    );
    Ok(())
}

async fn until_it_is_too_late(lab: Lab, namespace: String) -> Result<()> {
    held(&lab, &namespace).await?;
    eventually("the end of a wait for something that moves", async || {
        let flags = ["--wait", "--timeout", "2s"];
        let output = op(&lab.kubeconfig(User::Admin), &words(&namespace, &flags)).await?;
        ensure!(output.exit_code == 8 && output.stdout.contains("Progressing"), "still moving: {output:?}");
        Ok(())
    })
    .await?;
    pods::set(&lab.client(), &namespace, "", PodState::CrashLoopBackOff).await?;
    eventually("the crash to be seen", async || {
        let flags = ["--wait=healthy", "--timeout", "1s"];
        let output = op(&lab.kubeconfig(User::Admin), &words(&namespace, &flags)).await?;
        ensure!(output.exit_code == 1 && output.stdout.contains("CrashLoopBackOff"), "{output:?}");
        Ok(())
    })
    .await
}

async fn until_nothing_moves(lab: Lab, namespace: String) -> Result<()> {
    held(&lab, &namespace).await?;
    let call = status(&lab, &namespace, &["--wait=settled", "--timeout", LIMIT])?;
    call.note("Memcached/mc ").await?;
    pods::set(&lab.client(), &namespace, "", PodState::ImagePullBackOff).await?;
    let (code, out, err) = call.end().await?;
    ensure!(code == Some(1) && out.contains("ImagePullBackOff"), "{code:?}\n{out}\n{err}");
    Ok(())
}

async fn until_it_is_gone(lab: Lab, namespace: String) -> Result<()> {
    let operator = Operator::new(&lab, World::VoteConfig);
    operator.sample(&namespace, "demo").await?;
    let words = ["status", "voteconfig/demo", "-n", &namespace, "--wait=deleted", "--timeout", LIMIT];
    let call = RunningCommand::op(&lab.kubeconfig(User::Admin), &words)?;
    call.note("VoteConfig/demo is ").await?;
    operator.objects(&namespace).delete("demo", &DeleteParams::default()).await?;
    let (code, out, err) = call.end().await?;
    ensure!(code == Some(0) && err.contains("deleted"), "{code:?}\n{out}\n{err}");
    let output = op(&lab.kubeconfig(User::Admin), &words).await?;
    ensure!(
        output.exit_code == 0 && output.stderr.contains("not found"),
        "what is not there is gone: {output:?}"
    );
    Ok(())
}

async fn another_of_the_same_name_is_said(lab: Lab, namespace: String) -> Result<()> {
    let operator = Operator::new(&lab, World::VmGroup);
    operator.sample(&namespace, "web").await?;
    let words = ["status", "vg/web", "-n", &namespace, "-w"];
    let call = RunningCommand::op(&lab.kubeconfig(User::Admin), &words)?;
    call.line(&["complete: "]).await?;
    operator.objects(&namespace).delete("web", &DeleteParams::default()).await?;
    call.line(&[" was deleted"]).await?;
    operator.sample(&namespace, "web").await?;
    call.line(&["recreated with a new uid"]).await?;
    let (code, ..) = call.interrupt().await?;
    ensure!(code == Some(0), "{code:?}");
    Ok(())
}

async fn dropped_watches_are_taken_up_again(lab: Lab, namespace: String) -> Result<()> {
    held(&lab, &namespace).await?;
    let proxy = Proxy::start(&lab).await?;
    proxy.on_first(3, Match::any().query_has("watch=1"), Fault::Reset);
    proxy.on_nth(5, Match::any().query_has("watch=1"), ErrorResponse::Gone);
    let call = RunningCommand::op(
        &proxy.kubeconfig(User::Admin)?,
        &words(&namespace, &["--wait", "--timeout", LIMIT]),
    )?;
    call.note("Memcached/mc ").await?;
    release(&lab, &namespace).await?;
    let (code, out, err) = call.end().await?;
    ensure!(code == Some(0), "{code:?}\n{out}\n{err}");
    Ok(())
}

async fn a_page_is_kept_up_to_date(lab: Lab, namespace: String) -> Result<()> {
    held(&lab, &namespace).await?;
    let call = status(&lab, &namespace, &["-w"])?;
    call.line(&["complete: "]).await?;
    release(&lab, &namespace).await?;
    let line = call.line(&["Z  Memcached/mc has been Ready"]).await?;
    ensure!(line.starts_with("20"), "{line}");
    let (code, out, _) = call.interrupt().await?;
    ensure!(code == Some(0) && out.matches("next: ").count() == 1, "{out}");
    Ok(())
}

async fn events_are_appended(lab: Lab, namespace: String) -> Result<()> {
    held(&lab, &namespace).await?;
    let words = ["events", "memcached/mc", "-n", &namespace, "-w"];
    let call = RunningCommand::op(&lab.kubeconfig(User::Admin), &words)?;
    call.line(&["complete: "]).await?;
    let deployments: Api<Deployment> = Api::namespaced(lab.client(), &namespace);
    let label = json!({"metadata": {"labels": {"change": "one"}}});
    let patch = json!({"spec": {"template": label}});
    deployments.patch("mc", &PatchParams::default(), &Patch::Merge(patch)).await?;
    // Also of objects that were not there before.
    call.line(&["Z", "Normal  SuccessfulCreate  ReplicaSet/mc-"]).await?;
    let (code, ..) = call.interrupt().await?;
    ensure!(code == Some(0), "{code:?}");
    Ok(())
}

/// A Memcached whose Pods stay where they are until they are released.
async fn held(lab: &Lab, namespace: &str) -> Result<()> {
    Operator::new(lab, World::Memcached).sample(namespace, "mc").await?;
    let pods: Api<k8s_openapi::api::core::v1::Pod> = Api::namespaced(lab.client(), namespace);
    until("three Pods", async || {
        Ok((pods.list(&ListParams::default()).await?.items.len() == 3).then_some(()))
    })
    .await?;
    pods::set(&lab.client(), namespace, "", PodState::Pending).await?;
    eventually("the resource to notice", async || {
        let output = op(&lab.kubeconfig(User::Admin), &words(namespace, &[])).await?;
        ensure!(output.exit_code == 1, "{output:?}");
        Ok(())
    })
    .await
}

async fn release(lab: &Lab, namespace: &str) -> Result<()> {
    pods::set(&lab.client(), namespace, "", PodState::Ready).await.map(drop)
}

fn words<'a>(namespace: &'a str, more: &[&'a str]) -> Vec<&'a str> {
    [&["status", "memcached/mc", "-n", namespace], more].concat()
}

fn status(lab: &Lab, namespace: &str, more: &[&str]) -> Result<RunningCommand> {
    RunningCommand::op(&lab.kubeconfig(User::Admin), &words(namespace, more))
}
