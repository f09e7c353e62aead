//! Waiting with a time limit, and an error that names what was waited for.

use std::fmt::Debug;
use std::time::{Duration, Instant};

use anyhow::{Result, bail};
use kube::api::{Api, ListParams};
use kube::{Resource, ResourceExt as _};
use serde::de::DeserializeOwned;

/// How long anything in the lab is waited for, unless it says otherwise. Far longer than it takes on an idle machine:
/// waiting costs nothing when the answer is there, and builds and other labs may run beside this one.
pub const DEFAULT_TIMEOUT: Duration = Duration::from_secs(120);
/// The first pause between two attempts, and the longest: attempts often run a program, and would slow
/// down what is waited for on a busy machine.
const PAUSES: (Duration, Duration) = (Duration::from_millis(50), Duration::from_millis(500));

/// Repeats a whole attempt, its assertions included, until it passes, for [`DEFAULT_TIMEOUT`]; fails with the error of
/// the last one. `what` completes "timed out waiting for".
pub async fn eventually<T>(what: &str, mut attempt: impl AsyncFnMut() -> Result<T>) -> Result<T> {
    until(what, async || attempt().await.map(Some)).await
}

/// Waits until a list that the API server answers from its cache (`resourceVersion=0`) has this object, as it is
/// here or newer. The cache follows a write some time later.
pub async fn cached<K>(api: &Api<K>, object: &K) -> Result<()>
where
    K: Resource + Clone + DeserializeOwned + Debug,
{
    let version = |object: &K| object.resource_version().and_then(|version| version.parse::<u64>().ok());
    let (name, wanted) = (object.name_any(), version(object));
    until(&format!("{name} to be in the API server's cache"), async || {
        let all = api.list(&ListParams::default().match_any()).await?;
        Ok(all.iter().any(|one| one.name_any() == name && version(one) >= wanted).then_some(()))
    })
    .await
}

/// Polls until the closure returns a value, for [`DEFAULT_TIMEOUT`]. `what` completes "timed out waiting for".
pub async fn until<T>(what: &str, ask: impl AsyncFnMut() -> Result<Option<T>>) -> Result<T> {
    until_within(DEFAULT_TIMEOUT, what, ask).await
}

/// The same with a limit of the caller's. An error is not the end: it is reported if it was the last one.
pub async fn until_within<T>(
    bound: Duration,
    what: &str,
    mut ask: impl AsyncFnMut() -> Result<Option<T>>,
) -> Result<T> {
    let deadline = Instant::now() + bound;
    let (mut pause, longest) = PAUSES;
    loop {
        let answer = tokio::time::timeout(bound, ask()).await;
        match answer {
            Ok(Ok(Some(answer))) => return Ok(answer),
            Ok(Ok(None)) if Instant::now() >= deadline => bail!("timed out waiting for {what} ({bound:?})"),
            Ok(Err(error)) if Instant::now() >= deadline => {
                return Err(error.context(format!("timed out waiting for {what} ({bound:?})")));
            }
            Err(_) => bail!("timed out waiting for {what} ({bound:?}); the last attempt did not return"),
            Ok(_) => {
                tokio::time::sleep(pause).await;
                pause = longest.min(pause * 3 / 2);
            }
        }
    }
}
