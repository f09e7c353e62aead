//! Dumps of every form, valid and broken.
//!
//! | to find                                          | look in             |
//! |--------------------------------------------------|---------------------|
//! | every form in which kubectl prints objects       | `shapes.rs`         |
//! | what kubectl reads, compared with kubectl itself | `kubectl.rs`        |
//! | folders and archives, as tools write them        | `folders.rs`, `archives.rs` |
//! | old versions and groups                          | `old_versions.rs`   |
//! | broken and hostile input                         | `hostile.rs`        |
//! | finding objects in JSON text                     | `json_scanner.rs`   |
//! | what a dump does not contain                     | `gaps.rs`           |

mod archives;
mod folders;
mod gaps;
mod hostile;
mod json_scanner;
mod kubectl;
mod old_versions;
mod shapes;

use std::path::Path;

use serde_json::{Value, json};
use tokio_util::sync::CancellationToken;

use super::{Dump, DumpEntry};
use crate::error::Failure;
use crate::model::coverage::Scope;
use crate::model::gap::Gap;
use crate::model::memory::MemoryBudget;
use crate::source::{DumpInput, From};

/// Reads bytes as from standard input.
fn stream(bytes: &[u8]) -> Result<Dump, Failure> {
    Dump::from_bytes("standard input", bytes)
}

/// Reads text that contains at least one object.
fn dump(text: &str) -> Dump {
    stream(text.as_bytes()).unwrap()
}

fn open(path: &Path) -> Result<Dump, Failure> {
    open_all(&[path])
}

/// Reads several paths as one dump.
fn open_all(paths: &[&Path]) -> Result<Dump, Failure> {
    let inputs = paths.iter().map(|path| DumpInput::Path(path.to_path_buf())).collect();
    Dump::open(&From::Dump(inputs), &MemoryBudget::default(), &CancellationToken::new())
}

/// `kind.group/namespace/name` of all entries.
fn names(dump: &Dump) -> Vec<String> {
    let name = |entry: &DumpEntry| {
        let name = &entry.meta.name;
        format!("{}/{}/{}", entry.kind.full_name(), name.namespace.as_deref().unwrap_or_default(), name.name)
    };
    dump.entries().iter().map(name).collect()
}

/// The read errors: where they are, and their messages.
fn broken(dump: &Dump) -> Vec<String> {
    dump.discovered().gaps.iter().map(|gap| format!("{}: {}", gap.what(), gap.message)).collect()
}

/// The resources that are missing in a namespace.
fn missing(dump: &Dump, namespace: &str) -> Vec<String> {
    dump.missing(&Scope::Namespace(namespace.to_owned())).iter().map(Gap::what).collect()
}

fn config_map(name: &str) -> Value {
    json!({
        "apiVersion": "v1", "kind": "ConfigMap",
        "metadata": {
            "name": name, "namespace": "shop", "uid": format!("uid-{name}"), "resourceVersion": "7",
            "creationTimestamp": "2026-01-02T03:04:05Z",
        },
        "data": {"text": "a \"quoted\" } ] text\nof two lines: \u{e9}"},
    })
}

fn list(items: &[Value]) -> Value {
    json!({"apiVersion": "v1", "items": items, "kind": "List", "metadata": {"resourceVersion": ""}})
}
