//! `tree -w` in a pipe: what changes is appended, whatever happens to the connection.

use anyhow::{Context as _, Result, ensure};
use k8s_openapi::api::apps::v1::Deployment;
use k8s_openapi::api::core::v1::{ConfigMap, Pod, Secret};
use kube::ResourceExt as _;
use kube::api::{Api, DeleteParams, Patch, PatchParams, PostParams};
use lab::faults::{ErrorResponse, Fault, Match, Proxy};
use lab::pods::{self, PodState};
use lab::wait::{DEFAULT_TIMEOUT, cached, until, until_within};
use lab::worlds::{Operator, World};
use lab::{Lab, User};
use serde_json::{Value, json};

use crate::binary::notes;
use crate::harness::{Test, shared};
use crate::running::RunningCommand;

pub(crate) fn tests() -> Vec<Test> {
    vec![
        shared("watch::changes_are_appended", changes_are_appended),
        shared("watch::json_is_a_document_per_change", json_is_a_document_per_change),
        shared("watch::a_root_may_go_and_come_back", a_root_may_go_and_come_back),
        shared("watch::a_new_kind_below_is_found", a_new_kind_below_is_found),
        shared("watch::a_pod_costs_one_read_and_no_sweep", a_pod_costs_one_read_and_no_sweep),
        shared("watch::a_dropped_connection_is_taken_up_again", a_dropped_connection_is_taken_up_again),
        shared("watch::a_forgotten_past_is_read_anew", a_forgotten_past_is_read_anew),
        shared("watch::what_may_not_be_watched_is_listed", what_may_not_be_watched_is_listed),
    ]
}

async fn changes_are_appended(lab: Lab, namespace: String) -> Result<()> {
    let operator = website(&lab, &namespace).await?;
    let call = tree(&lab, &namespace, "website/shop", &[])?;
    call.line(&["complete: "]).await?;
    let patch = json!({"spec": {"replicas": 3}});
    operator.objects(&namespace).patch("shop", &PatchParams::default(), &Patch::Merge(patch)).await?;
    call.line(&["  added     Pod/shop-"]).await?;
    let line = call.line(&["  changed   Deployment/shop  ", " -> 3/3 Ready"]).await?;
    let time = line.split_whitespace().next().unwrap_or_default();
    ensure!(time.ends_with('Z') && time.len() == "2026-11-16T11:08:05Z".len(), "{line}");
    pods::set(&lab.client(), &namespace, "app=shop", PodState::CrashLoopBackOff).await?;
    call.line(&["  changed   Pod/shop-", "1/1 Running -> 0/1 CrashLoopBackOff"]).await?;
    let (code, out, err) = call.interrupt().await?;
    ensure!(code == Some(0) && out.ends_with('\n') && notes(&err).is_empty(), "{code:?}\n{out}\n{err}");
    ensure!(
        out.matches("NAME ").count() == 1 && !out.contains('\u{1b}'),
        "a pipe is never drawn over: {out}"
    );
    Ok(())
}

async fn json_is_a_document_per_change(lab: Lab, namespace: String) -> Result<()> {
    let root = map(&lab, &namespace, "root", None).await?;
    let call = tree(&lab, &namespace, "cm/root", &["-o", "json"])?;
    call.line(&["kubectl-op/tree/v1"]).await?;
    map(&lab, &namespace, "child", Some(&root)).await?;
    call.line(&["kubectl-op/tree/v1", "\"child\""]).await?;
    maps(&lab, &namespace).delete("root", &DeleteParams::default()).await?;
    call.line(&["kubectl-op/trees/v1"]).await?;
    let (code, out, _) = call.interrupt().await?;
    let documents: Vec<Value> = out.lines().map(serde_json::from_str).collect::<Result<_, _>>()?;
    ensure!(code == Some(0) && documents.len() >= 3, "{code:?} {out}");
    let counts: Vec<_> = documents.iter().map(|one| one["nodes"].as_array().map(Vec::len)).collect();
    ensure!(counts[..2] == [Some(1), Some(2)], "{counts:?}");
    ensure!(documents.iter().any(|one| one["trees"] == json!([])), "{out}");
    Ok(())
}

async fn a_root_may_go_and_come_back(lab: Lab, namespace: String) -> Result<()> {
    let operator = website(&lab, &namespace).await?;
    let call = tree(&lab, &namespace, "website/shop", &[])?;
    call.line(&["complete: "]).await?;
    // The children before their owner: a child that outlives it for some seconds is said to have left, and how long
    // the garbage collector takes is not for this test to say.
    operator.objects(&namespace).delete("shop", &DeleteParams::foreground()).await?;
    // The garbage collector of a young cluster learns of new kinds only now and then.
    until_within(DEFAULT_TIMEOUT * 2, "the resource to be gone", async || {
        Ok(operator.objects(&namespace).get_opt("shop").await?.is_none().then_some(()))
    })
    .await?;
    call.line(&["  deleted   Deployment/shop"]).await?;
    call.line(&["  deleted   Website/shop  waiting for it to be recreated"]).await?;
    operator.sample(&namespace, "shop").await?;
    call.line(&["  added     Website/shop  recreated with a new uid"]).await?;
    call.line(&["  added     Deployment/shop"]).await?;
    call.line(&["  added     Pod/shop-"]).await?;
    let (code, out, _) = call.interrupt().await?;
    ensure!(code == Some(0), "{code:?} {out}");
    Ok(())
}

