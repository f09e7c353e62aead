//! The demo cluster that is checked in is the one that the lab creates today.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::net::Ipv4Addr;

use anyhow::{Context as _, Result, ensure};
use lab::{Lab, demo};
use serde_json::Value;

use crate::harness::{Test, own, without_lab};
use crate::normalized_output::normalized_output;

/// What is checked in.
const KEPT: &[u8] = include_bytes!("../../src/source/demo.json.gz");

pub(crate) fn tests() -> Vec<Test> {
    vec![
        own("demo::the_file_that_is_checked_in_is_what_the_lab_makes", is_what_the_lab_makes),
        without_lab("demo::output_does_not_depend_on_generated_names", depend_on_nothing_generated),
        without_lab("demo::a_difference_in_output_is_noticed", a_difference_in_output_is_noticed),
    ]
}

async fn is_what_the_lab_makes(lab: Lab) -> Result<()> {
    let captured = demo::capture(&lab).await?;
    let (kept, fresh) = (demo::unpack(KEPT)?, demo::unpack(&captured)?);
    is_same("the demo cluster is not what the lab makes now", &gist(&kept)?, &gist(&fresh)?)?;
    let folder = tempfile::tempdir()?;
    let file = folder.path().join("captured.json.gz");
    std::fs::write(&file, captured)?;
    let (kept, fresh) =
        (normalized_output(&kept, None).await?, normalized_output(&fresh, Some(&file)).await?);
    is_same("the output for the demo cluster is not that for what the lab makes now", &kept, &fresh)
}

fn is_same(what: &str, kept: &BTreeMap<String, usize>, fresh: &BTreeMap<String, usize>) -> Result<()> {
    let stale = difference(kept, fresh);
    ensure!(
        stale.is_empty(),
        "{what} (- is checked in, + was captured):\n{}\nif the new one is right, capture it with: {}",
        stale.join("\n"),
        demo::RECAPTURE
    );
    Ok(())
}

/// The same objects, had the server generated other names and uids.
async fn depend_on_nothing_generated() -> Result<()> {
    let kept = demo::unpack(KEPT)?;
    let mut text = kept.to_string();
    for object in objects(&kept)? {
        let uid = word(object, "/metadata/uid");
        text = text.replace(uid, &uid.chars().rev().collect::<String>());
        let (name, generated) = (word(object, "/metadata/name"), word(object, "/metadata/generateName"));
        if let Some(end) = name.strip_prefix(generated).filter(|_| !generated.is_empty()) {
            // The first becomes the last, and longer.
            let other = format!("{generated}{}z", end.chars().rev().collect::<String>());
            text = text.replace(&format!("{name}\""), &format!("{other}\""));
        }
    }
    let found = difference(&normalized_output(&kept, None).await?, &output_about(&text).await?);
    ensure!(found.is_empty(), "{}", found.join("\n"));
    Ok(())
}

async fn a_difference_in_output_is_noticed() -> Result<()> {
    let kept = demo::unpack(KEPT)?;
    let (text, expected) = (kept.to_string(), normalized_output(&kept, None).await?);
    for (old, new) in [
        ("CrashLoopBackOff", "ImagePullBackOff"),
        ("configMapName", "configMapLabel"),
        ("\"controller\":true", "\"controller\":false"),
        ("vm.codeconnect.vmworld.com/finalizer", "vm.codeconnect.vmworld.com/other"),
    ] {
        ensure!(text.contains(old), "{old} is not in the demo cluster any more");
        let other = output_about(&text.replace(old, new)).await?;
        ensure!(
            !difference(&expected, &other).is_empty(),
            "{old} could become {new} and nobody would notice"
        );
    }
    Ok(())
}

/// The normalized output for other objects.
async fn output_about(world: &str) -> Result<BTreeMap<String, usize>> {
    let folder = tempfile::tempdir()?;
    let file = folder.path().join("world.json");
    std::fs::write(&file, world)?;
    normalized_output(&serde_json::from_str(world)?, Some(&file)).await
}

/// The objects of a capture, without the index in front.
pub(crate) fn objects(list: &Value) -> Result<&[Value]> {
    Ok(parts(list)?.1)
}

/// The index of a capture and its objects.
fn parts(list: &Value) -> Result<(&Value, &[Value])> {
    let items = list["items"].as_array().context("the demo cluster is not a List")?;
    items.split_first().context("the demo cluster is empty")
}

