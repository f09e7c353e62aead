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
use crate::worlds::world::Home;
use crate::worlds::{World, clock};

const WORLD: World = World::Memcached;
const PACKAGE: &str = "memcached-operator";
const OLM: Installer = Installer::Olm;

/// Installs a release. An older one is not removed: see [`retire`].
pub(super) async fn install(lab: &Lab, home: &Home, release: Release) -> Result<()> {
    let client = lab.client();
    crds::install_olm(&client).await?;
    let group = operator_group(home);
    apply(&client, Installer::Kubectl, group.clone()).await?;
    status(&client, OLM, &group, json!({ "namespaces": [""], "lastUpdated": clock::stamp() })).await?;
    let subscription = subscription(home);
    apply(&client, Installer::Kubectl, subscription.clone()).await?;
    let plan = install_plan(home, release);
    apply(&client, OLM, plan.clone()).await?;
    status(&client, OLM, &plan, json!({ "phase": "Complete", "catalogSources": [PACKAGE] })).await?;
    let csv = csv(home, release);
    let made = apply(&client, OLM, csv.clone()).await?;
    for object in owned(lab, home, release) {
        apply(&client, OLM, stamped(object, &made, home)).await?;
    }
    status(&client, OLM, &csv, csv_status()).await?;
    status(&client, OLM, &subscription, subscription_status(release, &plan)).await
}

/// Removes what an upgrade leaves of the old release: OLM deletes its CSV and the roles made for it.
pub(super) async fn retire(client: &kube::Client, home: &Home, old: Release) -> Result<()> {
    for object in roles(home, old) {
        delete(client, &object).await?;
    }
    delete(client, &csv(home, old)).await
}

/// What a person does who removes the operator: Subscription and CSV go, and with the CSV all that it owns. The
/// `OperatorGroup` stays.
pub(super) async fn remove(lab: &Lab, home: &Home, release: Release) -> Result<()> {
    let client = lab.client();
    crds::install_olm(&client).await?;
    delete(&client, &subscription(home)).await?;
    for object in owned(lab, home, release).iter().rev() {
        delete(&client, object).await?;
    }
    for release in std::iter::successors(Some(release), |release| release.previous()) {
        delete(&client, &install_plan(home, release)).await?;
    }
    delete(&client, &csv(home, release)).await
}

/// What OLM makes for a CSV, in its order.
fn owned(lab: &Lab, home: &Home, release: Release) -> Vec<Value> {
    let deployment = workload::deployment(WORLD, home, release);
    let service = hook::service(home, &deployment["spec"]["selector"]["matchLabels"]);
    let mut objects = vec![rbac::service_account(home)];
    objects.extend(roles(home, release));
    objects.extend([service, deployment, hook::configuration(lab, WORLD, home)]);
    objects
}

fn roles(home: &Home, release: Release) -> [Value; 4] {
    let name = format!("{}-7c5d9", csv_name(release));
    [
        rbac::cluster_role(&name, &rbac::rules(WORLD)),
        rbac::cluster_binding(&name, &name, home),
        rbac::role(&name, home, &rbac::election_rules()),
        rbac::binding(&name, &name, home),
    ]
}

/// Adds the marks by which OLM knows its objects: labels, and an owner where one is possible.
fn stamped(mut object: Value, csv: &DynamicObject, home: &Home) -> Value {
    let metadata = &mut object["metadata"];
    metadata["labels"]["olm.managed"] = json!("true");
    metadata["labels"]["olm.owner"] = json!(csv.name_any());
    metadata["labels"]["olm.owner.kind"] = json!("ClusterServiceVersion");
    metadata["labels"]["olm.owner.namespace"] = json!(home.namespace);
    metadata["labels"][component(home)] = json!("");
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

fn component(home: &Home) -> String {
    format!("operators.coreos.com/{PACKAGE}.{}", home.namespace)
}

fn operator_group(home: &Home) -> Value {
    json!({
        "apiVersion": "operators.coreos.com/v1",
        "kind": "OperatorGroup",
        "metadata": { "name": PACKAGE, "namespace": home.namespace },
        "spec": { "upgradeStrategy": "Default" },
    })
}

fn subscription(home: &Home) -> Value {
    json!({
        "apiVersion": "operators.coreos.com/v1alpha1",
        "kind": "Subscription",
        "metadata": { "name": PACKAGE, "namespace": home.namespace, "labels": { component(home): "" } },
        "spec": {
            "name": PACKAGE,
            "channel": "alpha",
            "source": "memcached-catalog",
            "sourceNamespace": home.namespace,
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

fn install_plan(home: &Home, release: Release) -> Value {
    json!({
        "apiVersion": "operators.coreos.com/v1alpha1",
        "kind": "InstallPlan",
        "metadata": {
            "name": format!("install-v{}", release.to_string().replace('.', "-")),
            "namespace": home.namespace,
            "labels": { component(home): "" },
        },
        "spec": {
            "approval": "Automatic",
            "approved": true,
            "generation": 1,
            "clusterServiceVersionNames": [csv_name(release)],
        },
    })
}

fn csv(home: &Home, release: Release) -> Value {
    let facts = WORLD.facts();
    let mut csv = json!({
        "apiVersion": "operators.coreos.com/v1alpha1",
        "kind": "ClusterServiceVersion",
        "metadata": {
            "name": csv_name(release),
            "namespace": home.namespace,
            "labels": { component(home): "", "olm.managed": "true" },
            "annotations": {
                "capabilities": "Basic Install",
                "alm-examples": examples(),
                "olm.operatorGroup": PACKAGE,
                "olm.operatorNamespace": home.namespace,
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
                "name": WORLD.crd_name(), "kind": facts.kind, "version": facts.version,
                "displayName": facts.kind, "description": "How many caches of which version.",
            }] },
            "install": { "strategy": "deployment", "spec": {
                "deployments": [{ "name": home.workload, "spec": workload::deployment_spec(WORLD, home, release) }],
                "clusterPermissions": [{ "serviceAccountName": home.workload, "rules": rbac::rules(WORLD) }],
                "permissions": [{ "serviceAccountName": home.workload, "rules": rbac::election_rules() }],
            } },
        },
    });
    if let Some(previous) = release.previous() {
        csv["spec"]["replaces"] = json!(csv_name(previous));
    }
    csv
}

fn examples() -> String {
    let facts = WORLD.facts();
    let sample = json!([{
        "apiVersion": format!("{}/{}", facts.group, facts.version),
        "kind": facts.kind,
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
