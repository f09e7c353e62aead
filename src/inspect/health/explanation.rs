//! The reason that an object gives beside a state: a field for errors, a message, or the message of a part that is in a
//! bad state itself. What is said about a good state never explains a bad one.

use serde_json::{Map, Value};

use super::excerpt::excerpt;
use super::facts;
use super::phase::PhaseField;
use crate::known::error_words;
use crate::known::phases::{self, PhaseMeaning};
use crate::model::health::Fact;
use crate::model::ident::GroupKind;
use crate::model::json::at;

/// Words in the name of a field for errors: `lastError`, `failureMessage`, `validationErrors`.
const ERROR_WORDS: [&str; 5] = ["error", "errors", "failure", "failures", "fault"];

/// Last words of names that count or time errors instead.
const MEASURES: [&str; 14] = [
    "at",
    "budget",
    "count",
    "counter",
    "domain",
    "domains",
    "limit",
    "policy",
    "rate",
    "retries",
    "since",
    "threshold",
    "time",
    "timestamp",
];

/// Last words of the names of fields that may explain a state, the best first.
const PLAIN_WORDS: [&str; 8] =
    ["message", "reason", "msg", "description", "details", "detail", "explanation", "trace"];

/// Fields of a part that hold its state.
const STATE_KEYS: [&str; 6] = ["health", "phase", "result", "severity", "state", "status"];

/// Words in the name of a field about the past.
const PAST: [&str; 4] = ["history", "old", "previous", "revisions"];

/// Texts by which operators say that there is nothing to say.
const NOTHING: [&str; 9] = ["-", "0", "<nil>", "false", "n/a", "nil", "no error", "none", "null"];

/// The most entries of a list or map that are joined.
const MAX_JOINED: usize = 3;

/// How deep parts are looked for, and how many values are looked at.
const MAX_DEPTH: usize = 3;
const MAX_VISITED: usize = 2_000;

/// A reason in the words of the object.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct StatedReason {
    /// Where it is, below `status`.
    pub(super) path: String,
    pub(super) text: String,
}

impl StatedReason {
    /// The field and its text.
    pub(super) fn fact(&self) -> Fact {
        facts::fact(format!("status.{}", self.path), &self.text)
    }
}

/// Finds the reasons in one status.
pub(super) struct Explainer<'a> {
    pub(super) kind: &'a GroupKind,
    pub(super) status: &'a Value,
    pub(super) phases: &'a [PhaseField<'a>],
}

