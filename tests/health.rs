//! Health rules against states of real operators: `fixtures/health/<group>/<Kind>/<state>.yaml`, each with the expected
//! verdict and rule, and why, in its first lines. `core` is the core group.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use jiff::Timestamp;
use kubectl_op::inspect::health::rules::BestVerdict;
use kubectl_op::inspect::health::{condition, conditions, judge, judge_meta, rules};
use kubectl_op::known;
use kubectl_op::model::health::{ConditionMeaning, Health, Verdict};
use kubectl_op::model::ident::{GroupKind, ObjectName, Uid};
use kubectl_op::model::meta::Meta;
use kubectl_op::model::rule::Rule;
use kubectl_op::model::rulebook::{Override, Rulebook};
use kubectl_op::model::selector::Labels;
use serde_json::{Value, json};

/// The least number of entries of `known::conditions` that fixtures cover.
const CONDITIONS_REACHED: usize = 303;
/// The least number of words of `known::phases` that fixtures cover.
const WORDS_REACHED: usize = 67;
/// The least number of entries of `known::reasons` that fixtures cover.
const REASONS_REACHED: usize = 14;

struct Fixture {
    /// `argoproj.io/Rollout/healthy.yaml`.
    name: String,
    expect: String,
    rule: String,
    why: String,
    /// What the message must contain.
    says: Option<String>,
    now: Timestamp,
    kind: GroupKind,
    object: Value,
}

impl Fixture {
    fn health(&self) -> Health {
        judge(&self.kind, &self.object, self.now, &Rulebook::default())
    }
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/health")
}

fn fixtures() -> Vec<Fixture> {
    let mut folders = vec![folder()];
    let mut files = Vec::new();
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() { folders.push(path) } else { files.push(path) }
        }
    }
    files.sort();
    files.iter().map(|path| fixture(path)).collect()
}

fn fixture(path: &Path) -> Fixture {
    let name = path.strip_prefix(folder()).unwrap().to_str().unwrap().replace('\\', "/");
    let text = fs::read_to_string(path).unwrap();
    let header = |key: &str| {
        let mut lines = text.lines().take_while(|line| line.starts_with('#'));
        lines.find_map(|line| line.strip_prefix(&format!("# {key}: "))).map(|word| word.trim().to_owned())
    };
    let said = |key: &str| header(key).unwrap_or_else(|| panic!("{name} does not say {key}"));
    let object: Value =
        serde_saphyr::from_str(&text).unwrap_or_else(|error| panic!("{name} is not YAML: {error}"));
    let kind =
        GroupKind::of(object["apiVersion"].as_str().unwrap_or_default(), object["kind"].as_str().unwrap());
    Fixture {
        expect: said("expect"),
        rule: said("rule"),
        why: said("why"),
        says: header("says"),
        now: said("now").parse().unwrap(),
        name: name.clone(),
        kind,
        object,
    }
}

/// The verdict's name; `None` is shown as `-`.
fn word(verdict: Verdict) -> String {
    if verdict == Verdict::None { "None".to_owned() } else { verdict.to_string() }
}

// === What must hold ===

