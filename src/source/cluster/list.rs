//! Lists of a kind: metadata as streamed protobuf, or as JSON if the server does not support protobuf.

use std::sync::Arc;

use http::Response;
use http_body_util::BodyExt as _;
use kube::client::Body;
use serde::Deserialize;
use serde_json::Value;
use tokio_util::bytes::Bytes;

use super::protobuf::{ListReader, MetaBytes};
use super::query::PendingKeep;
use super::request::{RequestError, media_type};
use super::{Cluster, path};
use crate::known::kinds::is_listed_whole;
use crate::model::ident::Uid;
use crate::model::kind::Kind;
use crate::model::memory::MemoryShare;
use crate::model::meta::{Meta, Owner, OwnerRole};
use crate::model::object::{Detail, Object};
use crate::source::json_meta::{JsonMeta, MAX_ANNOTATION_LEN, object_name};
use crate::source::keep::{KeepDecision, KeepFilter, Listed};
use crate::source::memory;
use crate::source::query::Freshness;
use crate::source::trim::{self, PageMeta};
use crate::source::watch_event::VersionedObject;

/// The preferred format first; a server that supports neither form of metadata sends whole objects.
const METADATA: &str = "application/vnd.kubernetes.protobuf;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1,\
    application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1,application/json";
const WHOLE: &str = "application/json";
const PROTOBUF: &str = "application/vnd.kubernetes.protobuf";
/// The maximum number of bytes that a list keeps while it waits for the roots.
const MAX_RECEIVED: usize = 512 << 20;
/// The least that a received piece takes.
const MIN_FRAME: u64 = 1 << 10;
/// The maximum number of pages of a list, in case a server never sends the last one.
pub(super) const MAX_PAGES: usize = 10_000;

/// Reads a list once more from the start if its continue token has expired.
pub(super) async fn retry_if_expired<T>(
    first: Result<T, RequestError>,
    retry: impl Future<Output = Result<T, RequestError>>,
) -> Result<T, RequestError> {
    match first {
        Err(error) if error.status == Some(410) => retry.await,
        first => first,
    }
}

/// A list of one kind.
pub(super) struct ListRequest<'a> {
    pub(super) kind: &'a Arc<Kind>,
    pub(super) namespace: Option<&'a str>,
    pub(super) keep: &'a PendingKeep,
    pub(super) detail: Detail,
    pub(super) freshness: Freshness,
}

impl ListRequest<'_> {
    /// How much of each object is requested from the server.
    fn detail(&self) -> Detail {
        if is_listed_whole(self.kind) { self.detail.max(Detail::Whole) } else { self.detail }
    }
}

/// The listed objects of a kind.
#[derive(Debug, Default)]
pub(super) struct ListPage {
    /// The objects that are kept.
    pub(super) items: Vec<VersionedObject>,
    /// The total number of objects.
    pub(super) total: usize,
    /// The resource version of the list.
    pub(super) version: String,
    /// What the kept objects are charged to.
    memory: MemoryShare,
}

impl Cluster {
    /// Lists all pages of a kind.
    pub(super) async fn list(&self, request: &ListRequest<'_>) -> Result<ListPage, RequestError> {
        let first = self.list_pages(request).await;
        let listed = retry_if_expired(first, self.list_pages(request)).await?;
        self.resume_versions.record(path::list(request.kind, request.namespace), &listed.version);
        Ok(listed)
    }

    async fn list_pages(&self, request: &ListRequest<'_>) -> Result<ListPage, RequestError> {
        let path = path::list(request.kind, request.namespace);
        let mut query = match request.freshness {
            // Served from the watch cache, in one page.
            Freshness::Cached => "resourceVersion=0".to_owned(),
            Freshness::Latest => "limit=1000".to_owned(),
        };
        let mut listed = ListPage { memory: self.memory.share(), ..ListPage::default() };
        for _ in 0..MAX_PAGES {
            let uri = format!("{path}?{query}");
            let next = self.list_page(request, &uri, &mut listed).await?;
            if next.is_empty() {
                return Ok(listed);
            }
            query = format!("limit=1000&continue={}", path::segment(&next));
        }
        Err(RequestError::unreadable(&self.server, "the list has too many pages"))
    }

    /// Reads one page into `listed`; returns the continue token, empty on the last page.
    async fn list_page(
        &self,
        request: &ListRequest<'_>,
        uri: &str,
        listed: &mut ListPage,
    ) -> Result<String, RequestError> {
        let accept = if request.detail() > Detail::Metadata { WHOLE } else { METADATA };
        let (response, received, _frames) = self.with_timeout(self.receive(request, uri, accept)).await?;
        let keep = request.keep.wait().await?;
        if media_type(&response) != PROTOBUF {
            let bytes = match received {
                Some(frames) => {
                    let length: usize = frames.iter().map(Bytes::len).sum();
                    let _copy = self.memory.reserve(length as u64).map_err(RequestError::over_budget)?;
                    frames.concat()
                }
                None => self.with_timeout(self.read_body(response)).await?,
            };
            return self.read_json(request, &bytes, &keep, listed);
        }
        self.with_timeout(self.read_protobuf(request, response, received, &keep, listed)).await
    }