async fn a_new_kind_below_is_found(lab: Lab, namespace: String) -> Result<()> {
    let root = map(&lab, &namespace, "root", None).await?;
    let call = tree(&lab, &namespace, "cm/root", &[])?;
    call.line(&["complete: "]).await?;
    // Nobody watches Secrets; that the root changed is the occasion to look.
    let secrets: Api<Secret> = Api::namespaced(lab.client(), &namespace);
    let secret = json!({"metadata": {"name": "fresh", "ownerReferences": [reference(&root)]}});
    cached(&secrets, &secrets.create(&PostParams::default(), &serde_json::from_value(secret)?).await?)
        .await?;
    let touched = json!({"metadata": {"labels": {"touched": "yes"}}});
    maps(&lab, &namespace).patch("root", &PatchParams::default(), &Patch::Merge(touched)).await?;
    call.line(&["  added     Secret/fresh"]).await?;
    // From now on they are watched.
    secrets.delete("fresh", &DeleteParams::default()).await?;
    call.line(&["  deleted   Secret/fresh"]).await.map(drop)
}

async fn a_pod_costs_one_read_and_no_sweep(lab: Lab, namespace: String) -> Result<()> {
    pod_of_map(&lab, &namespace).await?;
    let proxy = Proxy::start(&lab).await?;
    let call = through(&proxy, &namespace)?;
    call.line(&["complete: "]).await?;
    until("the watches", async || Ok((watches(&proxy) >= 2).then_some(()))).await?;
    ensure!(lists(&proxy) == 1, "a watch goes on where the first list ended: {:?}", paths(&proxy));
    proxy.reset_records();
    pods::set_one(&lab.client(), &namespace, "child", PodState::CrashLoopBackOff).await?;
    call.line(&["  changed   Pod/child  1/1 Running -> 0/1 CrashLoopBackOff"]).await?;
    let paths: Vec<String> = proxy.requests().into_iter().map(|record| record.path).collect();
    ensure!(!paths.is_empty() && paths.len() <= 4, "{paths:?}");
    ensure!(paths.iter().all(|path| path.ends_with("/pods/child")), "nothing but the Pod: {paths:?}");
    call.interrupt().await.map(drop)
}

async fn a_dropped_connection_is_taken_up_again(lab: Lab, namespace: String) -> Result<()> {
    pod_of_map(&lab, &namespace).await?;
    let proxy = Proxy::start(&lab).await?;
    let call = through(&proxy, &namespace)?;
    call.line(&["complete: "]).await?;
    until("the watches", async || Ok((watches(&proxy) >= 2).then_some(()))).await?;
    proxy.reset_records();
    // The read that follows the change takes the connection down, and all watches with it.
    proxy.on_first(1, Match::path_ends("/pods/child"), Fault::Reset);
    pods::set_one(&lab.client(), &namespace, "child", PodState::CrashLoopBackOff).await?;
    call.line(&["  changed   Pod/child  1/1 Running -> 0/1 CrashLoopBackOff"]).await?;
    call.note("was lost (").await?;
    call.note("again\n").await?;
    pods::set_one(&lab.client(), &namespace, "child", PodState::Ready).await?;
    call.line(&["  changed   Pod/child  0/1 CrashLoopBackOff -> 1/1 Running"]).await?;
    no_sweep(&proxy)?;
    let (code, _, err) = call.interrupt().await?;
    ensure!(code == Some(0) && err.matches("was lost").count() == 1, "said once: {err}");
    Ok(())
}

async fn a_forgotten_past_is_read_anew(lab: Lab, namespace: String) -> Result<()> {
    let root = pod_of_map(&lab, &namespace).await?;
    let proxy = Proxy::start(&lab).await?;
    // The first watch breaks at its first event; the second one hears that its past is forgotten.
    let watch = || Match::path_ends("/pods").query_has("watch=1");
    proxy.on_nth(1, watch(), Fault::Cut);
    proxy.on_first(1, watch(), ErrorResponse::Gone);
    let call = through(&proxy, &namespace)?;
    call.line(&["complete: "]).await?;
    until("the watches", async || Ok((watches(&proxy) >= 2).then_some(()))).await?;
    proxy.reset_records();
    pods::set_one(&lab.client(), &namespace, "child", PodState::CrashLoopBackOff).await?;
    call.line(&["  changed   Pod/child  1/1 Running -> 0/1 CrashLoopBackOff"]).await?;
    // Deleted while nobody may be watching: the list that follows has to show it.
    make_pod(&lab, &namespace, "other", &root).await?;
    call.line(&["  added     Pod/other"]).await?;
    until("the third watch", async || Ok((pod_watches(&proxy) >= 2).then_some(()))).await?;
    ensure!(lists(&proxy) >= 1, "the Pods are listed anew: {:?}", paths(&proxy));
    pods::set_one(&lab.client(), &namespace, "child", PodState::Ready).await?;
    call.line(&["  changed   Pod/child  0/1 CrashLoopBackOff -> 1/1 Running"]).await?;
    no_sweep(&proxy)?;
    call.interrupt().await.map(drop)
}

