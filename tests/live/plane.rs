//! The lab itself: its control plane works, and nothing of it is left behind.

use std::io::{BufRead as _, BufReader};
use std::process::{Command, ExitCode, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, bail, ensure};
use k8s_openapi::api::apps::v1::Deployment;
use k8s_openapi::api::core::v1::{ConfigMap, Pod};
use kube::ResourceExt as _;
use kube::api::{Api, DeleteParams, ListParams, PostParams};
use lab::pods::{self, Hold, PodState};
use lab::supervisor::State;
use lab::wait::{DEFAULT_TIMEOUT, until};
use lab::worlds::{Operator, World};
use lab::{Lab, User};
use serde_json::json;

use crate::harness::{Test, shared, without_lab};

pub(crate) fn tests() -> Vec<Test> {
    vec![
        shared("plane::a_deployment_becomes_ready", a_deployment_becomes_ready),
        shared("plane::the_garbage_collector_deletes_children", the_garbage_collector_deletes_children),
        shared("plane::pods_are_what_their_label_says", pods_are_what_their_label_says),
        shared("plane::users_have_the_rights_they_should", users_have_the_rights_they_should),
        without_lab("plane::a_killed_test_leaves_nothing_running", a_killed_test_leaves_nothing_running),
    ]
}

async fn a_deployment_becomes_ready(lab: Lab, namespace: String) -> Result<()> {
    deploy(&lab, &namespace, 2).await
}

async fn the_garbage_collector_deletes_children(lab: Lab, namespace: String) -> Result<()> {
    let maps: Api<ConfigMap> = Api::namespaced(lab.client(), &namespace);
    let owner = json!({"metadata": {"name": "owner"}});
    let owner = maps.create(&PostParams::default(), &serde_json::from_value(owner)?).await?;
    let child = json!({"metadata": {"name": "child", "ownerReferences": [{
        "apiVersion": "v1", "kind": "ConfigMap", "name": "owner", "uid": owner.uid(),
    }]}});
    maps.create(&PostParams::default(), &serde_json::from_value(child)?).await?;
    maps.delete("owner", &DeleteParams::background()).await?;
    until("the child to be collected", async || Ok(maps.get_opt("child").await?.is_none().then_some(())))
        .await
}

async fn pods_are_what_their_label_says(lab: Lab, namespace: String) -> Result<()> {
    deploy(&lab, &namespace, 2).await?;
    let all = [
        PodState::CrashLoopBackOff,
        PodState::ImagePullBackOff,
        PodState::OomKilled,
        PodState::Pending,
        PodState::Ready,
    ];
    for state in all {
        ensure!(pods::set(&lab.client(), &namespace, "app=web", state).await? == 2, "there are two Pods");
    }
    // Replacements are caught as they come.
    let held = Hold::new(&lab.client(), &namespace, "app=web", PodState::CrashLoopBackOff);
    let api: Api<Pod> = Api::namespaced(lab.client(), &namespace);
    api.delete_collection(&DeleteParams::default(), &ListParams::default().labels("app=web")).await?;
    until("two new Pods that crash", async || {
        let pods = api.list(&ListParams::default().labels("app=web")).await?;
        let crashing = pods.iter().filter(|pod| {
            let statuses = pod.status.as_ref().and_then(|status| status.container_statuses.as_ref());
            let state =
                statuses.and_then(|all| all.first()?.state.as_ref()?.waiting.as_ref()?.reason.as_deref());
            state == Some("CrashLoopBackOff")
        });
        Ok((crashing.count() == 2).then_some(()))
    })
    .await?;
    drop(held);
    Ok(())
}

async fn users_have_the_rights_they_should(lab: Lab, namespace: String) -> Result<()> {
    let can = |user: User, what: &[&str]| -> Result<String> {
        let mut kubectl = Command::new(lab.kubectl());
        kubectl.env("KUBECONFIG", lab.kubeconfig(user)).args(["auth", "can-i", "-n", &namespace]).args(what);
        Ok(String::from_utf8_lossy(&kubectl.output()?.stdout).trim().to_owned())
    };
    ensure!(can(User::Admin, &["delete", "nodes"])? == "yes");
    ensure!(can(User::Viewer, &["list", "pods"])? == "yes");
    ensure!(can(User::Viewer, &["list", "secrets"])? == "no");
    ensure!(can(User::Viewer, &["delete", "pods"])? == "no");
    ensure!(can(User::Narrow, &["list", "pods"])? == "no");
    Ok(())
}

/// The subcommand that starts a lab, prints its processes, and waits to be killed.
pub(crate) const HOLD: &str = "hold-a-lab";

/// The other side of `a_killed_test_leaves_nothing_running`.
pub(crate) fn hold() -> ExitCode {
    let runtime = tokio::runtime::Runtime::new().expect("a runtime can be made");
    let lab = runtime.block_on(Lab::start()).expect("a lab starts");
    let operator = Operator::new(&lab, World::VoteConfig);
    runtime.block_on(operator.install()).expect("an operator is installed");
    runtime.block_on(operator.start()).expect("an operator starts");
    let mut pids = lab.processes().expect("all parts run");
    if let Ok(State::Running(pid)) = lab.state(&operator.process()) {
        pids.push(pid);
    }
    println!("{}", pids.iter().map(u32::to_string).collect::<Vec<_>>().join(" "));
    // With a limit: the test that should kill this process may have been killed itself.
    std::thread::sleep(Duration::from_secs(60));
    ExitCode::SUCCESS
}

async fn a_killed_test_leaves_nothing_running() -> Result<()> {
    let mut test = Command::new(std::env::current_exe()?).arg(HOLD).stdout(Stdio::piped()).spawn()?;
    let mut line = String::new();
    BufReader::new(test.stdout.take().context("it has a stdout")?).read_line(&mut line)?;
    let pids: Vec<u32> = line.split_whitespace().map(str::parse).collect::<Result<_, _>>()?;
    ensure!(pids.len() == 7, "a supervisor, five parts and an operator, not {line:?}");
    let alive = || pids.iter().copied().filter(|pid| is_alive(*pid)).collect::<Vec<_>>();
    ensure!(alive().len() == 7, "all run before the kill");
    test.kill()?;
    test.wait()?;
    let killed = Instant::now();
    while killed.elapsed() < DEFAULT_TIMEOUT {
        if alive().is_empty() {
            return Ok(());
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    bail!("still running {} s after the test was killed: {:?}", DEFAULT_TIMEOUT.as_secs(), alive())
}

fn is_alive(pid: u32) -> bool {
    std::path::Path::new(&format!("/proc/{pid}")).exists()
}

async fn deploy(lab: &Lab, namespace: &str, replicas: i32) -> Result<()> {
    let deployments: Api<Deployment> = Api::namespaced(lab.client(), namespace);
    let labels = json!({"app": "web"});
    let deployment = json!({
        "metadata": {"name": "web"},
        "spec": {
            "replicas": replicas,
            "selector": {"matchLabels": labels},
            "template": {
                "metadata": {"labels": labels},
                "spec": {"containers": [{"name": "web", "image": "nginx:1.27-alpine"}]},
            },
        },
    });
    deployments.create(&PostParams::default(), &serde_json::from_value(deployment)?).await?;
    until("the Deployment to be ready", async || {
        let ready = deployments.get("web").await?.status.and_then(|status| status.ready_replicas);
        Ok((ready == Some(replicas)).then_some(()))
    })
    .await
}
