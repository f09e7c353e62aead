//! An open source whose kinds were discovered. It can be read any number of times.

use std::collections::BTreeSet;
use std::panic;
use std::sync::Arc;

use tokio::sync::mpsc::Sender;

use super::cluster::Cluster;
use super::dump::Dump;
use super::query::Query;
use super::selection::{Discovered, NamespacedName, Selection};
use super::watch_event::{WatchMessage, WatchTarget};
use super::{ReadContext, SourceSpec};
use crate::error::Failure;
use crate::model::fetch_plan::{FetchAttempts, FetchPlan, Inspection};
use crate::model::gap::{Gap, Reason};
use crate::model::kind::Kind;
use crate::model::log::{LogReading, LogRequest};
use crate::model::snapshot::Snapshot;

/// The maximum number of rounds of reading what an inspection still needs.
const MAX_ROUNDS: usize = 40;

/// An open source.
pub struct Session {
    source: Source,
    discovered: Discovered,
}

/// Where a session reads from.
enum Source {
    Cluster(Box<Cluster>),
    Dump { dump: Box<Dump>, name: String, namespace: Option<String> },
}

/// A snapshot, and what was tried to complete it.
pub struct Reading {
    pub snapshot: Snapshot,
    pub attempts: FetchAttempts,
}

impl Source {
    async fn open(spec: &SourceSpec, context: &ReadContext) -> Result<Self, Failure> {
        let Some(from) = &spec.from else {
            let cluster = Cluster::connect(&spec.target).await?.with_memory(spec.memory.clone());
            return Ok(Self::Cluster(Box::new(cluster)));
        };
        // On a thread that may block: a pipe may never be written to, and Ctrl-C is still handled.
        let (inputs, memory, cancel) = (from.clone(), spec.memory.clone(), context.cancel.clone());
        let opened = tokio::task::spawn_blocking(move || Dump::open(&inputs, &memory, &cancel)).await;
        let dump = opened.unwrap_or_else(|ended| panic::resume_unwind(ended.into_panic()))?;
        let namespace = spec.target.namespace.clone();
        Ok(Self::Dump { dump: Box::new(dump), name: from.to_string(), namespace })
    }

    fn name(&self) -> &str {
        match self {
            Self::Cluster(cluster) => cluster.server(),
            Self::Dump { name, .. } => name,
        }
    }
}

impl Session {
    /// Connects to the cluster, or reads the dump, and discovers the kinds it serves.
    pub async fn open(spec: &SourceSpec, context: &ReadContext) -> Result<Self, Failure> {
        let source = Source::open(spec, context).await?;
        let discovered = match &source {
            Source::Cluster(cluster) => {
                context.progress.track(source.name().to_owned(), cluster.discover()).await?
            }
            Source::Dump { dump, .. } => dump.discovered(),
        };
        Ok(Self { source, discovered })
    }

    /// The kinds that are served.
    pub fn kinds(&self) -> &Arc<[Arc<Kind>]> {
        &self.discovered.kinds
    }

    /// What could not be discovered.
    pub fn discovery_gaps(&self) -> &[Gap] {
        &self.discovered.gaps
    }

    /// The parts of a dump that cannot be read.
    pub fn unreadable_parts(&self) -> impl Iterator<Item = &Gap> {
        self.discovered.gaps.iter().filter(|gap| gap.reason == Reason::Broken)
    }

    /// The namespace that is read by default; `None` for all namespaces, in which a dump is read without `-n`.
    pub fn namespace(&self) -> Option<&str> {
        match &self.source {
            Source::Cluster(cluster) => Some(cluster.namespace()),
            Source::Dump { namespace, .. } => namespace.as_deref(),
        }
    }

    /// The namespaces in which a dump has objects of a kind, sorted; those with a name, if given. A cluster is not asked.
    pub fn namespaces_in_dump(&self, kind: &Kind, name: Option<&str>) -> Vec<String> {
        let Source::Dump { dump, .. } = &self.source else { return Vec::new() };
        let found = dump.names(kind).into_iter();
        let found = found.filter(|found| name.is_none_or(|name| found.name == name));
        let namespaces: BTreeSet<String> = found.map(|found| found.namespace).collect();
        namespaces.into_iter().filter(|namespace| !namespace.is_empty()).collect()
    }

