//! Words in field names by which custom resources refer to others: to built-in kinds (`configMapName`, `secretRef`,
//! `claimName`), and to what is above them (`parentRef`, `issuerRef`). Also which kinds define others, and which attach
//! themselves to others.

use super::kinds::is_custom;
use crate::model::kind::Kind;

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

/// Last words of fields that refer to something above the resource, sorted: what it is part of, is made from, reads
/// from or acts on. Others use it too, and it does not depend on the resource.
const ABOVE: [&str; 17] = [
    "ancestor",
    "blueprint",
    "class",
    "composition",
    "definition",
    "issuer",
    "location",
    "owner",
    "parent",
    "profile",
    "provider",
    "providerconfig",
    "repository",
    "source",
    "store",
    "target",
    "template",
];

/// Whole words of fields that refer back to the object for which this one was created, as a volume to its claim.
const CLAIMS: [&str; 2] = ["bucketclaim", "claim"];

/// Ends of the kinds that define, configure or parametrize other resources, sorted.
const DEFINITIONS: [&str; 6] = ["Blueprint", "Class", "Composition", "Definition", "Profile", "Template"];

/// Ends of cluster-scoped kinds that a whole cluster shares, besides those of [`DEFINITIONS`], sorted.
const SHARED: [&str; 8] = ["Config", "Issuer", "Node", "Policy", "Pool", "Provider", "Revision", "Store"];

/// Ends of the kinds whose objects attach themselves to a parent by `spec.parentRef` or `spec.parentRefs`, sorted.
/// Source: kubernetes-sigs/gateway-api apis (GEP-1426, GEP-1713), linkerd/linkerd2 policy.linkerd.io.
const ATTACHED: [&str; 2] = ["ListenerSet", "Route"];

/// Whether the words of a field, without a final `ref` or `name`, refer to something above the resource.
pub fn is_above(words: &[String]) -> bool {
    let is_known = |word: &str| ABOVE.binary_search(&word).is_ok();
    let last = words.last().is_some_and(|last| is_known(last));
    last || words.len() >= 2 && is_known(&words[words.len() - 2..].concat())
}

/// Whether the words of a field refer back to the object for which this one was created.
pub fn is_claim(words: &[String]) -> bool {
    CLAIMS.contains(&words.concat().as_str())
}

/// Whether objects of a kind define others: they have not failed because one of their instances has.
pub fn is_definition(kind: &Kind) -> bool {
    DEFINITIONS.iter().any(|end| kind.kind.ends_with(end))
}

/// Whether a cluster-scoped kind is shared by many resources.
pub fn is_shared(kind: &Kind) -> bool {
    is_definition(kind) || SHARED.iter().any(|end| kind.kind.ends_with(end))
}

/// Whether objects of a kind may name an object of another kind as their parent.
pub fn may_attach(kind: &Kind, parent: &Kind) -> bool {
    if !ATTACHED.iter().any(|end| kind.kind.ends_with(end)) {
        return false;
    }
    let takes_them = parent.kind.ends_with("Gateway")
        || kind.group == parent.group && kind.kind != parent.kind && !parent.kind.ends_with("Route");
    takes_them && is_custom(kind) && is_custom(parent)
}

/// The group and kind that a word stands for.
pub fn kind_of(word: &str) -> Option<(&'static str, &'static str)> {
    WORDS.binary_search_by_key(&word, |line| line.0).ok().map(|at| (WORDS[at].1, WORDS[at].2))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_tables_are_sorted_and_have_no_duplicates() {
        assert!(WORDS.is_sorted_by(|a, b| a.0 < b.0));
        for table in [&ABOVE[..], &CLAIMS, &DEFINITIONS, &SHARED, &ATTACHED] {
            assert!(table.is_sorted_by(|a, b| a < b), "{table:?}");
        }
    }

    #[test]
    fn the_last_words_of_a_field_tell_whether_it_refers_upwards() {
        for (words, expected) in [
            ("parent", true),
            ("scale target", true),
            ("secret store", true),
            ("provider config", true),
            ("storage class", true),
            ("config map", false),
            ("parent secret", false),
            ("resource", false),
            ("", false),
        ] {
            let words: Vec<String> = words.split_whitespace().map(str::to_owned).collect();
            assert_eq!(is_above(&words), expected, "{words:?}");
        }
    }

    #[test]
    fn routes_attach_to_kinds_of_their_group_and_to_gateways() {
        let kind =
            |group: &str, kind: &str| Kind { group: group.into(), kind: kind.into(), ..Kind::default() };
        let gateway = "gateway.networking.k8s.io";
        for (route, parent, expected) in [
            (kind(gateway, "HTTPRoute"), kind(gateway, "Gateway"), true),
            (kind("policy.linkerd.io", "HTTPRoute"), kind("policy.linkerd.io", "Server"), true),
            (kind(gateway, "Gateway"), kind(gateway, "HTTPRoute"), false),
            (kind(gateway, "GRPCRoute"), kind(gateway, "HTTPRoute"), false),
            (kind(gateway, "HTTPRoute"), kind("example.com", "Website"), false),
            (kind("", "Route"), kind(gateway, "Gateway"), false),
        ] {
            assert_eq!(may_attach(&route, &parent), expected, "{route:?} {parent:?}");
        }
    }
}
