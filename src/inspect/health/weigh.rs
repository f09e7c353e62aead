//! What each condition does to the verdict, and whether that is known or guessed.

use serde_json::Value;

use super::condition::{Condition, Place, Status};
use crate::known::conditions::{self, Meaning};
use crate::known::reasons::{self, Effect};
use crate::known::suffixes;
use crate::model::object::{list, text};

/// A condition and its weight.
#[derive(Clone, Debug)]
pub(super) struct Weighed<'a> {
    pub(super) condition: Condition<'a>,
    pub(super) effect: Effect,
    pub(super) basis: Basis,
}

/// What the weight rests on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Basis {
    /// A line of a table, or the object's own word.
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

/// Weighs a condition of an object of a group.
pub(super) fn weigh<'a>(group: &str, object: &Value, condition: Condition<'a>) -> Weighed<'a> {
    let (name, status) = (condition.name, condition.status);
    if let Some(effect) = reasons::effect(group, name, status.word(), condition.reason.unwrap_or_default()) {
        return Weighed { condition, effect, basis: Basis::Known };
    }
    let line = conditions::find(group, name);
    let known = gate(group, object, name).or(line.map(|line| line.meaning));
    let (meaning, basis) = match (known, suffixes::guess(name)) {
        (Some(meaning), _) => (meaning, Basis::Known),
        (None, Some(meaning)) => (meaning, Basis::Guess),
        (None, None) => (Meaning::Info, Basis::Nothing),
    };
    let effect = match effect(meaning, status) {
        Effect::Unwell if condition.severity == Some("Info") => Effect::Nothing,
        // Argo CD lists what is wrong without a status. A group that is not known to do so is not read that
        // way.
        Effect::Bad if status == Status::Missing && line.is_none_or(|line| line.group != group) => {
            Effect::Nothing
        }
        effect => effect,
    };
    Weighed { condition, effect, basis }
}

fn effect(meaning: Meaning, status: Status) -> Effect {
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

/// The meaning that the object itself gives to a type: cluster-api v1beta2 lets people name conditions that
/// gate readiness, and say which way round they are (kubernetes-sigs/cluster-api#11918).
fn gate(group: &str, object: &Value, name: &str) -> Option<Meaning> {
    let is_cluster_api = group == "cluster.x-k8s.io" || group.ends_with(".cluster.x-k8s.io");
    let gates =
        ["availabilityGates", "readinessGates"].into_iter().flat_map(|key| list(object, &["spec", key]));
    let own = gates.filter(|_| is_cluster_api).find(|gate| text(gate, &["conditionType"]) == Some(name))?;
    Some(if text(own, &["polarity"]) == Some("Negative") { Meaning::Bad } else { Meaning::Good })
}