    /// Sends a request. Which objects are kept is known once the roots are read: until then the body is received, so
    /// that other lists need not wait for their turn.
    async fn receive(
        &self,
        request: &ListRequest<'_>,
        uri: &str,
        accept: &str,
    ) -> Result<(Response<Body>, Option<Vec<Bytes>>, MemoryShare), RequestError> {
        let mut response = self.get(uri, accept).await?;
        let memory = self.memory.share();
        if request.keep.is_ready() {
            return Ok((response, None, memory));
        }
        let mut frames = Vec::new();
        let mut size = 0;
        while let Some(data) = self.next_frame(&mut response).await? {
            size += data.len();
            // A frame is a part of a buffer that may be larger.
            memory.add(data.len() as u64 + MIN_FRAME).map_err(RequestError::over_budget)?;
            if size > MAX_RECEIVED {
                return Err(RequestError::unreadable(&self.server, "the list is too large"));
            }
            frames.push(data);
        }
        request.keep.add_waiting();
        Ok((response, Some(frames), memory))
    }

    /// The next piece of a body; nothing at its end.
    async fn next_frame(&self, response: &mut Response<Body>) -> Result<Option<Bytes>, RequestError> {
        while let Some(frame) = response.body_mut().frame().await {
            let frame = frame.map_err(|error| RequestError::broken(&error, &self.server))?;
            if let Ok(data) = frame.into_data() {
                return Ok(Some(data));
            }
        }
        Ok(None)
    }

    async fn read_protobuf(
        &self,
        request: &ListRequest<'_>,
        mut response: Response<Body>,
        received: Option<Vec<Bytes>>,
        keep: &KeepFilter,
        listed: &mut ListPage,
    ) -> Result<String, RequestError> {
        let mut reader = ListReader::default();
        let malformed = |_| RequestError::unreadable(&self.server, "malformed protobuf");
        let mut received = received.map(Vec::into_iter);
        loop {
            let data = match &mut received {
                Some(frames) => frames.next(),
                None => self.next_frame(&mut response).await?,
            };
            let Some(data) = data else { break };
            // An object of which only a part has arrived.
            let buffered = (reader.buffered() + data.len()) as u64;
            let _buffered = self.memory.reserve(buffered).map_err(RequestError::over_budget)?;
            let (mut result, mut within) = (Ok(()), Ok(()));
            reader
                .feed(&data, |meta| {
                    listed.total += 1;
                    match kept(request.kind, meta, keep) {
                        Ok(Some(kept)) if within.is_ok() => {
                            match listed.memory.add(memory::meta(&kept.object.meta)) {
                                Ok(()) => listed.items.push(kept.charged_to(&listed.memory)),
                                Err(over) => within = Err(over),
                            }
                        }
                        Ok(_) => {}
                        Err(error) => result = Err(error),
                    }
                })
                .and(result)
                .map_err(malformed)?;
            within.map_err(RequestError::over_budget)?;
        }
        let end = reader.finish().map_err(malformed)?;
        listed.version = end.version;
        Ok(end.next)
    }

    fn read_json(
        &self,
        request: &ListRequest<'_>,
        bytes: &[u8],
        keep: &KeepFilter,
        listed: &mut ListPage,
    ) -> Result<String, RequestError> {
        let unreadable = |_| RequestError::unreadable(&self.server, "malformed list");
        let kind = request.kind;
        let _parsing = self.memory.reserve(memory::json_text(bytes)).map_err(RequestError::over_budget)?;
        if request.detail() > Detail::Metadata {
            let page = trim::parse_page(kind, bytes, request.detail()).map_err(unreadable)?;
            let list = JsonList { kind: page.kind, metadata: page.metadata, items: Some(page.items) };
            return self.read_items(list, listed, |body| kept_body(kind, body, keep, request.detail()));
        }
        let list: JsonList<JsonItem> = serde_json::from_slice(bytes).map_err(unreadable)?;
        self.read_items(list, listed, |item| kept_json(kind, item.metadata, keep))
    }

