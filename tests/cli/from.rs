//! `--from` given several times: all paths are one dump, and a tree goes on in each of its namespaces.

use std::fs::File;

use super::TestHome;

const DEPLOYMENT: &str = "\
apiVersion: apps/v1
kind: Deployment
metadata: {name: web, namespace: shop, uid: d}
spec: {replicas: 1}
";
const REPLICA_SET: &str = "\
apiVersion: apps/v1
kind: ReplicaSet
metadata:
  name: web-1
  namespace: shop
  uid: r
  ownerReferences: [{apiVersion: apps/v1, kind: Deployment, name: web, uid: d, controller: true}]
";

fn test_home() -> TestHome {
    TestHome::new().file("a.yaml", DEPLOYMENT).file("folder/b.yaml", REPLICA_SET)
}

#[test]
fn a_file_and_a_folder_are_one_dump() {
    for words in [
        "tree deployment/web --from a.yaml --from folder -o name",
        "tree deployment/web --from folder --from a.yaml --from a.yaml -o name",
        "--from a.yaml --from folder tree deployment/web -o name",
        "-n shop --from folder tree deployment/web --from=a.yaml -o name",
    ] {
        let told = test_home().call(words);
        assert!(told.starts_with("deployment.apps/web\nreplicaset.apps/web-1\n"), "{words}: {told}");
        assert!(told.ends_with("--- exit 0\n"), "{words}: {told}");
    }
}

#[test]
fn standard_input_may_be_one_of_the_paths() {
    let home = test_home();
    let mut command = home.command("tree deployment/web --from a.yaml --from -");
    let input = File::open(home.path().join("folder/b.yaml")).unwrap();
    let told = home.show(&command.stdin(input).output().unwrap());
    assert!(told.contains("`-ReplicaSet/web-1"), "{told}");
    let next = "next: cat DUMP | kubectl op status deployment.apps/web -n shop --from a.yaml --from -\n";
    assert!(told.contains(next), "{told}");
}

#[test]
fn a_suggested_command_repeats_every_from() {
    let told = test_home().call("tree deployment/web --from a.yaml --from folder");
    let next = "next: kubectl op status deployment.apps/web -n shop --from a.yaml --from folder\n";
    assert!(told.contains(next), "{told}");
}

#[test]
fn a_missing_second_path_is_named() {
    insta::assert_snapshot!(test_home().call("tree deployment/web --from a.yaml --from none.yaml"), @"
    --- stderr
    error: no such file or directory: none.yaml
    hint: --from accepts the output of kubectl get -o yaml or -o json, a directory of such files, a .tar.gz archive of one, or - for standard input
    --- exit 2
    ");
}

#[test]
fn standard_input_twice_is_refused() {
    insta::assert_snapshot!(test_home().call("tree deployment/web --from - --from a.yaml --from -"), @"
    --- stderr
    error: --from - can be given only once
    --- exit 2
    ");
}

#[test]
fn a_dump_and_the_demo_exclude_each_other() {
    for words in
        ["tree deployment/web --from a.yaml --from folder --demo", "--from a.yaml tree deployment/web --demo"]
    {
        let told = test_home().call(words);
        assert!(
            told.contains("cannot be used with '--demo'") && told.ends_with("--- exit 2\n"),
            "{words}: {told}"
        );
    }
}

#[test]
fn a_tree_goes_on_in_other_namespaces_of_a_dump() {
    let application = "\
apiVersion: argoproj.io/v1alpha1
kind: Application
metadata: {name: web, namespace: argocd, uid: a}
status:
  health: {status: Healthy}
  sync: {status: Synced}
  resources: [{group: apps, kind: Deployment, namespace: shop, name: web}]
";
    let told =
        test_home().file("app.yaml", application).call("tree application/web -n argocd --from . -o name");
    let expected = "application.argoproj.io/web\ndeployment.apps/web\nreplicaset.apps/web-1\n";
    assert!(told.starts_with(expected), "{told}");
}

#[test]
fn a_tree_says_where_it_stops() {
    let application = "\
apiVersion: argoproj.io/v1alpha1
kind: Application
metadata: {name: web, namespace: argocd, uid: a}
status:
  resources: [{group: kafka.strimzi.io, kind: Kafka, namespace: data, name: main}]
---
apiVersion: kafka.strimzi.io/v1
kind: Kafka
metadata: {name: main, namespace: data, uid: k}
status: {conditions: [{type: Ready, status: 'True'}]}
";
    let home = TestHome::new().file("app.yaml", application);
    let note = "note: only namespace argocd was listed, so objects owned by Kafka/main in namespace data are not shown \
        (-A lists all namespaces) (OP-T007)\n";
    let told = home.call("tree application/web -n argocd --from .");
    assert!(told.contains(note), "{told}");
    let told = home.call("tree application/web -n argocd -A --from .");
    assert!(told.contains("~Kafka/main") && !told.contains("OP-T007"), "{told}");
}

#[test]
fn the_routes_of_a_gateway_are_below_it_in_a_dump() {
    let gateway = "\
apiVersion: gateway.networking.k8s.io/v1
kind: Gateway
metadata: {name: edge, namespace: infra, uid: g}
status: {conditions: [{type: Programmed, status: 'True'}]}
";
    let route = |name: &str, parent: &str| {
        format!(
            "\
apiVersion: gateway.networking.k8s.io/v1
kind: HTTPRoute
metadata: {{name: {name}, namespace: shop, uid: {name}}}
spec: {{parentRefs: [{{name: {parent}, namespace: infra}}]}}
"
        )
    };
    let home = TestHome::new()
        .file("gateway.yaml", gateway)
        .file("near.yaml", route("near", "edge"))
        .file("other.yaml", route("other", "another"));
    let told = home.call("tree gateway/edge -n infra --from .");
    assert!(told.contains("`-~HTTPRoute/near (in shop)"), "{told}");
    assert!(
        told.contains("spec.parentRefs refers to the Gateway") && !told.contains("HTTPRoute/other"),
        "{told}"
    );
}
