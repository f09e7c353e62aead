//! What each condition does to the verdict, and whether that is known or guessed.

use std::collections::HashMap;

use super::RuleContext;
use super::condition::{Condition, ConditionScope, Status};
use crate::known::conditions::{self, Polarity};
use crate::known::reasons::{self, Effect};
use crate::known::suffixes;
use crate::model::health::ConditionMeaning;
use crate::model::ident::GroupKind;
use crate::model::json::{list, text};
use crate::model::rulebook::Rulebook;

/// A condition and its effect on the verdict.
#[derive(Clone, Debug)]
pub(super) struct EvaluatedCondition<'a> {
    pub(super) condition: Condition<'a>,
    /// What the type means; `None` if it is not known.
    pub(super) polarity: Option<Polarity>,
    pub(super) effect: Effect,
    pub(super) confidence: Confidence,
}

/// How well the meaning of a type is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Confidence {
    /// From a table, the user's settings, or the object itself.
    Known,
    /// Guessed from the end of the type's name.
    Guessed,
    /// Not known.
    Unknown,
}

impl EvaluatedCondition<'_> {
    /// The rank among the types that summarize an object; `None` for any other type, and for conditions of a part.
    pub(super) fn summary_rank(&self) -> Option<usize> {
        let is_whole = self.condition.scope == ConditionScope::Object && self.confidence == Confidence::Known;
        conditions::summary_rank(self.condition.name).filter(|_| is_whole)
    }

    /// `~` if the meaning is guessed.
    pub(super) fn guess_mark(&self) -> &'static str {
        if self.confidence == Confidence::Guessed { "~" } else { "" }
    }
}

/// Evaluates the conditions of one object.
pub(super) struct ConditionEvaluator<'a> {
    kind: &'a GroupKind,
    rulebook: &'a Rulebook,
    gates: HashMap<&'a str, Polarity>,
}

impl<'a> ConditionEvaluator<'a> {
    pub(super) fn new(context: &RuleContext<'a>) -> Self {
        Self { kind: context.kind, rulebook: context.rulebook, gates: gates(context) }
    }

    /// The user's settings take precedence over the object's own gates, those over the tables, those over a guess.
    pub(super) fn evaluate<'b>(&self, condition: Condition<'b>) -> EvaluatedCondition<'b> {
        let (group, name, status) = (self.kind.group.as_str(), condition.name, condition.status);
        let configured = self.rulebook.polarity(self.kind, name).map(polarity);
        let line = conditions::find(group, name);
        let known = configured.or_else(|| self.gates.get(name).copied()).or(line.map(|line| line.polarity));
        let (polarity, confidence) = match (known, suffixes::guess(name)) {
            (Some(polarity), _) => (Some(polarity), Confidence::Known),
            (None, Some(polarity)) => (Some(polarity), Confidence::Guessed),
            (None, None) => (None, Confidence::Unknown),
        };
        let reason = condition.reason.unwrap_or_default();
        let by_reason = reasons::effect(group, name, status.word(), reason).filter(|_| configured.is_none());
        if let Some(effect) = by_reason {
            return EvaluatedCondition { condition, polarity, effect, confidence: Confidence::Known };
        }
        let may_lack_status = configured.is_some() || line.is_some_and(|line| line.group == group);
        let effect = match effect(polarity.unwrap_or(Polarity::Info), status) {
            Effect::NotReady if condition.severity == Some("Info") => Effect::None,
            // Argo CD lists problems without a status. Other groups must be known to do so.
            Effect::Failed | Effect::Warning if status == Status::Missing && !may_lack_status => Effect::None,
            effect => effect,
        };
        EvaluatedCondition { condition, polarity, effect, confidence }
    }
}

const fn polarity(configured: ConditionMeaning) -> Polarity {
    match configured {
        ConditionMeaning::Good => Polarity::Good,
        ConditionMeaning::Bad => Polarity::Bad,
        ConditionMeaning::Progressing => Polarity::Progressing,
        ConditionMeaning::Paused => Polarity::Paused,
        ConditionMeaning::Neutral | ConditionMeaning::Unknown => Polarity::Info,
    }
}

const fn effect(polarity: Polarity, status: Status) -> Effect {
    match (polarity, status) {
        (Polarity::Good, Status::True) => Effect::Ready,
        (Polarity::Good, Status::False) => Effect::NotReady,
        (Polarity::Good, Status::Unknown | Status::Other(_)) => Effect::Unknown,
        (Polarity::Bad, Status::True | Status::Missing) => Effect::Failed,
        (Polarity::Progressing, Status::True) => Effect::Progressing,
        (Polarity::Paused, Status::True) => Effect::Suspended,
        (Polarity::WarnIfTrue, Status::True | Status::Missing) | (Polarity::WarnIfFalse, Status::False) => {
            Effect::Warning
        }
        _ => Effect::None,
    }
}

/// The condition types that the object itself declares, with their polarity: cluster-api v1beta2 has gates for
/// readiness and availability (kubernetes-sigs/cluster-api#11918).
fn gates<'a>(context: &RuleContext<'a>) -> HashMap<&'a str, Polarity> {
    let group = context.kind.group.as_str();
    if group != "cluster.x-k8s.io" && !group.ends_with(".cluster.x-k8s.io") {
        return HashMap::new();
    }
    ["availabilityGates", "readinessGates"]
        .into_iter()
        .flat_map(|key| list(context.object, &["spec", key]))
        .filter_map(|gate| {
            let is_negative = text(gate, &["polarity"]) == Some("Negative");
            Some((text(gate, &["conditionType"])?, if is_negative { Polarity::Bad } else { Polarity::Good }))
        })
        .collect()
}
