//! What containers write: files that kwok serves as a kubelet does, chosen by the name of the container.

use std::fs;
use std::path::Path;

use anyhow::{Context as _, Result};
use serde_json::{Value, json};

/// The container whose log has everything that must not reach a terminal.
pub const ODD: &str = "odd";
/// The container whose logs are gone.
pub const ROTATED: &str = "rotated";

/// The logs of a container.
struct PodLog {
    /// Empty for every container that is not listed.
    container: &'static str,
    current: &'static [&'static [u8]],
    previous: &'static [&'static [u8]],
}

const LOGS: &[PodLog] = &[
    PodLog {
        container: "nginx",
        current: &[b"worker process 31 exited on signal 9"],
        previous: &[
            b"/docker-entrypoint.sh: /docker-entrypoint.d/ is not empty, will attempt to perform configuration",
            b"/docker-entrypoint.sh: Looking for shell scripts in /docker-entrypoint.d/",
            b"/docker-entrypoint.sh: Launching /docker-entrypoint.d/10-listen-on-ipv6-by-default.sh",
            b"10-listen-on-ipv6-by-default.sh: info: /etc/nginx/conf.d/default.conf differs from the packaged version",
            b"/docker-entrypoint.sh: Configuration complete; ready for start up",
            b"nginx: [emerg] invalid number of arguments in \"listen\" directive in /etc/nginx/conf.d/default.conf:3",
        ],
    },
    PodLog {
        container: ODD,
        current: &[],
        previous: &[
            b"\x1b[31mred\x1b[0m and over\rwritten",
            b"\tindented",
            b"not text: \xff\xfe\x00",
            b"reversed \xe2\x80\xaetxet",
        ],
    },
    PodLog { container: "", current: &[b"the current run"], previous: &[b"the previous run"] },
];

/// Writes the files below `folder`, and returns the configuration by which kwok serves them.
pub(crate) fn lay_out(folder: &Path) -> Result<Value> {
    let folder = folder.join("pod-logs");
    fs::create_dir(&folder).with_context(|| format!("failed to make {}", folder.display()))?;
    let mut logs = Vec::new();
    for PodLog { container, current, previous } in LOGS {
        let write = |run: &str, lines: &[&[u8]]| -> Result<String> {
            let path = folder.join(format!("{container}.{run}.log"));
            fs::write(&path, runtime_format(lines))
                .with_context(|| format!("failed to write {}", path.display()))?;
            Ok(path.display().to_string())
        };
        let mut previous = previous.to_vec();
        let endless = vec![b'x'; 5000];
        if *container == ODD {
            previous.push(&endless);
        }
        let mut log = json!({"logsFile": write("current", current)?, "previousLogsFile": write("previous", &previous)?});
        if !container.is_empty() {
            log["containers"] = json!([container]);
        }
        logs.push(log);
    }
    let gone = folder.join("gone").display().to_string();
    logs.push(json!({"containers": [ROTATED], "logsFile": gone, "previousLogsFile": gone}));
    Ok(json!({
        "apiVersion": "kwok.x-k8s.io/v1alpha1", "kind": "ClusterLogs", "metadata": {"name": "lab"},
        "spec": {"logs": logs},
    }))
}

/// Lines as a container runtime writes them: time, stream, whether the line is complete, text.
fn runtime_format(lines: &[&[u8]]) -> Vec<u8> {
    let line = |text: &&[u8]| [b"2026-11-02T07:19:10.000000000Z stderr F ".as_slice(), text, b"\n"].concat();
    lines.iter().flat_map(line).collect()
}
