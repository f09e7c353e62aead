//! The timestamps of the demo. The lab is a minute old, and a deletion that has waited for a minute is not stuck; so
//! the timestamps are shifted as if the steps of the capture were hours and days apart.
//!
//! What stays accurate: the order of everything, and every interval within a step, to the fraction of a second. So a
//! child is still created a second after its owner, and a Lease that is renewed every two seconds was renewed two
//! seconds ago, as its 15 seconds of validity require (one factor for all times would make every Lease look expired and
//! every pair of objects look unrelated). What is invented: how far the steps are apart, [`CaptureStep::ago`]. The last
//! step ends at [`NOW`], less than a second after the newest time in the file.

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

/// The time of the capture, as far as the file is concerned.
const NOW: &str = "2026-11-02T09:30:00Z";
/// How long nothing is written before a step ends: what an operator still writes after everything looks done belongs
/// to the step that caused it.
const SETTLING: Duration = Duration::from_secs(2);
/// Kinds that are written all the time.
const NEVER_SETTLED: [&str; 3] = ["Event", "Lease", "Node"];

/// The steps, in order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum CaptureStep {
    /// The control plane starts.
    Cluster,
    /// The operators are installed.
    Installed,
    /// Their custom resources are created.
    Made,
    /// One operator is scaled to zero.
    Paused,
    /// A Pod starts to crash, a deletion gets stuck.
    Broken,
    /// Somebody edits a child.
    Edited,
    /// What goes on all the time: Leases are renewed, a cleanup is tried again.
    Live,
}

impl CaptureStep {
    /// How long before [`NOW`] it begins in the file. The extra minutes and half minutes leave room: whatever happens
    /// soon after the step begins has the same age, as kubectl prints ages.
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

/// The steps so far, each with the time at which it really began: a whole second.
pub(super) struct CaptureTimeline(Vec<(CaptureStep, Timestamp)>);

impl CaptureTimeline {
    /// Begins the first step, at the creation of the cluster.
    pub(super) async fn start(client: &Client) -> Result<Self> {
        let namespaces: Api<Namespace> = Api::all(client.clone());
        let oldest = namespaces.get("kube-system").await.context("failed to read the oldest namespace")?;
        let born = oldest.metadata.creation_timestamp.context("kube-system has no creation time")?;
        Ok(Self(vec![(CaptureStep::Cluster, born.0)]))
    }

    /// Ends the step and begins the next; returns when that really begins. Times in the API are cut to whole seconds,
    /// so it begins at one: nothing of the new step can seem to be part of the old one.
    pub(super) async fn begin_step(&mut self, client: &Client, step: CaptureStep) -> Result<Timestamp> {
        wait_until_settled(client).await?;
        let begins = whole_second_from(clock::now())?;
        let wait = begins.duration_since(clock::now());
        tokio::time::sleep(Duration::try_from(wait).unwrap_or_default()).await;
        log_progress(&format!("step: {step:?}"));
        self.0.push((step, begins));
        Ok(begins)
    }

    /// From the creation of the cluster until now: a time outside of it is not part of this capture.
    pub(super) fn window(&self) -> std::ops::RangeInclusive<Timestamp> {
        self.0.first().map_or(Timestamp::MIN, |(_, begins)| *begins)..=clock::now()
    }

    /// Ends the last step, with the newest time in the capture.
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

/// Waits until all objects are the same when read twice, [`SETTLING`] apart.
async fn wait_until_settled(client: &Client) -> Result<()> {
    let versions = async || -> Result<Vec<Value>> {
        let kinds = kinds::discover(client).await?;
        let objects = kinds::read(client, &kinds).await?.into_iter().flatten();
        let moving =
            |object: &Value| object["kind"].as_str().is_none_or(|kind| NEVER_SETTLED.contains(&kind));
        let rest = objects.filter(|object| !moving(object));
        Ok(rest.map(|object| object["metadata"]["resourceVersion"].clone()).collect())
    };
    until("the operators to settle", async || {
        let before = versions().await?;
        tokio::time::sleep(SETTLING).await;
        Ok((versions().await? == before).then_some(()))
    })
    .await
}

/// By how much the times of each step are shifted.
pub(super) struct TimestampShifts(Vec<Shift>);

struct Shift {
    begins: Timestamp,
    by: SignedDuration,
}

impl TimestampShifts {
    /// The shifted time; nothing for a time before the creation of the cluster, which is not part of this capture.
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
    fn the_order_and_the_intervals_within_a_step_are_kept() {
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
    fn steps_begin_at_their_shifted_time_and_the_last_ends_now() {
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
