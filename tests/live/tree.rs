//! `tree` on real objects: the five worlds, odd owner references, half the rights.

use anyhow::{Context as _, Result, ensure};
use k8s_openapi::api::core::v1::{ConfigMap, Namespace};
use k8s_openapi::api::rbac::v1::{Role, RoleBinding};
use kube::ResourceExt as _;
use kube::api::{Api, Patch, PatchParams, PostParams};
use lab::pods::{self, PodState};
use lab::wait::{eventually, until};
use lab::worlds::{Operator, World};
use lab::{Lab, User};
use serde_json::{Value, json};

use crate::binary::{Told, op, told};
use crate::harness::{Test, shared};

pub(crate) fn tests() -> Vec<Test> {
    vec![
        shared("tree::every_world_through_kubectl", every_world_through_kubectl),
        shared(
            "tree::a_crashing_pod_contradicts_a_ready_resource",
            a_crashing_pod_contradicts_a_ready_resource,
        ),
        shared("tree::json_is_stable_and_complete", json_is_stable_and_complete),
        shared("tree::shared_children_and_cycles", shared_children_and_cycles),
        shared("tree::owners_that_are_not_what_they_seem", owners_that_are_not_what_they_seem),
        shared(
            "tree::a_cluster_scoped_root_sees_every_namespace",
            a_cluster_scoped_root_sees_every_namespace,
        ),
        shared("tree::every_form_of_a_type_is_taken", every_form_of_a_type_is_taken),
        shared(
            "tree::namespaces_are_asked_one_by_one_where_all_are_shut",
            namespaces_are_asked_one_by_one_where_all_are_shut,
        ),
        shared("tree::half_the_rights_half_the_answer", half_the_rights_half_the_answer),
        shared("tree::a_manifest_names_the_object", a_manifest_names_the_object),
        shared("tree::errors_are_kubectls_and_hints_help", errors_are_kubectls_and_hints_help),
        shared("tree::hostile_text_is_escaped", hostile_text_is_escaped),
        shared("tree::fail_and_strict_change_the_exit_code", fail_and_strict_change_the_exit_code),
        shared("tree::every_example_of_its_help_runs", every_example_of_its_help_runs),
    ]
}

async fn every_world_through_kubectl(lab: Lab, namespace: String) -> Result<()> {
    for (world, children) in [
        (World::VoteConfig, vec!["ConfigMap/demo-config"]),
        (World::Memcached, vec!["Deployment/mc", "ReplicaSet/mc-", "Pod/mc-"]),
        (World::VmGroup, vec![]),
        (
            World::Website,
            vec!["ConfigMap/shop", "Deployment/shop", "Service/shop", "EndpointSlice/shop-", "Pod/shop-"],
        ),
        (World::HelloWorld, vec![]),
    ] {
        let operator = Operator::new(&lab, world);
        let name = world.sample_name();
        operator.sample(&namespace, name).await?;
        let folder =
            std::path::Path::new(env!("CARGO_BIN_EXE_kubectl-op")).parent().context("it has a folder")?;
        eventually(&format!("the tree of {world}"), async || {
            let mut call = std::process::Command::new(lab.kubectl());
            let kubeconfig = lab.kubeconfig(User::Admin);
            call.env_clear().env("PATH", folder).env("KUBECONFIG", kubeconfig).env("LANG", "C.UTF-8");
            call.args(["op", "tree", &format!("{}/{name}", world.facts().name), "-n", &namespace]);
            let told = told(call).await?;
            ensure!(told.code == 0, "{told:?}");
            ensure!(children.iter().all(|child| told.out.contains(child)), "{told:?}");
            ensure!(told.out.starts_with(world.facts().kind), "{told:?}");
            ensure!(told.out.contains("\ncomplete: ") && told.out.contains("\nnext: kubectl "), "{told:?}");
            Ok(())
        })
        .await?;
    }
    Ok(())
}

