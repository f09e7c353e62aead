//! `tree` under every fault of the proxy and of servers behind the API server: a gap or a short retry, never a failure
//! of the whole.

use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, ensure};
use k8s_openapi::api::core::v1::ConfigMap;
use kube::ResourceExt as _;
use kube::api::{Api, PostParams};
use lab::faults::{Conversion, Discovery, ErrorResponse, Extension, Fault, Match, Proxy, ServerBehavior};
use lab::large_namespace::{self, LargeNamespace};
use lab::wait::{cached, eventually};
use lab::{Lab, User};
use serde_json::{Value, json};

use crate::binary::{CommandOutput, op};
use crate::harness::{Test, own, shared};
use crate::running::RunningCommand;

pub(crate) fn tests() -> Vec<Test> {
    vec![
        shared("tree_faults::a_kind_that_fails_is_a_gap", a_kind_that_fails_is_a_gap),
        shared("tree_faults::a_kind_that_hangs_is_a_gap_in_time", a_kind_that_hangs_is_a_gap_in_time),
        shared("tree_faults::old_discovery_gives_the_same_tree", old_discovery_gives_the_same_tree),
        shared("tree_faults::a_group_that_fails_discovery_is_a_gap", a_group_that_fails_discovery_is_a_gap),
        shared(
            "tree_faults::an_object_that_vanishes_leaves_the_tree",
            an_object_that_vanishes_leaves_the_tree,
        ),
        shared(
            "tree_faults::servers_without_protobuf_are_read_as_json",
            servers_without_protobuf_are_read_as_json,
        ),
        shared("tree_faults::pages_are_followed_and_restarted", pages_are_followed_and_restarted),
        shared("tree_faults::a_dead_root_is_an_error_in_words", a_dead_root_is_an_error_in_words),
        shared("tree_faults::many_siblings_are_read_as_one_list", many_siblings_are_read_as_one_list),
        shared("tree_faults::ctrl_c_prints_what_is_known", ctrl_c_prints_what_is_known),
        shared("tree_faults::one_object_of_two_groups_is_shown_once", one_object_of_two_groups_is_shown_once),
        own(
            "tree_faults::ten_thousand_unrelated_objects_cost_no_request",
            ten_thousand_unrelated_objects_cost_no_request,
        ),
        own(
            "tree_faults::a_dead_aggregated_api_costs_one_failed_request",
            a_dead_aggregated_api_costs_one_failed_request,
        ),
        own("tree_faults::a_dead_converter_is_walked_around", a_dead_converter_is_walked_around),
    ]
}

const SECRETS: &str = "/secrets";
/// "At once", on a machine that has other things to do.
const AT_ONCE: Duration = Duration::from_secs(60);

async fn a_kind_that_fails_is_a_gap(lab: Lab, namespace: String) -> Result<()> {
    family(&lab, &namespace).await?;
    let proxy = Proxy::start(&lab).await?;
    for (fault, reason, status) in [
        (Fault::from(ErrorResponse::Unauthorized), "Forbidden", json!(401)),
        (ErrorResponse::Forbidden.into(), "Forbidden", json!(403)),
        (ErrorResponse::Gone.into(), "NotFound", json!(410)),
        (ErrorResponse::TooManyRequests { retry_after: 1 }.into(), "Busy", json!(429)),
        (ErrorResponse::Throttled { retry_after: 1 }.into(), "Busy", json!(429)),
        (ErrorResponse::Internal.into(), "Failed", json!(500)),
        (ErrorResponse::Unavailable.into(), "Unavailable", json!(503)),
        (ErrorResponse::DeadBackend.into(), "Unavailable", json!(503)),
        (Fault::wrong_content_type(), "Unreadable", json!(200)),
        (Fault::garbage(), "Unreadable", json!(200)),
        (Fault::half(), "Unreadable", json!(200)),
        (Fault::Cut, "Unreadable", Value::Null),
    ] {
        proxy.clear();
        proxy.on(Match::path_ends(SECRETS), fault.clone());
        eventually("the gap", async || {
            let output = tree(&proxy, &namespace, &["-o", "json"]).await?;
            let report = output.json()?;
            ensure!(output.exit_code == 0 && names(&report) == ["root", "child"], "{fault:?}: {report}");
            let gap = report["gaps"].get(0).with_context(|| format!("{fault:?}: {report}"))?;
            ensure!(gap["resource"] == "secrets" && gap["verb"] == "list", "{fault:?}: {gap}");
            ensure!(gap["reason"] == reason && gap["status"] == status, "{fault:?}: {gap}");
            ensure!(report["complete"] == false, "{report}");
            Ok(())
        })
        .await?;
    }
    // A kind that went between discovery and list: nobody knows what went with it.
    proxy.clear();
    proxy.on(Match::path_ends(SECRETS), ErrorResponse::UnknownPath);
    let report = tree(&proxy, &namespace, &["-o", "json"]).await?.json()?;
    ensure!(names(&report) == ["root", "child"] && report["complete"] == false, "{report}");
    ensure!(report["gaps"][0]["reason"] == "NotFound" && report["gaps"][0]["status"] == 404, "{report}");
    Ok(())
}