impl Explainer<'_> {
    /// What the object says beside a state, or about itself if it is not a state that decided.
    pub(super) fn beside(&self, culprit: Option<&PhaseField>) -> Option<StatedReason> {
        let place = culprit.map_or("", |phase| phase.place());
        if !place.is_empty() {
            let holder = at(self.status, &place.split('.').collect::<Vec<_>>())?;
            let near = holder.as_object().and_then(|fields| self.said(fields, place, culprit));
            if let Some(found) = near.or_else(|| self.part(holder, place, culprit)) {
                return Some(found);
            }
        }
        self.status.as_object().and_then(|fields| self.said(fields, "", culprit))
    }

    /// The message beside a state that is not bad.
    pub(super) fn message(&self, phase: &PhaseField) -> Option<StatedReason> {
        let place = phase.place();
        let keys: Vec<&str> = place.split('.').filter(|key| !key.is_empty()).collect();
        self.plain(at(self.status, &keys)?.as_object()?, place, Some(phase))
    }

    /// What a part of the status that is in a bad state itself says.
    pub(super) fn parts(&self, culprit: Option<&PhaseField>) -> Option<StatedReason> {
        self.part(self.status, "", culprit)
    }

    /// A field for errors that is set on the status itself.
    pub(super) fn error(&self) -> Option<StatedReason> {
        let fields = self.status.as_object()?;
        let is_other = |word: &String| matches!(word.as_str(), "last" | "previous" | "code" | "type");
        let is_current = |key: &str| !words_of(key).iter().any(is_other);
        errors(fields).filter(|(key, _)| is_current(key)).find_map(|(key, value)| found("", key, value))
    }

    /// The reason among the fields of one object.
    fn said(
        &self,
        fields: &Map<String, Value>,
        place: &str,
        culprit: Option<&PhaseField>,
    ) -> Option<StatedReason> {
        let error = errors(fields).find_map(|(key, value)| found(place, key, value));
        error.or_else(|| self.plain(fields, place, culprit))
    }

    fn plain(
        &self,
        fields: &Map<String, Value>,
        place: &str,
        culprit: Option<&PhaseField>,
    ) -> Option<StatedReason> {
        let is_bad = culprit.is_none_or(|phase| phase.meaning > Some(PhaseMeaning::Good));
        let here = |phase: &&PhaseField| phase.place() == place;
        let is_good = |phase: &PhaseField| phase.meaning == Some(PhaseMeaning::Good);
        let is_culprit_here = culprit.is_some_and(|phase| phase.place() == place);
        // The message of a good state says nothing about a bad one elsewhere.
        if is_bad && !is_culprit_here && self.phases.iter().filter(here).any(is_good) {
            return None;
        }
        let mut keys: Vec<(usize, &String, &Value)> = fields
            .iter()
            .filter_map(|(key, value)| {
                let last = words_of(key).pop()?;
                Some((PLAIN_WORDS.iter().position(|word| *word == last)?, key, value))
            })
            .collect();
        keys.sort_by_key(|(rank, key, _)| (*rank, key.len()));
        let says_well = |text: &str| {
            error_words::is_success(text) || phases::meaning(self.kind, text) == Some(PhaseMeaning::Good)
        };
        // A map without a message may hold anything.
        let has_text = |value: &Value| match value {
            Value::Object(fields) => {
                PLAIN_WORDS.iter().any(|word| fields.get(*word).is_some_and(Value::is_string))
            }
            _ => true,
        };
        keys.into_iter()
            .filter(|(_, _, value)| has_text(value))
            .filter_map(|(_, key, value)| found(place, key, value))
            .find(|found| !(is_bad && says_well(&found.text)))
    }

    /// The worst part below a value that is in a bad state and says why.
    fn part(&self, value: &Value, place: &str, culprit: Option<&PhaseField>) -> Option<StatedReason> {
        let least = match culprit.and_then(|phase| phase.meaning) {
            Some(PhaseMeaning::Warning) => PhaseMeaning::Warning,
            _ => PhaseMeaning::NotReady,
        };
        let mut search = PartSearch { explainer: self, least, left: MAX_VISITED, best: None };
        search.visit(value, place, "", 0);
        search.best.map(|(_, found)| found)
    }
}

/// A search for parts in a bad state.
struct PartSearch<'a> {
    explainer: &'a Explainer<'a>,
    least: PhaseMeaning,
    left: usize,
    best: Option<(PhaseMeaning, StatedReason)>,
}

impl PartSearch<'_> {
    /// Visits the parts below a value; `name` is what the value is called.
    fn visit(&mut self, value: &Value, place: &str, name: &str, depth: usize) {
        if self.left == 0 || depth > MAX_DEPTH {
            return;
        }
        self.left -= 1;
        match value {
            Value::Object(fields) => {
                if depth > 0 {
                    self.consider(fields, place, name);
                }
                let is_past = |key: &str| PAST.iter().any(|word| key.to_ascii_lowercase().contains(word));
                for (key, value) in
                    fields.iter().filter(|(key, _)| key.as_str() != "conditions" && !is_past(key))
                {
                    self.visit(value, &join(place, key), key, depth + 1);
                }
            }
            Value::Array(items) => {
                for (index, item) in items.iter().enumerate().take(self.left) {
                    self.visit(item, &format!("{place}[{index}]"), name, depth + 1);
                }
            }
            _ => {}
        }
    }

    fn consider(&mut self, fields: &Map<String, Value>, place: &str, name: &str) {
        let kind = self.explainer.kind;
        let words = STATE_KEYS.iter().filter_map(|key| fields.get(*key)?.as_str());
        // A part without a state that has an error is not as it should be.
        let has_error = || errors(fields).any(|(key, value)| found("", key, value).is_some());
        let meaning = words.filter_map(|word| phases::meaning(kind, word)).max();
        let Some(meaning) = meaning.or_else(|| has_error().then_some(PhaseMeaning::NotReady)) else { return };
        if meaning < self.least || self.best.as_ref().is_some_and(|(best, _)| *best >= meaning) {
            return;
        }
        let own = ["displayName", "name"].iter().find_map(|key| fields.get(*key)?.as_str());
        let called = excerpt(own.unwrap_or(name));
        if let Some(found) = self.explainer.said(fields, place, None) {
            let text = format!("{called}: {}", found.text);
            self.best = Some((meaning, StatedReason { text, ..found }));
        }
    }
}