async fn what_may_not_be_watched_is_listed(lab: Lab, namespace: String) -> Result<()> {
    let root = map(&lab, &namespace, "root", None).await?;
    let proxy = Proxy::start(&lab).await?;
    proxy.on(Match::path_ends("/configmaps").query_has("watch=1"), ErrorResponse::Forbidden);
    let call = through(&proxy, &namespace)?;
    call.line(&["complete: "]).await?;
    call.note("cannot watch configmaps; listing every 10s instead\n").await?;
    map(&lab, &namespace, "child", Some(&root)).await?;
    call.line(&["  added     ConfigMap/child"]).await?;
    maps(&lab, &namespace).delete("child", &DeleteParams::default()).await?;
    call.line(&["  deleted   ConfigMap/child"]).await?;
    let (code, _, err) = call.interrupt().await?;
    ensure!(code == Some(0) && err.matches("cannot watch").count() == 1, "said once: {err}");
    Ok(())
}

fn tree(lab: &Lab, namespace: &str, object: &str, flags: &[&str]) -> Result<RunningCommand> {
    RunningCommand::op(
        &lab.kubeconfig(User::Admin),
        &[&["tree", object, "-n", namespace, "-w"], flags].concat(),
    )
}

fn through(proxy: &Proxy, namespace: &str) -> Result<RunningCommand> {
    RunningCommand::op(&proxy.kubeconfig(User::Admin)?, &["tree", "cm/root", "-n", namespace, "--watch"])
}

fn paths(proxy: &Proxy) -> Vec<String> {
    proxy.requests().into_iter().map(|record| record.path).collect()
}

fn watches(proxy: &Proxy) -> usize {
    paths(proxy).iter().filter(|path| path.contains("watch=1")).count()
}

fn pod_watches(proxy: &Proxy) -> usize {
    paths(proxy).iter().filter(|path| path.contains("/pods?watch=1")).count()
}

fn lists(proxy: &Proxy) -> usize {
    paths(proxy).iter().filter(|path| path.contains("/pods?resourceVersion=0")).count()
}

/// A full look would ask for Secrets.
fn no_sweep(proxy: &Proxy) -> Result<()> {
    let paths = paths(proxy);
    ensure!(!paths.iter().any(|path| path.contains("/secrets")), "{paths:?}");
    Ok(())
}

async fn website(lab: &Lab, namespace: &str) -> Result<Operator> {
    let operator = Operator::new(lab, World::Website);
    operator.sample(namespace, "shop").await?;
    let deployments: Api<Deployment> = Api::namespaced(lab.client(), namespace);
    until("two ready Pods", async || {
        let found = deployments.get_opt("shop").await?;
        let ready = found.and_then(|found| found.status?.ready_replicas);
        Ok((ready == Some(2)).then_some(()))
    })
    .await?;
    Ok(operator)
}

fn maps(lab: &Lab, namespace: &str) -> Api<ConfigMap> {
    Api::namespaced(lab.client(), namespace)
}

async fn map(lab: &Lab, namespace: &str, name: &str, owner: Option<&ConfigMap>) -> Result<ConfigMap> {
    let owners: Vec<Value> = owner.iter().map(|owner| reference(owner)).collect();
    let object = json!({"metadata": {"name": name, "ownerReferences": owners}});
    let map = maps(lab, namespace).create(&PostParams::default(), &serde_json::from_value(object)?).await?;
    cached(&maps(lab, namespace), &map).await?;
    Ok(map)
}

fn reference(owner: &ConfigMap) -> Value {
    json!({"apiVersion": "v1", "kind": "ConfigMap", "name": owner.name_any(), "uid": owner.uid(), "controller": true})
}

/// A `ConfigMap` that owns a Pod: nothing that happens to the Pod changes its owner.
async fn pod_of_map(lab: &Lab, namespace: &str) -> Result<ConfigMap> {
    let root = map(lab, namespace, "root", None).await?;
    make_pod(lab, namespace, "child", &root).await?;
    Ok(root)
}

async fn make_pod(lab: &Lab, namespace: &str, name: &str, owner: &ConfigMap) -> Result<()> {
    let pods: Api<Pod> = Api::namespaced(lab.client(), namespace);
    let pod = json!({
        "metadata": {"name": name, "ownerReferences": [reference(owner)]},
        "spec": {"containers": [{"name": "a", "image": "a"}]},
    });
    pods.create(&PostParams::default(), &serde_json::from_value(pod)?).await?;
    pods::set_one(&lab.client(), namespace, name, PodState::Ready).await.context("a ready Pod")?;
    cached(&pods, &pods.get(name).await?).await
}
