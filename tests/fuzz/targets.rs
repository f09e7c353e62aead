//! The targets: a reader, valid documents to mutate, and words that matter to it.

use std::fs;
use std::sync::LazyLock;

use kubectl_op::connection::{self, Target};
use kubectl_op::error::{Failure, FailureKind};
use kubectl_op::interrupt::Interrupt;
use kubectl_op::model::coverage::Scope;
use kubectl_op::model::selector::{Labels, Selector};
use kubectl_op::settings::{self, Flags};
use kubectl_op::source::cluster::fuzzing;
use kubectl_op::source::dump::Dump;
use kubectl_op::ui::sanitize;
use kubectl_op::{cli, jsonpath};
use serde_json::{Value, json};

use crate::{Answer, fuzz};

/// What the binary prints of a failure.
fn error(failure: &Failure) -> Answer {
    let hint = failure.hint_text().unwrap_or_default();
    Answer::Error(sanitize::line(&format!("{failure} {hint}")).into_owned())
}

/// The failure for an argument.
fn usage(message: String) -> Failure {
    Failure::new(FailureKind::Usage, message)
}

fn texts(seeds: &[&str]) -> Vec<Vec<u8>> {
    seeds.iter().map(|seed| seed.as_bytes().to_vec()).collect()
}

const KUBECONFIG: &str = "apiVersion: v1\nkind: Config\ncurrent-context: c\n\
    clusters:\n- name: k\n  cluster: {server: 'https://127.0.0.1:1', certificate-authority-data: QUJD, tls-server-name: a}\n\
    users:\n- name: u\n  user:\n    token: abc\n    exec: {apiVersion: client.authentication.k8s.io/v1, command: ./login, args: [a], env: [{name: A, value: b}]}\n\
    contexts:\n- name: c\n  context: {cluster: k, user: u, namespace: shop}\n";

fn target(file: &std::path::Path) -> Target {
    let file = file.as_os_str().to_owned();
    let args = ["kubectl-op", "version", "--kubeconfig"].map(Into::into);
    let parsed = cli::parse(args.into_iter().chain([file]));
    let env = connection::Env::read(|_| None);
    parsed.common.source_spec(&env, "kubectl op", &Interrupt::default()).target
}

#[test]
fn kubeconfig() {
    fuzz(
        "kubeconfig",
        &texts(&[KUBECONFIG]),
        &["clusters:", "- name: k", "exec:", "auth-provider:", "null"],
        |input| {
            let file = tempfile::NamedTempFile::new().unwrap();
            fs::write(file.path(), input).unwrap();
            match connection::fuzzing::kubeconfig(&target(file.path())) {
                Ok(()) => Answer::Nothing,
                Err(failure) => error(&failure),
            }
        },
    );
}

#[test]
fn discovery() {
    let aggregated = json!({ "kind": "APIGroupDiscoveryList", "items": [{ "metadata": { "name": "apps" }, "versions": [
        { "version": "v1", "freshness": "Current", "resources": [{ "resource": "deployments", "responseKind": { "kind": "Deployment" },
          "scope": "Namespaced", "singularResource": "deployment", "shortNames": ["deploy"], "categories": ["all"], "verbs": ["list"],
          "subresources": [{ "subresource": "status" }] }] }, { "version": "v2", "freshness": "Stale" }] }] });
    let groups = json!({ "groups": [{ "name": "apps", "versions": [{ "version": "v1" }], "preferredVersion": { "version": "v1" } }] });
    let resources = json!({ "resources": [{ "name": "pods", "kind": "Pod", "namespaced": true }, { "name": "pods/status", "kind": "Pod" }] });
    let seeds = [aggregated, groups, resources, json!({ "versions": ["v1"] })]
        .map(|seed| seed.to_string().into_bytes());
    fuzz("discovery", &seeds, &["\"versions\":[", "\"items\":", "\"resource\":\"a/b\""], |input| {
        let _ = fuzzing::discovery(input);
        Answer::Nothing
    });
}

fn field(number: u8, bytes: &[u8]) -> Vec<u8> {
    let mut out = vec![number << 3 | 2];
    let mut length = bytes.len();
    while length > 127 {
        out.push(u8::try_from(length & 127).unwrap() | 128);
        length >>= 7;
    }
    out.push(u8::try_from(length).unwrap());
    out.extend_from_slice(bytes);
    out
}

