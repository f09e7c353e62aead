//! Memcached's installation by OLM: an `OperatorGroup`, a Subscription, an `InstallPlan` and a CSV, and everything
//! else owned by the CSV or labelled with it. There is no OLM here; the lab writes what OLM would have written.

use anyhow::Result;
use kube::ResourceExt as _;
use kube::api::DynamicObject;
use serde_json::{Value, json};

use super::apply::{Installer, apply, delete, status};
use super::release::Release;
use super::{crds, hook, rbac, workload};
use crate::lab::Lab;
use crate::worlds::world::InClusterInstall;
use crate::worlds::{World, clock};

const WORLD: World = World::Memcached;
const PACKAGE: &str = "memcached-operator";
const OLM: Installer = Installer::Olm;

/// Installs a release. An older one is not removed: see [`retire`].
pub(super) async fn install(lab: &Lab, in_cluster: &InClusterInstall, release: Release) -> Result<()> {
    let client = lab.client();
    crds::install_olm(&client).await?;
    let group = operator_group(in_cluster);
    apply(&client, Installer::Kubectl, group.clone()).await?;
    status(&client, OLM, &group, json!({ "namespaces": [""], "lastUpdated": clock::stamp() })).await?;
    let subscription = subscription(in_cluster);
    apply(&client, Installer::Kubectl, subscription.clone()).await?;
    let plan = install_plan(in_cluster, release);
    apply(&client, OLM, plan.clone()).await?;
    status(&client, OLM, &plan, json!({ "phase": "Complete", "catalogSources": [PACKAGE] })).await?;
    let csv = csv(in_cluster, release);
    let made = apply(&client, OLM, csv.clone()).await?;
    for object in owned(lab, in_cluster, release) {
        apply(&client, OLM, stamped(object, &made, in_cluster)).await?;
    }
    status(&client, OLM, &csv, csv_status()).await?;
    status(&client, OLM, &subscription, subscription_status(release, &plan)).await
}

/// Removes what an upgrade leaves of the old release: OLM deletes its CSV and the roles made for it.
pub(super) async fn retire(client: &kube::Client, in_cluster: &InClusterInstall, old: Release) -> Result<()> {
    for object in roles(in_cluster, old) {
        delete(client, &object).await?;
    }
    delete(client, &csv(in_cluster, old)).await
}

/// What an admin does to remove the operator: Subscription and CSV go, and with the CSV all that it owns. The
/// `OperatorGroup` stays.
pub(super) async fn remove(lab: &Lab, in_cluster: &InClusterInstall, release: Release) -> Result<()> {
    let client = lab.client();
    crds::install_olm(&client).await?;
    delete(&client, &subscription(in_cluster)).await?;
    for object in owned(lab, in_cluster, release).iter().rev() {
        delete(&client, object).await?;
    }
    for release in std::iter::successors(Some(release), |release| release.previous()) {
        delete(&client, &install_plan(in_cluster, release)).await?;
    }
    delete(&client, &csv(in_cluster, release)).await
}

/// What OLM makes for a CSV, in its order.
fn owned(lab: &Lab, in_cluster: &InClusterInstall, release: Release) -> Vec<Value> {
    let deployment = workload::deployment(WORLD, in_cluster, release);
    let service = hook::service(in_cluster, &deployment["spec"]["selector"]["matchLabels"]);
    let mut objects = vec![rbac::service_account(in_cluster)];
    objects.extend(roles(in_cluster, release));
    objects.extend([service, deployment, hook::configuration(lab, WORLD, in_cluster)]);
    objects
}

fn roles(in_cluster: &InClusterInstall, release: Release) -> [Value; 4] {
    let name = format!("{}-7c5d9", csv_name(release));
    [
        rbac::cluster_role(&name, &rbac::rules(WORLD)),
        rbac::cluster_binding(&name, &name, in_cluster),
        rbac::role(&name, in_cluster, &rbac::election_rules()),
        rbac::binding(&name, &name, in_cluster),
    ]
}

/// Adds the marks by which OLM knows its objects: labels, and an owner where one is possible.
fn stamped(mut object: Value, csv: &DynamicObject, in_cluster: &InClusterInstall) -> Value {
    let metadata = &mut object["metadata"];
    metadata["labels"]["olm.managed"] = json!("true");
    metadata["labels"]["olm.owner"] = json!(csv.name_any());
    metadata["labels"]["olm.owner.kind"] = json!("ClusterServiceVersion");
    metadata["labels"]["olm.owner.namespace"] = json!(in_cluster.namespace);
    metadata["labels"][component(in_cluster)] = json!("");
    // A cluster-scoped object cannot be owned by a namespaced one.
    if metadata["namespace"].is_string() {
        metadata["ownerReferences"] = json!([{
            "apiVersion": "operators.coreos.com/v1alpha1",
            "kind": "ClusterServiceVersion",
            "name": csv.name_any(),
            "uid": csv.uid(),
            "controller": false,
            "blockOwnerDeletion": false,
        }]);
    }
    object
}

