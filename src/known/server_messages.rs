//! Problems that the API server and the kubelet report only as a sentence: in the message of a condition or an event,
//! or in the body of an error. This is the only place where such a sentence is matched; everything else works with the
//! type.

use crate::model::health::Problem;

/// What a message must contain, and the problem it reports. The first match wins.
const PATTERNS: [(&str, Problem); 4] = [
    // kubernetes staging/src/k8s.io/apiextensions-apiserver/pkg/apiserver/conversion/webhook_converter.go.
    ("conversion webhook for ", Problem::ConversionWebhook),
    // kubernetes staging/src/k8s.io/apiserver/pkg/util/webhook/error.go. A webhook that denies a request has answered,
    // and is reported with other words.
    ("failed calling webhook ", Problem::AdmissionWebhook),
    // kubernetes staging/src/k8s.io/apiserver/pkg/admission/plugin/resourcequota/controller.go: the quota is used up,
    // or demands requests and limits that the Pod does not set.
    ("exceeded quota: ", Problem::QuotaExceeded),
    ("failed quota: ", Problem::QuotaExceeded),
];

/// The problem that a message of the API server reports, if it is one of the known ones.
pub fn classify(message: &str) -> Option<Problem> {
    PATTERNS.iter().find(|(pattern, _)| message.contains(pattern)).map(|(_, problem)| *problem)
}

/// Whether the message of a `BackOff` event is about restarting a container. The kubelet uses the same reason for
/// images that it cannot pull.
pub fn is_restart_back_off(message: &str) -> bool {
    message.starts_with("Back-off restarting")
}

/// Whether a log consists of the kubelet's message that there is none: it answers with a success and this text when the
/// runtime has removed the container, or its file was rotated away.
/// From kubernetes `pkg/kubelet/kuberuntime/kuberuntime_container.go` and `k8s.io/cri-client/pkg/logs`.
pub fn is_missing_log(text: &str) -> bool {
    let text = text.trim_end();
    !text.contains('\n')
        && (text.starts_with("unable to retrieve container logs for ")
            || text.starts_with("failed to try resolving symlinks in path "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_of_a_real_api_server() {
        let cases = [
            (
                "conversion webhook for webapp.example.com/v1beta1, Kind=Website failed: Post \
                 \"https://convert.shop.svc:443/convert?timeout=30s\": service \"convert\" not found",
                Some(Problem::ConversionWebhook),
            ),
            (
                "failed to list webapp.example.com/v1, Resource=websites: conversion webhook for \
                 webapp.example.com/v1beta1, Kind=Website failed: Post \"https://127.0.0.1:9/convert?timeout=30s\": \
                 dial tcp 127.0.0.1:9: connect: connection refused",
                Some(Problem::ConversionWebhook),
            ),
            (
                "Error creating: Internal error occurred: failed calling webhook \"pods.example.com\": failed to call \
                 webhook: Post \"https://hook.shop.svc:443/validate?timeout=10s\": context deadline exceeded",
                Some(Problem::AdmissionWebhook),
            ),
            (
                "Internal error occurred: failed calling webhook \"pods.example.com\": failed to call webhook: Post \
                 \"https://hook.shop.svc:443/mutate?timeout=10s\": tls: failed to verify certificate: x509: \
                 certificate signed by unknown authority",
                Some(Problem::AdmissionWebhook),
            ),
            ("admission webhook \"pods.example.com\" denied the request: the image has no digest", None),
            (
                "Error creating: pods \"mc-7c9f-x2x9v\" is forbidden: exceeded quota: small, requested: pods=1, used: \
                 pods=2, limited: pods=2",
                Some(Problem::QuotaExceeded),
            ),
            (
                "pods \"mc-7c9f-x2x9v\" is forbidden: failed quota: small: must specify limits.memory for: memcached",
                Some(Problem::QuotaExceeded),
            ),
            ("0/3 nodes are available: 3 Insufficient memory.", None),
            ("Back-off restarting failed container app in pod shop-0_shop(8f1c)", None),
            ("", None),
        ];
        for (message, expected) in cases {
            assert_eq!(classify(message), expected, "{message}");
        }
    }

    #[test]
    fn a_message_in_place_of_a_log() {
        assert!(is_missing_log("unable to retrieve container logs for containerd://0f9a\n"));
        assert!(is_missing_log(
            "failed to try resolving symlinks in path \"/var/log/pods/shop_shop-0_8f1c/app/3.log\": lstat: no such file"
        ));
        assert!(!is_missing_log("unable to retrieve container logs for x\nand another line"));
        assert!(!is_missing_log("panic: unable to retrieve container logs for x"));
    }

    #[test]
    fn a_back_off_is_about_a_container_or_an_image() {
        assert!(is_restart_back_off("Back-off restarting failed container app in pod shop-0_shop(8f1c)"));
        assert!(!is_restart_back_off("Back-off pulling image \"example.com/shop:2\""));
    }
}
