//! Words by which the message or reason of any operator says that something went wrong, and words that only repeat that
//! something is not ready. They choose which of several messages is shown first; no verdict rests on a message.

/// How much of a text is looked at, in bytes.
const MAX_LENGTH: usize = 2_000;

/// Parts of texts about errors, in lower case, as Go's standard library, the API server, cloud providers and operators
/// write them. Without spaces too, for reasons such as `SecretNotFound`.
const ERRORS: [&str; 57] = [
    "abort",
    "already exists",
    "back-off",
    "backoff",
    "bad request",
    "can't",
    "cannot",
    "conflict",
    "corrupt",
    "could not",
    "couldn't",
    "crash",
    "deadline",
    "denied",
    "does not exist",
    "doesn't exist",
    "error",
    "evicted",
    "exceeded",
    "exhausted",
    "expired",
    "fail",
    "forbidden",
    "insufficient",
    "invalid",
    "lost connection",
    "malformed",
    "misconfig",
    "mismatch",
    "missing",
    "must be",
    "must have",
    "must not",
    "no space",
    "no such",
    "not allowed",
    "not enough",
    "not found",
    "not permitted",
    "not valid",
    "notallowed",
    "notfound",
    "oomkilled",
    "panic",
    "refused",
    "rejected",
    "timed out",
    "timedout",
    "timeout",
    "unable",
    "unauthorized",
    "unreachable",
    "unrecognized",
    "unrecoverable",
    "unresolved",
    "unsupported",
    "x509",
];

/// Texts that contain a part of `ERRORS` and are none.
const HARMLESS: [&str; 16] = [
    "0 error",
    "0 failed",
    "fail-over",
    "failover",
    "failsafe",
    "failure domain",
    "failuredomain",
    "no conflict",
    "no error",
    "no failure",
    "no issue",
    "no problem",
    "noconflict",
    "noerror",
    "without conflict",
    "without error",
];

/// The parts of `ERRORS` that say that something is not there.
const ABSENCES: [&str; 4] = ["does not exist", "doesn't exist", "not found", "notfound"];

/// Objects that an operator creates: that one of them is not there yet is a consequence.
const CHILDREN: [&str; 7] = ["daemonset", "deployment", "instance", "pod", "replica", "shard", "statefulset"];

/// Words that add nothing to a condition that is not True, sorted.
const FILLERS: [&str; 52] = [
    "a",
    "all",
    "and",
    "are",
    "available",
    "be",
    "because",
    "become",
    "been",
    "child",
    "children",
    "component",
    "components",
    "condition",
    "conditions",
    "currently",
    "dependencies",
    "dependency",
    "false",
    "for",
    "has",
    "have",
    "healthy",
    "is",
    "its",
    "more",
    "no",
    "not",
    "notready",
    "object",
    "objects",
    "of",
    "one",
    "or",
    "ready",
    "reconciled",
    "resource",
    "resources",
    "some",
    "status",
    "succeeded",
    "synced",
    "the",
    "to",
    "true",
    "unavailable",
    "unhealthy",
    "unknown",
    "unready",
    "waiting",
    "yet",
    "zero",
];

/// Whether a text reports an error. `Issuing certificate as Secret does not exist` reports work.
pub fn is_error(text: &str) -> bool {
    let plain = plain(text);
    let first = plain.split_whitespace().next().unwrap_or_default();
    let is_work = first.len() < plain.trim().len() && first.ends_with("ing");
    if is_work && !has_error(first) { has_error(&without_absences(&plain)) } else { has_error(&plain) }
}

/// Whether the only thing wrong is that an object the operator creates is not there.
pub fn is_absence(text: &str) -> bool {
    let plain = plain(text);
    let present = |parts: &[&str]| parts.iter().any(|part| plain.contains(part));
    present(&ABSENCES) && present(&CHILDREN) && !has_error(&without_absences(&plain))
}

