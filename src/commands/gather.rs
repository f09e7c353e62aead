//! From the resources on the command line to a complete reading: the steps that all commands share.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::context::CommandContext;
use super::object::{ResourceArg, ambiguous, not_found, unreadable};
use super::source_flags::source_flags;
use crate::error::{Failure, FailureKind};
use crate::inspect::Inspected;
use crate::known::kinds::{is_custom, is_worth_listing};
use crate::model::age;
use crate::model::coverage::Scope;
use crate::model::fetch_plan::{FetchAttempts, Inspection};
use crate::model::kind::{Kind, KindScope};
use crate::model::object::Detail;
use crate::model::plural::counted;
use crate::model::selector::Selector;
use crate::model::snapshot::Snapshot;
use crate::source::ReadContext;
use crate::source::query::{FilterOfRoots, Freshness, KeepRule, KindSet, Query};
use crate::source::selection::{NamespacedName, Select, Selection};
use crate::source::session::{Reading, Session};
use crate::ui::Ui;
use crate::ui::quote::join_words;

/// How many namespaces a hint names.
const MAX_NAMESPACES: usize = 5;

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
    /// Resolves the resources on the command line, and notes which of them are ambiguous.
    pub(super) fn new(
        context: &'a CommandContext<'a>,
        session: &'a Session,
        request: &'a ReadRequest<'a>,
        ui: &mut Ui,
    ) -> Result<Self, Failure> {
        let (prepared, notes) = Self::resolve(context, session, request)?;
        for note in notes {
            ui.note(&note);
        }
        Ok(prepared)
    }

    /// Resolves the resources on the command line. Returns notes on those that are ambiguous.
    pub(super) fn resolve(
        context: &'a CommandContext<'a>,
        session: &'a Session,
        request: &'a ReadRequest<'a>,
    ) -> Result<(Self, Vec<String>), Failure> {
        let (mut roots, mut notes) = (Vec::new(), Vec::new());
        for named in request.named {
            let found = named.find(session, context.spec, context.command)?;
            for other in &found.also {
                notes.push(format!(
                    "\"{}\" is ambiguous: using {}, not {other}",
                    named.kind,
                    found.kind.full_name()
                ));
            }
            named.check_namespace(&found.kind, context.spec)?;
            let root = selection(request, named, session, &found.kind);
            roots.push(located(root, context, session)?);
        }
        if request.named.is_empty() {
            roots = every_custom_kind(request, session);
        }
        let scope = scope(request, &roots);
        Ok((Self { context, session, request, roots, scope }, notes))
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

    /// Prints a note, in kubectl's words, that no objects were found, and where there are some. If parts of a dump cannot be
    /// read, nobody knows.
    pub(super) fn report_nothing_found(&self, ui: &mut Ui) -> Result<(), Failure> {
        let spec = self.context.spec;
        let place = self.scope.namespace().map(|namespace| format!(" in {namespace} namespace"));
        let source = if spec.from.is_some() { format!(" in {}", spec.described()) } else { String::new() };
        let words = format!("{}{source}", place.unwrap_or_default());
        if let Some(failure) = unreadable(&format!("no resources found{words}"), "", self.session, spec) {
            return Err(failure);
        }
        ui.note(&format!("No resources found{words}."));
        self.hint_elsewhere(ui);
        Ok(())
    }

    /// Names the namespaces that have objects of the types, if the requested one has none. A server is asked about a single
    /// type, a dump about all.
    pub(super) fn hint_elsewhere(&self, ui: &mut Ui) {
        let is_dump = self.context.spec.from.is_some();
        let asks = is_dump || (self.roots.len() == 1 && self.request.named.len() == 1);
        let Some(requested) = self.scope.namespace().filter(|_| asks && !self.context.is_interrupted())
        else {
            return;
        };
        let others = self.context.run_with_progress(ui, async {
            let mut others = Vec::new();
            for root in &self.roots {
                let list = self.session.names(&root.kind, None);
                others.extend(self.context.read.progress.track(root.kind.full_name(), list).await);
            }
            Ok(others)
        });
        let Ok(mut others) = others else { return };
        others.retain(|other| !other.namespace.is_empty() && other.namespace != requested);
        if let Some(hint) = found_elsewhere(&others, self.request.named, self.context) {
            ui.hint(&hint);
        }
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
                let spec = self.context.spec;
                let failure = not_found(&others, root, spec, self.context.command);
                return unreadable(&failure.to_string(), name, self.session, spec).unwrap_or(failure);
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
    });
    prepared.context.show_warnings(prepared.session, ui);
    let inspected = inspected?;
    prepared.note_skew(ui);
    Ok(inspected.report)
}

