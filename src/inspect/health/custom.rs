//! The rules for custom resources, in order. They read conditions, phase fields, ready fields and replica counts.

use std::collections::BTreeSet;

use jiff::{SignedDuration, Timestamp};
use serde_json::Value;

use super::condition::{self, ConditionScope, Since, whole_number};
use super::condition_effect::{ConditionEvaluator, Confidence, EvaluatedCondition};
use super::phase::{self, PhaseField, PhaseScope};
use super::{RECENT, RuleContext, elapsed, facts, has_no_status, no_status, replicas, unknown_status};
use crate::known::conditions;
use crate::known::phases::PhaseMeaning;
use crate::known::reasons::Effect;
use crate::known::server_messages;
use crate::model::health::{Health, Verdict};
use crate::model::json::{at, is_true, list, number, text};
use crate::model::rule::Rule;

/// The rules; the first that returns a verdict wins.
const RULES: [fn(&CustomResource) -> Option<Health>; 12] = [
    stale_generation,
    suspended,
    bad_condition,
    paused_condition,
    good_condition_false,
    progressing_condition,
    unhealthy_phase,
    ready_field_false,
    missing_replicas,
    summary_condition,
    healthy_phase_or_field,
    accepted_parts,
];

/// Boolean fields of a status; false means a problem.
const READY_FIELDS: [&str; 5] = ["available", "healthy", "ready", "synced", "valid"];

/// How many conditions a message names after the first.
const MAX_NAMED: usize = 5;

/// An object and everything in it that the rules look at.
struct CustomResource<'a> {
    object: &'a Value,
    conditions: Vec<EvaluatedCondition<'a>>,
    phases: Vec<PhaseField<'a>>,
    now: Timestamp,
}

/// Judges a custom resource that is not being deleted.
pub(super) fn judge(context: &RuleContext) -> Health {
    let RuleContext { kind, object, now, .. } = *context;
    if has_no_status(object) {
        return no_status();
    }
    let evaluator = ConditionEvaluator::new(context);
    let resource = CustomResource {
        object,
        conditions: condition::read(object)
            .into_iter()
            .map(|condition| evaluator.evaluate(condition))
            .collect(),
        phases: phase::read(kind, object),
        now,
    };
    let health = RULES.iter().find_map(|rule| rule(&resource)).unwrap_or_else(|| {
        let message = unknown_status::message(object, &resource.conditions, &resource.phases, now);
        let conditions = resource.conditions.iter().map(|one| facts::condition(&one.condition));
        let phases = resource.phases.iter().map(PhaseField::fact);
        let facts = conditions.chain(phases).take(facts::MAX_CONDITIONS).collect();
        Health { message: Some(message), facts, ..Health::new(Verdict::Unknown, Rule::NotJudged) }
    });
    let ready =
        resource.summary().map(|one| one.condition.status.word().to_owned()).filter(|word| !word.is_empty());
    Health { ready, ..health }
}

