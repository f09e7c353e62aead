//! Folders as tools write them.

use std::fs;
use std::io::Write as _;
use std::path::Path;

use flate2::Compression;
use flate2::write::GzEncoder;
use serde_json::json;
use tempfile::TempDir;

use super::{broken, config_map, list, missing, names, open, open_all};

fn folder(files: &[(&str, String)]) -> TempDir {
    let root = tempfile::tempdir().unwrap();
    for (name, text) in files {
        let path = root.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    root
}

fn pod(namespace: &str, name: &str) -> serde_json::Value {
    json!({"apiVersion": "v1", "kind": "Pod", "metadata": {"name": name, "namespace": namespace, "uid": name}})
}

#[test]
fn a_must_gather_is_read_with_what_its_paths_say() {
    let empty = |kind: &str| format!("apiVersion: v1\nitems: []\nkind: {kind}\n");
    let root = folder(&[
        (
            "x/namespaces/shop/core/configmaps.yaml",
            serde_saphyr::to_string(&list(&[config_map("a")])).unwrap(),
        ),
        ("x/namespaces/shop/core/secrets.yaml", empty("List")),
        ("x/namespaces/shop/core/services.yaml", empty("ServiceList")),
        ("x/namespaces/shop/pods/p/p.yaml", pod("shop", "p").to_string()),
        ("x/namespaces/shop/pods/p/p/logs/current.log", "{ no json".to_owned()),
        ("x/namespaces/blog/core/configmaps.yaml", empty("ConfigMapList")),
        ("x/cluster-scoped-resources/core/nodes.yaml", empty("NodeList")),
        ("x/version", "4.20".to_owned()),
        ("x/other.json", r#"{"health": true}"#.to_owned()),
    ]);
    let dump = open(root.path()).unwrap();
    assert_eq!(names(&dump), ["configmaps/shop/a", "pods/shop/p"]);
    assert_eq!(broken(&dump), Vec::<String>::new());
    let (shop, blog) = (missing(&dump, "shop"), missing(&dump, "blog"));
    for known in ["configmaps", "secrets", "services", "pods"] {
        assert!(!shop.contains(&known.to_owned()), "{known}");
    }
    assert!(shop.contains(&"serviceaccounts".to_owned()));
    assert!(!blog.contains(&"configmaps".to_owned()) && blog.contains(&"secrets".to_owned()));
    assert_eq!(missing(&dump, "other"), ["namespace other"]);
    assert_eq!(dump.body(&dump.entries()[1]).unwrap(), pod("shop", "p"));
}

#[test]
fn a_cluster_info_dump_is_read_with_what_its_paths_say() {
    let list = |kind: &str, items: serde_json::Value| {
        json!({"kind": kind, "apiVersion": "v1", "items": items}).to_string()
    };
    let root = folder(&[
        ("nodes.json", list("NodeList", json!([{"metadata": {"name": "n"}}]))),
        ("shop/pods.json", list("PodList", json!([{"metadata": {"name": "p", "namespace": "shop"}}]))),
        ("shop/replication-controllers.json", list("ReplicationControllerList", json!(null))),
        ("shop/p/logs.txt", "{".to_owned()),
        ("blog/pods.json", list("PodList", json!(null))),
    ]);
    let dump = open(root.path()).unwrap();
    assert_eq!(names(&dump), ["nodes//n", "pods/shop/p"]);
    assert!(!missing(&dump, "shop").contains(&"replicationcontrollers".to_owned()));
    let blog = missing(&dump, "blog");
    assert!(!blog.contains(&"pods".to_owned()) && blog.contains(&"replicationcontrollers".to_owned()));
}

#[test]
fn a_broken_file_is_a_gap_with_its_name_and_line() {
    let cut = list(&[config_map("a"), config_map("b")]);
    let cut = serde_json::to_string_pretty(&cut).unwrap();
    let cut = &cut[..cut.rfind("two lines").unwrap()];
    let root = folder(&[
        ("a/cut.json", cut.to_owned()),
        ("b.yml", "kind: ConfigMap\nmetadata: [\n---\napiVersion: v1\nkind: ConfigMap\nmetadata: {name: c, namespace: shop}\n".to_owned()),
    ]);
    let dump = open(root.path()).unwrap();
    assert_eq!(names(&dump), ["configmaps/shop/a", "configmaps/shop/c"]);
    let gaps = broken(&dump);
    assert_eq!(gaps.len(), 2);
    assert_eq!(gaps[0], "a/cut.json line 18: expected a Kubernetes object, but it is truncated");
    assert!(gaps[1].starts_with("b.yml line "), "{gaps:?}");
}

#[test]
fn files_may_be_gzipped() {
    let gzip = |text: &str| {
        let mut writer = GzEncoder::new(Vec::new(), Compression::fast());
        writer.write_all(text.as_bytes()).unwrap();
        writer.finish().unwrap()
    };
    let root = tempfile::tempdir().unwrap();
    let mut two = gzip(&config_map("a").to_string());
    // Concatenated gzip members are one text.
    two.extend(gzip(&config_map("b").to_string()));
    fs::write(root.path().join("a.json.gz"), two).unwrap();
    for path in [root.path().to_owned(), root.path().join("a.json.gz")] {
        let dump = open(&path).unwrap();
        assert_eq!(names(&dump), ["configmaps/shop/a", "configmaps/shop/b"]);
        assert_eq!(dump.body(&dump.entries()[1]).unwrap(), config_map("b"));
    }
}

#[cfg(unix)]
#[test]
fn links_are_reported_and_not_followed() {
    let outside = folder(&[("x.json", config_map("outside").to_string())]);
    let root = folder(&[("a.json", config_map("a").to_string())]);
    let link = |to: &Path, name: &str| std::os::unix::fs::symlink(to, root.path().join(name)).unwrap();
    link(&outside.path().join("x.json"), "b.json");
    link(outside.path(), "folder");
    link(root.path(), "round");
    let dump = open(root.path()).unwrap();
    assert_eq!(names(&dump), ["configmaps/shop/a"]);
    assert_eq!(broken(&dump), ["b.json: links and special files are not read"]);
    // The path given by the user may be a link.
    let named = tempfile::tempdir().unwrap();
    std::os::unix::fs::symlink(root.path(), named.path().join("latest")).unwrap();
    assert_eq!(names(&open(&named.path().join("latest")).unwrap()), ["configmaps/shop/a"]);
}

#[test]
fn several_paths_are_one_dump_in_which_the_newest_copy_counts() {
    let mut newer = config_map("a");
    newer["metadata"]["resourceVersion"] = json!("8");
    newer["data"] = json!("new");
    let old = folder(&[("x.json", config_map("a").to_string()), ("bad.json", "{\"kind\": 1}".to_owned())]);
    let new = folder(&[("x.json", newer.to_string()), ("bad.json", "{\"kind\": 1}".to_owned())]);
    let file = new.path().join("x.json");
    for paths in [[old.path(), new.path()], [new.path(), old.path()], [&file, old.path()]] {
        let dump = open_all(&paths).unwrap();
        assert_eq!(names(&dump), ["configmaps/shop/a"]);
        assert_eq!(dump.body(&dump.entries()[0]).unwrap(), newer);
    }
    // Files of the same name in two folders are told apart.
    let dump = open_all(&[old.path(), new.path()]).unwrap();
    for root in [&old, &new] {
        let start = format!("{}/bad.json line 1: ", root.path().display());
        assert!(broken(&dump).iter().any(|error| error.starts_with(&start)), "{:?}", broken(&dump));
    }
}

#[test]
fn a_missing_path_among_several_is_a_failure_that_names_it() {
    let root = folder(&[("a.json", config_map("a").to_string())]);
    let missing = root.path().join("none");
    assert_eq!(
        open_all(&[root.path(), &missing]).unwrap_err().to_string(),
        format!("no such file or directory: {}", missing.display())
    );
}

#[test]
fn a_path_that_is_not_there_or_holds_nothing_is_a_failure() {
    let root = folder(&[("readme.txt", "hello".to_owned())]);
    let path = root.path().display().to_string();
    assert_eq!(
        open(&root.path().join("none")).unwrap_err().to_string(),
        format!("no such file or directory: {path}/none")
    );
    assert_eq!(open(root.path()).unwrap_err().to_string(), format!("no Kubernetes objects found in {path}"));
}

#[test]
fn a_file_that_changes_meanwhile_is_a_gap_and_not_another_object() {
    let root = folder(&[("a.json", config_map("a").to_string())]);
    let dump = open(root.path()).unwrap();
    for text in [config_map("b").to_string(), "x".repeat(10_000), String::new()] {
        fs::write(root.path().join("a.json"), text).unwrap();
        let gap = dump.body(&dump.entries()[0]).unwrap_err();
        assert_eq!(gap.what(), "a.json line 1");
    }
}

#[test]
fn a_file_without_an_extension_is_read_if_it_starts_like_an_object() {
    let packed = {
        let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
        encoder.write_all(pod("shop", "packed").to_string().as_bytes()).unwrap();
        encoder.finish().unwrap()
    };
    let root = folder(&[
        ("pods", serde_saphyr::to_string(&pod("shop", "yaml")).unwrap()),
        ("shop.d/pod", pod("shop", "json").to_string()),
        ("version", "v1.30\n{".to_owned()),
        ("script", "#!/bin/sh\n".to_owned()),
        ("some.log", pod("shop", "log").to_string()),
    ]);
    fs::write(root.path().join("packed.gz"), packed).unwrap();
    let dump = open(root.path()).unwrap();
    assert_eq!(names(&dump), ["pods/shop/json", "pods/shop/packed", "pods/shop/yaml"]);
    assert_eq!(broken(&dump), Vec::<String>::new());
}