#[test]
fn every_state_gets_its_verdict_by_its_rule() {
    let mut wrong = Vec::new();
    for fixture in fixtures() {
        let health = fixture.health();
        let found = (word(health.verdict), health.rule.id());
        if found != (fixture.expect.clone(), fixture.rule.as_str()) {
            wrong.push(format!(
                "{}: {} by {} and not {} by {}: {:?}\n  because: {}",
                fixture.name, found.0, found.1, fixture.expect, fixture.rule, health.message, fixture.why
            ));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn a_message_is_in_the_words_of_the_object() {
    let fixtures = fixtures();
    let mut wrong = Vec::new();
    for fixture in &fixtures {
        let Some(says) = &fixture.says else { continue };
        let message = fixture.health().message.unwrap_or_default();
        if !message.contains(says.as_str()) {
            wrong.push(format!("{}: {message:?} does not contain {says:?}", fixture.name));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    let errors = fixtures.iter().filter(|fixture| fixture.says.is_some());
    let groups: BTreeSet<&str> = errors.map(|fixture| fixture.kind.group.as_str()).collect();
    assert!(groups.len() >= 30, "{}", groups.len());
}

#[test]
fn there_are_many_states_of_many_kinds_and_each_is_in_its_folder() {
    let fixtures = fixtures();
    let kinds: BTreeSet<&GroupKind> = fixtures.iter().map(|fixture| &fixture.kind).collect();
    assert!(fixtures.len() >= 415, "{}", fixtures.len());
    assert!(kinds.len() >= 145, "{}", kinds.len());
    for fixture in &fixtures {
        let group = if fixture.kind.group.is_empty() { "core" } else { &fixture.kind.group };
        assert!(fixture.name.starts_with(&format!("{group}/{}/", fixture.kind.kind)), "{}", fixture.name);
        assert!(fixture.why.ends_with('.'), "{}: the reason is a sentence", fixture.name);
    }
}

#[test]
fn every_verdict_has_the_fields_it_is_based_on() {
    for fixture in fixtures() {
        let health = fixture.health();
        assert!(health.facts.iter().all(|fact| fact.value.chars().count() <= 200), "{}", fixture.name);
        assert!(health.since.is_none_or(|since| since <= fixture.now), "{}: {health:?}", fixture.name);
        if health.verdict != Verdict::None && health.rule != Rule::NotJudged {
            assert!(!health.facts.is_empty(), "{}: {health:?}", fixture.name);
        }
        if health.verdict == Verdict::Ready {
            assert_eq!(rules::entry(health.rule).best, BestVerdict::Ready, "{}", fixture.name);
        }
    }
}

#[test]
fn no_rule_is_without_a_fixture() {
    let fixtures = fixtures();
    let mut reached: BTreeSet<Rule> = fixtures.iter().map(|fixture| fixture.health().rule).collect();
    // The rule for objects of which only the metadata was read: any fixture will do.
    let silent = fixtures.iter().find(|fixture| fixture.name.contains("Website")).unwrap();
    let name = ObjectName {
        api_version: String::new(),
        kind: String::new(),
        namespace: None,
        name: silent.name.clone(),
    };
    let meta = Meta {
        name,
        uid: Uid(String::new()),
        created: None,
        deleted: None,
        finalizers: Vec::new(),
        owners: Vec::new(),
        labels: Labels::new(),
        annotations: Labels::new(),
    };
    reached.insert(judge_meta(&silent.kind, &meta, silent.now).rule);
    // Endpoints are judged together with the Pods of a tree, which a fixture does not have.
    reached.insert(Rule::ServiceEndpoints);
    // Whether a kind keeps a status depends on discovery and on its other objects.
    reached.insert(Rule::KeepsNoStatus);
    let missed = Rule::ALL.iter().filter(|rule| !reached.contains(rule));
    let missed: Vec<&str> = missed.map(|rule| rule.id()).collect();
    assert!(missed.is_empty(), "rules without a fixture: {}", missed.join(", "));
}

#[test]
fn the_tables_are_covered_as_far_as_they_were() {
    let fixtures = fixtures();
    let mut types = BTreeSet::new();
    let mut reasons = BTreeSet::new();
    let mut words = BTreeSet::new();
    for fixture in &fixtures {
        let group = fixture.kind.group.as_str();
        for one in condition::read(&fixture.object) {
            let line = known::conditions::find(group, one.name);
            types.extend(line.map(|line| format!("{:?} {}", line.group, line.name)));
            reasons.extend(
                known::reasons::REASONS
                    .iter()
                    .find(|line| {
                        [group, "*"].contains(&line.group)
                            && line.name == one.name
                            && line.status == one.status.word()
                            && [one.reason.unwrap_or_default(), "*"].contains(&line.reason)
                    })
                    .map(|line| format!("{:?} {} {}", line.group, line.name, line.reason)),
            );
        }
        for text in words_of(&fixture.object["status"]) {
            let plain: String = text.to_lowercase().chars().filter(char::is_ascii_alphanumeric).collect();
            let own = known::phases::GROUP_WORDS.iter().find(|line| {
                line.group == group && line.word == plain && ["*", &fixture.kind.kind].contains(&line.kind)
            });
            words.insert(own.map_or(plain.clone(), |line| format!("{} {plain}", line.group)));
        }
    }
    let all =
        |lines: &mut dyn Iterator<Item = String>, reached: &BTreeSet<String>, what: &str, least: usize| {
            let (hit, missed): (Vec<String>, Vec<String>) = lines.partition(|line| reached.contains(line));
            println!("{what}: {} reached, not reached {}: {}", hit.len(), missed.len(), missed.join(", "));
            assert!(hit.len() >= least, "{what}: {} reached, {least} before", hit.len());
        };
    let mut lines =
        known::conditions::CONDITION_TYPES.iter().map(|line| format!("{:?} {}", line.group, line.name));
    all(&mut lines, &types, "condition types", CONDITIONS_REACHED);
    let mut lines =
        known::reasons::REASONS.iter().map(|line| format!("{:?} {} {}", line.group, line.name, line.reason));
    all(&mut lines, &reasons, "reasons", REASONS_REACHED);
    let shared = known::phases::WORDS.iter().map(|line| line.0.to_owned());
    let mut lines =
        shared.chain(known::phases::GROUP_WORDS.iter().map(|line| format!("{} {}", line.group, line.word)));
    all(&mut lines, &words, "words", WORDS_REACHED);
}

/// Texts directly in a status or one level down.
fn words_of(status: &Value) -> Vec<&str> {
    let mut found: Vec<&str> = status.as_str().into_iter().collect();
    for value in status.as_object().into_iter().flat_map(|fields| fields.values()) {
        found.extend(value.as_str());
        let inner = value.as_object().into_iter().flat_map(|fields| fields.values());
        found.extend(inner.filter_map(Value::as_str));
    }
    found
}

#[test]
fn since_is_the_time_of_what_decided() {
    let cases = [
        ("core/Pod/running", Some("2026-11-13T12:00:05Z")),
        ("core/Pod/crash-loop", Some("2026-11-16T10:00:05Z")),
        ("core/Pod/oom-killed", Some("2026-11-16T10:05:00Z")),
        ("core/Pod/evicted", None),
        // The request, not the end of the grace period.
        ("core/Pod/terminating-stuck", Some("2026-11-16T09:00:00Z")),
        ("core/PersistentVolumeClaim/pending", Some("2026-11-16T11:00:00Z")),
        ("apps/Deployment/rolled-out", Some("2026-11-01T12:00:10Z")),
        ("apps/Deployment/rolling", None),
        ("batch/Job/running", Some("2026-11-16T11:50:00Z")),
        ("kafka.strimzi.io/Kafka/not-ready", Some("2026-11-16T11:00:00Z")),
        ("webapp.example.com/Website/ready", Some("2026-11-13T12:00:00Z")),
        ("velero.io/Backup/completed", None),
        ("shapes.example.com/Thing/future", None),
        ("shapes.example.com/Thing/year-one", None),
    ];
    for (name, expected) in cases {
        let since = fixture(&folder().join(format!("{name}.yaml"))).health().since;
        assert_eq!(since.map(|since| since.to_string()).as_deref(), expected, "{name}");
    }
}

#[test]
fn facts_are_the_fields_that_the_rule_read() {
    let facts_of = |name: &str| {
        let facts = fixture(&folder().join(format!("{name}.yaml"))).health().facts;
        facts.into_iter().map(|fact| format!("{} = {}", fact.path, fact.value)).collect::<Vec<_>>().join("\n")
    };
    let expected = "status.phase = Running\nstatus.conditions[Ready] = False (ContainersNotReady)\n\
        status.conditions[ContainersReady] = False (ContainersNotReady)\n\
        status.containerStatuses[app].state.waiting.reason = CrashLoopBackOff\n\
        status.containerStatuses[app].lastState.terminated.reason = Error\n\
        status.containerStatuses[app].lastState.terminated.exitCode = 1\n\
        status.containerStatuses[app].restartCount = 27";
    assert_eq!(facts_of("core/Pod/crash-loop"), expected);
    assert_eq!(
        facts_of("argoproj.io/Application/sync-failed"),
        "status.operationState.phase = Failed\nstatus.operationState.message = one or more objects failed to apply"
    );
    assert_eq!(
        facts_of("argoproj.io/Rollout/unseen"),
        "metadata.generation = 14\nstatus.observedGeneration = 13"
    );
    assert_eq!(
        facts_of("gateway.networking.k8s.io/HTTPRoute/backend-missing"),
        "status.parents[edge:http].conditions[ResolvedRefs] = False (BackendNotFound)"
    );
    assert_eq!(facts_of("shapes.example.com/Thing/text-status"), "status = Error");
    assert_eq!(facts_of("apps.example.com/HelloWorld/silent"), "status = not set");
    assert_eq!(
        facts_of("voting.schoolofdevops.com/VoteConfig/stuck"),
        "metadata.deletionTimestamp = 2026-11-16T09:00:00Z\nmetadata.finalizers = voting.schoolofdevops.com/finalizer"
    );
}

// === What other engines get wrong, row by row ===

fn thing(metadata: &Value, status: &Value) -> Health {
    let object =
        json!({ "apiVersion": "example.com/v1", "kind": "Thing", "metadata": metadata, "status": status });
    let kind = GroupKind::of("example.com/v1", "Thing");
    judge(&kind, &object, "2026-11-16T12:00:00Z".parse::<jiff::Timestamp>().unwrap(), &Rulebook::default())
}

#[test]
fn states_that_other_engines_misjudge_are_judged_as_they_should_be() {
    let old = "2026-11-13T12:00:00Z";
    let one = |name: &str, status: &str| json!({ "type": name, "status": status, "reason": "Why", "lastTransitionTime": old });
    let plain = json!({ "generation": 4, "creationTimestamp": "2026-11-16T11:59:59Z" });
    let stuck = json!({ "generation": 4, "deletionTimestamp": "2026-11-16T09:00:00Z", "finalizers": ["example.com/hold"] });
    let stale = json!({ "type": "Ready", "status": "True", "observedGeneration": 3 });
    let conditions = |list: Value| json!({ "conditions": list });
    let rows: [(&str, Health, Verdict, &str); 8] = [
        ("no status at all, 1 s old", thing(&plain, &json!(null)), Verdict::Unknown, "it has no status"),
        (
            "Available=False only",
            thing(&plain, &conditions(json!([one("Available", "False")]))),
            Verdict::NotReady,
            "Available=False",
        ),
        (
            "Degraded=True only",
            thing(&plain, &conditions(json!([one("Degraded", "True")]))),
            Verdict::Failed,
            "Degraded=True",
        ),
        (
            "Degraded=False, Available=True",
            thing(&plain, &conditions(json!([one("Degraded", "False"), one("Available", "True")]))),
            Verdict::Ready,
            "",
        ),
        (
            "Ready=False for days",
            thing(&plain, &conditions(json!([one("Ready", "False")]))),
            Verdict::NotReady,
            "for 3d",
        ),
        (
            "status.phase: Failed",
            thing(&plain, &json!({ "phase": "Failed" })),
            Verdict::Failed,
            "phase is Failed",
        ),
        (
            "observedGeneration only inside a condition",
            thing(&plain, &conditions(json!([stale]))),
            Verdict::Progressing,
            "older spec",
        ),
        (
            "deleting with a finalizer for 3 h",
            thing(&stuck, &json!({ "phase": "Running" })),
            Verdict::Stuck,
            "example.com/hold",
        ),
    ];
    for (state, health, verdict, part) in rows {
        assert_eq!(health.verdict, verdict, "{state}: {health:?}");
        assert!(health.message.unwrap_or_default().contains(part), "{state}");
    }
    // The last row needs a child: the resource says Ready, and a Pod of its Deployment crash-loops.
    let fixtures = fixtures();
    let verdict = |name: &str| fixtures.iter().find(|fixture| fixture.name == name).unwrap().health().verdict;
    assert_eq!(verdict("webapp.example.com/Website/ready.yaml"), Verdict::Ready);
    assert_eq!(verdict("core/Pod/crash-loop.yaml"), Verdict::Failed);
    assert!(Verdict::Failed > Verdict::Ready, "the worst of a subtree is the greatest");
}

// === Conditions one by one ===

#[test]
fn conditions_are_reported_in_the_order_published_with_their_part() {
    let fixture =
        fixture(&folder().join("gateway.networking.k8s.io/Gateway/listener-without-certificate.yaml"));
    let reports = conditions(&fixture.kind, &fixture.object, fixture.now, &Rulebook::default());
    let rows: Vec<(&str, Option<&str>, ConditionMeaning)> =
        reports.iter().map(|one| (one.name.as_str(), one.status.as_deref(), one.judged)).collect();
    assert_eq!(
        rows,
        [
            ("Accepted", Some("True"), ConditionMeaning::Good),
            ("Programmed", Some("True"), ConditionMeaning::Good),
            ("listeners[https]/ResolvedRefs", Some("False"), ConditionMeaning::Bad),
            ("listeners[https]/Programmed", Some("False"), ConditionMeaning::Bad),
        ]
    );
    assert_eq!(
        serde_json::to_value(&reports[2]).unwrap(),
        json!({
            "type": "listeners[https]/ResolvedRefs", "status": "False", "polarity": "good", "judged": "bad",
            "guessed": false, "warning": false, "reason": "InvalidCertificateRef", "message": "Secret edge-tls not found",
            "since": "2026-11-13T12:00:00Z", "observedGeneration": 1,
        })
    );
}

#[test]
fn each_condition_is_judged_by_its_status() {
    let object = json!({ "status": { "conditions": [
        { "type": "Degraded", "status": "False" },
        { "type": "Progressing", "status": "True" },
        { "type": "Paused", "status": "False" },
        { "type": "DatabaseReady", "status": "True" },
        { "type": "Frobnicated", "status": "True" },
        { "type": "Ready", "status": "Perhaps", "lastUpdateTime": "2026-11-16T11:00:00Z" },
        { "type": "Upgradeable", "status": "False" },
        { "type": "Deprecated", "status": "True" },
        { "type": "Stalled" },
    ] } });
    let kind = GroupKind::of("example.com/v1", "Thing");
    let reports = conditions(
        &kind,
        &object,
        "2026-11-16T12:00:00Z".parse::<jiff::Timestamp>().unwrap(),
        &Rulebook::default(),
    );
    let rows: Vec<(ConditionMeaning, ConditionMeaning, bool, bool)> =
        reports.iter().map(|one| (one.polarity, one.judged, one.guessed, one.warning)).collect();
    assert_eq!(
        rows,
        [
            (ConditionMeaning::Bad, ConditionMeaning::Good, false, false),
            (ConditionMeaning::Progressing, ConditionMeaning::Progressing, false, false),
            (ConditionMeaning::Paused, ConditionMeaning::Neutral, false, false),
            (ConditionMeaning::Good, ConditionMeaning::Good, true, false),
            (ConditionMeaning::Unknown, ConditionMeaning::Unknown, false, false),
            (ConditionMeaning::Good, ConditionMeaning::Unknown, false, false),
            (ConditionMeaning::Neutral, ConditionMeaning::Neutral, false, false),
            (ConditionMeaning::Bad, ConditionMeaning::Neutral, false, true),
            (ConditionMeaning::Bad, ConditionMeaning::Unknown, false, false),
        ]
    );
    assert_eq!((reports[5].status.as_deref(), reports[5].since), (Some("Perhaps"), None));
    assert_eq!(reports[8].status, None);
}

// === Settings ===

fn book(lines: &[(&str, ConditionMeaning)]) -> Rulebook {
    let line = |(name, polarity): &(&str, ConditionMeaning)| Override {
        group: None,
        kind: None,
        name: (*name).to_owned(),
        polarity: *polarity,
    };
    Rulebook { conditions: lines.iter().map(line).collect(), ..Rulebook::default() }
}

#[test]
fn the_settings_take_precedence_over_every_table() {
    let by = |name: &str, lines: &[(&str, ConditionMeaning)]| {
        let fixture = fixture(&folder().join(name));
        judge(&fixture.kind, &fixture.object, fixture.now, &book(lines)).verdict
    };
    // An entry of the condition table, of the reason table, a guess, a built-in kind.
    let csr = "certificates.k8s.io/CertificateSigningRequest/denied.yaml";
    assert_eq!(by(csr, &[("Denied", ConditionMeaning::Paused)]), Verdict::Suspended);
    let extension = "olm.operatorframework.io/ClusterExtension/installed.yaml";
    assert_eq!(by(extension, &[("Progressing", ConditionMeaning::Progressing)]), Verdict::Progressing);
    let guessed = "shapes.example.com/Thing/guessed-bad.yaml";
    assert_eq!(by(guessed, &[("BackupFailed", ConditionMeaning::Neutral)]), Verdict::Ready);
    let node = "core/Node/disk-pressure.yaml";
    assert_eq!(by(node, &[("DiskPressure", ConditionMeaning::Neutral)]), Verdict::Ready);
    // A step that is set to good does not become a summary.
    let steps = "shapes.example.com/Thing/guessed-good.yaml";
    assert_eq!(by(steps, &[("DatabaseReady", ConditionMeaning::Good)]), Verdict::Unknown);
    // A summary that is set to neutral makes nothing Ready.
    let ready = "webapp.example.com/Website/ready.yaml";
    assert_eq!(by(ready, &[("Ready", ConditionMeaning::Neutral)]), Verdict::Unknown);
}

#[test]
fn an_empty_rulebook_and_one_about_other_types_change_nothing() {
    let other = book(&[("NobodyHasThis", ConditionMeaning::Bad)]);
    for fixture in fixtures() {
        let health = judge(&fixture.kind, &fixture.object, fixture.now, &other);
        assert_eq!(health, fixture.health(), "{}", fixture.name);
    }
}

// === Size ===

#[test]
fn huge_messages_and_lists_are_handled() {
    let message = "ü".repeat(1_000_000);
    let mut many: Vec<Value> = (0..100_000)
        .map(|n| json!({ "type": format!("T{n}Failed"), "status": "True", "message": "x" }))
        .collect();
    many.push(json!({ "type": "Ready", "status": "False", "reason": message, "message": message }));
    let health = thing(&json!({}), &json!({ "conditions": many, "phase": message }));
    assert_eq!(health.verdict, Verdict::Failed);
    assert!(health.message.unwrap_or_default().len() < 1_000);
    assert!(health.facts.len() < 20 && health.facts.iter().all(|fact| fact.value.chars().count() <= 200));
}
