//! Bodies that are counted, and bodies that break off.

use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;

use anyhow::{Result, anyhow, ensure};
use futures_util::stream;
use http_body_util::combinators::UnsyncBoxBody;
use http_body_util::{BodyExt as _, Full, StreamBody};
use hyper::body::{Body, Bytes, Frame, SizeHint};

use super::record::Entry;
use super::tls::BoxError;

/// A body of any make.
pub(super) type Payload = UnsyncBoxBody<Bytes, BoxError>;

/// How long the first half of a broken body has to leave; an error behind it would throw it away unsent.
const HEAD_START: Duration = Duration::from_millis(50);

/// More than any answer of a test.
const COLLECT_LIMIT: usize = 1 << 30;

/// Where a body breaks off.
#[derive(Clone, Copy, Debug)]
pub(super) enum CutAt {
    After(u64),
    FirstFrame,
}

/// What comes after that.
#[derive(Clone, Copy, Debug)]
pub(super) enum AfterCut {
    Error,
    Silence,
}

pub(super) fn boxed<B>(body: B) -> Payload
where
    B: Body<Data = Bytes> + Send + 'static,
    B::Error: Into<BoxError>,
{
    UnsyncBoxBody::new(body.map_err(Into::into))
}

pub(super) fn full(bytes: Bytes) -> Payload {
    boxed(Full::new(bytes))
}

/// Reads a body to its end.
pub(super) async fn collect(mut body: Payload) -> Result<Bytes> {
    let mut whole = Vec::new();
    while let Some(frame) = body.frame().await {
        let frame = frame.map_err(|error| anyhow!("failed to read a whole body: {error}"))?;
        whole.extend_from_slice(&frame.into_data().unwrap_or_default());
        ensure!(whole.len() < COLLECT_LIMIT, "a body has no end within {COLLECT_LIMIT} bytes");
    }
    Ok(whole.into())
}

/// The beginning of `body`.
pub(super) fn broken(body: Payload, cut_at: CutAt, after_cut: AfterCut) -> Payload {
    struct State {
        body: Payload,
        left: u64,
    }
    let left = if let CutAt::After(bytes) = cut_at { bytes } else { u64::MAX };
    let start = Some(State { body, left });
    let frames = stream::unfold(start, move |state| async move {
        let mut state = state?;
        if state.left > 0
            && let Some(Ok(frame)) = state.body.frame().await
        {
            let data = frame.into_data().unwrap_or_default();
            let length = usize::try_from(state.left).map_or(data.len(), |left| left.min(data.len()));
            state.left = match cut_at {
                CutAt::After(_) => state.left - length as u64,
                CutAt::FirstFrame => 0,
            };
            return Some((Ok(Frame::data(data.slice(..length))), Some(state)));
        }
        tokio::time::sleep(HEAD_START).await;
        match after_cut {
            AfterCut::Error => Some((Err(BoxError::from("cut by a test")), None)),
            AfterCut::Silence => std::future::pending().await,
        }
    });
    boxed(StreamBody::new(frames))
}

/// Tells a record how much of `body` was handed on.
pub(super) fn counted(body: Payload, entry: Arc<Entry>) -> Payload {
    UnsyncBoxBody::new(Counted { body, entry })
}

struct Counted {
    body: Payload,
    entry: Arc<Entry>,
}

impl Body for Counted {
    type Data = Bytes;
    type Error = BoxError;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, BoxError>>> {
        let polled = Pin::new(&mut self.body).poll_frame(cx);
        if let Poll::Ready(Some(Ok(frame))) = &polled
            && let Some(data) = frame.data_ref()
        {
            self.entry.sent(data.len());
        }
        polled
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_broken_body_gives_its_beginning_and_then_fails() {
        let mut body = broken(full(Bytes::from_static(b"0123456789")), CutAt::After(5), AfterCut::Error);
        assert_eq!(body.frame().await.unwrap().unwrap().into_data().unwrap(), "01234");
        assert!(body.frame().await.unwrap().is_err());
        assert!(body.frame().await.is_none());
    }

    #[tokio::test]
    async fn a_stalled_body_gives_its_beginning_and_then_nothing() {
        let mut body = broken(full(Bytes::from_static(b"0123456789")), CutAt::FirstFrame, AfterCut::Silence);
        assert_eq!(body.frame().await.unwrap().unwrap().into_data().unwrap(), "0123456789");
        assert!(tokio::time::timeout(HEAD_START * 3, body.frame()).await.is_err());
    }
}
