//! The metadata of every object of a kind: protobuf as it streams in, else JSON, whatever the server speaks.

use http_body_util::BodyExt as _;
use serde::Deserialize;

use super::ask::{Trouble, media_type};
use super::protobuf::{ListReader, MetaBytes};
use super::{Cluster, path};
use crate::model::ident::{ObjectName, Uid};
use crate::model::kind::Kind;
use crate::model::meta::{Meta, Owner, OwnerRole};

/// Best first; a server that knows neither sends whole objects, which do as well.
const ACCEPT: &str = "application/vnd.kubernetes.protobuf;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1,\
    application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1,application/json";
const PROTOBUF: &str = "application/vnd.kubernetes.protobuf";
/// How many pages of a list are read; a server that never ends would keep us forever.
pub(super) const PAGES: usize = 10_000;

/// A list whose later pages were forgotten meanwhile is read once more from the start.
pub(super) async fn again_if_gone<T>(
    first: Result<T, Trouble>,
    again: impl Future<Output = Result<T, Trouble>>,
) -> Result<T, Trouble> {
    match first {
        Err(trouble) if trouble.status == Some(410) => again.await,
        first => first,
    }
}

/// What was found of a kind.
#[derive(Debug, Default)]
pub(super) struct Listed {
    /// Those that name an owner: nothing else can hang in a tree.
    pub(super) owned: Vec<Meta>,
    /// How many objects there are in all.
    pub(super) total: usize,
}

impl Cluster {
    /// Lists a kind's metadata. `resourceVersion=0` is answered from the server's memory; what is printed is read
    /// again, so that a moment's staleness shows nothing wrong.
    pub(super) async fn list_metadata(
        &self,
        kind: &Kind,
        namespace: Option<&str>,
    ) -> Result<Listed, Trouble> {
        again_if_gone(self.list_pages(kind, namespace).await, self.list_pages(kind, namespace)).await
    }

    async fn list_pages(&self, kind: &Kind, namespace: Option<&str>) -> Result<Listed, Trouble> {
        let path = path::list(kind, namespace);
        let (mut listed, mut query) = (Listed::default(), "resourceVersion=0".to_owned());
        for _ in 0..PAGES {
            let next = self.in_time(self.list_page(kind, &format!("{path}?{query}"), &mut listed)).await?;
            if next.is_empty() {
                return Ok(listed);
            }
            query = format!("limit=1000&continue={}", path::segment(&next));
        }
        Err(Trouble::unreadable(&self.server, "with a list that does not end"))
    }

    /// Reads one page into `listed`; where the next one starts, or nothing.
    async fn list_page(&self, kind: &Kind, path: &str, listed: &mut Listed) -> Result<String, Trouble> {
        let mut answer = self.ask(path, ACCEPT).await?;
        if media_type(&answer) != PROTOBUF {
            let bytes = self.whole(answer).await?;
            return self.read_json(kind, &bytes, listed);
        }
        let mut reader = ListReader::default();
        let malformed = |_| Trouble::unreadable(&self.server, "not with the protobuf asked for");
        while let Some(frame) = answer.body_mut().frame().await {
            let frame = frame.map_err(|error| Trouble::broken(&error, &self.server))?;
            let Ok(data) = frame.into_data() else { continue };
            let mut bad = Ok(());
            reader
                .feed(&data, |meta| {
                    listed.total += 1;
                    match kept(kind, meta) {
                        Ok(Some(meta)) => listed.owned.push(meta),
                        Ok(None) => {}
                        Err(error) => bad = Err(error),
                    }
                })
                .and(bad)
                .map_err(malformed)?;
        }
        reader.finish().map(|end| end.next).map_err(malformed)
    }

    fn read_json(&self, kind: &Kind, bytes: &[u8], listed: &mut Listed) -> Result<String, Trouble> {
        let list: JsonList = serde_json::from_slice(bytes)
            .map_err(|_| Trouble::unreadable(&self.server, "not with the list asked for"))?;
        if !list.kind.ends_with("List") {
            return Err(Trouble::unreadable(&self.server, "with something that is no list"));
        }
        // An empty list of metadata has no items at all.
        let items = list.items.unwrap_or_default();
        listed.total += items.len();
        let owned = items
            .into_iter()
            .filter(|item| item.metadata.owner_references.as_ref().is_some_and(|o| !o.is_empty()));
        listed.owned.extend(owned.map(|item| item.metadata.meta(kind)));
        Ok(list.metadata.next)
    }
}

/// The object, when it names an owner.
fn kept(kind: &Kind, meta: MetaBytes<'_>) -> Result<Option<Meta>, super::fields::Malformed> {
    let scalars = meta.scalars()?;
    if scalars.owners == 0 {
        return Ok(None);
    }
    let owners = meta.owners().map(|owner| Owner {
        api_version: owner.api_version.to_owned(),
        kind: owner.kind.to_owned(),
        name: owner.name.to_owned(),
        uid: Uid(owner.uid.to_owned()),
        role: if owner.controller { OwnerRole::Controller } else { OwnerRole::Plain },
    });
    Ok(Some(Meta {
        name: name_of(kind, scalars.namespace, scalars.name),
        uid: Uid(scalars.uid.to_owned()),
        created: scalars.created,
        deleted: scalars.deleted,
        finalizers: meta.finalizers().map(str::to_owned).collect(),
        owners: owners.collect(),
    }))
}

fn name_of(kind: &Kind, namespace: &str, name: &str) -> ObjectName {
    ObjectName {
        api_version: kind.api_version(),
        kind: kind.kind.clone(),
        namespace: (!namespace.is_empty()).then(|| namespace.to_owned()),
        name: name.to_owned(),
    }
}

#[derive(Deserialize)]
struct JsonList {
    #[serde(default)]
    kind: String,
    #[serde(default)]
    metadata: JsonListMeta,
    items: Option<Vec<JsonItem>>,
}

#[derive(Default, Deserialize)]
struct JsonListMeta {
    #[serde(default, rename = "continue")]
    next: String,
}

#[derive(Deserialize)]
struct JsonItem {
    #[serde(default)]
    metadata: JsonMeta,
}

/// An object's metadata as JSON; everything that is not used is passed over.
#[derive(Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(super) struct JsonMeta {
    name: String,
    namespace: String,
    uid: String,
    creation_timestamp: Option<String>,
    deletion_timestamp: Option<String>,
    finalizers: Option<Vec<String>>,
    owner_references: Option<Vec<JsonOwner>>,
}

#[derive(Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
struct JsonOwner {
    api_version: String,
    kind: String,
    name: String,
    uid: String,
    controller: Option<bool>,
}

impl JsonMeta {
    pub(super) fn meta(self, kind: &Kind) -> Meta {
        let time = |text: Option<String>| text.and_then(|text| text.parse().ok());
        let owner = |owner: JsonOwner| Owner {
            api_version: owner.api_version,
            kind: owner.kind,
            name: owner.name,
            uid: Uid(owner.uid),
            role: if owner.controller == Some(true) { OwnerRole::Controller } else { OwnerRole::Plain },
        };
        Meta {
            name: name_of(kind, &self.namespace, &self.name),
            uid: Uid(self.uid),
            created: time(self.creation_timestamp),
            deleted: time(self.deletion_timestamp),
            finalizers: self.finalizers.unwrap_or_default(),
            owners: self.owner_references.unwrap_or_default().into_iter().map(owner).collect(),
        }
    }
}
