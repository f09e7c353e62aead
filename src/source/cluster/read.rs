//! Reads bodies, and objects that others refer to.

use std::collections::{BTreeMap, HashMap, HashSet, VecDeque};
use std::pin::Pin;
use std::sync::Arc;

use super::list::{ListPage, ListRequest, MAX_PAGES, retry_if_expired, with_type_meta};
use super::query::PendingKeep;
use super::request::RequestError;
use super::{Cluster, path};
use crate::model::candidate::CandidateFilter;
use crate::model::coverage::Scope;
use crate::model::fetch_plan::{FetchPlan, NamespaceList};
use crate::model::gap::Gap;
use crate::model::ident::{GroupKind, ObjectName, Uid};
use crate::model::kind::{Kind, KindScope};
use crate::model::memory::{MemoryBudget, MemoryShare};
use crate::model::object::{Detail, Object};
use crate::model::selector::Selector;
use crate::model::snapshot::Snapshot;
use crate::source::ReadContext;
use crate::source::keep::KeepFilter;
use crate::source::memory;
use crate::source::query::Freshness;
use crate::source::trim;
use futures_util::{StreamExt as _, stream};

const JSON: &str = "application/json";
const METADATA: &str = "application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1,application/json";
/// The number of objects of a kind above which one list may be cheaper than many reads.
const MIN_LISTED: usize = 20;

/// The number of pages that may wait to be parsed while more are requested.
const MAX_UNPARSED_PAGES: usize = 4;

/// A pending request.
type PendingFetch<'a> = Pin<Box<dyn Future<Output = Fetched> + Send + 'a>>;

/// The result of one request.
enum Fetched {
    Object(usize, Result<Object, RequestError>),
    Objects(Vec<usize>, Result<Vec<Object>, RequestError>),
    Named(ObjectName, Option<Arc<Kind>>, Result<Object, RequestError>),
    List(Arc<Kind>, String, Result<ListPage, RequestError>),
}

impl Cluster {
    /// Reads one object.
    pub(super) async fn read(
        &self,
        kind: &Arc<Kind>,
        namespace: Option<&str>,
        name: &str,
        detail: Detail,
    ) -> Result<Object, RequestError> {
        let accept = if detail == Detail::Metadata { METADATA } else { JSON };
        // A single object is not pruned, so that it need not be read again.
        let detail = if detail == Detail::Pruned { Detail::Whole } else { detail };
        let bytes = self.get_bytes(&path::object(kind, namespace, name), accept).await?;
        let _parsing = self.memory.reserve(memory::json_text(&bytes)).map_err(RequestError::over_budget)?;
        let object = trim::parse_object(kind, &bytes, detail).map_err(|_| self.not_json())?;
        let object = object.ok_or_else(|| RequestError::unreadable(&self.server, "not an object"))?;
        let share = self.memory.reserve(memory::object(&object)).map_err(RequestError::over_budget)?;
        Ok(object.charged_to(share))
    }

    /// Adds the objects of a plan to a snapshot. An object that was deleted meanwhile is removed; what cannot be read
    /// is a gap.
    pub async fn fetch(&self, snapshot: &mut Snapshot, plan: &FetchPlan, context: &ReadContext) {
        let requests = self.requests(snapshot, plan, context);
        let mut left = requests.len();
        let mut responses = stream::iter(requests).buffer_unordered(self.max_concurrent());
        let mut merge = Merge::default();
        loop {
            let response = tokio::select! {
                biased;
                () = context.cancel.cancelled() => break,
                response = responses.next() => response,
            };
            let Some(response) = response else { break };
            left -= 1;
            merge.add(snapshot, response);
        }
        drop(responses);
        if left > 0 {
            merge.gaps.push(RequestError::interrupted().gap_of_many(left));
        }
        merge.finish(snapshot);
    }

