//! What the words in `status.phase` and similar fields mean, and which fields of which groups hold such a word.
//!
//! A word says how bad it is: what is degraded works in part (`NotReady`), what has failed or is faulted does not
//! (`Bad`). Only a word of a table is good; endings, beginnings and sentences never are.

/// What a word says about the object. In ascending order of importance: of several words the greatest counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum PhaseMeaning {
    Good,
    /// Worth a warning, without effect on the verdict.
    Warning,
    /// Off on purpose, or cancelled by somebody.
    Paused,
    Progressing,
    /// It does not work as it should, or only in part.
    NotReady,
    /// It has failed.
    Bad,
}

use PhaseMeaning::{Bad, Good, NotReady, Paused, Progressing, Warning};

use super::error_words;
use crate::model::ident::GroupKind;

/// Words that mean the same in every group: lower case, letters and digits only, sorted. Each is used by several
/// operators for the state of a whole object.
pub const WORDS: [(&str, PhaseMeaning); 135] = [
    ("aborted", Bad),
    ("active", Good),
    ("archived", Paused),
    ("available", Good),
    ("bootstrap", Progressing),
    ("bound", Good),
    ("broken", Bad),
    ("canceled", Paused),
    ("cancelled", Paused),
    // CloudNativePG writes "Cluster in healthy state".
    ("clusterinhealthystate", Good),
    ("complete", Good),
    ("completed", Good),
    ("compliant", Good),
    ("conflict", Bad),
    ("conflicting", Bad),
    ("connected", Good),
    ("corrupt", Bad),
    ("corrupted", Bad),
    ("crashed", Bad),
    ("creating", Progressing),
    ("critical", Bad),
    ("dead", Bad),
    ("degraded", NotReady),
    ("denied", Bad),
    ("deployed", Good),
    ("disabled", Paused),
    ("disconnected", NotReady),
    ("done", Good),
    ("down", Bad),
    ("enabled", Good),
    ("errimagepull", Bad),
    ("error", Bad),
    ("errored", Bad),
    ("established", Good),
    ("evicted", Bad),
    ("expired", Bad),
    ("failed", Bad),
    ("failing", Bad),
    ("fatal", Bad),
    ("faulted", Bad),
    ("faulty", Bad),
    ("finished", Good),
    ("flapping", NotReady),
    ("forbidden", Bad),
    ("green", Good),
    ("halted", Paused),
    ("healthwarn", Warning),
    ("healthy", Good),
    ("hibernated", Paused),
    ("hibernating", Paused),
    ("impaired", NotReady),
    ("inconsistent", NotReady),
    ("init", Progressing),
    ("initialization", Progressing),
    ("initializing", Progressing),
    ("inprogress", Progressing),
    ("installed", Good),
    ("insync", Good),
    ("invalid", Bad),
    ("lagging", NotReady),
    ("lost", Bad),
    ("misconfigured", Bad),
    ("missing", Bad),
    ("new", Progressing),
    ("noncompliant", Bad),
    ("normal", Good),
    ("notavailable", NotReady),
    ("notconnected", NotReady),
    ("notfound", Bad),
    ("nothealthy", NotReady),
    ("notreachable", NotReady),
    ("notready", NotReady),
    ("notrunning", NotReady),
    ("notserving", NotReady),
    ("notstarted", Progressing),
    ("off", Paused),
    ("offline", Bad),
    ("ok", Good),
    ("online", Good),
    ("oomkilled", Bad),
    ("operational", Good),
    ("outofsync", NotReady),
    ("partial", NotReady),
    ("partiallyavailable", NotReady),
    ("partiallydegraded", NotReady),
    ("partiallyfailed", Bad),
    ("partiallyready", NotReady),
    ("paused", Paused),
    ("pending", Progressing),
    ("poweredoff", Paused),
    ("provisioning", Progressing),
    ("queued", Progressing),
    ("ready", Good),
    ("reconciled", Good),
    ("red", Bad),
    ("rejected", Bad),
    ("rollingout", Progressing),
    ("running", Good),
    ("scaledtozero", Paused),
    ("scaling", Progressing),
    ("scalingdown", Progressing),
    ("scalingup", Progressing),
    ("serving", Good),
    ("skipped", Paused),
    ("stable", Good),
    ("stalled", Bad),
    ("started", Progressing),
    ("stopped", Paused),
    ("stuck", Bad),
    ("submitted", Progressing),
    ("succeeded", Good),
    ("success", Good),
    ("successful", Good),
    ("suspended", Paused),
    ("synced", Good),
    ("timedout", Bad),
    ("timeout", Bad),
    ("unauthorized", Bad),
    ("unavailable", Bad),
    ("underreplicated", NotReady),
    ("unhealthy", Bad),
    ("uninitialized", Progressing),
    ("unprovisioned", Progressing),
    ("unreachable", Bad),
    ("unrecoverable", Bad),
    ("unschedulable", Bad),
    ("unsupported", Bad),
    ("up", Good),
    ("updating", Progressing),
    ("upgrading", Progressing),
    ("uptodate", Good),
    ("waiting", Progressing),
    ("warn", Warning),
    ("warning", Warning),
    // Elasticsearch: replicas are missing, no data is.
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
pub const GROUP_WORDS: [GroupWord; 28] = [
    // cert-manager pkg/apis/acme/v1/types.go: an order that is ready has yet to be finalized.
    group_word("acme.cert-manager.io", "*", "ready", Progressing),
    group_word("acme.cert-manager.io", "*", "valid", Good),
    // volcano-sh/apis pkg/apis/batch/v1alpha1/job.go: it ended unexpectedly.
    group_word("batch.volcano.sh", "*", "terminated", Bad),
    // rook pkg/apis/ceph.rook.io/v1/types.go; Ceph doc/rados/operations/health-checks, as Rook passes it on in
    // status.ceph.health.
    group_word("ceph.rook.io", "*", "created", Good),
    group_word("ceph.rook.io", "*", "healtherr", Bad),
    group_word("ceph.rook.io", "*", "healthok", Good),
    // kubernetes-sigs/cluster-api api/core/v1beta2: a provisioned machine is not a node yet.
    group_word("cluster.x-k8s.io", "Cluster", "provisioned", Good),
    group_word("cluster.x-k8s.io", "Machine", "provisioned", Progressing),
    // elastic/cloud-on-k8s pkg/apis/elasticsearch/v1/status.go.
    group_word("elasticsearch.k8s.elastic.co", "*", "applyingchanges", Progressing),
    group_word("elasticsearch.k8s.elastic.co", "*", "migratingdata", Progressing),
    // fluxcd/flagger pkg/apis/flagger/v1beta1/status.go: the primary is ready, no analysis is running.
    group_word("flagger.app", "*", "initialized", Good),
    // apache/flink-kubernetes-operator ResourceLifecycleState.java: a deployed job is not known to be stable yet.
    group_word("flink.apache.org", "*", "created", Progressing),
    group_word("flink.apache.org", "*", "deployed", Progressing),
    group_word("flink.apache.org", "*", "rolledback", NotReady),
    // banzaicloud/koperator api/v1beta1/common_types.go.
    group_word("kafka.banzaicloud.io", "*", "clusterrunning", Good),
    // kro api/v1alpha1/resourcegraphdefinition_types.go: the graph is not served.
    group_word("kro.run", "*", "inactive", NotReady),
    // longhorn k8s/pkg/apis/longhorn/v1beta2/volume.go: the state of a volume.
    group_word("longhorn.io", "*", "attached", Good),
    // minio/operator pkg/controller/status.go: the last state of a tenant that started.
    group_word("minio.min.io", "*", "initialized", Good),
    // mysql/mysql-operator mysqloperator/controller/diagnose.py: some members are not online.
    group_word("mysql.oracle.com", "*", "onlinepartial", NotReady),
    group_word("mysql.oracle.com", "*", "onlineuncertain", NotReady),
    // operator-framework/api pkg/operators/v1alpha1: states of a Subscription, phases of a CSV and an InstallPlan; a
    // catalog has the states of a gRPC connection.
    group_word("operators.coreos.com", "*", "atlatestknown", Good),
    group_word("operators.coreos.com", "*", "idle", Progressing),
    group_word("operators.coreos.com", "*", "installready", Progressing),
    group_word("operators.coreos.com", "*", "requiresapproval", Progressing),
    group_word("operators.coreos.com", "*", "transientfailure", Progressing),
    group_word("operators.coreos.com", "*", "unknown", Bad),
    group_word("operators.coreos.com", "*", "upgradepending", Progressing),
    // Confluent for Kubernetes API reference: the last state of topics, role bindings and links.
    group_word("platform.confluent.io", "*", "created", Good),
];

/// Fields of a status, by group and path, that hold the state of the whole object under a name that elsewhere is that
/// of a part. Sorted.
const WHOLE_FIELDS: [(&str, &str); 9] = [
    // zalando/postgres-operator pkg/apis/acid.zalan.do/v1/postgresql_type.go.
    ("acid.zalan.do", "PostgresClusterStatus"),
    // apache/flink-kubernetes-operator CommonStatus.java.
    ("flink.apache.org", "lifecycleState"),
    // grafana/grafana-operator api/v1beta1/grafana_types.go: the result of the last stage.
    ("grafana.integreatly.org", "stageStatus"),
    // kubevirt core/v1/types.go.
    ("kubevirt.io", "printableStatus"),
    // metal3-io/baremetal-operator apis/metal3.io/v1alpha1/baremetalhost_types.go.
    ("metal3.io", "operationalStatus"),
    // minio/operator pkg/apis/minio.min.io/v2/types.go.
    ("minio.min.io", "currentState"),
    // mysql/mysql-operator deploy/deploy-crds.yaml.
    ("mysql.oracle.com", "cluster.status"),
    // VictoriaMetrics/operator api/operator/v1beta1/vmextra_types.go.
    ("operator.victoriametrics.com", "updateStatus"),
    // k8snetworkplumbingwg/sriov-network-operator api/v1/sriovnetworknodestate_types.go.
    ("sriovnetwork.openshift.io", "syncStatus"),
];

/// The fields of a group that hold the state of the whole object.
pub fn whole_fields(group: &str) -> impl Iterator<Item = &'static str> {
    WHOLE_FIELDS.iter().filter(move |line| line.0 == group).map(|line| line.1)
}