fn without_absences(plain: &str) -> String {
    ABSENCES.iter().fold(plain.to_owned(), |text, part| text.replace(part, " "))
}

/// Whether a text reports success and no error.
pub fn is_success(text: &str) -> bool {
    let plain = plain(text);
    plain.contains("success") && !plain.contains("unsuccess") && !has_error(&plain)
}

/// Whether a text says no more than that something is not ready. `names` are words that add nothing here, such as the
/// types of other conditions, in lower case.
pub fn is_empty(text: &str, names: impl Fn(&str) -> bool) -> bool {
    if text.len() > MAX_LENGTH {
        return false;
    }
    let plain = plain(text);
    let words = plain.split(|c: char| !c.is_alphanumeric() && c != '.').map(|word| word.trim_matches('.'));
    words.filter(|word| !word.is_empty()).all(|word| FILLERS.binary_search(&word).is_ok() || names(word))
}

fn has_error(plain: &str) -> bool {
    let rest = HARMLESS.iter().filter(|part| plain.contains(**part));
    let rest = rest.fold(std::borrow::Cow::Borrowed(plain), |text, part| text.replace(part, " ").into());
    ERRORS.iter().any(|part| rest.contains(part)) || (rest.starts_with("no ") && rest.contains(" found"))
}

/// The beginning of a text in lower case.
fn plain(text: &str) -> String {
    let end =
        (0..=MAX_LENGTH.min(text.len())).rev().find(|end| text.is_char_boundary(*end)).unwrap_or_default();
    text[..end].to_ascii_lowercase()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_tables_are_sorted_and_have_no_duplicates() {
        for table in [&ERRORS[..], &HARMLESS[..], &ABSENCES[..], &CHILDREN[..], &FILLERS[..]] {
            assert!(table.is_sorted_by(|a, b| a < b), "{table:?}");
        }
        assert!(ABSENCES.iter().all(|part| ERRORS.contains(part)));
    }

    #[test]
    fn errors_are_told_from_other_messages() {
        for text in [
            "DBSubnetGroupNotFound",
            "dial tcp 10.0.0.1:443: connect: connection refused",
            "unable to parse version",
            "ReconcileError",
            "BuildFailed",
            "SecretNotFound",
            "no package \"argocd\" found",
            "x509: certificate signed by unknown authority",
        ] {
            assert!(is_error(text), "{text}");
        }
        for text in [
            "",
            "Creating",
            "PodsNotReady",
            "2 of 3 Pods are ready",
            "failover to pg-2",
            "no errors found",
            "No problems found",
            "NoError",
            "Issuing certificate as Secret does not exist",
        ] {
            assert!(!is_error(text), "{text}");
        }
        assert!(is_error("no errors before, now it failed"));
        assert!(is_error("waiting for the image: connection refused") && is_error("failing: x not found"));
    }

    #[test]
    fn a_missing_child_is_no_cause_but_a_missing_secret_is() {
        assert!(is_absence("shard 0: statefulset monitoring/prometheus-main not found"));
        assert!(!is_absence("secret shop/db not found"));
        assert!(!is_absence("statefulset main: admission denied: not found in the allow list"));
        assert!(!is_absence("creating the statefulset"));
    }

    #[test]
    fn success_is_no_explanation_of_a_failure() {
        assert!(is_success("Cluster created successfully"));
        assert!(!is_success("unsuccessful"));
        assert!(!is_success("created successfully, but the backup failed"));
    }

    #[test]
    fn what_only_repeats_that_it_is_not_ready_is_empty() {
        let names = |word: &str| word == "configurationsready";
        for text in
            ["", "not ready", "The resource is not ready yet.", "ConfigurationsReady is False", "NotReady"]
        {
            assert!(is_empty(text, names), "{text}");
        }
        for text in ["not ready: disk full", "RoutesReady is False", "2 of 3 ready"] {
            assert!(!is_empty(text, names), "{text}");
        }
        assert!(!is_empty(&"ü".repeat(1_000_000), names));
    }
}