impl<'a> CustomResource<'a> {
    /// The condition that best summarizes the object.
    fn summary(&self) -> Option<&EvaluatedCondition<'a>> {
        self.conditions.iter().filter(|one| one.summary_rank().is_some()).min_by_key(|one| one.summary_rank())
    }

    /// The conditions with an effect: known ones before guesses, summaries before others.
    fn with(&self, effect: Effect) -> Vec<&EvaluatedCondition<'a>> {
        let mut found: Vec<&EvaluatedCondition> =
            self.conditions.iter().filter(|one| one.effect == effect).collect();
        found.sort_by_key(|one| (one.confidence, one.summary_rank().unwrap_or(usize::MAX)));
        found
    }

    /// A verdict by the first of some conditions; the message names the others.
    fn health_by(&self, found: &[&EvaluatedCondition<'a>], verdict: Verdict, rule: Rule) -> Option<Health> {
        let (first, others) = found.split_first()?;
        let mut message = self.describe(first);
        if !others.is_empty() {
            let labels = others.iter().map(|one| format!("{}{}", one.guess_mark(), one.condition.label()));
            message = format!("{message}; also {}", unknown_status::join_first(labels, MAX_NAMED));
        }
        let judged = Health::new(verdict, rule);
        let status = format!("{}{}", first.guess_mark(), judged.status);
        Some(Health {
            status,
            reason: first.condition.reason.map(str::to_owned),
            message: Some(message),
            problem: first.condition.message.and_then(server_messages::classify),
            in_progress: self.is_in_progress(first),
            since: first.condition.changed_at(self.now),
            facts: found
                .iter()
                .take(facts::MAX_CONDITIONS)
                .map(|one| facts::condition(&one.condition))
                .collect(),
            ..judged
        })
    }

    /// `Ready=False for 3d: image not found`.
    fn describe(&self, one: &EvaluatedCondition) -> String {
        let lasted =
            one.condition.duration(self.now).map(|lasted| format!(" for {lasted}")).unwrap_or_default();
        let progress = if self.is_in_progress(one) { ", in progress" } else { "" };
        let words = one.condition.message.map(|words| format!(": {words}")).unwrap_or_default();
        format!("{}{}{lasted}{progress}{words}", one.guess_mark(), one.condition.label())
    }

    /// Whether a condition that should be True may simply not be True yet.
    fn is_in_progress(&self, one: &EvaluatedCondition) -> bool {
        let is_fresh = match one.condition.since {
            Some(Since::Transition(then)) => {
                elapsed(then, self.now).is_some_and(|age: SignedDuration| age < RECENT)
            }
            Some(Since::Update(_)) | None => false,
        };
        one.effect == Effect::NotReady
            && (is_fresh || self.conditions.iter().any(|one| one.effect == Effect::Progressing))
    }

    /// Warnings without effect on the verdict, shown with a Ready.
    fn warnings(&self) -> Option<String> {
        let conditions = self.with(Effect::Warning).into_iter().map(|one| self.describe(one));
        let phases = self.phases.iter().filter(|phase| phase.meaning == Some(PhaseMeaning::Warning));
        let phases = phases.map(PhaseField::description);
        let warnings: Vec<String> = conditions.chain(phases).take(MAX_NAMED).collect();
        (!warnings.is_empty()).then(|| format!("warning: {}", warnings.join("; ")))
    }
}

fn stale_generation(resource: &CustomResource) -> Option<Health> {
    let generation = number(resource.object, &["metadata", "generation"])?;
    if has_no_status_subresource(resource.object) {
        return None;
    }
    let whole = whole_number(at(resource.object, &["status", "observedGeneration"]));
    let own = facts::fact("metadata.generation", &generation.to_string());
    let (message, path, seen) = if let Some(seen) = whole.filter(|seen| *seen < generation) {
        let message = format!("its status is for an older spec (generation {seen}, now {generation})");
        (message, "status.observedGeneration".to_owned(), seen)
    } else {
        let is_old = |one: &&EvaluatedCondition| {
            one.condition.observed_generation.is_some_and(|seen| seen < generation)
        };
        let judged =
            resource.conditions.iter().filter(|one| !matches!(one.effect, Effect::None | Effect::Warning));
        let old = judged.filter(is_old).min_by_key(|one| one.summary_rank().unwrap_or(usize::MAX))?;
        let seen = old.condition.observed_generation.unwrap_or_default();
        let message =
            format!("{} is for an older spec (generation {seen}, now {generation})", old.condition.label());
        (message, format!("{}.observedGeneration", old.condition.path()), seen)
    };
    let facts = vec![own, facts::fact(path, &seen.to_string())];
    Some(Health { message: Some(message), facts, ..Health::new(Verdict::Progressing, Rule::StaleGeneration) })
}

/// Without a status subresource every write of the status increments the generation, so `observedGeneration` always
/// lags behind. Only then does the API server list fields of the status under a manager without a subresource.
fn has_no_status_subresource(object: &Value) -> bool {
    let writers = list(object, &["metadata", "managedFields"]);
    let is_whole = |writer: &&Value| text(writer, &["subresource"]).unwrap_or_default().is_empty();
    !writers.iter().any(|writer| text(writer, &["subresource"]) == Some("status"))
        && writers.iter().filter(is_whole).any(|writer| at(writer, &["fieldsV1", "f:status"]).is_some())
}

