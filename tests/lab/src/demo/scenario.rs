//! What happens in the demo cluster, step by step. Every state is waited for, none is written by hand.
//!
//! | namespace | what is there                                                          |
//! |-----------|------------------------------------------------------------------------|
//! | default   | VoteConfig demo; its operator is paused, its ConfigMap edited          |
//! | cache     | Memcached mc, three of three ready                                     |
//! | vms       | VmGroup web runs; VmGroup old is being deleted and its cleanup refused |
//! | shop      | Website shop says Ready while a Pod crash-loops; Website blog is fine  |
//! | greetings | HelloWorld my-hello-world and its ConfigMap without an owner           |

use anyhow::{Context as _, Result, ensure};
use k8s_openapi::api::coordination::v1::Lease;
use k8s_openapi::api::core::v1::{ConfigMap, Event, Namespace, Pod};
use k8s_openapi::jiff::Timestamp;
use kube::api::{DeleteParams, ListParams, Patch, PatchParams, PostParams};
use kube::{Api, Client, ResourceExt as _};
use serde_json::{Value, json};

use super::timeline::{CaptureStep, CaptureTimeline};
use crate::lab::Lab;
use crate::pods::{self, PodState};
use crate::wait::until;
use crate::worlds::{Cleanup, Operator, World};

/// Runs all steps on a new lab.
pub(super) async fn run_scenario(lab: &Lab) -> Result<CaptureTimeline> {
    let mut timeline = CaptureTimeline::start(&lab.client()).await?;
    timeline.begin_step(&lab.client(), CaptureStep::Installed).await?;
    for world in World::ALL {
        let operator = Operator::new(lab, world);
        operator.install().await?;
        operator.start().await?;
    }
    timeline.begin_step(&lab.client(), CaptureStep::Made).await?;
    make(lab).await?;
    let paused = timeline.begin_step(&lab.client(), CaptureStep::Paused).await?;
    pause(lab, paused).await?;
    timeline.begin_step(&lab.client(), CaptureStep::Broken).await?;
    break_things(lab).await?;
    timeline.begin_step(&lab.client(), CaptureStep::Edited).await?;
    edit(lab).await?;
    let live = timeline.begin_step(&lab.client(), CaptureStep::Live).await?;
    alive(lab, live).await?;
    Ok(timeline)
}

async fn make(lab: &Lab) -> Result<()> {
    let namespaces: Api<Namespace> = Api::all(lab.client());
    let by_hand = PostParams { field_manager: Some("kubectl-create".to_owned()), ..PostParams::default() };
    for name in ["cache", "greetings", "shop", "vms"] {
        let namespace = serde_json::from_value(json!({ "metadata": { "name": name } }))?;
        namespaces.create(&by_hand, &namespace).await.with_context(|| format!("failed to make {name}"))?;
    }
    let sample = async |world: World, namespace: &str| {
        Operator::new(lab, world).sample(namespace, world.sample_name()).await
    };
    sample(World::VoteConfig, "default").await?;
    reaches(lab, World::VoteConfig, "default/demo", |o| o["status"]["configMapName"] == "demo-config")
        .await?;
    sample(World::Memcached, "cache").await?;
    reaches(lab, World::Memcached, "cache/mc", |o| {
        let nodes = o["status"]["nodes"].as_array().map_or(0, Vec::len);
        nodes == 3 && holds(o, "Available") && !holds(o, "Progressing")
    })
    .await?;
    // One after the other, so that the VMs are numbered the same in every capture.
    sample(World::VmGroup, "vms").await?;
    reaches(lab, World::VmGroup, "vms/web", |o| runs(o, 2)).await?;
    let old = json!({ "cpu": 1, "memory": 2, "template": "ubuntu-20.04", "replicas": 3 });
    Operator::new(lab, World::VmGroup).create("vms", "old", old).await?;
    reaches(lab, World::VmGroup, "vms/old", |o| runs(o, 3)).await?;
    sample(World::Website, "shop").await?;
    let blog = json!({ "replicas": 1, "html": "<h1>Blog</h1>\n" });
    Operator::new(lab, World::Website).create("shop", "blog", blog).await?;
    reaches(lab, World::Website, "shop/shop", |o| serves(o, 2)).await?;
    reaches(lab, World::Website, "shop/blog", |o| serves(o, 1)).await?;
    sample(World::HelloWorld, "greetings").await?;
    reaches(lab, World::HelloWorld, "greetings/my-hello-world", |o| {
        o["metadata"]["annotations"]["kopf.zalando.org/last-handled-configuration"].is_string()
    })
    .await
}

/// Stops the operator of `VoteConfig`, after it renewed its Lease in this step.
async fn pause(lab: &Lab, since: Timestamp) -> Result<()> {
    let in_cluster =
        World::VoteConfig.names().in_cluster.context("VoteConfig's operator runs in the cluster")?;
    let leases: Api<Lease> = Api::namespaced(lab.client(), in_cluster.namespace);
    until("a last renewal", async || Ok(renewed(&leases.get(in_cluster.lease).await?, since).then_some(())))
        .await?;
    Operator::new(lab, World::VoteConfig).pause().await
}

