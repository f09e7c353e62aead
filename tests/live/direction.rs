//! References by their direction: what is above a resource, what is attached to it, and what is outside of its
//! namespace. The kinds are defined here, because no operator of the lab has such references.

use std::collections::BTreeSet;

use anyhow::{Context as _, Result, ensure};
use k8s_openapi::api::apps::v1::Deployment;
use k8s_openapi::api::core::v1::{Namespace, Service};
use k8s_openapi::api::rbac::v1::{Role, RoleBinding};
use k8s_openapi::apiextensions_apiserver::pkg::apis::apiextensions::v1::CustomResourceDefinition;
use kube::ResourceExt as _;
use kube::api::{Api, ApiResource, DynamicObject, PostParams};
use kube::core::GroupVersionKind;
use lab::faults::Proxy;
use lab::wait::{eventually, until};
use lab::{Lab, User};
use serde_json::{Value, json};

use crate::binary::op;
use crate::harness::{Test, own};

const GROUP: &str = "direction.lab.kubectl-op.dev";
const HOME: &str = "home";
const OTHER: &str = "other";
/// Kinds, and whether they are namespaced.
const KINDS: [(&str, bool); 7] = [
    ("App", true),
    ("Database", true),
    ("Gateway", true),
    ("HTTPRoute", true),
    ("Instance", false),
    ("Postgres", true),
    ("XDatabase", false),
];

pub(crate) fn tests() -> Vec<Test> {
    vec![own(
        "direction::references_lead_up_down_and_out_of_the_namespace",
        references_lead_up_down_and_out_of_the_namespace,
    )]
}

async fn references_lead_up_down_and_out_of_the_namespace(lab: Lab) -> Result<()> {
    let namespaces: Api<Namespace> = Api::all(lab.client());
    for name in [HOME, OTHER] {
        let namespace = serde_json::from_value(json!({"metadata": {"name": name}}))?;
        namespaces.create(&PostParams::default(), &namespace).await?;
    }
    define(&lab).await?;
    routes_are_below_their_gateway(&lab).await?;
    a_claim_leads_to_its_cluster_scoped_resource(&lab).await?;
    an_inventory_leads_to_another_namespace(&lab).await?;
    labels_lead_to_children_without_an_owner(&lab).await
}

async fn routes_are_below_their_gateway(lab: &Lab) -> Result<()> {
    let programmed = json!({"conditions": [{"type": "Programmed", "status": "True"}]});
    create(lab, "Gateway", Some(HOME), "edge", json!({"status": programmed})).await?;
    let parent = |name: &str| json!({"group": GROUP, "kind": "Gateway", "namespace": HOME, "name": name});
    let route = |name: &str, accepted: &str| {
        let conditions = json!([{"type": "Accepted", "status": accepted, "reason": "NoMatchingParent"}]);
        json!({"spec": {"parentRefs": [parent(name)]},
            "status": {"parents": [{"parentRef": parent(name), "conditions": conditions}]}})
    };
    create(lab, "HTTPRoute", Some(HOME), "near", route("edge", "True")).await?;
    create(lab, "HTTPRoute", Some(OTHER), "far", route("edge", "False")).await?;
    create(lab, "HTTPRoute", Some(HOME), "unrelated", route("another", "True")).await?;
    eventually("both routes below the Gateway", async || {
        let proxy = Proxy::start(lab).await?;
        let report = tree(&proxy.kubeconfig(User::Admin)?, "gateway/edge", &[]).await?;
        ensure!(
            nodes(&report) == ["Gateway/edge", "HTTPRoute/far", "HTTPRoute/near"].map(str::to_owned).into(),
            "{report}"
        );
        ensure!(
            report["verdict"] == "Ready",
            "a route that is not accepted is not the Gateway's fault: {report}"
        );
        let evidence = json!(["spec.parentRefs refers to the Gateway"]);
        let mut edges = report["edges"].as_array().into_iter().flatten();
        ensure!(edges.all(|edge| edge["evidence"] == evidence && edge["link"] == "related"), "{report}");
        let requests = proxy.requests();
        let lists = requests.iter().filter(|request| request.path.contains("/httproutes")).count();
        ensure!(lists == 1, "routes are listed once, with their bodies: {requests:#?}");
        Ok(())
    })
    .await?;
    let admin = lab.kubeconfig(User::Admin);
    let up = tree(&admin, "httproute/near", &[]).await?;
    ensure!(up["verdict"] == "Ready" && nodes(&up).contains("Gateway/edge"), "{up}");
    // Who may list in one namespace only sees the routes of that namespace, and no gap.
    grant(lab, HOME).await?;
    eventually("the route of the only namespace", async || {
        let report = tree(&lab.kubeconfig(User::Narrow), "gateway/edge", &[]).await?;
        ensure!(nodes(&report) == ["Gateway/edge", "HTTPRoute/near"].map(str::to_owned).into(), "{report}");
        ensure!(report["complete"] == true, "{report}");
        Ok(())
    })
    .await
}

