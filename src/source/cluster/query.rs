//! Reads a query: the roots and, concurrently, the metadata of every kind that the query lists.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use futures_util::StreamExt as _;
use futures_util::future::{Either, select};
use futures_util::stream::FuturesUnordered;
use tokio::sync::{Notify, watch};

use super::Cluster;
use super::list::{ListPage, ListRequest};
use super::request::RequestError;
use crate::error::{Failure, FailureKind};
use crate::model::coverage::{Coverage, Scope};
use crate::model::gap::Gap;
use crate::model::ident::Uid;
use crate::model::kind::{Kind, KindScope};
use crate::model::object::{Detail, Object};
use crate::model::snapshot::Snapshot;
use crate::source::ReadContext;
use crate::source::keep::KeepFilter;
use crate::source::query::{Query, is_within};
use crate::source::selection::{Discovered, Select, Selection};

/// The maximum number of namespaces that are listed one by one.
const MAX_NAMESPACES: usize = 100;

/// Which objects to keep; known once the roots are read. Lists are requested meanwhile and wait for it.
#[derive(Clone)]
pub(super) struct PendingKeep {
    rule: watch::Receiver<Option<Arc<KeepFilter>>>,
    waiting_lists: Arc<WaitingLists>,
}

/// Lists that have been received and wait for the rule: they do not count towards the limit of concurrent requests.
#[derive(Default)]
struct WaitingLists {
    count: AtomicUsize,
    changed: Notify,
}

impl PendingKeep {
    /// A rule that does not depend on the roots.
    pub(super) fn ready(keep: KeepFilter) -> Self {
        Self::new(watch::channel(Some(Arc::new(keep))).1)
    }

    fn new(rule: watch::Receiver<Option<Arc<KeepFilter>>>) -> Self {
        Self { rule, waiting_lists: Arc::default() }
    }

    /// Whether the rule is known.
    pub(super) fn is_ready(&self) -> bool {
        self.rule.borrow().is_some()
    }

    /// Counts a list that has been received.
    pub(super) fn add_waiting(&self) {
        self.waiting_lists.count.fetch_add(1, Ordering::Relaxed);
        self.waiting_lists.changed.notify_one();
    }

    /// How many of the lists under way only wait for the rule.
    fn waiting_lists(&self) -> usize {
        if self.is_ready() { 0 } else { self.waiting_lists.count.load(Ordering::Relaxed) }
    }

    pub(super) async fn wait(&self) -> Result<Arc<KeepFilter>, RequestError> {
        let mut pending = self.rule.clone();
        // Succeeds on a closed channel if it contains a rule.
        let keep = pending.wait_for(Option::is_some).await.map_err(|_| RequestError::interrupted())?;
        keep.clone().ok_or_else(RequestError::interrupted)
    }
}

/// The objects of one selection.
struct SelectionObjects {
    objects: Vec<Object>,
    /// A version that could not be read.
    gap: Option<Gap>,
}

/// The options of all lists of a query.
struct ListOptions<'a> {
    kinds: &'a [Arc<Kind>],
    keep: &'a PendingKeep,
    query: &'a Query<'a>,
    context: &'a ReadContext,
}

impl ListOptions<'_> {
    /// How much of the objects of a kind is read.
    fn detail(&self, kind: &Kind) -> Detail {
        let least = if self.query.may_attach(kind) { Detail::Whole } else { Detail::Metadata };
        self.query.detail.max(least)
    }
}

/// One list.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct KindInNamespace {
    /// The index of the kind.
    kind: usize,
    namespace: Option<String>,
}

/// The results of all lists.
#[derive(Default)]
struct ListResults {
    /// By the kind's index.
    pages: Vec<(usize, Arc<Kind>, ListPage)>,
    gaps: Vec<Gap>,
    /// Kinds that may not be listed in all namespaces at once, with the gap for each.
    forbidden_everywhere: Vec<(usize, Gap)>,
}

impl Cluster {
    /// Reads a query. What cannot be read is a gap; only a required root is an error.
    pub async fn read_query(
        &self,
        discovered: &Discovered,
        query: &Query<'_>,
        context: &ReadContext,
    ) -> Result<Snapshot, Failure> {
        let scope = &query.scope;
        let kinds = query.kinds.select(&discovered.kinds);
        let (sender, receiver) = watch::channel(None);
        let roots = std::pin::pin!(async {
            let roots = self.read_roots(query.roots, context).await?;
            sender.send_replace(Some(Arc::new(query.keep.resolve(&roots.0, &discovered.kinds))));
            Ok::<_, Failure>(roots)
        });
        let keep = PendingKeep::new(receiver);
        // A kind that is read completely for the roots is not listed again.
        let is_covered = |kind: &Arc<Kind>| query.roots.iter().any(|root| root.covers(kind, scope));
        let listed: Vec<Arc<Kind>> = kinds.iter().filter(|kind| !is_covered(kind)).cloned().collect();
        let lists = ListOptions { kinds: &listed, keep: &keep, query, context };
        let lists = std::pin::pin!(self.list_all(&lists, scope));
        // If a root does not exist, the lists are not awaited.
        let ((roots, missed), results) = match select(roots, lists).await {
            Either::Left((roots, lists)) => (roots?, lists.await),
            Either::Right((results, roots)) => (roots.await?, results),
        };
        let kind_count = match kinds.iter().filter(|kind| is_within(kind, scope)).count() {
            0 => query.roots.iter().map(|root| root.kind.full_name()).collect::<HashSet<_>>().len(),
            count => count,
        };
        let mut coverage = Coverage {
            kinds: kind_count,
            scope: scope.clone(),
            now: self.clock.first(),
            ..Coverage::default()
        };
        coverage.add_gaps(results.gaps.into_iter().chain(missed).chain(discovered.gaps.iter().cloned()));
        let mut snapshot = Snapshot { kinds: Arc::clone(&discovered.kinds), coverage, ..Snapshot::default() };
        for root in roots.iter().filter(|root| is_covered(&root.kind)) {
            *snapshot.counts.entry(root.kind.full_name()).or_default() += 1;
        }
        snapshot.roots = roots.iter().map(|root| root.meta.uid.clone()).collect();
        snapshot.objects = roots;
        add_pages(&mut snapshot, results.pages);
        Ok(snapshot)
    }

