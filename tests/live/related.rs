//! Children that no owner reference leads to: found where there is evidence, and nothing else is ever pulled in.

use std::collections::BTreeSet;
use std::io::Write as _;
use std::process::{Command, Stdio};

use anyhow::{Context as _, Result, ensure};
use k8s_openapi::api::apps::v1::Deployment;
use k8s_openapi::api::autoscaling::v2::HorizontalPodAutoscaler;
use k8s_openapi::api::core::v1::{ConfigMap, Pod, Secret, Service};
use k8s_openapi::api::policy::v1::PodDisruptionBudget;
use kube::api::{Api, ListParams, PostParams};
use kube::{Resource, ResourceExt as _};
use lab::faults::Proxy;
use lab::pods::{LABEL, PodState};
use lab::wait::{cached, eventually, until};
use lab::worlds::{Operator, World};
use lab::{Lab, User};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use crate::binary::op;
use crate::harness::{Test, own, shared};

pub(crate) fn tests() -> Vec<Test> {
    vec![
        own("related::two_of_each_world_keep_their_own", two_of_each_world_keep_their_own),
        shared("related::services_budgets_and_scalers_of_pods", services_budgets_and_scalers_of_pods),
        shared("related::many_pods_show_what_few_pods_show", many_pods_show_what_few_pods_show),
        shared("related::a_pick_costs_no_second_discovery", a_pick_costs_no_second_discovery),
        shared("related::marks_and_references_of_a_resource", marks_and_references_of_a_resource),
        shared("related::up_around_filters_and_folds", up_around_filters_and_folds),
    ]
}

/// With every operator up, and again with all of them gone.
async fn two_of_each_world_keep_their_own(lab: Lab) -> Result<()> {
    let namespace = "default".to_owned();
    for world in World::ALL {
        let operator = Operator::new(&lab, world);
        operator.install().await?;
        operator.start().await?;
        for name in ["one", "two"] {
            // Several operators name their children after the resource: each world has its names.
            operator.sample(&namespace, &format!("{name}-{world}")).await?;
        }
    }
    until("all Deployments to be ready", async || {
        let deployments: Api<Deployment> = Api::namespaced(lab.client(), &namespace);
        let all = deployments.list(&kube::api::ListParams::default()).await?.items;
        let ready = |d: &Deployment| {
            let status = d.status.as_ref();
            status.is_some_and(|s| s.ready_replicas.is_some() && s.ready_replicas == s.replicas)
        };
        Ok((all.len() == 4 && all.iter().all(ready)).then_some(()))
    })
    .await?;
    let up = all_trees(&lab, &namespace).await?;
    for world in World::ALL {
        Operator::new(&lab, world).uninstall().await?;
    }
    eventually("the same trees without operators", async || {
        let gone = all_trees(&lab, &namespace).await?;
        ensure!(up == gone, "{up:#?}\n{gone:#?}");
        Ok(())
    })
    .await
}

/// The nodes of both resources of every world, once it is sure that they are where they belong.
async fn all_trees(lab: &Lab, namespace: &str) -> Result<Vec<BTreeSet<String>>> {
    let mut all = Vec::new();
    for world in World::ALL {
        let mut pair = Vec::new();
        for name in ["one", "two"] {
            let name = format!("{name}-{world}");
            let whole = eventually("the children", async || {
                let report = tree(lab, namespace, &format!("{}/{name}", world.names().name), &[]).await?;
                let count = match world {
                    World::VmGroup => 1,
                    World::VoteConfig | World::HelloWorld => 2,
                    World::Memcached => 6,
                    World::Website => 8,
                };
                ensure!(nodes(&report).len() == count, "{world}: {report}");
                let related: Vec<&Value> = edges(&report).filter(|edge| edge["link"] == "related").collect();
                ensure!(related.len() == usize::from(world == World::HelloWorld), "{world}: {related:?}");
                for edge in related {
                    let evidence = edge["evidence"].to_string();
                    let found =
                        evidence.contains("same name") && evidence.contains("data.message = spec.name");
                    ensure!(found && evidence.contains("after the HelloWorld"), "{evidence}");
                }
                for node in nodes(&report) {
                    ensure!(node.contains(&name), "{node} is none of {name}");
                }
                Ok(nodes(&report))
            });
            pair.push(whole.await?);
        }
        ensure!(pair[0].is_disjoint(&pair[1]), "{world}: {pair:?}");
        all.extend(pair);
    }
    Ok(all)
}