/// One of two Pods crash-loops behind a Website that still reports Ready; the VMs of `old` cannot be destroyed.
async fn break_things(lab: &Lab) -> Result<()> {
    let pod = first_pod(&lab.client(), "shop", "app=shop").await?;
    pods::set_one(&lab.client(), "shop", &pod, PodState::CrashLoopBackOff).await?;
    let all: Api<Pod> = Api::namespaced(lab.client(), "shop");
    let crashing = serde_json::to_value(all.get(&pod).await?)?;
    let container = &crashing["status"]["containerStatuses"][0];
    let crashed = container["lastState"]["terminated"]["exitCode"] == 1
        && container["restartCount"].as_i64().is_some_and(|count| count > 0);
    ensure!(crashed, "Pod {pod} does not look as if it crashed: {container}");
    reaches(lab, World::Website, "shop/shop", |o| serves(o, 1)).await?;
    let operator = Operator::new(lab, World::VmGroup);
    operator.fail_cleanup(Cleanup::Refused).await?;
    operator.objects("vms").delete("old", &DeleteParams::default()).await.context("failed to delete old")?;
    reaches(lab, World::VmGroup, "vms/old", |o| {
        o["metadata"]["deletionTimestamp"].is_string() && o["status"]["phase"] == "Error"
    })
    .await
}

/// What `kubectl edit` does, to the colour of one option.
async fn edit(lab: &Lab) -> Result<()> {
    let maps: Api<ConfigMap> = Api::namespaced(lab.client(), "default");
    let map = maps.get("demo-config").await.context("failed to read demo-config")?;
    let options = map.data.as_ref().and_then(|data| data.get("options.txt")).context("it has no options")?;
    let lines = options.lines().map(|line| match line.rsplit_once(':') {
        Some((option, _)) if option.starts_with("b:") => format!("{option}:#000000\n"),
        _ => format!("{line}\n"),
    });
    let edited: String = lines.collect();
    ensure!(edited != *options, "there is no option b in {options:?}");
    let by_hand = PatchParams { field_manager: Some("kubectl-edit".to_owned()), ..PatchParams::default() };
    let patch = Patch::Merge(json!({ "data": { "options.txt": edited } }));
    maps.patch("demo-config", &by_hand, &patch).await.context("failed to edit demo-config")?;
    Ok(())
}

/// Waits until everything that runs has been active in this step: each leader and the node renewed its Lease, the
/// refused cleanup was tried again.
async fn alive(lab: &Lab, since: Timestamp) -> Result<()> {
    let leases: Api<Lease> = Api::all(lab.client());
    let dead = World::VoteConfig.names().in_cluster.map(|in_cluster| in_cluster.lease);
    until("every Lease to be renewed", async || {
        let all = leases.list(&ListParams::default()).await?;
        let living = |lease: &&Lease| {
            lease.namespace().as_deref() != Some("kube-system") && Some(lease.name_any().as_str()) != dead
        };
        Ok(all.iter().filter(living).all(|lease| renewed(lease, since)).then_some(()))
    })
    .await?;
    let events: Api<Event> = Api::namespaced(lab.client(), "vms");
    until("another try of the cleanup", async || {
        let refusals = ListParams::default().fields("involvedObject.name=old,reason=CleanupFailed");
        let again = |event: &Event| event.last_timestamp.as_ref().is_some_and(|time| time.0 >= since);
        Ok(events.list(&refusals).await?.iter().any(again).then_some(()))
    })
    .await?;
    // The drift must still be there: the operator that would revert it does not run.
    let maps: Api<ConfigMap> = Api::namespaced(lab.client(), "default");
    let map = maps.get("demo-config").await.context("failed to read demo-config")?;
    let kept = map.data.is_some_and(|data| data.values().any(|text| text.contains("#000000")));
    ensure!(kept, "the edit of demo-config was reverted");
    reaches(lab, World::Website, "shop/shop", |o| serves(o, 1)).await
}

/// Waits until a custom resource, as `namespace/name`, is as it should be.
async fn reaches(lab: &Lab, world: World, place: &str, fits: impl Fn(&Value) -> bool) -> Result<()> {
    let (namespace, name) = place.split_once('/').context("a place is namespace/name")?;
    let objects = Operator::new(lab, world).objects(namespace);
    until(&format!("{world} {place}"), async || {
        let object = serde_json::to_value(objects.get(name).await?)?;
        ensure!(fits(&object), "it is {object}");
        Ok(Some(()))
    })
    .await
}

async fn first_pod(client: &Client, namespace: &str, selector: &str) -> Result<String> {
    let pods: Api<Pod> = Api::namespaced(client.clone(), namespace);
    let listed = pods.list(&ListParams::default().labels(selector)).await.context("failed to list Pods")?;
    let name = listed.iter().map(kube::ResourceExt::name_any).min();
    name.with_context(|| format!("there is no Pod {selector} in {namespace}"))
}

fn renewed(lease: &Lease, since: Timestamp) -> bool {
    let time = lease.spec.as_ref().and_then(|spec| spec.renew_time.as_ref());
    time.is_some_and(|time| time.0 >= since)
}

fn holds(object: &Value, condition: &str) -> bool {
    let conditions = object["status"]["conditions"].as_array();
    conditions.is_some_and(|all| all.iter().any(|one| one["type"] == condition && one["status"] == "True"))
}

fn runs(object: &Value, machines: u64) -> bool {
    object["status"]["phase"] == "Running" && object["status"]["currentReplicas"] == machines
}

/// Reports Ready, whatever the state of its Pods.
fn serves(object: &Value, ready: u64) -> bool {
    holds(object, "Ready") && object["status"]["readyReplicas"] == ready
}
