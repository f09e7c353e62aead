//! Formats of `tree` that others read: columns as kubectl prints them, and drawings.

use std::process::Command;

use anyhow::{Result, ensure};
use k8s_openapi::api::core::v1::ConfigMap;
use kube::api::Api;
use lab::wait::{eventually, until};
use lab::worlds::{Operator, World};
use lab::{Lab, User};

use crate::binary::{op, run_command};
use crate::harness::{Test, shared};

pub(crate) fn tests() -> Vec<Test> {
    vec![shared(
        "formats::columns_are_kubectls_and_drawings_are_whole",
        columns_are_kubectls_and_drawings_are_whole,
    )]
}

async fn columns_are_kubectls_and_drawings_are_whole(lab: Lab, namespace: String) -> Result<()> {
    Operator::new(&lab, World::VoteConfig).sample(&namespace, "demo").await?;
    let maps: Api<ConfigMap> = Api::namespaced(lab.client(), &namespace);
    until("the child", async || Ok(maps.get_opt("demo-config").await?)).await?;
    let kubeconfig = lab.kubeconfig(User::Admin);
    let tree = async |format: &str| {
        let output = op(&kubeconfig, &["tree", "voteconfig/demo", "-n", &namespace, "-o", format]).await?;
        ensure!(output.exit_code == 0 && output.notes().is_empty(), "{format}: {output:?}");
        Ok(output.stdout)
    };

    let spec = "custom-columns=NAME:.metadata.name,NS:metadata.namespace,UID:{.metadata.uid},API:apiVersion,\
                KIND:.kind,MADE:.metadata.creationTimestamp,HELD:.metadata.finalizers,FIRST:.metadata.finalizers[*],\
                GONE:.metadata.deletionTimestamp,NO:.metadata.nothing,EMPTY:";
    eventually("the same columns", async || {
        let ours = tree(spec).await?;
        let mut theirs = String::new();
        for object in ["voteconfig/demo", "configmap/demo-config"] {
            let mut call = Command::new(lab.kubectl());
            // kubectl keeps a cache in its home, or wherever it is called without one.
            call.env_clear()
                .env("HOME", lab.folder())
                .env("KUBECONFIG", &kubeconfig)
                .args(["get", object, "-n", &namespace, "-o", spec]);
            let output = run_command(call).await?;
            ensure!(output.exit_code == 0, "{output:?}");
            let rows = output.stdout.lines().skip(usize::from(!theirs.is_empty()));
            theirs.extend(rows.flat_map(|row| [row, "\n"]));
        }
        // kubectl sets columns further apart.
        let words = |text: &str| {
            text.lines().map(|row| row.split_whitespace().map(str::to_owned).collect()).collect()
        };
        let (ours_words, theirs_words): (Vec<Vec<String>>, Vec<Vec<String>>) = (words(&ours), words(&theirs));
        ensure!(ours_words == theirs_words, "ours:\n{ours}\nkubectl's:\n{theirs}");
        Ok(())
    })
    .await?;

    eventually("whole drawings", async || {
        let dot = tree("dot").await?;
        ensure!(
            dot.contains("  n0 [label=\"VoteConfig/demo\\n") && dot.contains("  n0 -> n1 [style=solid"),
            "{dot}"
        );
        let mermaid = tree("mermaid").await?;
        ensure!(
            mermaid.contains("n1[\"ConfigMap/demo-config\"]") && mermaid.contains("  n0 --> n1\n"),
            "{mermaid}"
        );
        Ok(())
    })
    .await
}