async fn services_budgets_and_scalers_of_pods(lab: Lab, namespace: String) -> Result<()> {
    Operator::new(&lab, World::Memcached).sample(&namespace, "mc").await?;
    let selector = json!({"memcached_cr": "mc"});
    create::<Service>(
        &lab,
        &namespace,
        "front",
        json!({"spec": {"selector": selector, "ports": [{"port": 1}]}}),
    )
    .await?;
    create::<Service>(
        &lab,
        &namespace,
        "other",
        json!({"spec": {"selector": {"app": "other"}, "ports": [{"port": 1}]}}),
    )
    .await?;
    let budget = json!({"spec": {"minAvailable": 1, "selector": {"matchLabels": selector}}});
    create::<PodDisruptionBudget>(&lab, &namespace, "budget", budget).await?;
    let target = json!({"apiVersion": "apps/v1", "kind": "Deployment", "name": "mc"});
    let scaler = json!({"spec": {"maxReplicas": 9, "scaleTargetRef": target}});
    create::<HorizontalPodAutoscaler>(&lab, &namespace, "scaler", scaler).await?;
    create::<ConfigMap>(&lab, &namespace, "mc-notes", json!({"data": {"a": "b"}})).await?;
    eventually("all that is related to three Pods", async || {
        let report = tree(&lab, &namespace, "memcached/mc", &[]).await?;
        ensure!(edges(&report).filter(|edge| edge["link"] == "related").count() == 3, "{report}");
        let words = report.to_string();
        for evidence in
            ["spec.selector matches 3 Pods of the Deployment", "spec.scaleTargetRef refers to the Deployment"]
        {
            ensure!(words.contains(evidence), "{evidence}: {report}");
        }
        ensure!(!words.contains("other") && !words.contains("mc-notes"), "{report}");
        Ok(())
    })
    .await?;
    let owned = tree(&lab, &namespace, "memcached/mc", &["--owned-only"]).await?;
    ensure!(edges(&owned).all(|edge| edge["link"] != "related"), "{owned}");
    Ok(())
}

/// Bodies that are read by the dozen are pruned; what a rule needs of them is read all the same.
async fn many_pods_show_what_few_pods_show(lab: Lab, namespace: String) -> Result<()> {
    create::<ConfigMap>(&lab, &namespace, "settings", json!({"data": {"a": "b"}})).await?;
    for (name, replicas) in [("few", 3), ("many", 30)] {
        deploy(&lab, &namespace, name, replicas, "settings", PodState::Ready).await?;
        eventually("what the Pods name", async || {
            let report = tree(&lab, &namespace, &format!("deployment/{name}"), &["--deep", "--all"]).await?;
            let evidence = json!([format!("{replicas} Pods refer to it: volume v")]);
            ensure!(report["complete"] == true, "{report}");
            ensure!(edges(&report).any(|edge| edge["evidence"] == evidence), "{evidence}: {report}");
            let mut nodes = report["nodes"].as_array().into_iter().flatten();
            ensure!(nodes.any(|node| node["name"] == "settings"), "{report}");
            Ok(())
        })
        .await?;
    }
    // Pods that cannot start for want of an object say so, however many they are.
    deploy(&lab, &namespace, "waiting", 25, "absent", PodState::Pending).await?;
    for command in ["tree", "status"] {
        eventually("what the Pods wait for", async || {
            let words = [command, "deployment/waiting", "-n", &namespace, "-o", "json"];
            let report = op(&lab.kubeconfig(User::Admin), &words).await?.json()?;
            let whole = if command == "tree" { &report } else { &report["resources"][0] };
            ensure!(whole["cause"]["code"] == "OP-H013", "{command}: {report}");
            ensure!(whole["headline"].to_string().contains("ConfigMap/absent"), "{command}: {report}");
            Ok(())
        })
        .await?;
    }
    Ok(())
}

