//! The rules for custom resources, in order. They read conditions, phase fields, ready fields and replica counts.

use serde_json::Value;

use super::condition::{self, Since};
use super::condition_effect::{ConditionEvaluator, Confidence, EvaluatedCondition};
use super::custom_ready::{all_replicas, healthy_phase_or_field, summary_condition, whole_parts};
use super::excerpt::excerpt;
use super::explanation::{Explainer, StatedReason};
use super::phase::{self, PhaseField, PhaseScope};
use super::ready_field;
use super::says_why::{Names, Says};
use super::unknown_status;
use super::{
    RECENT, RuleContext, elapsed, facts, generation, has_no_status, no_status, replicas, switched_off,
};
use crate::known::conditions::Polarity;
use crate::known::phases::{self, PhaseMeaning};
use crate::known::reasons::Effect;
use crate::known::server_messages;
use crate::model::health::{Health, Verdict};
use crate::model::ident::GroupKind;
use crate::model::json::{at, text};
use crate::model::kind::StatusSubresource;
use crate::model::now::Now;
use crate::model::rule::Rule;

/// The rules; the first that returns a verdict wins.
const RULES: [fn(&CustomResource) -> Option<Health>; 15] = [
    stale_generation,
    |resource| switched_off::by_spec(resource.kind, resource.object),
    bad_condition,
    paused_condition,
    decisive_phase,
    good_condition_false,
    progressing_condition,
    unhealthy_phase,
    ready_field_false,
    missing_replicas,
    summary_condition,
    whole_parts,
    healthy_phase_or_field,
    error_field,
    all_replicas,
];

/// How many conditions a message names after the first.
const MAX_NAMED: usize = 5;

/// An object and everything in it that the rules look at.
pub(super) struct CustomResource<'a> {
    kind: &'a GroupKind,
    pub(super) object: &'a Value,
    pub(super) status: &'a Value,
    pub(super) conditions: Vec<EvaluatedCondition<'a>>,
    phases: Vec<PhaseField<'a>>,
    names: Names,
    pub(super) now: Now,
    status_subresource: StatusSubresource,
}

/// Judges a custom resource that is not being deleted.
pub(super) fn judge(context: &RuleContext) -> Health {
    let RuleContext { kind, object, now, .. } = *context;
    let Some(status) = at(object, &["status"]).filter(|_| !has_no_status(object)) else { return no_status() };
    let evaluator = ConditionEvaluator::new(context);
    let conditions: Vec<EvaluatedCondition> =
        condition::read(object).into_iter().map(|condition| evaluator.evaluate(condition)).collect();
    let resource = CustomResource {
        kind,
        object,
        status,
        names: Names::of(&conditions),
        conditions,
        phases: phase::read(kind, object),
        now,
        status_subresource: context.status_subresource,
    };
    let health = RULES.iter().find_map(|rule| rule(&resource)).unwrap_or_else(|| resource.not_judged());
    let health = resource.without_replicas(&health).unwrap_or(health);
    let ready =
        resource.summary().map(|one| excerpt(one.condition.status.word())).filter(|word| !word.is_empty());
    let warning = resource.warning().filter(|_| health.verdict == Verdict::Ready);
    Health { ready, warning, ..health }
}

impl<'a> CustomResource<'a> {
    fn not_judged(&self) -> Health {
        let message = unknown_status::message(self.object, &self.conditions, &self.phases, self.now);
        let conditions = self.conditions.iter().map(|one| facts::condition(&one.condition));
        let phases = self.phases.iter().map(PhaseField::fact);
        let facts = conditions.chain(phases).take(facts::MAX_CONDITIONS).collect();
        Health { message: Some(message), facts, ..Health::new(Verdict::Unknown, Rule::NotJudged) }
    }

    /// The verdict on an object that is not ready because it should have no replicas.
    fn without_replicas(&self, health: &Health) -> Option<Health> {
        let is_idle = matches!(health.verdict, Verdict::NotReady | Verdict::Progressing | Verdict::Unknown);
        let may_be = is_idle && health.rule != Rule::StaleGeneration && !self.reports_error();
        may_be.then(|| switched_off::without_replicas(self.object)).flatten()
    }

