//! `tree` on real objects: the five operators, unusual owner references, missing permissions.

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

use crate::binary::{CommandOutput, op, run_command};
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
            call.args(["op", "tree", &format!("{}/{name}", world.names().name), "-n", &namespace]);
            let output = run_command(call).await?;
            ensure!(output.exit_code == 0, "{output:?}");
            ensure!(children.iter().all(|child| output.stdout.contains(child)), "{output:?}");
            ensure!(output.stdout.starts_with(world.names().kind), "{output:?}");
            ensure!(
                output.stdout.contains("\ncomplete: ") && output.stdout.contains("\nnext: kubectl "),
                "{output:?}"
            );
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
        let output = tree(&lab, &namespace, "website/shop", &["--fail"]).await?;
        let first = output.stdout.lines().next().unwrap_or_default();
        let said = first.starts_with("Website/shop reports Ready, but Pod/shop-")
            && first.contains("CrashLoopBackOff");
        ensure!(
            said && output.exit_code == 1
                && output.stdout.contains("next: kubectl op status website.webapp.example.com/shop -n "),
            "{output:?}"
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
        ensure!(yaml.stdout.starts_with("schema: kubectl-op/tree/v1\n"), "{yaml:?}");
        let path = tree(&lab, &namespace, "voteconfig/demo", &["-o", "jsonpath={.nodes[*].name}"]).await?;
        ensure!(path.stdout == "demo demo-config", "{path:?}");
        let names = tree(&lab, &namespace, "voteconfig/demo", &["-o", "name"]).await?;
        ensure!(
            names.stdout == "voteconfig.voting.schoolofdevops.com/demo\nconfigmap/demo-config\n",
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
        let output = tree(&lab, &namespace, "cm/root", &[]).await?;
        ensure!(output.stdout.matches("ConfigMap/both").count() == 2, "{output:?}");
        ensure!(
            output.stdout.contains("shown under ConfigMap/right")
                && output.stdout.contains("└╌ConfigMap/right"),
            "{output:?}"
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
        let output = tree(&lab, &namespace, "cm/root", &[]).await?;
        ensure!(
            output.exit_code == 0 && output.stdout.contains("cycle: one of its own owners"),
            "{output:?}"
        );
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
        let output = tree(&lab, &namespace, "cm/dangling", &["-o", "json"]).await?;
        ensure!(codes(&output.json()?).iter().any(|code| code == "OP-T001"), "{output:?}");
        let output = tree(&lab, &namespace, "cm/dangling", &[]).await?;
        ensure!(output.stdout.contains("its owner ConfigMap/nobody does not exist"), "{output:?}");
        let output = tree(&lab, &namespace, "cm/root", &[]).await?;
        for words in [
            "its owner ConfigMap/root was deleted and recreated",
            "its owner reference names ConfigMap/other, but the uid belongs to ConfigMap/root",
            "of a kind that is not served (gone.example.com/v1)",
        ] {
            ensure!(output.stdout.contains(words), "{words}: {output:?}");
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
        let output = tree(&lab, "default", &format!("ns/{namespace}"), &[]).await?;
        for place in [&namespace, &other] {
            ensure!(output.stdout.contains(&format!("ConfigMap/child (in {place})")), "{output:?}");
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
        let output = tree(&lab, &namespace, "cm/root", &["-A"]).await?;
        ensure!(
            output.stdout.contains("is in namespace") && output.stdout.contains("garbage collector"),
            "{output:?}"
        );
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
        let output =
            op(&lab.kubeconfig(User::Admin), &[&["tree", "-n", &namespace, "-o", "name"], words].concat())
                .await?;
        ensure!(output.stdout == "vmgroup.vm.codeconnect.vmworld.com/web\n", "{words:?}: {output:?}");
    }
    // The group is part of the type; another one of that name is mentioned.
    let output = op(&lab.kubeconfig(User::Admin), &["tree", "ev/x", "-n", &namespace]).await?;
    ensure!(output.exit_code == 2 && output.stderr.contains("\"x\" not found"), "{output:?}");
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
        let output = op(&lab.kubeconfig(User::Admin), &words).await?;
        let report = output.json()?;
        let names: Vec<_> =
            report["nodes"].as_array().into_iter().flatten().map(|node| node["name"].clone()).collect();
        ensure!(output.exit_code == 0 && names == [json!(namespace), json!("child")], "{output:?}");
        ensure!(report["complete"] == false, "other namespaces may hold more: {output:?}");
        Ok(())
    })
    .await
}

async fn half_the_rights_half_the_answer(lab: Lab, namespace: String) -> Result<()> {
    Operator::new(&lab, World::Website).sample(&namespace, "shop").await?;
    // A viewer may not read the resource itself: that very thing is forbidden.
    let viewer = lab.kubeconfig(User::Viewer);
    let output = op(&viewer, &["tree", "website/shop", "-n", &namespace]).await?;
    ensure!(
        output.exit_code == 6
            && output.stderr.contains("is forbidden")
            && output.stderr.contains("hint: kubectl auth can-i"),
        "{output:?}"
    );
    // What a viewer may read is shown, and what not is said.
    eventually("what a viewer sees", async || {
        let output = op(&viewer, &["tree", "deploy/shop", "-n", &namespace]).await?;
        ensure!(output.exit_code == 0 && output.stdout.contains("Pod/shop-"), "{output:?}");
        ensure!(
            output.stdout.contains("incomplete: ")
                && output.stdout.contains("secrets")
                && output.stdout.contains("(forbidden)"),
            "{output:?}"
        );
        Ok(())
    })
    .await?;
    // Somebody who may only get the root.
    let account = grant(&lab, &namespace, "websites", "webapp.example.com").await?;
    // The authorizer learns of the grant later.
    eventually("what the narrow user sees", async || {
        let output =
            op(&lab.kubeconfig(User::Narrow), &["tree", "website/shop", "-n", &namespace, "-o", "json"])
                .await?;
        let report = output.json()?;
        ensure!(
            output.exit_code == 0
                && report["complete"] == false
                && report["nodes"].as_array().is_some_and(|n| n.len() == 1),
            "{account} {report}"
        );
        let gaps = report["gaps"].as_array().context("gaps")?;
        ensure!(
            gaps.len() > 20 && gaps.iter().all(|gap| gap["reason"] == "Forbidden" && gap["status"] == 403),
            "{report}"
        );
        let output = op(&lab.kubeconfig(User::Narrow), &["tree", "website/shop", "-n", &namespace]).await?;
        ensure!(
            output.stdout.contains("nothing was found below it, but not everything could be read"),
            "{output:?}"
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
    let output = op(&lab.kubeconfig(User::Admin), &["tree", "-f", &file, "-o", "name"]).await?;
    ensure!(output.stdout == "configmap/root\n", "{output:?}");
    let output = op(&lab.kubeconfig(User::Admin), &["tree", "-f", &file, "cm/root"]).await?;
    ensure!(
        output.exit_code == 2 && output.stderr.contains("arguments may not be provided as well"),
        "{output:?}"
    );
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
            let output = tree(&lab, &namespace, words, &[]).await?;
            ensure!(
                output.exit_code == 2 && output.stderr.contains(error) && output.stderr.contains(hint),
                "{output:?}"
            );
            Ok(())
        })
        .await?;
    }
    eventually("the hint at another namespace", async || {
        let output = tree(&lab, "default", "voteconfig/demo-here", &[]).await?;
        ensure!(output.stderr.contains(&format!("there is one in namespace {namespace}:")), "{output:?}");
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
        let output = tree(&lab, &namespace, "cm/root", &[]).await?;
        ensure!(output.stdout.contains("^[[31mred"), "{output:?}");
        Ok(())
    })
    .await?;
    for format in ["wide", "name", "jsonpath={.findings[*].message}"] {
        let output = tree(&lab, &namespace, "cm/root", &["-o", format, "--color", "never"]).await?;
        ensure!(!output.stdout.contains(['\u{1b}', '\u{202e}', '\u{7}']), "{output:?}");
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
            let output = op(&lab.kubeconfig(user), &words).await?;
            ensure!(output.exit_code == code, "{output:?}");
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
            let output = op(&lab.kubeconfig(User::Admin), &words).await?;
            ensure!(output.exit_code < 2, "{call}: {output:?}");
            Ok(())
        })
        .await?;
    }
    Ok(())
}

async fn tree(lab: &Lab, namespace: &str, object: &str, flags: &[&str]) -> Result<CommandOutput> {
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