async fn a_claim_leads_to_its_cluster_scoped_resource(lab: &Lab) -> Result<()> {
    let reference =
        |kind: &str, name: &str| json!({"apiVersion": format!("{GROUP}/v1"), "kind": kind, "name": name});
    let ready =
        |status: &str| json!({"conditions": [{"type": "Ready", "status": status, "reason": "Creating"}]});
    let mut back = reference("Database", "db");
    back["namespace"] = json!(HOME);
    let spec = json!({"claimRef": back, "resourceRefs": [reference("Instance", "db-x-i")]});
    let composite =
        create(lab, "XDatabase", None, "db-x", json!({"spec": spec, "status": ready("False")})).await?;
    let owner = json!([{"apiVersion": format!("{GROUP}/v1"), "kind": "XDatabase", "name": "db-x",
        "uid": composite.uid().context("it has a uid")?, "controller": true}]);
    let composed = json!({"metadata": {"ownerReferences": owner}, "status": ready("False")});
    create(lab, "Instance", None, "db-x-i", composed).await?;
    let claim = json!({"spec": {"resourceRef": reference("XDatabase", "db-x")}, "status": ready("False")});
    create(lab, "Database", Some(HOME), "db", claim).await?;
    for more in [&[][..], &["-A"]] {
        eventually("the composed resource", async || {
            let report = tree(&lab.kubeconfig(User::Admin), "database/db", more).await?;
            let expected = ["Database/db", "Instance/db-x-i", "XDatabase/db-x"].map(str::to_owned);
            ensure!(nodes(&report) == expected.into(), "{more:?}: {report}");
            ensure!(report["cause"]["object"]["name"] == "db-x-i", "{report}");
            let stops = report["findings"].to_string().contains("OP-T007");
            ensure!(stops == more.is_empty(), "{more:?}: {report}");
            Ok(())
        })
        .await?;
    }
    Ok(())
}

async fn an_inventory_leads_to_another_namespace(lab: &Lab) -> Result<()> {
    let body = json!({
        "metadata": {"name": "front"},
        "spec": {"replicas": 2, "selector": {"matchLabels": {"app": "front"}}, "template": {
            "metadata": {"labels": {"app": "front"}}, "spec": {"containers": [{"name": "c", "image": "i"}]}}},
    });
    let deployments: Api<Deployment> = Api::namespaced(lab.client(), OTHER);
    deployments.create(&PostParams::default(), &serde_json::from_value(body)?).await?;
    let resource =
        json!({"group": "apps", "version": "v1", "kind": "Deployment", "namespace": OTHER, "name": "front"});
    let status = json!({"conditions": [{"type": "Ready", "status": "True"}], "resources": [resource]});
    create(lab, "App", Some(HOME), "web", json!({"status": status})).await?;
    eventually("the Pods in the other namespace", async || {
        let proxy = Proxy::start(lab).await?;
        let report = tree(&proxy.kubeconfig(User::Admin)?, "app/web", &[]).await?;
        let pods = nodes(&report).iter().filter(|node| node.starts_with("Pod/front-")).count();
        ensure!(pods == 2 && nodes(&report).len() == 5, "{report}");
        ensure!(report["complete"] == true && report["namespace"] == HOME, "{report}");
        let requests = proxy.requests();
        let lists = requests.iter().filter(|request| {
            let path = request.path.split('?').next().unwrap_or_default();
            path.ends_with("/namespaces/other/pods") || path.ends_with("/namespaces/other/replicasets")
        });
        ensure!(lists.count() == 2, "each kind is listed once there: {requests:#?}");
        let elsewhere = |path: &str| path.contains("/namespaces/other/") && path.contains("secrets");
        ensure!(!requests.iter().any(|request| elsewhere(&request.path)), "nothing else is: {requests:#?}");
        Ok(())
    })
    .await
}

