//! What the words in `status.phase` and similar fields mean.

/// What a word says about the object. In ascending order of importance: of several words the greatest counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum PhaseMeaning {
    Good,
    /// Worth a warning, without effect on the verdict.
    Warning,
    Paused,
    Progressing,
    Bad,
}

use PhaseMeaning::{Bad, Good, Paused, Progressing, Warning};

use crate::model::ident::GroupKind;

/// Words that mean the same in every group: lower case, letters and digits only, sorted.
pub const WORDS: [(&str, PhaseMeaning); 38] = [
    ("active", Good),
    ("available", Good),
    ("bound", Good),
    // CloudNativePG writes "Cluster in healthy state".
    ("clusterinhealthystate", Good),
    ("completed", Good),
    ("creating", Progressing),
    ("degraded", Bad),
    ("deployed", Good),
    ("error", Bad),
    ("failed", Bad),
    ("green", Good),
    ("healthy", Good),
    ("hibernated", Paused),
    ("initializing", Progressing),
    ("inprogress", Progressing),
    ("invalid", Bad),
    ("lost", Bad),
    ("ok", Good),
    ("online", Good),
    ("partiallyfailed", Bad),
    ("paused", Paused),
    ("pending", Progressing),
    ("provisioning", Progressing),
    ("ready", Good),
    ("red", Bad),
    ("rejected", Bad),
    ("running", Good),
    ("scaling", Progressing),
    ("stopped", Paused),
    ("succeeded", Good),
    ("suspended", Paused),
    ("synced", Good),
    ("unavailable", Bad),
    ("unhealthy", Bad),
    ("updating", Progressing),
    ("upgrading", Progressing),
    ("waiting", Progressing),
    ("yellow", Progressing),
];

/// A word with a special meaning in one group.
#[derive(Clone, Copy, Debug)]
pub struct GroupWord {
    pub group: &'static str,
    /// `*` is every kind of the group.
    pub kind: &'static str,
    pub word: &'static str,
    pub meaning: PhaseMeaning,
}

const fn group_word(
    group: &'static str,
    kind: &'static str,
    word: &'static str,
    meaning: PhaseMeaning,
) -> GroupWord {
    GroupWord { group, kind, word, meaning }
}

/// Words with a special meaning in one group, sorted. They take precedence over `WORDS`.
pub const GROUP_WORDS: [GroupWord; 30] = [
    // cert-manager pkg/apis/acme/v1/types.go: an order that is ready has yet to be finalized.
    group_word("acme.cert-manager.io", "*", "errored", Bad),
    group_word("acme.cert-manager.io", "*", "expired", Bad),
    group_word("acme.cert-manager.io", "*", "ready", Progressing),
    group_word("acme.cert-manager.io", "*", "valid", Good),
    // argoproj/argo-cd gitops-engine pkg/health: the objects it should have created do not exist.
    group_word("argoproj.io", "*", "missing", Bad),
    // Ceph doc/rados/operations/health-checks, as Rook passes it on in status.ceph.health.
    group_word("ceph.rook.io", "*", "healtherr", Bad),
    group_word("ceph.rook.io", "*", "healthok", Good),
    group_word("ceph.rook.io", "*", "healthwarn", Warning),
    // kubernetes-sigs/cluster-api api/core/v1beta2: a provisioned machine is not a node yet.
    group_word("cluster.x-k8s.io", "Cluster", "provisioned", Good),
    group_word("cluster.x-k8s.io", "Machine", "provisioned", Progressing),
    // elastic/cloud-on-k8s pkg/apis/elasticsearch/v1/status.go.
    group_word("elasticsearch.k8s.elastic.co", "*", "applyingchanges", Progressing),
    group_word("elasticsearch.k8s.elastic.co", "*", "migratingdata", Progressing),
    group_word("elasticsearch.k8s.elastic.co", "*", "stalled", Bad),
    // longhorn k8s/pkg/apis/longhorn/v1beta2/volume.go: state and robustness of a volume.
    group_word("longhorn.io", "*", "attached", Good),
    group_word("longhorn.io", "*", "faulted", Bad),
    // operator-framework/api pkg/operators/v1alpha1: states of a Subscription, phases of a CSV and an
    // InstallPlan; a catalog has the states of a gRPC connection.
    group_word("operators.coreos.com", "*", "atlatestknown", Good),
    group_word("operators.coreos.com", "*", "complete", Good),
    group_word("operators.coreos.com", "*", "idle", Progressing),
    group_word("operators.coreos.com", "*", "installready", Progressing),
    group_word("operators.coreos.com", "*", "requiresapproval", Progressing),
    group_word("operators.coreos.com", "*", "transientfailure", Progressing),
    group_word("operators.coreos.com", "*", "unknown", Bad),
    group_word("operators.coreos.com", "*", "upgradepending", Progressing),
    // cloudnative-pg api/v1/backup_types.go.
    group_word("postgresql.cnpg.io", "*", "started", Progressing),
    // OT-CONTAINER-KIT/redis-operator api/rediscluster/v1beta2: the nodes are being joined.
    group_word("redis.redis.opstreelabs.in", "*", "bootstrap", Progressing),
    // kubeflow/spark-operator api/v1beta2/sparkapplication_types.go.
    group_word("sparkoperator.k8s.io", "*", "pendingrerun", Progressing),
    group_word("sparkoperator.k8s.io", "*", "submitted", Progressing),
    // vmware-tanzu/velero pkg/apis/velero/v1/backup_types.go.
    group_word("velero.io", "*", "failedvalidation", Bad),
    group_word("velero.io", "*", "new", Progressing),
    group_word("velero.io", "*", "waitingforpluginoperations", Progressing),
];

