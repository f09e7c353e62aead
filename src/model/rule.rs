//! The ids of the health rules. What each rule checks is described in `inspect/health/rules.rs`.

use super::string_enum::string_enum;

string_enum! {
    /// The rule that decided a verdict. The ids are part of the JSON output and never change.
    pub enum Rule as id {
        BadCondition = "bad-condition",
        CronJob = "cronjob",
        DaemonSet = "daemonset",
        Deleting = "deleting",
        Deployment = "deployment",
        ErrorField = "error-field",
        GoodConditionFalse = "good-condition-false",
        HorizontalPodAutoscaler = "horizontalpodautoscaler",
        Job = "job",
        Namespace = "namespace",
        NoStatus = "no-status",
        KeepsNoStatus = "no-status-kept",
        Node = "node",
        NotJudged = "not-judged",
        NotRead = "not-read",
        NothingToJudge = "nothing-to-judge",
        PausedCondition = "paused-condition",
        PersistentVolume = "persistentvolume",
        PersistentVolumeClaim = "persistentvolumeclaim",
        Phase = "phase-word",
        Pod = "pod",
        PodDisruptionBudget = "poddisruptionbudget",
        ProgressingCondition = "progressing-condition",
        ReadyField = "ready-field",
        Replicas = "replicas",
        ReplicaSet = "replicaset",
        Service = "service",
        ServiceEndpoints = "service-endpoints",
        StaleGeneration = "stale-generation",
        StatefulSet = "statefulset",
        StuckDeletion = "stuck-deletion",
        SummaryCondition = "summary-condition",
        Suspended = "suspended",
    }
}
