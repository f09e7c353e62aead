//! Waiting with an end, and with words for what did not come.

use std::time::{Duration, Instant};

use anyhow::{Result, bail};

/// How long anything in the lab is waited for, unless it says otherwise.
pub const PATIENCE: Duration = Duration::from_secs(30);

/// Asks every 50 ms until the answer is there, for [`PATIENCE`]. `what` completes "waited in vain for".
pub async fn until<T>(what: &str, ask: impl AsyncFnMut() -> Result<Option<T>>) -> Result<T> {
    until_within(PATIENCE, what, ask).await
}

/// The same with a bound of the caller's. An error of the question is not the end, but it is remembered.
pub async fn until_within<T>(
    bound: Duration,
    what: &str,
    mut ask: impl AsyncFnMut() -> Result<Option<T>>,
) -> Result<T> {
    let deadline = Instant::now() + bound;
    loop {
        let answer = tokio::time::timeout(bound, ask()).await;
        match answer {
            Ok(Ok(Some(answer))) => return Ok(answer),
            Ok(Ok(None)) if Instant::now() >= deadline => bail!("waited in vain for {what} ({bound:?})"),
            Ok(Err(error)) if Instant::now() >= deadline => {
                return Err(error.context(format!("waited in vain for {what} ({bound:?})")));
            }
            Err(_) => bail!("waited in vain for {what} ({bound:?}); the last question got no answer"),
            Ok(_) => tokio::time::sleep(Duration::from_millis(50)).await,
        }
    }
}
