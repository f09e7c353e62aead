//! What tests/fuzz feeds: the readers of what a server sends, which are private otherwise.

use http::Response;
use http::header::DATE;
use serde::de::DeserializeOwned;

use super::clock::Clock;
use super::discovery_documents::{AggregatedDiscovery, ApiGroupList, ApiResourceList, ApiVersions};
use super::protobuf::{ListReader, MetaBytes};
use super::request::parse_status;
use crate::connection::failure::from_status;
use crate::error::Failure;

/// Reads a discovery document in every form. Returns the number of kinds, groups and versions.
pub fn discovery(bytes: &[u8]) -> usize {
    fn read<T: DeserializeOwned>(bytes: &[u8]) -> Option<T> {
        serde_json::from_slice(bytes).ok()
    }
    let served = read::<AggregatedDiscovery>(bytes).map(AggregatedDiscovery::into_served_kinds);
    let served = served.map_or(0, |served| served.kinds.len() + served.stale.len());
    let groups = read::<ApiGroupList>(bytes).map_or(0, |list| list.versions().len());
    let kinds = read::<ApiResourceList>(bytes).map_or(0, |list| list.kinds("example.com", "v1").len());
    served + groups + kinds + read::<ApiVersions>(bytes).map_or(0, |list| list.versions.len())
}

/// Reads a list in protobuf that arrives in chunks. Returns the number of objects; `None` if it is malformed.
pub fn protobuf_list(bytes: &[u8], chunk: usize) -> Option<usize> {
    let mut reader = ListReader::default();
    let mut objects = 0;
    let mut read = |meta: MetaBytes<'_>| {
        objects += 1;
        let read = meta.scalars().is_ok();
        let names = meta.owners().map(|owner| owner.name.len() + owner.uid.len()).sum::<usize>();
        let texts = meta.labels().chain(meta.annotations()).map(|(key, value)| key.len() + value.len());
        let _ = (read, names, texts.sum::<usize>(), meta.finalizers().count());
    };
    for chunk in bytes.chunks(chunk.max(1)) {
        reader.feed(chunk, &mut read).ok()?;
    }
    reader.finish().ok().map(|_| objects)
}

/// The failure for the body of an error.
pub fn error_body(body: &[u8]) -> Failure {
    from_status(&parse_status(body).unwrap_or_default(), "https://server.example:6443")
}

/// The time in a `Date` header, and how far it is from now.
pub fn date(header: &[u8]) -> Option<String> {
    let clock = Clock::default();
    clock.observe(&Response::builder().header(DATE, header).body(()).ok()?);
    Some(format!("{} {} {:?}", clock.first(), clock.current(), clock.skew()))
}
