//! Colour in a pipe: only when asked for. The whole decision is a table in `ui/color.rs`.

use super::TestHome;

fn is_colored(home: &TestHome, words: &str) -> bool {
    let output = home.command(words).output().unwrap();
    output.stderr.contains(&b'\x1b')
}

#[test]
fn a_pipe_is_plain_unless_forced() {
    assert!(!is_colored(&TestHome::new(), "verson"));
    assert!(is_colored(&TestHome::new().env("CLICOLOR_FORCE", "1"), "verson"));
    assert!(!is_colored(&TestHome::new().env("CLICOLOR_FORCE", "1").env("NO_COLOR", ""), "verson"));
    assert!(is_colored(&TestHome::new().env("NO_COLOR", "1"), "verson --color always"));
}

#[test]
fn the_flag_counts_even_in_a_line_that_is_wrong() {
    let forced = TestHome::new().env("CLICOLOR_FORCE", "1");
    for words in ["--color=never verson", "version --color never --nope", "version --nope --color=never"] {
        assert!(!is_colored(&forced, words), "{words}");
    }
}

#[test]
fn error_is_red_and_hint_is_cyan() {
    let output = TestHome::new().command("--color=always verson").output().unwrap();
    insta::assert_snapshot!(String::from_utf8(output.stderr).unwrap().replace('\x1b', "ESC"), @r#"
    ESC[31;1merror:ESC[0m unknown command "verson" for "kubectl op"
    ESC[36mhint:ESC[0m did you mean: kubectl op version
    "#);
}