    /// Reads the roots. A named object must exist; an optional kind that cannot be listed is a gap.
    async fn read_roots(
        &self,
        selections: &[Selection],
        context: &ReadContext,
    ) -> Result<(Vec<Object>, Vec<Gap>), Failure> {
        let reads = selections
            .iter()
            .map(|selection| async move { (selection, self.read_selection(selection, context).await) });
        let mut reads = futures_util::stream::iter(reads).buffered(self.max_concurrent());
        let (mut roots, mut gaps) = (Vec::new(), Vec::new());
        loop {
            let read = tokio::select! {
                biased;
                () = context.cancel.cancelled() => {
                    return Err(Failure::new(FailureKind::Interrupted, "interrupted"));
                }
                read = reads.next() => read,
            };
            match read {
                None => return Ok((roots, gaps)),
                Some((_, Ok(found))) => {
                    if roots.is_empty() {
                        roots = found.objects;
                    } else {
                        roots.extend(found.objects);
                    }
                    gaps.extend(found.gap);
                }
                Some((selection, Err(error))) if selection.optional => {
                    gaps.push(error.gap(&selection.kind, selection.namespace.as_deref(), "list"));
                }
                Some((_, Err(error))) => return Err(error.failure()),
            }
        }
    }

    async fn read_selection(
        &self,
        selection: &Selection,
        context: &ReadContext,
    ) -> Result<SelectionObjects, RequestError> {
        let (kind, namespace) = (&selection.kind, selection.namespace.as_deref());
        match &selection.objects {
            Select::Named(name) => {
                let what = format!("{}/{name}", kind.full_name());
                context.progress.track(what, self.read_any_version(kind, namespace, name)).await
            }
            Select::Matching(selector) => {
                let list = self.list_whole(kind, namespace, selector, Detail::Whole);
                let objects = context.progress.track(kind.full_name(), list).await?;
                Ok(SelectionObjects { objects, gap: None })
            }
        }
    }

    /// Reads an object in the preferred version or, if its conversion fails, in another version, with a gap for the
    /// preferred one.
    async fn read_any_version(
        &self,
        kind: &Arc<Kind>,
        namespace: Option<&str>,
        name: &str,
    ) -> Result<SelectionObjects, RequestError> {
        let error = match self.read(kind, namespace, name, Detail::Whole).await {
            Ok(root) => return Ok(SelectionObjects { objects: vec![root], gap: None }),
            Err(error) if error.is_conversion() => error,
            Err(error) => return Err(error),
        };
        for version in kind.versions.iter().filter(|version| **version != kind.version) {
            let other = Arc::new(kind.in_version(version));
            if let Ok(root) = self.read(&other, namespace, name, Detail::Whole).await {
                return Ok(SelectionObjects {
                    objects: vec![root],
                    gap: Some(error.gap(kind, namespace, "get")),
                });
            }
        }
        Err(error)
    }

    async fn list_all(&self, lists: &ListOptions<'_>, scope: &Scope) -> ListResults {
        let namespace = scope.namespace().map(str::to_owned);
        let within = lists.kinds.iter().enumerate().filter(|(_, kind)| is_within(kind, scope));
        let wanted = within.map(|(index, kind)| {
            let namespace = namespace.clone().filter(|_| !lists.query.may_attach(kind));
            KindInNamespace { kind: index, namespace }
        });
        let mut results = self.run_lists(lists, wanted.collect()).await;
        if namespace.is_some() {
            // Who may not list in all namespaces still sees what is in this one.
            let forbidden = std::mem::take(&mut results.forbidden_everywhere);
            let here = |(kind, _)| KindInNamespace { kind, namespace: namespace.clone() };
            let in_namespace = self.run_lists(lists, forbidden.into_iter().map(here).collect()).await;
            results.pages.extend(in_namespace.pages);
            results.gaps.extend(in_namespace.gaps);
        }
        if !results.forbidden_everywhere.is_empty() {
            let forbidden = std::mem::take(&mut results.forbidden_everywhere);
            let by_namespace = self.list_by_namespace(lists, forbidden).await;
            results.pages.extend(by_namespace.pages);
            results.gaps.extend(by_namespace.gaps);
        }
        // Responses arrive in any order; the snapshot must not depend on it.
        results.pages.sort_by_key(|(kind, ..)| *kind);
        results
    }

