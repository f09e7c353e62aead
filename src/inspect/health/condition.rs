//! Reads conditions in every shape that operators are known to write: a list, a map, booleans, without a type, without
//! a status, with a status of their own. Not here: what a condition means (`condition_effect.rs`).

use std::collections::HashMap;

use jiff::Timestamp;
use serde_json::Value;

use super::elapsed;
use super::excerpt::excerpt;
use crate::model::json::{at, list, text, time};
use crate::model::now::Now;

/// Lists in a status whose entries have conditions of their own, sorted, with the path to the name of an entry:
/// listeners, parents of routes and ancestors of policies (Gateway API), workloads that use a monitor
/// (prometheus-operator), bundles that an `InstallPlan` unpacks (OLM).
const PARTS: [(&str, &[&str]); 5] = [
    ("ancestors", &["ancestorRef", "name"]),
    ("bindings", &["name"]),
    ("bundleLookups", &["identifier"]),
    ("listeners", &["name"]),
    ("parents", &["parentRef", "name"]),
];

/// Lists among these that are all there is to the status of an object, with the type that must be True in every entry:
/// the parents of a route and the ancestors of a policy (kubernetes-sigs/gateway-api apis/v1), the routers of a route
/// (openshift/api route/v1).
pub(super) const WHOLE_PARTS: [(&str, &str); 3] =
    [("ancestors", "Accepted"), ("ingress", "Admitted"), ("parents", "Accepted")];

/// Words in the name of a list whose entries are about the past.
const PAST: [&str; 5] = ["history", "last", "old", "previous", "revision"];

/// Fields of a status that contain the conditions of the whole object one level down (Kyverno).
pub(super) const WRAPPERS: [&str; 1] = ["conditionStatus"];

/// One condition as the object has it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Condition<'a> {
    pub name: &'a str,
    pub status: Status<'a>,
    pub reason: Option<&'a str>,
    pub message: Option<&'a str>,
    pub since: Option<Since>,
    /// Used by Knative and Azure: a False with the severity `Info` is not a problem.
    pub severity: Option<&'a str>,
    /// The generation that the condition was written for.
    pub observed_generation: Option<i64>,
    pub scope: ConditionScope,
}

/// The status of a condition.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status<'a> {
    True,
    False,
    Unknown,
    /// Any other word.
    Other(&'a str),
    /// The condition has no status: being listed means True.
    Missing,
}

/// Since when a condition has its status.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Since {
    Transition(Timestamp),
    /// Only the last update is known; the transition was then or earlier.
    Update(Timestamp),
}

/// What a condition is about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ConditionScope {
    Object,
    /// One part of the object, such as `listeners[http]`. It cannot make the object Ready.
    Part(String),
}

/// The conditions of an object in their original order, those of its parts last.
pub fn read(object: &Value) -> Vec<Condition<'_>> {
    let Some(status) = at(object, &["status"]) else { return Vec::new() };
    let wrapped = WRAPPERS.iter().filter_map(|key| at(status, &[key]));
    let whole = std::iter::once(status).chain(wrapped);
    let mut conditions = newest(whole.flat_map(|holder| entries(holder, &ConditionScope::Object)).collect());
    let known = PARTS.iter().map(|(part, name)| (*part, *name));
    for (part, name) in known.chain(other_parts(status)) {
        for (index, piece) in list(status, &[part]).iter().enumerate() {
            if at(piece, &["conditions"]).is_some() {
                let scope = ConditionScope::Part(format!("{part}[{}]", part_name(piece, name, index)));
                conditions.extend(newest(entries(piece, &scope)));
            }
        }
    }
    conditions
}

/// Other lists of the status whose entries have conditions, with the path to the name of an entry.
fn other_parts(status: &Value) -> impl Iterator<Item = (&str, &'static [&'static str])> {
    let fields = status.as_object().into_iter().flatten();
    let is_part = |(key, value): &(&String, &Value)| {
        let first = value.as_array().and_then(|items| items.first());
        first.is_some_and(|first| at(first, &["conditions"]).is_some_and(Value::is_array))
            && PARTS.iter().all(|part| part.0 != key.as_str())
            && !PAST.iter().any(|word| key.to_ascii_lowercase().contains(word))
    };
    fields.filter(is_part).map(|(key, value)| {
        let first = value.as_array().and_then(|items| items.first());
        let has = |path: &[&str]| first.is_some_and(|first| text(first, path).is_some());
        let name: &[&str] = if has(&["name"]) { &["name"] } else { &["routerName"] };
        (key.as_str(), name)
    })
}

/// The name of an entry, for a parent with its section; the index if it has no name.
fn part_name(piece: &Value, path: &[&str], index: usize) -> String {
    let Some(name) = text(piece, path).filter(|name| !name.is_empty()) else { return index.to_string() };
    match text(piece, &["parentRef", "sectionName"]) {
        Some(section) => format!("{name}:{section}"),
        None => name.to_owned(),
    }
}