/// The first letters of every word in `ERROR_WORDS`, in lower case: few keys contain them, and splitting every key into
/// words is slow.
const ERROR_STEMS: [&[u8]; 3] = [b"error", b"failure", b"fault"];

/// Whether a key contains one of `ERROR_STEMS`, in any case.
fn may_be_error(key: &str) -> bool {
    let bytes = key.as_bytes();
    ERROR_STEMS.iter().any(|stem| bytes.windows(stem.len()).any(|part| part.eq_ignore_ascii_case(stem)))
}

/// The fields for errors: messages first, codes and reasons last.
fn errors(fields: &Map<String, Value>) -> impl Iterator<Item = (&String, &Value)> {
    let rank = |key: &str| {
        if !may_be_error(key) {
            return None;
        }
        let words = words_of(key);
        let last = words.last()?.as_str();
        let is_error =
            words.iter().any(|word| ERROR_WORDS.contains(&word.as_str())) && !MEASURES.contains(&last);
        is_error.then_some(match last {
            "message" | "msg" => 0,
            "reason" | "code" | "type" => 2,
            _ => 1,
        })
    };
    let mut found: Vec<_> = fields.iter().filter_map(|(key, value)| Some((rank(key)?, key, value))).collect();
    found.sort_by_key(|(rank, _, _)| *rank);
    found.into_iter().map(|(_, key, value)| (key, value))
}

fn found(place: &str, key: &str, value: &Value) -> Option<StatedReason> {
    let text = text_of(value, 0)?;
    let says_nothing = NOTHING.iter().any(|nothing| text.eq_ignore_ascii_case(nothing));
    (!says_nothing).then(|| StatedReason { path: join(place, key), text })
}

fn join(place: &str, key: &str) -> String {
    if place.is_empty() { key.to_owned() } else { format!("{place}.{key}") }
}

/// A text, the texts of a list, or the message of an object, in one line.
fn text_of(value: &Value, depth: usize) -> Option<String> {
    let text = match value {
        Value::String(text) => excerpt(text),
        Value::Array(items) if depth < MAX_DEPTH => joined(items.iter().map(|item| text_of(item, depth + 1))),
        Value::Object(fields) if depth < MAX_DEPTH => {
            let message = errors(fields).map(|(_, value)| value);
            let plain = PLAIN_WORDS.iter().filter_map(|key| fields.get(*key));
            match plain.chain(message).find_map(|value| text_of(value, depth + 1)) {
                Some(text) => text,
                None => joined(
                    fields.iter().map(|(key, value)| Some(format!("{key}: {}", text_of(value, depth + 1)?))),
                ),
            }
        }
        _ => return None,
    };
    (!text.is_empty()).then_some(text)
}

/// The first few texts.
fn joined(texts: impl Iterator<Item = Option<String>>) -> String {
    let texts: Vec<String> = texts.take(MAX_VISITED).flatten().take(MAX_JOINED).collect();
    excerpt(&texts.join("; "))
}

