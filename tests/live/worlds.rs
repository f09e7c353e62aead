//! The five operators do what real ones do: they reconcile, revert, clean up, and leave things stuck when they go.

use anyhow::{Context as _, Result, ensure};
use k8s_openapi::api::apps::v1::{Deployment, ReplicaSet};
use k8s_openapi::api::coordination::v1::Lease;
use k8s_openapi::api::core::v1::{ConfigMap, Pod, Service};
use kube::api::{Api, DeleteParams, DynamicObject, ListParams, Patch, PatchParams};
use kube::{Resource, ResourceExt};
use lab::Lab;
use lab::wait::{eventually, until};
use lab::worlds::{Cleanup, Operator, World};
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use crate::harness::{Test, own, shared};

pub(crate) fn tests() -> Vec<Test> {
    vec![
        shared("worlds::voteconfig_reconciles_and_reverts", voteconfig_reconciles_and_reverts),
        shared("worlds::memcached_corrects_replicas_only", memcached_corrects_replicas_only),
        shared("worlds::memcached_webhook_rejects", memcached_webhook_rejects),
        shared("worlds::vmgroup_lives_outside_the_cluster", vmgroup_lives_outside_the_cluster),
        shared("worlds::website_has_three_children", website_has_three_children),
        shared("worlds::helloworld_leaves_what_kopf_leaves", helloworld_leaves_what_kopf_leaves),
        shared("worlds::finalizers_are_removed_after_cleanup", finalizers_are_removed_after_cleanup),
        own(
            "worlds::an_uninstalled_operator_leaves_deletions_stuck",
            an_uninstalled_operator_leaves_deletions_stuck,
        ),
        own("worlds::operators_pause_crash_and_are_upgraded", operators_pause_crash_and_are_upgraded),
        own("worlds::a_refused_cleanup_holds_the_resource", a_refused_cleanup_holds_the_resource),
    ]
}

async fn voteconfig_reconciles_and_reverts(lab: Lab, namespace: String) -> Result<()> {
    let operator = Operator::new(&lab, World::VoteConfig);
    let config = operator.sample(&namespace, "demo").await?;
    let maps: Api<ConfigMap> = Api::namespaced(lab.client(), &namespace);
    let map = exists(&maps, "demo-config").await?;
    let owner = map.metadata.owner_references.as_deref().and_then(<[_]>::first).context("it has an owner")?;
    ensure!(Some(&owner.uid) == config.uid().as_ref() && owner.controller == Some(true), "{owner:?}");
    ensure!(managers(&map) == ["manager"], "{:?}", managers(&map));
    let written = options(&map);
    merge(&maps, "demo-config", json!({"data": {"options.txt": "b:Dogs:#000000\n"}})).await?;
    until("the hand edit to be reverted", async || {
        Ok((options(&maps.get("demo-config").await?) == written).then_some(()))
    })
    .await?;
    eventually("the status", async || {
        let object = operator.objects(&namespace).get("demo").await?;
        let status = &object.data["status"];
        ensure!(status["configMapName"] == "demo-config" && status.get("conditions").is_none(), "{status}");
        Ok(())
    })
    .await
}

async fn memcached_corrects_replicas_only(lab: Lab, namespace: String) -> Result<()> {
    let operator = Operator::new(&lab, World::Memcached);
    operator.sample(&namespace, "mc").await?;
    let deployments: Api<Deployment> = Api::namespaced(lab.client(), &namespace);
    ready(&deployments, "mc", 3).await?;
    until("status.nodes", async || {
        let object = operator.objects(&namespace).get("mc").await?;
        Ok(object.data["status"]["nodes"].as_array().filter(|nodes| nodes.len() == 3).map(drop))
    })
    .await?;
    let template = json!({"spec": {"containers": [{"name": "memcached", "image": "memcached:edited"}]}});
    let edit = json!({"spec": {"replicas": 5, "template": template}});
    deployments.patch("mc", &PatchParams::default(), &Patch::Strategic(edit)).await?;
    let corrected = until("replicas to be corrected", async || {
        let deployment = deployments.get("mc").await?;
        let replicas = deployment.spec.as_ref().and_then(|spec| spec.replicas);
        Ok((replicas == Some(3)).then_some(deployment))
    });
    ensure!(image(&corrected.await?).as_deref() == Some("memcached:edited"), "the image is never corrected");
    Ok(())
}

