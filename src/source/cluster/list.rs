//! The metadata of every object of a kind: protobuf as it streams in, else JSON, whatever the server speaks.

use http_body_util::BodyExt as _;
use serde::Deserialize;
use serde_json::Value;

use super::protobuf::{ListReader, MetaBytes};
use super::request::{RequestError, media_type};
use super::sweep::Told;
use super::{Cluster, path};
use crate::model::candidate::{CandidateFilter, KeepLabels};
use crate::model::ident::Uid;
use crate::model::kind::Kind;
use crate::model::meta::{Meta, Owner, OwnerRole};
use crate::source::json_meta::{JsonMeta, object_name};
use crate::source::pointing::points_at_others;

/// Best first; a server that knows neither sends whole objects, which do as well.
const ACCEPT: &str = "application/vnd.kubernetes.protobuf;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1,\
    application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1,application/json";
/// For kinds that are listed whole.
const WHOLE: &str = "application/json";
/// Annotations can hold whole documents; what is looked at is short.
const LONGEST: usize = 4 << 10;
const PROTOBUF: &str = "application/vnd.kubernetes.protobuf";
/// How many pages of a list are read; a server that never ends would keep us forever.
pub(super) const PAGES: usize = 10_000;

/// A list whose later pages were forgotten meanwhile is read once more from the start.
pub(super) async fn again_if_gone<T>(
    first: Result<T, RequestError>,
    again: impl Future<Output = Result<T, RequestError>>,
) -> Result<T, RequestError> {
    match first {
        Err(error) if error.status == Some(410) => again.await,
        first => first,
    }
}

/// What was found of a kind.
#[derive(Debug, Default)]
pub(super) struct Listed {
    /// Those that name an owner, and those that a clue points at: nothing else can hang in a tree.
    pub(super) kept: Vec<Kept>,
    /// How many objects there are in all.
    pub(super) total: usize,
    /// The state of the server that the list shows.
    pub(super) version: String,
}

/// One object of a list, whole where its kind is listed so.
#[derive(Debug)]
pub(super) struct Kept {
    pub(super) meta: Meta,
    pub(super) body: Option<Value>,
    /// The server's mark for this state of it.
    pub(super) version: String,
}

/// Which objects of a list are kept.
#[derive(Clone, Copy)]
pub(super) enum Keep<'a> {
    /// Those that name an owner, and those that a clue points at.
    Pointed(&'a Told),
    /// All of them: somebody compares them with what is known.
    All,
}

impl Cluster {
    /// Lists a kind's metadata. `resourceVersion=0` is answered from the server's memory; what is printed is read
    /// again, so that a moment's staleness shows nothing wrong.
    pub(super) async fn list_metadata(
        &self,
        kind: &Kind,
        namespace: Option<&str>,
        keep: Keep<'_>,
    ) -> Result<Listed, RequestError> {
        let first = self.list_pages(kind, namespace, keep).await;
        let listed = again_if_gone(first, self.list_pages(kind, namespace, keep)).await?;
        self.resume_versions.note(path::list(kind, namespace), &listed.version);
        Ok(listed)
    }

    async fn list_pages(
        &self,
        kind: &Kind,
        namespace: Option<&str>,
        keep: Keep<'_>,
    ) -> Result<Listed, RequestError> {
        let path = path::list(kind, namespace);
        let (mut listed, mut query) = (Listed::default(), "resourceVersion=0".to_owned());
        for _ in 0..PAGES {
            let place = format!("{path}?{query}");
            let next = self.in_time(self.list_page(kind, &place, keep, &mut listed)).await?;
            if next.is_empty() {
                return Ok(listed);
            }
            query = format!("limit=1000&continue={}", path::segment(&next));
        }
        Err(RequestError::unreadable(&self.server, "with a list that does not end"))
    }

    /// Reads one page into `listed`; where the next one starts, or nothing.
    async fn list_page(
        &self,
        kind: &Kind,
        path: &str,
        keep: Keep<'_>,
        listed: &mut Listed,
    ) -> Result<String, RequestError> {
        let accept = if points_at_others(kind) { WHOLE } else { ACCEPT };
        let mut answer = self.ask(path, accept).await?;
        // The answer is on its way; what of it is worth keeping is known once the roots are.
        let candidates = match keep {
            Keep::Pointed(told) => Some(told.wait().await?),
            Keep::All => None,
        };
        let candidates = candidates.as_deref();
        if media_type(&answer) != PROTOBUF {
            let bytes = self.whole(answer).await?;
            return self.read_json(kind, &bytes, candidates, listed);
        }
        let mut reader = ListReader::default();
        let malformed = |_| RequestError::unreadable(&self.server, "not with the protobuf asked for");
        while let Some(frame) = answer.body_mut().frame().await {
            let frame = frame.map_err(|error| RequestError::broken(&error, &self.server))?;
            let Ok(data) = frame.into_data() else { continue };
            let mut bad = Ok(());
            reader
                .feed(&data, |meta| {
                    listed.total += 1;
                    match kept(kind, meta, candidates) {
                        Ok(kept) => listed.kept.extend(kept),
                        Err(error) => bad = Err(error),
                    }
                })
                .and(bad)
                .map_err(malformed)?;
        }
        let end = reader.finish().map_err(malformed)?;
        listed.version = end.version;
        Ok(end.next)
    }

