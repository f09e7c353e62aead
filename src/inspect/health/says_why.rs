//! Which of several conditions says why an object is not healthy. A condition with an error comes before one that only
//! repeats that something is not ready, whatever their types are.

use std::collections::HashSet;

use super::condition::Condition;
use super::condition_effect::EvaluatedCondition;
use super::excerpt::excerpt;
use crate::known::error_words;

/// How much a condition says about the cause, the most first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Says {
    /// Its message or reason reports an error.
    Error,
    /// Its message says something else.
    Message,
    /// Only that an object below it does not exist, which has a cause of its own.
    Absence,
    /// It has a reason, but no message.
    Reason,
    /// No more than that something is not ready.
    Nothing,
}

/// Reasons that repeat the status of a condition.
const EMPTY_REASONS: [&str; 8] =
    ["Error", "Failed", "False", "NotReady", "Unavailable", "Unhealthy", "Unknown", "Unready"];

/// The types of the conditions of an object, in lower case: a message that only names them says nothing.
pub(super) struct Names(HashSet<String>);

impl Names {
    pub(super) fn of(conditions: &[EvaluatedCondition]) -> Self {
        Self(conditions.iter().map(|one| one.condition.name.to_ascii_lowercase()).collect())
    }

    /// How much a condition says.
    pub(super) fn says(&self, one: &Condition) -> Says {
        let message = one.message.filter(|message| !self.is_empty(message));
        let reason = one.reason.filter(|reason| !EMPTY_REASONS.contains(reason));
        let is_error = |text: Option<&str>| text.is_some_and(error_words::is_error);
        match (message, reason) {
            (Some(message), _) if error_words::is_absence(message) => Says::Absence,
            (message, reason) if is_error(message) || is_error(reason) => Says::Error,
            (Some(_), _) => Says::Message,
            (None, Some(reason)) if !self.is_empty(reason) => Says::Reason,
            _ => Says::Nothing,
        }
    }

    fn is_empty(&self, text: &str) -> bool {
        error_words::is_empty(text, |word| self.0.contains(word))
    }

    /// `SecretNotFound: cannot mount`: the message, after the reason if that adds something.
    pub(super) fn words(&self, one: &Condition) -> Option<String> {
        let Some(message) = one.message else { return one.reason.map(excerpt) };
        let message = excerpt(message);
        let adds = |reason: &&str| {
            let is_worth_it = error_words::is_error(reason) || self.is_empty(&message);
            is_worth_it && !EMPTY_REASONS.contains(reason) && !squeezed(&message).contains(&squeezed(reason))
        };
        Some(match one.reason.filter(adds) {
            Some(reason) => format!("{}: {message}", excerpt(reason)),
            None => message,
        })
    }
}

/// The letters and digits of a text in lower case, so that `NotFound` is found in `not found`.
fn squeezed(text: &str) -> String {
    text.chars().filter(|c| c.is_alphanumeric()).take(1_000).flat_map(char::to_lowercase).collect()
}

#[cfg(test)]
mod tests {
    use super::super::condition;
    use super::*;
    use serde_json::{Value, json};

    fn said(one: &Value) -> (Says, Option<String>) {
        let object = json!({ "status": { "conditions": [one] } });
        let names = Names(HashSet::from(["databaseready".to_owned()]));
        let conditions = condition::read(&object);
        (names.says(&conditions[0]), names.words(&conditions[0]))
    }

    #[test]
    fn an_error_says_more_than_a_summary() {
        let cases = [
            (json!({ "message": "cannot parse" }), Says::Error, Some("cannot parse")),
            (json!({ "reason": "SecretNotFound" }), Says::Error, Some("SecretNotFound")),
            (
                json!({ "reason": "SecretNotFound", "message": "waiting" }),
                Says::Error,
                Some("SecretNotFound: waiting"),
            ),
            (
                json!({ "reason": "SecretNotFound", "message": "secret not found: db" }),
                Says::Error,
                Some("secret not found: db"),
            ),
            (json!({ "message": "pulling the image" }), Says::Message, Some("pulling the image")),
            (
                json!({ "message": "statefulset db not found" }),
                Says::Absence,
                Some("statefulset db not found"),
            ),
            (json!({ "reason": "Bootstrapping" }), Says::Reason, Some("Bootstrapping")),
            (
                json!({ "message": "DatabaseReady is not True" }),
                Says::Nothing,
                Some("DatabaseReady is not True"),
            ),
            (json!({ "reason": "NotReady", "message": "not ready" }), Says::Nothing, Some("not ready")),
            (json!({}), Says::Nothing, None),
        ];
        for (mut one, says, words) in cases {
            one["type"] = json!("Ready");
            one["status"] = json!("False");
            assert_eq!(said(&one), (says, words.map(str::to_owned)), "{one}");
        }
    }
}
