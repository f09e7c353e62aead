//! `PersistentVolumes` and `PersistentVolumeClaims`, by their phase.

use jiff::SignedDuration;

use super::condition;
use super::condition_effect::ConditionEvaluator;
use super::workload::from_condition;
use super::{RuleContext, age, created, has_no_status, if_past, no_status};
use crate::known::reasons::Effect;
use crate::known::server_messages;
use crate::model::health::{Health, Verdict};
use crate::model::json::{text, time};
use crate::model::rule::Rule;

/// How long a volume may take to be provisioned.
const MAX_PENDING: SignedDuration = SignedDuration::from_hours(1);

pub(super) fn claim(context: &RuleContext) -> Health {
    const RULE: Rule = Rule::PersistentVolumeClaim;
    let RuleContext { object, now, .. } = *context;
    if has_no_status(object) {
        return no_status();
    }
    let phase = text(object, &["status", "phase"]).unwrap_or_default();
    let since = created(object, now).map(|then| format!(" {}", now.lasting(then))).unwrap_or_default();
    let health = match phase {
        "Bound" => resizing(context).unwrap_or_else(|| Health::new(Verdict::Ready, RULE)),
        // A claim never returns to this phase, so it has been Pending since its creation.
        "Pending" => {
            let is_late = age(object, now).is_some_and(|age| age > MAX_PENDING);
            let verdict = if is_late { Verdict::NotReady } else { Verdict::Progressing };
            Health {
                since: created(object, now),
                unexplained: true,
                ..Health::new(verdict, RULE).with_message(format!("not bound to a volume{since}"))
            }
        }
        "Lost" => Health::new(Verdict::Failed, RULE).with_message("its volume no longer exists"),
        other => Health::new(Verdict::Unknown, RULE).with_message(format!("phase is {other:?}")),
    };
    with_word(health, phase)
}

pub(super) fn volume(context: &RuleContext) -> Health {
    const RULE: Rule = Rule::PersistentVolume;
    let RuleContext { object, now, .. } = *context;
    if has_no_status(object) {
        return no_status();
    }
    let phase = text(object, &["status", "phase"]).unwrap_or_default();
    let is_kept = text(object, &["spec", "persistentVolumeReclaimPolicy"]) == Some("Retain");
    let message = text(object, &["status", "message"]);
    let health = match phase {
        "Available" | "Bound" => Health::new(Verdict::Ready, RULE),
        "Pending" => Health::new(Verdict::Progressing, RULE).with_message("not available yet"),
        "Released" if is_kept => Health::new(Verdict::None, RULE)
            .with_message("its claim was deleted; reclaim policy Retain keeps it"),
        "Released" => {
            Health::new(Verdict::Progressing, RULE).with_message("its claim was deleted; not reclaimed yet")
        }
        "Failed" => Health {
            problem: message.and_then(server_messages::classify),
            ..Health::new(Verdict::Failed, RULE).with_message(message.unwrap_or("reclaiming it failed"))
        },
        other => Health::new(Verdict::Unknown, RULE).with_message(format!("phase is {other:?}")),
    };
    let reason = text(object, &["status", "reason"]).map(str::to_owned);
    let since = if_past(time(object, &["status", "lastPhaseTransitionTime"]), now);
    Health { reason, since, ..with_word(health, phase) }
}

/// The verdict on a bound claim that is being resized or modified, or could not be.
fn resizing(context: &RuleContext) -> Option<Health> {
    let evaluator = ConditionEvaluator::new(context);
    let evaluated: Vec<_> =
        condition::read(context.object).into_iter().map(|one| evaluator.evaluate(one)).collect();
    let by = |effect, verdict| {
        let one = evaluated.iter().find(|one| one.effect == effect && one.guess_mark().is_empty())?;
        Some(from_condition(&one.condition, verdict, Rule::PersistentVolumeClaim, context.now))
    };
    by(Effect::Failed, Verdict::Failed).or_else(|| by(Effect::Progressing, Verdict::Progressing))
}

fn with_word(health: Health, phase: &str) -> Health {
    let status = if phase.is_empty() { health.status } else { phase.to_owned() };
    Health { status, ..health }
}
