//! Whole objects: the root, what is judged or printed, and owners that were not seen.

use std::collections::HashMap;
use std::pin::Pin;
use std::sync::Arc;

use futures_util::{StreamExt as _, stream};
use serde::Deserialize as _;
use serde_json::Value;

use super::list::{PAGES, again_if_gone};
use super::request::RequestError;
use super::slim::slim;
use super::{Cluster, path};
use crate::model::gap::Gap;
use crate::model::ident::{GroupKind, ObjectName};
use crate::model::kind::{Kind, KindScope};
use crate::model::selector::Selector;
use crate::model::snapshot::{Detail, FetchPlan, Lookup, Object, Reach, Snapshot};
use crate::source::ReadContext;
use crate::source::json_meta::JsonMeta;

const JSON: &str = "application/json";
const METADATA: &str = "application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1,application/json";
/// From this many objects of one kind on, one list may be cheaper than many reads.
const MANY: usize = 20;

/// A request under way.
type Errand<'a> = Pin<Box<dyn Future<Output = Brought> + Send + 'a>>;

/// What one request brought.
enum Brought {
    Object(usize, Result<Object, RequestError>),
    Objects(Vec<usize>, Result<Vec<Object>, RequestError>),
    Named(ObjectName, Option<Arc<Kind>>, Result<Object, RequestError>),
}

impl Cluster {
    /// Reads one object whole.
    pub(super) async fn read(
        &self,
        kind: &Arc<Kind>,
        namespace: Option<&str>,
        name: &str,
    ) -> Result<Object, RequestError> {
        let path = path::object(kind, namespace, name);
        let body: Value = self.document(&path, JSON).await?;
        object(kind, body)
            .ok_or_else(|| RequestError::unreadable(&self.server, "with something that is no object"))
    }

    /// Adds to a snapshot what a second look shows. An object that is gone meanwhile goes; what cannot be read is a
    /// gap.
    pub async fn fetch(&self, snapshot: &mut Snapshot, fetch_plan: &FetchPlan, context: &ReadContext) {
        let errands = self.errands(snapshot, fetch_plan, context);
        let read = fetch_plan.bodies.iter().map(|index| snapshot.objects[*index].meta.name.clone());
        let tried: Vec<ObjectName> =
            read.chain(fetch_plan.named.iter().map(|lookup| lookup.name.clone())).collect();
        snapshot.tried.extend(tried);
        let mut left = errands.len();
        let mut answers = stream::iter(errands).buffer_unordered(self.at_once());
        let mut merging = Merging::default();
        loop {
            let brought = tokio::select! {
                biased;
                () = context.stop.asked() => break,
                brought = answers.next() => brought,
            };
            let Some(brought) = brought else { break };
            left -= 1;
            merging.add(snapshot, brought);
        }
        drop(answers);
        if left > 0 {
            merging.gaps.push(RequestError::interrupted().gap_of_many(left));
        }
        merging.finish(snapshot);
    }

