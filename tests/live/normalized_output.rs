//! The output of commands for a dump, without what differs from capture to capture: generated names, uids, addresses
//! and times are masked, and the order of siblings, which follows from their names, is ignored.

use std::collections::{BTreeMap, BTreeSet};
use std::net::Ipv4Addr;
use std::path::Path;
use std::process::Command;

use anyhow::{Result, ensure};
use serde_json::Value;

use crate::binary::run_command;
use crate::demo::{counted, list, named, objects, word};

/// The output for every custom resource of a cluster, as lines with their number. `file` is a dump of the cluster;
/// without one it is the built-in demo cluster.
pub(crate) async fn normalized_output(world: &Value, file: Option<&Path>) -> Result<BTreeMap<String, usize>> {
    let flags = match file {
        Some(file) => vec!["--from".to_owned(), file.display().to_string()],
        None => vec!["--demo".to_owned()],
    };
    let normalizer = Normalizer::of(world)?;
    let mut lines = Vec::new();
    for root in roots(world)? {
        for command in ["tree", "status --explain"] {
            let text = call(&format!("{command} {root}"), &flags).await?;
            lines.extend(shown(&text).map(|line| format!("{command} {root}: {}", normalizer.line(line))));
        }
        let tree: Value = serde_json::from_str(&call(&format!("tree {root} -o json"), &flags).await?)?;
        for edge in list(&tree, "/edges") {
            let edge = normalizer.line(&edge.to_string());
            lines.push(format!("tree {root}: {edge}"));
        }
    }
    let all = call("status -A", &flags).await?;
    lines.extend(shown(&all).map(|line| format!("status -A: {}", normalizer.line(line))));
    Ok(counted(lines))
}

/// Every custom resource, as arguments of a command.
fn roots(world: &Value) -> Result<BTreeSet<String>> {
    let objects = objects(world)?;
    let definitions = objects.iter().filter(|object| object["kind"] == "CustomResourceDefinition");
    let custom: BTreeMap<(&str, &str), &str> = definitions
        .map(|crd| {
            ((word(crd, "/spec/group"), word(crd, "/spec/names/kind")), word(crd, "/spec/names/plural"))
        })
        .collect();
    let root = |object: &Value| {
        let (group, _) = word(object, "/apiVersion").split_once('/')?;
        let plural = custom.get(&(group, word(object, "/kind")))?;
        let (namespace, name) = (word(object, "/metadata/namespace"), word(object, "/metadata/name"));
        Some(format!("{plural}.{group}/{name} -n {namespace}"))
    };
    let roots: BTreeSet<String> = objects.iter().filter_map(root).collect();
    ensure!(roots.len() > 5, "hardly any custom resource is in the cluster: {roots:?}");
    Ok(roots)
}

async fn call(words: &str, flags: &[String]) -> Result<String> {
    let mut call = Command::new(env!("CARGO_BIN_EXE_kubectl-op"));
    call.env_clear().env("LANG", "C.UTF-8").args(words.split(' ')).args(flags);
    let output = run_command(call).await?;
    ensure!(matches!(output.exit_code, 0 | 1 | 3) && output.stderr.is_empty(), "{words}: {output:?}");
    // The next command to paste has them as well.
    Ok(output.stdout.replace(&flags.join(" "), "FLAGS"))
}

/// The lines of an output. Which events are the newest, and how many, depends on timing.
fn shown(text: &str) -> impl Iterator<Item = &str> {
    let mut is_event = false;
    text.lines().filter(move |line| {
        is_event = line.starts_with("events (") || is_event && !line.is_empty();
        !is_event && !line.is_empty()
    })
}

/// Masks names and uids that a server generates.
struct Normalizer {
    /// What is replaced by what, the longest first.
    words: Vec<(String, String)>,
}

impl Normalizer {
    fn of(world: &Value) -> Result<Self> {
        let mut words = BTreeSet::new();
        for object in objects(world)? {
            let named = named(object);
            let name = named.rsplit('/').next().unwrap_or_default().to_owned();
            words.insert((word(object, "/metadata/name").to_owned(), name));
            words.insert((word(object, "/metadata/uid").to_owned(), named));
        }
        let mut words: Vec<_> =
            words.into_iter().filter(|(from, to)| !from.is_empty() && from != to).collect();
        words.sort_by_key(|(from, _)| std::cmp::Reverse(from.len()));
        Ok(Self { words })
    }

    /// One line, without the strokes of a tree and the width of its columns.
    fn line(&self, line: &str) -> String {
        let mut line = line.trim_start_matches(|letter| " │├└─╌".contains(letter)).to_owned();
        for (from, to) in &self.words {
            line = line.replace(from, to);
        }
        line.split_whitespace().map(mask_volatile).collect::<Vec<_>>().join(" ")
    }
}

/// A word, without a time, an age, an address or a count in it.
fn mask_volatile(word: &str) -> String {
    let core = word.trim_matches(|letter: char| letter.is_ascii_punctuation());
    let masked = if is_age(core) {
        "AGE"
    } else if core.parse::<k8s_openapi::jiff::Timestamp>().is_ok() {
        "TIME"
    } else if core.parse::<Ipv4Addr>().is_ok() {
        "ADDRESS"
    } else if core.strip_prefix('x').is_some_and(|count| count.parse::<u32>().is_ok()) {
        "COUNT"
    } else {
        return word.to_owned();
    };
    word.replace(core, masked)
}

/// `130m`, `2d21h`.
fn is_age(word: &str) -> bool {
    let ends = word.ends_with(|letter| "smhdy".contains(letter));
    ends && word.starts_with(|letter: char| letter.is_ascii_digit())
        && word.chars().all(|letter| letter.is_ascii_digit() || "smhdy".contains(letter))
}
