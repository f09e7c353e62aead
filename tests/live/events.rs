//! `events` on real objects: those of controllers, the scheduler and a kubelet, in the form of either API.

use anyhow::{Context as _, Result, ensure};
use k8s_openapi::api::core::v1::{ConfigMap, Event, Node, Pod};
use k8s_openapi::api::rbac::v1::{Role, RoleBinding};
use kube::ResourceExt as _;
use kube::api::{Api, ListParams, PostParams};
use lab::wait::{eventually, until};
use lab::worlds::{Operator, World};
use lab::{Lab, User};
use serde_json::{Value, json};

use crate::binary::{CommandOutput, op};
use crate::harness::{Test, shared};

pub(crate) fn tests() -> Vec<Test> {
    vec![
        shared("events::the_whole_tree_is_one_list_in_time_order", the_whole_tree_is_one_list_in_time_order),
        shared(
            "events::counts_and_series_are_printed_as_kubectl_does",
            counts_and_series_are_printed_as_kubectl_does,
        ),
        shared("events::a_node_is_known_by_its_name", a_node_is_known_by_its_name),
        shared("events::what_may_not_be_read_is_a_gap", what_may_not_be_read_is_a_gap),
        shared("events::little_is_asked_for", little_is_asked_for),
        shared("events::every_example_of_its_help_runs", every_example_of_its_help_runs),
    ]
}

async fn the_whole_tree_is_one_list_in_time_order(lab: Lab, namespace: String) -> Result<()> {
    let report = settled(&lab, &namespace).await?;
    ensure!(report["schema"] == "kubectl-op/events/v1" && report["complete"] == true, "{report:#}");
    let lasts: Vec<&str> = list(&report).iter().filter_map(|event| event["last"].as_str()).collect();
    ensure!(lasts.len() == list(&report).len(), "each has a time: {report:#}");
    let times: Vec<jiff::Timestamp> = lasts.iter().map(|last| last.parse()).collect::<Result<_, _>>()?;
    ensure!(times.is_sorted(), "{lasts:?}");
    // Whatever the API knows about the objects of the tree is there, and nothing else.
    let map = json!({"metadata": {"name": "stranger"}});
    Api::<ConfigMap>::namespaced(lab.client(), &namespace)
        .create(&PostParams::default(), &serde_json::from_value(map)?)
        .await?;
    post(&lab, &namespace, json!({"kind": "ConfigMap", "name": "stranger"}), "Strange", 1).await?;
    let events: Api<Event> = Api::namespaced(lab.client(), &namespace);
    eventually("whatever the API knows about the tree", async || {
        let known = events.list(&ListParams::default()).await?.items;
        let report = events_of(&lab, &namespace, "website/shop", &["-o", "json"]).await?.json()?;
        for event in known {
            let about = &event.involved_object;
            let reported = list(&report).iter().any(|row| {
                row["object"]["kind"].as_str() == about.kind.as_deref()
                    && row["object"]["name"].as_str() == about.name.as_deref()
                    && row["reason"].as_str() == event.reason.as_deref()
            });
            ensure!(reported == (about.name.as_deref() != Some("stranger")), "{event:?} in {report:#}");
        }
        Ok(())
    })
    .await?;
    eventually("as many objects as the tree has", async || {
        let output = events_of(&lab, &namespace, "website/shop", &[]).await?;
        let first = output.stdout.lines().next().unwrap_or_default();
        let tree =
            op(&lab.kubeconfig(User::Admin), &["tree", "website/shop", "-n", &namespace, "-o", "json"])
                .await?;
        let below = tree.json()?["nodes"].as_array().map_or(0, Vec::len) - 1;
        let about = format!(" for Website/shop and {below} objects below it in the last ");
        ensure!(first.contains(&about), "as many as the tree has: {output:?}");
        ensure!(
            output.exit_code == 0
                && output.stdout.contains("\n\nLAST ")
                && output.stdout.contains("\ncomplete: "),
            "{output:?}"
        );
        // A controller may have stumbled over a change of its own, which is a warning and has a next command.
        ensure!(output.stdout.contains("\nnext: ") != first.contains(", no warnings,"), "{output:?}");
        Ok(())
    })
    .await?;

    eventually("the other forms of the list", async || {
        let alone =
            events_of(&lab, &namespace, "website/shop", &["--no-children", "-o", "json"]).await?.json()?;
        ensure!(!list(&alone).is_empty() && kinds(&alone) == ["Website"], "{alone:#}");
        let bad = events_of(&lab, &namespace, "website/shop", &["--types", "warning"]).await?;
        ensure!(
            bad.exit_code == 0 && !bad.stdout.contains("  Normal  ") && bad.stdout.contains(" for Website/"),
            "{bad:?}"
        );
        let late = events_of(&lab, &namespace, "website/shop", &["--since", "1h", "-o", "yaml"]).await?;
        ensure!(
            late.stdout.starts_with("schema: kubectl-op/events/v1\n") && late.stdout.contains("Scheduled"),
            "{late:?}"
        );
        // Some are timed to the second and some to the microsecond, so that not even the first is sure.
        let report = events_of(&lab, &namespace, "website/shop", &["-o", "json"]).await?.json()?;
        let path =
            events_of(&lab, &namespace, "website/shop", &["-o", "jsonpath={.events[*].object.kind}"]).await?;
        ensure!(
            path.stdout.contains("Website") && path.stdout.split(' ').count() >= list(&report).len(),
            "{path:?}"
        );
        let all = op(&lab.kubeconfig(User::Admin), &["events", "websites", "-n", &namespace]).await?;
        ensure!(all.stdout.contains("for Website/shop and "), "{all:?}");
        Ok(())
    })
    .await
}