/// A Deployment whose Pods mount a `ConfigMap` and are put into a state.
async fn deploy(
    lab: &Lab,
    namespace: &str,
    name: &str,
    replicas: usize,
    config: &str,
    state: PodState,
) -> Result<()> {
    let labels = json!({"app": name, LABEL: state.word()});
    let volume = json!({"name": "v", "configMap": {"name": config}});
    let body = json!({"spec": {
        "replicas": replicas,
        "selector": {"matchLabels": {"app": name}},
        "template": {
            "metadata": {"labels": labels},
            "spec": {"containers": [{"name": "c", "image": "i"}], "volumes": [volume]},
        },
    }});
    create::<Deployment>(lab, namespace, name, body).await?;
    let pods: Api<Pod> = Api::namespaced(lab.client(), namespace);
    until("all Pods of the Deployment", async || {
        let all = pods.list(&ListParams::default().labels(&format!("app={name}"))).await?;
        Ok((all.items.len() == replicas).then_some(()))
    })
    .await
}

/// `script` gives the binary a terminal, so that it asks which object is meant.
async fn a_pick_costs_no_second_discovery(lab: Lab, namespace: String) -> Result<()> {
    for name in ["first", "second"] {
        create::<ConfigMap>(&lab, &namespace, name, json!({})).await?;
    }
    let proxy = Proxy::start(&lab).await?;
    let kubeconfig = proxy.kubeconfig(User::Admin)?;
    let binary = env!("CARGO_BIN_EXE_kubectl-op");
    let call =
        format!("{binary} tree configmaps -n {namespace} -o name --kubeconfig {}", kubeconfig.display());
    let out = tokio::task::spawn_blocking(move || -> Result<String> {
        let mut script = Command::new("script")
            .args(["-qefc", &call, "/dev/null"])
            .env("TERM", "xterm")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .context("script of util-linux gives the binary a terminal")?;
        // Letters filter; Enter takes the one that is left. The terminal keeps them until they are read.
        script.stdin.take().context("a pipe")?.write_all(b"second\r")?;
        Ok(String::from_utf8_lossy(&script.wait_with_output()?.stdout).into_owned())
    })
    .await??;
    ensure!(out.contains("configmap/second") && !out.contains("configmap/first\r\n"), "{out}");
    let discoveries =
        proxy.requests().iter().filter(|request| matches!(request.path.as_str(), "/api" | "/apis")).count();
    ensure!(discoveries == 2, "one of each: {:#?}", proxy.requests());
    ensure!(proxy.connections() == 1, "{} connections", proxy.connections());
    Ok(())
}

async fn marks_and_references_of_a_resource(lab: Lab, namespace: String) -> Result<()> {
    let root = Operator::new(&lab, World::VoteConfig).sample(&namespace, "demo").await?;
    let uid = root.uid().context("it has a uid")?;
    let marked = |key: &str, value: &str| json!({"metadata": {"labels": {key: value}}});
    create::<Secret>(&lab, &namespace, "by-uid", marked("example.com/owner", &uid)).await?;
    create::<Secret>(&lab, &namespace, "by-name", marked("voting.schoolofdevops.com/voteconfig", "demo"))
        .await?;
    create::<Secret>(&lab, &namespace, "by-chance", marked("tier", "demo")).await?;
    create::<Secret>(&lab, &namespace, "demo", json!({"stringData": {"a": "b"}})).await?;
    for name in ["by-chance", "demo"] {
        let secrets: Api<Secret> = Api::namespaced(lab.client(), &namespace);
        cached(&secrets, &secrets.get(name).await?).await.context("what must not be found can be")?;
    }
    eventually("the child and the marked Secrets", async || {
        let report = tree(&lab, &namespace, "voteconfig/demo", &[]).await?;
        let expected = ["ConfigMap/demo-config", "Secret/by-name", "Secret/by-uid", "VoteConfig/demo"];
        ensure!(nodes(&report) == expected.map(str::to_owned).into(), "{report}");
        let words = report.to_string();
        ensure!(words.contains("example.com/owner = uid of the VoteConfig"), "{report}");
        ensure!(words.contains("voting.schoolofdevops.com/voteconfig = name of the VoteConfig"), "{report}");
        Ok(())
    })
    .await
}