/// Ends of single words, for words that are in no table.
const ENDINGS: [(&str, PhaseMeaning); 5] =
    [("error", Bad), ("failed", Bad), ("failing", Bad), ("failure", Bad), ("ing", Progressing)];

/// The meaning of a word, if it is known.
pub fn meaning(kind: &GroupKind, word: &str) -> Option<PhaseMeaning> {
    let plain: String =
        word.chars().filter(char::is_ascii_alphanumeric).map(|c| c.to_ascii_lowercase()).collect();
    let fits = |line: &&GroupWord| {
        line.group == kind.group && (line.kind == "*" || line.kind == kind.kind) && line.word == plain
    };
    let own = || GROUP_WORDS.iter().find(fits).map(|line| line.meaning);
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
    fn the_tables_are_sorted_and_have_no_duplicates() {
        assert!(WORDS.is_sorted_by(|a, b| a.0 < b.0));
        let key = |line: &GroupWord| (line.group, line.kind, line.word);
        assert!(GROUP_WORDS.is_sorted_by(|a, b| key(a) < key(b)));
        assert!(ENDINGS.is_sorted_by(|a, b| a.0 < b.0));
    }

    #[test]
    fn words_are_read_in_any_spelling() {
        let cases = [
            ("Running", Some(Good)),
            ("RUNNING", Some(Good)),
            ("In Progress", Some(Progressing)),
            ("in-progress", Some(Progressing)),
            ("Partially_Failed", Some(Bad)),
            ("SyncFailed", Some(Bad)),
            ("ConfigError", Some(Bad)),
            ("walArchivingFailing", Some(Bad)),
            ("Restarting", Some(Progressing)),
            ("Cluster in healthy state", Some(Good)),
            ("Waiting for the instances to start something", None),
            ("Frobnicated", None),
            ("", None),
            ("läuft", None),
        ];
        let thing = GroupKind::of("example.com/v1", "Thing");
        for (word, expected) in cases {
            assert_eq!(meaning(&thing, word), expected, "{word}");
        }
        assert_eq!(meaning(&GroupKind::of("argoproj.io/v1alpha1", "Application"), "Missing"), Some(Bad));
        assert_eq!(meaning(&GroupKind::of("cluster.x-k8s.io/v1beta1", "Cluster"), "Provisioned"), Some(Good));
        assert_eq!(
            meaning(&GroupKind::of("cluster.x-k8s.io/v1beta1", "Machine"), "Provisioned"),
            Some(Progressing)
        );
    }

    #[test]
    fn no_ending_makes_anything_good() {
        assert!(ENDINGS.iter().all(|line| line.1 != Good));
    }
}