    /// One request per object, or one list where many objects of a kind are needed.
    fn requests<'a>(
        &'a self,
        snapshot: &Snapshot,
        plan: &FetchPlan,
        context: &'a ReadContext,
    ) -> Vec<PendingFetch<'a>> {
        let mut requests: Vec<PendingFetch<'a>> = Vec::new();
        for FetchGroup { kind, namespace, members, detail } in group_by_list(snapshot, &plan.bodies) {
            let total = snapshot.counts.get(&kind.full_name()).copied().unwrap_or(usize::MAX);
            if members.len() > MIN_LISTED && members.len() >= total / 4 {
                requests.push(Box::pin(async move {
                    let all = Selector::default();
                    let list = self.list_whole(&kind, namespace.as_deref(), &all, detail);
                    let result = context.progress.track(kind.full_name(), list).await;
                    Fetched::Objects(members, result)
                }));
                continue;
            }
            for index in members {
                let (kind, name) = (Arc::clone(&kind), snapshot.objects[index].meta.name.clone());
                requests.push(Box::pin(async move {
                    let what = format!("{}/{}", kind.full_name(), name.name);
                    let read = self.read(&kind, name.namespace.as_deref(), &name.name, detail);
                    Fetched::Object(index, context.progress.track(what, read).await)
                }));
            }
        }
        for (name, detail) in &plan.named {
            let (name, detail, kind) = (name.clone(), *detail, served_kind(&snapshot.kinds, name));
            requests.push(Box::pin(async move {
                let result = self.look_up(kind.as_ref(), &name, detail).await;
                Fetched::Named(name, kind, result)
            }));
        }
        for NamespaceList { kind, namespace } in &plan.lists {
            let Some(kind) = snapshot.kinds.iter().find(|served| served.group_kind() == *kind) else {
                continue;
            };
            let (kind, namespace) = (Arc::clone(kind), namespace.clone());
            requests.push(Box::pin(async move {
                let list = self.list_owned(&kind, &namespace);
                let result = context.progress.track(kind.full_name(), list).await;
                Fetched::List(kind, namespace, result)
            }));
        }
        requests
    }

    /// Lists the objects of a kind in a namespace that have an owner.
    async fn list_owned(&self, kind: &Arc<Kind>, namespace: &str) -> Result<ListPage, RequestError> {
        let keep = PendingKeep::ready(KeepFilter::Related(CandidateFilter::default()));
        let (detail, freshness) = (Detail::Metadata, Freshness::Cached);
        self.list(&ListRequest { kind, namespace: Some(namespace), keep: &keep, detail, freshness }).await
    }

    /// Lists the objects of a kind that a selector matches, with their bodies, in one namespace or in all.
    pub(super) async fn list_whole(
        &self,
        kind: &Arc<Kind>,
        namespace: Option<&str>,
        selector: &Selector,
        detail: Detail,
    ) -> Result<Vec<Object>, RequestError> {
        let first = self.whole_pages(kind, namespace, selector, detail).await;
        retry_if_expired(first, self.whole_pages(kind, namespace, selector, detail)).await
    }

    async fn whole_pages(
        &self,
        kind: &Arc<Kind>,
        namespace: Option<&str>,
        selector: &Selector,
        detail: Detail,
    ) -> Result<Vec<Object>, RequestError> {
        let path = path::list(kind, namespace);
        let selector = match selector.to_string() {
            text if text.is_empty() => text,
            text => format!("&labelSelector={}", path::segment(&text)),
        };
        let (mut pages, mut query) = (VecDeque::new(), "limit=500".to_owned());
        let mut read: Vec<Vec<Object>> = Vec::new();
        let share = self.memory.share();
        let (release, released) = std::sync::mpsc::channel();
        for _ in 0..MAX_PAGES {
            let buffer = released.try_recv().unwrap_or_default();
            let bytes = self.get_bytes_into(&format!("{path}?{query}{selector}"), JSON, buffer).await?;
            let next = trim::parse_page_meta(&bytes).map_err(|_| self.not_json())?.next;
            // The bodies are read elsewhere while the next page is on its way.
            let (kind, release) = (Arc::clone(kind), release.clone());
            let (budget, share, not_json) = (self.memory.clone(), share.clone(), self.not_json());
            pages.push_back(tokio::task::spawn_blocking(move || {
                let items = parse_items(&kind, &bytes, detail, &budget, &share, not_json);
                // The receiver is gone after the last page.
                let _ = release.send(bytes);
                items
            }));
            // Pages that wait to be parsed take memory.
            while pages.len() > if next.is_empty() { 0 } else { MAX_UNPARSED_PAGES }
                && let Some(page) = pages.pop_front()
            {
                read.push(page.await.map_err(|_| RequestError::interrupted())??);
            }
            if next.is_empty() {
                // Thousands of objects are moved once, not each time the memory grows.
                let mut all = Vec::with_capacity(read.iter().map(Vec::len).sum());
                for page in read {
                    all.extend(page);
                }
                return Ok(all);
            }
            query = format!("limit=500&continue={}", path::segment(&next));
        }
        Err(RequestError::unreadable(&self.server, "the list has too many pages"))
    }

    async fn look_up(
        &self,
        kind: Option<&Arc<Kind>>,
        name: &ObjectName,
        detail: Detail,
    ) -> Result<Object, RequestError> {
        let Some(kind) = kind else { return Err(RequestError::not_served()) };
        let namespace = name.namespace.as_deref().filter(|_| kind.scope == KindScope::Namespaced);
        self.read(kind, namespace, &name.name, detail).await
    }
}

/// The objects of one page.
fn parse_items(
    kind: &Arc<Kind>,
    bytes: &[u8],
    detail: Detail,
    budget: &MemoryBudget,
    share: &MemoryShare,
    not_json: RequestError,
) -> Result<Vec<Object>, RequestError> {
    let _parsing = budget.reserve(memory::json_text(bytes)).map_err(RequestError::over_budget)?;
    let Ok(page) = trim::parse_page(kind, bytes, detail) else { return Err(not_json) };
    let mut objects = Vec::with_capacity(page.items.len());
    for item in page.items {
        let Some(object) = trim::trimmed(kind, with_type_meta(kind, item), detail) else { continue };
        share.add(memory::object(&object)).map_err(RequestError::over_budget)?;
        objects.push(object.charged_to(share.clone()));
    }
    Ok(objects)
}