async fn labels_lead_to_children_without_an_owner(lab: &Lab) -> Result<()> {
    create(lab, "Postgres", Some(HOME), "acid-minimal", json!({"status": {"note": "x"}})).await?;
    let services: Api<Service> = Api::namespaced(lab.client(), HOME);
    for (name, cluster) in [("acid-minimal-repl", "acid-minimal"), ("acid-minimal-2-repl", "acid-minimal-2")]
    {
        let labels = json!({"cluster-name": cluster, "application": "spilo"});
        let body = json!({"metadata": {"name": name, "labels": labels}, "spec": {"ports": [{"port": 5432}]}});
        services.create(&PostParams::default(), &serde_json::from_value(body)?).await?;
    }
    let expected = |more: &[&str]| {
        let all = ["Postgres/acid-minimal"].iter().chain(more);
        all.map(|&name| name.to_owned()).collect::<BTreeSet<String>>()
    };
    let admin = lab.kubeconfig(User::Admin);
    eventually("the labelled Service", async || {
        let report = tree(&admin, "postgres/acid-minimal", &[]).await?;
        ensure!(nodes(&report) == expected(&["Service/acid-minimal-repl"]), "{report}");
        ensure!(report["verdict"] == "Unknown", "a guess makes nothing healthy: {report}");
        Ok(())
    })
    .await?;
    create(lab, "Database", Some(HOME), "acid-minimal", json!({})).await?;
    eventually("no guess between two resources", async || {
        let report = tree(&admin, "postgres/acid-minimal", &[]).await?;
        ensure!(nodes(&report) == expected(&[]), "{report}");
        Ok(())
    })
    .await
}

fn plural(kind: &str) -> String {
    format!("{}s", kind.to_lowercase())
}

/// Defines all kinds, with any fields and without a status subresource, and waits until they are served.
async fn define(lab: &Lab) -> Result<()> {
    let definitions: Api<CustomResourceDefinition> = Api::all(lab.client());
    for (kind, is_namespaced) in KINDS {
        let open = json!({"type": "object", "x-kubernetes-preserve-unknown-fields": true});
        let definition = json!({
            "metadata": {"name": format!("{}.{GROUP}", plural(kind))},
            "spec": {
                "group": GROUP,
                "names": {"kind": kind, "plural": plural(kind), "singular": kind.to_lowercase()},
                "scope": if is_namespaced { "Namespaced" } else { "Cluster" },
                "versions": [{"name": "v1", "served": true, "storage": true, "schema": {"openAPIV3Schema": open}}],
            },
        });
        definitions.create(&PostParams::default(), &serde_json::from_value(definition)?).await?;
    }
    let version = format!("{GROUP}/v1");
    until("the kinds to be served", async || {
        let served = lab.client().list_api_group_resources(&version).await?.resources.len();
        Ok((served == KINDS.len()).then_some(()))
    })
    .await
}

async fn create(
    lab: &Lab,
    kind: &str,
    namespace: Option<&str>,
    name: &str,
    mut body: Value,
) -> Result<DynamicObject> {
    let resource =
        ApiResource::from_gvk_with_plural(&GroupVersionKind::gvk(GROUP, "v1", kind), &plural(kind));
    let api: Api<DynamicObject> = match namespace {
        Some(namespace) => Api::namespaced_with(lab.client(), namespace, &resource),
        None => Api::all_with(lab.client(), &resource),
    };
    body["apiVersion"] = json!(format!("{GROUP}/v1"));
    body["kind"] = json!(kind);
    body["metadata"]["name"] = json!(name);
    let object: DynamicObject = serde_json::from_value(body)?;
    // A new kind may be discovered before it can be stored.
    until(&format!("{kind} {name} to be created"), async || {
        Ok(Some(api.create(&PostParams::default(), &object).await?))
    })
    .await
}

/// Lets the narrow user read everything in one namespace.
async fn grant(lab: &Lab, namespace: &str) -> Result<()> {
    let roles: Api<Role> = Api::namespaced(lab.client(), namespace);
    let reads = json!({"apiGroups": ["*"], "resources": ["*"], "verbs": ["get", "list", "watch"]});
    let role = json!({"metadata": {"name": "reader"}, "rules": [reads]});
    roles.create(&PostParams::default(), &serde_json::from_value(role)?).await?;
    let bindings: Api<RoleBinding> = Api::namespaced(lab.client(), namespace);
    let binding = json!({
        "metadata": {"name": "reader"},
        "roleRef": {"apiGroup": "rbac.authorization.k8s.io", "kind": "Role", "name": "reader"},
        "subjects": [{"kind": "User", "name": User::Narrow.name(), "apiGroup": "rbac.authorization.k8s.io"}],
    });
    bindings.create(&PostParams::default(), &serde_json::from_value(binding)?).await?;
    Ok(())
}

async fn tree(kubeconfig: &std::path::Path, object: &str, more: &[&str]) -> Result<Value> {
    let words = [&["tree", object, "-n", HOME, "-o", "json"], more].concat();
    let result = op(kubeconfig, &words).await?;
    ensure!(result.exit_code == 0, "{result:?}");
    result.json()
}

fn nodes(report: &Value) -> BTreeSet<String> {
    let nodes = report["nodes"].as_array().into_iter().flatten();
    let word = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    nodes.map(|node| format!("{}/{}", word(&node["kind"]), word(&node["name"]))).collect()
}
