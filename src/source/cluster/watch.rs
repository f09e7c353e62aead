//! Watches: one stream per kind and namespace that never ends. It starts from the resource version of a list, so that no
//! event is missed, resumes after errors, and falls back to periodic lists where watching is not allowed.

use std::time::{Duration, Instant};

use http::Request;
use http::header::{ACCEPT, ACCEPT_ENCODING};
use http_body_util::BodyExt as _;
use tokio::sync::mpsc::Sender;
use tokio::time::{sleep, timeout};

use super::line_splitter::LineSplitter;
use super::list::ListRequest;
use super::query::PendingKeep;
use super::request::RequestError;
use super::watch_line::{self, WatchLine};
use super::{Cluster, path};
use crate::model::object::Detail;
use crate::source::keep::KeepFilter;
use crate::source::query::Freshness;
use crate::source::watch_event::{VersionedObject, WatchEvent, WatchMessage, WatchTarget};

/// Requests metadata, as one JSON document per line.
const METADATA: &str = "application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1,application/json";
/// For kinds that are listed whole.
const WHOLE: &str = "application/json";
/// The first and the longest delay before a watch is retried.
const MIN_BACKOFF: Duration = Duration::from_millis(500);
const MAX_BACKOFF: Duration = Duration::from_secs(15);
/// A watch that lasted this long resets the backoff.
const STABLE: Duration = Duration::from_secs(5);
/// How often a target that cannot be watched is listed.
const POLL_INTERVAL: Duration = Duration::from_secs(10);
/// The minimum timeout of a watch; each one has its own, up to twice as long, so that not all end at once.
const TIMEOUT_SECONDS: u64 = 300;
/// How much longer than its timeout a watch may be silent before it counts as failed.
const GRACE: Duration = Duration::from_secs(30);

/// Why a watch ended.
enum StreamEnd {
    /// The server closed it, usually after the timeout.
    Closed,
    /// The resource version has expired: the target must be listed again.
    Expired,
    /// The target cannot be watched, or the user may not watch it.
    NotWatchable,
    Failed(String),
}

/// The receiver of the events was dropped.
struct ReceiverDropped;

/// Sends the events of one target.
struct Reporter<'a> {
    target: &'a WatchTarget,
    sender: &'a Sender<WatchMessage>,
    is_disconnected: bool,
}

impl Reporter<'_> {
    async fn send(&self, event: WatchEvent) -> Result<(), ReceiverDropped> {
        self.sender
            .send(WatchMessage { target: self.target.clone(), event })
            .await
            .map_err(|_| ReceiverDropped)
    }

    async fn send_disconnected(&mut self, message: String) -> Result<(), ReceiverDropped> {
        self.is_disconnected = true;
        self.send(WatchEvent::Disconnected(message)).await
    }

    async fn send_reconnected(&mut self) -> Result<(), ReceiverDropped> {
        if std::mem::take(&mut self.is_disconnected) {
            self.send(WatchEvent::Reconnected).await
        } else {
            Ok(())
        }
    }
}

/// The delay before the next attempt; it doubles each time.
struct Backoff(Duration);

impl Backoff {
    async fn wait(&mut self) {
        sleep(self.0).await;
        self.0 = (self.0 * 2).min(MAX_BACKOFF);
    }
}

impl Cluster {
    /// Watches a target and sends its events until the receiver is dropped.
    pub async fn watch(&self, target: WatchTarget, sender: Sender<WatchMessage>) {
        let mut reporter = Reporter { target: &target, sender: &sender, is_disconnected: false };
        // A dropped receiver is the normal end.
        let _ = self.watch_loop(&mut reporter).await;
    }

    async fn watch_loop(&self, reporter: &mut Reporter<'_>) -> Result<(), ReceiverDropped> {
        let target = reporter.target;
        if !target.kind.verbs.iter().any(|verb| verb == "watch") {
            return self.poll(reporter).await;
        }
        let mut from = self.resume_versions.get(&path::list(&target.kind, target.namespace.as_deref()));
        let mut backoff = Backoff(MIN_BACKOFF);
        loop {
            let mut version = match from.take() {
                Some(version) => version,
                None => match self.list_target(target).await {
                    Ok((all, version)) => {
                        reporter.send(WatchEvent::Restarted(all)).await?;
                        version
                    }
                    Err(error) if error.status == Some(403) => {
                        return self.poll(reporter).await;
                    }
                    Err(error) => {
                        report_list_error(reporter, error).await?;
                        backoff.wait().await;
                        continue;
                    }
                },
            };
            let started = Instant::now();
            let end = self.stream(reporter, &mut version).await?;
            if started.elapsed() >= STABLE {
                backoff = Backoff(MIN_BACKOFF);
            }
            match end {
                StreamEnd::NotWatchable => return self.poll(reporter).await,
                // Back off if the watch expires or ends right after it started.
                StreamEnd::Expired if started.elapsed() < STABLE => backoff.wait().await,
                StreamEnd::Expired => {}
                StreamEnd::Closed => {
                    from = Some(version);
                    if started.elapsed() < STABLE {
                        backoff.wait().await;
                    }
                }
                StreamEnd::Failed(message) => {
                    from = Some(version);
                    reporter.send_disconnected(message).await?;
                    backoff.wait().await;
                }
            }
        }
    }

