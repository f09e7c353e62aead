//! A dump as `kubectl get -o json` prints it, as large as one likes: a small tree among the workloads of others.

use std::cell::Cell;
use std::io::{self, BufWriter, Write};
use std::path::Path;

use anyhow::{Context as _, Result};
use serde::ser::SerializeMap as _;
use serde::{Serialize, Serializer};
use serde_json::ser::PrettyFormatter;
use serde_json::{Value, json};

/// What is asked about.
pub(crate) const ROOT: &str = "thing/root";
/// How many Deployments the root owns, each with a ReplicaSet and two Pods, and as many ConfigMaps.
const OWNED: usize = 3;
/// How many teams there are beside the namespace of the root.
const TEAMS: usize = 20;

/// Writes a dump of at least `size` bytes.
pub(crate) fn write(file: &Path, size: u64) -> Result<()> {
    let written = Cell::new(0);
    let file = std::fs::File::create(file).with_context(|| format!("{}", file.display()))?;
    let mut counting = Counting { to: BufWriter::with_capacity(1 << 20, file), written: &written };
    let mut serializer =
        serde_json::Serializer::with_formatter(&mut counting, PrettyFormatter::with_indent(b"    "));
    List { size, written: &written }.serialize(&mut serializer)?;
    counting.flush().context("failed to write the dump")
}

/// What is wrong with a tree of the root; nothing when everything below it is there.
pub(crate) fn problem(answer: &str) -> Option<String> {
    let missing = |number: &usize| !answer.contains(&format!("Deployment/app-{number}"));
    (0..OWNED).find(missing).map(|number| format!("its answer lacks Deployment/app-{number}"))
}

/// Counts what passes.
struct Counting<'a, W> {
    to: W,
    written: &'a Cell<u64>,
}

impl<W: Write> Write for Counting<'_, W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let length = self.to.write(bytes)?;
        self.written.set(self.written.get() + length as u64);
        Ok(length)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.to.flush()
    }
}

/// The whole dump, made as it is written.
struct List<'a> {
    size: u64,
    written: &'a Cell<u64>,
}

impl Serialize for List<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(4))?;
        map.serialize_entry("apiVersion", "v1")?;
        map.serialize_entry("items", &Items(self))?;
        map.serialize_entry("kind", "List")?;
        map.serialize_entry("metadata", &json!({"resourceVersion": ""}))?;
        map.end()
    }
}

struct Items<'a>(&'a List<'a>);

impl Serialize for Items<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let more = |number: &usize| *number < OWNED || self.0.written.get() < self.0.size;
        serializer.collect_seq(std::iter::once(root()).chain((0..).take_while(more).flat_map(application)))
    }
}

fn root() -> Value {
    json!({
        "apiVersion": "example.com/v1", "kind": "Thing",
        "metadata": metadata("root", "default", "thing-root", None),
        "spec": {"size": OWNED},
        "status": {"conditions": [condition("Ready")]},
    })
}

/// A ConfigMap, a Deployment, its ReplicaSet and its Pods.
fn application(number: usize) -> Vec<Value> {
    let name = format!("app-{number}");
    let (namespace, owner) = if number < OWNED {
        ("default".to_owned(), Some(owner_of("example.com/v1", "Thing", "root", "thing-root")))
    } else {
        (format!("team-{}", number % TEAMS), None)
    };
    let (deployment, replicas) = (format!("deployment-{number}"), format!("replicas-{number}"));
    let template = json!({"metadata": {"labels": {"app": name}}, "spec": pod_spec(&name)});
    let counts = json!({"replicas": 2, "readyReplicas": 2, "availableReplicas": 2, "updatedReplicas": 2,
        "observedGeneration": 1, "conditions": [condition("Available"), condition("Progressing")]});
    let spec = json!({"replicas": 2, "selector": {"matchLabels": {"app": name}}, "template": template});
    let of_deployment = owner_of("apps/v1", "Deployment", &name, &deployment);
    let mut all = vec![
        json!({
            "apiVersion": "v1", "kind": "ConfigMap",
            "metadata": metadata(&name, &namespace, &format!("map-{number}"), owner.clone()),
            "data": {"settings.yaml": "key: \"value\"\n".repeat(150), "notes": "x".repeat(1500)},
        }),
        json!({
            "apiVersion": "apps/v1", "kind": "Deployment",
            "metadata": metadata(&name, &namespace, &deployment, owner), "spec": spec, "status": counts,
        }),
        json!({
            "apiVersion": "apps/v1", "kind": "ReplicaSet",
            "metadata": metadata(&format!("{name}-1"), &namespace, &replicas, Some(of_deployment)),
            "spec": spec,
            "status": {"replicas": 2, "readyReplicas": 2, "availableReplicas": 2, "observedGeneration": 1},
        }),
    ];
    let of_replicas = owner_of("apps/v1", "ReplicaSet", &format!("{name}-1"), &replicas);
    all.extend((0..2).map(|pod| {
        json!({
            "apiVersion": "v1", "kind": "Pod",
            "metadata": metadata(
                &format!("{name}-1-{pod}"), &namespace, &format!("pod-{number}-{pod}"), Some(of_replicas.clone()),
            ),
            "spec": pod_spec(&name),
            "status": pod_status(),
        })
    }));
    all
}

