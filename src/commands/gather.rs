//! From the resources on the command line to a complete reading: the steps that all commands share.

use std::sync::Arc;

use super::context::CommandContext;
use super::object::{ResourceArg, not_found};
use crate::error::{Failure, FailureKind};
use crate::inspect::Inspected;
use crate::known::kinds::{is_custom, is_worth_listing};
use crate::model::age;
use crate::model::coverage::Scope;
use crate::model::fetch_plan::{FetchAttempts, Inspection};
use crate::model::kind::{Kind, KindScope};
use crate::model::object::Detail;
use crate::model::selector::Selector;
use crate::model::snapshot::Snapshot;
use crate::source::ReadContext;
use crate::source::query::{FilterOfRoots, Freshness, KeepRule, KindSet, Query};
use crate::source::selection::{Select, Selection};
use crate::source::session::{Reading, Session};
use crate::ui::Ui;

/// What a command reads.
pub(super) struct ReadRequest<'a> {
    pub(super) named: &'a [ResourceArg],
    pub(super) namespaces: Namespaces,
    pub(super) extent: Extent,
    pub(super) selector: Selector,
    pub(super) candidates: &'a FilterOfRoots<'a>,
    pub(super) columns: PrinterColumns,
}

/// Which namespaces are searched.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Namespaces {
    /// The namespace of the object; all namespaces for a cluster-scoped one.
    Own,
    /// `-A`
    All,
}

impl Namespaces {
    pub(super) const fn of_flag(all_namespaces: bool) -> Self {
        if all_namespaces { Self::All } else { Self::Own }
    }
}

/// What is read besides the requested objects.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Extent {
    /// Everything that could belong to them.
    Trees,
    /// Nothing; no other kind is listed.
    Roots,
}

/// Whether the printer columns of the roots are read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum PrinterColumns {
    Read,
    Skipped,
}

/// A session and the selected roots, ready to be read once or repeatedly.
pub(super) struct Prepared<'a> {
    pub(super) context: &'a CommandContext<'a>,
    pub(super) session: &'a Session,
    pub(super) request: &'a ReadRequest<'a>,
    pub(super) roots: Vec<Selection>,
    scope: Scope,
}

impl<'a> Prepared<'a> {
    /// Resolves the resources on the command line.
    pub(super) fn new(
        context: &'a CommandContext<'a>,
        session: &'a Session,
        request: &'a ReadRequest<'a>,
        ui: &mut Ui,
    ) -> Result<Self, Failure> {
        let mut roots = Vec::new();
        for named in request.named {
            let found = named.find(session, context.spec, context.command)?;
            for other in &found.also {
                ui.note(&format!(
                    "\"{}\" is ambiguous: using {}, not {other}",
                    named.kind,
                    found.kind.full_name()
                ));
            }
            roots.push(selection(request, named, session, &found.kind));
        }
        if request.named.is_empty() {
            roots = every_custom_kind(request, session);
        }
        let scope = scope(request, &roots);
        Ok(Self { context, session, request, roots, scope })
    }

    /// Reads the roots, and the metadata of everything that could belong to them.
    pub(super) async fn read(&self, context: &ReadContext) -> Result<Reading, Failure> {
        let kinds = match self.request.extent {
            Extent::Trees => KindSet::WorthListing,
            Extent::Roots => KindSet::None,
        };
        let query = Query {
            roots: &self.roots,
            kinds,
            scope: self.scope.clone(),
            keep: KeepRule::Related(self.request.candidates),
            detail: Detail::Metadata,
            freshness: Freshness::Cached,
        };
        match self.session.read(&query, context).await {
            Err(failure) if failure.kind() == FailureKind::NotFound => Err(self.absent(failure).await),
            read => read,
        }
    }

    /// Reads what `inspect` still needs, until its report is complete.
    pub(super) async fn complete<R>(
        &self,
        reading: &mut Reading,
        context: &ReadContext,
        inspect: &(impl Fn(&Snapshot, &FetchAttempts) -> Inspection<Inspected<R>> + ?Sized),
    ) -> Result<Inspected<R>, Failure> {
        let report = self.session.complete(reading, context, inspect).await;
        report.ok_or_else(|| Failure::new(FailureKind::Server, "the cluster is changing too fast to be read"))
    }

