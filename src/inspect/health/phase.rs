//! Fields of a status that hold one word for the state: `phase`, `state`, `health` and the like.

use serde_json::Value;

use super::excerpt::excerpt;
use super::facts;
use crate::known::phases::{self, PhaseMeaning};
use crate::model::health::Fact;
use crate::model::ident::GroupKind;
use crate::model::json::{at, text};

/// Fields that operators use for the state of the whole object.
const MAIN_FIELDS: [&str; 8] =
    ["compliant", "currentPhase", "health", "phase", "robustness", "stage", "state", "status"];

/// The same one level down, sorted: the state of a Spark application, of Ceph (Rook), of a catalog's connection (OLM), of
/// a connector (Strimzi), the health and the last sync of an Argo CD application, the job of a Flink deployment, the
/// model of an `InferenceService` (`KServe`), the state of a Volcano job.
const NESTED_FIELDS: [(&[&str], PhaseScope); 9] = [
    (&["applicationState", "state"], PhaseScope::Whole),
    (&["ceph", "health"], PhaseScope::Part),
    (&["connectionState", "lastObservedState"], PhaseScope::Whole),
    (&["connectorStatus", "connector", "state"], PhaseScope::Part),
    (&["health", "status"], PhaseScope::Whole),
    (&["jobStatus", "state"], PhaseScope::Part),
    (&["modelStatus", "transitionStatus"], PhaseScope::Part),
    (&["operationState", "phase"], PhaseScope::Part),
    (&["state", "phase"], PhaseScope::Whole),
];

/// Fields, set or not, that only objects have that run to completion.
const RUN_FIELDS: [&str; 8] = [
    "completionTime",
    "completionTimestamp",
    "finishedAt",
    "lastSubmissionAttemptTime",
    "startTime",
    "startTimestamp",
    "startedAt",
    "terminationTime",
];

/// The longest unknown word that is shown, in characters.
const MAX_LENGTH: usize = 80;

/// A field and the meaning of its word.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct PhaseField<'a> {
    /// Its path below `status`; empty if the status itself is the word.
    pub(super) field: String,
    pub(super) text: &'a str,
    /// `None` if the word is not known.
    pub(super) meaning: Option<PhaseMeaning>,
    pub(super) scope: PhaseScope,
}

impl PhaseField<'_> {
    /// The path of the object that holds the field, below `status`.
    pub(super) fn place(&self) -> &str {
        self.field.rsplit_once('.').map_or("", |(place, _)| place)
    }

    /// The field and its word.
    pub(super) fn fact(&self) -> Fact {
        let path = if self.field.is_empty() { "status".to_owned() } else { format!("status.{}", self.field) };
        facts::fact(path, self.text)
    }

    /// `phase is Error`.
    pub(super) fn description(&self) -> String {
        let field = if self.field.is_empty() { "status" } else { &self.field };
        format!("{field} is {}", excerpt(self.text))
    }

    /// `phase "Frobnicated"`, for a word that is not known.
    pub(super) fn quoted(&self) -> String {
        let field = if self.field.is_empty() { "status" } else { &self.field };
        format!("{field} \"{}\"", shortened(&excerpt(self.text)))
    }
}

/// What a field is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum PhaseScope {
    /// The whole object.
    Whole,
    /// One aspect: it can make the object fail, but not Ready.
    Part,
}

/// The phase fields of a status.
pub(super) fn read<'a>(kind: &GroupKind, object: &'a Value) -> Vec<PhaseField<'a>> {
    let Some(status) = at(object, &["status"]) else { return Vec::new() };
    let runs_to_an_end = RUN_FIELDS.iter().any(|key| status.get(key).is_some());
    let meaning = |word: &str| match phases::meaning(kind, word) {
        // An object that runs to completion is not done while it is running.
        Some(PhaseMeaning::Good) if runs_to_an_end && word.eq_ignore_ascii_case("running") => {
            Some(PhaseMeaning::Progressing)
        }
        meaning => meaning,
    };
    let word = |field: &str, word: &'a str, scope| {
        (!word.trim().is_empty()).then(|| PhaseField {
            field: field.to_owned(),
            text: word,
            meaning: meaning(word),
            scope,
        })
    };
    match status {
        Value::String(text) => word("", text, PhaseScope::Whole).into_iter().collect(),
        Value::Object(fields) => {
            let plain =
                fields.iter().filter_map(|(key, value)| word(key, value.as_str()?, scope(kind, key)?));
            let nested = NESTED_FIELDS
                .iter()
                .filter_map(|(path, scope)| word(&path.join("."), text(status, path)?, *scope));
            let own =
                phases::whole_fields(&kind.group).filter(|path| path.contains('.')).filter_map(|path| {
                    let keys: Vec<&str> = path.split('.').collect();
                    word(path, text(status, &keys)?, PhaseScope::Whole)
                });
            plain.chain(nested).chain(own).collect()
        }
        _ => Vec::new(),
    }
}

fn scope(kind: &GroupKind, key: &str) -> Option<PhaseScope> {
    if MAIN_FIELDS.contains(&key) || phases::whole_fields(&kind.group).any(|field| field == key) {
        return Some(PhaseScope::Whole);
    }
    let stem = key.strip_suffix("Status").or_else(|| key.strip_suffix("State"));
    match stem {
        // `certificateStatus` of a ManagedCertificate is about the whole.
        Some(stem) if is_named_after(kind, stem) => Some(PhaseScope::Whole),
        Some(_) => Some(PhaseScope::Part),
        None => (key == "synced").then_some(PhaseScope::Part),
    }
}

/// Whether the name of a kind ends with a word.
fn is_named_after(kind: &GroupKind, stem: &str) -> bool {
    let start = kind.kind.len().checked_sub(stem.len());
    let end = start.and_then(|start| kind.kind.get(start..));
    stem.len() > 2 && end.is_some_and(|end| end.eq_ignore_ascii_case(stem))
}

fn shortened(word: &str) -> String {
    match word.char_indices().nth(MAX_LENGTH) {
        Some((end, _)) => format!("{}…", &word[..end]),
        None => word.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_tables_are_sorted_and_have_no_duplicates() {
        assert!(NESTED_FIELDS.is_sorted_by(|a, b| a.0 < b.0));
        assert!(RUN_FIELDS.is_sorted_by(|a, b| a < b) && MAIN_FIELDS.is_sorted_by(|a, b| a < b));
    }

    #[test]
    fn a_field_named_after_the_kind_is_about_the_whole() {
        let scope = |kind, key| scope(&GroupKind::of("example.com/v1", kind), key);
        assert_eq!(scope("ManagedCertificate", "certificateStatus"), Some(PhaseScope::Whole));
        assert_eq!(scope("RayJob", "jobStatus"), Some(PhaseScope::Whole));
        assert_eq!(scope("Shop", "certificateStatus"), Some(PhaseScope::Part));
        assert_eq!(scope("Shop", "Status"), Some(PhaseScope::Part));
        assert_eq!(scope("Größe", "ßeState"), Some(PhaseScope::Whole));
        assert_eq!(scope("Shop", "url"), None);
        let zalando = GroupKind::of("acid.zalan.do/v1", "postgresql");
        assert_eq!(super::scope(&zalando, "PostgresClusterStatus"), Some(PhaseScope::Whole));
    }
}
