//! Generated trees: hiding objects changes no verdict, and `tree` and `status` agree.

use proptest::prelude::*;
use serde_json::{Value, json};

use super::*;
use crate::inspect::related::BUILT;
use crate::inspect::status::{self, StatusOptions};
use crate::inspect::test_snapshot::test_snapshot;
use crate::model::ident::ObjectName;
use crate::model::object::Object;
use crate::model::rule::Rule;

/// The state of an object.
#[derive(Clone, Copy, Debug)]
enum State {
    Ready,
    Crashing,
    Pending,
    NotReady,
    Silent,
    Deleting,
}

const STATES: [State; 6] =
    [State::Ready, State::Crashing, State::Pending, State::NotReady, State::Silent, State::Deleting];

/// One object: its kind, the earlier object that owns it, and its state.
type Plan = (usize, usize, State);

const KINDS: [(&str, &str); 5] = [
    ("v1", "Pod"),
    ("apps/v1", "ReplicaSet"),
    ("apps/v1", "Deployment"),
    ("v1", "ConfigMap"),
    ("example.com/v1", "Part"),
];

fn body(api_version: &str, kind: &str, state: State) -> Value {
    let condition = |status: &str| json!({"conditions": [{"type": "Ready", "status": status}]});
    match (kind, state) {
        ("ConfigMap", _) | (_, State::Silent) => json!({}),
        ("Pod", State::Crashing) => json!({"spec": {"containers": [{"name": "c"}]}, "status": {
            "phase": "Running",
            "conditions": [{"type": "Ready", "status": "False"}],
            "containerStatuses": [{"name": "c", "restartCount": 3, "state": {"waiting": {"reason": "CrashLoopBackOff"}}}],
        }}),
        ("Pod", State::Pending) => json!({"spec": {}, "status": {"phase": "Pending"}}),
        ("Pod", _) => {
            json!({"spec": {}, "status": {"phase": "Running", "conditions": [{"type": "Ready", "status": "True"}]}})
        }
        (_, State::Ready | State::Deleting) if api_version == "apps/v1" => json!({
            "metadata": {"generation": 1}, "spec": {"replicas": 1},
            "status": {"observedGeneration": 1, "replicas": 1, "updatedReplicas": 1, "readyReplicas": 1, "availableReplicas": 1},
        }),
        (_, State::Ready | State::Deleting) => json!({"status": condition("True")}),
        (_, _) => json!({"spec": {"replicas": 1}, "status": condition("False")}),
    }
}

fn object(name: usize, api_version: &str, kind: &str, owner: Option<(&str, usize)>, state: State) -> Value {
    let mut object = body(api_version, kind, state);
    object["apiVersion"] = json!(api_version);
    object["kind"] = json!(kind);
    object["metadata"]["name"] = json!(format!("o{name}"));
    object["metadata"]["labels"] = json!({"parity": if name.is_multiple_of(2) { "even" } else { "odd" }});
    if matches!(state, State::Deleting) {
        object["metadata"]["deletionTimestamp"] = json!("2026-11-16T09:00:00Z");
    }
    if let Some((kind, owner)) = owner {
        let uid = format!("{kind}/o{owner}");
        object["metadata"]["ownerReferences"] =
            json!([{"apiVersion": "x/v1", "kind": kind, "name": format!("o{owner}"), "uid": uid}]);
    }
    object
}

fn snapshot_of(root: State, plans: &[Plan]) -> Snapshot {
    let mut kinds = vec!["Site"];
    let mut objects = vec![object(0, "example.com/v1", "Site", None, root)];
    for (at, (kind, owner, state)) in plans.iter().enumerate() {
        let (api_version, kind) = KINDS[*kind];
        let owner = owner % kinds.len();
        objects.push(object(at + 1, api_version, kind, Some((kinds[owner], owner)), *state));
        kinds.push(kind);
    }
    test_snapshot(&objects)
}

/// The tree, without further reads.
fn tree(snapshot: &Snapshot, options: &TreeOptions) -> Tree {
    let mut attempts = FetchAttempts::default();
    attempts.exhaust();
    match inspect(snapshot, &attempts, options, &Rulebook::default()) {
        Inspection::Complete(inspected) => inspected.report.trees.into_iter().next().unwrap(),
        Inspection::Missing(plan) => panic!("{plan:?}"),
    }
}

/// The part of the report that no option may change.
fn invariant_part(tree: &Tree) -> (String, Verdict, Option<(ObjectName, Rule)>, usize) {
    let cause = tree.cause.as_ref().map(|cause| (cause.object.clone(), cause.rule));
    (tree.headline.clone(), tree.verdict, cause, tree.all.len())
}

fn options() -> impl Strategy<Value = TreeOptions> {
    let kinds = || {
        prop::collection::vec(prop::sample::select(&KINDS[..]), 0..3).prop_map(|kinds| {
            kinds.into_iter().map(|(api_version, kind)| GroupKind::of(api_version, kind)).collect::<Vec<_>>()
        })
    };
    let labels = prop::sample::select(&["", "parity=even", "parity!=odd", "nothing"][..]);
    let depth = prop::option::of(0..4_usize);
    (depth, kinds(), kinds(), any::<bool>(), labels, any::<bool>()).prop_map(
        |(depth, kinds, except, unhealthy, labels, open)| TreeOptions {
            depth,
            filter: Filter {
                kinds,
                except,
                health: if unhealthy { HealthFilter::Unhealthy } else { HealthFilter::All },
                labels: Selector::parse(labels).unwrap(),
            },
            folds: if open { Folds::Open } else { Folds::Folded },
            ..TreeOptions::default()
        },
    )
}

