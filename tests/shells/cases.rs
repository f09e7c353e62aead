//! What can be completed, from the definition of the command line: every command, every flag of every command, and
//! every value of a flag or argument.

use clap::{Arg, Command};

/// What is typed before TAB, and the whole line after it.
pub(crate) struct Case {
    pub(crate) typed: String,
    pub(crate) completed: String,
}

pub(crate) fn all() -> Vec<Case> {
    let mut definition = kubectl_op::cli::definition();
    definition.build();
    let mut cases = Vec::new();
    let commands: Vec<&Command> =
        definition.get_subcommands().filter(|command| command.get_name() != "help").collect();
    let names: Vec<String> =
        definition.get_subcommands().map(|command| command.get_name().to_owned()).collect();
    add("kubectl-op", &names, &mut cases);
    for command in commands {
        let call = format!("kubectl-op {}", command.get_name());
        let flags: Vec<String> = flags(command).map(|(long, _)| format!("--{long}")).collect();
        add(&call, &flags, &mut cases);
        for (long, flag) in flags_with_values(command) {
            add(&format!("{call} --{long}"), &values(flag), &mut cases);
        }
        for argument in command.get_positionals() {
            add(&call, &values(argument), &mut cases);
        }
    }
    assert!(cases.len() > 200, "{} cases", cases.len());
    cases
}

fn flags(command: &Command) -> impl Iterator<Item = (&str, &Arg)> {
    command.get_arguments().filter_map(|flag| Some((flag.get_long()?, flag)))
}

/// Flags that are followed by one of several values, as a word of its own.
fn flags_with_values(command: &Command) -> impl Iterator<Item = (&str, &Arg)> {
    flags(command).filter(|(_, flag)| flag.get_action().takes_values() && !flag.is_require_equals_set())
}

fn values(argument: &Arg) -> Vec<String> {
    argument.get_possible_values().iter().map(|value| value.get_name().to_owned()).collect()
}

/// Adds a case for each word that a part of it identifies.
fn add(before: &str, words: &[String], cases: &mut Vec<Case>) {
    for word in words {
        let is_unique = |part: &str| words.iter().filter(|other| other.starts_with(part)).count() == 1;
        let part = (1..word.len()).map(|end| &word[..end]).find(|part| is_unique(part));
        // A word that starts another one, such as --as, cannot be completed.
        let Some(part) = part.filter(|part| *part != "-") else { continue };
        cases.push(Case { typed: format!("{before} {part}"), completed: format!("{before} {word}") });
    }
}