/// The failure of a command whose only object was deleted meanwhile.
pub(super) fn deleted_meanwhile() -> Failure {
    Failure::new(FailureKind::Server, "the object was deleted while it was being read")
}

/// `there are 3 in shop and 1 in blog: kubectl op tree websites -n shop`.
fn found_elsewhere(
    others: &[NamespacedName],
    named: &[ResourceArg],
    context: &CommandContext<'_>,
) -> Option<String> {
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for other in others {
        *counts.entry(other.namespace.as_str()).or_default() += 1;
    }
    let mut counts: Vec<(&str, usize)> = counts.into_iter().collect();
    // Most first; the sort is stable, so equal ones stay in the order of their names.
    counts.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
    let (first, _) = *counts.first()?;
    let mut parts: Vec<String> = counts
        .iter()
        .take(MAX_NAMESPACES)
        .map(|(namespace, count)| format!("{count} in {namespace}"))
        .collect();
    let more = counts.len().saturating_sub(MAX_NAMESPACES);
    if more > 0 {
        parts.push(format!("more in {}", counted(more, "other namespace")));
    }
    let are = if counts.first().is_some_and(|(_, count)| *count == 1) { "is" } else { "are" };
    let program = context.spec.target.program.split_whitespace().map(str::to_owned);
    let types = named.iter().map(|named| named.kind.as_str()).collect::<Vec<_>>().join(",");
    let call = [context.command, &types, "-n", first].into_iter().filter(|word| !word.is_empty());
    let call = call.map(str::to_owned);
    let words: Vec<String> = program.chain(call).chain(source_flags(context.spec)).collect();
    Some(format!("there {are} {}: {}", parts.join(", "), join_words(&words)))
}

fn selection(
    request: &ReadRequest<'_>,
    named: &ResourceArg,
    session: &Session,
    kind: &Arc<Kind>,
) -> Selection {
    let own = || named.namespace.clone().or_else(|| session.namespace().map(str::to_owned));
    let (objects, everywhere) = match &named.name {
        Some(name) => (Select::Named(name.clone()), false),
        None => (Select::Matching(request.selector.clone()), request.namespaces == Namespaces::All),
    };
    let namespace = (kind.scope == KindScope::Namespaced && !everywhere).then(own).flatten();
    Selection { kind: Arc::clone(kind), namespace, objects, optional: false }
}

/// Finds the namespace of an object in a dump, which is read in all namespaces without `-n`.
fn located(
    mut root: Selection,
    context: &CommandContext<'_>,
    session: &Session,
) -> Result<Selection, Failure> {
    let Select::Named(name) = &root.objects else { return Ok(root) };
    if root.namespace.is_some() || root.kind.scope == KindScope::Cluster {
        return Ok(root);
    }
    let mut namespaces = session.namespaces_in_dump(&root.kind, Some(name));
    if namespaces.len() > 1 {
        return Err(ambiguous(&root.kind, name, &namespaces, context.spec, context.command));
    }
    root.namespace = namespaces.pop();
    Ok(root)
}

/// Selects every custom resource in the namespace or the cluster, if the command line names none.
fn every_custom_kind(request: &ReadRequest<'_>, session: &Session) -> Vec<Selection> {
    let namespace = session.namespace().filter(|_| request.namespaces == Namespaces::Own);
    let everywhere = namespace.is_none();
    let fits = |kind: &&Arc<Kind>| {
        is_custom(kind) && is_worth_listing(kind) && (everywhere || kind.scope == KindScope::Namespaced)
    };
    let selection = |kind: &Arc<Kind>| Selection {
        kind: Arc::clone(kind),
        namespace: namespace.map(str::to_owned),
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
