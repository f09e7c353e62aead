//! The last lines of a crashed container, from a dump.

use super::{TestHome, call};

const POD: &str = "\
apiVersion: v1
kind: Pod
metadata: {name: web-0, namespace: shop, uid: p, creationTimestamp: 2026-11-02T07:00:00Z}
spec: {containers: [{name: app}]}
status:
  phase: Running
  conditions: [{type: Ready, status: 'False', lastTransitionTime: 2026-11-02T08:00:00Z}]
  containerStatuses:
  - name: app
    ready: false
    restartCount: 3
    state: {waiting: {reason: CrashLoopBackOff}}
    lastState: {terminated: {exitCode: 1, reason: Error}}
";

/// The line that starts with `log (`, and those below it.
fn log(output: &str) -> &str {
    let start = output.find("log (").unwrap_or_else(|| panic!("no log: {output}"));
    output[start..].split("\n\n").next().unwrap_or_default()
}

#[test]
fn a_must_gather_has_the_previous_run() {
    let logs = "dump/namespaces/shop/pods/web-0/app/app/logs";
    let place = TestHome::new()
        .file("dump/namespaces/shop/pods/web-0/web-0.yaml", POD)
        .file(&format!("{logs}/current.log"), "starting\n")
        .file(&format!("{logs}/previous.log"), "one\ntwo\nthree\nfour\nfive\n\x1b[2Jpanic: six\n");
    let output = place.call("status pod/web-0 -n shop --from dump");
    let expected = "log (Pod/web-0, container app, previous run, last 5 lines)\n  two\n  three\n  four\n  five\n  ^[[2Jpanic: six";
    assert_eq!(log(&output), expected, "{output}");
    let json = place
        .call("status pod/web-0 -n shop --from dump --log-lines 1 -o jsonpath={.resources[0].log.lines}");
    assert!(json.contains("panic: six") && !json.contains("five"), "{json}");
}

#[test]
fn a_cluster_info_dump_has_a_section_for_each_container() {
    let logs = "==== START logs for container side of pod shop/web-0 ====\nfine\n==== END logs for container side of \
        pod shop/web-0 ====\n==== START logs for container app of pod shop/web-0 ====\nboom\n==== END logs for container \
        app of pod shop/web-0 ====\n";
    let place = TestHome::new().file("dump/shop/pods.yaml", POD).file("dump/shop/web-0/logs.txt", logs);
    let output = place.call("status pod/web-0 -n shop --from dump");
    assert_eq!(log(&output), "log (Pod/web-0, container app, previous run, last line)\n  boom", "{output}");
}

#[test]
fn a_dump_without_logs_says_so_and_is_no_less_complete() {
    let place = TestHome::new().file("pods.yaml", POD);
    let with = place.call("status pod/web-0 -n shop --from pods.yaml");
    assert_eq!(log(&with), "log (Pod/web-0, container app, previous run): not in the dump", "{with}");
    let without = place.call("status pod/web-0 -n shop --from pods.yaml --log-lines 0");
    assert!(!without.contains("log ("), "{without}");
    let footer = |output: &str| output.lines().find(|line| line.contains("complete: ")).map(str::to_owned);
    assert_eq!(footer(&with), footer(&without));
    assert!(with.ends_with("--- exit 1\n") && without.ends_with("--- exit 1\n"));
}

#[test]
fn the_demo_shows_the_last_lines_and_a_list_does_not() {
    let output = call("status website/shop -n shop --demo");
    let log = log(&output);
    assert!(log.contains(", container nginx, previous run, last 5 lines)\n"), "{output}");
    assert!(
        log.contains("\n  nginx: [emerg] invalid number of arguments in \"listen\" directive"),
        "{output}"
    );
    assert!(output.find("\nlog (") < output.find("\nevents ("), "{output}");
    assert!(!call("status -A --demo").contains("log ("));
    assert!(!call("status websites -n shop --demo").contains("log ("));
}

#[test]
fn the_number_of_lines_is_limited() {
    for value in ["1001", "-1", "many"] {
        let output = call(&format!("status website/shop -n shop --demo --log-lines={value}"));
        assert!(output.contains(&format!("invalid value \"{value}\" for --log-lines")), "{output}");
        assert!(output.ends_with("--- exit 2\n"), "{output}");
    }
}
