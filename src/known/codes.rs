//! What the codes of findings mean, why they matter and what to do: the text of `explain`, known without a cluster.
//!
//! `OP-T` is about the tree and its owner references, `OP-H` about health. A code is never given a new meaning; one
//! that is no longer found stays, so that old reports can be read.

use crate::model::code::Code;
use crate::model::health::Severity;

/// One code.
#[derive(Clone, Copy, Debug)]
pub struct CodeEntry {
    pub code: Code,
    pub severity: Severity,
    /// One line that fits after the code.
    pub title: &'static str,
    pub meaning: &'static str,
    pub why: &'static str,
    pub steps: &'static [Step],
    pub link: &'static str,
}

/// One thing to do.
#[derive(Clone, Copy, Debug)]
pub struct Step {
    pub instruction: &'static str,
    /// The command that does it, with NAME, NAMESPACE and the like in capitals; empty where there is none.
    pub command: &'static str,
}

const fn step(instruction: &'static str, command: &'static str) -> Step {
    Step { instruction, command }
}

const OWNERS: &str = "https://kubernetes.io/docs/concepts/overview/working-with-objects/owners-dependents/";
const COLLECTION: &str = "https://kubernetes.io/docs/concepts/architecture/garbage-collection/";
const STATUS: &str = "https://github.com/kubernetes/community/blob/master/contributors/devel/sig-architecture/api-conventions.md#typical-status-properties";
const DEBUG_PODS: &str = "https://kubernetes.io/docs/tasks/debug/debug-application/debug-pods/";