    /// How far the server's clock is ahead of the local one; `None` if the difference is small.
    pub fn skew(&self) -> Option<jiff::SignedDuration> {
        match &self.source {
            Source::Cluster(cluster) => cluster.skew(),
            Source::Dump { .. } => None,
        }
    }

    /// The source's time at this moment.
    pub fn now(&self) -> jiff::Timestamp {
        match &self.source {
            Source::Cluster(cluster) => cluster.now(),
            Source::Dump { dump, .. } => dump.now(),
        }
    }

    /// The warnings that the server sent with its responses so far, each once.
    pub fn warnings(&self) -> Vec<String> {
        match &self.source {
            Source::Cluster(cluster) => cluster.warnings(),
            Source::Dump { .. } => Vec::new(),
        }
    }

    /// Reads the roots and what the query lists. What cannot be read is a gap; only a required root is an error.
    pub async fn read(&self, query: &Query<'_>, context: &ReadContext) -> Result<Reading, Failure> {
        let snapshot = match &self.source {
            Source::Cluster(cluster) => cluster.read_query(&self.discovered, query, context).await?,
            Source::Dump { dump, .. } => dump.read_query(&self.discovered, query)?,
        };
        Ok(Reading { snapshot, attempts: FetchAttempts::default() })
    }

    /// Inspects a reading and reads what is missing, until the report is complete, nothing more can be read, or the
    /// user cancels.
    pub async fn complete<R>(
        &self,
        reading: &mut Reading,
        context: &ReadContext,
        inspect: &(impl Fn(&Snapshot, &FetchAttempts) -> Inspection<R> + ?Sized),
    ) -> Option<R> {
        for round in 0..=MAX_ROUNDS {
            if round == MAX_ROUNDS || context.cancel.is_cancelled() {
                reading.attempts.exhaust();
            }
            match inspect(&reading.snapshot, &reading.attempts) {
                Inspection::Complete(report) => return Some(report),
                Inspection::Missing(plan) => self.fetch(reading, &plan, context).await,
            }
        }
        None
    }

    async fn fetch(&self, reading: &mut Reading, plan: &FetchPlan, context: &ReadContext) {
        reading.attempts.record(plan, &reading.snapshot);
        match &self.source {
            Source::Cluster(cluster) => cluster.fetch(&mut reading.snapshot, plan, context).await,
            Source::Dump { dump, .. } => dump.fetch(&mut reading.snapshot, plan),
        }
        let log = async {
            match &plan.log {
                Some(request) => Some(self.read_log(request, context).await),
                None => None,
            }
        };
        let events = async {
            if let Some(about) = &plan.events {
                self.read_events(&mut reading.snapshot, about, context).await;
            }
        };
        let (log, ()) = tokio::join!(log, events);
        if log.is_some() {
            reading.snapshot.log = log;
        }
    }

    async fn read_log(&self, request: &LogRequest, context: &ReadContext) -> LogReading {
        let result = match &self.source {
            Source::Cluster(cluster) => cluster.log(request, context).await,
            Source::Dump { dump, .. } => dump.log(request),
        };
        LogReading { request: request.clone(), result }
    }

    async fn read_events(&self, snapshot: &mut Snapshot, about: &[usize], context: &ReadContext) {
        match &self.source {
            Source::Cluster(cluster) => cluster.events(snapshot, about, context).await,
            Source::Dump { dump, .. } => dump.events(snapshot, about),
        }
    }

    /// Adds the printer columns of the roots.
    pub async fn read_columns(&self, snapshot: &mut Snapshot, roots: &[Selection]) {
        for selection in roots {
            match &self.source {
                Source::Cluster(cluster) => cluster.read_printer_columns(snapshot, selection).await,
                Source::Dump { dump, .. } => dump.print(snapshot, selection),
            }
        }
    }

    /// The objects of a kind, for a hint or a prompt; empty if they cannot be listed.
    pub async fn names(&self, kind: &Kind, namespace: Option<&str>) -> Vec<NamespacedName> {
        match &self.source {
            Source::Cluster(cluster) => cluster.names(kind, namespace).await,
            Source::Dump { dump, .. } => dump.names(kind),
        }
    }

    /// Watches a target from its last list on and sends its events until the receiver is dropped. A dump never
    /// changes.
    pub async fn watch(&self, target: WatchTarget, sender: Sender<WatchMessage>) {
        match &self.source {
            Source::Cluster(cluster) => cluster.watch(target, sender).await,
            Source::Dump { .. } => {}
        }
    }
}