async fn a_kind_that_hangs_is_a_gap_in_time(lab: Lab, namespace: String) -> Result<()> {
    family(&lab, &namespace).await?;
    let proxy = Proxy::start(&lab).await?;
    for fault in [Fault::Hang, Fault::Stall] {
        proxy.clear();
        proxy.on(Match::path_ends(SECRETS), fault.clone());
        // The limit is long enough for the kinds that do answer, whatever else the machine does.
        eventually("the gap", async || {
            let asked = Instant::now();
            let output = tree(&proxy, &namespace, &["-o", "json", "--request-timeout", "10"]).await?;
            let report = output.json()?;
            ensure!(
                names(&report) == ["root", "child"]
                    && report["gaps"][0]["resource"] == "secrets"
                    && report["gaps"][0]["reason"] == "Timeout",
                "{fault:?}: {report}"
            );
            ensure!(asked.elapsed() < AT_ONCE, "{:?}", asked.elapsed());
            ensure!(output.stderr.contains("waiting for secrets"), "the slow API is named: {output:?}");
            Ok(())
        })
        .await?;
    }
    // A reset takes everything on the connection with it; what was lost is asked for again or said.
    proxy.clear();
    proxy.on_first(1, Match::path_ends(SECRETS), Fault::Reset);
    let output = tree(&proxy, &namespace, &["-o", "json"]).await?;
    ensure!(output.exit_code == 0 || output.exit_code == 2, "{output:?}");
    if output.exit_code == 0 {
        let report = output.json()?;
        ensure!(
            report["complete"] == true || report["gaps"].as_array().is_some_and(|gaps| !gaps.is_empty()),
            "{report}"
        );
    }
    Ok(())
}

async fn old_discovery_gives_the_same_tree(lab: Lab, namespace: String) -> Result<()> {
    family(&lab, &namespace).await?;
    let proxy = Proxy::start(&lab).await?;
    let new = tree(&proxy, &namespace, &["-o", "name"]).await?;
    for form in [Discovery::Beta, Discovery::Old] {
        proxy.clear();
        proxy.on(Match::discovery(), Fault::Ask(form));
        eventually("the same tree", async || {
            let output = tree(&proxy, &namespace, &["-o", "name"]).await?;
            ensure!(output.stdout == new.stdout && output.exit_code == 0, "{form:?}: {output:?}");
            let report = tree(&proxy, &namespace, &["-o", "json"]).await?.json()?;
            ensure!(report["complete"] == true, "{form:?}: {report}");
            Ok(())
        })
        .await?;
    }
    Ok(())
}

async fn a_group_that_fails_discovery_is_a_gap(lab: Lab, namespace: String) -> Result<()> {
    family(&lab, &namespace).await?;
    let proxy = Proxy::start(&lab).await?;
    proxy.on(Match::discovery(), Fault::Ask(Discovery::Old));
    proxy.on(Match::path("/apis/policy/v1"), ErrorResponse::DeadBackend);
    let report = tree(&proxy, &namespace, &["-o", "json"]).await?.json()?;
    ensure!(names(&report) == ["root", "child"] && report["complete"] == false, "{report}");
    let gap = &report["gaps"][0];
    ensure!(
        gap["group"] == "policy/v1" && gap["verb"] == "discover" && gap["reason"] == "Unavailable",
        "{gap}"
    );
    let text = tree(&proxy, &namespace, &[]).await?;
    ensure!(text.stdout.contains("not read: group policy/v1 (unavailable)"), "{text:?}");
    Ok(())
}