    /// The condition that best summarizes the object.
    fn summary(&self) -> Option<&EvaluatedCondition<'a>> {
        self.conditions.iter().filter(|one| one.summary_rank().is_some()).min_by_key(|one| one.summary_rank())
    }

    /// The conditions with an effect, as they are in the object.
    pub(super) fn with(&self, effect: Effect) -> impl Iterator<Item = &EvaluatedCondition<'a>> {
        self.conditions.iter().filter(move |one| one.effect == effect)
    }

    /// Conditions in the order in which they say why: errors first, known ones before guesses, summaries before others.
    fn ranked<'b>(
        &self,
        found: impl Iterator<Item = &'b EvaluatedCondition<'a>>,
    ) -> Vec<(Says, &'b EvaluatedCondition<'a>)>
    where
        'a: 'b,
    {
        let mut found: Vec<_> = found.map(|one| (self.names.says(&one.condition), one)).collect();
        found.sort_by_key(|(says, one)| (*says, one.confidence, one.summary_rank().unwrap_or(usize::MAX)));
        found
    }

    /// A verdict by conditions: the message is that of the one that says why, and names the others.
    fn health_by(
        &self,
        found: &[(Says, &EvaluatedCondition<'a>)],
        verdict: Verdict,
        rule: Rule,
    ) -> Option<Health> {
        let ((says, first), others) = found.split_first()?;
        let is_bad = matches!(verdict, Verdict::NotReady | Verdict::Failed);
        let is_in_progress = verdict == Verdict::NotReady && self.is_in_progress(found);
        let said = (is_bad && *says == Says::Nothing).then(|| self.explanation(None)).flatten();
        let mut message = self.describe(first, is_in_progress, said.as_ref());
        if !others.is_empty() {
            let labels =
                others.iter().map(|(_, one)| format!("{}{}", one.guess_mark(), one.condition.label()));
            message = format!("{message}; also {}", unknown_status::join_first(labels, MAX_NAMED));
        }
        let judged = Health::new(verdict, rule);
        // One known condition is enough for a verdict that is not guessed.
        let is_known = found.iter().any(|(_, one)| one.confidence != Confidence::Guessed);
        let mark = if is_known { "" } else { "~" };
        let facts = found.iter().take(facts::MAX_CONDITIONS).map(|(_, one)| facts::condition(&one.condition));
        let messages = found.iter().filter_map(|(_, one)| one.condition.message);
        Some(Health {
            status: format!("{mark}{}", judged.status),
            reason: first.condition.reason.map(excerpt),
            message: Some(message),
            problem: messages.take(facts::MAX_CONDITIONS).find_map(server_messages::classify),
            in_progress: is_in_progress,
            unexplained: is_bad && *says == Says::Nothing && said.is_none(),
            since: first.condition.changed_at(self.now),
            facts: facts.chain(said.as_ref().map(StatedReason::fact)).collect(),
            ..judged
        })
    }

    /// `Ready=False for 3d: image not found`.
    fn describe(
        &self,
        one: &EvaluatedCondition,
        is_in_progress: bool,
        said: Option<&StatedReason>,
    ) -> String {
        let lasted = one.condition.lasting(self.now).map(|lasted| format!(" {lasted}")).unwrap_or_default();
        let progress = if is_in_progress { ", in progress" } else { "" };
        let words = said.map(|said| said.text.clone()).or_else(|| self.names.words(&one.condition));
        let words = words.map(|words| format!(": {words}")).unwrap_or_default();
        format!("{}{}{lasted}{progress}{words}", one.guess_mark(), one.condition.label())
    }

    /// What the object says about a state outside of its conditions.
    fn explanation(&self, culprit: Option<&PhaseField>) -> Option<StatedReason> {
        let explainer = self.explainer();
        explainer.beside(culprit).or_else(|| explainer.parts(culprit))
    }

    fn explainer(&self) -> Explainer<'_> {
        Explainer { kind: self.kind, status: self.status, phases: &self.phases }
    }

    /// Whether conditions that should be True may simply not be True yet.
    fn is_in_progress(&self, found: &[(Says, &EvaluatedCondition)]) -> bool {
        let is_fresh = |one: &EvaluatedCondition| match one.condition.since {
            Some(Since::Transition(then)) => elapsed(then, self.now).is_some_and(|age| age < RECENT),
            Some(Since::Update(_)) | None => false,
        };
        let is_moving = |word: &str| phases::meaning(self.kind, word) == Some(PhaseMeaning::Progressing);
        let says_so = |one: &EvaluatedCondition| one.condition.reason.is_some_and(is_moving);
        let is_work = |phase: &PhaseField| phase.meaning == Some(PhaseMeaning::Progressing);
        let may_be = found.first().is_some_and(|(_, first)| is_fresh(first))
            || found.iter().any(|(_, one)| says_so(one))
            || self.with(Effect::Progressing).next().is_some()
            || self.main_phases().any(is_work);
        may_be && !self.reports_error()
    }

    /// Whether the object says that something went wrong, and not only that it is not ready.
    fn reports_error(&self) -> bool {
        let is_bad = |phase: &PhaseField| phase.meaning == Some(PhaseMeaning::Bad);
        self.with(Effect::Failed).next().is_some()
            || self.phases.iter().any(is_bad)
            || self.with(Effect::NotReady).any(|one| self.names.says(&one.condition) == Says::Error)
    }

    pub(super) fn main_phases(&self) -> impl Iterator<Item = &PhaseField<'a>> {
        self.phases.iter().filter(|phase| phase.scope == PhaseScope::Whole)
    }

    /// What is worth a warning without an effect on the verdict.
    pub(super) fn warning(&self) -> Option<String> {
        let conditions = self.ranked(self.with(Effect::Warning));
        let conditions = conditions.into_iter().map(|(_, one)| self.describe(one, false, None));
        let phases = self.phases.iter().filter(|phase| phase.meaning == Some(PhaseMeaning::Warning));
        let phases = phases.map(|phase| {
            let said = self.explanation(Some(phase));
            said.map_or_else(|| phase.description(), |said| format!("{}: {}", phase.description(), said.text))
        });
        let error = || self.explainer().error().map(|said| format!("{}: {}", said.path, said.text));
        let warnings: Vec<String> =
            conditions.chain(phases).chain(std::iter::once_with(error).flatten()).take(MAX_NAMED).collect();
        (!warnings.is_empty()).then(|| warnings.join("; "))
    }

    /// The condition that says why a phase is bad: one that is not as it should be, or one of unknown meaning with an
    /// error.
    fn condition_behind(&self, phase: &PhaseField) -> Option<&EvaluatedCondition<'a>> {
        let fits = |(says, one): &(Says, &EvaluatedCondition)| {
            let is_open = one.confidence == Confidence::Unknown || one.polarity == Some(Polarity::Info);
            let is_named = one.condition.name.eq_ignore_ascii_case(phase.text.trim());
            match one.effect {
                Effect::Failed | Effect::NotReady | Effect::Unknown | Effect::Progressing => {
                    *says <= Says::Absence
                }
                Effect::None if is_open => *says == Says::Error || (is_named && *says <= Says::Message),
                _ => false,
            }
        };
        self.ranked(self.conditions.iter()).into_iter().find(fits).map(|(_, one)| one)
    }
}

