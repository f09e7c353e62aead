//! What kubectl reads is read, and as the same objects. Compared with kubectl itself where it is installed.

use std::io::Write as _;
use std::process::{Command, Stdio};

use serde_json::Value;

use super::{broken, names, stream};

/// Texts that kubectl reads, and the objects in them.
fn texts() -> Vec<(&'static str, Vec<u8>, &'static [&'static str])> {
    let utf16 = |text: &str, encode: fn(u16) -> [u8; 2]| -> Vec<u8> {
        std::iter::once(0xfeff).chain(text.encode_utf16()).flat_map(encode).collect()
    };
    let json = r#"{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"a","namespace":"shop"}}"#;
    let yaml = "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: a\n  namespace: shop\n";
    let b = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: b, namespace: shop}\n";
    let one: &[&str] = &["configmaps/shop/a"];
    let two: &[&str] = &["configmaps/shop/a", "configmaps/shop/b"];
    let typed = "metadata: {name: a, namespace: shop}";
    vec![
        ("JSON lines", format!("{json}\n{}\n", json.replace("\"a\"", "\"b\"")).into_bytes(), two),
        ("joined JSON", format!("{json}{}", json.replace("\"a\"", "\"b\"")).into_bytes(), two),
        ("a byte order mark", format!("\u{feff}{yaml}").into_bytes(), one),
        ("UTF-16, little-endian", utf16(yaml, u16::to_le_bytes), one),
        ("UTF-16, big-endian", utf16(yaml, u16::to_be_bytes), one),
        ("JSON in UTF-16", utf16(json, u16::to_le_bytes), one),
        ("CRLF", format!("{yaml}data:\n  x: |\n    1\n    2\n").replace('\n', "\r\n").into_bytes(), one),
        ("tabs", format!("{yaml}data:\t\n  x: \"1\t2\"\t# three\n  y: |\n    1\t2\n").into_bytes(), one),
        ("separators with comments", format!("--- # one\n{yaml}--- # two\n# nothing\n---\n{b}...\n").into_bytes(), two),
        ("YAML, then JSON", format!("{b}---\n{json}\n").into_bytes(), two),
        (
            "anchors and merge keys",
            b"apiVersion: v1\nkind: ConfigMap\nmetadata:\n  <<: &m {namespace: shop, labels: &l {q: r}}\n  name: a\n  annotations: *l\n".to_vec(),
            one,
        ),
        (
            "an anchor in one item, aliases in others",
            b"apiVersion: v1\nkind: List\nitems:\n- apiVersion: v1\n  kind: ConfigMap\n  metadata: &m\n    name: a\n    namespace: shop\n- apiVersion: v1\n  kind: ConfigMap\n  metadata:\n    <<: *m\n    name: b\n".to_vec(),
            two,
        ),
        ("a duplicate key", format!("{yaml}  name: b\n").into_bytes(), &["configmaps/shop/b"]),
        (
            "a duplicate key in JSON",
            json.replace("\"namespace\"", "\"name\":\"b\",\"namespace\"").into_bytes(),
            &["configmaps/shop/b"],
        ),
        ("a typed list", format!("apiVersion: v1\nkind: ConfigMapList\nitems:\n- {typed}\n").into_bytes(), one),
        ("null in an owner reference", format!("{yaml}  ownerReferences: [{{name: null, uid: null}}]\n").into_bytes(), one),
        (
            "documents and lists",
            format!("{yaml}---\napiVersion: v1\nkind: List\nitems:\n- {}---\napiVersion: v1\nkind: ConfigMapList\nitems: null\n", b.replace('\n', "\n  ").trim_end().to_owned() + "\n").into_bytes(),
            two,
        ),
    ]
}

#[test]
fn what_kubectl_reads_is_read() {
    for (what, text, expected) in texts() {
        let dump = stream(&text).unwrap();
        assert_eq!(names(&dump), expected, "{what}");
        let is_duplicate = what.contains("duplicate");
        assert_eq!(broken(&dump).len(), usize::from(is_duplicate), "{what}: {:?}", broken(&dump));
        for entry in dump.entries() {
            assert_eq!(dump.body(entry).unwrap()["metadata"]["name"], entry.meta.name.name, "{what}");
        }
    }
}

