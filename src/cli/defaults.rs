//! Default flags from the settings file. They are checked against the flags of each command and passed to clap as its
//! own defaults, so that flags on the command line take precedence and no default causes a conflict.

use std::ffi::OsString;

use clap::builder::BoolishValueParser;
use clap::parser::ValueSource;
use clap::{Arg, ArgAction, Command};

use super::{Invocation, usage_error};
use crate::error::Failure;
use crate::settings::{DefaultFlag, Defaults, Flags};

/// The commands that read the settings file. The others ignore it, even if it is not valid.
pub(super) const COMMANDS: [&str; 3] = ["events", "status", "tree"];

/// Flags without defaults: they select what a command does, not how it does it.
const WITHOUT_DEFAULT: [&str; 3] = ["filename", "wait", "watch"];

/// Flags that require a cluster instead of a dump.
const CLUSTER: &[&str] = &["cluster", "context", "kubeconfig", "server", "wait", "watch"];

/// Defaults that are dropped if one of these flags is on the command line, although clap does not know that they conflict.
const YIELDS: [(&str, &[&str]); 3] =
    [("all-namespaces", &["namespace"]), ("demo", CLUSTER), ("from", CLUSTER)];

/// The formats that every command supports with `-w`.
const WATCHABLE: [&str; 2] = ["json", "wide"];

/// The commands that can have defaults, each with the long names of its own and the global flags.
pub(super) fn flags(definition: &Command) -> Flags {
    let longs = |command: &Command| -> Vec<String> {
        command.get_arguments().filter_map(|flag| flag.get_long().map(str::to_owned)).collect()
    };
    let commands = definition.get_subcommands().filter(|command| COMMANDS.contains(&command.get_name()));
    commands
        .map(|command| (command.get_name().to_owned(), [longs(command), longs(definition)].concat()))
        .collect()
}

/// Adds the defaults of the command to `definition`, except those that yield to a flag on the command line.
pub(super) fn apply(definition: Command, args: &[OsString], defaults: &Defaults) -> Command {
    let mut built = definition.clone();
    // Adds the global flags to every command.
    built.build();
    let Ok(matches) = built.clone().try_get_matches_from(args) else { return definition };
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

/// Checks the values of all defaults, and that they do not conflict with each other.
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
            .hint(format!("use it on the command line: {program} {command} --{name}")));
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
        let message = format!("--{name} accepts one value, not a list");
        return Err(defaults.invalid(default, &message));
    }
    let typed = values.iter().map(|value| format!("--{name}={value}"));
    let args: Vec<OsString> =
        [program.to_owned(), command.clone()].into_iter().chain(typed).map(OsString::from).collect();
    match root.clone().try_get_matches_from(&args) {
        Ok(_) => Ok(()),
        Err(error) => Err(match usage_error::explain(&error, program, root, &args) {
            Invocation::UsageError { message, hint } => defaults.invalid(default, &message).hint(hint),
            Invocation::Help(_) | Invocation::Run(_) => defaults.invalid(default, "invalid value"),
        }),
    }
}

/// Whether a default is dropped because of the flags on the command line.
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

/// Whether clap rejects the two flags together. The conflict is declared on one of them.
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

/// Lets switches on the command line have a value, as in `--all=false`, which turns a default off. kubectl's switches do
/// the same. Only those on the command line are changed: otherwise help would show a value for every switch.
pub(super) fn accept_switch_values(definition: Command, args: &[OsString]) -> Command {
    let typed: Vec<&str> = args
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