async fn counts_and_series_are_printed_as_kubectl_does(lab: Lab, namespace: String) -> Result<()> {
    let maps: Api<ConfigMap> = Api::namespaced(lab.client(), &namespace);
    let root = json!({"metadata": {"name": "root"}});
    let root = maps.create(&PostParams::default(), &serde_json::from_value(root)?).await?;
    let owner = json!({"apiVersion": "v1", "kind": "ConfigMap", "name": "root", "uid": root.uid()});
    let pod = json!({
        "metadata": {"name": "lost", "ownerReferences": [owner]},
        "spec": {
            "nodeSelector": {"example.com/nowhere": "true"},
            "containers": [{"name": "main", "image": "example.com/none"}],
        },
    });
    let pods: Api<Pod> = Api::namespaced(lab.client(), &namespace);
    let pod = pods.create(&PostParams::default(), &serde_json::from_value(pod)?).await?;
    eventually("the scheduler's word", async || {
        let output = events_of(&lab, &namespace, "cm/root", &[]).await?;
        let row = output.stdout.lines().find(|line| line.contains("FailedScheduling"));
        let row = row.with_context(|| format!("{output:?}"))?;
        ensure!(
            output.stdout.starts_with("1 warning for ConfigMap/root and 1 object below it in the last "),
            "{output:?}"
        );
        ensure!(row.contains("Pod/lost") && row.contains("nodes are available"), "{row}");
        let next = format!("\nnext: kubectl describe pod/lost -n {namespace}\n");
        ensure!(output.stdout.contains(&next), "{output:?}");
        Ok(())
    })
    .await?;

    // No kubelet runs here, so its events are imitated: an event that was counted up, and one without a uid.
    let about = |uid: Value| json!({"apiVersion": "v1", "kind": "Pod", "name": "lost", "uid": uid});
    post(&lab, &namespace, about(json!(pod.uid())), "BackOff", 5).await?;
    post(&lab, &namespace, about(json!("")), "BackOff", 2).await?;
    post(&lab, &namespace, about(json!("00000000-0000-0000-0000-000000000001")), "Former", 9).await?;
    eventually("the counts", async || {
        let output = events_of(&lab, &namespace, "cm/root", &["--types", "Warning"]).await?;
        let row = output.stdout.lines().find(|line| line.contains("BackOff")).context("a row")?;
        ensure!(
            row.contains("(x7 over 10m") && row.contains("Back-off restarting failed container"),
            "{row}"
        );
        ensure!(!output.stdout.contains("Former"), "an earlier Pod's: {output:?}");
        ensure!(
            output.stdout.contains("\nnext: kubectl logs lost --all-containers --previous -n "),
            "{output:?}"
        );
        let wide = events_of(&lab, &namespace, "cm/root", &["-o", "wide", "--absolute-time"]).await?;
        let row = wide.stdout.lines().find(|line| line.contains("BackOff")).context("a row")?;
        let words: Vec<&str> = row.split_whitespace().collect();
        ensure!(words[2] == "7" && words[0].ends_with('Z') && words[6] == "kubelet", "{row}");
        Ok(())
    })
    .await
}

