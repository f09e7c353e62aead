//! Properties that hold for any JSON: there is a verdict, and only some rules say Ready.

use proptest::prelude::*;
use serde_json::{Map, Value, json};

use super::{minutes, now};
use crate::inspect::health::rules::{self, BestVerdict};
use crate::inspect::health::{conditions, judge, judge_meta, needs_body};
use crate::known::phases::{self, PhaseMeaning};
use crate::model::health::{ConditionMeaning, Health, Verdict};
use crate::model::ident::{GroupKind, ObjectName, Uid};
use crate::model::meta::Meta;
use crate::model::rulebook::{Override, Rulebook};

const KINDS: [(&str, &str); 22] = [
    ("", "ConfigMap"),
    ("", "Namespace"),
    ("", "Node"),
    ("", "PersistentVolume"),
    ("", "PersistentVolumeClaim"),
    ("", "Pod"),
    ("", "ReplicationController"),
    ("", "Service"),
    ("apiextensions.k8s.io", "CustomResourceDefinition"),
    ("apiregistration.k8s.io", "APIService"),
    ("apps", "DaemonSet"),
    ("apps", "Deployment"),
    ("apps", "ReplicaSet"),
    ("apps", "StatefulSet"),
    ("argoproj.io", "Application"),
    ("autoscaling", "HorizontalPodAutoscaler"),
    ("batch", "CronJob"),
    ("batch", "Job"),
    ("cluster.x-k8s.io", "Machine"),
    ("example.com", "Thing"),
    ("gateway.networking.k8s.io", "Gateway"),
    ("policy", "PodDisruptionBudget"),
];

/// Keys that the rules read, so that random objects have them.
const KEYS: [&str; 46] = [
    "ancestors",
    "availableReplicas",
    "completionTime",
    "conditionType",
    "conditions",
    "containerStatuses",
    "containers",
    "creationTimestamp",
    "currentHealthy",
    "deletionGracePeriodSeconds",
    "deletionTimestamp",
    "desiredHealthy",
    "exitCode",
    "finalizers",
    "generation",
    "health",
    "initContainerStatuses",
    "initContainers",
    "lastState",
    "lastTransitionTime",
    "lastUpdated",
    "listeners",
    "managedFields",
    "message",
    "metadata",
    "name",
    "observedGeneration",
    "parents",
    "partition",
    "phase",
    "polarity",
    "ready",
    "readyReplicas",
    "reason",
    "replicas",
    "restartCount",
    "restartPolicy",
    "running",
    "severity",
    "spec",
    "state",
    "status",
    "terminated",
    "type",
    "updatedReplicas",
    "waiting",
];

const WORDS: [&str; 24] = [
    "",
    "2026-11-16T11:59:00Z",
    "0001-01-01T00:00:00Z",
    "9999-12-30T22:00:00Z",
    "Always",
    "Available",
    "BackupFailed",
    "Bound",
    "Completed",
    "CrashLoopBackOff",
    "DatabaseReady",
    "Degraded",
    "Failed",
    "False",
    "Progressing",
    "Ready",
    "Running",
    "Succeeded",
    "Synced",
    "True",
    "Unknown",
    "true",
    "\u{1b}[31m",
    "ü",
];

fn scalar() -> impl Strategy<Value = Value> {
    prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        (-2..5_i64).prop_map(Value::from),
        any::<f64>().prop_map(Value::from),
        proptest::sample::select(WORDS.to_vec()).prop_map(Value::from),
        "\\PC{0,8}".prop_map(Value::from),
    ]
}

fn anything() -> impl Strategy<Value = Value> {
    scalar().prop_recursive(6, 96, 8, |inner| {
        let key = prop_oneof![8 => proptest::sample::select(KEYS.to_vec()).prop_map(str::to_owned), 1 => "\\PC{0,6}"];
        prop_oneof![
            proptest::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            proptest::collection::vec((key, inner), 0..6)
                .prop_map(|pairs| Value::from(pairs.into_iter().collect::<Map<String, Value>>())),
        ]
    })
}

/// A condition, mostly well formed.
fn a_condition() -> impl Strategy<Value = Value> {
    let word = || proptest::sample::select(WORDS.to_vec());
    (word(), word(), word(), word()).prop_map(|(name, status, time, reason)| {
        json!({ "type": name, "status": status, "lastTransitionTime": time, "reason": reason })
    })
}

fn promises_are_kept(health: &Health) -> Result<(), TestCaseError> {
    prop_assert!(!health.status.is_empty());
    if health.verdict == Verdict::Ready {
        prop_assert_eq!(rules::entry(health.rule).best, BestVerdict::Ready, "{:?}", health);
        prop_assert!(!health.status.starts_with('~'), "{health:?}");
    }
    prop_assert!(health.since.is_none_or(|since| since <= now() + minutes(1)), "{health:?}");
    prop_assert!(health.facts.iter().all(|fact| fact.value.chars().count() <= 200 && !fact.path.is_empty()));
    Ok(())
}