/// Ends of single words, for words that are in no table; the longest counts. `ing` is a word for work, unless it is
/// one of `NO_WORK`.
const ENDINGS: [(&str, PhaseMeaning); 19] = [
    ("backoff", Bad),
    ("canceled", Paused),
    ("cancelled", Paused),
    ("crashlooping", Bad),
    ("degraded", NotReady),
    ("error", Bad),
    ("failed", Bad),
    ("failing", Bad),
    ("failure", Bad),
    ("halted", Paused),
    ("hibernated", Paused),
    ("ing", Progressing),
    ("missing", Bad),
    ("notready", NotReady),
    ("paused", Paused),
    ("pending", Progressing),
    ("suspended", Paused),
    ("unavailable", Bad),
    ("unhealthy", Bad),
];

/// Beginnings of single words, for words that are in no table and have no known ending.
const BEGINNINGS: [(&str, PhaseMeaning); 7] = [
    ("awaiting", Progressing),
    ("error", Bad),
    ("failed", Bad),
    ("invalid", Bad),
    ("pending", Progressing),
    ("waitfor", Progressing),
    ("waiting", Progressing),
];

/// What negates an ending if nothing else is before it; then nothing is known. `not` does so after other words too.
const NEGATIONS: [&str; 3] = ["never", "no", "un"];

