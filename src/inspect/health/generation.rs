//! Whether a status was written for an older generation of the spec.

use serde_json::Value;

use super::condition::whole_number;
use super::condition_effect::EvaluatedCondition;
use super::facts;
use super::phase::PhaseField;
use crate::known::phases::PhaseMeaning;
use crate::known::reasons::Effect;
use crate::model::health::{Health, Verdict};
use crate::model::json::{at, list, number, text};
use crate::model::kind::StatusSubresource;
use crate::model::rule::Rule;

/// The verdict on an object whose status is for an older spec.
pub(super) fn stale(
    object: &Value,
    conditions: &[EvaluatedCondition],
    phases: &[PhaseField],
    status_subresource: StatusSubresource,
) -> Option<Health> {
    let generation = number(object, &["metadata", "generation"])?;
    // Without a status subresource every write of the status increments the generation, so `observedGeneration` always
    // lags behind.
    let is_absent = match status_subresource {
        StatusSubresource::Present => false,
        StatusSubresource::Absent => true,
        StatusSubresource::Unknown => seems_to_have_no_status_subresource(object),
    };
    if is_absent {
        return None;
    }
    // The first generation is 1. Flux writes -1 and Go's zero value is 0 until a reconciliation has succeeded: if a
    // problem is reported then, it is the current one.
    let reports_problem =
        conditions.iter().any(|one| matches!(one.effect, Effect::Failed | Effect::NotReady))
            || phases.iter().any(|phase| phase.meaning >= Some(PhaseMeaning::NotReady));
    let is_old = |seen: i64| seen < generation && !(seen < 1 && reports_problem);
    let whole = whole_number(at(object, &["status", "observedGeneration"]));
    let own = facts::fact("metadata.generation", &generation.to_string());
    let (message, path, seen) = if let Some(seen) = whole.filter(|seen| is_old(*seen)) {
        let message = format!("its status is for an older spec (generation {seen}, now {generation})");
        (message, "status.observedGeneration".to_owned(), seen)
    } else {
        let judged = conditions.iter().filter(|one| !matches!(one.effect, Effect::None | Effect::Warning));
        let old = judged
            .filter(|one| one.condition.observed_generation.is_some_and(is_old))
            .min_by_key(|one| one.summary_rank().unwrap_or(usize::MAX))?;
        let seen = old.condition.observed_generation.unwrap_or_default();
        let message =
            format!("{} is for an older spec (generation {seen}, now {generation})", old.condition.label());
        (message, format!("{}.observedGeneration", old.condition.path()), seen)
    };
    let facts = vec![own, facts::fact(path, &seen.to_string())];
    Some(Health { message: Some(message), facts, ..Health::new(Verdict::Progressing, Rule::StaleGeneration) })
}

/// Only without a status subresource does the API server list fields of the status under a manager without one.
fn seems_to_have_no_status_subresource(object: &Value) -> bool {
    let writers = list(object, &["metadata", "managedFields"]);
    let is_whole = |writer: &&Value| text(writer, &["subresource"]).unwrap_or_default().is_empty();
    !writers.iter().any(|writer| text(writer, &["subresource"]) == Some("status"))
        && writers.iter().filter(is_whole).any(|writer| at(writer, &["fieldsV1", "f:status"]).is_some())
}