    /// One request per object, or per kind where it has many of them, and one per owner.
    fn errands<'a>(
        &'a self,
        snapshot: &Snapshot,
        fetch_plan: &FetchPlan,
        context: &'a ReadContext,
    ) -> Vec<Errand<'a>> {
        let mut errands: Vec<Errand<'a>> = Vec::new();
        for group in grouped(snapshot, &fetch_plan.bodies) {
            let Group { kind, namespace, members: group } = group;
            let total = snapshot.counts.get(&kind.full_name()).copied().unwrap_or(usize::MAX);
            if group.len() > MANY && group.len() >= total / 4 {
                errands.push(Box::pin(async move {
                    let all = Selector::default();
                    let listed = self.list_whole(&kind, namespace.as_deref(), &all);
                    let mut answer = context.progress.during(kind.full_name(), listed).await;
                    let read = answer.iter_mut().flatten();
                    read.filter_map(|object| object.body.as_mut()).for_each(|body| slim(&kind, body));
                    Brought::Objects(group, answer)
                }));
                continue;
            }
            for index in group {
                let (kind, name) = (Arc::clone(&kind), snapshot.objects[index].meta.name.clone());
                errands.push(Box::pin(async move {
                    let what = format!("{}/{}", kind.full_name(), name.name);
                    let read = self.read(&kind, name.namespace.as_deref(), &name.name);
                    Brought::Object(index, context.progress.during(what, read).await)
                }));
            }
        }
        for lookup in &fetch_plan.named {
            let (lookup, kind) = (lookup.clone(), served(&snapshot.kinds, &lookup.name));
            errands.push(Box::pin(async move {
                let answer = self.look_up(kind.as_ref(), &lookup).await;
                Brought::Named(lookup.name, kind, answer)
            }));
        }
        errands
    }

    /// Every object of a kind that a selector takes, whole, in one namespace or in all.
    pub(super) async fn list_whole(
        &self,
        kind: &Arc<Kind>,
        namespace: Option<&str>,
        selector: &Selector,
    ) -> Result<Vec<Object>, RequestError> {
        let first = self.whole_pages(kind, namespace, selector).await;
        again_if_gone(first, self.whole_pages(kind, namespace, selector)).await
    }

    async fn whole_pages(
        &self,
        kind: &Arc<Kind>,
        namespace: Option<&str>,
        selector: &Selector,
    ) -> Result<Vec<Object>, RequestError> {
        let path = path::list(kind, namespace);
        let selector = match selector.to_string() {
            text if text.is_empty() => text,
            text => format!("&labelSelector={}", path::segment(&text)),
        };
        let (mut all, mut query) = (Vec::new(), "limit=500".to_owned());
        for _ in 0..PAGES {
            let mut page: Value = self.document(&format!("{path}?{query}{selector}"), JSON).await?;
            if let Some(Value::Array(items)) = page.get_mut("items").map(Value::take) {
                all.extend(items.into_iter().filter_map(|item| object(kind, named(kind, item))));
            }
            match page["metadata"]["continue"].as_str().filter(|next| !next.is_empty()) {
                Some(next) => query = format!("limit=500&continue={}", path::segment(next)),
                None => return Ok(all),
            }
        }
        Err(RequestError::unreadable(&self.server, "with a list that does not end"))
    }

    async fn look_up(&self, kind: Option<&Arc<Kind>>, lookup: &Lookup) -> Result<Object, RequestError> {
        let Some(kind) = kind else { return Err(RequestError::not_served()) };
        let namespace = lookup.name.namespace.as_deref().filter(|_| kind.scope == KindScope::Namespaced);
        if lookup.detail == Detail::Whole {
            return self.read(kind, namespace, &lookup.name.name).await;
        }
        let body: Value = self.document(&path::object(kind, namespace, &lookup.name.name), METADATA).await?;
        let mut found = object(kind, body).ok_or_else(RequestError::not_served)?;
        found.body = None;
        Ok(found)
    }
}

/// Items of a list of a Kubernetes kind do not say what they are.
fn named(kind: &Kind, mut item: Value) -> Value {
    if let Some(fields) = item.as_object_mut() {
        fields.entry("apiVersion").or_insert_with(|| kind.api_version().into());
        fields.entry("kind").or_insert_with(|| kind.kind.clone().into());
    }
    item
}

/// Collects answers; the places in the snapshot stay valid until the end.
#[derive(Default)]
struct Merging {
    gone: Vec<usize>,
    gaps: Vec<Gap>,
    found: Vec<Object>,
}

