//! What each condition does to the verdict, and whether that is known or guessed.

use std::collections::HashMap;

use super::Subject;
use super::condition::{Condition, Place, Status};
use crate::known::conditions::{self, Meaning};
use crate::known::reasons::{self, Effect};
use crate::known::suffixes;
use crate::model::health::Judgement;
use crate::model::ident::GroupKind;
use crate::model::json::{list, text};
use crate::model::rulebook::Rulebook;

/// A condition and its weight.
#[derive(Clone, Debug)]
pub(super) struct Weighed<'a> {
    pub(super) condition: Condition<'a>,
    /// What the type means; nothing when nobody knows.
    pub(super) meaning: Option<Meaning>,
    pub(super) effect: Effect,
    pub(super) basis: Basis,
}

/// What the weight rests on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Basis {
    /// A line of a table, the person's settings, or the object's own word.
    Known,
    /// The end of the type's name.
    Guess,
    /// Nothing: the type means nothing to us.
    Nothing,
}

impl Weighed<'_> {
    /// The place among the types that sum an object up; only those of the whole count.
    pub(super) fn summary_rank(&self) -> Option<usize> {
        let speaks_for_all = self.condition.place == Place::Whole && self.basis == Basis::Known;
        conditions::summary_rank(self.condition.name).filter(|_| speaks_for_all)
    }

    /// `~` before what is guessed.
    pub(super) fn mark(&self) -> &'static str {
        if self.basis == Basis::Guess { "~" } else { "" }
    }
}

/// Weighs the conditions of one object.
pub(super) struct Scales<'a> {
    kind: &'a GroupKind,
    rulebook: &'a Rulebook,
    gates: HashMap<&'a str, Meaning>,
}

impl<'a> Scales<'a> {
    pub(super) fn of(subject: &Subject<'a>) -> Self {
        Self { kind: subject.kind, rulebook: subject.rulebook, gates: gates(subject) }
    }

    /// What the person says counts most, then what the object itself says, then the tables, then a guess.
    pub(super) fn weigh<'b>(&self, condition: Condition<'b>) -> Weighed<'b> {
        let (group, name, status) = (self.kind.group.as_str(), condition.name, condition.status);
        let settled = self.rulebook.polarity(self.kind, name).map(meaning);
        let line = conditions::find(group, name);
        let known = settled.or_else(|| self.gates.get(name).copied()).or(line.map(|line| line.meaning));
        let (meaning, basis) = match (known, suffixes::guess(name)) {
            (Some(meaning), _) => (Some(meaning), Basis::Known),
            (None, Some(meaning)) => (Some(meaning), Basis::Guess),
            (None, None) => (None, Basis::Nothing),
        };
        let reason = condition.reason.unwrap_or_default();
        let turned = reasons::effect(group, name, status.word(), reason).filter(|_| settled.is_none());
        if let Some(effect) = turned {
            return Weighed { condition, meaning, effect, basis: Basis::Known };
        }
        let is_listing = settled.is_some() || line.is_some_and(|line| line.group == group);
        let effect = match effect(meaning.unwrap_or(Meaning::Info), status) {
            Effect::Unwell if condition.severity == Some("Info") => Effect::Nothing,
            // Argo CD lists what is wrong without a status. A group that is not known to do so is not read
            // that way.
            Effect::Bad | Effect::Caution if status == Status::Missing && !is_listing => Effect::Nothing,
            effect => effect,
        };
        Weighed { condition, meaning, effect, basis }
    }
}

const fn meaning(settled: Judgement) -> Meaning {
    match settled {
        Judgement::Good => Meaning::Good,
        Judgement::Bad => Meaning::Bad,
        Judgement::Moving => Meaning::Moving,
        Judgement::Paused => Meaning::Paused,
        Judgement::Neutral | Judgement::Unknown => Meaning::Info,
    }
}

const fn effect(meaning: Meaning, status: Status) -> Effect {
    match (meaning, status) {
        (Meaning::Good, Status::True) => Effect::Fine,
        (Meaning::Good, Status::False) => Effect::Unwell,
        (Meaning::Good, Status::Unknown | Status::Other(_)) => Effect::Unsure,
        (Meaning::Bad, Status::True | Status::Missing) => Effect::Bad,
        (Meaning::Moving, Status::True) => Effect::Moving,
        (Meaning::Paused, Status::True) => Effect::Paused,
        (Meaning::Caution, Status::True | Status::Missing) | (Meaning::Wish, Status::False) => {
            Effect::Caution
        }
        _ => Effect::Nothing,
    }
}

/// The meanings that the object itself gives to types: cluster-api v1beta2 lets people name conditions that
/// gate readiness, and say which way round they are (kubernetes-sigs/cluster-api#11918).
fn gates<'a>(subject: &Subject<'a>) -> HashMap<&'a str, Meaning> {
    let group = subject.kind.group.as_str();
    if group != "cluster.x-k8s.io" && !group.ends_with(".cluster.x-k8s.io") {
        return HashMap::new();
    }
    ["availabilityGates", "readinessGates"]
        .into_iter()
        .flat_map(|key| list(subject.object, &["spec", key]))
        .filter_map(|gate| {
            let is_negative = text(gate, &["polarity"]) == Some("Negative");
            Some((text(gate, &["conditionType"])?, if is_negative { Meaning::Bad } else { Meaning::Good }))
        })
        .collect()
}