/// The words of a name in lower case: `last`, `error` for `lastError`, `last_error` and `LastError`.
fn words_of(key: &str) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    let mut is_start = true;
    for letter in key.chars().take(100) {
        if !letter.is_alphanumeric() {
            is_start = true;
            continue;
        }
        match words.last_mut().filter(|_| !is_start && !letter.is_uppercase()) {
            Some(word) => word.push(letter),
            None => words.push(letter.to_lowercase().to_string()),
        }
        is_start = false;
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn explained(status: &Value) -> Option<(String, String)> {
        let kind = GroupKind::of("example.com/v1", "Thing");
        let object = json!({ "status": status });
        let phases = super::super::phase::read(&kind, &object);
        let culprit = phases.iter().max_by_key(|phase| phase.meaning);
        let explainer = Explainer { kind: &kind, status, phases: &phases };
        let found = explainer.beside(culprit).or_else(|| explainer.parts(culprit))?;
        Some((found.path, found.text))
    }

    #[test]
    fn every_error_word_passes_the_quick_check() {
        for word in ERROR_WORDS {
            assert!(may_be_error(word) && may_be_error(&word.to_uppercase()), "{word}");
        }
        assert!(
            may_be_error("lastFailureMessage") && !may_be_error("observedGeneration") && !may_be_error("")
        );
    }

    #[test]
    fn the_reason_is_found_in_every_shape() {
        let cases = [
            (json!({ "message": "disk full" }), "message", "disk full"),
            (json!({ "reason": "DiskFull" }), "reason", "DiskFull"),
            (json!({ "reason": "DiskFull", "message": "disk full" }), "message", "disk full"),
            (json!({ "error": "disk full", "message": "see error" }), "error", "disk full"),
            (json!({ "error": { "message": "disk full", "time": "2026" } }), "error", "disk full"),
            (json!({ "lastError": "disk full", "lastErrorTime": "2026" }), "lastError", "disk full"),
            (json!({ "failureReason": "X", "failureMessage": "disk full" }), "failureMessage", "disk full"),
            (json!({ "validationErrors": ["a", "b", "c", "d"] }), "validationErrors", "a; b; c"),
            (json!({ "errors": [{ "message": "a" }, { "reason": "b" }] }), "errors", "a; b"),
            (json!({ "errors": { "db": "down", "web": "up" } }), "errors", "db: down; web: up"),
            (json!({ "errorCount": 3, "statusMessage": "two\nlines" }), "statusMessage", "two lines"),
            (
                json!({ "nodes": { "x": { "phase": "Failed", "message": "exit 1" } } }),
                "nodes.x.message",
                "x: exit 1",
            ),
            (
                json!({ "model": { "lastFailureInfo": { "reason": "X", "message": "no such file" } } }),
                "model.lastFailureInfo",
                "model: no such file",
            ),
            (
                json!({ "members": [{ "name": "a", "state": "ok", "message": "fine" }, { "name": "b", "state": "failed", "message": "no quorum" }] }),
                "members[1].message",
                "b: no quorum",
            ),
        ];
        for (mut status, path, text) in cases {
            status["phase"] = json!("Error");
            assert_eq!(explained(&status), Some((path.to_owned(), text.to_owned())), "{status}");
        }
    }

    #[test]
    fn a_message_about_success_explains_no_failure() {
        for status in [
            json!({ "phase": "Ready", "message": "all set", "operationState": { "phase": "Failed" } }),
            json!({ "phase": "Error", "message": "created successfully" }),
            json!({ "phase": "Error", "message": "Running", "reason": "" }),
            json!({ "phase": "Error", "message": 7, "reason": ["", null], "error": {}, "errors": [] }),
            json!({ "phase": "Error", "message": "None", "error": "<nil>" }),
            json!({ "phase": "Error", "history": [{ "phase": "Failed", "message": "long ago" }] }),
        ] {
            assert_eq!(explained(&status), None, "{status}");
        }
    }

    #[test]
    fn huge_and_deep_values_are_cut() {
        let huge = "ü".repeat(1_000_000);
        let mut deep = json!({ "phase": "Failed", "message": "x" });
        for _ in 0..100 {
            deep = json!({ "inner": deep });
        }
        let many: Vec<Value> =
            (0..100_000).map(|n| json!({ "state": "ok", "message": n.to_string() })).collect();
        assert_eq!(explained(&json!({ "phase": "Error", "deep": deep, "many": many })), None);
        for error in [json!(huge), json!([huge]), json!({ "message": huge }), json!({ "a": huge, "b": huge })]
        {
            let found = explained(&json!({ "phase": "Error", "error": error }));
            let (_, text) = found.unwrap_or_default();
            assert!((1..400).contains(&text.chars().count()), "{}", text.len());
        }
    }

    #[test]
    fn names_are_split_into_words() {
        for key in ["lastError", "LastError", "last_error", "last-error"] {
            assert_eq!(words_of(key), ["last", "error"], "{key}");
        }
        assert!(words_of("").is_empty());
    }
}
