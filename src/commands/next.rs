//! The command on the `next:` line, ready to be pasted.

use super::shell::{context_flags, join_words, source_flags};
use crate::model::ident::{ObjectName, group_of};
use crate::source::{DumpInput, From, SourceSpec};

/// A command that shows more about an object.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum NextCommand {
    /// `kubectl describe`.
    Describe,
    /// `kubectl logs --previous`.
    PreviousLogs,
    /// `kubectl op tree`.
    Tree,
    /// `kubectl op tree --around`.
    Around,
    /// `kubectl op status`.
    Status,
    /// `kubectl op events`.
    Events,
}

/// The command line, for the same source as `spec`. kubectl cannot read a dump, so one of our own commands replaces its
/// commands there.
pub(super) fn command_line(name: &ObjectName, next: NextCommand, spec: &SourceSpec) -> String {
    let kind = name.kind.to_lowercase();
    let kind = match group_of(&name.api_version) {
        "" => kind,
        group => format!("{kind}.{group}"),
    };
    let own = |command: &str, flags: &[&str]| {
        let program = spec.target.program.split_whitespace().map(str::to_owned);
        let object = format!("{kind}/{}", name.name);
        let words = program.chain([command.to_owned(), object]);
        words.chain(flags.iter().map(|flag| (*flag).to_owned())).collect::<Vec<_>>()
    };
    let mut words = match next {
        NextCommand::Tree => own("tree", &[]),
        NextCommand::Status => own("status", &[]),
        NextCommand::Events => own("events", &[]),
        NextCommand::Around => own("tree", &["--around"]),
        _ if spec.from.is_some() => own("tree", &["--around"]),
        // All containers, because only the one that crashed has previous logs.
        NextCommand::PreviousLogs => {
            ["kubectl", "logs", &name.name, "--all-containers", "--previous"].map(str::to_owned).to_vec()
        }
        NextCommand::Describe => ["kubectl", "describe", &kind, &name.name].map(str::to_owned).to_vec(),
    };
    if let Some(namespace) = &name.namespace {
        words.extend(["-n".to_owned(), namespace.clone()]);
    }
    words.extend(if spec.from.is_some() { source_flags(spec) } else { context_flags(&spec.target) });
    // Standard input has to be piped in again.
    match &spec.from {
        Some(From::Dump(inputs)) if inputs.contains(&DumpInput::Stdin) => {
            format!("cat DUMP | {}", join_words(&words))
        }
        _ => join_words(&words),
    }
}