async fn a_crashing_pod_contradicts_a_ready_resource(lab: Lab, namespace: String) -> Result<()> {
    let operator = Operator::new(&lab, World::Website);
    operator.sample(&namespace, "shop").await?;
    until("two Pods", async || {
        let pods: Api<k8s_openapi::api::core::v1::Pod> = Api::namespaced(lab.client(), &namespace);
        Ok((pods.list(&kube::api::ListParams::default()).await?.items.len() == 2).then_some(()))
    })
    .await?;
    pods::set(&lab.client(), &namespace, "", PodState::CrashLoopBackOff).await?;
    eventually("the contradiction", async || {
        let told = tree(&lab, &namespace, "website/shop", &["--fail"]).await?;
        let first = told.out.lines().next().unwrap_or_default();
        let said = first.starts_with("Website/shop reports Ready, but Pod/shop-")
            && first.contains("CrashLoopBackOff");
        ensure!(
            said && told.code == 1
                && told.out.contains("next: kubectl op status website.webapp.example.com/shop -n "),
            "{told:?}"
        );
        Ok(())
    })
    .await
}

async fn json_is_stable_and_complete(lab: Lab, namespace: String) -> Result<()> {
    Operator::new(&lab, World::VoteConfig).sample(&namespace, "demo").await?;
    eventually("the resource and its child", async || {
        let report = tree(&lab, &namespace, "voteconfig/demo", &["-o", "json"]).await?.json()?;
        ensure!(report["schema"] == "kubectl-op/tree/v1" && report["complete"] == true, "{report}");
        let (root, child) = (&report["nodes"][0], &report["nodes"][1]);
        ensure!(
            root["id"] == report["root"]
                && root["kind"] == "VoteConfig"
                && root["own"]["verdict"] == "Unknown",
            "{root}"
        );
        ensure!(
            child["kind"] == "ConfigMap" && child["own"]["verdict"] == "None" && child["uid"] == child["id"],
            "{child}"
        );
        let edge = &report["edges"][0];
        ensure!(
            edge["from"] == root["id"] && edge["to"] == child["id"] && edge["link"] == "controller",
            "{edge}"
        );
        let yaml = tree(&lab, &namespace, "voteconfig/demo", &["-o", "yaml"]).await?;
        ensure!(yaml.out.starts_with("schema: kubectl-op/tree/v1\n"), "{yaml:?}");
        let path = tree(&lab, &namespace, "voteconfig/demo", &["-o", "jsonpath={.nodes[*].name}"]).await?;
        ensure!(path.out == "demo demo-config", "{path:?}");
        let names = tree(&lab, &namespace, "voteconfig/demo", &["-o", "name"]).await?;
        ensure!(
            names.out == "voteconfig.voting.schoolofdevops.com/demo\nconfigmap/demo-config\n",
            "{names:?}"
        );
        Ok(())
    })
    .await?;
    // The tree is whole now. Ages in messages move on; nothing else may.
    let first = tree(&lab, &namespace, "voteconfig/demo", &["-o", "json"]).await?.json()?;
    let second = tree(&lab, &namespace, "voteconfig/demo", &["-o", "json"]).await?.json()?;
    for (part, field) in [("nodes", "id"), ("edges", "to")] {
        let ids = |report: &Value| {
            report[part].as_array().map(|all| all.iter().map(|one| one[field].clone()).collect::<Vec<_>>())
        };
        ensure!(ids(&first) == ids(&second), "the same order on every run");
    }
    Ok(())
}

