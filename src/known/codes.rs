//! What the codes of findings mean, why they matter and what to do: the text of `explain`. Needs no cluster.

use crate::model::code::Code;
use crate::model::health::Severity;

/// The explanation of one code.
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

/// One step to take.
#[derive(Clone, Copy, Debug)]
pub struct Step {
    pub instruction: &'static str,
    /// The command to run, with placeholders such as NAME and NAMESPACE in capitals; empty if there is none.
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
pub const CODES: [CodeEntry; 32] = [
    CodeEntry {
        code: Code::ReadyButChildNotReady,
        severity: Severity::Warning,
        title: "it reports Ready, but an object below it is not healthy",
        meaning: "The status of the resource reports success, while an object that belongs to it has failed, is not ready or is stuck.",
        why: "Anything that waits for the resource continues too early, and alerts on the resource alone do not fire.",
        steps: &[
            step(
                "Find the object that is not healthy",
                "kubectl op tree TYPE/NAME -n NAMESPACE --only unhealthy",
            ),
            step("Read the warnings about it", "kubectl op events TYPE/NAME -n NAMESPACE --types Warning"),
            step(
                "If the status is older than the problem, check whether the operator is still running and what it logs",
                "",
            ),
        ],
        link: STATUS,
    },
    CodeEntry {
        code: Code::NoStatus,
        severity: Severity::Warning,
        title: "it was never reconciled: it has no status",
        meaning: "The kind has a status, but no controller has written one for this resource.",
        why: "Most likely no operator handles it: none is installed, it is down, it has no access to this namespace, or it fails before it writes a status. Nothing happens until an operator handles the resource.",
        steps: &[
            step("Check whether anything was created for it", "kubectl op tree TYPE/NAME -n NAMESPACE"),
            step("Find the operator and check that it is running", "kubectl get deployments -A"),
            step(
                "Search the operator's log for the name of the resource",
                "kubectl logs deployment/OPERATOR -n NAMESPACE",
            ),
        ],
        link: "https://kubernetes.io/docs/concepts/extend-kubernetes/operator/",
    },
    CodeEntry {
        code: Code::StaleStatus,
        severity: Severity::Warning,
        title: "its status is for an older generation",
        meaning: "The field status.observedGeneration, or that of a condition, is lower than metadata.generation: the spec was changed after the status was written.",
        why: "The status does not describe the current spec. A Ready condition in it may be out of date.",
        steps: &[
            step("Give the operator a moment, then check again", "kubectl op tree TYPE/NAME -n NAMESPACE"),
            step(
                "If nothing changes, read the operator's log",
                "kubectl logs deployment/OPERATOR -n NAMESPACE",
            ),
        ],
        link: STATUS,
    },
    CodeEntry {
        code: Code::StuckDeletion,
        severity: Severity::Error,
        title: "its deletion is stuck",
        meaning: "Deletion was requested more than ten minutes ago, but the object still exists. The API server keeps an object until its last finalizer is removed.",
        why: "Its name cannot be reused, and its namespace cannot be deleted. The controller that should remove the finalizer is not running, fails, or waits for something else.",
        steps: &[
            step(
                "See which finalizers are left, and since when",
                "kubectl get TYPE NAME -n NAMESPACE -o jsonpath='{.metadata.deletionTimestamp} {.metadata.finalizers}'",
            ),
            step(
                "Find the controller that owns the finalizer and let it finish: it knows what to clean up",
                "",
            ),
            step(
                "Remove a finalizer manually only if its controller no longer exists and you know what it would have cleaned up",
                "",
            ),
        ],
        link: "https://kubernetes.io/docs/concepts/overview/working-with-objects/finalizers/",
    },
    CodeEntry {
        code: Code::MalformedStatus,
        severity: Severity::Warning,
        title: "its status is malformed",
        meaning: "Part of the status does not follow the API conventions: conditions that are not a list, a condition without a type, a status that is not an object, a negative replica count.",
        why: "Tools that read conditions, such as kubectl wait, ignore that part. It does not count towards the verdict.",
        steps: &[
            step("Look at the status", "kubectl get TYPE NAME -n NAMESPACE -o jsonpath='{.status}'"),
            step(
                "Report it to the authors of the operator; a stricter schema in the CustomResourceDefinition would prevent it",
                "",
            ),
        ],
        link: STATUS,
    },
    CodeEntry {
        code: Code::TimeInFuture,
        severity: Severity::Warning,
        title: "a timestamp is in the future",
        meaning: "A timestamp in the object is later than the API server's clock.",
        why: "The clock of the machine that wrote it is ahead. Ages, timeouts and leader elections that compare such timestamps go wrong.",
        steps: &[
            step("Compare the clocks of the nodes with the clock of the API server", "kubectl get nodes"),
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
        meaning: "Deletion was requested. The grace period has not ended, or finalizers still have to be removed.",
        why: "It disappears on its own as long as the controllers of its finalizers are running. After ten minutes the deletion counts as stuck.",
        steps: &[
            step("Wait for it", "kubectl op status TYPE/NAME -n NAMESPACE --wait=deleted"),
            step("Watch what happens in the meantime", "kubectl op events TYPE/NAME -n NAMESPACE"),
        ],
        link: "https://kubernetes.io/docs/concepts/overview/working-with-objects/finalizers/",
    },
    CodeEntry {
        code: Code::CrashLoop,
        severity: Severity::Error,
        title: "a container keeps crashing (CrashLoopBackOff)",
        meaning: "A container has exited several times, and the kubelet waits longer before each restart.",
        why: "The Pod is not ready, and anything that depends on it cannot continue. The delay grows to five minutes, so a fix can take that long to have an effect.",
        steps: &[
            step("Read the log of the crashed container", "kubectl logs POD -n NAMESPACE --previous"),
            step("Check its exit code and the events", "kubectl describe pod POD -n NAMESPACE"),
        ],
        link: "https://kubernetes.io/docs/concepts/workloads/pods/pod-lifecycle/",
    },
    CodeEntry {
        code: Code::ImagePull,
        severity: Severity::Error,
        title: "an image cannot be pulled",
        meaning: "The node cannot pull the image of a container: the name or tag is wrong, the registry denies access, or it cannot be reached.",
        why: "The container cannot start. This resolves itself only if the registry is temporarily unavailable.",
        steps: &[
            step("Read the error from the registry", "kubectl describe pod POD -n NAMESPACE"),
            step(
                "Check the image name where the Pod template comes from: often the spec of the custom resource",
                "",
            ),
            step(
                "For a private registry, check the pull secrets of the Pod",
                "kubectl get pod POD -n NAMESPACE -o jsonpath='{.spec.imagePullSecrets}'",
            ),
        ],
        link: "https://kubernetes.io/docs/concepts/containers/images/",
    },
    CodeEntry {
        code: Code::Unschedulable,
        severity: Severity::Error,
        title: "a Pod cannot be scheduled",
        meaning: "No node fits: not enough free memory or CPU, a taint that is not tolerated, a node selector or affinity that matches no node, or a volume in another zone.",
        why: "The Pod stays Pending until the cluster or the Pod changes.",
        steps: &[
            step("Read the scheduler's message", "kubectl describe pod POD -n NAMESPACE"),
            step("See what the nodes have left", "kubectl describe nodes"),
        ],
        link: "https://kubernetes.io/docs/concepts/scheduling-eviction/kube-scheduler/",
    },
    CodeEntry {
        code: Code::ReferenceNotFound,
        severity: Severity::Error,
        title: "a Pod refers to an object that does not exist",
        meaning: "The spec of the Pod refers to a ConfigMap, Secret, PersistentVolumeClaim or ServiceAccount that does not exist, and the reference is not optional.",
        why: "Its containers cannot be created. They start on their own as soon as the object exists.",
        steps: &[
            step("See what the Pods refer to", "kubectl op tree TYPE/NAME -n NAMESPACE --deep"),
            step("Create the object, or correct the name where the Pod template comes from", ""),
        ],
        link: DEBUG_PODS,
    },
    CodeEntry {
        code: Code::QuotaExceeded,
        severity: Severity::Error,
        title: "a quota does not allow more Pods",
        meaning: "Creating the Pods would exceed a ResourceQuota of the namespace, or the quota requires requests and limits that the Pods do not set.",
        why: "Replicas are missing. Only the events and conditions of the owner report this, because the Pods do not exist.",
        steps: &[
            step("Compare the limits with what is used", "kubectl describe resourcequota -n NAMESPACE"),
            step("Raise the quota, request less, or set requests and limits on the Pods", ""),
        ],
        link: "https://kubernetes.io/docs/concepts/policy/resource-quotas/",
    },
    CodeEntry {
        code: Code::AdmissionWebhook,
        severity: Severity::Error,
        title: "calls to an admission webhook fail",
        meaning: "The API server calls a webhook before it stores an object, and the webhook cannot be reached, times out, or has a certificate that is not trusted.",
        why: "With failurePolicy Fail, every such write is rejected, including the operator's own, so the operator cannot repair anything.",
        steps: &[
            step(
                "List the webhooks and the Services they call",
                "kubectl get validatingwebhookconfigurations,mutatingwebhookconfigurations",
            ),
            step(
                "Check the Service and the Pods behind the webhook in the message",
                "kubectl op tree service/NAME -n NAMESPACE",
            ),
        ],
        link: "https://kubernetes.io/docs/reference/access-authn-authz/extensible-admission-controllers/",
    },
    CodeEntry {
        code: Code::ConversionWebhook,
        severity: Severity::Error,
        title: "calls to a conversion webhook fail",
        meaning: "The custom resource is stored in one version and requested in another, and the webhook that converts between them does not respond.",
        why: "The resources cannot be read in that version: the operator cannot see them, and deleting them or their namespace hangs.",
        steps: &[
            step(
                "See which Service the conversion calls",
                "kubectl get crd PLURAL.GROUP -o jsonpath='{.spec.conversion}'",
            ),
            step("Check the Service and the Pods behind it", "kubectl op tree service/NAME -n NAMESPACE"),
            step(
                "Find the stored version, which can be read without the webhook",
                "kubectl get crd PLURAL.GROUP -o jsonpath='{.status.storedVersions}'",
            ),
        ],
        link: "https://kubernetes.io/docs/tasks/extend-kubernetes/custom-resources/custom-resource-definition-versioning/",
    },
    CodeEntry {
        code: Code::NoReadyEndpoint,
        severity: Severity::Warning,
        title: "a Service has no ready endpoint",
        meaning: "None of the Pods that the Service selects is ready, or its selector matches no Pods.",
        why: "Connections to the Service fail.",
        steps: &[
            step("Check the Pods behind it", "kubectl op tree service/NAME -n NAMESPACE"),
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
        title: "a PersistentVolumeClaim is not bound",
        meaning: "The claim waits for a volume: no volume with its class, size and access modes is available or provisioned, or its class waits for the first Pod that uses the claim.",
        why: "Pods that use the claim stay Pending. With volumeBindingMode WaitForFirstConsumer this is normal until there is such a Pod.",
        steps: &[
            step("Read what it is waiting for", "kubectl describe pvc NAME -n NAMESPACE"),
            step("List the storage classes and see which one is the default", "kubectl get storageclass"),
        ],
        link: "https://kubernetes.io/docs/concepts/storage/persistent-volumes/",
    },
    CodeEntry {
        code: Code::OomKilled,
        severity: Severity::Error,
        title: "a container ran out of memory (OOMKilled)",
        meaning: "The container used more memory than its limit, or the node ran out of memory, and the kernel killed it.",
        why: "It will be killed again unless its limit is raised or it uses less memory.",
        steps: &[
            step("Check its limit and its last state", "kubectl describe pod POD -n NAMESPACE"),
            step(
                "Compare the limit with the memory it uses",
                "kubectl top pod POD -n NAMESPACE --containers",
            ),
            step(
                "Raise the limit where the Pod template comes from: an operator reverts changes to the objects it owns",
                "",
            ),
        ],
        link: "https://kubernetes.io/docs/tasks/configure-pod-container/assign-memory-resource/",
    },
    CodeEntry {
        code: Code::ContainerError,
        severity: Severity::Error,
        title: "a container exited with an error",
        meaning: "A container exited with a code other than 0, was killed by a signal, or could not be started at all.",
        why: "Its work is not complete. If it keeps failing, it goes into CrashLoopBackOff.",
        steps: &[
            step("Read the log of the container that exited", "kubectl logs POD -n NAMESPACE --previous"),
            step("Check its exit code and message", "kubectl describe pod POD -n NAMESPACE"),
        ],
        link: "https://kubernetes.io/docs/tasks/debug/debug-application/determine-reason-pod-failure/",
    },
    CodeEntry {
        code: Code::JobFailed,
        severity: Severity::Error,
        title: "a Job failed",
        meaning: "The Job is not retried any more: its Pods failed more often than backoffLimit allows, or it ran longer than activeDeadlineSeconds.",
        why: "Anything that waits for its result waits forever.",
        steps: &[
            step("Read why it failed", "kubectl describe job NAME -n NAMESPACE"),
            step("Read the logs of its Pods", "kubectl logs job/NAME -n NAMESPACE"),
        ],
        link: "https://kubernetes.io/docs/concepts/workloads/controllers/job/",
    },
    CodeEntry {
        code: Code::FailureCondition,
        severity: Severity::Error,
        title: "a condition reports a failure",
        meaning: "A condition such as Degraded, Stalled or Failed is True, or the reason of a condition says that it failed.",
        why: "The controller has tried and reports that it cannot continue, or only in a degraded state.",
        steps: &[
            step(
                "Read the reason and message of the condition",
                "kubectl op tree TYPE/NAME -n NAMESPACE -o wide",
            ),
            step("Read what happened at that time", "kubectl op events TYPE/NAME -n NAMESPACE"),
        ],
        link: STATUS,
    },
    CodeEntry {
        code: Code::NotReadyCondition,
        severity: Severity::Warning,
        title: "a condition reports that the object is not ready",
        meaning: "A condition such as Ready or Available is False or Unknown.",
        why: "The desired state has not been reached yet. This is normal shortly after a change, but not for long.",
        steps: &[
            step(
                "Read the reason and message of the condition",
                "kubectl op tree TYPE/NAME -n NAMESPACE -o wide",
            ),
            step(
                "Look for the root cause below it",
                "kubectl op tree TYPE/NAME -n NAMESPACE --only unhealthy",
            ),
        ],
        link: STATUS,
    },
    CodeEntry {
        code: Code::MissingReplicas,
        severity: Severity::Warning,
        title: "replicas are missing",
        meaning: "Fewer Pods are ready or up to date than the workload asks for.",
        why: "It runs with less capacity than intended, or not at all. During a rollout this is normal.",
        steps: &[
            step("See which Pods are not ready", "kubectl op tree TYPE/NAME -n NAMESPACE --only unhealthy"),
            step(
                "If Pods do not exist at all, read the events of the workload",
                "kubectl op events TYPE/NAME -n NAMESPACE",
            ),
        ],
        link: "https://kubernetes.io/docs/concepts/workloads/controllers/deployment/",
    },
    CodeEntry {
        code: Code::NodeNotReady,
        severity: Severity::Error,
        title: "a node is not ready",
        meaning: "The kubelet reports that the node is not ready, or has stopped reporting.",
        why: "Its Pods may not be running. After five minutes they are evicted and recreated on other nodes; Pods with volumes may have to wait until the volumes are detached from the old node.",
        steps: &[
            step("Read the conditions of the node", "kubectl describe node NAME"),
            step("List the Pods on it", "kubectl get pods -A --field-selector spec.nodeName=NAME"),
        ],
        link: "https://kubernetes.io/docs/tasks/debug/debug-cluster/",
    },
    CodeEntry {
        code: Code::Warning,
        severity: Severity::Warning,
        title: "it is Ready, with a warning",
        meaning: "The object works, but reports something that needs attention: a warning condition, a health of HEALTH_WARN, an error beside a good state, or a container that restarted in the last hour.",
        why: "It often is the first sign of a failure: the next clock skew, full disk or crash is the one that stops it.",
        steps: &[
            step("Read its conditions and messages", "kubectl op status TYPE/NAME -n NAMESPACE --explain"),
            step("Read the warnings about it", "kubectl op events TYPE/NAME -n NAMESPACE --types Warning"),
            step(
                "For a restart, read the log of the previous run",
                "kubectl logs POD -n NAMESPACE --previous",
            ),
        ],
        link: STATUS,
    },
    CodeEntry {
        code: Code::OwnerNotFound,
        severity: Severity::Error,
        title: "its owner does not exist",
        meaning: "An owner reference names an object that does not exist, neither by uid nor by name.",
        why: "The garbage collector deletes objects whose owners are all gone. It may do so at any moment, unless a finalizer keeps the object.",
        steps: &[
            step(
                "See the owner references",
                "kubectl get TYPE NAME -n NAMESPACE -o jsonpath='{.metadata.ownerReferences}'",
            ),
            step("To keep the object, remove the reference", "kubectl edit TYPE NAME -n NAMESPACE"),
        ],
        link: COLLECTION,
    },
    CodeEntry {
        code: Code::OwnerInOtherNamespace,
        severity: Severity::Error,
        title: "its owner is in another namespace",
        meaning: "An owner reference names a namespaced object in another namespace. An owner must be in the same namespace or cluster-scoped.",
        why: "The garbage collector looks for the owner in the namespace of the object, does not find it, and deletes the object.",
        steps: &[
            step("To keep the object, remove the reference", "kubectl edit TYPE NAME -n NAMESPACE"),
            step(
                "Report it to the authors of the operator: to relate objects across namespaces, use labels and finalizers instead",
                "",
            ),
        ],
        link: OWNERS,
    },
    CodeEntry {
        code: Code::OwnerRecreated,
        severity: Severity::Error,
        title: "its owner was deleted and recreated",
        meaning: "An object with the kind and name of the owner exists, but with a new uid: the original owner was deleted and recreated.",
        why: "For the garbage collector the owner is gone, and it deletes the object. Restoring from a backup often leaves such references.",
        steps: &[
            step(
                "Compare the uids",
                "kubectl get TYPE NAME -n NAMESPACE -o jsonpath='{.metadata.ownerReferences}'",
            ),
            step(
                "Let the operator recreate the object, or write the new uid into the reference",
                "kubectl edit TYPE NAME -n NAMESPACE",
            ),
        ],
        link: COLLECTION,
    },
    CodeEntry {
        code: Code::OwnerMismatch,
        severity: Severity::Warning,
        title: "its owner reference does not match the owner's kind or name",
        meaning: "The uid in the reference belongs to an object of another kind or name than the reference states.",
        why: "The garbage collector looks up the kind and name, and may conclude that the owner is gone. The wrong reference also misleads people.",
        steps: &[
            step(
                "See the owner references",
                "kubectl get TYPE NAME -n NAMESPACE -o jsonpath='{.metadata.ownerReferences}'",
            ),
            step("Correct the reference", "kubectl edit TYPE NAME -n NAMESPACE"),
        ],
        link: OWNERS,
    },
    CodeEntry {
        code: Code::OwnerKindNotServed,
        severity: Severity::Warning,
        title: "its owner is of a kind that is not served",
        meaning: "The API server does not know the group, version or kind in an owner reference: the CustomResourceDefinition was removed, or the version is no longer served.",
        why: "The garbage collector cannot tell whether the owner exists and never deletes the object, even if the owner is gone.",
        steps: &[
            step("List the kinds that are served", "kubectl api-resources"),
            step("Delete the object, or install the CustomResourceDefinition again", ""),
        ],
        link: COLLECTION,
    },
    CodeEntry {
        code: Code::OwnerCycle,
        severity: Severity::Warning,
        title: "it is its own owner (a cycle of owner references)",
        meaning: "Following the owner references from the object leads back to it.",
        why: "A foreground deletion of one of them never finishes, because each waits for the other.",
        steps: &[
            step("See the cycle", "kubectl op tree TYPE/NAME -n NAMESPACE"),
            step("Remove one of the references", "kubectl edit TYPE NAME -n NAMESPACE"),
        ],
        link: OWNERS,
    },
    CodeEntry {
        code: Code::NotListedElsewhere,
        severity: Severity::Info,
        title: "the tree goes on outside the namespace that was listed",
        meaning: "The resource refers to objects in other namespaces or to cluster-scoped ones. They were read by name, but objects that they own were not listed, or there were too many references to read them all.",
        why: "An unhealthy object further down would not be found.",
        steps: &[
            step("Search all namespaces", "kubectl op tree TYPE/NAME -n NAMESPACE -A"),
            step("Or see the tree of one of the objects", "kubectl op tree TYPE/NAME -n NAMESPACE"),
        ],
        link: OWNERS,
    },
    CodeEntry {
        code: Code::PartlySearched,
        severity: Severity::Info,
        title: "the resource is too large to be searched completely for references",
        meaning: "The spec or status of the resource has keys of more than 256 bytes, more than 50,000 fields, or more than 200 references. The rest was not searched for the names of other objects.",
        why: "An object that only the rest refers to is not shown.",
        steps: &[step("See the resource itself", "kubectl get TYPE NAME -n NAMESPACE -o yaml")],
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
    fn every_field_is_set_and_every_link_points_to_documentation() {
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
                // The page puts a colon between the instruction and its command.
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
            let names_object = |command: &str| {
                ["TYPE/NAME", "TYPE NAME", " POD ", "service/NAME"].iter().any(|word| command.contains(word))
            };
            for step in code.steps.iter().filter(|step| names_object(step.command)) {
                assert!(step.command.contains(" -n NAMESPACE"), "{name}: {}", step.command);
            }
            assert!(code.steps.iter().any(|step| !step.command.is_empty()), "{name} has no command to run");
            assert!(HOSTS.iter().any(|host| code.link.starts_with(host)), "{name}: {}", code.link);
        }
    }
}
