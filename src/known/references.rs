//! Words in field names by which custom resources refer to built-in kinds: `configMapName`, `secretRef`, `claimName`.

/// (word in lower case, group, kind), sorted. Other kinds are found by their own name.
const WORDS: [(&str, &str, &str); 22] = [
    ("claim", "", "PersistentVolumeClaim"),
    ("cm", "", "ConfigMap"),
    ("configmap", "", "ConfigMap"),
    ("configmapkey", "", "ConfigMap"),
    ("cronjob", "batch", "CronJob"),
    ("daemonset", "apps", "DaemonSet"),
    ("deployment", "apps", "Deployment"),
    ("horizontalpodautoscaler", "autoscaling", "HorizontalPodAutoscaler"),
    ("hpa", "autoscaling", "HorizontalPodAutoscaler"),
    ("ingress", "networking.k8s.io", "Ingress"),
    ("job", "batch", "Job"),
    ("pdb", "policy", "PodDisruptionBudget"),
    ("persistentvolumeclaim", "", "PersistentVolumeClaim"),
    ("pod", "", "Pod"),
    ("poddisruptionbudget", "policy", "PodDisruptionBudget"),
    ("pvc", "", "PersistentVolumeClaim"),
    ("secret", "", "Secret"),
    ("secretkey", "", "Secret"),
    ("service", "", "Service"),
    ("statefulset", "apps", "StatefulSet"),
    ("svc", "", "Service"),
    ("volumeclaim", "", "PersistentVolumeClaim"),
];

/// The group and kind that a word stands for.
pub fn kind_of(word: &str) -> Option<(&'static str, &'static str)> {
    WORDS.binary_search_by_key(&word, |line| line.0).ok().map(|at| (WORDS[at].1, WORDS[at].2))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_is_sorted_and_has_no_duplicates() {
        assert!(WORDS.is_sorted_by(|a, b| a.0 < b.0));
    }
}