fn metadata(name: &str, namespace: &str, uid: &str, owner: Option<Value>) -> Value {
    let mut metadata = json!({
        "annotations": {"example.com/checksum": "5f4dcc3b5aa765d61d8327deb882cf99"},
        "creationTimestamp": "2025-01-01T00:00:00Z",
        "generation": 1,
        "labels": {"app.kubernetes.io/component": "server", "example.com/tier": "backend"},
        "name": name, "namespace": namespace, "resourceVersion": "4711", "uid": uid,
    });
    if let Some(owner) = owner {
        metadata["ownerReferences"] = json!([owner]);
    }
    metadata
}

fn owner_of(api_version: &str, kind: &str, name: &str, uid: &str) -> Value {
    json!({"apiVersion": api_version, "blockOwnerDeletion": true, "controller": true, "kind": kind, "name": name,
        "uid": uid})
}

fn condition(of: &str) -> Value {
    json!({"lastTransitionTime": "2025-01-01T00:01:00Z", "message": "all is well", "reason": "AsExpected",
        "status": "True", "type": of})
}

fn pod_spec(name: &str) -> Value {
    let variable = |number: usize| json!({"name": format!("VARIABLE_{number}"), "value": "value"});
    let probe = json!({"failureThreshold": 3, "httpGet": {"path": "/healthz", "port": 8080, "scheme": "HTTP"},
        "periodSeconds": 10, "successThreshold": 1, "timeoutSeconds": 1});
    json!({
        "containers": [{
            "env": (0..10).map(variable).collect::<Vec<_>>(),
            "image": "registry.example.com/team/server:1.2.3", "imagePullPolicy": "IfNotPresent",
            "livenessProbe": probe, "name": "server", "ports": [{"containerPort": 8080, "protocol": "TCP"}],
            "readinessProbe": probe,
            "resources": {"limits": {"memory": "256Mi"}, "requests": {"cpu": "100m", "memory": "256Mi"}},
            "terminationMessagePath": "/dev/termination-log", "terminationMessagePolicy": "File",
            "volumeMounts": [{"mountPath": "/etc/server", "name": "settings", "readOnly": true}],
        }],
        "dnsPolicy": "ClusterFirst", "restartPolicy": "Always", "schedulerName": "default-scheduler",
        "securityContext": {"runAsNonRoot": true}, "terminationGracePeriodSeconds": 30,
        "volumes": [{"configMap": {"defaultMode": 420, "name": name}, "name": "settings"}],
    })
}

fn pod_status() -> Value {
    let conditions = ["PodScheduled", "Initialized", "ContainersReady", "Ready"].map(condition);
    json!({
        "conditions": conditions,
        "containerStatuses": [{
            "containerID": "containerd://5f4dcc3b5aa765d61d8327deb882cf99", "image": "server:1.2.3",
            "imageID": "sha256:5f4dcc3b5aa765d61d8327deb882cf99", "lastState": {}, "name": "server", "ready": true,
            "restartCount": 0, "started": true, "state": {"running": {"startedAt": "2025-01-01T00:01:00Z"}},
        }],
        "hostIP": "10.0.0.1", "phase": "Running", "podIP": "10.1.0.1", "podIPs": [{"ip": "10.1.0.1"}],
        "qosClass": "Burstable", "startTime": "2025-01-01T00:00:30Z",
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_a_list_of_the_size_asked_for_with_the_tree_in_it() {
        let folder = tempfile::TempDir::new().unwrap();
        let file = folder.path().join("dump.json");
        write(&file, 300_000).unwrap();
        let text = std::fs::read_to_string(&file).unwrap();
        assert!((300_000..400_000).contains(&text.len()), "{}", text.len());
        assert!(text.starts_with("{\n    \"apiVersion\": \"v1\",\n    \"items\": [\n        {\n"));
        let list: Value = serde_json::from_str(&text).unwrap();
        assert_eq!(list["kind"], "List");
        let items = list["items"].as_array().unwrap();
        let owned = items.iter().filter(|item| item["metadata"]["ownerReferences"][0]["uid"] == "thing-root");
        assert_eq!(owned.count(), 2 * OWNED);
        let kinds: std::collections::BTreeSet<_> =
            items.iter().map(|item| item["kind"].to_string()).collect();
        assert_eq!(kinds.len(), 5);
    }

    #[test]
    fn a_tree_without_its_branches_is_no_answer() {
        assert_eq!(problem("Deployment/app-0 Deployment/app-1 Deployment/app-2"), None);
        assert!(problem("Thing/root\n").is_some());
    }
}