    fn read_json(
        &self,
        kind: &Kind,
        bytes: &[u8],
        candidates: Option<&CandidateFilter>,
        listed: &mut Listed,
    ) -> Result<String, RequestError> {
        let unreadable = |_| RequestError::unreadable(&self.server, "not with the list asked for");
        if points_at_others(kind) {
            let list: JsonList<Value> = serde_json::from_slice(bytes).map_err(unreadable)?;
            return self.read_items(list, listed, |body| kept_whole(kind, body));
        }
        let list: JsonList<JsonItem> = serde_json::from_slice(bytes).map_err(unreadable)?;
        self.read_items(list, listed, |item| {
            let candidate = candidates.is_none_or(|candidates| {
                candidates.matches(kind, item.metadata.name(), item.metadata.labels_and_annotations())
            });
            let owned = item.metadata.is_owned();
            (owned || candidate).then(|| {
                let version = item.metadata.resource_version().to_owned();
                let mut meta = item.metadata.into_meta(kind);
                if !candidate
                    && candidates.is_some_and(|candidates| candidates.keep_labels == KeepLabels::Candidates)
                {
                    (meta.labels, meta.annotations) = Default::default();
                }
                Kept { meta, body: None, version }
            })
        })
    }

    fn read_items<T>(
        &self,
        list: JsonList<T>,
        listed: &mut Listed,
        keep: impl FnMut(T) -> Option<Kept>,
    ) -> Result<String, RequestError> {
        if !list.kind.ends_with("List") {
            return Err(RequestError::unreadable(&self.server, "with something that is no list"));
        }
        // An empty list of metadata has no items at all.
        let items = list.items.unwrap_or_default();
        listed.total += items.len();
        listed.kept.extend(items.into_iter().filter_map(keep));
        listed.version = list.metadata.resource_version;
        Ok(list.metadata.next)
    }
}

/// An object of a kind that is listed whole: what it points at may be in the tree.
pub(super) fn kept_whole(kind: &Kind, mut body: Value) -> Option<Kept> {
    let metadata = body.get_mut("metadata")?.as_object_mut()?;
    metadata.remove("managedFields");
    let meta = JsonMeta::deserialize(&body["metadata"]).ok()?;
    let version = meta.resource_version().to_owned();
    Some(Kept { meta: meta.into_meta(kind), body: Some(body), version })
}

/// The object, when it names an owner or a clue points at it; without candidates any object.
fn kept(
    kind: &Kind,
    meta: MetaBytes<'_>,
    candidates: Option<&CandidateFilter>,
) -> Result<Option<Kept>, super::fields::Malformed> {
    let scalars = meta.scalars()?;
    let marks = || meta.labels().chain(meta.annotations());
    let candidate = candidates.is_none_or(|candidates| candidates.matches(kind, scalars.name, marks()));
    if scalars.owners == 0 && !candidate {
        return Ok(None);
    }
    let owners = meta.owners().map(|owner| Owner {
        api_version: owner.api_version.to_owned(),
        kind: owner.kind.to_owned(),
        name: owner.name.to_owned(),
        uid: Uid(owner.uid.to_owned()),
        role: if owner.controller { OwnerRole::Controller } else { OwnerRole::Plain },
    });
    let marked = candidate || candidates.is_some_and(|candidates| candidates.keep_labels == KeepLabels::All);
    let owned = |(key, value): (&str, &str)| (key.to_owned(), value.to_owned());
    let meta = Meta {
        name: object_name(kind, scalars.namespace, scalars.name),
        uid: Uid(scalars.uid.to_owned()),
        created: scalars.created,
        deleted: scalars.deleted,
        finalizers: meta.finalizers().map(str::to_owned).collect(),
        owners: owners.collect(),
        labels: meta.labels().filter(|_| marked).map(owned).collect(),
        annotations: meta
            .annotations()
            .filter(|(_, value)| marked && value.len() <= LONGEST)
            .map(owned)
            .collect(),
    };
    Ok(Some(Kept { meta, body: None, version: scalars.version.to_owned() }))
}

#[derive(Deserialize)]
struct JsonList<T> {
    #[serde(default)]
    kind: String,
    #[serde(default)]
    metadata: JsonListMeta,
    items: Option<Vec<T>>,
}

#[derive(Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
struct JsonListMeta {
    #[serde(rename = "continue")]
    next: String,
    resource_version: String,
}

#[derive(Deserialize)]
struct JsonItem {
    #[serde(default)]
    metadata: JsonMeta,
}