async fn memcached_webhook_rejects(lab: Lab, namespace: String) -> Result<()> {
    let operator = Operator::new(&lab, World::Memcached);
    // A webhook that does not respond in time refuses too, in other words.
    eventually("the rejection of the webhook", async || {
        let refused = operator.create(&namespace, "none", json!({"size": 0, "version": "1.6"})).await;
        let words = format!("{:#}", refused.err().context("size 0 is refused")?);
        ensure!(words.contains("denied the request"), "{words}");
        Ok(())
    })
    .await
}

async fn vmgroup_lives_outside_the_cluster(lab: Lab, namespace: String) -> Result<()> {
    let operator = Operator::new(&lab, World::VmGroup);
    operator.sample(&namespace, "web").await?;
    eventually("the VMs to run", async || {
        let status = operator.objects(&namespace).get("web").await?.data["status"].clone();
        ensure!(status["phase"] == "Running" && status["currentReplicas"] == 2, "{status}");
        ensure!(status.get("conditions").is_none(), "{status}");
        let ids = operator.vms()?;
        let message = status["lastMessage"].as_str().unwrap_or_default();
        ensure!(ids.iter().any(|id| message.contains(id.as_str())), "{message:?} names none of {ids:?}");
        Ok(())
    })
    .await?;
    // The scale subresource works both ways, as `kubectl scale` uses it.
    let scale = json!({"spec": {"replicas": 3}});
    operator.objects(&namespace).patch_scale("web", &PatchParams::default(), &Patch::Merge(scale)).await?;
    until("the third VM", async || {
        let object = operator.objects(&namespace).get("web").await?;
        Ok((object.data["status"]["currentReplicas"] == 3).then_some(()))
    })
    .await
}

async fn website_has_three_children(lab: Lab, namespace: String) -> Result<()> {
    let operator = Operator::new(&lab, World::Website);
    operator.sample(&namespace, "shop").await?;
    let deployments: Api<Deployment> = Api::namespaced(lab.client(), &namespace);
    let maps: Api<ConfigMap> = Api::namespaced(lab.client(), &namespace);
    let services: Api<Service> = Api::namespaced(lab.client(), &namespace);
    ready(&deployments, "shop", 2).await?;
    exists(&services, "shop").await?;
    until("Ready=True", async || {
        let object = operator.objects(&namespace).get("shop").await?;
        let ready = object.data["status"]["conditions"].as_array().is_some_and(|all| {
            all.iter()
                .any(|c| c["type"] == "Ready" && c["status"] == "True" && c["reason"] == "ReconcileSuccess")
        });
        Ok(ready.then_some(()))
    })
    .await?;
    merge(&services, "shop", json!({"spec": {"selector": {"app": "nobody"}}})).await?;
    merge(&maps, "shop", json!({"data": {"index.html": "edited", "other": "kept"}})).await?;
    merge(&deployments, "shop", json!({"spec": {"replicas": 7}})).await?;
    let map = until("index.html to be reverted", async || {
        let map = maps.get("shop").await?;
        let page = map.data.as_ref().and_then(|data| data.get("index.html")).cloned();
        Ok((page.as_deref() == Some("<h1>Hello</h1>\n")).then_some(map))
    })
    .await?;
    ensure!(map.data.is_some_and(|data| data.contains_key("other")), "only index.html is the operator's");
    until("replicas to be reverted", async || {
        let replicas = deployments.get("shop").await?.spec.and_then(|spec| spec.replicas);
        Ok((replicas == Some(2)).then_some(()))
    })
    .await?;
    let selector = services.get("shop").await?.spec.and_then(|spec| spec.selector).unwrap_or_default();
    ensure!(
        selector.get("app").map(String::as_str) == Some("nobody"),
        "the Service is never updated: {selector:?}"
    );
    Ok(())
}