fn csv_name(release: Release) -> String {
    format!("{PACKAGE}.v{release}")
}

fn component(in_cluster: &InClusterInstall) -> String {
    format!("operators.coreos.com/{PACKAGE}.{}", in_cluster.namespace)
}

fn operator_group(in_cluster: &InClusterInstall) -> Value {
    json!({
        "apiVersion": "operators.coreos.com/v1",
        "kind": "OperatorGroup",
        "metadata": { "name": PACKAGE, "namespace": in_cluster.namespace },
        "spec": { "upgradeStrategy": "Default" },
    })
}

fn subscription(in_cluster: &InClusterInstall) -> Value {
    json!({
        "apiVersion": "operators.coreos.com/v1alpha1",
        "kind": "Subscription",
        "metadata": { "name": PACKAGE, "namespace": in_cluster.namespace, "labels": { component(in_cluster): "" } },
        "spec": {
            "name": PACKAGE,
            "channel": "alpha",
            "source": "memcached-catalog",
            "sourceNamespace": in_cluster.namespace,
            "startingCSV": csv_name(Release::FIRST),
            "installPlanApproval": "Automatic",
        },
    })
}

fn subscription_status(release: Release, plan: &Value) -> Value {
    json!({
        "state": "AtLatestKnown",
        "currentCSV": csv_name(release),
        "installedCSV": csv_name(release),
        "installPlanRef": {
            "apiVersion": "operators.coreos.com/v1alpha1",
            "kind": "InstallPlan",
            "name": plan["metadata"]["name"],
            "namespace": plan["metadata"]["namespace"],
        },
        "conditions": [{ "type": "CatalogSourcesUnhealthy", "status": "False", "reason": "AllCatalogSourcesHealthy" }],
        "lastUpdated": clock::stamp(),
    })
}

fn install_plan(in_cluster: &InClusterInstall, release: Release) -> Value {
    json!({
        "apiVersion": "operators.coreos.com/v1alpha1",
        "kind": "InstallPlan",
        "metadata": {
            "name": format!("install-v{}", release.to_string().replace('.', "-")),
            "namespace": in_cluster.namespace,
            "labels": { component(in_cluster): "" },
        },
        "spec": {
            "approval": "Automatic",
            "approved": true,
            "generation": 1,
            "clusterServiceVersionNames": [csv_name(release)],
        },
    })
}

fn csv(in_cluster: &InClusterInstall, release: Release) -> Value {
    let names = WORLD.names();
    let mut csv = json!({
        "apiVersion": "operators.coreos.com/v1alpha1",
        "kind": "ClusterServiceVersion",
        "metadata": {
            "name": csv_name(release),
            "namespace": in_cluster.namespace,
            "labels": { component(in_cluster): "", "olm.managed": "true" },
            "annotations": {
                "capabilities": "Basic Install",
                "alm-examples": examples(),
                "olm.operatorGroup": PACKAGE,
                "olm.operatorNamespace": in_cluster.namespace,
                "olm.targetNamespaces": "",
            },
        },
        "spec": {
            "displayName": "Memcached Operator",
            "description": "Runs memcached.",
            "version": release.to_string(),
            "maturity": "alpha",
            "minKubeVersion": "1.30.0",
            "provider": { "name": "example.com" },
            "installModes": [{ "type": "AllNamespaces", "supported": true }],
            "customresourcedefinitions": { "owned": [{
                "name": WORLD.crd_name(), "kind": names.kind, "version": names.version,
                "displayName": names.kind, "description": "How many caches of which version.",
            }] },
            "install": { "strategy": "deployment", "spec": {
                "deployments": [{ "name": in_cluster.workload, "spec": workload::deployment_spec(WORLD, in_cluster, release) }],
                "clusterPermissions": [{ "serviceAccountName": in_cluster.workload, "rules": rbac::rules(WORLD) }],
                "permissions": [{ "serviceAccountName": in_cluster.workload, "rules": rbac::election_rules() }],
            } },
        },
    });
    if let Some(previous) = release.previous() {
        csv["spec"]["replaces"] = json!(csv_name(previous));
    }
    csv
}

fn examples() -> String {
    let names = WORLD.names();
    let sample = json!([{
        "apiVersion": format!("{}/{}", names.group, names.version),
        "kind": names.kind,
        "metadata": { "name": "memcached-sample" },
        "spec": { "size": 3, "version": "1.6.39" },
    }]);
    sample.to_string()
}

fn csv_status() -> Value {
    let now = clock::stamp();
    let done = json!({
        "phase": "Succeeded",
        "reason": "InstallSucceeded",
        "message": "install strategy completed with no errors",
        "lastUpdateTime": now,
        "lastTransitionTime": now,
    });
    let mut status = done.clone();
    status["conditions"] = json!([done]);
    status
}
