//! From what a person named to a complete reading: the steps that every command shares.

use std::sync::Arc;

use super::call::Call;
use super::object::{Named, not_found};
use crate::error::{Failure, Kind as FailureKind};
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

/// What a command asks for.
pub(super) struct Request<'a> {
    pub(super) named: &'a [Named],
    pub(super) namespaces: Namespaces,
    pub(super) extent: Extent,
    pub(super) selector: Selector,
    pub(super) candidates: &'a FilterOfRoots<'a>,
    pub(super) columns: Columns,
}

/// Where to look.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Namespaces {
    /// The object's own; all for one that has no namespace.
    Own,
    /// `-A`
    All,
}

impl Namespaces {
    pub(super) const fn of_flag(all_namespaces: bool) -> Self {
        if all_namespaces { Self::All } else { Self::Own }
    }
}

/// How much is read beside the objects that were named.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Extent {
    /// Everything that could be below them.
    Trees,
    /// Nothing: no other kind is listed.
    Roots,
}

/// Whether printer columns are wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Columns {
    Wanted,
    NotWanted,
}

/// A session, and what was selected in it: ready to be read, once or again and again.
pub(super) struct Prepared<'a> {
    pub(super) call: &'a Call<'a>,
    pub(super) session: &'a Session,
    pub(super) request: &'a Request<'a>,
    pub(super) roots: Vec<Selection>,
    scope: Scope,
}

impl<'a> Prepared<'a> {
    /// Resolves what was named.
    pub(super) fn new(
        call: &'a Call<'a>,
        session: &'a Session,
        request: &'a Request<'a>,
        ui: &mut Ui,
    ) -> Result<Self, Failure> {
        let mut roots = Vec::new();
        for named in request.named {
            let found = named.find(session, call.spec, call.command)?;
            for other in &found.also {
                ui.note(&format!(
                    "\"{}\" also names {other}; this is {}",
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
        Ok(Self { call, session, request, roots, scope })
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

    /// Reads what `inspect` misses, until its answer is complete.
    pub(super) async fn complete<R>(
        &self,
        reading: &mut Reading,
        context: &ReadContext,
        inspect: &(impl Fn(&Snapshot, &FetchAttempts) -> Inspection<Inspected<R>> + ?Sized),
    ) -> Result<Inspected<R>, Failure> {
        let report = self.session.complete(reading, context, inspect).await;
        report.ok_or_else(|| Failure::new(FailureKind::Server, "the cluster changes too fast to be read"))
    }

    /// Reads the printer columns of the roots, if they are wanted.
    pub(super) async fn read_columns(&self, reading: &mut Reading) {
        if self.request.columns == Columns::Wanted {
            // The columns of Kubernetes' own kinds say less than their rules do.
            let custom: Vec<Selection> =
                self.roots.iter().filter(|root| is_custom(&root.kind)).cloned().collect();
            self.session.read_columns(&mut reading.snapshot, &custom).await;
        }
    }

    /// Says on stderr that the clocks differ.
    pub(super) fn note_skew(&self, ui: &mut Ui) {
        if let Some(skew) = self.session.skew() {
            let direction = if skew.is_negative() { "behind" } else { "ahead of" };
            let by = age::human(skew.abs());
            ui.note(&format!(
                "the server's clock is {by} {direction} this computer's; ages follow the server"
            ));
        }
    }

    /// Says on stderr, in kubectl's words, that there is no such object.
    pub(super) fn note_nothing_found(&self, ui: &mut Ui) {
        let place = self.scope.namespace().map(|namespace| format!(" in {namespace} namespace"));
        ui.note(&format!("No resources found{}.", place.unwrap_or_default()));
    }

    /// Which of the objects does not exist, and what else does.
    async fn absent(&self, failure: Failure) -> Failure {
        for root in &self.roots {
            let Select::Named(name) = &root.objects else { continue };
            let others = self.session.names(&root.kind, root.namespace.as_deref()).await;
            let exists = others.iter().any(|one| {
                one.name == *name
                    && root.namespace.as_ref().is_none_or(|namespace| *namespace == one.namespace)
            });
            if !exists {
                return not_found(&others, root, self.call.spec, self.call.command);
            }
        }
        failure
    }
}

/// Reads once, and completes the answer of `inspect`.
pub(super) fn gather<R>(
    prepared: &Prepared<'_>,
    ui: &mut Ui,
    inspect: impl Fn(&Snapshot, &FetchAttempts) -> Inspection<Inspected<R>>,
) -> Result<R, Failure> {
    let context = &prepared.call.context;
    let inspected = prepared.call.attend(ui, async {
        let reading = prepared.read(context).await?;
        // Never dropped: the process ends with its answer, and freeing thousands of objects one by one would take a
        // tenth of the time that a person waits.
        let mut reading = std::mem::ManuallyDrop::new(reading);
        prepared.read_columns(&mut reading).await;
        prepared.complete(&mut reading, context, &inspect).await
    })?;
    prepared.note_skew(ui);
    Ok(inspected.report)
}

/// The failure of a call whose only object is gone.
pub(super) fn deleted_meanwhile() -> Failure {
    Failure::new(FailureKind::Server, "the object was deleted while it was being read")
}

fn selection(request: &Request<'_>, named: &Named, session: &Session, kind: &Arc<Kind>) -> Selection {
    let own = || named.namespace.clone().unwrap_or_else(|| session.namespace().to_owned());
    let (objects, everywhere) = match &named.name {
        Some(name) => (Select::Named(name.clone()), false),
        None => (Select::Matching(request.selector.clone()), request.namespaces == Namespaces::All),
    };
    let namespace = (kind.scope == KindScope::Namespaced && !everywhere).then(own);
    Selection { kind: Arc::clone(kind), namespace, objects, optional: false }
}

/// Nothing was named: every custom resource, in the namespace or everywhere.
fn every_custom_kind(request: &Request<'_>, session: &Session) -> Vec<Selection> {
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

/// One namespace when everything that is asked for is there, else the whole cluster.
fn scope(request: &Request<'_>, roots: &[Selection]) -> Scope {
    let mut namespaces = roots.iter().map(|root| root.namespace.as_ref());
    match (namespaces.next(), request.namespaces) {
        (Some(Some(first)), Namespaces::Own) if namespaces.all(|namespace| namespace == Some(first)) => {
            Scope::Namespace(first.clone())
        }
        _ => Scope::Cluster,
    }
}
