//! README.md: its first commands, and that the output it shows is current.

use super::TestHome;

const FILE: &str = "README.md";

/// A line that a person types.
const PROMPT: &str = "$ ";
/// Asks for the exit code of the call before it.
const EXIT_CODE: &str = "echo $?";

/// What stands between two lines of three backticks.
#[derive(Debug, PartialEq, Eq)]
struct Block {
    /// The line of the file, from 0, on which its text starts.
    start: usize,
    lines: Vec<String>,
}

impl Block {
    /// Whether it shows calls and what came of them.
    fn is_session(&self) -> bool {
        self.lines.first().is_some_and(|line| line.starts_with(PROMPT))
    }
}

fn blocks(text: &str) -> Vec<Block> {
    let mut found = Vec::new();
    let mut open: Option<Block> = None;
    for (at, line) in text.lines().enumerate() {
        open = match (open, line.starts_with("```")) {
            (None, true) => Some(Block { start: at + 1, lines: Vec::new() }),
            (Some(block), true) => {
                found.push(block);
                None
            }
            (Some(mut block), false) => {
                block.lines.push(line.to_owned());
                Some(block)
            }
            (None, false) => None,
        };
    }
    assert_eq!(open, None, "a block does not end");
    found
}

/// Makes every call of a session again; what it should look like.
fn played(session: &Block, play: &dyn Fn(&str) -> (String, i32)) -> Vec<String> {
    let mut told = Vec::new();
    let mut code = None;
    for typed in session.lines.iter().filter_map(|line| line.strip_prefix(PROMPT)) {
        told.push(format!("{PROMPT}{typed}"));
        if typed == EXIT_CODE {
            told.push(format!("{}", code.unwrap()));
            continue;
        }
        let words = typed.strip_prefix("kubectl op ").filter(|words| words.ends_with(" --demo"));
        let words =
            words.unwrap_or_else(|| panic!("no call that can be proved, with --demo at its end: {typed}"));
        let (text, ended) = play(words);
        told.extend(text.lines().map(str::to_owned));
        code = Some(ended);
    }
    told
}

/// The text with every session as it is played now.
fn renewed(text: &str, play: &dyn Fn(&str) -> (String, i32)) -> String {
    let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
    // From the end, so that places further up stay what they are.
    for session in blocks(text).iter().rev().filter(|block| block.is_session()) {
        lines.splice(session.start..session.start + session.lines.len(), played(session, play));
    }
    lines.join("\n") + "\n"
}

/// As in a pipe: nothing is wrapped. What goes to stderr is seen too.
fn play(words: &str) -> (String, i32) {
    let home = TestHome::new().env("LANG", "C.UTF-8");
    let output = home.command(words).env_remove("COLUMNS").output().unwrap();
    let text = [output.stdout, output.stderr].map(|bytes| String::from_utf8(bytes).unwrap()).concat();
    (text, output.status.code().unwrap())
}

fn path() -> std::path::PathBuf {
    std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join(FILE)
}

/// `UPDATE_README=1 cargo test --test cli readme` writes the file instead of comparing it.
#[test]
fn answers_are_those_of_today() {
    let kept = std::fs::read_to_string(path()).unwrap();
    assert!(blocks(&kept).iter().filter(|block| block.is_session()).count() > 2);
    let fresh = renewed(&kept, &play);
    #[expect(
        clippy::disallowed_methods,
        reason = "the ban is for the program; this is a switch of the test's"
    )]
    let update = std::env::var_os("UPDATE_README").is_some();
    if update {
        std::fs::write(path(), fresh).unwrap();
        return;
    }
    for (kept, fresh) in blocks(&kept).iter().zip(blocks(&fresh)) {
        assert!(
            kept.lines == fresh.lines,
            "{FILE} is stale at line {}; refresh it: UPDATE_README=1 cargo test --test cli readme\n\
             it says:\n{}\n\nit should say:\n{}",
            kept.start + 1,
            kept.lines.join("\n"),
            fresh.lines.join("\n")
        );
    }
}

#[test]
fn it_starts_with_the_two_commands_for_a_fresh_machine() {
    let text = std::fs::read_to_string(path()).unwrap();
    let first = &blocks(&text)[0];
    assert_eq!(first.lines, ["cargo run --release -- tree voteconfig/demo --demo", "cargo test --workspace"]);
    assert!(first.start <= 5, "more than a title and one line stand before them");
    let words = first.lines[0].split_once(" -- ").unwrap().1;
    let (text, code) = play(words);
    assert!(code == 0 && text.starts_with("VoteConfig/demo "), "{text}");
}

#[test]
fn a_session_is_played_again_and_nothing_else_changes() {
    let play = |words: &str| (format!("told {words}\n"), 3);
    let text = "a\n```\n$ kubectl op x --demo\nold\nolder\n$ echo $?\n0\n```\nb\n```\ncode\n```\n";
    let expected = "a\n```\n$ kubectl op x --demo\ntold x --demo\n$ echo $?\n3\n```\nb\n```\ncode\n```\n";
    assert_eq!(renewed(text, &play), expected);
    assert_eq!(renewed(expected, &play), expected);
}

#[test]
#[should_panic(expected = "no call that can be proved")]
fn a_call_that_cannot_be_proved_is_refused() {
    renewed("```\n$ kubectl op tree website/shop\nfine\n```\n", &|_| (String::new(), 0));
}