fn stale_generation(resource: &CustomResource) -> Option<Health> {
    let CustomResource { object, conditions, phases, status_subresource, .. } = resource;
    generation::stale(object, conditions, phases, *status_subresource)
}

fn bad_condition(resource: &CustomResource) -> Option<Health> {
    let failed: Vec<&EvaluatedCondition> = resource.with(Effect::Failed).collect();
    if failed.is_empty() {
        return None;
    }
    // What is available and degraded works in part.
    let is_degraded = failed.iter().all(|one| one.condition.name.ends_with("Degraded"));
    let is_available = resource.with(Effect::Ready).any(|one| one.summary_rank().is_some());
    let verdict = if is_degraded && is_available { Verdict::NotReady } else { Verdict::Failed };
    let mut found = resource.ranked(failed.into_iter());
    // If it does not say why, a condition that is not ready may.
    put_cause_first(&mut found, resource.ranked(resource.with(Effect::NotReady)).first());
    let health = resource.health_by(&found, verdict, Rule::BadCondition)?;
    Some(Health { in_progress: false, ..health })
}

fn paused_condition(resource: &CustomResource) -> Option<Health> {
    let found = resource.ranked(resource.with(Effect::Suspended));
    resource.health_by(&found, Verdict::Suspended, Rule::PausedCondition)
}

/// A word for the whole object that says more than a condition that is not True: it failed, or it is off.
fn decisive_phase(resource: &CustomResource) -> Option<Health> {
    let worst = resource.main_phases().max_by_key(|phase| phase.meaning)?;
    let verdict = match worst.meaning? {
        PhaseMeaning::Bad => Verdict::Failed,
        PhaseMeaning::Paused => Verdict::Suspended,
        _ => return None,
    };
    Some(health_by_phase(resource, worst, Health::new(verdict, Rule::Phase)))
}

fn good_condition_false(resource: &CustomResource) -> Option<Health> {
    let mut found = resource.ranked(resource.with(Effect::NotReady));
    // If it does not say why, an error that is being retried may.
    let others = resource.with(Effect::Warning).chain(resource.with(Effect::Unknown));
    let others = resource.ranked(others.chain(resource.with(Effect::Progressing)));
    put_cause_first(&mut found, others.first().filter(|(says, _)| *says == Says::Error));
    resource.health_by(&found, Verdict::NotReady, Rule::GoodConditionFalse)
}

