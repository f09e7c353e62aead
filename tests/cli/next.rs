//! Pasting the `next:` command again and again ends, and never shows the same page twice.

use super::{TestHome, call};

/// The next command of an answer, without the program.
fn next(output: &str) -> Option<String> {
    let line = output.lines().find_map(|line| line.strip_prefix("next: "))?;
    Some(line.strip_prefix("kubectl op ").unwrap_or_else(|| panic!("{line} cannot read a dump")).to_owned())
}

fn follow(start: &str, call: impl Fn(&str) -> String) -> Vec<String> {
    let mut visited = vec![start.to_owned()];
    while let Some(next) = next(&call(visited.last().unwrap())) {
        assert!(!visited.contains(&next), "{visited:?} leads back to {next}");
        visited.push(next);
        assert!(visited.len() <= 4, "{visited:?}");
    }
    visited
}

#[test]
fn every_path_through_the_demo_cluster_ends() {
    let names = call("status -A --demo -o json");
    let report: serde_json::Value = serde_json::from_str(names.split("--- exit").next().unwrap()).unwrap();
    let resources = report["resources"].as_array().unwrap();
    assert!(resources.len() > 5);
    for resource in resources {
        let word = |key: &str| resource["object"][key].as_str().unwrap_or_default().to_owned();
        let group = word("apiVersion").split_once('/').map(|(group, _)| group.to_owned()).unwrap_or_default();
        let object = format!(
            "{}.{group}/{} -n {} --demo",
            word("kind").to_lowercase(),
            word("name"),
            word("namespace")
        );
        for command in ["tree", "tree --around", "status", "status --no-children", "events"] {
            follow(&format!("{command} {object}"), call);
        }
    }
    for start in ["status -A --demo", "status --demo", "tree websites -n shop --demo", "explain --list"] {
        follow(start, call);
    }
}

#[test]
fn a_crash_leads_to_what_can_be_done_about_it() {
    let visited = follow("tree website/shop -n shop --demo", call);
    let expected = [
        "tree website/shop -n shop --demo",
        "status website.webapp.example.com/shop -n shop --demo",
        "explain OP-H010",
    ];
    assert_eq!(visited, expected);
}

#[test]
fn what_is_healthy_has_no_next_command() {
    assert_eq!(next(&call("status website/blog -n shop --demo")), None);
    let pods = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a, namespace: shop, uid: c}\n";
    let place = TestHome::new().file("a.yaml", pods);
    assert_eq!(next(&place.call("tree configmap/a -n shop --from a.yaml")), None);
}
