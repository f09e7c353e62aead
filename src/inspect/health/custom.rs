//! Custom resources: what they say of themselves, in the order of the design's verdict rules.

use jiff::{SignedDuration, Timestamp};
use serde_json::Value;

use super::condition::{self, Since, whole_number};
use super::weigh::{Scales, Weighed};
use super::words::{self, Voice, Word};
use super::{Subject, YOUNG, ago, facts, has_no_status, no_status, replicas, silence};
use crate::known::phases::Mood;
use crate::known::reasons::Effect;
use crate::known::server_messages;
use crate::model::health::{Health, Verdict};
use crate::model::json::{at, is_true, list, number, text};
use crate::model::rule::Rule;

/// The rules, the first that answers wins.
const RULES: [fn(&Case) -> Option<Health>; 11] = [
    stale,
    suspended,
    bad,
    paused,
    unwell,
    moving,
    gloomy_word,
    unready_field,
    short_of_replicas,
    summed_up,
    good_word,
];

/// Fields of a status that say by false that something is wrong.
const TRUTHS: [&str; 5] = ["available", "healthy", "ready", "synced", "valid"];

/// How many conditions a message names beside the first.
const NAMED: usize = 5;

/// An object with everything in it that the rules look at.
struct Case<'a> {
    object: &'a Value,
    weighed: Vec<Weighed<'a>>,
    words: Vec<Word<'a>>,
    now: Timestamp,
}

/// Judges a custom resource, deletion aside.
pub(super) fn judge(subject: &Subject) -> Health {
    let Subject { kind, object, now, .. } = *subject;
    if has_no_status(object) {
        return no_status();
    }
    let scales = Scales::of(subject);
    let case = Case {
        object,
        weighed: condition::read(object).into_iter().map(|condition| scales.weigh(condition)).collect(),
        words: words::read(kind, object),
        now,
    };
    let health = RULES.iter().find_map(|rule| rule(&case)).unwrap_or_else(|| {
        let message = silence::words(object, &case.weighed, &case.words, now);
        let conditions = case.weighed.iter().map(|one| facts::condition(&one.condition));
        let words = case.words.iter().map(Word::fact);
        let facts = conditions.chain(words).take(facts::MANY).collect();
        Health { message: Some(message), facts, ..Health::new(Verdict::Unknown, Rule::NotJudged) }
    });
    let ready =
        case.summary().map(|one| one.condition.status.word().to_owned()).filter(|word| !word.is_empty());
    Health { ready, ..health }
}

impl<'a> Case<'a> {
    /// The condition that best sums the object up.
    fn summary(&self) -> Option<&Weighed<'a>> {
        self.weighed.iter().filter(|one| one.summary_rank().is_some()).min_by_key(|one| one.summary_rank())
    }

    /// Conditions of one effect: what is known before guesses, summaries before the rest.
    fn with(&self, effect: Effect) -> Vec<&Weighed<'a>> {
        let mut found: Vec<&Weighed> = self.weighed.iter().filter(|one| one.effect == effect).collect();
        found.sort_by_key(|one| (one.basis, one.summary_rank().unwrap_or(usize::MAX)));
        found
    }

    /// A verdict for the first of some conditions; the others are named.
    fn by(&self, found: &[&Weighed<'a>], verdict: Verdict, rule: Rule) -> Option<Health> {
        let (first, others) = found.split_first()?;
        let mut message = self.tell(first);
        if !others.is_empty() {
            let labels = others.iter().map(|one| format!("{}{}", one.mark(), one.condition.label()));
            message = format!("{message}; also {}", silence::some(labels, NAMED));
        }
        let judged = Health::new(verdict, rule);
        let status = format!("{}{}", first.mark(), judged.status);
        Some(Health {
            status,
            reason: first.condition.reason.map(str::to_owned),
            message: Some(message),
            problem: first.condition.message.and_then(server_messages::classify),
            in_progress: self.is_in_progress(first),
            since: first.condition.began(self.now),
            facts: found.iter().take(facts::MANY).map(|one| facts::condition(&one.condition)).collect(),
            ..judged
        })
    }

    /// `Ready=False for 3d: image not found`.
    fn tell(&self, one: &Weighed) -> String {
        let lasted =
            one.condition.lasted(self.now).map(|lasted| format!(" for {lasted}")).unwrap_or_default();
        let progress = if self.is_in_progress(one) { ", in progress" } else { "" };
        let words = one.condition.message.map(|words| format!(": {words}")).unwrap_or_default();
        format!("{}{}{lasted}{progress}{words}", one.mark(), one.condition.label())
    }

    /// Whether a condition that should be True may simply not be True yet.
    fn is_in_progress(&self, one: &Weighed) -> bool {
        let is_fresh = match one.condition.since {
            Some(Since::Transition(then)) => {
                ago(then, self.now).is_some_and(|age: SignedDuration| age < YOUNG)
            }
            Some(Since::Update(_)) | None => false,
        };
        one.effect == Effect::Unwell
            && (is_fresh || self.weighed.iter().any(|one| one.effect == Effect::Moving))
    }

    /// Warnings that decide nothing, for a verdict that is otherwise fine.
    fn cautions(&self) -> Option<String> {
        let conditions = self.with(Effect::Caution).into_iter().map(|one| self.tell(one));
        let words = self.words.iter().filter(|word| word.mood == Some(Mood::Caution));
        let words = words.map(Word::told);
        let told: Vec<String> = conditions.chain(words).take(NAMED).collect();
        (!told.is_empty()).then(|| format!("warning: {}", told.join("; ")))
    }
}

