//! The last lines of a crashed container, through a real API server. kwok stands in for the kubelet: it serves files as
//! logs, those of the current and of the previous run, and answers 400 if there is no file.

use anyhow::{Context as _, Result, ensure};
use k8s_openapi::api::core::v1::Pod;
use kube::api::{Api, ListParams, PostParams};
use lab::faults::Proxy;
use lab::pod_logs::{ODD, ROTATED};
use lab::pods::{self, PodState};
use lab::wait::{eventually, until};
use lab::worlds::{Operator, World};
use lab::{Lab, User};
use serde_json::{Value, json};

use crate::binary::{CommandOutput, op, run_command};
use crate::harness::{Test, shared};

pub(crate) fn tests() -> Vec<Test> {
    vec![
        shared("logs::the_last_lines_of_the_run_that_crashed", the_last_lines_of_the_run_that_crashed),
        shared("logs::one_request_more_and_only_for_a_crash", one_request_more_and_only_for_a_crash),
        shared("logs::a_log_that_cannot_be_read_changes_nothing_else", a_log_that_cannot_be_read),
        shared("logs::nothing_in_a_log_reaches_the_terminal", nothing_in_a_log_reaches_the_terminal),
    ]
}

const LAST: &str =
    "nginx: [emerg] invalid number of arguments in \"listen\" directive in /etc/nginx/conf.d/default.conf:3";

async fn the_last_lines_of_the_run_that_crashed(lab: Lab, namespace: String) -> Result<()> {
    crashing_website(&lab, &namespace).await?;
    eventually("the log of the previous run", async || {
        let output = status(&lab, &namespace, "website/shop", &[]).await?;
        let log = block(&output.stdout, "log (").with_context(|| format!("{output:?}"))?;
        let title = log.lines().next().unwrap_or_default();
        ensure!(title.starts_with("log (Pod/shop-"), "{log}");
        ensure!(title.ends_with(", container nginx, previous run, last 5 lines)"), "{log}");
        ensure!(log.lines().count() == 6 && log.lines().last() == Some(&format!("  {LAST}")), "{log}");
        ensure!(output.stdout.find("\nlog (") < output.stdout.find("\nevents ("), "{output:?}");
        let one = status(&lab, &namespace, "website/shop", &["--log-lines", "1"]).await?;
        ensure!(one.stdout.contains(&format!("previous run, last line)\n  {LAST}\n\n")), "{one:?}");
        let none = status(&lab, &namespace, "website/shop", &["--log-lines", "0"]).await?;
        ensure!(!none.stdout.contains("log (") && none.exit_code == 1, "{none:?}");
        let report = status(&lab, &namespace, "website/shop", &["-o", "json"]).await?.json()?;
        let log = &report["resources"][0]["log"];
        ensure!(log["container"] == "nginx" && log["previous"] == true, "{log}");
        ensure!(log["lines"][4] == LAST && log["truncated"] == false, "{log}");
        ensure!(log["object"] == report["resources"][0]["cause"]["object"], "{log}");
        // The next command shows the same log.
        let words = output.stdout.lines().last().and_then(|line| line.strip_prefix("next: kubectl "));
        let words = words.with_context(|| format!("{output:?}"))?;
        let expected = format!(" -c nginx --previous -n {namespace}");
        ensure!(words.starts_with("logs shop-") && words.ends_with(&expected), "{words}");
        let next = kubectl(&lab, &words.split(' ').collect::<Vec<_>>()).await?;
        ensure!(next.stdout.trim_end().ends_with(LAST), "{next:?}");
        Ok(())
    })
    .await?;
    // A container that has ended and was not started again: the log that counts is the current one.
    pods::set(&lab.client(), &namespace, "", PodState::OomKilled).await?;
    eventually("the log of the current run", async || {
        let output = status(&lab, &namespace, "website/shop", &[]).await?;
        let log = ", container nginx, last line)\n  worker process 31 exited on signal 9\n";
        ensure!(output.stdout.contains(log), "{output:?}");
        ensure!(output.stdout.lines().last().is_some_and(|next| !next.contains("--previous")), "{output:?}");
        Ok(())
    })
    .await
}

async fn one_request_more_and_only_for_a_crash(lab: Lab, namespace: String) -> Result<()> {
    crashing_website(&lab, &namespace).await?;
    let proxy = Proxy::start(&lab).await?;
    let kubeconfig = proxy.kubeconfig(User::Admin)?;
    let requests = async |words: &[&str]| -> Result<(usize, usize)> {
        proxy.reset_records();
        op(&kubeconfig, &[words, &["-n", &namespace]].concat()).await?;
        let all = proxy.requests();
        Ok((all.len(), all.iter().filter(|request| request.path.contains("/log?")).count()))
    };
    // The tree may grow between two readings, and a request that was lost is sent again.
    eventually("one request for the log", async || {
        let (without, _) = requests(&["status", "website/shop", "--log-lines", "0"]).await?;
        let (with, logs) = requests(&["status", "website/shop"]).await?;
        ensure!(with == without + 1 && logs == 1, "{with} requests, {logs} for logs; {without} without");
        let (_, logs) = requests(&["status", "websites"]).await?;
        ensure!(logs == 0, "{logs} logs for a list");
        let (_, logs) = requests(&["tree", "website/shop"]).await?;
        ensure!(logs == 0, "{logs} logs for a tree");
        Ok(())
    })
    .await?;
    pods::set(&lab.client(), &namespace, "", PodState::ImagePullBackOff).await?;
    eventually("no request for a log", async || {
        let (_, logs) = requests(&["status", "website/shop"]).await?;
        ensure!(logs == 0, "{logs} logs, but no container crashed");
        Ok(())
    })
    .await
}

