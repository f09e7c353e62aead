//! `status` of the built-in demo cluster, and invalid command lines.

use serde_json::Value;

use crate::{TestHome, call};

#[test]
fn words_that_cannot_be_followed() {
    for (words, error) in [
        ("status website/shop -w --demo", "a dump does not change"),
        ("status website/shop --wait --demo", "a dump does not change"),
        ("status websites --wait", "--wait requires the name of an object"),
        ("status website/a website/b -w", "-w: expected exactly one object"),
        ("status website/shop --wait=soon", "invalid value \"soon\""),
        ("status website/shop --wait -w", "--w"),
        ("status website/shop -l =", "unable to parse requirement"),
        ("status website/shop -n shop --demo -o dot", "allowed formats are: json,jsonpath,name,wide,yaml"),
        ("status website/shop -l app=shop --demo", "name cannot be provided when a selector is specified"),
        ("status website a b -l app=shop --demo", "name cannot be provided when a selector is specified"),
        (
            "status website/shop website/blog -A --demo",
            "a resource cannot be retrieved by name across all namespaces",
        ),
        ("status website shop -A --demo", "a resource cannot be retrieved by name across all namespaces"),
        ("status site/shop --demo", "the demo cluster doesn't have a resource type \"site\""),
    ] {
        let told = call(words);
        assert!(told.contains("error: ") && told.contains(error), "{words}: {told}");
        assert!(told.ends_with("--- exit 2\n"), "{words}: {told}");
    }
}

#[test]
fn the_verdict_is_the_first_line_and_the_exit_code() {
    for (words, first, code) in [
        ("status website/shop -n shop --demo", "Website/shop reports Ready, but Pod/shop-", 1),
        ("status website/blog -n shop --demo", "Website/blog has been Ready for 3d; ", 0),
        ("status memcached/mc -n cache --demo", "Memcached/mc has been Ready for 3d; 5 objects below it", 0),
        (
            "status vg/old -n vms --demo",
            "VmGroup/old is Stuck: deletion requested 130m ago; waiting for finalizer ",
            1,
        ),
        (
            "status voteconfig/demo --demo",
            "VoteConfig/demo is Unknown: its status has no condition, phase or ready field; ",
            3,
        ),
        ("status vg -n vms --demo", "1 of 2 VmGroups is not healthy", 1),
        ("status --demo", "2 of 11 custom resources are not healthy, ", 1),
        ("status -n default --demo", "the health of 1 VoteConfig is unknown", 3),
        (
            "status helloworld/my-hello-world -n greetings --demo",
            "HelloWorld/my-hello-world is Unknown: its kind keeps no status; it owns nothing, 1 object is related",
            3,
        ),
        ("status -n greetings --demo", "1 HelloWorld keeps no status\n", 0),
        (
            "status website/shop -n shop --no-children --demo",
            "Website/shop is Progressing: 1 of 2 replicas ready",
            1,
        ),
    ] {
        let told = call(words);
        assert!(told.starts_with(first), "{words}: {told}");
        assert!(told.ends_with(&format!("--- exit {code}\n")), "{words}: {told}");
    }
}

#[test]
fn data_has_everything_that_the_page_says() {
    let output = TestHome::new().command("status website/shop -n shop --demo -o json").output().unwrap();
    let report: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(report["schema"], "kubectl-op/status/v1");
    let resource = &report["resources"][0];
    assert_eq!(resource["verdict"], "Failed");
    assert_eq!(resource["cause"]["code"], "OP-H010");
    assert_eq!(resource["conditions"][0]["type"], "Ready");
    assert_eq!(resource["conditions"][0]["judged"], "good");
    assert!(resource["children"].as_array().unwrap().len() >= 6);
    assert!(!resource["events"].as_array().unwrap().is_empty());
    assert!(resource["findings"].as_array().unwrap().iter().any(|finding| finding["code"] == "OP-H001"));
    assert_eq!(report["complete"], true);
}