    fn read_items<T>(
        &self,
        list: JsonList<T>,
        listed: &mut ListPage,
        keep: impl FnMut(T) -> Option<VersionedObject>,
    ) -> Result<String, RequestError> {
        if !list.kind.ends_with("List") {
            return Err(RequestError::unreadable(&self.server, "not a list"));
        }
        // `items` is missing in an empty list of metadata.
        let items = list.items.unwrap_or_default();
        listed.total += items.len();
        for kept in items.into_iter().filter_map(keep) {
            listed.memory.add(memory::object(&kept.object)).map_err(RequestError::over_budget)?;
            listed.items.push(kept.charged_to(&listed.memory));
        }
        listed.version = list.metadata.resource_version;
        Ok(list.metadata.next)
    }
}

/// Converts an object with a body; `None` if it is not kept.
fn kept_body(kind: &Arc<Kind>, body: Value, keep: &KeepFilter, detail: Detail) -> Option<VersionedObject> {
    let VersionedObject { object, version } = parse_versioned(kind, body, detail)?;
    (keep.decide_object(&object) != KeepDecision::No).then_some(VersionedObject { object, version })
}

/// Converts a JSON document to an object with its resource version.
pub(super) fn parse_versioned(kind: &Arc<Kind>, body: Value, detail: Detail) -> Option<VersionedObject> {
    let version = body["metadata"]["resourceVersion"].as_str().unwrap_or_default().to_owned();
    // List items of built-in kinds have no `apiVersion` and `kind`.
    let object = trim::trimmed(kind, with_type_meta(kind, body), detail)?;
    Some(VersionedObject { object, version })
}

/// Sets the `apiVersion` and `kind` of a list item if they are missing.
pub(super) fn with_type_meta(kind: &Kind, mut item: Value) -> Value {
    if let Some(fields) = item.as_object_mut() {
        fields.entry("apiVersion").or_insert_with(|| kind.api_version().into());
        fields.entry("kind").or_insert_with(|| kind.kind.clone().into());
    }
    item
}

/// Converts metadata in JSON; `None` if it is not kept.
fn kept_json(kind: &Arc<Kind>, metadata: JsonMeta, keep: &KeepFilter) -> Option<VersionedObject> {
    let listed = Listed {
        kind,
        name: metadata.name(),
        has_owner: metadata.has_owner(),
        is_deleting: metadata.is_deleting(),
    };
    let kept = keep.decide(listed, metadata.values());
    if kept == KeepDecision::No {
        return None;
    }
    let version = metadata.resource_version().to_owned();
    let mut meta = metadata.into_meta(kind);
    if kept == KeepDecision::WithoutLabels {
        (meta.labels, meta.annotations) = Default::default();
    }
    Some(VersionedObject { object: Object::metadata(Arc::clone(kind), meta), version })
}

/// Converts metadata in protobuf; `None` if it is not kept.
fn kept(
    kind: &Arc<Kind>,
    bytes: MetaBytes<'_>,
    keep: &KeepFilter,
) -> Result<Option<VersionedObject>, super::wire_format::Malformed> {
    let scalars = bytes.scalars()?;
    let listed = Listed {
        kind,
        name: scalars.name,
        has_owner: scalars.owners > 0,
        is_deleting: scalars.deleted.is_some(),
    };
    let kept = keep.decide(listed, bytes.labels().chain(bytes.annotations()).map(|(_, value)| value));
    if kept == KeepDecision::No {
        return Ok(None);
    }
    let owners = bytes.owners().map(|owner| Owner {
        api_version: owner.api_version.to_owned(),
        kind: owner.kind.to_owned(),
        name: owner.name.to_owned(),
        uid: Uid(owner.uid.to_owned()),
        role: if owner.controller { OwnerRole::Controller } else { OwnerRole::Plain },
    });
    let owned = |(key, value): (&str, &str)| (key.to_owned(), value.to_owned());
    let mut meta = Meta {
        name: object_name(kind, scalars.namespace, scalars.name),
        uid: Uid(scalars.uid.to_owned()),
        created: scalars.created,
        deleted: scalars.deleted,
        finalizers: bytes.finalizers().map(str::to_owned).collect(),
        owners: owners.collect(),
        ..Meta::default()
    };
    if kept == KeepDecision::Yes {
        let annotations = bytes.annotations().filter(|(_, value)| value.len() <= MAX_ANNOTATION_LEN);
        (meta.labels, meta.annotations) =
            (bytes.labels().map(owned).collect(), annotations.map(owned).collect());
    }
    let object = Object::metadata(Arc::clone(kind), meta);
    Ok(Some(VersionedObject { object, version: scalars.version.to_owned() }))
}

#[derive(Deserialize)]
struct JsonList<T> {
    #[serde(default)]
    kind: String,
    #[serde(default)]
    metadata: PageMeta,
    items: Option<Vec<T>>,
}

#[derive(Deserialize)]
struct JsonItem {
    #[serde(default)]
    metadata: JsonMeta,
}