async fn a_node_is_known_by_its_name(lab: Lab, namespace: String) -> Result<()> {
    let nodes: Api<Node> = Api::all(lab.client());
    let node = nodes.list(&ListParams::default()).await?.items.first().context("a node")?.name_any();
    // Named after the test's namespace, since events about nodes are everybody's.
    let reason = format!("Seen-{namespace}");
    post(&lab, "default", json!({"kind": "Node", "name": node, "uid": node, "namespace": ""}), &reason, 1)
        .await?;
    eventually("the node's event", async || {
        let output =
            op(&lab.kubeconfig(User::Admin), &["events", &format!("node/{node}"), "--no-children"]).await?;
        ensure!(output.exit_code == 0 && output.stdout.contains(&reason), "{output:?}");
        Ok(())
    })
    .await
}

async fn what_may_not_be_read_is_a_gap(lab: Lab, namespace: String) -> Result<()> {
    settled(&lab, &namespace).await?;
    let role = json!({
        "metadata": {"name": "narrow"},
        "rules": [
            {"apiGroups": ["webapp.example.com"], "resources": ["websites"], "verbs": ["get"]},
            {"apiGroups": ["apps"], "resources": ["deployments"], "verbs": ["get", "list"]},
        ],
    });
    let roles: Api<Role> = Api::namespaced(lab.client(), &namespace);
    roles.create(&PostParams::default(), &serde_json::from_value(role)?).await?;
    let binding = json!({
        "metadata": {"name": "narrow"},
        "roleRef": {"apiGroup": "rbac.authorization.k8s.io", "kind": "Role", "name": "narrow"},
        "subjects": [{"apiGroup": "rbac.authorization.k8s.io", "kind": "User", "name": User::Narrow.name()}],
    });
    let bindings: Api<RoleBinding> = Api::namespaced(lab.client(), &namespace);
    bindings.create(&PostParams::default(), &serde_json::from_value(binding)?).await?;
    let narrow = lab.kubeconfig(User::Narrow);
    eventually("the role's effect", async || {
        let output = op(&narrow, &["events", "website/shop", "-n", &namespace]).await?;
        ensure!(
            output.stdout.starts_with("no events found for Website/shop and 1 object below it, but some could not be read (forbidden)\n"),
            "{output:?}"
        );
        ensure!(output.exit_code == 3 && output.stdout.contains("\nincomplete: "), "{output:?}");
        let output =
            op(&narrow, &["events", "website/shop", "-n", &namespace, "--no-children", "-o", "json"]).await?;
        let report = output.json()?;
        let gap = &report["gaps"][0];
        ensure!(
            output.exit_code == 3
                && report["complete"] == false
                && report["gaps"].as_array().is_some_and(|all| all.len() == 1),
            "{output:?}"
        );
        ensure!(
            gap["resource"] == "events"
                && gap["verb"] == "list"
                && gap["status"] == 403
                && gap["namespace"] == *namespace,
            "{gap}"
        );
        Ok(())
    })
    .await?;
    // A viewer may read events, and not everything else: that is said, and changes no exit code.
    eventually("what a viewer sees", async || {
        let output = op(&lab.kubeconfig(User::Viewer), &["events", "deploy/shop", "-n", &namespace]).await?;
        ensure!(
            output.exit_code == 0
                && output.stdout.contains("Pod/shop-")
                && output.stdout.contains("\nincomplete: "),
            "{output:?}"
        );
        Ok(())
    })
    .await
}