/// Puts a condition that says why before those that decide, if none of them does.
fn put_cause_first<'a, 'b>(
    found: &mut Vec<(Says, &'b EvaluatedCondition<'a>)>,
    other: Option<&(Says, &'b EvaluatedCondition<'a>)>,
) {
    let Some((first, other)) = found.first().zip(other) else { return };
    let is_retried = other.0 == Says::Error && other.1.polarity == Some(Polarity::Progressing);
    if (first.0 > Says::Absence && other.0 <= Says::Absence) || (first.0 > Says::Error && is_retried) {
        found.insert(0, *other);
    }
}

fn progressing_condition(resource: &CustomResource) -> Option<Health> {
    let open = resource.with(Effect::Progressing).chain(resource.with(Effect::Unknown));
    let mut found = resource.ranked(open);
    found.sort_by_key(|(_, one)| one.confidence);
    resource.health_by(&found, Verdict::Progressing, Rule::ProgressingCondition)
}

fn unhealthy_phase(resource: &CustomResource) -> Option<Health> {
    // A part that is off says nothing about the whole.
    let is_judged = resource.summary().is_some() || resource.main_phases().next().is_some();
    let counts = |phase: &&PhaseField| phase.meaning != Some(PhaseMeaning::Paused) || !is_judged;
    let worst = resource.phases.iter().filter(counts).max_by_key(|phase| phase.meaning)?;
    let verdict = match worst.meaning? {
        PhaseMeaning::Bad => Verdict::Failed,
        PhaseMeaning::NotReady => Verdict::NotReady,
        PhaseMeaning::Progressing => Verdict::Progressing,
        PhaseMeaning::Paused => Verdict::Suspended,
        PhaseMeaning::Good | PhaseMeaning::Warning => return None,
    };
    Some(health_by_phase(resource, worst, Health::new(verdict, Rule::Phase)))
}

fn ready_field_false(resource: &CustomResource) -> Option<Health> {
    let found = ready_field::read(resource.object).find(|field| !field.value)?;
    let said = resource.explanation(None);
    let message = format!("{} is false", found.path);
    let facts =
        std::iter::once(facts::fact(found.path, "false")).chain(said.as_ref().map(StatedReason::fact));
    Some(Health {
        problem: said.as_ref().and_then(|said| server_messages::classify(&said.text)),
        unexplained: said.is_none(),
        facts: facts.collect(),
        message: Some(said.map_or(message.clone(), |said| format!("{message}: {}", said.text))),
        ..Health::new(Verdict::NotReady, Rule::ReadyField)
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

/// A status without a state, in which an error is set.
fn error_field(resource: &CustomResource) -> Option<Health> {
    let said = resource.explainer().error()?;
    Some(Health {
        problem: server_messages::classify(&said.text),
        facts: vec![said.fact()],
        message: Some(format!("{}: {}", said.path, said.text)),
        ..Health::new(Verdict::NotReady, Rule::ErrorField)
    })
}

/// `phase is Error: disk full`.
pub(super) fn health_by_phase(resource: &CustomResource, phase: &PhaseField, judged: Health) -> Health {
    let is_bad = matches!(judged.verdict, Verdict::NotReady | Verdict::Failed);
    let explainer = resource.explainer();
    let (near, behind) = if is_bad {
        let near = explainer.beside(Some(phase));
        let behind = resource.condition_behind(phase).filter(|_| near.is_none());
        (near, behind)
    } else {
        (explainer.message(phase), None)
    };
    let said = near.or_else(|| (is_bad && behind.is_none()).then(|| explainer.parts(Some(phase))).flatten());
    let words = said
        .as_ref()
        .map(|said| said.text.clone())
        .or_else(|| behind.map(|one| resource.describe(one, false, None)));
    let mut message = phase.description();
    if let Some(words) = &words {
        message = format!("{message}: {words}");
    }
    if let Some(warning) = resource.warning().filter(|_| judged.verdict == Verdict::Ready) {
        message = format!("{message}; warning: {warning}");
    }
    let reason = text(resource.status, &["reason"]).filter(|reason| !reason.trim().is_empty());
    let reason = reason.or_else(|| behind?.condition.reason);
    Health {
        reason: reason.map(excerpt),
        problem: words
            .as_deref()
            .and_then(server_messages::classify)
            .filter(|_| judged.verdict != Verdict::Ready),
        unexplained: is_bad && words.is_none(),
        since: behind.and_then(|one| one.condition.changed_at(resource.now)),
        facts: std::iter::once(phase.fact())
            .chain(said.as_ref().map(StatedReason::fact))
            .chain(behind.map(|one| facts::condition(&one.condition)))
            .collect(),
        message: Some(message),
        ..judged
    }
}