async fn shared_children_and_cycles(lab: Lab, namespace: String) -> Result<()> {
    let root = map(&lab, &namespace, "root", &[]).await?;
    let left = map(&lab, &namespace, "left", &[(&root, "controller")]).await?;
    let right = map(&lab, &namespace, "right", &[(&root, "plain")]).await?;
    map(&lab, &namespace, "both", &[(&left, "plain"), (&right, "controller")]).await?;
    eventually("the shared child", async || {
        let told = tree(&lab, &namespace, "cm/root", &[]).await?;
        ensure!(told.out.matches("ConfigMap/both").count() == 2, "{told:?}");
        ensure!(
            told.out.contains("-> under ConfigMap/right") && told.out.contains("└╌ConfigMap/right"),
            "{told:?}"
        );
        Ok(())
    })
    .await?;
    // The root becomes owned by its own grandchild.
    let both = Api::<ConfigMap>::namespaced(lab.client(), &namespace).get("both").await?;
    let owner = json!({"metadata": {"ownerReferences": [reference(&both, "plain")]}});
    Api::<ConfigMap>::namespaced(lab.client(), &namespace)
        .patch("root", &PatchParams::default(), &Patch::Merge(owner))
        .await?;
    eventually("the cycle", async || {
        let told = tree(&lab, &namespace, "cm/root", &[]).await?;
        ensure!(told.code == 0 && told.out.contains("cycle: one of its own owners"), "{told:?}");
        let report = tree(&lab, &namespace, "cm/root", &["-o", "json"]).await?.json()?;
        ensure!(codes(&report) == ["OP-T006"], "{report}");
        Ok(())
    })
    .await
}

async fn owners_that_are_not_what_they_seem(lab: Lab, namespace: String) -> Result<()> {
    // Held by a finalizer, or the garbage collector would take the worst of them before they are seen.
    let root = map(&lab, &namespace, "root", &[]).await?;
    let mut unserved = reference(&root, "plain");
    unserved["apiVersion"] = json!("gone.example.com/v1");
    unserved["uid"] = json!("00000000-0000-0000-0000-000000000001");
    let odd = json!({
        "metadata": {
            "name": "odd", "finalizers": ["example.com/hold"],
            "ownerReferences": [reference(&root, "controller"), unserved],
        },
    });
    let other = json!({
        "metadata": {"name": "misnamed", "finalizers": ["example.com/hold"], "ownerReferences": [misnamed(&root)]},
    });
    let former = json!({
        "metadata": {"name": "former", "finalizers": ["example.com/hold"], "ownerReferences": [former(&root)]},
    });
    // Of several owners the collector trims those that are gone, so this one has no other.
    let dangling = json!({
        "metadata": {"name": "dangling", "finalizers": ["example.com/hold"], "ownerReferences": [dangling()]},
    });
    let maps: Api<ConfigMap> = Api::namespaced(lab.client(), &namespace);
    for object in [odd, other, former, dangling] {
        maps.create(&PostParams::default(), &serde_json::from_value(object)?).await?;
    }
    eventually("the odd owners", async || {
        let report = tree(&lab, &namespace, "cm/root", &["-o", "json"]).await?.json()?;
        let mut found = codes(&report);
        found.sort();
        for code in ["OP-T003", "OP-T004", "OP-T005"] {
            ensure!(found.iter().any(|found| found == code), "{code} in {report:#}");
        }
        let told = tree(&lab, &namespace, "cm/dangling", &["-o", "json"]).await?;
        ensure!(codes(&told.json()?).iter().any(|code| code == "OP-T001"), "{told:?}");
        let told = tree(&lab, &namespace, "cm/dangling", &[]).await?;
        ensure!(told.out.contains("its owner ConfigMap/nobody does not exist"), "{told:?}");
        let told = tree(&lab, &namespace, "cm/root", &[]).await?;
        for words in [
            "its owner ConfigMap/root was deleted and recreated",
            "its owner reference names ConfigMap/other, but the uid belongs to ConfigMap/root",
            "of a kind that is not served (gone.example.com/v1)",
        ] {
            ensure!(told.out.contains(words), "{words}: {told:?}");
        }
        Ok(())
    })
    .await?;
    for name in ["odd", "misnamed", "former", "dangling"] {
        let free = json!({"metadata": {"finalizers": null}});
        let _ = maps.patch(name, &PatchParams::default(), &Patch::Merge(free)).await;
    }
    Ok(())
}

