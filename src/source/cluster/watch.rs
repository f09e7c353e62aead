//! What happens from the last look on: one stream per kind and namespace that never versions. It starts where a list
//! ended, so that nothing is missed, goes on where it broke, and falls back to lists where it may not watch.

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
use crate::source::keep::Keep;
use crate::source::query::Freshness;
use crate::source::watch_event::{VersionedObject, WatchEvent, WatchMessage, WatchTarget};

/// One JSON document per line.
const METADATA: &str = "application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1,application/json";
/// For kinds that are listed whole.
const WHOLE: &str = "application/json";
/// The first pause before a watch is tried again, and the longest.
const MIN_BACKOFF: Duration = Duration::from_millis(500);
const MAX_BACKOFF: Duration = Duration::from_secs(15);
/// A watch that lasted this long was a good one.
const STABLE: Duration = Duration::from_secs(5);
/// How often a place is listed that may not be watched.
const POLL_INTERVAL: Duration = Duration::from_secs(10);
/// Servers end a watch after so many seconds, and up to twice as many, so that not all end at once.
const TIMEOUT_SECONDS: u64 = 300;
/// How much longer than that nothing at all may come.
const GRACE: Duration = Duration::from_secs(30);

/// Why a watch ended.
enum StreamEnd {
    /// As agreed.
    Closed,
    /// What lies between was forgotten: the place must be listed again.
    Expired,
    /// It may not be watched, or cannot be.
    NotWatchable,
    Failed(String),
}

/// Nobody listens any more.
struct ReceiverDropped;

/// One place and the way to those who want to know.
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

/// How long to wait before the next try.
struct Backoff(Duration);

impl Backoff {
    async fn wait(&mut self) {
        sleep(self.0).await;
        self.0 = (self.0 * 2).min(MAX_BACKOFF);
    }
}

impl Cluster {
    /// Watches a place and tells what happens there, until nobody listens.
    pub async fn watch(&self, target: WatchTarget, sender: Sender<WatchMessage>) {
        let mut reporter = Reporter { target: &target, sender: &sender, is_disconnected: false };
        // There is nobody left to tell that nobody listens.
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
                // A server that forgets at once, or ends at once, is not asked without a breath.
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

    /// Reads one watch to its end; `version` follows.
    async fn stream(
        &self,
        reporter: &mut Reporter<'_>,
        version: &mut String,
    ) -> Result<StreamEnd, ReceiverDropped> {
        let WatchTarget { kind, namespace } = reporter.target;
        let path = path::list(kind, namespace.as_deref());
        // A number that differs from place to place and not from run to run.
        let timeout_seconds = TIMEOUT_SECONDS + path.bytes().map(u64::from).sum::<u64>() % TIMEOUT_SECONDS;
        let query = format!(
            "watch=1&allowWatchBookmarks=true&resourceVersion={}&timeoutSeconds={timeout_seconds}",
            path::segment(version)
        );
        let accept = if watch_line::detail(kind) > Detail::Metadata { WHOLE } else { METADATA };
        // Compressed, an event would wait for the next one to fill a block.
        let request = Request::get(format!("{path}?{query}"))
            .header(ACCEPT, accept)
            .header(ACCEPT_ENCODING, "identity");
        let mut answer = match self.with_timeout(self.send(request)).await {
            Ok(answer) => answer,
            Err(error) => return Ok(stream_end(error)),
        };
        reporter.send_reconnected().await?;
        let (mut splitter, max_silence) =
            (LineSplitter::default(), Duration::from_secs(timeout_seconds) + GRACE);
        loop {
            let frame = match timeout(max_silence, answer.body_mut().frame()).await {
                Ok(Some(Ok(frame))) => frame,
                Ok(Some(Err(error))) => {
                    return Ok(StreamEnd::Failed(RequestError::broken(&error, &self.server).message));
                }
                Ok(None) => return Ok(StreamEnd::Closed),
                Err(_) => {
                    return Ok(StreamEnd::Failed(format!("nothing came for {} s", max_silence.as_secs())));
                }
            };
            let Ok(data) = frame.into_data() else { continue };
            let Ok(complete) = splitter.feed(&data) else {
                return Ok(StreamEnd::Failed("an event does not end".to_owned()));
            };
            for line in complete {
                let event = match watch_line::parse(kind, &line) {
                    Some(WatchLine::Applied(there)) => WatchEvent::Applied(there),
                    Some(WatchLine::Deleted(gone)) => WatchEvent::Deleted(gone),
                    Some(WatchLine::Bookmark(bookmark)) => {
                        *version = bookmark;
                        continue;
                    }
                    Some(WatchLine::Other) => continue,
                    Some(WatchLine::Expired) => return Ok(StreamEnd::Expired),
                    Some(WatchLine::Failed(message)) => return Ok(StreamEnd::Failed(message)),
                    None => return Ok(StreamEnd::Failed("an event made no sense".to_owned())),
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

    /// Lists a place again and again.
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

    /// Everything that is at a place, and as of when.
    async fn list_target(
        &self,
        target: &WatchTarget,
    ) -> Result<(Vec<VersionedObject>, String), RequestError> {
        let request = ListRequest {
            kind: &target.kind,
            namespace: target.namespace.as_deref(),
            keep: &PendingKeep::ready(Keep::All),
            detail: Detail::Metadata,
            freshness: Freshness::Cached,
        };
        let listed = self.list(&request).await?;
        Ok((listed.items, listed.version))
    }
}

/// Says what a list that failed means.
async fn report_list_error(reporter: &mut Reporter<'_>, error: RequestError) -> Result<(), ReceiverDropped> {
    match error.status {
        Some(403) => reporter.send(WatchEvent::Forbidden).await,
        // The kind itself is gone, and its objects with it.
        Some(404) => reporter.send(WatchEvent::Restarted(Vec::new())).await,
        _ => reporter.send_disconnected(error.message).await,
    }
}

/// What an answer means that is no watch.
fn stream_end(error: RequestError) -> StreamEnd {
    match error.status {
        Some(403 | 405) => StreamEnd::NotWatchable,
        // Also a version that this server has never heard of, and a kind that is gone.
        Some(400 | 404 | 410 | 422) => StreamEnd::Expired,
        _ => StreamEnd::Failed(error.message),
    }
}
