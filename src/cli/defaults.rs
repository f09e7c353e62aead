//! The default flags of the settings file: checked against the flags that each command has, and handed to
//! clap as its own defaults, so that a typed flag wins and no default causes a conflict.

use std::ffi::OsString;

use clap::builder::BoolishValueParser;
use clap::parser::ValueSource;
use clap::{Arg, ArgAction, Command};

use super::{Wish, misuse};
use crate::error::Failure;
use crate::settings::{DefaultFlag, Defaults, Flags};

/// The commands that read the settings file; the others work whatever it says.
pub(super) const COMMANDS: [&str; 3] = ["events", "status", "tree"];

/// Flags that choose what a command does, not how: with a default for one, it would do something else.
const WITHOUT_DEFAULT: [&str; 3] = ["filename", "wait", "watch"];

/// Typed flags that mean a cluster, not a dump.
const CLUSTER: &[&str] = &["cluster", "context", "kubeconfig", "server", "wait", "watch"];

/// Defaults that yield to typed flags with which clap sees no conflict.
const YIELDS: [(&str, &[&str]); 3] =
    [("all-namespaces", &["namespace"]), ("demo", CLUSTER), ("from", CLUSTER)];

/// The formats in which every command can write changes.
const WATCHABLE: [&str; 2] = ["json", "wide"];

/// The commands that may have defaults, each with the long names of its flags and the common ones.
pub(super) fn flags(definition: &Command) -> Flags {
    let longs = |command: &Command| -> Vec<String> {
        command.get_arguments().filter_map(|flag| flag.get_long().map(str::to_owned)).collect()
    };
    let commands = definition.get_subcommands().filter(|command| COMMANDS.contains(&command.get_name()));
    commands
        .map(|command| (command.get_name().to_owned(), [longs(command), longs(definition)].concat()))
        .collect()
}

/// Gives the defaults of the typed command to `definition`, except those that yield to a typed flag.
pub(super) fn apply(definition: Command, words: &[OsString], defaults: &Defaults) -> Command {
    let mut built = definition.clone();
    // Gives every command the common flags, too.
    built.build();
    let Ok(matches) = built.clone().try_get_matches_from(words) else { return definition };
    let Some((name, typed)) = matches.subcommand() else { return definition };
    let Some(command) = built.find_subcommand(name) else { return definition };
    let typed: Vec<&Arg> = command
        .get_arguments()
        .filter(|flag| typed.value_source(flag.get_id().as_str()) == Some(ValueSource::CommandLine))
        .collect();
    let defaults = defaults.flags().iter().filter(|default| default.command == name);
    defaults.fold(definition, |definition, default| match find(command, &default.flag) {
        Some(flag) if !yields(command, flag, default, &typed) => set(definition, name, flag, default),
        _ => definition,
    })
}

/// Checks the defaults of all commands: their values, and that they do not conflict with each other.
pub(super) fn check(mut root: Command, program: &str, defaults: &Defaults) -> Result<(), Failure> {
    root.build();
    let mut checked: Vec<(&DefaultFlag, &Arg)> = Vec::new();
    for default in defaults.flags() {
        let Some(command) = root.find_subcommand(&default.command) else { continue };
        let Some(flag) = find(command, &default.flag) else { continue };
        check_value(&root, program, flag, default, defaults)?;
        if is_switch(flag) && default.values == ["false"] {
            continue;
        }
        let conflicting = checked
            .iter()
            .find(|(other, arg)| other.command == default.command && conflict(command, flag, arg));
        if let Some((other, _)) = conflicting {
            return Err(defaults
                .invalid(default, &format!("conflicts with defaults.{}.{}", other.command, other.flag)));
        }
        checked.push((default, flag));
    }
    Ok(())
}