impl<'a> Status<'a> {
    fn of(value: Option<&'a Value>) -> Self {
        match value {
            Some(Value::Bool(true)) => Self::True,
            Some(Value::Bool(false)) => Self::False,
            Some(Value::String(word)) if word.eq_ignore_ascii_case("true") => Self::True,
            Some(Value::String(word)) if word.eq_ignore_ascii_case("false") => Self::False,
            Some(Value::String(word)) if word.eq_ignore_ascii_case("unknown") => Self::Unknown,
            Some(Value::String(word)) if !word.is_empty() => Self::Other(word),
            _ => Self::Missing,
        }
    }

    /// The status as it is printed.
    pub fn word(self) -> &'a str {
        match self {
            Self::True => "True",
            Self::False => "False",
            Self::Unknown => "Unknown",
            Self::Other(word) => word,
            Self::Missing => "",
        }
    }
}

impl Condition<'_> {
    /// The type, prefixed with the part that it is about: `listeners[http]/Programmed`.
    pub fn qualified_type(&self) -> String {
        match &self.scope {
            ConditionScope::Object => self.name.to_owned(),
            ConditionScope::Part(part) => format!("{part}/{}", self.name),
        }
    }

    /// Its path in the object.
    pub fn path(&self) -> String {
        match &self.scope {
            ConditionScope::Object => format!("status.conditions[{}]", self.name),
            ConditionScope::Part(part) => format!("status.{part}.conditions[{}]", self.name),
        }
    }

    /// `Ready=False`, or the type alone if there is no status.
    pub fn label(&self) -> String {
        match self.status {
            Status::Missing => excerpt(&self.qualified_type()),
            status => format!("{}={}", excerpt(&self.qualified_type()), excerpt(status.word())),
        }
    }

    /// When it got its status, if that is known and not in the future.
    pub fn changed_at(&self, now: Now) -> Option<Timestamp> {
        match self.since? {
            Since::Transition(then) => elapsed(then, now).map(|_| then),
            Since::Update(_) => None,
        }
    }

    /// `for 3d`, `for at least 3d`, or `None` if no time is known.
    pub fn lasting(&self, now: Now) -> Option<String> {
        match self.since? {
            Since::Transition(then) => elapsed(then, now).map(|_| now.lasting(then)),
            Since::Update(then) => elapsed(then, now).map(|_| now.lasting_at_least(then)),
        }
    }
}

/// An integer, or a string that contains one.
pub(super) fn whole_number(value: Option<&Value>) -> Option<i64> {
    match value? {
        Value::String(digits) => digits.trim().parse().ok(),
        other => other.as_i64(),
    }
}

fn entries<'a>(holder: &'a Value, scope: &ConditionScope) -> Vec<Condition<'a>> {
    match at(holder, &["conditions"]) {
        Some(Value::Array(items)) => {
            items.iter().filter_map(|item| entry(text(item, &["type"])?, item, scope)).collect()
        }
        Some(Value::Object(fields)) => {
            fields.iter().filter_map(|(name, item)| entry(name, item, scope)).collect()
        }
        _ => Vec::new(),
    }
}

fn entry<'a>(name: &'a str, item: &'a Value, scope: &ConditionScope) -> Option<Condition<'a>> {
    // In a map the value may be the status itself.
    let status = if item.is_object() { at(item, &["status"]) } else { Some(item) };
    let words = |key| text(item, &[key]).filter(|words| !words.trim().is_empty());
    (!name.is_empty()).then(|| Condition {
        name,
        status: Status::of(status),
        reason: words("reason"),
        message: words("message"),
        since: since(item),
        severity: words("severity"),
        observed_generation: whole_number(at(item, &["observedGeneration"])),
        scope: scope.clone(),
    })
}

fn since(item: &Value) -> Option<Since> {
    // Go writes its zero time, year 1, if none was set.
    let set = |key| time(item, &[key]).filter(|time| *time > Timestamp::UNIX_EPOCH);
    set("lastTransitionTime").map(Since::Transition).or_else(|| set("lastUpdateTime").map(Since::Update))
}

/// So many conditions are compared with each other faster than they are hashed.
const FEW: usize = 8;

/// Keeps the newest entry of each type: some operators append to a history.
fn newest(conditions: Vec<Condition<'_>>) -> Vec<Condition<'_>> {
    let moment = |condition: &Condition| {
        condition.since.map(|since| match since {
            Since::Transition(time) | Since::Update(time) => time,
        })
    };
    // Most objects have a few conditions, each once.
    let repeats =
        |(at, one): (usize, &Condition)| conditions[..at].iter().any(|other| other.name == one.name);
    if conditions.len() <= FEW && !conditions.iter().enumerate().any(repeats) {
        return conditions;
    }
    let mut kept: Vec<Condition> = Vec::with_capacity(conditions.len());
    let mut places: HashMap<&str, usize> = HashMap::new();
    for condition in conditions {
        let place = *places.entry(condition.name).or_insert(kept.len());
        match kept.get_mut(place) {
            // Entries without a time are assumed to be in order.
            Some(old) if moment(old).is_some() && moment(&condition) < moment(old) => {}
            Some(old) => *old = condition,
            None => kept.push(condition),
        }
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_is_sorted_and_has_no_duplicates() {
        assert!(PARTS.is_sorted_by(|a, b| a.0 < b.0));
        assert!(WHOLE_PARTS.is_sorted_by(|a, b| a.0 < b.0));
    }
}