async fn helloworld_leaves_what_kopf_leaves(lab: Lab, namespace: String) -> Result<()> {
    let operator = Operator::new(&lab, World::HelloWorld);
    operator.sample(&namespace, "my-hello-world").await?;
    let maps: Api<ConfigMap> = Api::namespaced(lab.client(), &namespace);
    let map = exists(&maps, "my-hello-world").await?;
    ensure!(
        map.owner_references().is_empty() && map.labels().is_empty() && map.annotations().is_empty(),
        "{map:?}"
    );
    ensure!(managers(&map) == ["OpenAPI-Generator"], "{:?}", managers(&map));
    let annotation = "kopf.zalando.org/last-handled-configuration";
    eventually("what kopf leaves on the resource", async || {
        let object = operator.objects(&namespace).get("my-hello-world").await?;
        ensure!(object.annotations().contains_key(annotation), "{:?}", object.annotations());
        ensure!(object.finalizers() == ["kopf.zalando.org/KopfFinalizerMarker"], "{:?}", object.finalizers());
        ensure!(managers(&object).iter().any(|manager| manager == "kopf"), "{:?}", managers(&object));
        ensure!(object.data.get("status").is_none(), "kopf writes no status here");
        Ok(())
    })
    .await?;
    // Nobody watches the child: an edit stays, also while the resource itself changes elsewhere.
    merge(&maps, "my-hello-world", json!({"data": {"message": "edited"}})).await?;
    merge(
        &operator.objects(&namespace),
        "my-hello-world",
        json!({"metadata": {"labels": {"touched": "yes"}}}),
    )
    .await?;
    // The operator has handled the change when it has handled a later one.
    operator.sample(&namespace, "later").await?;
    exists(&maps, "later").await?;
    let message = maps.get("my-hello-world").await?.data.and_then(|mut data| data.remove("message"));
    ensure!(message.as_deref() == Some("edited"), "{message:?}");
    Ok(())
}

async fn finalizers_are_removed_after_cleanup(lab: Lab, namespace: String) -> Result<()> {
    for world in World::ALL {
        let operator = Operator::new(&lab, world);
        operator.sample(&namespace, "going").await?;
        finalizer(&operator, &namespace, "going").await?;
        operator.objects(&namespace).delete("going", &DeleteParams::default()).await?;
    }
    for world in World::ALL {
        let objects = Operator::new(&lab, world).objects(&namespace);
        gone(&objects, "going").await.with_context(|| world.to_string())?;
    }
    Ok(())
}

async fn an_uninstalled_operator_leaves_deletions_stuck(lab: Lab) -> Result<()> {
    for world in World::ALL {
        let operator = running(&lab, world).await?;
        operator.sample("default", "left").await?;
        finalizer(&operator, "default", "left").await?;
        operator.uninstall().await?;
        operator.objects("default").delete("left", &DeleteParams::default()).await?;
    }
    // Long enough for any operator that still ran: they all react within a second.
    tokio::time::sleep(std::time::Duration::from_secs(3)).await;
    for world in World::ALL {
        let operator = Operator::new(&lab, world);
        let object = operator.objects("default").get("left").await?;
        // The server sets it before it answers to the deletion.
        ensure!(object.metadata.deletion_timestamp.is_some(), "{world} is being deleted");
        ensure!(
            object.finalizers() == [world.names().finalizer],
            "{world} is held: {:?}",
            object.finalizers()
        );
        let Some(in_cluster) = world.names().in_cluster else { continue };
        let leases: Api<Lease> = Api::namespaced(lab.client(), in_cluster.namespace);
        ensure!(leases.get_opt(in_cluster.lease).await?.is_some(), "the last Lease of {world} stays");
        let deployments: Api<Deployment> = Api::namespaced(lab.client(), in_cluster.namespace);
        eventually(&format!("the workload of {world} to be gone"), async || {
            let left = deployments.list(&ListParams::default()).await?.items;
            ensure!(left.is_empty(), "{left:?}");
            Ok(())
        })
        .await?;
    }
    Ok(())
}

async fn operators_pause_crash_and_are_upgraded(lab: Lab) -> Result<()> {
    let operator = running(&lab, World::Memcached).await?;
    let in_cluster = operator.world().names().in_cluster.context("it runs in the cluster")?;
    let deployments: Api<Deployment> = Api::namespaced(lab.client(), in_cluster.namespace);
    let state = async || {
        let status = deployments.get(in_cluster.workload).await?.status.unwrap_or_default();
        anyhow::Ok((status.ready_replicas.unwrap_or(0), status.replicas.unwrap_or(0)))
    };
    operator.pause().await?;
    until("0 of 0", async || Ok((state().await? == (0, 0)).then_some(()))).await?;
    // Nobody is there: a new resource gets no child (its webhook is dead too, so it is not even taken).
    ensure!(
        operator.sample("default", "early").await.is_err(),
        "the webhook is dead while the operator is paused"
    );
    operator.start().await?;
    operator.sample("default", "mc").await?;
    let children: Api<Deployment> = Api::namespaced(lab.client(), "default");
    ready(&children, "mc", 3).await?;
    operator.crash().await?;
    until("0 of 1", async || Ok((state().await? == (0, 1)).then_some(()))).await?;
    let pods: Api<Pod> = Api::namespaced(lab.client(), in_cluster.namespace);
    eventually("the Pod to crash", async || {
        let pod = pods.list(&ListParams::default()).await?.items.pop().context("there is a Pod")?;
        let waiting = &serde_json::to_value(&pod)?["status"]["containerStatuses"][0]["state"]["waiting"];
        ensure!(waiting["reason"] == "CrashLoopBackOff", "{waiting}");
        Ok(())
    })
    .await?;
    operator.upgrade().await?;
    ensure!(
        image(&deployments.get(in_cluster.workload).await?).is_some_and(|image| image.ends_with(":v0.2.0"))
    );
    let sets: Api<ReplicaSet> = Api::namespaced(lab.client(), in_cluster.namespace);
    eventually("1 of 1, with the old ReplicaSet", async || {
        let (state, sets) = (state().await?, sets.list(&ListParams::default()).await?.items.len());
        ensure!(state == (1, 1) && sets == 2, "{state:?}, {sets} ReplicaSets");
        Ok(())
    })
    .await
}

