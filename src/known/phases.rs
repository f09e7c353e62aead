//! What the words in `status.phase` and its relatives mean.

/// What a word says of the object.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Mood {
    Good,
    /// Worth a warning, decides nothing.
    Caution,
    Paused,
    Moving,
    Bad,
}

use Mood::{Bad, Caution, Good, Moving, Paused};

use crate::model::ident::GroupKind;

/// Words of every group: lower case, letters and digits only, sorted.
pub const WORDS: [(&str, Mood); 38] = [
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
    ("unavailable", Bad),
    ("unhealthy", Bad),
    ("updating", Moving),
    ("upgrading", Moving),
    ("waiting", Moving),
    ("yellow", Moving),
];

/// A word with a meaning of its own in one group.
#[derive(Clone, Copy, Debug)]
pub struct Own {
    pub group: &'static str,
    /// `*` is every kind of the group.
    pub kind: &'static str,
    pub word: &'static str,
    pub mood: Mood,
}

const fn own(group: &'static str, kind: &'static str, word: &'static str, mood: Mood) -> Own {
    Own { group, kind, word, mood }
}

/// Words that mean something in one group only, sorted; they beat those of every group.
pub const OWN: [Own; 30] = [
    // cert-manager pkg/apis/acme/v1/types.go: an order that is ready has yet to be finalized.
    own("acme.cert-manager.io", "*", "errored", Bad),
    own("acme.cert-manager.io", "*", "expired", Bad),
    own("acme.cert-manager.io", "*", "ready", Moving),
    own("acme.cert-manager.io", "*", "valid", Good),
    // argoproj/argo-cd gitops-engine pkg/health: the objects it should have made are not there.
    own("argoproj.io", "*", "missing", Bad),
    // Ceph doc/rados/operations/health-checks, as Rook passes it on in status.ceph.health.
    own("ceph.rook.io", "*", "healtherr", Bad),
    own("ceph.rook.io", "*", "healthok", Good),
    own("ceph.rook.io", "*", "healthwarn", Caution),
    // kubernetes-sigs/cluster-api api/core/v1beta2: a provisioned machine is not a node yet.
    own("cluster.x-k8s.io", "Cluster", "provisioned", Good),
    own("cluster.x-k8s.io", "Machine", "provisioned", Moving),
    // elastic/cloud-on-k8s pkg/apis/elasticsearch/v1/status.go.
    own("elasticsearch.k8s.elastic.co", "*", "applyingchanges", Moving),
    own("elasticsearch.k8s.elastic.co", "*", "migratingdata", Moving),
    own("elasticsearch.k8s.elastic.co", "*", "stalled", Bad),
    // longhorn k8s/pkg/apis/longhorn/v1beta2/volume.go: state and robustness of a volume.
    own("longhorn.io", "*", "attached", Good),
    own("longhorn.io", "*", "faulted", Bad),
    // operator-framework/api pkg/operators/v1alpha1: states of a Subscription, phases of a CSV and an
    // InstallPlan; a catalog has the states of a gRPC connection.
    own("operators.coreos.com", "*", "atlatestknown", Good),
    own("operators.coreos.com", "*", "complete", Good),
    own("operators.coreos.com", "*", "idle", Moving),
    own("operators.coreos.com", "*", "installready", Moving),
    own("operators.coreos.com", "*", "requiresapproval", Moving),
    own("operators.coreos.com", "*", "transientfailure", Moving),
    own("operators.coreos.com", "*", "unknown", Bad),
    own("operators.coreos.com", "*", "upgradepending", Moving),
    // cloudnative-pg api/v1/backup_types.go.
    own("postgresql.cnpg.io", "*", "started", Moving),
    // OT-CONTAINER-KIT/redis-operator api/rediscluster/v1beta2: the nodes are being joined.
    own("redis.redis.opstreelabs.in", "*", "bootstrap", Moving),
    // kubeflow/spark-operator api/v1beta2/sparkapplication_types.go.
    own("sparkoperator.k8s.io", "*", "pendingrerun", Moving),
    own("sparkoperator.k8s.io", "*", "submitted", Moving),
    // vmware-tanzu/velero pkg/apis/velero/v1/backup_types.go.
    own("velero.io", "*", "failedvalidation", Bad),
    own("velero.io", "*", "new", Moving),
    own("velero.io", "*", "waitingforpluginoperations", Moving),
];

/// Ends of single words, for those that no table knows.
const ENDINGS: [(&str, Mood); 5] =
    [("error", Bad), ("failed", Bad), ("failing", Bad), ("failure", Bad), ("ing", Moving)];

/// What a word says, if it says anything.
pub fn mood(kind: &GroupKind, word: &str) -> Option<Mood> {
    let plain: String =
        word.chars().filter(char::is_ascii_alphanumeric).map(|c| c.to_ascii_lowercase()).collect();
    let fits = |line: &&Own| {
        line.group == kind.group && (line.kind == "*" || line.kind == kind.kind) && line.word == plain
    };
    let own = || OWN.iter().find(fits).map(|line| line.mood);
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
        let key = |line: &Own| (line.group, line.kind, line.word);
        assert!(OWN.is_sorted_by(|a, b| key(a) < key(b)));
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
            ("walArchivingFailing", Some(Bad)),
            ("Restarting", Some(Moving)),
            ("Cluster in healthy state", Some(Good)),
            ("Waiting for the instances to start something", None),
            ("Frobnicated", None),
            ("", None),
            ("läuft", None),
        ];
        let thing = GroupKind::of("example.com/v1", "Thing");
        for (word, expected) in cases {
            assert_eq!(mood(&thing, word), expected, "{word}");
        }
        assert_eq!(mood(&GroupKind::of("argoproj.io/v1alpha1", "Application"), "Missing"), Some(Bad));
        assert_eq!(mood(&GroupKind::of("cluster.x-k8s.io/v1beta1", "Cluster"), "Provisioned"), Some(Good));
        assert_eq!(mood(&GroupKind::of("cluster.x-k8s.io/v1beta1", "Machine"), "Provisioned"), Some(Moving));
    }

    #[test]
    fn no_ending_makes_anything_good() {
        assert!(ENDINGS.iter().all(|line| line.1 != Good));
    }
}