/// What must be the same in two captures, as lines with their number: which kinds were read, which objects there are,
/// who owns them, and the state of those that the scenario sets up.
fn gist(list: &Value) -> Result<BTreeMap<String, usize>> {
    let (index, objects) = parts(list)?;
    let kinds = index["kinds"].as_array().context("the first object is no index")?;
    let names: HashMap<&str, String> =
        objects.iter().map(|object| (word(object, "/metadata/uid"), named(object))).collect();
    let custom: BTreeSet<&str> = objects
        .iter()
        .filter(|object| object["kind"] == "CustomResourceDefinition")
        .map(|crd| word(crd, "/spec/names/kind"))
        .collect();
    let mut lines: Vec<String> = kinds.iter().map(|kind| format!("index {kind}")).collect();
    for object in objects.iter().filter(|object| object["kind"] != "Event") {
        let name = named(object);
        let owners = object.pointer("/metadata/ownerReferences").and_then(Value::as_array);
        for owner in owners.into_iter().flatten() {
            let unknown = || format!("a {} that is not there", word(owner, "/kind"));
            let owner = names.get(word(owner, "/uid")).cloned().unwrap_or_else(unknown);
            lines.push(format!("{name} is owned by {owner}"));
        }
        if custom.contains(word(object, "/kind")) || COMPARED_KINDS.contains(&word(object, "/kind")) {
            lines.extend(described(object).into_iter().map(|line| format!("{name} {line}")));
        }
        lines.push(name);
    }
    lines.extend(events(objects, &names, &custom));
    Ok(counted(lines))
}

/// Lines with their number.
pub(crate) fn counted(lines: Vec<String>) -> BTreeMap<String, usize> {
    let mut counted = BTreeMap::new();
    for line in lines {
        *counted.entry(line).or_default() += 1;
    }
    counted
}

/// Kinds besides the custom resources whose states are part of the scenario.
const COMPARED_KINDS: [&str; 3] = ["ConfigMap", "Deployment", "Pod"];

/// Kind, namespace and name, without what a server generates.
pub(crate) fn named(object: &Value) -> String {
    let generated = word(object, "/metadata/generateName");
    let mut name = match word(object, "/metadata/name") {
        address if address.parse::<Ipv4Addr>().is_ok() => "*".to_owned(),
        _ if !generated.is_empty() => format!("{generated}*"),
        name => name.to_owned(),
    };
    let hash = word(object, "/metadata/labels/pod-template-hash");
    if !hash.is_empty() {
        name = name.replace(hash, "*");
    }
    format!("{} {}/{name}", word(object, "/kind"), word(object, "/metadata/namespace"))
}

/// The state of an object, as far as it is the same in every capture.
fn described(object: &Value) -> Vec<String> {
    let mut lines = vec![];
    for pointer in ["/status/phase", "/status/readyReplicas", "/data"] {
        lines.extend(object.pointer(pointer).map(|value| format!("{pointer} is {value}")));
    }
    if object.pointer("/metadata/deletionTimestamp").is_some() {
        lines.push("is being deleted".to_owned());
    }
    for finalizer in list(object, "/metadata/finalizers") {
        lines.push(format!("is held by {finalizer}"));
    }
    for condition in list(object, "/status/conditions") {
        lines.push(format!("says {}={}", word(condition, "/type"), word(condition, "/status")));
    }
    for container in list(object, "/status/containerStatuses") {
        let waits = container.pointer("/state/waiting/reason").unwrap_or(&Value::Null);
        let ended = container.pointer("/lastState/terminated/exitCode").unwrap_or(&Value::Null);
        lines.push(format!("has container {}: waits {waits}, ended {ended}", word(container, "/name")));
    }
    lines
}

/// What happened to the custom resources; how often, and what else controllers report, depends on timing.
fn events(objects: &[Value], names: &HashMap<&str, String>, custom: &BTreeSet<&str>) -> BTreeSet<String> {
    let about_custom = |event: &&Value| custom.contains(word(event, "/involvedObject/kind"));
    let line = |event: &Value| {
        let about = names.get(word(event, "/involvedObject/uid")).map_or("something gone", String::as_str);
        format!("Event {} {} of {about}", word(event, "/type"), word(event, "/reason"))
    };
    objects.iter().filter(|object| object["kind"] == "Event").filter(about_custom).map(line).collect()
}

fn difference(kept: &BTreeMap<String, usize>, fresh: &BTreeMap<String, usize>) -> Vec<String> {
    let lines: BTreeSet<&String> = kept.keys().chain(fresh.keys()).collect();
    let mut found = vec![];
    for line in lines {
        let of = |gist: &BTreeMap<String, usize>| gist.get(line).copied().unwrap_or_default();
        let (kept, fresh) = (of(kept), of(fresh));
        if kept != fresh {
            let sign = if kept > fresh { '-' } else { '+' };
            found.push(format!("{sign} {line} ({kept} times, now {fresh})"));
        }
    }
    found
}

pub(crate) fn word<'a>(value: &'a Value, pointer: &str) -> &'a str {
    value.pointer(pointer).and_then(Value::as_str).unwrap_or_default()
}

pub(crate) fn list<'a>(value: &'a Value, pointer: &str) -> &'a [Value] {
    value.pointer(pointer).and_then(Value::as_array).map_or(&[], Vec::as_slice)
}
