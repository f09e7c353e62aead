//! `--from`: what a dump contains, where, when, and what an error says about it; several paths are one dump.

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

/// Two namespaces; `shop` is in both, `blog` in one.
fn two_namespaces() -> TestHome {
    let website = |name: &str, namespace: &str| {
        format!(
            "apiVersion: example.com/v1\nkind: Website\nmetadata: {{name: {name}, namespace: {namespace}, uid: {namespace}-{name}, creationTimestamp: '2026-01-01T00:00:00Z'}}\nstatus: {{conditions: [{{type: Ready, status: 'True', lastTransitionTime: '2026-01-01T00:00:00Z'}}]}}\n---\n"
        )
    };
    let all = [website("shop", "web"), website("shop", "test"), website("blog", "web")].concat();
    TestHome::new().file("d.yaml", all).file("empty.yaml", "a: b\n")
}

#[test]
fn without_a_namespace_a_dump_is_read_in_all() {
    let home = two_namespaces();
    let told = home.call("tree website/blog --from d.yaml");
    assert!(told.contains("Website/blog") && told.contains("-n web --from d.yaml"), "{told}");
    let told = home.call("tree website --from d.yaml -o name");
    assert_eq!(told.matches("website.example.com/").count(), 3, "{told}");
    let told = home.call("status --from d.yaml --all -o name");
    assert_eq!(told.matches("website.example.com/").count(), 3, "{told}");
    let told = home.call("status --from d.yaml -n test -o name");
    assert_eq!(told.matches("website.example.com/").count(), 1, "{told}");
    let told = home.call("tree website/shop -n test --from d.yaml -o name");
    assert!(told.starts_with("website.example.com/shop\n"), "{told}");
}