async fn a_refused_cleanup_holds_the_resource(lab: Lab) -> Result<()> {
    let operator = running(&lab, World::VmGroup).await?;
    operator.sample("default", "web").await?;
    until("the VMs", async || Ok((operator.vms()?.len() == 2).then_some(()))).await?;
    operator.fail_cleanup(Cleanup::Refused).await?;
    let objects = operator.objects("default");
    objects.delete("web", &DeleteParams::default()).await?;
    let refused = until("the refusal to be reported", async || {
        let object = objects.get("web").await?;
        let message = object.data["status"]["lastMessage"].as_str().unwrap_or_default().to_owned();
        Ok(message.contains("refuse").then_some(object))
    });
    ensure!(refused.await?.finalizers() == [operator.world().names().finalizer]);
    operator.fail_cleanup(Cleanup::Works).await?;
    gone(&objects, "web").await?;
    ensure!(operator.vms()?.is_empty(), "no VM leaks");
    Ok(())
}

async fn running(lab: &Lab, world: World) -> Result<Operator> {
    let operator = Operator::new(lab, world);
    operator.install().await?;
    operator.start().await?;
    Ok(operator)
}

async fn finalizer(operator: &Operator, namespace: &str, name: &str) -> Result<()> {
    let wanted = operator.world().names().finalizer;
    let objects = operator.objects(namespace);
    until(wanted, async || {
        Ok(objects.get(name).await?.finalizers().iter().any(|one| one == wanted).then_some(()))
    })
    .await
}

async fn exists<K>(api: &Api<K>, name: &str) -> Result<K>
where
    K: Resource + Clone + DeserializeOwned + std::fmt::Debug,
{
    until(name, async || Ok(api.get_opt(name).await?)).await
}

async fn gone(api: &Api<DynamicObject>, name: &str) -> Result<()> {
    until(&format!("{name} to be gone"), async || Ok(api.get_opt(name).await?.is_none().then_some(()))).await
}

async fn ready(deployments: &Api<Deployment>, name: &str, wanted: i32) -> Result<()> {
    until(&format!("{wanted} ready Pods of {name}"), async || {
        let ready = deployments.get_opt(name).await?.and_then(|found| found.status?.ready_replicas);
        Ok((ready == Some(wanted)).then_some(()))
    })
    .await
}

/// What `kubectl edit` does.
async fn merge<K>(api: &Api<K>, name: &str, patch: Value) -> Result<()>
where
    K: Resource + Clone + DeserializeOwned + std::fmt::Debug,
{
    let params = PatchParams { field_manager: Some("kubectl-edit".to_owned()), ..PatchParams::default() };
    api.patch(name, &params, &Patch::Merge(patch))
        .await
        .map(drop)
        .with_context(|| format!("failed to edit {name}"))
}

fn managers(object: &impl ResourceExt) -> Vec<String> {
    object.managed_fields().iter().filter_map(|entry| entry.manager.clone()).collect()
}

fn options(map: &ConfigMap) -> Option<String> {
    map.data.as_ref()?.get("options.txt").cloned()
}

fn image(deployment: &Deployment) -> Option<String> {
    deployment.spec.as_ref()?.template.spec.as_ref()?.containers.first()?.image.clone()
}

/// All five operators, installed and running: what the shared lab starts with.
pub(crate) async fn install_operators(lab: &Lab) -> Result<()> {
    for world in World::ALL {
        running(lab, world).await?;
    }
    Ok(())
}