async fn a_cluster_scoped_root_sees_every_namespace(lab: Lab, namespace: String) -> Result<()> {
    let other = lab.namespace("other").await?;
    let space = Api::<Namespace>::all(lab.client()).get(&namespace).await?;
    let reference = json!([{
        "apiVersion": "v1", "kind": "Namespace", "name": namespace, "uid": space.uid(), "controller": true,
    }]);
    for place in [&namespace, &other] {
        let maps: Api<ConfigMap> = Api::namespaced(lab.client(), place);
        let object = json!({"metadata": {"name": "child", "ownerReferences": reference}});
        maps.create(&PostParams::default(), &serde_json::from_value(object)?).await?;
    }
    eventually("the children in both namespaces", async || {
        let told = tree(&lab, "default", &format!("ns/{namespace}"), &[]).await?;
        for place in [&namespace, &other] {
            ensure!(told.out.contains(&format!("ConfigMap/child (in {place})")), "{told:?}");
        }
        Ok(())
    })
    .await?;
    // A namespaced root is looked for everywhere only when asked: its true children cannot be elsewhere.
    let root = map(&lab, &namespace, "root", &[]).await?;
    let stray = json!({"metadata": {"name": "stray", "finalizers": ["example.com/hold"], "ownerReferences": [self::reference(&root, "controller")]}});
    let maps: Api<ConfigMap> = Api::namespaced(lab.client(), &other);
    maps.create(&PostParams::default(), &serde_json::from_value(stray)?).await?;
    eventually("the stray", async || {
        let told = tree(&lab, &namespace, "cm/root", &["-A"]).await?;
        ensure!(told.out.contains("is in namespace") && told.out.contains("garbage collector"), "{told:?}");
        Ok(())
    })
    .await?;
    let free = json!({"metadata": {"finalizers": null}});
    let _ = maps.patch("stray", &PatchParams::default(), &Patch::Merge(free)).await;
    Ok(())
}

async fn every_form_of_a_type_is_taken(lab: Lab, namespace: String) -> Result<()> {
    Operator::new(&lab, World::VmGroup).sample(&namespace, "web").await?;
    for words in [
        &["vg/web"][..],
        &["vg", "web"],
        &["vmgroup/web"],
        &["vmgroups/web"],
        &["VmGroup/web"],
        &["VMGROUPS.vm.codeconnect.vmworld.com/web"],
        &["vmgroup.vm/web"],
        &["vmgroups.v1alpha1.vm.codeconnect.vmworld.com", "web"],
    ] {
        let told =
            op(&lab.kubeconfig(User::Admin), &[&["tree", "-n", &namespace, "-o", "name"], words].concat())
                .await?;
        ensure!(told.out == "vmgroup.vm.codeconnect.vmworld.com/web\n", "{words:?}: {told:?}");
    }
    // The group is part of the type; another one of that name is mentioned.
    let told = op(&lab.kubeconfig(User::Admin), &["tree", "ev/x", "-n", &namespace]).await?;
    ensure!(told.code == 2 && told.err.contains("\"x\" not found"), "{told:?}");
    Ok(())
}

async fn namespaces_are_asked_one_by_one_where_all_are_shut(lab: Lab, namespace: String) -> Result<()> {
    let account = "somebody-with-one-namespace";
    let space = Api::<Namespace>::all(lab.client()).get(&namespace).await?;
    let owner = json!([{"apiVersion": "v1", "kind": "Namespace", "name": namespace, "uid": space.uid(), "controller": true}]);
    let maps: Api<ConfigMap> = Api::namespaced(lab.client(), &namespace);
    let child = json!({"metadata": {"name": "child", "ownerReferences": owner}});
    maps.create(&PostParams::default(), &serde_json::from_value(child)?).await?;
    let subject = json!([{"apiGroup": "rbac.authorization.k8s.io", "kind": "User", "name": account}]);
    let view = json!({"apiGroup": "rbac.authorization.k8s.io", "kind": "ClusterRole", "name": "view"});
    let bindings: Api<RoleBinding> = Api::namespaced(lab.client(), &namespace);
    let binding = json!({"metadata": {"name": "view"}, "roleRef": view, "subjects": subject});
    bindings.create(&PostParams::default(), &serde_json::from_value(binding)?).await?;
    // Through impersonation, so that no token is needed for one more user.
    let object = format!("ns/{namespace}");
    let words = ["tree", &object, "-n", &namespace, "--as", account, "-o", "json"];
    // The authorizer learns of the binding, and the server's cache of the child, later.
    eventually("the namespace that may be read", async || {
        let told = op(&lab.kubeconfig(User::Admin), &words).await?;
        let report = told.json()?;
        let names: Vec<_> =
            report["nodes"].as_array().into_iter().flatten().map(|node| node["name"].clone()).collect();
        ensure!(told.code == 0 && names == [json!(namespace), json!("child")], "{told:?}");
        ensure!(report["complete"] == false, "other namespaces may hold more: {told:?}");
        Ok(())
    })
    .await
}