/// Words in `ing` for a lasting state. Whether that is good is not known.
const NO_WORK: [&str; 6] = ["following", "leading", "listening", "nothing", "replicating", "streaming"];

/// The longest text that is read as a word or a sentence, in bytes.
const MAX_LENGTH: usize = 500;

/// The meaning of a word, if it is known.
pub fn meaning(kind: &GroupKind, word: &str) -> Option<PhaseMeaning> {
    let word = word.trim();
    if word.len() > MAX_LENGTH {
        return None;
    }
    let plain: String =
        word.chars().filter(char::is_ascii_alphanumeric).map(|c| c.to_ascii_lowercase()).collect();
    let fits = |line: &&GroupWord| {
        line.group == kind.group && (line.kind == "*" || line.kind == kind.kind) && line.word == plain
    };
    let own = || GROUP_WORDS.iter().find(fits).map(|line| line.meaning);
    let shared = || WORDS.binary_search_by_key(&plain.as_str(), |line| line.0).ok().map(|at| WORDS[at].1);
    let read = || if word.contains(char::is_whitespace) { sentence(word) } else { by_shape(&plain) };
    own().or_else(shared).or_else(read)
}

/// The meaning of a single word by its ending or beginning.
fn by_shape(plain: &str) -> Option<PhaseMeaning> {
    let fitting = ENDINGS.iter().filter(|line| plain.ends_with(line.0));
    if let Some((end, meaning)) = fitting.max_by_key(|line| line.0.len()) {
        let before = plain.strip_suffix(end).unwrap_or_default();
        let is_negated = NEGATIONS.contains(&before) || before.ends_with("not") || plain.starts_with("not");
        return (!is_negated && !NO_WORK.contains(&plain)).then_some(*meaning);
    }
    BEGINNINGS.iter().find(|line| plain.starts_with(line.0)).map(|line| line.1)
}