/// Every code, in the order of [`Code`].
pub const CODES: [CodeEntry; 29] = [
    CodeEntry {
        code: Code::ReadyButChildNotReady,
        severity: Severity::Warning,
        title: "it says that it is ready, but something below it is not",
        meaning: "The resource's own status reports success, while an object that belongs to it has failed, is not ready or is stuck.",
        why: "Whoever waits for the resource to become ready goes on too early, and alerts that look at the resource alone stay silent.",
        steps: &[
            step(
                "See the object that is not fine, and the way to it",
                "kubectl op tree TYPE/NAME --only unhealthy",
            ),
            step("Read what happened to it", "kubectl op events TYPE/NAME --types Warning"),
            step(
                "If the operator's status is older than the trouble, look whether the operator still runs and what it logs",
                "",
            ),
        ],
        link: STATUS,
    },
    CodeEntry {
        code: Code::NoStatus,
        severity: Severity::Warning,
        title: "it was never reconciled: there is no status",
        meaning: "The kind has a status, but nobody has written one for this resource.",
        why: "Most likely no operator looks after it: none is installed, it is down, it may not read this namespace, or it fails before its first write. What the resource asks for does not happen.",
        steps: &[
            step("See whether anything was made for it", "kubectl op tree TYPE/NAME"),
            step("Find the operator's Pods and their state", "kubectl get deployments -A"),
            step(
                "Read the operator's log for the resource's name",
                "kubectl logs deployment/OPERATOR -n NAMESPACE",
            ),
        ],
        link: "https://kubernetes.io/docs/concepts/extend-kubernetes/operator/",
    },
    CodeEntry {
        code: Code::StaleStatus,
        severity: Severity::Warning,
        title: "its status is about an older generation",
        meaning: "The field status.observedGeneration, or that of a condition, is lower than metadata.generation: the spec was changed after the status was written.",
        why: "The status does not speak about what is asked for now. A Ready in it is a Ready of the past.",
        steps: &[
            step(
                "Wait a moment, since an operator needs a little time, and look again",
                "kubectl op tree TYPE/NAME",
            ),
            step("If it stays so, read the operator's log", "kubectl logs deployment/OPERATOR -n NAMESPACE"),
        ],
        link: STATUS,
    },
    CodeEntry {
        code: Code::StuckDeletion,
        severity: Severity::Error,
        title: "its deletion is stuck on finalizers",
        meaning: "The object was deleted, and it still has finalizers that nobody has removed. The server keeps it until the last one is gone.",
        why: "Its name stays taken, and its namespace cannot go either. The controller that should clean up is away, fails, or waits for something.",
        steps: &[
            step(
                "See which finalizers hold it, and since when",
                "kubectl get TYPE NAME -n NAMESPACE -o jsonpath='{.metadata.deletionTimestamp} {.metadata.finalizers}'",
            ),
            step(
                "Find the controller that owns the finalizer, and let it finish: it knows what to clean up",
                "",
            ),
            step(
                "Remove a finalizer by hand only when its controller is gone for good, and what it would clean up is known",
                "",
            ),
        ],
        link: "https://kubernetes.io/docs/concepts/overview/working-with-objects/finalizers/",
    },
    CodeEntry {
        code: Code::MalformedStatus,
        severity: Severity::Warning,
        title: "its status is malformed",
        meaning: "Part of the status is not of the shape that Kubernetes agrees on: conditions that are no list, a condition without a type, a status that is no word, a generation that is no number.",
        why: "Tools that read conditions, kubectl wait among them, do not see that part. It is left out of the verdict.",
        steps: &[
            step("Look at it", "kubectl get TYPE NAME -n NAMESPACE -o jsonpath='{.status}'"),
            step("Tell the operator's authors; the schema of the custom resource can forbid it", ""),
        ],
        link: STATUS,
    },
    CodeEntry {
        code: Code::TimeInFuture,
        severity: Severity::Warning,
        title: "a time lies in the future",
        meaning: "A time that the object carries is later than the server's clock.",
        why: "The clock of the machine that wrote it is ahead. Ages, timeouts and leader elections that compare such times go wrong.",
        steps: &[
            step("Compare the clocks of the nodes with that of the API server", "kubectl get nodes"),
            step(
                "See who wrote the field",
                "kubectl get TYPE NAME -n NAMESPACE -o yaml --show-managed-fields",
            ),
        ],
        link: "https://kubernetes.io/docs/concepts/architecture/leases/",
    },
    CodeEntry {
        code: Code::Deleting,
        severity: Severity::Info,
        title: "the object is being deleted",
        meaning: "Somebody has asked for its deletion, and its grace period runs or its finalizers are being worked through.",
        why: "It goes away by itself as long as whoever set the finalizers is at work. After ten minutes it counts as stuck.",
        steps: &[
            step("Wait for it", "kubectl op status TYPE/NAME -n NAMESPACE --wait=deleted"),
            step("See what happens meanwhile", "kubectl op events TYPE/NAME -n NAMESPACE"),
        ],
        link: "https://kubernetes.io/docs/concepts/overview/working-with-objects/finalizers/",
    },
    CodeEntry {
        code: Code::CrashLoop,
        severity: Severity::Error,
        title: "a container ends again and again (crash loop)",
        meaning: "A container has ended several times, and the kubelet waits longer before each new start: CrashLoopBackOff.",
        why: "The Pod does not serve, and what waits for it does not go on. The wait grows to five minutes, so that a repair shows late.",
        steps: &[
            step(
                "Read the last words of the container that ended",
                "kubectl logs POD -n NAMESPACE --previous",
            ),
            step("See its exit code and the events", "kubectl describe pod POD -n NAMESPACE"),
        ],
        link: "https://kubernetes.io/docs/concepts/workloads/pods/pod-lifecycle/",
    },
    CodeEntry {
        code: Code::ImagePull,
        severity: Severity::Error,
        title: "an image cannot be pulled",
        meaning: "The node cannot fetch a container's image: the name or tag is wrong, the registry refuses, or it is not reached.",
        why: "The container never starts. Nothing changes by itself unless the registry was only away for a while.",
        steps: &[
            step("Read the registry's answer", "kubectl describe pod POD -n NAMESPACE"),
            step(
                "Check the image's name where the Pod's template comes from: often the custom resource's spec",
                "",
            ),
            step(
                "For a private registry, check the secret that the Pod names",
                "kubectl get pod POD -n NAMESPACE -o jsonpath='{.spec.imagePullSecrets}'",
            ),
        ],
        link: "https://kubernetes.io/docs/concepts/containers/images/",
    },
    CodeEntry {
        code: Code::Unschedulable,
        severity: Severity::Error,
        title: "a Pod cannot be scheduled",
        meaning: "No node fits: too little memory or processor is free, a taint is not tolerated, a selector or an affinity matches nothing, or a volume is bound elsewhere.",
        why: "The Pod stays Pending until the cluster or the Pod changes.",
        steps: &[
            step("Read the scheduler's reasons, node by node", "kubectl describe pod POD -n NAMESPACE"),
            step("See what the nodes have left", "kubectl describe nodes"),
        ],
        link: "https://kubernetes.io/docs/concepts/scheduling-eviction/kube-scheduler/",
    },
    CodeEntry {
        code: Code::ReferenceNotFound,
        severity: Severity::Error,
        title: "a Pod names an object that does not exist",
        meaning: "The Pod's spec refers to a ConfigMap, a Secret, a claim or a service account that is not there, and the reference is not optional.",
        why: "Its containers cannot be created. They start by themselves as soon as the object is there.",
        steps: &[
            step("See what the Pods name", "kubectl op tree TYPE/NAME --deep"),
            step("Make the object, or correct the name where the Pod's template comes from", ""),
        ],
        link: DEBUG_PODS,
    },
    CodeEntry {
        code: Code::QuotaExceeded,
        severity: Severity::Error,
        title: "a quota refuses Pods",
        meaning: "Making the Pods that are asked for would exceed a ResourceQuota of the namespace, or they do not say what they need and the quota wants them to.",
        why: "Replicas are missing, and there is no Pod that could say so: only the owner's events and conditions do.",
        steps: &[
            step("See the limits and what is used", "kubectl describe resourcequota -n NAMESPACE"),
            step("Raise the quota, ask for less, or give the Pods requests and limits", ""),
        ],
        link: "https://kubernetes.io/docs/concepts/policy/resource-quotas/",
    },
    CodeEntry {
        code: Code::AdmissionWebhook,
        severity: Severity::Error,
        title: "an admission webhook does not answer",
        meaning: "The server asks a webhook before it stores an object, and the webhook cannot be reached, is too slow, or shows a certificate that is not trusted.",
        why: "With failurePolicy Fail every such write is refused, the operator's own writes among them: it cannot repair anything.",
        steps: &[
            step(
                "See which webhooks there are and where they point",
                "kubectl get validatingwebhookconfigurations,mutatingwebhookconfigurations",
            ),
            step(
                "Look at the Service and the Pods behind the webhook that the message names",
                "kubectl op tree service/NAME -n NAMESPACE",
            ),
        ],
        link: "https://kubernetes.io/docs/reference/access-authn-authz/extensible-admission-controllers/",
    },
    CodeEntry {
        code: Code::ConversionWebhook,
        severity: Severity::Error,
        title: "a conversion webhook does not answer",
        meaning: "The custom resource is stored in one version and asked for in another, and the webhook that converts between them does not answer.",
        why: "The resources cannot be read in that version, by nobody: the operator is blind, deletions and the whole namespace's deletion hang.",
        steps: &[
            step(
                "See where the conversion points",
                "kubectl get crd PLURAL.GROUP -o jsonpath='{.spec.conversion}'",
            ),
            step("Look at the Service and the Pods behind it", "kubectl op tree service/NAME -n NAMESPACE"),
            step(
                "Find the version that is stored, which can be read without the webhook",
                "kubectl get crd PLURAL.GROUP -o jsonpath='{.status.storedVersions}'",
            ),
        ],
        link: "https://kubernetes.io/docs/tasks/extend-kubernetes/custom-resources/custom-resource-definition-versioning/",
    },
    CodeEntry {
        code: Code::NoReadyEndpoint,
        severity: Severity::Warning,
        title: "a Service has no ready endpoint",
        meaning: "The Service selects Pods of which none is ready, or its selector matches no Pod at all.",
        why: "Whoever calls the Service gets no answer.",
        steps: &[
            step("See the Pods behind it and how they are", "kubectl op tree service/NAME -n NAMESPACE"),
            step(
                "Compare its selector with the labels of the Pods",
                "kubectl get pods -n NAMESPACE --show-labels",
            ),
        ],
        link: "https://kubernetes.io/docs/tasks/debug/debug-application/debug-service/",
    },
    CodeEntry {
        code: Code::UnboundClaim,
        severity: Severity::Warning,
        title: "a claim is not bound to a volume",
        meaning: "The PersistentVolumeClaim waits for a volume: nothing provides one of its class, its size or its access modes, or its class waits for a first Pod.",
        why: "Pods that use the claim stay Pending. A class that waits for its first consumer is fine until a Pod comes.",
        steps: &[
            step("Read what it waits for", "kubectl describe pvc NAME -n NAMESPACE"),
            step("See the classes and which one is the default", "kubectl get storageclass"),
        ],
        link: "https://kubernetes.io/docs/concepts/storage/persistent-volumes/",
    },
    CodeEntry {
        code: Code::OomKilled,
        severity: Severity::Error,
        title: "a container was killed because of its memory",
        meaning: "The container used more memory than its limit, or the node had none left: OOMKilled.",
        why: "It was ended in the middle of its work and will be again, unless it gets more or needs less.",
        steps: &[
            step("See its limit and its last state", "kubectl describe pod POD -n NAMESPACE"),
            step("Compare with what it uses", "kubectl top pod POD -n NAMESPACE --containers"),
            step(
                "Raise the limit where the Pod's template comes from: an operator writes back what is changed below it",
                "",
            ),
        ],
        link: "https://kubernetes.io/docs/tasks/configure-pod-container/assign-memory-resource/",
    },
    CodeEntry {
        code: Code::ContainerError,
        severity: Severity::Error,
        title: "a container ends with an error",
        meaning: "A container ended with an exit code other than 0, or could not be started at all.",
        why: "What it should do was not done. If it goes on like this it becomes a crash loop.",
        steps: &[
            step("Read its last words", "kubectl logs POD -n NAMESPACE --previous"),
            step("See its exit code and message", "kubectl describe pod POD -n NAMESPACE"),
        ],
        link: "https://kubernetes.io/docs/tasks/debug/debug-application/determine-reason-pod-failure/",
    },
    CodeEntry {
        code: Code::JobFailed,
        severity: Severity::Error,
        title: "a Job failed",
        meaning: "The Job has given up: its Pods failed more often than backoffLimit allows, or it took longer than activeDeadlineSeconds.",
        why: "It is not tried again by itself, and what waits for its result waits forever.",
        steps: &[
            step("Read why it gave up", "kubectl describe job NAME -n NAMESPACE"),
            step("Read the log of its Pods", "kubectl logs job/NAME -n NAMESPACE"),
        ],
        link: "https://kubernetes.io/docs/concepts/workloads/controllers/job/",
    },
    CodeEntry {
        code: Code::FailureCondition,
        severity: Severity::Error,
        title: "a condition reports failure",
        meaning: "A condition whose type stands for trouble, such as Degraded, Stalled or Failed, is True, or one says by its reason that it failed.",
        why: "The controller has tried and says itself that it cannot go on, or not well.",
        steps: &[
            step("Read the condition's reason and message", "kubectl op tree TYPE/NAME -o wide"),
            step("See what happened meanwhile", "kubectl op events TYPE/NAME"),
        ],
        link: STATUS,
    },
    CodeEntry {
        code: Code::NotReadyCondition,
        severity: Severity::Warning,
        title: "a condition reports that it is not ready",
        meaning: "A condition whose type stands for success, such as Ready or Available, is False or Unknown.",
        why: "What is asked for is not there yet. Shortly after a change that is normal; for long it is not.",
        steps: &[
            step("Read the condition's reason and message", "kubectl op tree TYPE/NAME -o wide"),
            step("Look for the cause below it", "kubectl op tree TYPE/NAME --only unhealthy"),
        ],
        link: STATUS,
    },
    CodeEntry {
        code: Code::MissingReplicas,
        severity: Severity::Warning,
        title: "replicas are missing",
        meaning: "Fewer Pods are ready, or up to date, than the workload asks for.",
        why: "It serves with less than it should, or not at all. During a rollout that is normal.",
        steps: &[
            step("See which Pods are not ready", "kubectl op tree TYPE/NAME --only unhealthy"),
            step(
                "If Pods are missing altogether, read the events of the workload",
                "kubectl op events TYPE/NAME",
            ),
        ],
        link: "https://kubernetes.io/docs/concepts/workloads/controllers/deployment/",
    },
    CodeEntry {
        code: Code::NodeNotReady,
        severity: Severity::Error,
        title: "a node is not ready",
        meaning: "The node's kubelet says that it is not ready, or has not been heard of for a while.",
        why: "Its Pods may not run, and after five minutes they are made anew elsewhere; those with volumes may wait for the old node.",
        steps: &[
            step("Read the node's conditions", "kubectl describe node NAME"),
            step("See the Pods on it", "kubectl get pods -A --field-selector spec.nodeName=NAME"),
        ],
        link: "https://kubernetes.io/docs/tasks/debug/debug-cluster/",
    },
    CodeEntry {
        code: Code::OwnerNotFound,
        severity: Severity::Error,
        title: "its owner does not exist",
        meaning: "An owner reference names an object that is not there, neither by uid nor by name.",
        why: "The garbage collector deletes objects whose owners are all gone. It may do so any moment, unless a finalizer holds the object.",
        steps: &[
            step(
                "See the references",
                "kubectl get TYPE NAME -n NAMESPACE -o jsonpath='{.metadata.ownerReferences}'",
            ),
            step("To keep the object, remove the reference", "kubectl edit TYPE NAME -n NAMESPACE"),
        ],
        link: COLLECTION,
    },
    CodeEntry {
        code: Code::OwnerInOtherNamespace,
        severity: Severity::Error,
        title: "its owner lives in another namespace",
        meaning: "An owner reference leads to a namespaced object elsewhere. Owners must be in the same namespace, or have none.",
        why: "The garbage collector looks for the owner in the object's own namespace, does not find it, and deletes the object.",
        steps: &[
            step("To keep the object, remove the reference", "kubectl edit TYPE NAME -n NAMESPACE"),
            step("Tell the operator's authors: labels and finalizers are the way across namespaces", ""),
        ],
        link: OWNERS,
    },
    CodeEntry {
        code: Code::OwnerRecreated,
        severity: Severity::Error,
        title: "its owner was an earlier object of that name",
        meaning: "An object of the owner's kind and name exists, but with another uid: the owner was deleted and made anew.",
        why: "To the garbage collector the owner is gone, and the object is deleted with it. Restores from backups often leave such references.",
        steps: &[
            step(
                "Compare the uids",
                "kubectl get TYPE NAME -n NAMESPACE -o jsonpath='{.metadata.ownerReferences}'",
            ),
            step(
                "Let the operator make the object anew, or write the new uid into the reference",
                "kubectl edit TYPE NAME -n NAMESPACE",
            ),
        ],
        link: COLLECTION,
    },
    CodeEntry {
        code: Code::OwnerMismatch,
        severity: Severity::Warning,
        title: "its owner reference says another kind or name than the uid",
        meaning: "The uid in the reference belongs to an object of another kind or another name than the reference says.",
        why: "The garbage collector looks for the kind and name, and may take the owner for gone. People are misled as well.",
        steps: &[
            step(
                "See the references",
                "kubectl get TYPE NAME -n NAMESPACE -o jsonpath='{.metadata.ownerReferences}'",
            ),
            step("Correct what is written there", "kubectl edit TYPE NAME -n NAMESPACE"),
        ],
        link: OWNERS,
    },
    CodeEntry {
        code: Code::OwnerKindNotServed,
        severity: Severity::Warning,
        title: "its owner is of a kind that is not served",
        meaning: "The API group, version or kind in an owner reference is not known to the server: the custom resource definition was removed, or the version is served no more.",
        why: "The garbage collector cannot tell whether the owner exists, and leaves the object alone: it stays for ever, also when it should go.",
        steps: &[
            step("See which kinds there are", "kubectl api-resources"),
            step("Delete what is left over, or install the definition again", ""),
        ],
        link: COLLECTION,
    },
    CodeEntry {
        code: Code::OwnerCycle,
        severity: Severity::Warning,
        title: "it owns itself through its children",
        meaning: "Following the owner references from the object leads back to it.",
        why: "Deleting one of them in the foreground never ends, since each waits for the other to go first.",
        steps: &[
            step("See the circle", "kubectl op tree TYPE/NAME"),
            step("Remove one of the references", "kubectl edit TYPE NAME -n NAMESPACE"),
        ],
        link: OWNERS,
    },
];

