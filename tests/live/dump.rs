//! `--from`: commands print the same for a dump as for the cluster itself.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context as _, Result, ensure};
use lab::large_namespace::LargeNamespace;
use lab::wait::{eventually, until};
use lab::worlds::{Operator, World};
use lab::{Lab, User};
use serde_json::Value;

use crate::binary::{CommandOutput, op, run_command};
use crate::harness::{Test, shared};

/// How many kinds the large namespace has. The shared lab defines them before any test runs.
pub(crate) const KINDS: usize = 3;

pub(crate) fn tests() -> Vec<Test> {
    vec![
        shared("dump::every_world_reads_the_same_from_its_dump", every_world_reads_the_same_from_its_dump),
        shared(
            "dump::a_large_namespace_reads_the_same_from_its_dump",
            a_large_namespace_reads_the_same_from_its_dump,
        ),
    ]
}

async fn every_world_reads_the_same_from_its_dump(lab: Lab, namespace: String) -> Result<()> {
    for world in World::ALL {
        let operator = Operator::new(&lab, world);
        operator.sample(&namespace, world.sample_name()).await?;
    }
    settled(&lab, &namespace).await?;
    // Should something move after all, both are read anew.
    eventually("a dump of what does not change meanwhile", async || {
        let (json, yaml) = (dump(&lab, &namespace, "json").await?, dump(&lab, &namespace, "yaml").await?);
        for world in World::ALL {
            let object = format!("{}/{}", world.names().name, world.sample_name());
            for file in [&json, &yaml] {
                same(&lab, &namespace, &object, file, &[]).await?;
                same(&lab, &namespace, &object, file, &["--deep"]).await?;
            }
        }
        Ok(())
    })
    .await
}

async fn a_large_namespace_reads_the_same_from_its_dump(lab: Lab, namespace: String) -> Result<()> {
    let big = LargeNamespace { namespace: namespace.clone(), objects: 600, kinds: KINDS, owned: 30 };
    big.fill(&lab.client()).await?;
    eventually("all objects in both", async || {
        let file = dump(&lab, &namespace, "json").await?;
        same(&lab, &namespace, "thing0/root", &file, &[]).await?;
        let output =
            op(&lab.kubeconfig(User::Admin), &["tree", "thing0/root", "-n", &namespace, "-o", "json"])
                .await?;
        let nodes = output.json()?["nodes"].as_array().map_or(0, Vec::len);
        ensure!(nodes == 31, "the root and the 30 it owns, nothing else: {nodes}");
        Ok(())
    })
    .await
}

/// Compares rows, nodes and edges; gaps and ages in words differ by nature.
async fn same(lab: &Lab, namespace: &str, object: &str, file: &Path, more: &[&str]) -> Result<()> {
    let ask = async |from: &[&str]| -> Result<CommandOutput> {
        let words = [&["tree", object, "-n", namespace][..], more, from].concat();
        let output = op(&lab.kubeconfig(User::Admin), &words).await?;
        ensure!(output.exit_code == 0, "{words:?}: {output:?}");
        Ok(output)
    };
    let file = file.to_str().context("a path of letters")?;
    let live = ask(&["-o", "json"]).await?.json()?;
    let from = ask(&["-o", "json", "--from", file]).await?.json()?;
    let facts = |report: &Value| {
        let nodes = report["nodes"].as_array().cloned().unwrap_or_default();
        let node = |node: &Value| {
            let named = ["id", "kind", "namespace", "name", "finalizers"].map(|field| &node[field]);
            let own = ["verdict", "ready", "status", "rule"].map(|field| &node["own"][field]);
            named.iter().chain(&own).map(ToString::to_string).collect::<Vec<_>>().join(" ")
        };
        let edges = report["edges"].as_array().cloned().unwrap_or_default();
        (nodes.iter().map(node).collect::<Vec<_>>(), edges.iter().map(Value::to_string).collect::<Vec<_>>())
    };
    ensure!(facts(&live) == facts(&from), "{object} {more:?}:\n{:#?}\n{:#?}", facts(&live), facts(&from));
    Ok(())
}

/// Everything that kubectl can get in a namespace, and the definitions.
async fn dump(lab: &Lab, namespace: &str, format: &str) -> Result<PathBuf> {
    let folder = lab.folder().join(format!("dump-{namespace}-{format}"));
    std::fs::create_dir_all(&folder)?;
    let kubectl = async |words: &[&str]| -> Result<String> {
        let mut call = Command::new(lab.kubectl());
        let home = lab.folder();
        call.env_clear().env("HOME", home).env("KUBECONFIG", lab.kubeconfig(User::Admin)).args(words);
        let output = run_command(call).await?;
        ensure!(output.exit_code == 0, "{words:?}: {output:?}");
        Ok(output.stdout)
    };
    let kinds = kubectl(&["api-resources", "--verbs=list", "--namespaced", "-o", "name"]).await?;
    let kinds: Vec<&str> = kinds.lines().filter(|kind| !kind.starts_with("events")).collect();
    let all = kubectl(&["get", &kinds.join(","), "-n", namespace, "-o", format]).await?;
    std::fs::write(folder.join(format!("all.{format}")), all)?;
    let definitions = kubectl(&["get", "customresourcedefinitions", "-o", format]).await?;
    std::fs::write(folder.join(format!("definitions.{format}")), definitions)?;
    Ok(folder)
}

/// Waits until nothing changes: every Pod is ready, and reading twice gives the same.
async fn settled(lab: &Lab, namespace: &str) -> Result<()> {
    let look = async || -> Result<String> {
        let mut call = Command::new(lab.kubectl());
        call.env_clear().env("HOME", lab.folder()).env("KUBECONFIG", lab.kubeconfig(User::Admin));
        let kinds = "deployments,replicasets,pods,configmaps,services,endpointslices,voteconfigs,memcacheds,vmgroups,websites,helloworlds";
        let path = "-o=jsonpath={range .items[*]}{.metadata.uid} {.metadata.resourceVersion} {.status.conditions[?(@.type==\"Ready\")].status}{\"\\n\"}{end}";
        call.args(["get", kinds, "-n", namespace, path]);
        Ok(run_command(call).await?.stdout)
    };
    let mut last = look().await?;
    until("the operators to settle", async || {
        tokio::time::sleep(std::time::Duration::from_secs(2)).await;
        let now = look().await?;
        let rest = now == last && now.lines().count() >= 19 && !now.contains("False");
        last = now;
        Ok(rest.then_some(()))
    })
    .await
}