/// The names of the objects that kubectl reads; `None` where it is not installed.
fn read_by_kubectl(text: &[u8]) -> Option<Vec<String>> {
    let words = ["label", "--local", "-f", "-", "x=y", "-o", "json", "--kubeconfig", "/dev/null"];
    let mut child = Command::new("kubectl")
        .args(words)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::inherit())
        .spawn()
        .ok()?;
    child.stdin.take().unwrap().write_all(text).unwrap();
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success(), "kubectl rejects it");
    let objects = serde_json::Deserializer::from_slice(&output.stdout).into_iter::<Value>();
    let name = |object: Value| {
        let metadata = &object["metadata"];
        let word = |key: &str| metadata[key].as_str().unwrap_or_default();
        format!("configmaps/{}/{}", word("namespace"), word("name"))
    };
    let mut names: Vec<String> = objects.map(|object| name(object.unwrap())).collect();
    names.sort();
    Some(names)
}

#[test]
fn kubectl_reads_the_same_objects() {
    for (what, text, expected) in texts() {
        let Some(names) = read_by_kubectl(&text) else { return };
        assert_eq!(names, expected, "{what}");
    }
}

#[test]
fn what_kubectl_rejects_is_an_error_and_costs_only_itself() {
    let a = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a, namespace: shop}\n";
    for (bad, message) in [
        ("metadata: {name: 123}", "it has an invalid field: expected a string"),
        ("metadata: {name: b, labels: {x: true}}", "it has an invalid field: expected a string"),
    ] {
        let dump = stream(format!("{a}---\napiVersion: v1\nkind: ConfigMap\n{bad}\n").as_bytes()).unwrap();
        assert_eq!(names(&dump), ["configmaps/shop/a"], "{bad}");
        assert_eq!(
            broken(&dump),
            [format!("standard input line 5: expected a Kubernetes object, but {message}")]
        );
    }
}

#[test]
fn lists_in_lists_are_read() {
    let a = r#"{"metadata":{"name":"a","namespace":"shop"}}"#;
    let b = r#"{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"b","namespace":"shop"}}"#;
    let typed = format!(r#"{{"kind":"ConfigMapList","apiVersion":"v1","items":[{a}]}}"#);
    let list = |items: &str| format!(r#"{{"kind":"List","apiVersion":"v1","items":[{items}]}}"#);
    for text in [
        list(&format!("{typed},{b}")),
        list(&list(&format!("{},{b}", list(&typed)))),
        list(&format!(r#"{b},{typed},{{"kind":"List","apiVersion":"v1","items":null}}"#)),
        format!("[[{typed}],[[{b}]]]"),
        format!("- {typed}\n- {b}\n"),
        format!("# YAML\n- - {typed}\n- [{b}]\n"),
        format!("kind: List\nitems:\n- kind: List\n  items:\n  - {typed}\n- {b}\n"),
    ] {
        let dump = stream(text.as_bytes()).unwrap();
        assert_eq!(names(&dump), ["configmaps/shop/a", "configmaps/shop/b"], "{text}");
        assert_eq!(broken(&dump), Vec::<String>::new(), "{text}");
        let body = dump.body(&dump.entries()[0]).unwrap();
        assert_eq!((&body["kind"], &body["apiVersion"]), (&"ConfigMap".into(), &"v1".into()), "{text}");
    }
}

#[test]
fn lists_nested_without_end_are_an_error() {
    let open = r#"{"kind":"List","apiVersion":"v1","items":["#.repeat(5_000);
    let b = r#"{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"b","namespace":"shop"}}"#;
    let dump = stream(format!("{open}{}{b}", "]}".repeat(5_000)).as_bytes()).unwrap();
    assert_eq!(names(&dump), ["configmaps/shop/b"]);
    assert_eq!(broken(&dump).len(), 1, "{:?}", broken(&dump));
}

#[test]
fn aliases_are_resolved_within_bounds() {
    let item = |name: &str, labels: &str, rest: &str| {
        format!("- apiVersion: v1\n  kind: ConfigMap\n  metadata: {{name: {name}, labels: {labels}}}\n{rest}")
    };
    let pad = format!("  data: {{pad: {}}}\n", "x".repeat(900_000));
    let aliases: String = (0..40).map(|number| item(&format!("n{number}"), "*l", "")).collect();
    let text = format!("apiVersion: v1\nkind: List\nitems:\n{}{aliases}", item("a", "&l {q: r}", &pad));
    let dump = stream(text.as_bytes()).unwrap();
    assert!((10..30).contains(&names(&dump).len()), "{}", names(&dump).len());
    assert_eq!(names(&dump).len() + broken(&dump).len(), 41);
}
