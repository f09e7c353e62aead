//! What happens from the last look on: one stream per kind and namespace that never versions. It starts where a list
//! ended, so that nothing is missed, goes on where it broke, and falls back to lists where it may not watch.

use std::time::{Duration, Instant};

use http::Request;
use http::header::{ACCEPT, ACCEPT_ENCODING};
use http_body_util::BodyExt as _;
use tokio::sync::mpsc::Sender;
use tokio::time::{sleep, timeout};

use super::event::{self, Event};
use super::lines::Lines;
use super::list::ListRequest;
use super::query::PendingKeep;
use super::request::RequestError;
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
const PAUSE: Duration = Duration::from_millis(500);
const LONGEST_PAUSE: Duration = Duration::from_secs(15);
/// A watch that lasted this long was a good one.
const STEADY: Duration = Duration::from_secs(5);
/// How often a place is listed that may not be watched.
const POLL: Duration = Duration::from_secs(10);
/// Servers end a watch after so many seconds, and up to twice as many, so that not all end at once.
const LIFE: u64 = 300;
/// How much longer than that nothing at all may come.
const GRACE: Duration = Duration::from_secs(30);

/// Why a watch ended.
enum End {
    /// As agreed.
    Over,
    /// What lies between was forgotten: the place must be listed again.
    Expired,
    /// It may not be watched, or cannot be.
    Refused,
    Broken(String),
}

/// Nobody listens any more.
struct Unheard;

/// One place and the way to those who want to know.
struct Reporter<'a> {
    place: &'a WatchTarget,
    post: &'a Sender<WatchMessage>,
    lost: bool,
}

impl Reporter<'_> {
    async fn tell(&self, event: WatchEvent) -> Result<(), Unheard> {
        self.post.send(WatchMessage { target: self.place.clone(), event }).await.map_err(|_| Unheard)
    }

    async fn lost(&mut self, why: String) -> Result<(), Unheard> {
        self.lost = true;
        self.tell(WatchEvent::Disconnected(why)).await
    }

    async fn back(&mut self) -> Result<(), Unheard> {
        if std::mem::take(&mut self.lost) { self.tell(WatchEvent::Reconnected).await } else { Ok(()) }
    }
}

/// How long to wait before the next try.
struct Pause(Duration);

impl Pause {
    async fn wait(&mut self) {
        sleep(self.0).await;
        self.0 = (self.0 * 2).min(LONGEST_PAUSE);
    }
}

impl Cluster {
    /// Watches a place and tells what happens there, until nobody listens.
    pub async fn watch(&self, place: WatchTarget, post: Sender<WatchMessage>) {
        let mut reporter = Reporter { place: &place, post: &post, lost: false };
        // There is nobody left to tell that nobody listens.
        let _ = self.watch_on(&mut reporter).await;
    }

    async fn watch_on(&self, reporter: &mut Reporter<'_>) -> Result<(), Unheard> {
        let place = reporter.place;
        if !place.kind.verbs.iter().any(|verb| verb == "watch") {
            return self.poll(reporter).await;
        }
        let mut from = self.resume_versions.of(&path::list(&place.kind, place.namespace.as_deref()));
        let mut pause = Pause(PAUSE);
        loop {
            let mut version = match from.take() {
                Some(version) => version,
                None => match self.list_place(place).await {
                    Ok((all, version)) => {
                        reporter.tell(WatchEvent::Restarted(all)).await?;
                        version
                    }
                    Err(error) if error.status == Some(403) => {
                        return self.poll(reporter).await;
                    }
                    Err(error) => {
                        unlisted(reporter, error).await?;
                        pause.wait().await;
                        continue;
                    }
                },
            };
            let started = Instant::now();
            let end = self.stream(reporter, &mut version).await?;
            if started.elapsed() >= STEADY {
                pause = Pause(PAUSE);
            }
            match end {
                End::Refused => return self.poll(reporter).await,
                // A server that forgets at once, or ends at once, is not asked without a breath.
                End::Expired if started.elapsed() < STEADY => pause.wait().await,
                End::Expired => {}
                End::Over => {
                    from = Some(version);
                    if started.elapsed() < STEADY {
                        pause.wait().await;
                    }
                }
                End::Broken(why) => {
                    from = Some(version);
                    reporter.lost(why).await?;
                    pause.wait().await;
                }
            }
        }
    }

