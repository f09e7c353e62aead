//! Where facts come from. The rest of the house cannot tell how they were fetched: a live cluster, a dump of one, or
//! the built-in demo cluster give the same snapshot.

pub mod cluster;
pub mod dump;
pub mod event_json;
mod json_meta;
pub mod pointing;
pub mod progress;
pub mod resolve;
pub mod selection;
pub mod skip;
pub mod stop;
pub mod watch_event;

use std::fmt;
use std::path::PathBuf;

use tokio::sync::mpsc::Sender;

use cluster::Cluster;
use dump::Dump;
use progress::Progress;
use selection::{Discovered, Look, Named, Selection};
use stop::Stop;
use watch_event::{WatchMessage, WatchTarget};

use crate::connection::Target;
use crate::error::Failure;
use crate::model::kind::Kind;
use crate::model::snapshot::{FetchPlan, Snapshot};

/// Who watches a long read: told what is slow, and able to end it.
#[derive(Clone, Debug, Default)]
pub struct ReadContext {
    pub progress: Progress,
    pub stop: Stop,
}

/// Where a call was told to look.
pub struct SourceSpec {
    pub target: Target,
    /// Something other than a cluster.
    pub from: Option<From>,
}

/// A source other than a cluster.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum From {
    /// Everything that `--from` names, read as one dump.
    Dump(Vec<DumpInput>),
    /// The built-in demo cluster.
    Demo,
}

/// What one `--from` names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DumpInput {
    /// A file, a folder or an archive.
    Path(PathBuf),
    Stdin,
}

impl fmt::Display for From {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Dump(inputs) => {
                let names: Vec<String> = inputs.iter().map(ToString::to_string).collect();
                f.write_str(&names.join(", "))
            }
            Self::Demo => f.write_str("the built-in demo cluster"),
        }
    }
}

impl fmt::Display for DumpInput {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Path(path) => path.display().fmt(f),
            Self::Stdin => f.write_str("standard input"),
        }
    }
}

/// Something that can be asked.
pub enum Source {
    Cluster(Box<Cluster>),
    Dump {
        dump: Box<Dump>,
        /// What it is called, for a person.
        name: String,
        namespace: String,
    },
}

impl Source {
    /// Finds what `spec` means. A cluster is not asked anything yet; a dump is read.
    pub async fn open(spec: &SourceSpec) -> Result<Self, Failure> {
        let Some(from) = &spec.from else {
            return Cluster::connect(&spec.target).await.map(|cluster| Self::Cluster(Box::new(cluster)));
        };
        let dump = Dump::open(from)?;
        let namespace = spec.target.namespace.clone().unwrap_or_else(|| dump.namespace().to_owned());
        Ok(Self::Dump { dump: Box::new(dump), name: from.to_string(), namespace })
    }

    /// Its name, for a person who waits for it.
    pub fn name(&self) -> &str {
        match self {
            Self::Cluster(cluster) => cluster.server(),
            Self::Dump { name, .. } => name,
        }
    }

    /// The namespace that is meant when none is named.
    pub fn namespace(&self) -> &str {
        match self {
            Self::Cluster(cluster) => cluster.namespace(),
            Self::Dump { namespace, .. } => namespace,
        }
    }

    /// How far its clock is ahead of this machine's, where that is worth a word.
    pub fn skew(&self) -> Option<jiff::SignedDuration> {
        match self {
            Self::Cluster(cluster) => cluster.skew(),
            Self::Dump { .. } => None,
        }
    }

    /// Which kinds there are.
    pub async fn discover(&self) -> Result<Discovered, Failure> {
        match self {
            Self::Cluster(cluster) => cluster.discover().await,
            Self::Dump { dump, .. } => Ok(dump.discovered()),
        }
    }

    /// The first look: the roots whole, and of the rest what could hang below them.
    pub async fn sweep(
        &self,
        discovered: &Discovered,
        wanted: &[Selection],
        look: Look<'_>,
        context: &ReadContext,
    ) -> Result<Snapshot, Failure> {
        match self {
            Self::Cluster(cluster) => cluster.sweep(discovered, wanted, look, context).await,
            Self::Dump { dump, .. } => dump.sweep(discovered, wanted, &look),
        }
    }

    /// A further look, at what the first one showed to matter.
    pub async fn fetch(&self, snapshot: &mut Snapshot, fetch_plan: &FetchPlan, context: &ReadContext) {
        match self {
            Self::Cluster(cluster) => cluster.fetch(snapshot, fetch_plan, context).await,
            Self::Dump { dump, .. } => dump.fetch(snapshot, fetch_plan),
        }
    }

    /// Adds the events about some objects, by their places in the snapshot. Places that may not be read are gaps.
    pub async fn events(&self, snapshot: &mut Snapshot, about: &[usize], context: &ReadContext) {
        match self {
            Self::Cluster(cluster) => cluster.events(snapshot, about, context).await,
            Self::Dump { dump, .. } => dump.events(snapshot, about),
        }
    }

    /// Watches a place and tells what happens there after the last look at it, until nobody listens. Only a cluster
    /// changes.
    pub async fn watch(&self, place: WatchTarget, post: Sender<WatchMessage>) {
        match self {
            Self::Cluster(cluster) => cluster.watch(place, post).await,
            Self::Dump { .. } => {}
        }
    }

    /// What time it is there at this very moment.
    pub fn now(&self) -> jiff::Timestamp {
        match self {
            Self::Cluster(cluster) => cluster.now(),
            Self::Dump { dump, .. } => dump.now(),
        }
    }

    /// Adds the columns that the kind's author chose to show of the roots.
    pub async fn print(&self, snapshot: &mut Snapshot, wanted: &[Selection]) {
        for wanted in wanted {
            match self {
                Self::Cluster(cluster) => cluster.print(snapshot, wanted).await,
                Self::Dump { dump, .. } => dump.print(snapshot, wanted),
            }
        }
    }

    /// The objects of a kind, for a hint or a choice; none when they cannot be listed.
    pub async fn names(&self, kind: &Kind, namespace: Option<&str>) -> Vec<Named> {
        match self {
            Self::Cluster(cluster) => cluster.names(kind, namespace).await,
            Self::Dump { dump, .. } => dump.names(kind),
        }
    }
}