async fn an_object_that_vanishes_leaves_the_tree(lab: Lab, namespace: String) -> Result<()> {
    let root = family(&lab, &namespace).await?;
    let pod = json!({
        "metadata": {"name": "brief", "ownerReferences": [reference(&root)]},
        "spec": {"containers": [{"name": "a", "image": "a"}]},
    });
    let pods: Api<k8s_openapi::api::core::v1::Pod> = Api::namespaced(lab.client(), &namespace);
    cached(&pods, &pods.create(&PostParams::default(), &serde_json::from_value(pod)?).await?).await?;
    let proxy = Proxy::start(&lab).await?;
    proxy.on(Match::path_ends("/pods/brief"), ErrorResponse::NotFound);
    let report = tree(&proxy, &namespace, &["-o", "json"]).await?.json()?;
    ensure!(names(&report) == ["root", "child"] && report["complete"] == true, "{report}");
    // One that cannot be read stays, and its state is not guessed.
    proxy.clear();
    proxy.on(Match::path_ends("/pods/brief"), ErrorResponse::Internal);
    let report = tree(&proxy, &namespace, &["-o", "json"]).await?.json()?;
    let pod = report["nodes"]
        .as_array()
        .and_then(|all| all.iter().find(|node| node["kind"] == "Pod"))
        .context("the Pod")?;
    ensure!(pod["own"]["verdict"] == "Unknown" && report["gaps"][0]["verb"] == "get", "{report}");
    Ok(())
}

async fn servers_without_protobuf_are_read_as_json(lab: Lab, namespace: String) -> Result<()> {
    family(&lab, &namespace).await?;
    let proxy = Proxy::start(&lab).await?;
    let expected = tree(&proxy, &namespace, &["-o", "name"]).await?.stdout;
    // What an extension server does that looks at no header: whole objects as JSON.
    let lists = Match::any().accept_has("PartialObjectMetadataList");
    let client = lab.client();
    let listed: Value = client
        .request(http::Request::get(format!("/api/v1/namespaces/{namespace}/configmaps")).body(Vec::new())?)
        .await?;
    proxy.on(
        lists.when(|parts| parts.uri.path().ends_with("/configmaps")),
        lab::faults::error_response::json(200, &listed),
    );
    let output = tree(&proxy, &namespace, &["-o", "name"]).await?;
    ensure!(output.stdout == expected, "{output:?}");
    // An empty list of metadata has `items: null`.
    proxy.clear();
    let empty = json!({"kind": "PartialObjectMetadataList", "apiVersion": "meta.k8s.io/v1", "metadata": {}, "items": null});
    proxy.on(Match::path_ends(SECRETS), lab::faults::error_response::json(200, &empty));
    let report = tree(&proxy, &namespace, &["-o", "json"]).await?.json()?;
    ensure!(report["complete"] == true, "{report}");
    Ok(())
}

async fn pages_are_followed_and_restarted(lab: Lab, namespace: String) -> Result<()> {
    let root = family(&lab, &namespace).await?;
    let proxy = Proxy::start(&lab).await?;
    let page = |name: &str, next: &str| {
        let item = json!({"metadata": {
            "name": name, "namespace": namespace, "uid": format!("uid-{name}"), "ownerReferences": [reference(&root)],
        }});
        let list =
            json!({"kind": "PartialObjectMetadataList", "metadata": {"continue": next}, "items": [item]});
        lab::faults::error_response::json(200, &list)
    };
    proxy.on(Match::path_ends(SECRETS).query_has("resourceVersion=0"), page("first", "more"));
    proxy.on_first(1, Match::path_ends(SECRETS).query_has("continue=more"), ErrorResponse::Gone);
    proxy.on(Match::path_ends(SECRETS).query_has("continue=more"), page("second", ""));
    let report = tree(&proxy, &namespace, &["-o", "json"]).await?.json()?;
    ensure!(names(&report) == ["root", "child", "first", "second"] && report["complete"] == true, "{report}");
    Ok(())
}

async fn a_dead_root_is_an_error_in_words(lab: Lab, namespace: String) -> Result<()> {
    family(&lab, &namespace).await?;
    let proxy = Proxy::start(&lab).await?;
    for (fault, code, words) in [
        (Fault::from(ErrorResponse::Forbidden), 6, "from server (Forbidden)"),
        (ErrorResponse::Internal.into(), 2, "from server (InternalError)"),
        (ErrorResponse::Unauthorized.into(), 2, "you must be logged in to the server (Unauthorized)"),
        (Fault::garbage(), 2, ": not the expected JSON"),
        (Fault::Hang, 2, "did not respond in time"),
    ] {
        proxy.clear();
        proxy.on(Match::path_ends("/configmaps/root"), fault.clone());
        let output = tree(&proxy, &namespace, &["--request-timeout", "10"]).await?;
        ensure!(
            output.exit_code == code && output.stderr.contains(words) && output.stdout.is_empty(),
            "{fault:?}: {output:?}"
        );
    }
    Ok(())
}

