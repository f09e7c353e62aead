//! The validating webhook of Memcached: its Service, its configuration, its certificate.

use std::net::{IpAddr, SocketAddr};

use anyhow::{Context as _, Result};
use k8s_openapi::ByteString;
use k8s_openapi::api::core::v1::Service;
use kube::Api;
use serde_json::{Value, json};

use crate::lab::Lab;
use crate::worlds::World;
use crate::worlds::process::identity_folder;
use crate::worlds::world::InClusterInstall;

/// Not 443: the operator runs without root on the Service's own address, with nothing to translate the port.
const PORT: u16 = 9443;

/// OLM names it after the Deployment.
fn service_name(in_cluster: &InClusterInstall) -> String {
    format!("{}-service", in_cluster.workload)
}

pub(super) fn service(in_cluster: &InClusterInstall, selector: &Value) -> Value {
    json!({
        "apiVersion": "v1",
        "kind": "Service",
        "metadata": { "name": service_name(in_cluster), "namespace": in_cluster.namespace },
        "spec": {
            "selector": selector,
            "ports": [{ "name": "webhook-server", "port": PORT, "targetPort": PORT, "protocol": "TCP" }],
        },
    })
}

pub(super) fn configuration(lab: &Lab, world: World, in_cluster: &InClusterInstall) -> Value {
    let names = world.names();
    let path = format!("/validate-{}-{}-{}", names.group.replace('.', "-"), names.version, names.name);
    let authority = ByteString(lab.authority().certificate().as_bytes().to_vec());
    json!({
        "apiVersion": "admissionregistration.k8s.io/v1",
        "kind": "ValidatingWebhookConfiguration",
        "metadata": { "name": "vmemcached.kb.io-6x9qk" },
        "webhooks": [{
            "name": "vmemcached.kb.io",
            "admissionReviewVersions": ["v1"],
            "sideEffects": "None",
            "failurePolicy": "Fail",
            "timeoutSeconds": 10,
            "clientConfig": {
                "caBundle": authority,
                "service": { "name": service_name(in_cluster), "namespace": in_cluster.namespace, "path": path, "port": PORT },
            },
            "rules": [{
                "apiGroups": [names.group],
                "apiVersions": [names.version],
                "operations": ["CREATE", "UPDATE"],
                "resources": [names.plural],
            }],
        }],
    })
}

/// Issues the certificate for the Service and puts it where the operator looks; the address to listen on.
pub(in crate::worlds) async fn certify(
    lab: &Lab,
    world: World,
    in_cluster: &InClusterInstall,
) -> Result<SocketAddr> {
    let name = service_name(in_cluster);
    let api: Api<Service> = Api::namespaced(lab.client(), in_cluster.namespace);
    let service = api.get(&name).await.context("failed to read the webhook's Service")?;
    let address =
        service.spec.and_then(|spec| spec.cluster_ip).context("the webhook's Service has no address")?;
    let address: IpAddr = address.parse().with_context(|| format!("{address:?} is no address"))?;
    let short = format!("{name}.{}.svc", in_cluster.namespace);
    let long = format!("{short}.cluster.local");
    let identity = lab.authority().issue(&[&short, &long], &[address])?;
    let folder = identity_folder(lab.folder(), world);
    let write = || {
        std::fs::create_dir_all(&folder)?;
        std::fs::write(folder.join("tls.crt"), &identity.certificate)?;
        std::fs::write(folder.join("tls.key"), &identity.key)
    };
    write().with_context(|| format!("failed to write the certificate into {}", folder.display()))?;
    Ok(SocketAddr::new(address, PORT))
}
