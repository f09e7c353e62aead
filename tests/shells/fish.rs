//! Completion in fish, which has a command that prints what TAB would offer.

use std::fmt::Write as _;
use std::process::Command;

use libtest_mimic::{Completion, Failed};

use crate::cases;
use crate::terminal::{Home, missing};

pub(crate) fn completes_commands_flags_and_values() -> Result<Completion, Failed> {
    if let Some(reason) = missing(&["fish"]) {
        return Ok(Completion::ignored_with(reason));
    }
    let home = Home::new();
    let cases = cases::all();
    let mut script = Home::script("fish") + "set -x PATH ~/bin $PATH\n";
    for case in &cases {
        writeln!(script, "echo '> {}'\ncomplete -C '{}'", case.typed, case.typed)?;
    }
    home.write("script", &script);
    let fish = Command::new("fish")
        .arg("--no-config")
        .arg(home.path("script"))
        .env("HOME", home.path(""))
        .output()?;
    let offered = String::from_utf8(fish.stdout)?;
    let mut answers = offered.split("> kubectl-op").skip(1);
    let mut wrong = Vec::new();
    for case in &cases {
        let answer = answers.next().ok_or("fish ended early")?;
        // A description follows each word.
        let words: Vec<&str> = answer.lines().skip(1).filter_map(|line| line.split('\t').next()).collect();
        let word = case.completed.rsplit(' ').next().unwrap();
        if words != [word] {
            wrong.push(format!("{} TAB: {words:?}, not {word}", case.typed));
        }
    }
    if wrong.is_empty() { Ok(Completion::Completed) } else { Err(Failed::from(wrong.join("\n"))) }
}