async fn half_the_rights_half_the_answer(lab: Lab, namespace: String) -> Result<()> {
    Operator::new(&lab, World::Website).sample(&namespace, "shop").await?;
    // A viewer may not read the resource itself: that very thing is forbidden.
    let viewer = lab.kubeconfig(User::Viewer);
    let told = op(&viewer, &["tree", "website/shop", "-n", &namespace]).await?;
    ensure!(
        told.code == 6 && told.err.contains("is forbidden") && told.err.contains("hint: kubectl auth can-i"),
        "{told:?}"
    );
    // What a viewer may read is shown, and what not is said.
    eventually("what a viewer sees", async || {
        let told = op(&viewer, &["tree", "deploy/shop", "-n", &namespace]).await?;
        ensure!(told.code == 0 && told.out.contains("Pod/shop-"), "{told:?}");
        ensure!(
            told.out.contains("incomplete: ")
                && told.out.contains("secrets")
                && told.out.contains("(forbidden)"),
            "{told:?}"
        );
        Ok(())
    })
    .await?;
    // Somebody who may only get the root.
    let account = grant(&lab, &namespace, "websites", "webapp.example.com").await?;
    // The authorizer learns of the grant later.
    eventually("what the narrow user sees", async || {
        let told =
            op(&lab.kubeconfig(User::Narrow), &["tree", "website/shop", "-n", &namespace, "-o", "json"])
                .await?;
        let report = told.json()?;
        ensure!(
            told.code == 0
                && report["complete"] == false
                && report["nodes"].as_array().is_some_and(|n| n.len() == 1),
            "{account} {report}"
        );
        let gaps = report["gaps"].as_array().context("gaps")?;
        ensure!(
            gaps.len() > 20 && gaps.iter().all(|gap| gap["reason"] == "Forbidden" && gap["status"] == 403),
            "{report}"
        );
        let told = op(&lab.kubeconfig(User::Narrow), &["tree", "website/shop", "-n", &namespace]).await?;
        ensure!(
            told.out.contains("nothing was found below it, but not everything could be read"),
            "{told:?}"
        );
        Ok(())
    })
    .await
}

async fn a_manifest_names_the_object(lab: Lab, namespace: String) -> Result<()> {
    map(&lab, &namespace, "root", &[]).await?;
    let file = lab.folder().join(format!("{namespace}.yaml"));
    std::fs::write(
        &file,
        format!("apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: root\n  namespace: {namespace}\n"),
    )?;
    let file = file.display().to_string();
    let told = op(&lab.kubeconfig(User::Admin), &["tree", "-f", &file, "-o", "name"]).await?;
    ensure!(told.out == "configmap/root\n", "{told:?}");
    let told = op(&lab.kubeconfig(User::Admin), &["tree", "-f", &file, "cm/root"]).await?;
    ensure!(told.code == 2 && told.err.contains("arguments may not be provided as well"), "{told:?}");
    Ok(())
}

