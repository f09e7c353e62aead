//! What a dump does not contain.

use serde_json::json;

use super::{config_map, dump, list, missing};
use crate::model::coverage::Scope;
use crate::model::gap::Reason;

#[test]
fn a_kind_of_which_nothing_is_there_is_a_gap() {
    let dump = dump(&config_map("a").to_string());
    let gaps = missing(&dump, "shop");
    assert!(!gaps.contains(&"configmaps".to_owned()), "{gaps:?}");
    assert!(gaps.contains(&"pods".to_owned()) && gaps.contains(&"deployments.apps".to_owned()));
    // Cluster-scoped kinds are not expected in a namespace, and a kind that is never listed is no gap.
    assert!(!gaps.contains(&"nodes".to_owned()) && !gaps.contains(&"events".to_owned()));
    let all = dump.missing(&Scope::Cluster);
    assert!(all.iter().any(|gap| gap.what() == "nodes"));
    assert!(all.iter().all(|gap| gap.reason == Reason::NotInDump && gap.verb == "list"));
    assert_eq!(all[0].reason.to_string(), "not in the dump");
}

#[test]
fn a_namespace_of_which_nothing_is_there_is_one_gap() {
    assert_eq!(missing(&dump(&config_map("a").to_string()), "other"), ["namespace other"]);
}

#[test]
fn a_kind_that_only_owner_references_name_is_a_gap_and_not_unknown() {
    let mut child = config_map("a");
    child["metadata"]["ownerReferences"] =
        json!([{"apiVersion": "example.com/v1", "kind": "Website", "name": "w", "uid": "u"}, {"name": "x"}]);
    let dump = dump(&child.to_string());
    assert!(dump.discovered().kinds.iter().any(|kind| kind.full_name() == "websites.example.com"));
    assert!(missing(&dump, "shop").contains(&"websites.example.com".to_owned()));
}

#[test]
fn an_empty_typed_list_proves_that_there_was_nothing() {
    for empty in [
        json!({"kind": "SecretList", "apiVersion": "v1", "items": []}).to_string(),
        json!({"kind": "SecretList", "apiVersion": "v1", "items": null}).to_string(),
        json!({"kind": "SecretList", "apiVersion": "v1"}).to_string(),
        json!({"items": [], "kind": "SecretList", "apiVersion": "v1"}).to_string(),
    ] {
        let dump = dump(&format!("{}{empty}", config_map("a")));
        assert!(!missing(&dump, "shop").contains(&"secrets".to_owned()), "{empty}");
        assert!(!dump.missing(&Scope::Cluster).iter().any(|gap| gap.what() == "secrets"), "{empty}");
    }
    let yaml = serde_saphyr::to_string(&config_map("a")).unwrap();
    for empty in ["items: []", "items:", "items: null"] {
        let dump = dump(&format!("{yaml}---\napiVersion: v1\n{empty}\nkind: SecretList\n"));
        assert!(!missing(&dump, "shop").contains(&"secrets".to_owned()), "{empty}");
    }
    // A plain empty list does not say of which kind.
    let dump = dump(&format!("{}{}", config_map("a"), list(&[])));
    assert!(missing(&dump, "shop").contains(&"secrets".to_owned()));
}

#[test]
fn a_list_of_one_namespace_proves_nothing_of_another() {
    let item = |namespace: &str| json!({"metadata": {"name": "a", "namespace": namespace}});
    let secrets =
        |items: serde_json::Value| json!({"kind": "SecretList", "apiVersion": "v1", "items": items});
    let lacks = |list: serde_json::Value| {
        missing(&dump(&format!("{}{list}", config_map("a"))), "shop").contains(&"secrets".to_owned())
    };
    assert!(lacks(secrets(json!([item("x")]))));
    assert!(!lacks(secrets(json!([item("shop")]))));
    // Only a list of all namespaces has items in two.
    assert!(!lacks(secrets(json!([item("x"), item("y")]))));
}

#[test]
fn a_list_that_was_cut_proves_only_its_items() {
    let cut = r#"{"kind": "SecretList", "apiVersion": "v1", "items": ["#;
    let dump = dump(&format!("{}{cut}", config_map("a")));
    assert!(missing(&dump, "shop").contains(&"secrets".to_owned()));
}