/// The meaning of a sentence, as `CloudNativePG` and Camel K write it: an error, or work by its first word.
fn sentence(text: &str) -> Option<PhaseMeaning> {
    if error_words::is_error(text) {
        return Some(Bad);
    }
    let first = text.split_whitespace().next()?.to_ascii_lowercase();
    let is_listed =
        WORDS.binary_search_by_key(&first.as_str(), |line| line.0).is_ok_and(|at| WORDS[at].1 != Progressing);
    let is_work = first.ends_with("ing") && !is_listed && by_shape(&first) == Some(Progressing);
    (is_work || text.to_ascii_lowercase().contains("in progress")).then_some(Progressing)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_tables_are_sorted_and_have_no_duplicates() {
        assert!(WORDS.is_sorted_by(|a, b| a.0 < b.0));
        let key = |line: &GroupWord| (line.group, line.kind, line.word);
        assert!(GROUP_WORDS.is_sorted_by(|a, b| key(a) < key(b)));
        assert!(ENDINGS.is_sorted_by(|a, b| a.0 < b.0) && BEGINNINGS.is_sorted_by(|a, b| a.0 < b.0));
        assert!(WHOLE_FIELDS.is_sorted_by(|a, b| a < b));
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
            ("Waiting for the instances to become active", Some(Progressing)),
            ("Switchover in progress", Some(Progressing)),
            ("Unable to create required cluster objects", Some(Bad)),
            ("Running as it should", None),
            ("A sentence about nothing", None),
            ("NotPaused", None),
            ("NotRunning", Some(NotReady)),
            ("NotStreaming", None),
            ("Streaming", None),
            ("ErrorUnschedulable", Some(Bad)),
            ("ImagePullBackOff", Some(Bad)),
            ("FailedNotVisible", Some(Bad)),
            ("WaitForServeDeploymentReady", Some(Progressing)),
            ("PipelineRunCancelled", Some(Paused)),
            ("Degraded", Some(NotReady)),
            ("Faulted", Some(Bad)),
            ("HEALTH_WARN", Some(Warning)),
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
    fn no_ending_and_no_beginning_makes_anything_good() {
        assert!(ENDINGS.iter().chain(&BEGINNINGS).all(|line| line.1 != Good));
    }
}