async fn many_siblings_are_read_as_one_list(lab: Lab, namespace: String) -> Result<()> {
    let root = family(&lab, &namespace).await?;
    let pods: Api<k8s_openapi::api::core::v1::Pod> = Api::namespaced(lab.client(), &namespace);
    for number in 0..25 {
        let pod = json!({
            "metadata": {"name": format!("pod-{number}"), "ownerReferences": [reference(&root)]},
            "spec": {"containers": [{"name": "a", "image": "a"}]},
        });
        let pod = pods.create(&PostParams::default(), &serde_json::from_value(pod)?).await?;
        cached(&pods, &pod).await?;
    }
    let proxy = Proxy::start(&lab).await?;
    // Forgotten once, the list is read again from the start.
    proxy.on_first(1, Match::path_ends("/pods").query_has("limit=500"), ErrorResponse::Gone);
    let report = tree(&proxy, &namespace, &["-o", "json"]).await?.json()?;
    ensure!(names(&report).len() == 27 && report["complete"] == true, "{report}");
    let unread = report["nodes"]
        .as_array()
        .into_iter()
        .flatten()
        .filter(|node| node["own"]["rule"] == "not-read")
        .count();
    ensure!(unread == 0, "{report}");
    let reads = proxy.requests().iter().filter(|record| record.path.contains("/pods/")).count();
    ensure!(reads == 0, "{reads} Pods were read one by one");
    Ok(())
}

async fn ctrl_c_prints_what_is_known(lab: Lab, namespace: String) -> Result<()> {
    family(&lab, &namespace).await?;
    let proxy = Proxy::start(&lab).await?;
    proxy.on(Match::path_ends(SECRETS), Fault::Hang);
    let call = RunningCommand::op(
        &proxy.kubeconfig(User::Admin)?,
        &["tree", "cm/root", "-n", &namespace, "--request-timeout", "0"],
    )?;
    // It names all that it waits for: everything else has been read.
    call.note("waiting for secrets (").await?;
    let (code, out, err) = call.interrupt().await?;
    ensure!(code == Some(130), "{code:?}\n{out}\n{err}");
    ensure!(out.contains("ConfigMap/child") && out.contains(" not read: secrets (interrupted)"), "{out}");
    Ok(())
}

async fn one_object_of_two_groups_is_shown_once(lab: Lab, namespace: String) -> Result<()> {
    let root = family(&lab, &namespace).await?;
    let child = Api::<ConfigMap>::namespaced(lab.client(), &namespace).get("child").await?;
    let proxy = Proxy::start(&lab).await?;
    let twin = json!({"metadata": {
        "name": "child", "namespace": namespace, "uid": child.uid(), "ownerReferences": [reference(&root)],
    }});
    let list = json!({"kind": "PartialObjectMetadataList", "metadata": {}, "items": [twin]});
    proxy.on(Match::path_ends(SECRETS), lab::faults::error_response::json(200, &list));
    let output = tree(&proxy, &namespace, &["-o", "name"]).await?;
    ensure!(output.stdout == "configmap/root\nconfigmap/child\n", "{output:?}");
    Ok(())
}

async fn ten_thousand_unrelated_objects_cost_no_request(lab: Lab) -> Result<()> {
    let world = LargeNamespace { namespace: "big".to_owned(), objects: 10_000, kinds: 20, owned: 30 };
    world.fill(&lab.client()).await?;
    let proxy = Proxy::start(&lab).await?;
    let root = format!("{}.{}/root", LargeNamespace::ROOT.to_lowercase(), large_namespace::GROUP);
    let words = ["tree", &root, "-n", "big", "-o", "json"];
    // Discovery learns of new kinds, and the server's cache of new objects, a moment later.
    eventually("the whole tree", async || {
        proxy.reset_records();
        let report = op(&proxy.kubeconfig(User::Admin)?, &words).await?.json()?;
        let nodes = report["nodes"].as_array().map_or(0, Vec::len);
        ensure!(nodes == 31 && report["complete"] == true, "{nodes} nodes");
        let lists =
            proxy.requests().iter().filter(|record| record.path.contains("resourceVersion=0")).count();
        let requests = proxy.requests().len();
        ensure!(requests <= lists + nodes + 5, "{requests} requests, {lists} lists, {nodes} nodes");
        ensure!(requests == lists + 3, "ConfigMaps need no second look: {requests} requests, {lists} lists");
        ensure!(proxy.connections() <= 4, "{} connections", proxy.connections());
        Ok(())
    })
    .await
}

