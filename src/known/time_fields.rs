//! Which fields of a status name a time on purpose ahead of now: the expiry of a certificate, the next run of a job.
//! Every other time in a status is one that the cluster wrote when something happened.

/// Words of a field name that say that its time lies in the future, sorted. Seen in cert-manager (`notAfter`,
/// `renewalTime`), Velero (`expiration`), Argo Workflows and external-secrets (`nextRun`, `nextScheduledTime`), Kueue and
/// Jobs (`deadline`), SPIRE (`validUntil`).
const PLANNED: [&str; 19] = [
    "after",
    "before",
    "deadline",
    "due",
    "estimated",
    "eta",
    "expected",
    "next",
    "planned",
    "renew",
    "renewal",
    "retry",
    "schedule",
    "scheduled",
    "ttl",
    "until",
    "upcoming",
    "valid",
    "validity",
];

/// Words that say that a time has passed, whatever else the name says: `lastScheduleTime`. Sorted.
const PAST: [&str; 3] = ["last", "latest", "previous"];

/// The start of the words for an expiry: `expiry`, `expires`, `expirationTimestamp`.
const EXPIRY: &str = "expir";

/// Whether a field is for a time in the future, by its name.
pub fn is_planned(field: &str) -> bool {
    let words = words(field);
    let is_planned =
        |word: &String| word.starts_with(EXPIRY) || PLANNED.binary_search(&word.as_str()).is_ok();
    !words.iter().any(|word| PAST.binary_search(&word.as_str()).is_ok()) && words.iter().any(is_planned)
}

/// The words of `camelCase`, `snake_case` or `kebab-case`, in lower case.
fn words(field: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut after_lower = false;
    for c in field.chars() {
        let starts = !c.is_ascii_alphanumeric() || c.is_ascii_uppercase() && after_lower;
        after_lower = c.is_ascii_lowercase() || c.is_ascii_digit();
        if starts {
            words.push(String::new());
        }
        if let Some(word) = words.last_mut().filter(|_| c.is_ascii_alphanumeric()) {
            word.push(c.to_ascii_lowercase());
        }
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_tables_are_sorted_and_have_no_duplicates() {
        assert!(PLANNED.is_sorted_by(|a, b| a < b));
        assert!(PAST.is_sorted_by(|a, b| a < b));
    }

    #[test]
    fn a_name_tells_a_plan_from_a_fact() {
        for field in [
            "notAfter",
            "notBefore",
            "renewalTime",
            "expirationTimestamp",
            "expires_at",
            "expiry",
            "nextScheduleTime",
            "next-run",
            "nextRun",
            "activeDeadline",
            "progressDeadlineTime",
            "scheduledTime",
            "validUntil",
        ] {
            assert!(is_planned(field), "{field}");
        }
        for field in [
            "lastTransitionTime",
            "lastScheduleTime",
            "lastExpirationCheck",
            "startTime",
            "startedAt",
            "finishedAt",
            "completionTime",
            "refreshTime",
            "renewedAt",
            "time",
            "context",
            "",
        ] {
            assert!(!is_planned(field), "{field}");
        }
    }
}
