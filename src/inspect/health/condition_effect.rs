//! What each condition does to the verdict, and whether that is known or guessed.

use std::collections::HashMap;

use super::RuleContext;
use super::condition::{Condition, ConditionScope, Status};
use crate::known::conditions::{self, Polarity};
use crate::known::phases::{self, PhaseMeaning};
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
    /// The rank among the types that summarize an object of the group.
    rank: Option<usize>,
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
        self.rank.filter(|_| is_whole)
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
        let (polarity, confidence) = match known {
            Some(polarity) => (Some(polarity), Confidence::Known),
            None => match suffixes::guess(name) {
                Some(polarity) => (Some(polarity), Confidence::Guessed),
                None => (None, Confidence::Unknown),
            },
        };
        let rank = conditions::summary_rank(group, name);
        let (effect, confidence) = match self.by_reason(&condition, polarity).filter(|_| configured.is_none())
        {
            Some(Exception::Known(effect)) => (effect, Confidence::Known),
            Some(Exception::Read(effect)) => (effect, confidence),
            None => {
                let may_lack_status = configured.is_some() || line.is_some_and(|line| line.group == group);
                let effect = match self.effect(polarity.unwrap_or(Polarity::Info), status) {
                    // Azure: not ready yet. A step that is False for information is no problem.
                    Effect::NotReady if condition.severity == Some("Info") && rank.is_some() => {
                        Effect::Progressing
                    }
                    Effect::NotReady if condition.severity == Some("Info") => Effect::None,
                    // Argo CD lists problems without a status. Other groups must be known to do so.
                    Effect::Failed | Effect::Warning if status == Status::Missing && !may_lack_status => {
                        Effect::None
                    }
                    effect => effect,
                };
                (effect, confidence)
            }
        };
        EvaluatedCondition { condition, polarity, effect, confidence, rank }
    }

    /// What the reason says if it says more than the type: the tables first, then what the word itself means.
    fn by_reason(&self, condition: &Condition, polarity: Option<Polarity>) -> Option<Exception> {
        let (group, name, status) = (self.kind.group.as_str(), condition.name, condition.status.word());
        let reason = condition.reason.unwrap_or_default();
        if let Some(effect) = reasons::effect(group, name, status, reason) {
            return Some(Exception::Known(effect));
        }
        let usual = self.effect(polarity.unwrap_or(Polarity::Info), condition.status);
        let is_waiting = matches!(usual, Effect::Progressing | Effect::Unknown);
        let is_off = || phases::meaning(self.kind, reason) == Some(PhaseMeaning::Paused);
        // Rollouts set `Progressing` to Unknown while they are paused.
        let may_be_off = is_waiting
            || usual == Effect::NotReady
            || (polarity == Some(Polarity::Progressing) && condition.status == Status::Unknown);
        if may_be_off && !reason.contains(char::is_whitespace) && is_off() {
            return Some(Exception::Read(Effect::Suspended));
        }
        if let Some(effect) = reasons::effect_of_any(group, name, status) {
            return Some(Exception::Known(effect));
        }
        (is_waiting && reasons::is_failure(reason)).then_some(Exception::Read(Effect::NotReady))
    }

    fn effect(&self, polarity: Polarity, status: Status) -> Effect {
        match status {
            Status::Other(word) => {
                effect_of_word(polarity, phases::meaning(self.kind, word)).unwrap_or(effect(polarity, status))
            }
            _ => effect(polarity, status),
        }
    }
}

/// An effect that the reason decides.
enum Exception {
    /// By a table.
    Known(Effect),
    /// By the word itself; how well the type is known does not change.
    Read(Effect),
}

/// What a status other than True, False and Unknown says, such as `Degraded`.
const fn effect_of_word(polarity: Polarity, meaning: Option<PhaseMeaning>) -> Option<Effect> {
    match (polarity, meaning) {
        (Polarity::Good, Some(meaning)) => Some(match meaning {
            PhaseMeaning::Good => Effect::Ready,
            PhaseMeaning::Warning => Effect::Warning,
            PhaseMeaning::Paused => Effect::Suspended,
            PhaseMeaning::Progressing => Effect::Progressing,
            PhaseMeaning::NotReady => Effect::NotReady,
            PhaseMeaning::Bad => Effect::Failed,
        }),
        (Polarity::Bad, Some(PhaseMeaning::Bad)) => Some(Effect::Failed),
        (Polarity::Bad, Some(PhaseMeaning::NotReady)) => Some(Effect::NotReady),
        _ => None,
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