fn suspended(resource: &CustomResource) -> Option<Health> {
    let key = ["suspend", "paused"].into_iter().find(|key| is_true(resource.object, &["spec", key]))?;
    let message = format!("spec.{key} is true");
    let facts = vec![facts::fact(format!("spec.{key}"), "true")];
    Some(Health { message: Some(message), facts, ..Health::new(Verdict::Suspended, Rule::Suspended) })
}

fn bad_condition(resource: &CustomResource) -> Option<Health> {
    resource.health_by(&resource.with(Effect::Failed), Verdict::Failed, Rule::BadCondition)
}

fn paused_condition(resource: &CustomResource) -> Option<Health> {
    resource.health_by(&resource.with(Effect::Suspended), Verdict::Suspended, Rule::PausedCondition)
}

fn good_condition_false(resource: &CustomResource) -> Option<Health> {
    resource.health_by(&resource.with(Effect::NotReady), Verdict::NotReady, Rule::GoodConditionFalse)
}

fn progressing_condition(resource: &CustomResource) -> Option<Health> {
    let mut found = resource.with(Effect::Progressing);
    found.extend(resource.with(Effect::Unknown));
    found.sort_by_key(|one| one.confidence);
    resource.health_by(&found, Verdict::Progressing, Rule::ProgressingCondition)
}

fn unhealthy_phase(resource: &CustomResource) -> Option<Health> {
    let worst = resource.phases.iter().max_by_key(|phase| phase.meaning)?;
    let verdict = match worst.meaning? {
        PhaseMeaning::Bad => Verdict::Failed,
        PhaseMeaning::Progressing => Verdict::Progressing,
        PhaseMeaning::Paused => Verdict::Suspended,
        PhaseMeaning::Good | PhaseMeaning::Warning => return None,
    };
    Some(health_by_phase(resource, worst, Health::new(verdict, Rule::Phase)))
}

fn ready_field_false(resource: &CustomResource) -> Option<Health> {
    let found = ready_fields(resource.object).find(|field| !field.value)?;
    let message = with_status_message(resource, format!("{} is false", found.path));
    let facts = vec![facts::fact(found.path, "false")];
    let problem = status_message(resource.object).and_then(server_messages::classify);
    Some(Health {
        message: Some(message),
        problem,
        facts,
        ..Health::new(Verdict::NotReady, Rule::ReadyField)
    })
}

/// A boolean field of the status.
struct ReadyField {
    key: &'static str,
    path: String,
    value: bool,
}

/// The ready fields of a status, including those in a wrapper.
fn ready_fields(object: &Value) -> impl Iterator<Item = ReadyField> {
    let whole = std::iter::once(("status".to_owned(), at(object, &["status"])));
    let wrapped =
        condition::WRAPPERS.iter().map(|key| (format!("status.{key}"), at(object, &["status", key])));
    whole.chain(wrapped).flat_map(|(path, holder)| {
        let field = move |key| {
            let value = at(holder?, &[key])?.as_bool()?;
            Some(ReadyField { key, path: format!("{path}.{key}"), value })
        };
        READY_FIELDS.into_iter().filter_map(field)
    })
}

fn missing_replicas(resource: &CustomResource) -> Option<Health> {
    let missing = replicas::missing(resource.object)?;
    let facts = facts::read(resource.object, &replicas::FIELDS);
    Some(Health {
        message: Some(missing.to_string()),
        facts,
        ..Health::new(Verdict::Progressing, Rule::Replicas)
    })
}

fn summary_condition(resource: &CustomResource) -> Option<Health> {
    let found = resource.with(Effect::Ready);
    let first = found.first().filter(|one| one.summary_rank().is_some())?;
    Some(Health {
        reason: first.condition.reason.map(str::to_owned),
        message: resource.warnings(),
        since: first.condition.changed_at(resource.now),
        facts: vec![facts::condition(&first.condition)],
        ..Health::new(Verdict::Ready, Rule::SummaryCondition)
    })
}