async fn up_around_filters_and_folds(lab: Lab, namespace: String) -> Result<()> {
    let operator = Operator::new(&lab, World::Website);
    operator.create(&namespace, "shop", json!({"replicas": 6, "html": "<p>hi</p>"})).await?;
    let text = async |words: &[&str]| -> Result<String> {
        let words = [words, &["-n", &namespace]].concat();
        let output = op(&lab.kubeconfig(User::Admin), &words).await?;
        ensure!(output.exit_code == 0, "{output:?}");
        Ok(output.stdout)
    };
    // A tree whose Pods are all alike does not change any more.
    let report = eventually("six Pods, all alike", async || {
        let report = tree(&lab, &namespace, "website/shop", &[]).await?;
        ensure!(nodes(&report).len() == 12 && !report.to_string().contains("Pending"), "{report}");
        let folded = text(&["tree", "website/shop"]).await?;
        ensure!(folded.contains("─6 Pods") && folded.contains("folded: 6 healthy objects"), "{folded}");
        Ok(report)
    })
    .await?;
    let pod = nodes(&report).into_iter().find(|node| node.starts_with("Pod/")).context("a Pod")?;
    eventually("every view of it", async || {
        let open = text(&["tree", "website/shop", "--all"]).await?;
        ensure!(open.matches("─Pod/").count() == 6 && !open.contains("folded"), "{open}");
        let up = text(&["tree", &pod.to_lowercase(), "--up"]).await?;
        ensure!(up.contains("belongs to Website/shop") && up.contains("<- requested"), "{up}");
        ensure!(up.contains("5 more Pods") && up.contains("1 more ConfigMap"), "{up}");
        let around = text(&["tree", "deploy/shop", "--around"]).await?;
        ensure!(around.contains("6 Pods") && around.contains("1 more Service"), "{around}");
        let pods = text(&["tree", "website/shop", "--kind", "po", "--all"]).await?;
        ensure!(pods.contains("\n├─Pod/") && !pods.contains("ReplicaSet/"), "{pods}");
        let fewer = text(&["tree", "website/shop", "--exclude-kind", "rs,deploy,svc", "--all"]).await?;
        ensure!(
            fewer.contains("\n├─Pod/") && fewer.contains("EndpointSlice/") && !fewer.contains("Service/"),
            "{fewer}"
        );
        let fine = text(&["tree", "website/shop", "--only", "unhealthy"]).await?;
        ensure!(!fine.contains("Deployment/"), "{fine}");
        let labelled =
            text(&["tree", "website/shop", "-l", "pod-template-hash", "--all", "-o", "name"]).await?;
        let kinds: BTreeSet<&str> = labelled.lines().filter_map(|line| line.split('/').next()).collect();
        ensure!(kinds == ["pod", "replicaset.apps", "website.webapp.example.com"].into(), "{kinds:?}");
        let roots = text(&["tree", "websites", "-o", "name"]).await?;
        ensure!(roots.starts_with("website.webapp.example.com/shop\n"), "{roots}");
        Ok(())
    })
    .await
}

async fn create<T>(lab: &Lab, namespace: &str, name: &str, mut body: Value) -> Result<T>
where
    T: Resource<Scope = k8s_openapi::NamespaceResourceScope, DynamicType = ()>
        + Clone
        + std::fmt::Debug
        + DeserializeOwned
        + Serialize,
{
    body["metadata"]["name"] = json!(name);
    let api: Api<T> = Api::namespaced(lab.client(), namespace);
    api.create(&PostParams::default(), &serde_json::from_value(body)?)
        .await
        .with_context(|| format!("failed to create {name}"))
}

async fn tree(lab: &Lab, namespace: &str, object: &str, more: &[&str]) -> Result<Value> {
    let words = [&["tree", object, "-n", namespace, "-o", "json"], more].concat();
    let output = op(&lab.kubeconfig(User::Admin), &words).await?;
    ensure!(output.exit_code == 0, "{output:?}");
    output.json()
}

fn nodes(report: &Value) -> BTreeSet<String> {
    let nodes = report["nodes"].as_array().into_iter().flatten();
    let word = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    nodes.map(|node| format!("{}/{}", word(&node["kind"]), word(&node["name"]))).collect()
}

fn edges(report: &Value) -> impl Iterator<Item = &Value> {
    report["edges"].as_array().into_iter().flatten()
}