async fn a_log_that_cannot_be_read(lab: Lab, namespace: String) -> Result<()> {
    crashing_pod(&lab, &namespace, ROTATED).await?;
    eventually("the log to be gone", async || {
        let output = status(&lab, &namespace, "pod/crashing", &[]).await?;
        let line = format!("\nlog (Pod/crashing, container {ROTATED}, previous run): no longer available: ");
        ensure!(output.stdout.contains(&line) && output.stdout.contains("\ncomplete: "), "{output:?}");
        ensure!(output.exit_code == 1 && output.stdout.contains("(OP-H010)"), "{output:?}");
        let report = status(&lab, &namespace, "pod/crashing", &["-o", "json"]).await?.json()?;
        ensure!(report["complete"] == true && report["gaps"] == json!([]), "{report}");
        let log = &report["resources"][0]["log"];
        ensure!(log["error"].is_string() && log["lines"].is_null(), "{log}");
        Ok(())
    })
    .await?;
    // The right to read Pods does not include their logs.
    grant(&lab, &namespace).await?;
    let narrow = lab.kubeconfig(User::Narrow);
    eventually("the log to be forbidden", async || {
        let words = ["status", "pod/crashing", "-n", &namespace, "--no-children"];
        let output = op(&narrow, &words).await?;
        let line = format!(
            "\nlog (Pod/crashing, container {ROTATED}, previous run): forbidden (needs get on pods/log)\n"
        );
        ensure!(output.stdout.contains(&line) && output.stdout.contains("\ncomplete: "), "{output:?}");
        ensure!(output.exit_code == 1, "{output:?}");
        Ok(())
    })
    .await
}

async fn nothing_in_a_log_reaches_the_terminal(lab: Lab, namespace: String) -> Result<()> {
    crashing_pod(&lab, &namespace, ODD).await?;
    eventually("the log with its characters escaped", async || {
        let output =
            status(&lab, &namespace, "pod/crashing", &["--log-lines", "9", "--color", "never"]).await?;
        let log = block(&output.stdout, "log (").with_context(|| format!("{output:?}"))?;
        let lines: Vec<&str> = log.lines().collect();
        ensure!(lines[0].ends_with("previous run, last 5 lines, shortened, binary data as \\xNN)"), "{log}");
        ensure!(lines[1] == "  ^[[31mred^[[0m and over\\rwritten", "{log}");
        ensure!(lines[2] == "      indented", "{log}");
        ensure!(lines[3] == "  not text: \\xff\\xfe^@", "{log}");
        ensure!(lines[4] == "  reversed \\u{202e}txet", "{log}");
        ensure!(lines[5].ends_with("x… (4000 more characters)"), "{log}");
        ensure!(!output.stdout.contains('\u{1b}') && !output.stdout.contains('\r'), "{output:?}");
        Ok(())
    })
    .await
}

/// The block of an answer that starts with these words.
fn block<'a>(text: &'a str, start: &str) -> Option<&'a str> {
    text.split("\n\n").find(|block| block.starts_with(start))
}

async fn crashing_website(lab: &Lab, namespace: &str) -> Result<()> {
    Operator::new(lab, World::Website).sample(namespace, "shop").await?;
    let all: Api<Pod> = Api::namespaced(lab.client(), namespace);
    until("two Pods", async || Ok((all.list(&ListParams::default()).await?.items.len() == 2).then_some(())))
        .await?;
    pods::set(&lab.client(), namespace, "", PodState::CrashLoopBackOff).await.map(drop)
}

/// A Pod whose only container has this name, and crashes.
async fn crashing_pod(lab: &Lab, namespace: &str, container: &str) -> Result<()> {
    let pod = json!({
        "metadata": {"name": "crashing", "labels": {pods::LABEL: PodState::CrashLoopBackOff.word()}},
        "spec": {"containers": [{"name": container, "image": "example.com/none"}]},
    });
    let all: Api<Pod> = Api::namespaced(lab.client(), namespace);
    all.create(&PostParams::default(), &serde_json::from_value(pod)?).await?;
    Ok(())
}

/// Allows the narrow user to read Pods and events.
async fn grant(lab: &Lab, namespace: &str) -> Result<()> {
    use k8s_openapi::api::rbac::v1::{Role, RoleBinding};
    let allowed = json!({"apiGroups": [""], "resources": ["pods", "events"], "verbs": ["get", "list"]});
    let role: Value = json!({"metadata": {"name": "pods"}, "rules": [allowed]});
    let binding: Value = json!({
        "metadata": {"name": "pods"},
        "roleRef": {"apiGroup": "rbac.authorization.k8s.io", "kind": "Role", "name": "pods"},
        "subjects": [{"apiGroup": "rbac.authorization.k8s.io", "kind": "User", "name": User::Narrow.name()}],
    });
    let roles: Api<Role> = Api::namespaced(lab.client(), namespace);
    roles.create(&PostParams::default(), &serde_json::from_value(role)?).await?;
    let bindings: Api<RoleBinding> = Api::namespaced(lab.client(), namespace);
    bindings.create(&PostParams::default(), &serde_json::from_value(binding)?).await?;
    Ok(())
}

async fn status(lab: &Lab, namespace: &str, object: &str, more: &[&str]) -> Result<CommandOutput> {
    op(&lab.kubeconfig(User::Admin), &[&["status", object, "-n", namespace], more].concat()).await
}

async fn kubectl(lab: &Lab, words: &[&str]) -> Result<CommandOutput> {
    let mut call = std::process::Command::new(lab.kubectl());
    call.env_clear().env("KUBECONFIG", lab.kubeconfig(User::Admin)).args(words);
    run_command(call).await
}