impl Merging {
    fn add(&mut self, snapshot: &mut Snapshot, brought: Brought) {
        match brought {
            Brought::Object(index, Ok(object)) => snapshot.objects[index] = object,
            Brought::Object(index, Err(error)) => self.missed(snapshot, index, error),
            Brought::Objects(group, Ok(all)) => {
                let mut by_name: HashMap<ObjectName, Object> =
                    all.into_iter().map(|object| (object.meta.name.clone(), object)).collect();
                for index in group {
                    match by_name.remove(&snapshot.objects[index].meta.name) {
                        Some(object) => snapshot.objects[index] = object,
                        None => self.gone.push(index),
                    }
                }
            }
            Brought::Objects(group, Err(error)) => {
                if let Some(index) = group.first() {
                    let object = &snapshot.objects[*index];
                    self.gaps.push(error.gap(&object.kind, object.meta.name.namespace.as_deref(), "list"));
                }
            }
            Brought::Named(_, _, Ok(object)) => self.found.push(object),
            Brought::Named(name, Some(_), Err(error)) if error.status == Some(404) => {
                snapshot.absent.push(name);
            }
            Brought::Named(name, Some(kind), Err(error)) => {
                self.gaps.push(error.gap(&kind, name.namespace.as_deref(), "get"));
            }
            // The graph knows what is served and says so.
            Brought::Named(_, None, Err(_)) => {}
        }
    }

    fn missed(&mut self, snapshot: &Snapshot, index: usize, error: RequestError) {
        let object = &snapshot.objects[index];
        // Gone between the first look and this one.
        if error.status == Some(404) && !snapshot.roots.contains(&object.meta.uid) {
            self.gone.push(index);
        } else {
            self.gaps.push(error.gap(&object.kind, object.meta.name.namespace.as_deref(), "get"));
        }
    }

    fn finish(mut self, snapshot: &mut Snapshot) {
        self.gone.sort_unstable();
        for index in self.gone.into_iter().rev() {
            snapshot.objects.remove(index);
        }
        self.found.retain(|object| snapshot.objects.iter().all(|known| known.meta.uid != object.meta.uid));
        snapshot.objects.extend(self.found);
        snapshot.gaps.extend(self.gaps);
        snapshot.gaps.sort();
        snapshot.gaps.dedup();
    }
}

/// Objects of one kind that one list would bring.
struct Group {
    kind: Arc<Kind>,
    /// Nothing for all namespaces.
    namespace: Option<String>,
    members: Vec<usize>,
}

/// By kind and namespace; by kind alone where most objects of a kind are wanted from everywhere.
fn grouped(snapshot: &Snapshot, bodies: &[usize]) -> Vec<Group> {
    let mut by_kind: HashMap<String, usize> = HashMap::new();
    for index in bodies {
        *by_kind.entry(snapshot.objects[*index].kind.full_name()).or_default() += 1;
    }
    let is_most = |kind: &str| {
        let wanted = by_kind.get(kind).copied().unwrap_or_default();
        let total = snapshot.counts.get(kind).copied().unwrap_or(usize::MAX);
        snapshot.reach == Reach::Cluster && wanted > MANY && wanted >= total / 4
    };
    let mut groups: Vec<Group> = Vec::new();
    let mut places: HashMap<(String, Option<String>), usize> = HashMap::new();
    for index in bodies {
        let object = &snapshot.objects[*index];
        let name = object.kind.full_name();
        let namespace = object.meta.name.namespace.clone().filter(|_| !is_most(&name));
        let place = *places.entry((name, namespace.clone())).or_insert(groups.len());
        if place == groups.len() {
            groups.push(Group { kind: Arc::clone(&object.kind), namespace, members: Vec::new() });
        }
        groups[place].members.push(*index);
    }
    groups
}

/// The served kind that an owner reference means.
fn served(kinds: &[Arc<Kind>], owner: &ObjectName) -> Option<Arc<Kind>> {
    let wanted = GroupKind::of(&owner.api_version, &owner.kind);
    kinds.iter().find(|kind| kind.group_kind() == wanted).cloned()
}

fn object(kind: &Arc<Kind>, mut body: Value) -> Option<Object> {
    let metadata = body.get_mut("metadata")?.as_object_mut()?;
    // Half of an object's bytes; only custom resources are judged with their help.
    if !kind.group.contains('.') || kind.group.ends_with(".k8s.io") {
        metadata.remove("managedFields");
    }
    let meta = JsonMeta::deserialize(&body["metadata"]).ok()?.into_meta(kind);
    Some(Object { kind: Arc::clone(kind), meta, body: Some(body) })
}