fn healthy_phase_or_field(resource: &CustomResource) -> Option<Health> {
    let main: Vec<&PhaseField> =
        resource.phases.iter().filter(|phase| phase.scope == PhaseScope::Whole).collect();
    // An unknown word may be a bad one, so a good one next to it is not enough.
    let is_good = main.iter().all(|phase| phase.meaning == Some(PhaseMeaning::Good));
    if let Some(phase) = main.first().filter(|_| is_good) {
        return Some(health_by_phase(resource, phase, Health::new(Verdict::Ready, Rule::Phase)));
    }
    // Of all ready fields only this one covers the whole object.
    let is_ready = |field: &ReadyField| field.value && field.key == "ready";
    let path = ready_fields(resource.object).find(is_ready).filter(|_| main.is_empty())?.path;
    let message = format!("{path} is true");
    let facts = vec![facts::fact(path, "true")];
    Some(Health { message: Some(message), facts, ..Health::new(Verdict::Ready, Rule::ReadyField) })
}

/// An object without conditions of its own is accepted by all that can accept it, as a route by its parents.
fn accepted_parts(resource: &CustomResource) -> Option<Health> {
    let status = at(resource.object, &["status"])?;
    let parts: BTreeSet<String> = condition::acceptors(status).collect();
    let has_own = resource.conditions.iter().any(|one| one.condition.scope == ConditionScope::Object);
    let accepts = |one: &&EvaluatedCondition| {
        one.effect == Effect::Ready
            && one.confidence == Confidence::Known
            && (one.condition.name == "Accepted" || conditions::summary_rank(one.condition.name).is_some())
    };
    let accepted: Vec<&EvaluatedCondition> = resource.conditions.iter().filter(accepts).collect();
    let is_accepted = |part: &String| {
        accepted.iter().any(|one| matches!(&one.condition.scope, ConditionScope::Part(own) if own == part))
    };
    let is_complete = resource.phases.is_empty() && has_all_parents(resource.object);
    if parts.is_empty() || has_own || !is_complete || !parts.iter().all(is_accepted) {
        return None;
    }
    let facts = accepted.iter().take(facts::MAX_CONDITIONS).map(|one| facts::condition(&one.condition));
    Some(Health {
        reason: accepted.first().and_then(|one| one.condition.reason).map(str::to_owned),
        message: resource.warnings(),
        since: accepted.iter().filter_map(|one| one.condition.changed_at(resource.now)).max(),
        facts: facts.collect(),
        ..Health::new(Verdict::Ready, Rule::AcceptedParts)
    })
}

/// Whether the status has an entry for every parent that the spec names: controllers add theirs one by one.
fn has_all_parents(object: &Value) -> bool {
    let parents = list(object, &["status", "parents"]);
    list(object, &["spec", "parentRefs"]).iter().all(|wanted| {
        parents.iter().filter_map(|parent| at(parent, &["parentRef"])).any(|parent| {
            ["name", "namespace", "sectionName"].into_iter().all(|key| {
                // A controller may write the default of a field that the spec leaves out.
                text(wanted, &[key]).is_none_or(|value| text(parent, &[key]) == Some(value))
            })
        })
    })
}

/// `phase is Error: disk full`.
fn health_by_phase(resource: &CustomResource, phase: &PhaseField, judged: Health) -> Health {
    let message = with_status_message(resource, phase.description());
    let warned = resource.warnings().filter(|_| judged.verdict == Verdict::Ready);
    Health {
        reason: text(resource.object, &["status", "reason"]).map(str::to_owned),
        message: Some(warned.map_or(message.clone(), |warning| format!("{message}; {warning}"))),
        problem: status_message(resource.object)
            .and_then(server_messages::classify)
            .filter(|_| judged.verdict != Verdict::Ready),
        facts: vec![phase.fact()],
        ..judged
    }
}

/// Appends the message in the status, if there is one.
fn with_status_message(resource: &CustomResource, message: String) -> String {
    match status_message(resource.object) {
        Some(words) => format!("{message}: {words}"),
        None => message,
    }
}

/// The message that a status has for the whole object.
fn status_message(object: &Value) -> Option<&str> {
    ["message", "lastMessage", "error"]
        .into_iter()
        .filter_map(|key| text(object, &["status", key]).map(str::trim))
        .find(|message| !message.is_empty())
}