    /// Reads one watch stream to its end and updates `version`.
    async fn stream(
        &self,
        reporter: &mut Reporter<'_>,
        version: &mut String,
    ) -> Result<StreamEnd, ReceiverDropped> {
        let WatchTarget { kind, namespace } = reporter.target;
        let path = path::list(kind, namespace.as_deref());
        // Differs between targets, but not between runs.
        let timeout_seconds = TIMEOUT_SECONDS + path.bytes().map(u64::from).sum::<u64>() % TIMEOUT_SECONDS;
        let query = format!(
            "watch=1&allowWatchBookmarks=true&resourceVersion={}&timeoutSeconds={timeout_seconds}",
            path::segment(version)
        );
        let accept = if watch_line::detail(kind) > Detail::Metadata { WHOLE } else { METADATA };
        // With compression, an event would be delayed until a block is full.
        let request = Request::get(format!("{path}?{query}"))
            .header(ACCEPT, accept)
            .header(ACCEPT_ENCODING, "identity");
        let mut response = match self.with_timeout(self.send(request)).await {
            Ok(response) => response,
            Err(error) => return Ok(stream_end(error)),
        };
        reporter.send_reconnected().await?;
        let (mut splitter, max_silence) =
            (LineSplitter::default(), Duration::from_secs(timeout_seconds) + GRACE);
        loop {
            let frame = match timeout(max_silence, response.body_mut().frame()).await {
                Ok(Some(Ok(frame))) => frame,
                Ok(Some(Err(error))) => {
                    return Ok(StreamEnd::Failed(RequestError::broken(&error, &self.server).message));
                }
                Ok(None) => return Ok(StreamEnd::Closed),
                Err(_) => {
                    return Ok(StreamEnd::Failed(format!("no data for {}s", max_silence.as_secs())));
                }
            };
            let Ok(data) = frame.into_data() else { continue };
            let Ok(complete) = splitter.feed(&data) else {
                return Ok(StreamEnd::Failed("a watch event is too long".to_owned()));
            };
            for line in complete {
                let event = match watch_line::parse(kind, &line) {
                    Some(WatchLine::Applied(object)) => WatchEvent::Applied(object),
                    Some(WatchLine::Deleted(object)) => WatchEvent::Deleted(object),
                    Some(WatchLine::Bookmark(bookmark)) => {
                        *version = bookmark;
                        continue;
                    }
                    Some(WatchLine::Other) => continue,
                    Some(WatchLine::Expired) => return Ok(StreamEnd::Expired),
                    Some(WatchLine::Failed(message)) => return Ok(StreamEnd::Failed(message)),
                    None => return Ok(StreamEnd::Failed("a watch event could not be parsed".to_owned())),
                };
                if let WatchEvent::Applied(versioned) | WatchEvent::Deleted(versioned) = &event
                    && !versioned.version.is_empty()
                {
                    version.clone_from(&versioned.version);
                }
                reporter.send(event).await?;
            }
        }
    }

    /// Lists a target periodically.
    async fn poll(&self, reporter: &mut Reporter<'_>) -> Result<(), ReceiverDropped> {
        loop {
            match self.list_target(reporter.target).await {
                Ok((all, _)) => {
                    reporter.send(WatchEvent::Polled).await?;
                    reporter.send_reconnected().await?;
                    reporter.send(WatchEvent::Restarted(all)).await?;
                }
                Err(error) => report_list_error(reporter, error).await?,
            }
            sleep(POLL_INTERVAL).await;
        }
    }

    /// Lists all objects of a target, with the resource version of the list.
    async fn list_target(
        &self,
        target: &WatchTarget,
    ) -> Result<(Vec<VersionedObject>, String), RequestError> {
        let request = ListRequest {
            kind: &target.kind,
            namespace: target.namespace.as_deref(),
            keep: &PendingKeep::ready(KeepFilter::All),
            detail: Detail::Metadata,
            freshness: Freshness::Cached,
        };
        let listed = self.list(&request).await?;
        Ok((listed.items, listed.version))
    }
}

/// Sends the event for a list that failed.
async fn report_list_error(reporter: &mut Reporter<'_>, error: RequestError) -> Result<(), ReceiverDropped> {
    match error.status {
        Some(403) => reporter.send(WatchEvent::Forbidden).await,
        // The kind was deleted, and its objects with it.
        Some(404) => reporter.send(WatchEvent::Restarted(Vec::new())).await,
        _ => reporter.send_disconnected(error.message).await,
    }
}

/// How a watch request that failed ends the stream.
fn stream_end(error: RequestError) -> StreamEnd {
    match error.status {
        Some(403 | 405) => StreamEnd::NotWatchable,
        // Includes a version that is unknown to this server, and a kind that was deleted.
        Some(400 | 404 | 410 | 422) => StreamEnd::Expired,
        _ => StreamEnd::Failed(error.message),
    }
}