#[test]
fn protobuf_list() {
    let owner =
        [field(1, b"Website"), field(3, b"shop"), field(4, b"uid-1"), field(5, b"a/v1"), vec![6 << 3, 1]]
            .concat();
    let meta = [
        field(1, b"web"),
        field(3, b"shop"),
        field(5, b"uid-2"),
        field(6, b"7"),
        field(8, &[8, 1]),
        field(13, &owner),
    ];
    let label = [field(1, b"app"), field(2, b"web")].concat();
    let meta = [meta.concat(), field(11, &label), field(12, &label), field(14, b"x/hold")].concat();
    let item = field(2, &field(1, &meta));
    let list = [field(1, &[field(2, b"7"), field(3, b"token")].concat()), item.clone(), item].concat();
    let whole = [b"k8s\0".to_vec(), field(1, b"x"), field(2, &list), field(4, b"")].concat();
    fuzz("protobuf_list", &[whole], &["k8s\0", "\u{7f}\u{7f}\u{7f}\u{7f}\u{7f}"], |input| {
        let all = fuzzing::protobuf_list(input, usize::MAX);
        let chunk = 1 + usize::from(input.first().copied().unwrap_or_default()) % 17;
        assert_eq!(all, fuzzing::protobuf_list(input, chunk), "chunks change the result");
        Answer::Nothing
    });
}

/// Reads a dump, and everything in it.
fn dump(input: &[u8]) -> Answer {
    let dump = match Dump::from_bytes("standard input", input) {
        Ok(dump) => dump,
        Err(failure) => return error(&failure),
    };
    for entry in dump.entries() {
        drop(dump.body(entry));
    }
    let gaps = dump.discovered().gaps.into_iter().chain(dump.missing(&Scope::Cluster));
    for gap in gaps {
        let text = format!("{}: {}", gap.what(), gap.message);
        assert!(text.len() < 5_000, "{} bytes", text.len());
    }
    Answer::Nothing
}

const YAML: &str = "apiVersion: v1\nitems:\n- apiVersion: webapp.example.com/v1\n  kind: Website\n  metadata:\n    name: shop\n    namespace: web\n    \
    uid: u1\n    creationTimestamp: 2026-11-16T11:08:00Z\n    labels: {app: shop}\n    finalizers: [a/b]\n  status: &s\n    conditions:\n    - {type: Ready, status: 'False', lastTransitionTime: \
    2026-11-16T11:08:00Z}\n- apiVersion: v1\n  kind: ConfigMap\n  metadata:\n    name: shop\n    ownerReferences: [{apiVersion: webapp.example.com/v1, kind: Website, name: shop, uid: u1, controller: true}]\n  data: {a: b}\n\
    kind: List\n---\nkind: CustomResourceDefinition\napiVersion: apiextensions.k8s.io/v1\nmetadata: {name: websites.webapp.example.com}\nspec: {group: webapp.example.com, scope: Namespaced, names: {kind: Website, \
    plural: websites}, versions: [{name: v1, served: true, storage: true}]}\n---\napiVersion: coordination.k8s.io/v1\nkind: Lease\nmetadata: {name: l}\nspec: {renewTime: '2026-11-16T11:08:00.000000Z'}\n";
const WORDS: &[&str] = &[
    "items:",
    "kind: List",
    "\"items\":[",
    "metadata",
    "- ",
    "{",
    "[",
    "}",
    "]",
    "---\n",
    "|\n",
    "&a [",
    "*a,",
    "? ",
];

static JSON: LazyLock<Vec<u8>> = LazyLock::new(|| {
    let documents: Vec<Value> = serde_saphyr::from_multiple(YAML).unwrap();
    documents.iter().flat_map(|document| format!("{document:#}\n").into_bytes()).collect()
});

#[test]
fn yaml_dump() {
    fuzz(
        "yaml_dump",
        &texts(&[YAML, "a: b\n", "- kind: Pod\n  apiVersion: v1\n  metadata: {name: p}\n"]),
        WORDS,
        dump,
    );
}

#[test]
fn json_dump() {
    let array =
        br#"[{"kind":"Pod","apiVersion":"v1","metadata":{"name":"p"}},[{"kind":"PodList","items":[{}]}]]"#;
    fuzz("json_dump", &[JSON.clone(), array.to_vec()], WORDS, dump);
}

#[test]
fn tar_dump() {
    let mut builder = tar::Builder::new(Vec::new());
    let long = format!("{}/pods.json", "d".repeat(150));
    for (name, text) in
        [("a/shop.yaml", YAML.as_bytes()), (long.as_str(), JSON.as_slice()), ("a/x.log", b"log".as_slice())]
    {
        let mut header = tar::Header::new_gnu();
        header.set_size(text.len() as u64);
        header.set_mode(0o644);
        builder.append_data(&mut header, name, text).unwrap();
    }
    let archive = builder.into_inner().unwrap();
    let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    std::io::Write::write_all(&mut gzip, &archive).unwrap();
    let packed = gzip.finish().unwrap();
    fuzz("tar_dump", &[archive, packed], &["../", "/etc/", "ustar", "path=", "L", "\u{0}"], dump);
}

