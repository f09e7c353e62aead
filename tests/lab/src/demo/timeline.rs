//! The demo's time. The lab is a minute old, and a deletion that has waited for a minute is not stuck; so the
//! story is told as if its chapters lay hours and days apart.
//!
//! What stays true: the order of everything, and every distance within a chapter, to the fraction of a second. So
//! a child is still made a second after its owner, and a Lease that is renewed every two seconds was renewed two
//! seconds ago, as its 15 seconds of validity demand (one factor for all times would make every leader look dead
//! and every pair of objects look unrelated). What is invented: how far the chapters lie apart, [`CaptureStep::ago`].
//! The last chapter ends at [`NOW`], the newest time in the file but for less than a second.

use std::time::Duration;

use anyhow::{Context as _, Result};
use k8s_openapi::api::core::v1::Namespace;
use k8s_openapi::jiff::{SignedDuration, Timestamp};
use kube::{Api, Client};
use serde_json::Value;

use super::kinds;
use crate::log_progress;
use crate::wait::until;
use crate::worlds::clock;

/// The moment at which the demo world pretends to have been captured.
const NOW: &str = "2026-11-02T09:30:00Z";
/// How long nothing is written before a chapter ends: what an operator still writes after everything looks done
/// belongs to the chapter that caused it.
const SETTLING: Duration = Duration::from_secs(2);
/// Kinds that never come to rest.
const NEVER_SETTLED: [&str; 3] = ["Event", "Lease", "Node"];

/// The chapters, in their order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum CaptureStep {
    /// The control plane is born.
    Cluster,
    /// The operators are installed.
    Installed,
    /// Their custom resources are made.
    Made,
    /// One operator is scaled to nothing.
    Paused,
    /// A Pod starts to crash, a deletion gets stuck.
    Broken,
    /// Somebody edits a child.
    Edited,
    /// What goes on all the time: Leases are renewed, a cleanup is tried again.
    Live,
}

impl CaptureStep {
    /// How long before [`NOW`] it pretends to begin. The odd half minutes and minutes are room: whatever happens
    /// within a chapter's first moments is of the same age, as kubectl prints ages.
    fn ago(self) -> SignedDuration {
        let minutes = SignedDuration::from_mins;
        match self {
            Self::Cluster => minutes(30 * 24 * 60 + 10),
            Self::Installed => minutes(12 * 24 * 60 + 10),
            Self::Made => minutes(3 * 24 * 60 + 10),
            Self::Paused => SignedDuration::from_secs((5 * 60 + 10) * 60 + 50),
            Self::Broken => SignedDuration::from_secs((2 * 60 + 10) * 60 + 50),
            Self::Edited => SignedDuration::from_secs(40 * 60 + 50),
            Self::Live => SignedDuration::ZERO,
        }
    }
}

/// The chapters so far, each with the moment at which it really began: a whole second.
pub(super) struct CaptureTimeline(Vec<(CaptureStep, Timestamp)>);

impl CaptureTimeline {
    /// Opens the first chapter, with the cluster's own beginning.
    pub(super) async fn start(client: &Client) -> Result<Self> {
        let namespaces: Api<Namespace> = Api::all(client.clone());
        let oldest = namespaces.get("kube-system").await.context("failed to read the oldest namespace")?;
        let born = oldest.metadata.creation_timestamp.context("kube-system has no age")?;
        Ok(Self(vec![(CaptureStep::Cluster, born.0)]))
    }

    /// Closes the chapter and opens the next; when that really begins. Times in the API are cut to whole seconds,
    /// so it begins with one: nothing of the new chapter can seem to lie in the old one.
    pub(super) async fn begin_step(&mut self, client: &Client, step: CaptureStep) -> Result<Timestamp> {
        wait_until_settled(client).await?;
        let begins = whole_second_from(clock::now())?;
        let wait = begins.duration_since(clock::now());
        tokio::time::sleep(Duration::try_from(wait).unwrap_or_default()).await;
        log_progress(&format!("step: {step:?}"));
        self.0.push((step, begins));
        Ok(begins)
    }

    /// From the cluster's beginning until now: a time outside of it is not of this timeline.
    pub(super) fn window(&self) -> std::ops::RangeInclusive<Timestamp> {
        self.0.first().map_or(Timestamp::MIN, |(_, begins)| *begins)..=clock::now()
    }