fn stale(case: &Case) -> Option<Health> {
    let generation = number(case.object, &["metadata", "generation"])?;
    if has_no_status_subresource(case.object) {
        return None;
    }
    let whole = whole_number(at(case.object, &["status", "observedGeneration"]));
    let own = facts::fact("metadata.generation", &generation.to_string());
    let (message, path, seen) = if let Some(seen) = whole.filter(|seen| *seen < generation) {
        let message = format!("the status is for an older spec: generation {seen} of {generation}");
        (message, "status.observedGeneration".to_owned(), seen)
    } else {
        let is_old = |one: &&Weighed| one.condition.observed_generation.is_some_and(|seen| seen < generation);
        let judged =
            case.weighed.iter().filter(|one| !matches!(one.effect, Effect::Nothing | Effect::Caution));
        let old = judged.filter(is_old).min_by_key(|one| one.summary_rank().unwrap_or(usize::MAX))?;
        let seen = old.condition.observed_generation.unwrap_or_default();
        let message =
            format!("{} is for an older spec: generation {seen} of {generation}", old.condition.label());
        (message, format!("{}.observedGeneration", old.condition.path()), seen)
    };
    let facts = vec![own, facts::fact(path, &seen.to_string())];
    Some(Health { message: Some(message), facts, ..Health::new(Verdict::Progressing, Rule::StaleGeneration) })
}

/// Without a status subresource every write of the status raises the generation, and the status is never up
/// to date. The API server lists the fields of a status under a writer of the whole object only in that case.
fn has_no_status_subresource(object: &Value) -> bool {
    let writers = list(object, &["metadata", "managedFields"]);
    let is_whole = |writer: &&Value| text(writer, &["subresource"]).unwrap_or_default().is_empty();
    !writers.iter().any(|writer| text(writer, &["subresource"]) == Some("status"))
        && writers.iter().filter(is_whole).any(|writer| at(writer, &["fieldsV1", "f:status"]).is_some())
}

fn suspended(case: &Case) -> Option<Health> {
    let key = ["suspend", "paused"].into_iter().find(|key| is_true(case.object, &["spec", key]))?;
    let message = format!("spec.{key} is true");
    let facts = vec![facts::fact(format!("spec.{key}"), "true")];
    Some(Health { message: Some(message), facts, ..Health::new(Verdict::Suspended, Rule::Suspended) })
}

fn bad(case: &Case) -> Option<Health> {
    case.by(&case.with(Effect::Bad), Verdict::Failed, Rule::BadCondition)
}

fn paused(case: &Case) -> Option<Health> {
    case.by(&case.with(Effect::Paused), Verdict::Suspended, Rule::PausedCondition)
}

fn unwell(case: &Case) -> Option<Health> {
    case.by(&case.with(Effect::Unwell), Verdict::NotReady, Rule::GoodConditionFalse)
}

fn moving(case: &Case) -> Option<Health> {
    let mut found = case.with(Effect::Moving);
    found.extend(case.with(Effect::Unsure));
    found.sort_by_key(|one| one.basis);
    case.by(&found, Verdict::Progressing, Rule::ProgressingCondition)
}