static REPORT: LazyLock<Value> = LazyLock::new(|| {
    json!({ "nodes": [{ "name": "shop", "own": { "verdict": "Ready", "ready": true }, "count": 3, "ratio": 0.5,
        "labels": { "app.kubernetes.io/name": "x\u{1b}[31m\n", "deep": [[["a"]], null] } }, { "name": "blog" }], "now": "2026" })
});

#[test]
fn jsonpath_template() {
    let seeds = texts(&[
        "{.nodes[*].name}",
        "{range .nodes[?(@.own.verdict==\"Ready\")]}{.name}{\"\\t\"}{.count}{\"\\n\"}{end}",
        "{..name}",
        "{.nodes[0:2:1]['name','count']}",
        "{.nodes[-1:].labels.app\\.kubernetes\\.io/name}",
        "{$}{@.now}",
        "{.nodes[?(@.count>=2.5)]}",
    ]);
    let words = [
        "{range ",
        "{end}",
        "..",
        "[*]",
        "[?(@.",
        "==",
        "')]",
        "{",
        "}",
        "\\",
        "[-1]",
        "[::0]",
        "['a','b']",
        "'",
    ];
    fuzz("jsonpath_template", &seeds, &words, |input| {
        let template = String::from_utf8_lossy(input);
        let columns =
            jsonpath::parse_relaxed(&template).map(|path| path.find(&REPORT).map(|found| found.len()));
        drop(columns);
        let escape = |text: &str, out: &mut String| out.push_str(&sanitize::value(text));
        match jsonpath::parse(&template).and_then(|parsed| parsed.write_escaped(&REPORT, &escape)) {
            Ok(text) => Answer::Text(sanitize::block(&text).into_owned()),
            Err(problem) => error(&usage(problem.to_string())),
        }
    });
}

#[test]
fn selector() {
    let words = ["=", "==", "!=", ",", " in (", ")", " notin (", "!", "a/b", "exists"];
    fuzz(
        "selector",
        &texts(&["app=web,tier!=db,env in (a,b),x notin (c),y,!z", "metadata.name=a"]),
        &words,
        |input| {
            let text = String::from_utf8_lossy(input);
            let labels: Labels = [("app".to_owned(), "web".to_owned())].into();
            match Selector::parse(&text) {
                Ok(selector) => {
                    let _ = selector.matches(&labels);
                }
                Err(message) => return error(&usage(message)),
            }
            if let Ok(spec) = serde_json::from_slice::<Value>(input) {
                let _ = Selector::of_spec(&spec).is_some_and(|selector| selector.matches(&labels));
            }
            Answer::Nothing
        },
    );
}

#[test]
fn settings_file() {
    let seed = "conditions:\n- {type: Drained, group: example.com, kind: Thing, meaning: paused}\nskip: [OP-T004]\ndefaults:\n  tree: {output: wide, kind: [Pod]}\n  status: {all: true}\n";
    let words = ["conditions:", "meaning: good", "defaults:", "skip:", "- ", "[", "{", "&a", "*a", "tree:"];
    fuzz("settings_file", &texts(&[seed]), &words, |input| {
        let file = tempfile::NamedTempFile::new().unwrap();
        fs::write(file.path(), input).unwrap();
        let env = settings::Env { file: Some(file.path().to_owned()), folder: None };
        let flags: Flags = cli::default_flags();
        match settings::load(&env, &flags) {
            Ok(_) => Answer::Nothing,
            Err(failure) => error(&failure),
        }
    });
}

#[test]
fn retry_after_and_dates() {
    let seeds = texts(&[
        "2",
        "Wed, 21 Oct 2015 07:28:00 GMT",
        "Mon, 16 Nov 2026 11:08:00 +0000",
        "2026-11-16T11:08:00Z",
    ]);
    fuzz("retry_after_and_dates", &seeds, &["GMT", "Feb", "31", "-", "9999", ":60"], |input| {
        for status in [429, 503, 504] {
            let delay = connection::fuzzing::retry_after(status, input, "");
            assert!(delay.is_none_or(|delay| delay <= connection::fuzzing::MAX_DELAY), "{delay:?}");
        }
        match fuzzing::date(input) {
            Some(text) => Answer::Text(text),
            None => Answer::Nothing,
        }
    });
}

#[test]
fn error_body() {
    let forbidden = json!({ "kind": "Status", "apiVersion": "v1", "metadata": {}, "status": "Failure", "message": "pods is forbidden",
        "reason": "Forbidden", "details": { "kind": "pods", "causes": [{ "reason": "x", "message": "y", "field": "z" }], "retryAfterSeconds": 1 }, "code": 403 });
    let seeds = [forbidden.to_string().into_bytes(), b"<html><title>502 Bad Gateway</title></html>".to_vec()];
    fuzz(
        "error_body",
        &seeds,
        &["\"code\":404", "\"message\":\"", "\"reason\":", "\"metadata\":null"],
        |input| error(&fuzzing::error_body(input)),
    );
}