proptest! {
    #[test]
    fn hiding_objects_changes_no_verdict_cause_or_headline(
        root in prop::sample::select(&STATES[..]),
        plans in prop::collection::vec((0..KINDS.len(), any::<usize>(), prop::sample::select(&STATES[..])), 0..12),
        options in options(),
    ) {
        let snapshot = snapshot_of(root, &plans);
        let whole = tree(&snapshot, &TreeOptions::default());
        let filtered = tree(&snapshot, &options);
        prop_assert_eq!(invariant_part(&filtered), invariant_part(&whole));
        prop_assert_eq!(filtered.nodes.len() + filtered.hidden, whole.nodes.len());
        prop_assert_eq!(crate::inspect::evaluation::is_unhealthy(whole.verdict), whole.cause.is_some());
    }

    #[test]
    fn tree_and_status_agree_in_text_and_in_json(
        root in prop::sample::select(&STATES[..]),
        plans in prop::collection::vec((0..KINDS.len(), any::<usize>(), prop::sample::select(&STATES[..])), 0..12),
        options in options(),
    ) {
        let snapshot = snapshot_of(root, &plans);
        let tree = tree(&snapshot, &options);
        let mut attempts = FetchAttempts::default();
        attempts.exhaust();
        let status = status::inspect(&snapshot, &attempts, StatusOptions::default(), &Rulebook::default());
        let Inspection::Complete(status) = status else { panic!("exhausted") };
        let resource = &status.report.resources[0];
        prop_assert_eq!(&resource.headline, &tree.headline);
        let (tree, status) = (json!(tree), json!(status.report));
        for field in ["headline", "verdict", "cause", "findings"] {
            prop_assert_eq!(&tree[field], &status["resources"][0][field], "{}", field);
        }
    }
}

#[test]
fn depth_zero_does_not_change_the_verdict() {
    let plans = [(2, 0, State::Ready), (0, 0, State::Crashing)];
    let snapshot = snapshot_of(State::Ready, &plans);
    let shallow = tree(&snapshot, &TreeOptions { depth: Some(0), ..TreeOptions::default() });
    assert_eq!((shallow.nodes.len(), shallow.hidden), (1, 2));
    assert_eq!(shallow.verdict, Verdict::Failed);
    assert!(shallow.headline.contains("CrashLoopBackOff"), "{}", shallow.headline);
    assert_eq!(shallow.rows[0].notes, ["2 more below, not shown"]);
}

#[test]
fn the_graph_is_built_once_per_inspection() {
    let snapshot = snapshot_of(State::Ready, &[(2, 0, State::Ready), (0, 0, State::Ready)]);
    let builds = |snapshot: &Snapshot, inspect: &dyn Fn(&Snapshot)| {
        let before = BUILT.get();
        inspect(snapshot);
        BUILT.get() - before
    };
    let attempts = FetchAttempts::default();
    let (options, rulebook) = (TreeOptions::default(), Rulebook::default());
    assert_eq!(builds(&snapshot, &|snapshot| drop(inspect(snapshot, &attempts, &options, &rulebook))), 1);
    let around = TreeOptions { direction: Direction::Around, ..TreeOptions::default() };
    assert_eq!(builds(&snapshot, &|snapshot| drop(inspect(snapshot, &attempts, &around, &rulebook))), 1);
    let status = StatusOptions::default();
    let report = |snapshot: &Snapshot| drop(status::inspect(snapshot, &attempts, status, &rulebook));
    assert_eq!(builds(&snapshot, &report), 1);
}

#[test]
fn a_pruned_pod_is_read_whole_before_its_references_are_followed() {
    let mut snapshot = test_snapshot(&[
        json!({"apiVersion": "apps/v1", "kind": "Deployment", "metadata": {"name": "d"}}),
        json!({"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "p", "ownerReferences": [
            {"apiVersion": "apps/v1", "kind": "Deployment", "name": "d", "uid": "Deployment/d"}]},
            "spec": {"volumes": [{"name": "v", "configMap": {"name": "settings"}}]}}),
    ]);
    let Object { kind, meta, .. } = snapshot.objects[1].clone();
    let whole = snapshot.objects[1].clone();
    let pruned = json!({"metadata": {"name": "p"}, "status": {"phase": "Running"}});
    snapshot.objects[1] = Object::with_body(kind, meta, pruned, Detail::Pruned);
    let deep = TreeOptions { relations: Relations::Deep, ..TreeOptions::default() };
    let inspect_deep =
        |snapshot: &Snapshot| inspect(snapshot, &FetchAttempts::default(), &deep, &Rulebook::default());
    let Inspection::Missing(plan) = inspect_deep(&snapshot) else { panic!("the Pod was treated as whole") };
    assert_eq!(plan.bodies.get(&1), Some(&Detail::Whole));
    snapshot.objects[1] = whole;
    let Inspection::Missing(plan) = inspect_deep(&snapshot) else {
        panic!("its ConfigMap was not looked up")
    };
    assert!(plan.named.keys().any(|name| name.name == "settings"), "{plan:?}");
}