#[test]
fn a_name_in_several_namespaces_is_ambiguous() {
    insta::assert_snapshot!(two_namespaces().call("tree website/shop --from d.yaml"), @r#"
    --- stderr
    error: websites.example.com "shop" is in 2 namespaces of the dump d.yaml: test, web
    hint: choose one with -n: kubectl op tree website/shop -n test --from d.yaml, or kubectl op tree website/shop -n web --from d.yaml
    --- exit 2
    "#);
}

#[test]
fn an_error_names_the_dump_and_a_hint_keeps_it() {
    let home = two_namespaces();
    insta::assert_snapshot!(home.call("tree website/blob --from d.yaml"), @r#"
    --- stderr
    error: websites.example.com "blob" not found in the dump d.yaml
    hint: did you mean blog? kubectl op tree website/blog -n web --from d.yaml
    --- exit 2
    "#);
    insta::assert_snapshot!(home.call("tree website/blog -n test --from d.yaml"), @r#"
    --- stderr
    error: websites.example.com "blog" not found in namespace test of the dump d.yaml
    hint: there is one in namespace web: kubectl op tree website/blog -n web --from d.yaml
    --- exit 2
    "#);
    insta::assert_snapshot!(home.call("tree gadget/x --from d.yaml"), @r#"
    --- stderr
    error: the dump doesn't have a resource type "gadget"
    hint: a dump has only the kinds of its objects and of its CustomResourceDefinitions
    --- exit 2
    "#);
    insta::assert_snapshot!(home.call("tree website/blog --kind gadget --from d.yaml"), @r#"
    --- stderr
    error: --kind: the dump doesn't have a resource type "gadget"
    hint: a dump has only the kinds of its objects and of its CustomResourceDefinitions
    --- exit 2
    "#);
    insta::assert_snapshot!(home.call("tree webste/blog -n web --from d.yaml"), @r#"
    --- stderr
    error: the dump doesn't have a resource type "webste"
    hint: did you mean websites.example.com? kubectl op tree websites.example.com/blog -n web --from d.yaml
    --- exit 2
    "#);
    insta::assert_snapshot!(home.call("tree website -n none --from d.yaml"), @"
    --- stderr
    No resources found in none namespace in the dump d.yaml.
    hint: there are 2 in web, 1 in test: kubectl op tree website -n web --from d.yaml
    --- exit 0
    ");
}

#[test]
fn an_error_names_the_demo_cluster() {
    insta::assert_snapshot!(super::call("tree gadget/x --demo"), @r#"
    --- stderr
    error: the demo cluster doesn't have a resource type "gadget"
    hint: for its custom resources: kubectl op status --demo
    --- exit 2
    "#);
    insta::assert_snapshot!(super::call("tree website/nothing --demo"), @r#"
    --- stderr
    error: websites.webapp.example.com "nothing" not found in the demo cluster
    hint: existing names: blog, shop
    --- exit 2
    "#);
    insta::assert_snapshot!(super::call("tree website -n default --demo"), @"
    --- stderr
    No resources found in default namespace in the demo cluster.
    hint: there are 2 in shop: kubectl op tree website -n shop --demo
    --- exit 0
    ");
    let told = super::call("tree website/shop --demo -o name");
    assert!(told.starts_with("website.webapp.example.com/shop\n"), "{told}");
}

#[test]
fn what_may_be_in_an_unreadable_part_is_not_called_absent() {
    let home =
        two_namespaces().file("all/good.yaml", DEPLOYMENT).file("all/shop-2.yaml", "kind: \"Website\n");
    insta::assert_snapshot!(home.call("tree deployment/shop-2 --from all"), @r#"
    --- stderr
    error: deployments.apps "shop-2" not found in the dump all, but parts of the dump all cannot be read, so it may be in them
    hint: shop-2.yaml line 2: expected a Kubernetes object, but it is not valid YAML
    --- exit 2
    "#);
    insta::assert_snapshot!(home.call("tree gadget/x --from all"), @r#"
    --- stderr
    error: no resource type "gadget" in the dump all, but parts of the dump all cannot be read, so it may be in them
    hint: shop-2.yaml line 2: expected a Kubernetes object, but it is not valid YAML
    --- exit 2
    "#);
    let told = home.call("tree statefulset --from all");
    assert!(
        told.contains("cannot be read, so it may be in them") && told.ends_with("--- exit 2\n"),
        "{told}"
    );
}

#[test]
fn a_quiet_dump_has_ages_and_no_time_in_the_future() {
    let quiet = "apiVersion: example.com/v1\nkind: Website\nmetadata: {name: shop, namespace: web, uid: u, creationTimestamp: '2026-01-01T00:00:00Z'}\nstatus:\n  notAfter: '2027-01-01T00:00:00Z'\n  conditions: [{type: Ready, status: 'False', reason: Down, message: down, lastTransitionTime: '2026-03-01T00:00:00Z'}]\n";
    let home = TestHome::new().file("d.yaml", quiet);
    let told = home.call("tree website/shop --from d.yaml");
    assert!(told.contains(" 59d\n"), "{told}");
    let told = home.call("status website/shop --from d.yaml -o json");
    assert!(!told.contains("OP-H006") && told.contains("\"now\": \"2026-03-01T00:00:00Z\""), "{told}");
}

#[test]
fn an_old_version_is_found_and_judged() {
    let old = "\
apiVersion: extensions/v1beta1
kind: Deployment
metadata: {name: d, namespace: shop, uid: d, generation: 1}
spec: {replicas: 2}
status: {observedGeneration: 1, replicas: 2, updatedReplicas: 2, readyReplicas: 1, availableReplicas: 1, conditions: [{type: Available, status: 'False', reason: MinimumReplicasUnavailable}]}
---
apiVersion: batch/v1beta1
kind: CronJob
metadata: {name: c, namespace: shop, uid: c}
spec: {schedule: '* * * * *', suspend: true}
---
apiVersion: policy/v1beta1
kind: PodDisruptionBudget
metadata: {name: p, namespace: shop, uid: p, generation: 1}
status: {observedGeneration: 1, currentHealthy: 1, desiredHealthy: 2, expectedPods: 2, disruptionsAllowed: 0}
---
apiVersion: autoscaling/v2beta2
kind: HorizontalPodAutoscaler
metadata: {name: h, namespace: shop, uid: h}
spec: {scaleTargetRef: {apiVersion: extensions/v1beta1, kind: Deployment, name: d}}
status: {conditions: [{type: AbleToScale, status: 'True'}, {type: ScalingActive, status: 'False', reason: FailedGetResourceMetric}]}
---
apiVersion: autoscaling/v1
kind: HorizontalPodAutoscaler
metadata: {name: v1, namespace: shop, uid: v1, annotations: {autoscaling.alpha.kubernetes.io/conditions: '[{\"type\":\"AbleToScale\",\"status\":\"True\"},{\"type\":\"ScalingActive\",\"status\":\"True\"}]'}}
status: {currentReplicas: 1}
---
apiVersion: extensions/v1beta1
kind: Ingress
metadata: {name: i, namespace: shop, uid: i}
spec: {backend: {serviceName: s, servicePort: 80}}
---
apiVersion: v1
kind: Service
metadata: {name: s, namespace: shop, uid: s}
---
apiVersion: apiextensions.k8s.io/v1beta1
kind: CustomResourceDefinition
metadata: {name: fish.sea.io, uid: f}
spec: {group: sea.io, version: v1, scope: Namespaced, names: {kind: Fish, plural: fish}}
status: {conditions: [{type: Established, status: 'False', reason: Waiting, message: not yet}, {type: NamesAccepted, status: 'True'}]}
";
    let home = TestHome::new().file("d.yaml", old);
    for (object, verdict) in [
        ("deployment/d", "Progressing"),
        ("deployment.extensions/d", "Progressing"),
        ("deployments.v1beta1.extensions/d", "Progressing"),
        ("cronjob/c", "Suspended"),
        ("cronjob.v1beta1.batch/c", "Suspended"),
        ("pdb/p", "NotReady"),
        ("hpa/h", "NotReady"),
        ("hpa/v1", "Ready"),
        ("crd/fish.sea.io", "NotReady"),
    ] {
        let told = home.call(&format!("status {object} --no-children --from d.yaml -o json"));
        assert!(told.contains(&format!("\"verdict\": \"{verdict}\"")), "{object}: {told}");
    }
    let told = home.call("tree service/s --from d.yaml -o name");
    assert!(told.contains("ingress.networking.k8s.io/i\n"), "{told}");
    let told = home.call("tree deployment/d --from d.yaml -o name");
    assert!(told.contains("horizontalpodautoscaler.autoscaling/h\n"), "{told}");
}

#[test]
fn only_kinds_are_counted_as_kinds() {
    let home = TestHome::new().file("all/good.yaml", DEPLOYMENT);
    let broken = (0..40).fold(home, |home, at| home.file(&format!("all/bad-{at}.yaml"), "kind: \"X\n"));
    let told = broken.call("tree deployment/web --from all");
    assert!(told.contains("incomplete: 26 of 27 kinds in namespace shop not read: "), "{told}");
    // Events are read, too.
    let told = broken.call("status deployment/web --from all");
    assert!(told.contains("incomplete: 27 of 28 kinds in namespace shop not read: "), "{told}");
}