    /// For users who may list in namespaces, but not in all of them at once.
    async fn list_by_namespace(&self, lists: &ListOptions<'_>, forbidden: Vec<(usize, Gap)>) -> ListResults {
        let all = self.namespaces().await.ok().filter(|all| all.len() <= MAX_NAMESPACES);
        let are_all_known = all.is_some();
        let namespaces = all.unwrap_or_else(|| vec![self.client.default_namespace().to_owned()]);
        let each = |(kind, _): &(usize, Gap)| {
            let kind = *kind;
            namespaces
                .iter()
                .map(move |namespace| KindInNamespace { kind, namespace: Some(namespace.clone()) })
        };
        let mut results = self.run_lists(lists, forbidden.iter().flat_map(each).collect()).await;
        if !are_all_known {
            // Other namespaces may contain children too.
            results.gaps.extend(forbidden.into_iter().map(|(_, gap)| gap));
        }
        results
    }

    /// Runs lists concurrently until all are done or the user cancels.
    async fn run_lists(&self, lists: &ListOptions<'_>, wanted: Vec<KindInNamespace>) -> ListResults {
        let kinds = lists.kinds;
        let mut open: HashSet<KindInNamespace> = wanted.iter().cloned().collect();
        let list = |wanted: KindInNamespace| async move {
            let kind = &kinds[wanted.kind];
            let list = self.list_any_version(kind, wanted.namespace.as_deref(), lists);
            let response = lists.context.progress.track(kind.full_name(), list).await;
            (wanted, response)
        };
        let (mut waiting, mut responses) = (wanted.into_iter(), FuturesUnordered::new());
        let mut results = ListResults::default();
        loop {
            // Computed each time: the first responses show the latency.
            let active = responses.len().saturating_sub(lists.keep.waiting_lists());
            let room = self.max_concurrent().saturating_sub(active);
            responses.extend(waiting.by_ref().take(room).map(&list));
            let (done, response) = tokio::select! {
                biased;
                () = lists.context.cancel.cancelled() => break,
                next = responses.next() => match next {
                    Some(next) => next,
                    None => break,
                },
                // A waiting list freed a slot.
                () = lists.keep.waiting_lists.changed.notified() => continue,
            };
            let kind = &kinds[done.kind];
            match response {
                Ok((kind, page)) => results.pages.push((done.kind, kind, page)),
                Err(error)
                    if error.status == Some(403)
                        && done.namespace.is_none()
                        && kind.scope == KindScope::Namespaced =>
                {
                    results.forbidden_everywhere.push((done.kind, error.gap(kind, None, "list")));
                }
                Err(error) => results.gaps.push(error.gap(kind, done.namespace.as_deref(), "list")),
            }
            open.remove(&done);
        }
        results.gaps.extend(open.into_iter().map(|wanted| {
            RequestError::interrupted().gap(&kinds[wanted.kind], wanted.namespace.as_deref(), "list")
        }));
        results
    }

    /// Lists a kind in the preferred version or, if its conversion fails, in another version: the stored version needs
    /// no conversion webhook.
    async fn list_any_version(
        &self,
        kind: &Arc<Kind>,
        namespace: Option<&str>,
        lists: &ListOptions<'_>,
    ) -> Result<(Arc<Kind>, ListPage), RequestError> {
        let list = async |kind: &Arc<Kind>| {
            let (keep, detail, freshness) = (lists.keep, lists.detail(kind), lists.query.freshness);
            self.list(&ListRequest { kind, namespace, keep, detail, freshness }).await
        };
        let error = match list(kind).await {
            Ok(page) => return Ok((Arc::clone(kind), page)),
            Err(error) => error,
        };
        if error.is_conversion() {
            for version in kind.versions.iter().filter(|version| **version != kind.version) {
                let other = Arc::new(kind.in_version(version));
                if let Ok(page) = list(&other).await {
                    return Ok((other, page));
                }
            }
        }
        Err(error)
    }
}

/// Adds listed objects to a snapshot, each once.
fn add_pages(snapshot: &mut Snapshot, pages: Vec<(usize, Arc<Kind>, ListPage)>) {
    let mut known: HashSet<Uid> = snapshot.roots.iter().cloned().collect();
    // Thousands of objects are moved once, not each time the memory grows.
    snapshot.objects.reserve_exact(pages.iter().map(|(.., page)| page.items.len()).sum());
    let counts: &mut HashMap<String, usize> = &mut snapshot.counts;
    for (_, kind, page) in pages {
        *counts.entry(kind.full_name()).or_default() += page.total;
        // Two groups may serve the same object; the first one counts.
        let new = page.items.into_iter().map(|item| item.object);
        snapshot.objects.extend(new.filter(|object| known.insert(object.meta.uid.clone())));
    }
}