async fn little_is_asked_for(lab: Lab, namespace: String) -> Result<()> {
    settled(&lab, &namespace).await?;
    let requests = async |words: &[&str]| -> Result<Vec<String>> {
        let words = [words, &["website/shop", "-n", &namespace, "-v", "6"]].concat();
        let output = op(&lab.kubeconfig(User::Admin), &words).await?;
        ensure!(output.exit_code == 0, "{output:?}");
        Ok(output.stderr.lines().filter(|line| line.contains("/api")).map(str::to_owned).collect())
    };
    let of_events = |all: &[String]| all.iter().filter(|line| line.contains("/events?")).count();
    // The tree may grow between two readings, and a request that was lost is sent again.
    eventually("two readings of the same tree", async || {
        let (tree, events) = (requests(&["tree"]).await?, requests(&["events"]).await?);
        ensure!(tree.len() > 10 && events.len() <= tree.len() + 1, "{} and {}", tree.len(), events.len());
        ensure!(of_events(&events) == 1, "{events:#?}");
        let alone = requests(&["events", "--no-children"]).await?;
        ensure!(alone.len() <= 4 && of_events(&alone) == 1, "{alone:#?}");
        Ok(())
    })
    .await
}

async fn every_example_of_its_help_runs(lab: Lab, namespace: String) -> Result<()> {
    settled(&lab, &namespace).await?;
    let manifest = lab.folder().join(format!("{namespace}-site.yaml"));
    let text = "apiVersion: webapp.example.com/v1\nkind: Website\nmetadata: {name: shop}\n";
    std::fs::write(&manifest, text)?;
    let page = kubectl_op::commands::page("events").context("events has a page")?;
    // tests/cli runs those with --demo.
    for example in page.examples.iter().filter(|example| !example.command.contains("--demo")) {
        let call =
            example.command.replace("-n shop", "").replace("site.yaml", &manifest.display().to_string());
        let words: Vec<&str> = call.split_whitespace().chain(["-n", &namespace]).collect();
        eventually(&call, async || {
            let output = op(&lab.kubeconfig(User::Admin), &words).await?;
            ensure!(output.exit_code == 0 && !output.stdout.is_empty(), "{call}: {output:?}");
            Ok(())
        })
        .await?;
    }
    Ok(())
}

async fn events_of(lab: &Lab, namespace: &str, object: &str, flags: &[&str]) -> Result<CommandOutput> {
    let words = [&["events", object, "-n", namespace], flags].concat();
    op(&lab.kubeconfig(User::Admin), &words).await
}

/// A Website whose every object has had its events.
async fn settled(lab: &Lab, namespace: &str) -> Result<Value> {
    Operator::new(lab, World::Website).sample(namespace, "shop").await?;
    until("events of every level", async || {
        let report = events_of(lab, namespace, "website/shop", &["-o", "json"]).await?.json()?;
        let found = kinds(&report);
        let wanted = ["Deployment", "Pod", "ReplicaSet", "Website"];
        let scheduled = list(&report).iter().filter(|event| event["reason"] == "Scheduled").count();
        Ok((wanted.iter().all(|kind| found.iter().any(|known| known == kind)) && scheduled == 2)
            .then_some(report))
    })
    .await
}

fn list(report: &Value) -> &[Value] {
    report["events"].as_array().map(Vec::as_slice).unwrap_or_default()
}

fn kinds(report: &Value) -> Vec<String> {
    let all = list(report).iter().filter_map(|event| event["object"]["kind"].as_str());
    let mut kinds: Vec<String> = all.map(str::to_owned).collect();
    kinds.sort();
    kinds.dedup();
    kinds
}

/// An event as a kubelet counts it up: first seen ten minutes ago, last seen in a second, so that it is the newest.
async fn post(lab: &Lab, namespace: &str, mut about: Value, reason: &str, count: u32) -> Result<()> {
    #[expect(
        clippy::disallowed_methods,
        reason = "the lab runs on this machine, so that its clock is the server's"
    )]
    let now = jiff::Timestamp::now();
    if about["namespace"].is_null() {
        about["namespace"] = json!(namespace);
    }
    let event = json!({
        "metadata": {"generateName": "posted-", "namespace": namespace},
        "involvedObject": about, "reason": reason, "type": "Warning", "count": count,
        "message": "Back-off restarting failed\ncontainer", "source": {"component": "kubelet"},
        "firstTimestamp": now - jiff::SignedDuration::from_secs(601),
        "lastTimestamp": now + jiff::SignedDuration::from_secs(1),
    });
    let events: Api<Event> = Api::namespaced(lab.client(), namespace);
    events.create(&PostParams::default(), &serde_json::from_value(event)?).await?;
    Ok(())
}