    /// Reads the printer columns of the roots, if they are requested.
    pub(super) async fn read_columns(&self, reading: &mut Reading) {
        if self.request.columns == PrinterColumns::Read {
            // For built-in kinds the health rules say more than the printer columns.
            let custom: Vec<Selection> =
                self.roots.iter().filter(|root| is_custom(&root.kind)).cloned().collect();
            self.session.read_columns(&mut reading.snapshot, &custom).await;
        }
    }

    /// Prints a note if the clocks differ.
    pub(super) fn note_skew(&self, ui: &mut Ui) {
        if let Some(skew) = self.session.skew() {
            let direction = if skew.is_negative() { "behind" } else { "ahead of" };
            let by = age::human(skew.abs());
            ui.note(&format!(
                "the server's clock is {by} {direction} this computer's; ages are based on the server's clock"
            ));
        }
    }

    /// Prints a note, in kubectl's words, that no objects were found.
    pub(super) fn note_nothing_found(&self, ui: &mut Ui) {
        let place = self.scope.namespace().map(|namespace| format!(" in {namespace} namespace"));
        ui.note(&format!("No resources found{}.", place.unwrap_or_default()));
    }

    /// Names the object that does not exist, with existing ones as a hint.
    async fn absent(&self, failure: Failure) -> Failure {
        for root in &self.roots {
            let Select::Named(name) = &root.objects else { continue };
            let others = self.session.names(&root.kind, root.namespace.as_deref()).await;
            let exists = others.iter().any(|one| {
                one.name == *name
                    && root.namespace.as_ref().is_none_or(|namespace| *namespace == one.namespace)
            });
            if !exists {
                return not_found(&others, root, self.context.spec, self.context.command);
            }
        }
        failure
    }
}

/// Reads once, and completes the report of `inspect`.
pub(super) fn gather<R>(
    prepared: &Prepared<'_>,
    ui: &mut Ui,
    inspect: impl Fn(&Snapshot, &FetchAttempts) -> Inspection<Inspected<R>>,
) -> Result<R, Failure> {
    let context = &prepared.context.read;
    let inspected = prepared.context.run_with_progress(ui, async {
        let reading = prepared.read(context).await?;
        // Never dropped: the process exits after this report, and freeing thousands of objects would take a tenth of
        // the run time.
        let mut reading = std::mem::ManuallyDrop::new(reading);
        prepared.read_columns(&mut reading).await;
        prepared.complete(&mut reading, context, &inspect).await
    })?;
    prepared.note_skew(ui);
    Ok(inspected.report)
}

/// The failure of a command whose only object was deleted meanwhile.
pub(super) fn deleted_meanwhile() -> Failure {
    Failure::new(FailureKind::Server, "the object was deleted while it was being read")
}

fn selection(
    request: &ReadRequest<'_>,
    named: &ResourceArg,
    session: &Session,
    kind: &Arc<Kind>,
) -> Selection {
    let own = || named.namespace.clone().unwrap_or_else(|| session.namespace().to_owned());
    let (objects, everywhere) = match &named.name {
        Some(name) => (Select::Named(name.clone()), false),
        None => (Select::Matching(request.selector.clone()), request.namespaces == Namespaces::All),
    };
    let namespace = (kind.scope == KindScope::Namespaced && !everywhere).then(own);
    Selection { kind: Arc::clone(kind), namespace, objects, optional: false }
}

/// Selects every custom resource in the namespace or the cluster, if the command line names none.
fn every_custom_kind(request: &ReadRequest<'_>, session: &Session) -> Vec<Selection> {
    let everywhere = request.namespaces == Namespaces::All;
    let fits = |kind: &&Arc<Kind>| {
        is_custom(kind) && is_worth_listing(kind) && (everywhere || kind.scope == KindScope::Namespaced)
    };
    let selection = |kind: &Arc<Kind>| Selection {
        kind: Arc::clone(kind),
        namespace: (!everywhere).then(|| session.namespace().to_owned()),
        objects: Select::Matching(request.selector.clone()),
        optional: true,
    };
    session.kinds().iter().filter(fits).map(selection).collect()
}

/// One namespace if all roots are in it, else the whole cluster.
fn scope(request: &ReadRequest<'_>, roots: &[Selection]) -> Scope {
    let mut namespaces = roots.iter().map(|root| root.namespace.as_ref());
    match (namespaces.next(), request.namespaces) {
        (Some(Some(first)), Namespaces::Own) if namespaces.all(|namespace| namespace == Some(first)) => {
            Scope::Namespace(first.clone())
        }
        _ => Scope::Cluster,
    }
}
