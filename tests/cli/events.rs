//! `events` without a cluster: invalid command lines.

use super::call;

#[test]
fn words_that_make_no_call() {
    for (words, error) in [
        ("events", "you must specify an object"),
        ("events website/shop website/blog", "expected exactly one object"),
        (
            "events website/shop --since soon",
            "invalid value \"soon\" for --since: must be a number of seconds",
        ),
        (
            "events website/shop --types Bad",
            "invalid value \"Bad\" for --types: must be one of Normal, Warning",
        ),
        ("events website/shop -o name", "allowed formats are: json,jsonpath,wide,yaml"),
        ("events website/shop -o go-template={{.}}", "use jsonpath=TEMPLATE"),
        ("events website/shop -o jsonpath", "no template given: jsonpath={.events[*].reason}"),
        ("events website/shop -o jsonpath={.events", "unclosed action"),
        ("events -f missing.yaml", "missing.yaml: cannot be read"),
    ] {
        let told = call(words);
        assert!(told.contains("error: ") && told.contains(error), "{words}: {told}");
        assert!(told.contains("hint: ") && told.ends_with("--- exit 2\n"), "{words}: {told}");
    }
}

#[test]
fn what_makes_a_call_gets_as_far_as_looking_for_a_cluster() {
    for words in [
        "events website/shop --types warning,NORMAL --since 1h30m",
        "events website shop --no-children -A --absolute-time -o wide",
        "events websites -o jsonpath={.events[*].reason}",
    ] {
        let told = call(words);
        assert!(told.contains("error: no cluster"), "{words}: {told}");
    }
}
