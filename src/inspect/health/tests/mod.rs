//! The rules as tables: an object on the left, its health on the right. All times are relative to one `now`.

mod builtin;
mod conditions;
mod custom;
mod deletion;
mod operators;
mod pod;
mod properties;

use jiff::{SignedDuration, Timestamp};
use serde_json::{Value, json};

use crate::inspect::health::judge;
use crate::model::health::{Health, Verdict};
use crate::model::ident::GroupKind;
use crate::model::rulebook::Rulebook;

/// The moment at which everything is judged.
fn now() -> Timestamp {
    "2026-11-16T12:00:00Z".parse().unwrap()
}

/// A time before `now`, as the API writes it.
fn before(ago: SignedDuration) -> String {
    (now() - ago).to_string()
}

fn minutes(n: i64) -> SignedDuration {
    SignedDuration::from_mins(n)
}

fn days(n: i64) -> SignedDuration {
    SignedDuration::from_hours(24 * n)
}

/// Judges an object by its own `apiVersion` and `kind`.
fn judged(object: &Value) -> Health {
    let word = |key: &str| object[key].as_str().unwrap_or_default();
    judge(&GroupKind::of(word("apiVersion"), word("kind")), object, now(), &Rulebook::default())
}

/// Judges an object of a kind with some spec and status, created 3 days ago.
fn with(api_version: &str, kind: &str, spec: &Value, status: &Value) -> Health {
    judged(&json!({
        "apiVersion": api_version,
        "kind": kind,
        "metadata": { "name": "x", "generation": 1, "creationTimestamp": before(days(3)) },
        "spec": spec,
        "status": status,
    }))
}

/// A custom resource of an unknown group.
fn custom(status: &Value) -> Health {
    with("example.com/v1", "Thing", &json!({}), status)
}

/// A custom resource with nothing but conditions.
fn conditioned(conditions: &Value) -> Health {
    custom(&json!({ "conditions": conditions }))
}

fn condition(name: &str, status: &str) -> Value {
    json!({ "type": name, "status": status, "lastTransitionTime": before(days(3)) })
}

/// The message; empty if there is none.
fn words(health: &Health) -> &str {
    health.message.as_deref().unwrap_or_default()
}

fn summary(health: &Health) -> (Verdict, &str, &str, Option<&str>) {
    (health.verdict, health.rule.id(), &health.status, health.ready.as_deref())
}