/// The entry of a code.
pub fn entry(code: Code) -> &'static CodeEntry {
    &CODES[code as usize]
}

#[cfg(test)]
mod tests {
    use super::*;

    const HOSTS: [&str; 3] = [
        "https://kubernetes.io/docs/",
        "https://sdk.operatorframework.io/docs/",
        "https://github.com/kubernetes/",
    ];

    #[test]
    fn every_code_has_one_entry_in_its_place() {
        assert!(CODES.iter().map(|entry| entry.code).eq(Code::ALL.iter().copied()));
        assert!(Code::ALL.iter().all(|code| entry(*code).code == *code));
    }

    #[test]
    fn every_field_is_filled_and_every_link_leads_to_documentation() {
        for code in &CODES {
            let name = code.code.as_str();
            let [letter, digits @ ..] = name.strip_prefix("OP-").unwrap().as_bytes() else {
                panic!("{name}")
            };
            assert!(
                letter.is_ascii_uppercase() && digits.len() == 3 && digits.iter().all(u8::is_ascii_digit),
                "{name}"
            );
            assert!(!code.title.is_empty() && code.title.len() <= 70 && !code.title.ends_with('.'), "{name}");
            for sentence in [code.meaning, code.why] {
                assert!(
                    sentence.ends_with('.') && sentence.starts_with(char::is_uppercase),
                    "{name}: {sentence}"
                );
            }
            assert!(!code.steps.is_empty(), "{name}");
            for step in code.steps {
                assert!(
                    !step.instruction.is_empty() && !step.instruction.ends_with('.'),
                    "{name}: {}",
                    step.instruction
                );
                // A colon leads to the command.
                assert!(
                    step.command.is_empty() || !step.instruction.contains(':'),
                    "{name}: {}",
                    step.instruction
                );
                assert!(
                    step.command.is_empty() || step.command.starts_with("kubectl "),
                    "{name}: {}",
                    step.command
                );
            }
            assert!(code.steps.iter().any(|step| !step.command.is_empty()), "{name} has nothing to paste");
            assert!(HOSTS.iter().any(|host| code.link.starts_with(host)), "{name}: {}", code.link);
        }
    }
}
