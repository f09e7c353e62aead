//! The rules that can call a custom resource Ready. They come last: everything that could contradict them was checked
//! before.

use super::condition::{self, ConditionScope};
use super::condition_effect::{Confidence, EvaluatedCondition};
use super::custom::{CustomResource, health_by_phase};
use super::excerpt::excerpt;
use super::phase::PhaseField;
use super::ready_field::{self, ReadyField};
use super::{facts, replicas};
use crate::known::phases::PhaseMeaning;
use crate::known::reasons::Effect;
use crate::model::health::{Health, Verdict};
use crate::model::json::list;
use crate::model::rule::Rule;

pub(super) fn summary_condition(resource: &CustomResource) -> Option<Health> {
    let found = resource.with(Effect::Ready).filter(|one| one.summary_rank().is_some());
    let first = found.min_by_key(|one| one.summary_rank())?;
    Some(Health {
        reason: first.condition.reason.map(excerpt),
        message: resource.warning().map(|warning| format!("warning: {warning}")),
        since: first.condition.changed_at(resource.now),
        facts: vec![facts::condition(&first.condition)],
        ..Health::new(Verdict::Ready, Rule::SummaryCondition)
    })
}

/// An object that has no condition of its own, but one for each of those that use it: it is ready if all say so.
pub(super) fn whole_parts(resource: &CustomResource) -> Option<Health> {
    let has_own = resource.conditions.iter().any(|one| one.condition.scope == ConditionScope::Object)
        || resource.main_phases().next().is_some();
    let (key, name) =
        *condition::WHOLE_PARTS.iter().find(|(key, _)| !list(resource.status, &[key]).is_empty())?;
    let is_in = |scope: &ConditionScope| match scope {
        ConditionScope::Part(part) => part.strip_prefix(key).is_some_and(|rest| rest.starts_with('[')),
        ConditionScope::Object => false,
    };
    let good: Vec<&EvaluatedCondition> = resource
        .with(Effect::Ready)
        .filter(|one| {
            one.condition.name == name && one.confidence == Confidence::Known && is_in(&one.condition.scope)
        })
        .collect();
    let parts = list(resource.status, &[key]).len();
    // A parent that has not reported yet has no entry.
    let is_complete = key != "parents" || list(resource.object, &["spec", "parentRefs"]).len() <= parts;
    (!has_own && is_complete && good.len() == parts).then(|| Health {
        since: good.iter().filter_map(|one| one.condition.changed_at(resource.now)).max(),
        facts: good.iter().take(facts::MAX_CONDITIONS).map(|one| facts::condition(&one.condition)).collect(),
        ..Health::new(Verdict::Ready, Rule::SummaryCondition)
    })
}

pub(super) fn healthy_phase_or_field(resource: &CustomResource) -> Option<Health> {
    let main: Vec<&PhaseField> = resource.main_phases().collect();
    // An unknown word may be a bad one, so a good one next to it is not enough.
    let is_fine =
        |phase: &&PhaseField| matches!(phase.meaning, Some(PhaseMeaning::Good | PhaseMeaning::Warning));
    if let Some(phase) = main.first().filter(|_| main.iter().all(is_fine)) {
        return Some(health_by_phase(resource, phase, Health::new(Verdict::Ready, Rule::Phase)));
    }
    let covers = |field: &ReadyField| field.value && field.is_whole;
    let path = ready_field::read(resource.object).find(covers).filter(|_| main.is_empty())?.path;
    let message = format!("{path} is true");
    let facts = vec![facts::fact(path, "true")];
    Some(Health { message: Some(message), facts, ..Health::new(Verdict::Ready, Rule::ReadyField) })
}

/// All replicas are there, and nothing else in the status could say otherwise.
pub(super) fn all_replicas(resource: &CustomResource) -> Option<Health> {
    let is_clear = resource.main_phases().next().is_none() && resource.conditions.is_empty();
    let ready = replicas::all(resource.object).filter(|_| is_clear)?;
    let facts = facts::read(resource.object, &replicas::FIELDS);
    Some(Health {
        message: Some(format!("{ready} of {ready} replicas ready")),
        facts,
        ..Health::new(Verdict::Ready, Rule::Replicas)
    })
}