    /// Ends the story with the newest time in it.
    pub(super) fn finish(self, newest: Timestamp) -> Result<TimestampShifts> {
        let now: Timestamp = NOW.parse().context("NOW is no time")?;
        let end = whole_second_from(newest)?;
        let shift = |(step, begins): (CaptureStep, Timestamp)| {
            let by = match step {
                CaptureStep::Live => now.duration_since(end),
                other => now.saturating_sub(other.ago())?.duration_since(begins),
            };
            anyhow::Ok(Shift { begins, by })
        };
        Ok(TimestampShifts(self.0.into_iter().map(shift).collect::<Result<_>>()?))
    }
}

/// Waits until two readings of all objects, [`SETTLING`] apart, are the same.
async fn wait_until_settled(client: &Client) -> Result<()> {
    let versions = async || -> Result<Vec<Value>> {
        let kinds = kinds::discover(client).await?;
        let objects = kinds::read(client, &kinds).await?.into_iter().flatten();
        let moving =
            |object: &Value| object["kind"].as_str().is_none_or(|kind| NEVER_SETTLED.contains(&kind));
        let rest = objects.filter(|object| !moving(object));
        Ok(rest.map(|object| object["metadata"]["resourceVersion"].clone()).collect())
    };
    until("the operators to come to rest", async || {
        let before = versions().await?;
        tokio::time::sleep(SETTLING).await;
        Ok((versions().await? == before).then_some(()))
    })
    .await
}

/// When everything pretends to have happened.
pub(super) struct TimestampShifts(Vec<Shift>);

struct Shift {
    begins: Timestamp,
    by: SignedDuration,
}

impl TimestampShifts {
    /// The pretended moment of a real one; nothing for a time from before the cluster, which is not of this timeline.
    pub(super) fn shifted(&self, real: Timestamp) -> Option<Timestamp> {
        let shift = self.0.iter().rev().find(|shift| shift.begins <= real)?;
        real.checked_add(shift.by).ok()
    }
}

/// The same moment if it is a whole second, else the next one.
fn whole_second_from(time: Timestamp) -> Result<Timestamp> {
    let up = i64::from(time.subsec_nanosecond() > 0);
    Timestamp::from_second(time.as_second() + up).context("the clock is out of range")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(text: &str) -> Timestamp {
        text.parse().unwrap()
    }

    fn shifts() -> TimestampShifts {
        let timeline = CaptureTimeline(vec![
            (CaptureStep::Cluster, at("2026-01-01T00:00:00Z")),
            (CaptureStep::Made, at("2026-01-01T00:00:20Z")),
            (CaptureStep::Live, at("2026-01-01T00:01:00Z")),
        ]);
        timeline.finish(at("2026-01-01T00:01:04.5Z")).unwrap()
    }

    #[test]
    fn the_order_and_the_distances_within_a_chapter_stay_true() {
        let shifts = shifts();
        let moments: Vec<Timestamp> = (0..65_000)
            .step_by(250)
            .map(|ms| at("2026-01-01T00:00:00Z") + SignedDuration::from_millis(ms))
            .collect();
        let pretended: Vec<Timestamp> = moments.iter().map(|real| shifts.shifted(*real).unwrap()).collect();
        assert!(pretended.windows(2).all(|pair| pair[0] < pair[1]));
        let distance = shifts
            .shifted(at("2026-01-01T00:00:59.75Z"))
            .unwrap()
            .duration_since(shifts.shifted(at("2026-01-01T00:00:20Z")).unwrap());
        assert_eq!(distance, SignedDuration::from_millis(39_750));
    }

    #[test]
    fn chapters_begin_when_they_pretend_to_and_the_last_ends_now() {
        let shifts = shifts();
        assert_eq!(shifts.shifted(at("2026-01-01T00:00:20Z")), Some(at("2026-10-30T09:20:00Z")));
        assert_eq!(shifts.shifted(at("2026-01-01T00:01:05Z")), Some(at(NOW)));
        assert_eq!(shifts.shifted(at("2026-01-01T00:01:04.5Z")), Some(at("2026-11-02T09:29:59.5Z")));
    }

    #[test]
    fn a_time_from_before_the_cluster_is_left_alone() {
        assert_eq!(shifts().shifted(at("0001-01-01T00:00:00Z")), None);
    }
}