async fn errors_are_kubectls_and_hints_help(lab: Lab, namespace: String) -> Result<()> {
    Operator::new(&lab, World::VoteConfig).sample(&namespace, "demo-here").await?;
    for (words, error, hint) in [
        (
            "votconfig/demo",
            "the server doesn't have a resource type \"votconfig\"",
            "did you mean voteconfigs.voting.schoolofdevops.com?",
        ),
        (
            "voteconfig/demo-her",
            "voteconfigs.voting.schoolofdevops.com \"demo-her\" not found in namespace",
            "did you mean demo-here?",
        ),
        (
            "nothing.example.org/x",
            "the server doesn't have a resource type \"nothing.example.org\"",
            "kubectl api-resources",
        ),
    ] {
        eventually("the hint", async || {
            let told = tree(&lab, &namespace, words, &[]).await?;
            ensure!(told.code == 2 && told.err.contains(error) && told.err.contains(hint), "{told:?}");
            Ok(())
        })
        .await?;
    }
    eventually("the hint at another namespace", async || {
        let told = tree(&lab, "default", "voteconfig/demo-here", &[]).await?;
        ensure!(told.err.contains(&format!("there is one in namespace {namespace}:")), "{told:?}");
        Ok(())
    })
    .await
}

async fn hostile_text_is_escaped(lab: Lab, namespace: String) -> Result<()> {
    // Names are checked by the server, but owner references, finalizers and messages are not.
    let root = map(&lab, &namespace, "root", &[]).await?;
    let mut evil = reference(&root, "plain");
    evil["name"] = json!("\u{1b}[31mred\u{202e}\u{7}");
    let object =
        json!({"metadata": {"name": "child", "ownerReferences": [evil], "finalizers": ["example.com/hold"]}});
    let maps: Api<ConfigMap> = Api::namespaced(lab.client(), &namespace);
    maps.create(&PostParams::default(), &serde_json::from_value(object)?).await?;
    eventually("the child", async || {
        let told = tree(&lab, &namespace, "cm/root", &[]).await?;
        ensure!(told.out.contains("^[[31mred"), "{told:?}");
        Ok(())
    })
    .await?;
    for format in ["wide", "name", "jsonpath={.findings[*].message}"] {
        let told = tree(&lab, &namespace, "cm/root", &["-o", format, "--color", "never"]).await?;
        ensure!(!told.out.contains(['\u{1b}', '\u{202e}', '\u{7}']), "{told:?}");
    }
    let free = json!({"metadata": {"finalizers": null}});
    let _ = maps.patch("child", &PatchParams::default(), &Patch::Merge(free)).await;
    Ok(())
}

async fn fail_and_strict_change_the_exit_code(lab: Lab, namespace: String) -> Result<()> {
    let root = json!({"metadata": {"name": "held", "finalizers": ["example.com/hold"]}});
    let maps: Api<ConfigMap> = Api::namespaced(lab.client(), &namespace);
    maps.create(&PostParams::default(), &serde_json::from_value(root)?).await?;
    let ends = async |code: i32, user: User, flags: &[&str]| {
        eventually(&format!("{flags:?} of {user:?} to end with {code}"), async || {
            let words = [&["tree", "cm/held", "-n", namespace.as_str()], flags].concat();
            let told = op(&lab.kubeconfig(user), &words).await?;
            ensure!(told.code == code, "{told:?}");
            Ok(())
        })
        .await
    };
    ends(0, User::Admin, &["--fail", "--strict"]).await?;
    ends(0, User::Viewer, &["--fail"]).await?;
    ends(3, User::Viewer, &["--strict"]).await?;
    maps.delete("held", &kube::api::DeleteParams::default()).await?;
    ends(1, User::Admin, &["--fail"]).await?;
    ends(0, User::Admin, &[]).await?;
    ends(1, User::Viewer, &["--fail", "--strict"]).await.context("1 before 3")?;
    let free = json!({"metadata": {"finalizers": null}});
    maps.patch("held", &PatchParams::default(), &Patch::Merge(free)).await?;
    Ok(())
}

