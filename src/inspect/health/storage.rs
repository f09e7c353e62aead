//! Volumes and claims on them, by their phase.

use jiff::Timestamp;
use serde_json::Value;

use super::condition;
use super::weigh::weigh;
use super::workload::{by_condition, told};
use super::{age, has_no_status, no_status, said};
use crate::known::reasons::Effect;
use crate::model::age::human;
use crate::model::health::{Health, Verdict};
use crate::model::object::text;

pub(super) fn claim(object: &Value, now: Timestamp) -> Health {
    const RULE: &str = "persistentvolumeclaim";
    if has_no_status(object) {
        return no_status();
    }
    let phase = text(object, &["status", "phase"]).unwrap_or_default();
    let since = age(object, now).map(|age| format!(" for {}", human(age))).unwrap_or_default();
    let health = match phase {
        "Bound" => resizing(object, now).unwrap_or_else(|| said(Verdict::Ready, RULE)),
        "Pending" => told(Verdict::Progressing, RULE, format!("no volume is bound to it{since}")),
        "Lost" => told(Verdict::Failed, RULE, "the volume that it was bound to is gone".to_owned()),
        other => told(Verdict::Unknown, RULE, format!("phase is {other:?}")),
    };
    with_word(health, phase)
}

pub(super) fn volume(object: &Value, _now: Timestamp) -> Health {
    const RULE: &str = "persistentvolume";
    if has_no_status(object) {
        return no_status();
    }
    let phase = text(object, &["status", "phase"]).unwrap_or_default();
    let is_kept = text(object, &["spec", "persistentVolumeReclaimPolicy"]) == Some("Retain");
    let words = text(object, &["status", "message"]).unwrap_or("its reclamation failed").to_owned();
    let health = match phase {
        "Available" | "Bound" => said(Verdict::Ready, RULE),
        "Pending" => told(Verdict::Progressing, RULE, "it is not available yet".to_owned()),
        "Released" if is_kept => {
            told(Verdict::None, RULE, "its claim is gone; the policy keeps it".to_owned())
        }
        "Released" => {
            told(Verdict::Progressing, RULE, "its claim is gone; it is not reclaimed yet".to_owned())
        }
        "Failed" => told(Verdict::Failed, RULE, words),
        other => told(Verdict::Unknown, RULE, format!("phase is {other:?}")),
    };
    let reason = text(object, &["status", "reason"]).map(str::to_owned);
    Health { reason, ..with_word(health, phase) }
}

/// A bound claim whose size or class is being changed, or could not be.
fn resizing(object: &Value, now: Timestamp) -> Option<Health> {
    let weighed: Vec<_> = condition::read(object).into_iter().map(|one| weigh("", object, one)).collect();
    let by = |effect, verdict| {
        let one = weighed.iter().find(|one| one.effect == effect && one.mark().is_empty())?;
        Some(by_condition(&one.condition, verdict, "persistentvolumeclaim", now))
    };
    by(Effect::Bad, Verdict::Failed).or_else(|| by(Effect::Moving, Verdict::Progressing))
}

fn with_word(health: Health, phase: &str) -> Health {
    let status = if phase.is_empty() { health.status } else { phase.to_owned() };
    Health { status, ..health }
}