    /// Reads one watch to its end; `version` follows.
    async fn stream(&self, reporter: &mut Reporter<'_>, version: &mut String) -> Result<End, Unheard> {
        let WatchTarget { kind, namespace } = reporter.place;
        let path = path::list(kind, namespace.as_deref());
        // A number that differs from place to place and not from run to run.
        let life = LIFE + path.bytes().map(u64::from).sum::<u64>() % LIFE;
        let query = format!(
            "watch=1&allowWatchBookmarks=true&resourceVersion={}&timeoutSeconds={life}",
            path::segment(version)
        );
        let accept = if event::detail(kind) > Detail::Metadata { WHOLE } else { METADATA };
        // Compressed, an event would wait for the next one to fill a block.
        let request = Request::get(format!("{path}?{query}"))
            .header(ACCEPT, accept)
            .header(ACCEPT_ENCODING, "identity");
        let mut answer = match self.in_time(self.send(request)).await {
            Ok(answer) => answer,
            Err(error) => return Ok(refused(error)),
        };
        reporter.back().await?;
        let (mut lines, silence) = (Lines::default(), Duration::from_secs(life) + GRACE);
        loop {
            let frame = match timeout(silence, answer.body_mut().frame()).await {
                Ok(Some(Ok(frame))) => frame,
                Ok(Some(Err(error))) => {
                    return Ok(End::Broken(RequestError::broken(&error, &self.server).message));
                }
                Ok(None) => return Ok(End::Over),
                Err(_) => return Ok(End::Broken(format!("nothing came for {} s", silence.as_secs()))),
            };
            let Ok(data) = frame.into_data() else { continue };
            let Ok(complete) = lines.feed(&data) else {
                return Ok(End::Broken("an event does not end".to_owned()));
            };
            for line in complete {
                let event = match event::read(kind, &line) {
                    Some(Event::Applied(there)) => WatchEvent::Applied(there),
                    Some(Event::Deleted(gone)) => WatchEvent::Deleted(gone),
                    Some(Event::Mark(mark)) => {
                        *version = mark;
                        continue;
                    }
                    Some(Event::Other) => continue,
                    Some(Event::Expired) => return Ok(End::Expired),
                    Some(Event::Failed(why)) => return Ok(End::Broken(why)),
                    None => return Ok(End::Broken("an event made no sense".to_owned())),
                };
                if let WatchEvent::Applied(versioned) | WatchEvent::Deleted(versioned) = &event
                    && !versioned.version.is_empty()
                {
                    version.clone_from(&versioned.version);
                }
                reporter.tell(event).await?;
            }
        }
    }

    /// Lists a place again and again.
    async fn poll(&self, reporter: &mut Reporter<'_>) -> Result<(), Unheard> {
        loop {
            match self.list_place(reporter.place).await {
                Ok((all, _)) => {
                    reporter.tell(WatchEvent::Polled).await?;
                    reporter.back().await?;
                    reporter.tell(WatchEvent::Restarted(all)).await?;
                }
                Err(error) => unlisted(reporter, error).await?,
            }
            sleep(POLL).await;
        }
    }

    /// Everything that is at a place, and as of when.
    async fn list_place(&self, place: &WatchTarget) -> Result<(Vec<VersionedObject>, String), RequestError> {
        let request = ListRequest {
            kind: &place.kind,
            namespace: place.namespace.as_deref(),
            keep: &PendingKeep::ready(Keep::All),
            detail: Detail::Metadata,
            freshness: Freshness::Cached,
        };
        let listed = self.list(&request).await?;
        Ok((listed.items, listed.version))
    }
}

/// Says what a list that failed means.
async fn unlisted(reporter: &mut Reporter<'_>, error: RequestError) -> Result<(), Unheard> {
    match error.status {
        Some(403) => reporter.tell(WatchEvent::Forbidden).await,
        // The kind itself is gone, and its objects with it.
        Some(404) => reporter.tell(WatchEvent::Restarted(Vec::new())).await,
        _ => reporter.lost(error.message).await,
    }
}

/// What an answer means that is no watch.
fn refused(error: RequestError) -> End {
    match error.status {
        Some(403 | 405) => End::Refused,
        // Also a version that this server has never heard of, and a kind that is gone.
        Some(400 | 404 | 410 | 422) => End::Expired,
        _ => End::Broken(error.message),
    }
}