async fn a_dead_aggregated_api_costs_one_failed_request(lab: Lab) -> Result<()> {
    let extension = Extension::start(&lab, "default", "parcels.example.com", ServerBehavior::Works).await?;
    family(&lab, "default").await?;
    let proxy = Proxy::start(&lab).await?;
    // Alive, it ignores the Accept header and sends whole objects.
    eventually("the whole tree", async || {
        let report = tree(&proxy, "default", &["-o", "json"]).await?.json()?;
        ensure!(report["complete"] == true, "{report}");
        Ok(())
    })
    .await?;
    extension.set_behavior(ServerBehavior::ConnectionRefused).await?;
    // Before discovery notices: the list fails once, at once, and not after the limit of a request.
    proxy.reset_records();
    let asked = Instant::now();
    let report = tree(&proxy, "default", &["-o", "json", "--request-timeout", "5m"]).await?.json()?;
    ensure!(asked.elapsed() < AT_ONCE, "{:?}", asked.elapsed());
    ensure!(names(&report) == ["root", "child"], "{report}");
    let failed = proxy.requests().iter().filter(|record| record.path.contains("parcels")).count();
    ensure!(failed <= 1, "{failed} requests to the dead API");
    extension.wait_freshness(lab::faults::extension::DiscoveryFreshness::Stale).await?;
    eventually("the stale group to be a gap", async || {
        proxy.reset_records();
        let report = tree(&proxy, "default", &["-o", "json"]).await?.json()?;
        let gap = report["gaps"].get(0).with_context(|| report.to_string())?;
        ensure!(gap["verb"] == "discover" && gap["reason"] == "Unavailable", "{gap}");
        let failed = proxy.requests().iter().filter(|record| record.path.contains("parcels")).count();
        ensure!(failed == 0, "a stale group is not asked: {failed}");
        Ok(())
    })
    .await
}

async fn a_dead_converter_is_walked_around(lab: Lab) -> Result<()> {
    let conversion = Conversion::start(&lab, "default", "gadgets.example.com", ServerBehavior::Works).await?;
    let root = family(&lab, "default").await?;
    let gadget = conversion.gadget("default", "one").await?;
    let owner = json!({"metadata": {"ownerReferences": [reference(&root)]}});
    conversion
        .gadgets("default", lab::faults::conversion::GadgetVersion::V1)
        .patch(&gadget.name_any(), &kube::api::PatchParams::default(), &kube::api::Patch::Merge(owner))
        .await?;
    conversion.set_behavior(ServerBehavior::ConnectionRefused).await?;
    eventually("the tree without the converter", async || {
        let asked = Instant::now();
        let words = ["tree", "cm/root", "-o", "json", "--request-timeout", "5m"];
        let report = op(&lab.kubeconfig(User::Admin), &words).await?.json()?;
        ensure!(asked.elapsed() < AT_ONCE, "{:?}", asked.elapsed());
        ensure!(names(&report) == ["root", "child", "one"] && report["complete"] == true, "{report}");
        Ok(())
    })
    .await?;
    conversion.set_behavior(ServerBehavior::Works).await?;
    Ok(())
}

/// A `ConfigMap` `root` that owns a `ConfigMap` `child`, both of them where lists see them.
async fn family(lab: &Lab, namespace: &str) -> Result<ConfigMap> {
    let maps: Api<ConfigMap> = Api::namespaced(lab.client(), namespace);
    let root = serde_json::from_value(json!({"metadata": {"name": "root"}}))?;
    let root = maps.create(&PostParams::default(), &root).await?;
    let child = json!({"metadata": {"name": "child", "ownerReferences": [reference(&root)]}});
    let child = maps.create(&PostParams::default(), &serde_json::from_value(child)?).await?;
    cached(&maps, &root).await?;
    cached(&maps, &child).await?;
    Ok(root)
}

fn reference(owner: &ConfigMap) -> Value {
    json!({"apiVersion": "v1", "kind": "ConfigMap", "name": owner.name_any(), "uid": owner.uid(), "controller": true})
}

fn names(report: &Value) -> Vec<&str> {
    let nodes = report["nodes"].as_array().map(Vec::as_slice).unwrap_or_default();
    nodes.iter().filter_map(|node| node["name"].as_str()).collect()
}

async fn tree(proxy: &Proxy, namespace: &str, flags: &[&str]) -> Result<CommandOutput> {
    let words = [&["tree", "cm/root", "-n", namespace], flags].concat();
    op(&proxy.kubeconfig(User::Admin)?, &words).await
}