fn gloomy_word(case: &Case) -> Option<Health> {
    let worst = case.words.iter().max_by_key(|word| word.mood)?;
    let verdict = match worst.mood? {
        Mood::Bad => Verdict::Failed,
        Mood::Moving => Verdict::Progressing,
        Mood::Paused => Verdict::Suspended,
        Mood::Good | Mood::Caution => return None,
    };
    Some(by_word(case, worst, Health::new(verdict, Rule::Phase)))
}

fn unready_field(case: &Case) -> Option<Health> {
    let found = truths(case.object).find(|truth| !truth.holds)?;
    let message = with_told(case, format!("{} is false", found.path));
    let facts = vec![facts::fact(found.path, "false")];
    let problem = own_message(case.object).and_then(server_messages::classify);
    Some(Health {
        message: Some(message),
        problem,
        facts,
        ..Health::new(Verdict::NotReady, Rule::ReadyField)
    })
}

/// A field of the status that is true or false.
struct Truth {
    key: &'static str,
    path: String,
    holds: bool,
}

/// The truths that a status tells, also where its conditions stand one level down.
fn truths(object: &Value) -> impl Iterator<Item = Truth> {
    let whole = std::iter::once(("status".to_owned(), at(object, &["status"])));
    let wrapped =
        condition::WRAPPERS.iter().map(|key| (format!("status.{key}"), at(object, &["status", key])));
    whole.chain(wrapped).flat_map(|(path, holder)| {
        let truth = move |key| {
            let holds = at(holder?, &[key])?.as_bool()?;
            Some(Truth { key, path: format!("{path}.{key}"), holds })
        };
        TRUTHS.into_iter().filter_map(truth)
    })
}

fn short_of_replicas(case: &Case) -> Option<Health> {
    let shortfall = replicas::shortfall(case.object)?;
    let facts = facts::of(case.object, &replicas::READS);
    Some(Health {
        message: Some(shortfall.to_string()),
        facts,
        ..Health::new(Verdict::Progressing, Rule::Replicas)
    })
}

fn summed_up(case: &Case) -> Option<Health> {
    let found = case.with(Effect::Fine);
    let first = found.first().filter(|one| one.summary_rank().is_some())?;
    Some(Health {
        reason: first.condition.reason.map(str::to_owned),
        message: case.cautions(),
        since: first.condition.began(case.now),
        facts: vec![facts::condition(&first.condition)],
        ..Health::new(Verdict::Ready, Rule::SummaryCondition)
    })
}

fn good_word(case: &Case) -> Option<Health> {
    let main: Vec<&Word> = case.words.iter().filter(|word| word.voice == Voice::Main).collect();
    // A word that no table knows may be a bad one: then the good one beside it is not enough.
    let is_good = main.iter().all(|word| word.mood == Some(Mood::Good));
    if let Some(word) = main.first().filter(|_| is_good) {
        return Some(by_word(case, word, Health::new(Verdict::Ready, Rule::Phase)));
    }
    // Of all truths only this one is about the whole.
    let is_ready = |truth: &Truth| truth.holds && truth.key == "ready";
    let path = truths(case.object).find(is_ready).filter(|_| main.is_empty())?.path;
    let message = format!("{path} is true");
    let facts = vec![facts::fact(path, "true")];
    Some(Health { message: Some(message), facts, ..Health::new(Verdict::Ready, Rule::ReadyField) })
}

/// `phase is Error: disk full`.
fn by_word(case: &Case, word: &Word, judged: Health) -> Health {
    let message = with_told(case, word.told());
    let warned = case.cautions().filter(|_| judged.verdict == Verdict::Ready);
    Health {
        reason: text(case.object, &["status", "reason"]).map(str::to_owned),
        message: Some(warned.map_or(message.clone(), |warning| format!("{message}; {warning}"))),
        problem: own_message(case.object)
            .and_then(server_messages::classify)
            .filter(|_| judged.verdict != Verdict::Ready),
        facts: vec![word.fact()],
        ..judged
    }
}

/// Adds what the status says in words of its own.
fn with_told(case: &Case, message: String) -> String {
    match own_message(case.object) {
        Some(words) => format!("{message}: {words}"),
        None => message,
    }
}

/// The message that a status has for the whole object.
fn own_message(object: &Value) -> Option<&str> {
    ["message", "lastMessage", "error"]
        .into_iter()
        .filter_map(|key| text(object, &["status", key]).map(str::trim))
        .find(|message| !message.is_empty())
}