/// Settings for condition types of random objects.
fn a_rulebook() -> impl Strategy<Value = Rulebook> {
    let meanings = vec![
        ConditionMeaning::Good,
        ConditionMeaning::Bad,
        ConditionMeaning::Progressing,
        ConditionMeaning::Paused,
        ConditionMeaning::Neutral,
    ];
    let group = proptest::option::of(proptest::sample::select(vec!["", "example.com", "argoproj.io"]));
    let name = proptest::sample::select(WORDS.to_vec());
    let line = (group, name, proptest::sample::select(meanings)).prop_map(|(group, name, polarity)| {
        Override { group: group.map(str::to_owned), kind: None, name: name.to_owned(), polarity }
    });
    proptest::collection::vec(line, 0..6)
        .prop_map(|conditions| Rulebook { conditions, ..Rulebook::default() })
}

proptest! {
    #[test]
    fn conditions_of_any_json_are_told_whatever_the_person_says(
        spec in anything(),
        status in anything(),
        list in proptest::collection::vec(a_condition(), 0..5),
        book in a_rulebook(),
    ) {
        let well_formed = json!({ "conditions": list, "listeners": [{ "name": "x", "conditions": list }] });
        for status in [status, well_formed] {
            let object = json!({ "spec": spec, "status": status });
            for (group, kind) in KINDS {
                let kind = GroupKind { group: group.to_owned(), kind: kind.to_owned() };
                promises_are_kept(&judge(&kind, &object, now(), &book))?;
                for one in conditions(&kind, &object, now(), &book) {
                    let is_settled = book.polarity(&kind, one.name.rsplit('/').next().unwrap_or_default()).is_some();
                    prop_assert!(!(one.guessed && is_settled), "{one:?}");
                    prop_assert!(!one.name.is_empty());
                    prop_assert!(!(one.guessed && one.polarity == ConditionMeaning::Unknown), "{one:?}");
                }
            }
        }
    }

    #[test]
    fn what_the_person_takes_out_of_play_greens_nothing(
        list in proptest::collection::vec(a_condition(), 0..5),
    ) {
        let kind = GroupKind::of("example.com/v1", "Thing");
        let neutral = |name: &&str| Override {
            group: None,
            kind: None,
            name: (*name).to_owned(),
            polarity: ConditionMeaning::Neutral,
        };
        let book = Rulebook { conditions: WORDS.iter().map(neutral).collect(), ..Rulebook::default() };
        let health = judge(&kind, &json!({ "status": { "conditions": list } }), now(), &book);
        prop_assert_eq!(health.verdict, Verdict::Unknown);
    }

    #[test]
    fn any_json_gets_an_answer(object in anything()) {
        for (group, kind) in KINDS {
            let kind = GroupKind { group: group.to_owned(), kind: kind.to_owned() };
            promises_are_kept(&judge(&kind, &object, now(), &Rulebook::default()))?;
        }
    }

    #[test]
    fn any_spec_and_status_get_an_answer(spec in anything(), status in anything(), metadata in anything()) {
        let object = json!({ "spec": spec, "status": status, "metadata": metadata });
        for (group, kind) in KINDS {
            let kind = GroupKind { group: group.to_owned(), kind: kind.to_owned() };
            promises_are_kept(&judge(&kind, &object, now(), &Rulebook::default()))?;
        }
    }

    #[test]
    fn no_unknown_condition_alone_makes_anything_ready(conditions in proptest::collection::vec(a_condition(), 0..5)) {
        let summaries = ["Ready", "Available", "Succeeded", "Completed"];
        let object = json!({ "status": { "conditions": conditions } });
        let health = judge(&GroupKind::of("example.com/v1", "Thing"), &object, now(), &Rulebook::default());
        promises_are_kept(&health)?;
        let kind = GroupKind::of("example.com/v1", "Thing");
        let is_good = |word: &str| {
            word.eq_ignore_ascii_case("true") || phases::meaning(&kind, word) == Some(PhaseMeaning::Good)
        };
        let held = |one: &Value| {
            summaries.iter().any(|name| one["type"] == **name) && one["status"].as_str().is_some_and(is_good)
        };
        if health.verdict == Verdict::Ready {
            prop_assert!(conditions.iter().any(held), "{health:?}");
        }
    }
}

#[test]
fn what_was_not_read_is_not_judged() {
    let name = ObjectName {
        api_version: "v1".to_owned(),
        kind: "Thing".to_owned(),
        namespace: None,
        name: "x".to_owned(),
    };
    let meta = Meta {
        name,
        uid: Uid("u".to_owned()),
        finalizers: vec!["example.com/hold".to_owned()],
        ..Meta::default()
    };
    let thing = GroupKind::of("example.com/v1", "Thing");
    let config_map = GroupKind::of("v1", "ConfigMap");
    assert!(needs_body(&thing) && !needs_body(&config_map));
    assert_eq!(judge_meta(&thing, &meta, now()).verdict, Verdict::Unknown);
    assert_eq!(judge_meta(&config_map, &meta, now()).status, "-");
    let deleted = Meta { deleted: Some("2026-11-16T09:00:00Z".parse().unwrap()), ..meta };
    let stuck = judge_meta(&config_map, &deleted, now());
    assert_eq!(stuck.verdict, Verdict::Stuck);
    assert_eq!(
        stuck.message.as_deref(),
        Some("deletion requested 3h ago; waiting for finalizer example.com/hold")
    );
}