fn check_value(
    root: &Command,
    program: &str,
    flag: &Arg,
    default: &DefaultFlag,
    defaults: &Defaults,
) -> Result<(), Failure> {
    let DefaultFlag { command, flag: name, values, .. } = default;
    if WITHOUT_DEFAULT.contains(&name.as_str()) {
        let message = format!("--{name} cannot have a default");
        return Err(defaults
            .invalid(default, &message)
            .hint(format!("type it: {program} {command} --{name}")));
    }
    if is_switch(flag) {
        return match values.as_slice() {
            [value] if value == "true" || value == "false" => Ok(()),
            _ => {
                let message = format!("invalid value \"{}\" for --{name}", values.join(","));
                Err(defaults.invalid(default, &message).hint("expected true or false"))
            }
        };
    }
    if values.len() > 1 && !matches!(flag.get_action(), ArgAction::Append) {
        let message = format!("--{name} takes one value, not a list");
        return Err(defaults.invalid(default, &message));
    }
    let typed = values.iter().map(|value| format!("--{name}={value}"));
    let words: Vec<OsString> =
        [program.to_owned(), command.clone()].into_iter().chain(typed).map(OsString::from).collect();
    match root.clone().try_get_matches_from(&words) {
        Ok(_) => Ok(()),
        Err(error) => Err(match misuse::explain(&error, program, root, &words) {
            Wish::Misuse { message, hint } => defaults.invalid(default, &message).hint(hint),
            Wish::Help(_) | Wish::Run(_) => defaults.invalid(default, "invalid value"),
        }),
    }
}

/// Whether a default is dropped because of what was typed.
fn yields(command: &Command, flag: &Arg, default: &DefaultFlag, typed: &[&Arg]) -> bool {
    let is_typed = |long: &str| typed.iter().any(|typed| typed.get_long() == Some(long));
    let yields = YIELDS.iter().filter(|(name, _)| *name == default.flag).flat_map(|(_, to)| *to);
    let is_watched = is_typed("watch") || is_typed("wait");
    is_typed(&default.flag)
        || typed.iter().any(|typed| conflict(command, flag, typed))
        || yields.into_iter().any(|to| is_typed(to))
        || is_watched
            && default.flag == "output"
            && !default.values.iter().all(|format| WATCHABLE.contains(&format.as_str()))
}

/// Whether clap refuses the two flags together; it notes that on one of them.
fn conflict(command: &Command, one: &Arg, other: &Arg) -> bool {
    let notes = |one: &Arg, other: &Arg| {
        command.get_arg_conflicts_with(one).iter().any(|flag| flag.get_id() == other.get_id())
    };
    notes(one, other) || notes(other, one)
}

fn set(definition: Command, command: &str, flag: &Arg, default: &DefaultFlag) -> Command {
    let id = flag.get_id().as_str();
    let set = |flag: Arg| flag.default_values(default.values.clone());
    if flag.is_global_set() {
        definition.mut_arg(id, set)
    } else {
        definition.mut_subcommand(command, |command| command.mut_arg(id, set))
    }
}

fn find<'a>(command: &'a Command, long: &str) -> Option<&'a Arg> {
    command.get_arguments().find(|flag| flag.get_long() == Some(long))
}

fn is_switch(flag: &Arg) -> bool {
    matches!(flag.get_action(), ArgAction::SetTrue)
}

/// Lets switches that are typed as `--all=false` take the value, as kubectl's do: how to turn a default off.
/// Only those, because clap would show a value in the help of the others.
pub(super) fn accept_switch_values(definition: Command, words: &[OsString]) -> Command {
    let typed: Vec<&str> = words
        .iter()
        .take_while(|word| *word != "--")
        .filter_map(|word| word.to_str()?.strip_prefix("--")?.split_once('=').map(|(long, _)| long))
        .collect();
    let accept = |flag: Arg| {
        if !is_switch(&flag) || !flag.get_long().is_some_and(|long| typed.contains(&long)) {
            return flag;
        }
        flag.action(ArgAction::Set)
            .value_parser(BoolishValueParser::new())
            .num_args(0..=1)
            .require_equals(true)
            .default_value("false")
            .default_missing_value("true")
            .hide_possible_values(true)
    };
    definition.mut_args(accept).mut_subcommands(|command| command.mut_args(accept))
}

#[cfg(test)]
mod tests {
    use super::super::{definition, parse};
    use super::*;

    #[test]
    fn the_commands_with_defaults_are_those_that_read_settings() {
        for command in definition().get_subcommands() {
            let name = command.get_name();
            let call = parse(["kubectl-op", name].map(OsString::from));
            assert_eq!(call.reads_settings(), COMMANDS.contains(&name), "{name}");
        }
    }

    #[test]
    fn the_flags_in_the_tables_exist() {
        let flags = flags(&definition());
        let names = YIELDS.iter().flat_map(|(name, to)| [&[*name], *to].concat()).chain(WITHOUT_DEFAULT);
        for name in names {
            assert!(flags.values().any(|flags| flags.iter().any(|flag| flag == name)), "{name}");
        }
    }
}
