//! `explain`: the codes of findings, without a cluster.

use super::{TestHome, call};

#[test]
fn a_code_has_a_page() {
    let page = call("explain OP-T006");
    assert_eq!(page, call("explain op-t006"));
    insta::assert_snapshot!(page, @"
    OP-T006 (warning) it is its own owner (a cycle of owner references)

    what it means
      Following the owner references from the object leads back to it.
    why it matters
      A foreground deletion of one of them never finishes, because each waits for the other.
    what to do
      See the cycle:
        kubectl op tree TYPE/NAME -n NAMESPACE
      Remove one of the references:
        kubectl edit TYPE NAME -n NAMESPACE
    read more
      https://kubernetes.io/docs/concepts/overview/working-with-objects/owners-dependents/
    --- exit 0
    ");
}

#[test]
fn the_list_has_every_code_of_the_table() {
    let told = call("explain --list");
    let codes = kubectl_op::known::codes::CODES;
    assert!(
        told.starts_with(&format!("{} finding codes\n\nCODE     SEVERITY  MEANING\n", codes.len())),
        "{told}"
    );
    for code in codes {
        assert!(
            told.lines().any(|line| line.starts_with(code.code.as_str()) && line.ends_with(code.title)),
            "{told}"
        );
        assert!(call(&format!("explain {}", code.code)).contains(code.link), "{}", code.code);
    }
    assert!(told.ends_with("\nnext: kubectl op explain OP-H001\n--- exit 0\n"), "{told}");
}

#[test]
fn programs_get_the_same_as_data() {
    let one = call("explain OP-T006 -o json");
    let report: serde_json::Value = serde_json::from_str(one.trim_end_matches("--- exit 0\n")).unwrap();
    assert_eq!(report["schema"], "kubectl-op/explain/v1");
    assert_eq!(report["codes"][0]["code"], "OP-T006");
    assert_eq!(report["codes"][0]["severity"], "warning");
    assert!(report["codes"][0]["steps"][0]["command"].as_str().unwrap().starts_with("kubectl op tree"));
    assert!(call("explain --list -o yaml").starts_with("schema: kubectl-op/explain/v1\ncodes:\n"));
}

#[test]
fn an_unknown_code_has_near_ones() {
    insta::assert_snapshot!(call("explain OP-T009"), @r#"
    --- stderr
    error: unknown code "OP-T009"
    hint: did you mean OP-T001, OP-T002 or OP-T003? For a list of all codes: kubectl op explain --list
    --- exit 2
    "#);
    insta::assert_snapshot!(call("explain nonsense"), @r#"
    --- stderr
    error: unknown code "nonsense"
    hint: for a list of all codes: kubectl op explain --list
    --- exit 2
    "#);
    insta::assert_snapshot!(call("explain"), @"
    --- stderr
    error: missing argument: CODE
    hint: usage: kubectl op explain CODE | --list [flags]
    --- exit 2
    ");
    let told = call("explain OP-T001 --list");
    assert!(told.contains("error: ") && told.ends_with("--- exit 2\n"), "{told}");
}

#[test]
fn links_can_be_clicked_only_where_that_is_asked_for_or_known_to_work() {
    let link = "\x1b]8;;https://kubernetes.io/";
    assert!(call("explain OP-T001 --hyperlinks always").contains(link));
    assert!(TestHome::new().env("FORCE_HYPERLINK", "1").call("explain OP-T001").contains(link));
    for home in [TestHome::new().env("WT_SESSION", "x"), TestHome::new().env("FORCE_HYPERLINK", "0")] {
        assert!(!home.call("explain OP-T001").contains('\x1b'), "a pipe is no terminal");
    }
    let never = TestHome::new().env("FORCE_HYPERLINK", "1").call("explain OP-T001 --hyperlinks never");
    assert!(!never.contains('\x1b') && never.contains("  https://kubernetes.io/"), "{never}");
}
