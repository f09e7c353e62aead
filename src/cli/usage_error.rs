//! Invalid command lines: clap's errors in kubectl's words, with a suggestion.

use std::error::Error as _;
use std::ffi::OsString;

use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Command, Error};

use super::Invocation;
use crate::model::similar;

/// Describes why `root` does not accept `args`.
pub(super) fn explain(error: &Error, program: &str, root: &Command, args: &[OsString]) -> Invocation {
    let details = Details { error };
    let command = args.iter().skip(1).find_map(|arg| root.find_subcommand(arg));
    let help = match command {
        Some(command) => format!("{program} {} --help", command.get_name()),
        None => format!("{program} --help"),
    };
    match error.kind() {
        ErrorKind::DisplayHelp => Invocation::Help(error.render().to_string()),
        ErrorKind::InvalidSubcommand => unknown_command(&details, program, &help),
        ErrorKind::UnknownArgument => unknown_argument(&details, program, &help),
        ErrorKind::InvalidValue | ErrorKind::ValueValidation => {
            let common =
                root.get_arguments().any(|flag| flag.get_long() == details.argument().strip_prefix("--"));
            let value = details.one(ContextKind::InvalidValue);
            let hint = match details.suggestion(ContextKind::SuggestedValue, &value) {
                Some(value) => format!("did you mean {value}?"),
                None if common => format!("for a list of global flags: {program} options"),
                None => help,
            };
            Invocation::UsageError { message: invalid_value(&details), hint }
        }
        ErrorKind::MissingRequiredArgument => Invocation::UsageError {
            message: format!(
                "missing argument: {}",
                details.all(ContextKind::InvalidArg).join(", ").replace(['<', '>'], "")
            ),
            hint: details.usage().unwrap_or(help),
        },
        _ => Invocation::UsageError { message: details.first_line(), hint: help },
    }
}

fn unknown_command(details: &Details, program: &str, help: &str) -> Invocation {
    let word = details.one(ContextKind::InvalidSubcommand);
    let hint = match details.suggestion(ContextKind::SuggestedSubcommand, &word) {
        _ if word.contains('/') => format!("did you mean: {program} tree {word}"),
        Some(command) => format!("did you mean: {program} {command}"),
        None => format!("for a list of commands: {help}"),
    };
    Invocation::UsageError { message: format!("unknown command \"{word}\" for \"{program}\""), hint }
}

fn unknown_argument(details: &Details, program: &str, help: &str) -> Invocation {
    let word = details.one(ContextKind::InvalidArg);
    let message = if word.starts_with("--") {
        format!("unknown flag: {word}")
    } else if word.starts_with('-') {
        format!("unknown shorthand flag: {word}")
    } else {
        format!("unexpected argument \"{word}\"")
    };
    let flag = details.suggestion(ContextKind::SuggestedArg, &word);
    // A command that has a flag like this one.
    let command = details.all(ContextKind::SuggestedSubcommand).pop().filter(|_| flag.is_some());
    let hint = match (command, flag) {
        // It is a command here, as in kubectl.
        _ if word == "--version" => format!("{program} version"),
        (Some(command), _) => format!("did you mean: {program} {command} {word}"),
        (None, Some(flag)) => format!("did you mean {flag}?"),
        (None, None) => help.to_owned(),
    };
    Invocation::UsageError { message, hint }
}

fn invalid_value(details: &Details) -> String {
    let name = details.argument();
    let value = details.one(ContextKind::InvalidValue);
    let allowed = details.all(ContextKind::ValidValue).join(", ");
    let why = match details.error.source() {
        Some(why) => format!(": {why}"),
        None if allowed.is_empty() => String::new(),
        None => format!(": must be one of {allowed}"),
    };
    if value.is_empty() {
        format!("{name} requires a value{why}")
    } else {
        format!("invalid value \"{value}\" for {name}{why}")
    }
}

/// What clap knows about an error besides its kind.
struct Details<'a> {
    error: &'a Error,
}

impl Details<'_> {
    fn all(&self, kind: ContextKind) -> Vec<String> {
        match self.error.get(kind) {
            Some(ContextValue::String(one)) => vec![one.clone()],
            Some(ContextValue::Strings(all)) => all.clone(),
            _ => Vec::new(),
        }
    }

    fn one(&self, kind: ContextKind) -> String {
        self.all(kind).into_iter().next().unwrap_or_default()
    }

    /// The name of the argument, which clap spells `--output <FORMAT>` or `<SHELL>`.
    fn argument(&self) -> String {
        let argument = self.one(ContextKind::InvalidArg);
        argument.split([' ', '=', '[']).next().unwrap_or_default().trim_matches(['<', '>']).to_owned()
    }

    /// The closest match, which clap puts last, if it is similar to the word.
    fn suggestion(&self, kind: ContextKind, word: &str) -> Option<String> {
        let bare = |flag: &str| flag.trim_start_matches('-').to_owned();
        let is_similar = |name: &String| similar::distance(&bare(word), &bare(name)).is_some();
        self.all(kind).into_iter().rev().find(is_similar)
    }

    fn usage(&self) -> Option<String> {
        match self.error.get(ContextKind::Usage)? {
            ContextValue::StyledStr(usage) => Some(usage.to_string().trim().replacen("Usage", "usage", 1)),
            _ => None,
        }
    }

    /// clap's own message, for errors without a kubectl equivalent.
    fn first_line(&self) -> String {
        let text = self.error.render().to_string();
        let line = text.lines().next().unwrap_or_default();
        line.strip_prefix("error: ").unwrap_or(line).to_owned()
    }
}