/// Merges results into a snapshot; indices stay valid until `finish`.
#[derive(Default)]
struct Merge {
    deleted: Vec<usize>,
    gaps: Vec<Gap>,
    found: Vec<Object>,
}

impl Merge {
    fn add(&mut self, snapshot: &mut Snapshot, response: Fetched) {
        match response {
            Fetched::Object(index, Ok(object)) => snapshot.objects[index] = object,
            Fetched::Object(index, Err(error)) => self.add_error(snapshot, index, error),
            Fetched::Objects(members, Ok(all)) => {
                let mut by_name: HashMap<ObjectName, Object> =
                    all.into_iter().map(|object| (object.meta.name.clone(), object)).collect();
                for index in members {
                    match by_name.remove(&snapshot.objects[index].meta.name) {
                        Some(object) => snapshot.objects[index] = object,
                        None => self.deleted.push(index),
                    }
                }
            }
            Fetched::Objects(members, Err(error)) => {
                if let Some(index) = members.first() {
                    let object = &snapshot.objects[*index];
                    self.gaps.push(error.gap(&object.kind, object.meta.name.namespace.as_deref(), "list"));
                }
            }
            Fetched::Named(_, _, Ok(object)) => self.found.push(object),
            Fetched::Named(name, Some(_), Err(error)) if error.status == Some(404) => {
                snapshot.absent.push(name);
            }
            Fetched::Named(name, Some(kind), Err(error)) => {
                self.gaps.push(error.gap(&kind, name.namespace.as_deref(), "get"));
            }
            Fetched::List(kind, _, Ok(page)) => {
                *snapshot.counts.entry(kind.full_name()).or_default() += page.total;
                self.found.extend(page.items.into_iter().map(|item| item.object));
            }
            Fetched::List(kind, namespace, Err(error)) => {
                self.gaps.push(error.gap(&kind, Some(&namespace), "list"));
            }
            // Owner references to kinds that are not served are findings already.
            Fetched::Named(_, None, Err(_)) => {}
        }
    }

    fn add_error(&mut self, snapshot: &Snapshot, index: usize, error: RequestError) {
        let object = &snapshot.objects[index];
        // Deleted between the list and this read.
        if error.status == Some(404) && !snapshot.roots.contains(&object.meta.uid) {
            self.deleted.push(index);
        } else {
            self.gaps.push(error.gap(&object.kind, object.meta.name.namespace.as_deref(), "get"));
        }
    }

    fn finish(mut self, snapshot: &mut Snapshot) {
        self.deleted.sort_unstable();
        for index in self.deleted.into_iter().rev() {
            snapshot.objects.remove(index);
        }
        let mut known: HashSet<Uid> = snapshot.objects.iter().map(|object| object.meta.uid.clone()).collect();
        self.found.retain(|object| known.insert(object.meta.uid.clone()));
        snapshot.objects.extend(self.found);
        snapshot.coverage.add_gaps(self.gaps);
    }
}

/// Objects that one list would return.
struct FetchGroup {
    kind: Arc<Kind>,
    /// `None` for all namespaces.
    namespace: Option<String>,
    members: Vec<usize>,
    detail: Detail,
}

/// Groups objects by kind and namespace, or by kind alone if most objects of a kind are needed from all namespaces.
fn group_by_list(snapshot: &Snapshot, bodies: &BTreeMap<usize, Detail>) -> Vec<FetchGroup> {
    let mut by_kind: HashMap<String, usize> = HashMap::new();
    for index in bodies.keys() {
        *by_kind.entry(snapshot.objects[*index].kind.full_name()).or_default() += 1;
    }
    let is_most = |kind: &str| {
        let wanted = by_kind.get(kind).copied().unwrap_or_default();
        let total = snapshot.counts.get(kind).copied().unwrap_or(usize::MAX);
        snapshot.coverage.scope == Scope::Cluster && wanted > MIN_LISTED && wanted >= total / 4
    };
    let mut groups: Vec<FetchGroup> = Vec::new();
    let mut index_of: HashMap<(String, Option<String>), usize> = HashMap::new();
    for (index, detail) in bodies {
        let object = &snapshot.objects[*index];
        let name = object.kind.full_name();
        let namespace = object.meta.name.namespace.clone().filter(|_| !is_most(&name));
        let group_index = *index_of.entry((name, namespace.clone())).or_insert(groups.len());
        if group_index == groups.len() {
            let kind = Arc::clone(&object.kind);
            groups.push(FetchGroup { kind, namespace, members: Vec::new(), detail: *detail });
        }
        let group = &mut groups[group_index];
        group.members.push(*index);
        group.detail = group.detail.max(*detail);
    }
    groups
}

/// The served kind of an object, in any version.
fn served_kind(kinds: &[Arc<Kind>], name: &ObjectName) -> Option<Arc<Kind>> {
    let wanted = GroupKind::of(&name.api_version, &name.kind);
    kinds.iter().find(|kind| kind.group_kind() == wanted).cloned()
}
