//! What the words in `status.phase` and its relatives mean.

/// What a word says of the object.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Mood {
    Good,
    Paused,
    Moving,
    Bad,
}

use Mood::{Bad, Good, Moving, Paused};

/// Words of every group: lower case, letters and digits only, sorted.
const WORDS: [(&str, Mood); 37] = [
    ("active", Good),
    ("available", Good),
    ("bound", Good),
    // CloudNativePG writes a sentence.
    ("clusterinhealthystate", Good),
    ("completed", Good),
    ("creating", Moving),
    ("degraded", Bad),
    ("deployed", Good),
    ("error", Bad),
    ("failed", Bad),
    ("green", Good),
    ("healthy", Good),
    ("hibernated", Paused),
    ("initializing", Moving),
    ("inprogress", Moving),
    ("invalid", Bad),
    ("lost", Bad),
    ("ok", Good),
    ("online", Good),
    ("partiallyfailed", Bad),
    ("paused", Paused),
    ("pending", Moving),
    ("provisioning", Moving),
    ("ready", Good),
    ("red", Bad),
    ("rejected", Bad),
    ("running", Good),
    ("scaling", Moving),
    ("stopped", Paused),
    ("succeeded", Good),
    ("suspended", Paused),
    ("synced", Good),
    ("unhealthy", Bad),
    ("updating", Moving),
    ("upgrading", Moving),
    ("waiting", Moving),
    ("yellow", Moving),
];

/// Words that mean something in one group only, sorted.
const GROUP_WORDS: [(&str, &str, Mood); 7] = [
    // argoproj/argo-cd gitops-engine pkg/health: the objects it should have made are not there.
    ("argoproj.io", "missing", Bad),
    // operator-framework/api pkg/operators/v1alpha1: states of a Subscription, phases of a CSV and an
    // InstallPlan.
    ("operators.coreos.com", "atlatestknown", Good),
    ("operators.coreos.com", "complete", Good),
    ("operators.coreos.com", "installready", Moving),
    ("operators.coreos.com", "requiresapproval", Moving),
    ("operators.coreos.com", "unknown", Bad),
    ("operators.coreos.com", "upgradepending", Moving),
];

/// Ends of single words, for those that no table knows.
const ENDINGS: [(&str, Mood); 3] = [("error", Bad), ("failed", Bad), ("ing", Moving)];

/// What a word says, if it says anything.
pub fn mood(group: &str, word: &str) -> Option<Mood> {
    let plain: String =
        word.chars().filter(char::is_ascii_alphanumeric).map(|c| c.to_ascii_lowercase()).collect();
    let own = || GROUP_WORDS.iter().find(|line| line.0 == group && line.1 == plain).map(|line| line.2);
    let shared = || WORDS.binary_search_by_key(&plain.as_str(), |line| line.0).ok().map(|at| WORDS[at].1);
    let ending = || {
        let is_one_word = !word.trim().contains(char::is_whitespace);
        ENDINGS.iter().find(|line| is_one_word && plain.ends_with(line.0)).map(|line| line.1)
    };
    own().or_else(shared).or_else(ending)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_tables_are_sorted_and_have_no_doubles() {
        assert!(WORDS.is_sorted_by(|a, b| a.0 < b.0));
        assert!(GROUP_WORDS.is_sorted_by(|a, b| (a.0, a.1) < (b.0, b.1)));
        assert!(ENDINGS.is_sorted_by(|a, b| a.0 < b.0));
    }

    #[test]
    fn words_are_read_in_any_spelling() {
        let cases = [
            ("Running", Some(Good)),
            ("RUNNING", Some(Good)),
            ("In Progress", Some(Moving)),
            ("in-progress", Some(Moving)),
            ("Partially_Failed", Some(Bad)),
            ("SyncFailed", Some(Bad)),
            ("ConfigError", Some(Bad)),
            ("Restarting", Some(Moving)),
            ("Cluster in healthy state", Some(Good)),
            ("Waiting for the instances to start something", None),
            ("Frobnicated", None),
            ("", None),
            ("läuft", None),
        ];
        for (word, expected) in cases {
            assert_eq!(mood("example.com", word), expected, "{word}");
        }
        assert_eq!(mood("argoproj.io", "Missing"), Some(Bad));
    }

    #[test]
    fn no_ending_makes_anything_good() {
        assert!(ENDINGS.iter().all(|line| line.1 != Good));
    }
}