async fn every_example_of_its_help_runs(lab: Lab, namespace: String) -> Result<()> {
    Operator::new(&lab, World::Website).sample(&namespace, "shop").await?;
    let manifest = lab.folder().join("site.yaml");
    std::fs::write(
        &manifest,
        format!(
            "apiVersion: webapp.example.com/v1\nkind: Website\nmetadata: {{name: shop, namespace: {namespace}}}\n"
        ),
    )?;
    let page = kubectl_op::commands::page("tree").context("tree has a page")?;
    // tests/cli runs those with --demo.
    for example in page.examples.iter().filter(|example| !example.command.contains("--demo")) {
        let call =
            example.command.replace("-n shop", "").replace("site.yaml", &manifest.display().to_string());
        let words: Vec<&str> = call.split_whitespace().chain(["-n", &namespace]).collect();
        eventually(&call, async || {
            let told = op(&lab.kubeconfig(User::Admin), &words).await?;
            ensure!(told.code < 2, "{call}: {told:?}");
            Ok(())
        })
        .await?;
    }
    Ok(())
}

async fn tree(lab: &Lab, namespace: &str, object: &str, flags: &[&str]) -> Result<Told> {
    let words = [&["tree", object, "-n", namespace], flags].concat();
    op(&lab.kubeconfig(User::Admin), &words).await
}

fn codes(report: &Value) -> Vec<String> {
    let findings = report["findings"].as_array().map(Vec::as_slice).unwrap_or_default();
    findings.iter().filter_map(|finding| finding["code"].as_str().map(str::to_owned)).collect()
}

/// A `ConfigMap` owned by others, each as `controller` or `plain`.
async fn map(lab: &Lab, namespace: &str, name: &str, owners: &[(&ConfigMap, &str)]) -> Result<ConfigMap> {
    let owners: Vec<Value> = owners.iter().map(|(owner, role)| reference(owner, role)).collect();
    let object = json!({"metadata": {"name": name, "ownerReferences": owners}});
    let maps: Api<ConfigMap> = Api::namespaced(lab.client(), namespace);
    Ok(maps.create(&PostParams::default(), &serde_json::from_value(object)?).await?)
}

fn reference(owner: &ConfigMap, role: &str) -> Value {
    let controller = role == "controller";
    json!({
        "apiVersion": "v1", "kind": "ConfigMap", "name": owner.name_any(), "uid": owner.uid(),
        "controller": controller,
    })
}

fn misnamed(owner: &ConfigMap) -> Value {
    let mut reference = reference(owner, "plain");
    reference["name"] = json!("other");
    reference
}

fn former(owner: &ConfigMap) -> Value {
    let mut reference = reference(owner, "plain");
    reference["uid"] = json!("00000000-0000-0000-0000-000000000002");
    reference
}

fn dangling() -> Value {
    json!({"apiVersion": "v1", "kind": "ConfigMap", "name": "nobody", "uid": "00000000-0000-0000-0000-000000000003"})
}

/// Lets the narrow user get one resource of a namespace.
async fn grant(lab: &Lab, namespace: &str, resource: &str, group: &str) -> Result<String> {
    let role = json!({
        "metadata": {"name": "narrow"},
        "rules": [{"apiGroups": [group], "resources": [resource], "verbs": ["get"]}],
    });
    let roles: Api<Role> = Api::namespaced(lab.client(), namespace);
    roles.create(&PostParams::default(), &serde_json::from_value(role)?).await?;
    let binding = json!({
        "metadata": {"name": "narrow"},
        "roleRef": {"apiGroup": "rbac.authorization.k8s.io", "kind": "Role", "name": "narrow"},
        "subjects": [{"apiGroup": "rbac.authorization.k8s.io", "kind": "User", "name": User::Narrow.name()}],
    });
    let bindings: Api<RoleBinding> = Api::namespaced(lab.client(), namespace);
    bindings.create(&PostParams::default(), &serde_json::from_value(binding)?).await?;
    Ok(User::Narrow.name().to_owned())
}
