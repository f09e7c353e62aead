//! The command on the last line: what to look at next, ready to be pasted.

use super::shell::{context_flags, line, source_flags};
use crate::model::ident::{ObjectName, group_of};
use crate::source::{DumpInput, From, SourceSpec};

/// What is worth knowing about an object.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Way {
    /// All that kubectl knows.
    Describe,
    /// Why its container ended.
    PreviousLogs,
    /// What belongs to it, and how that is.
    Tree,
    /// Where it belongs.
    Around,
    /// How it is.
    Status,
    /// What happened to it.
    Events,
}

/// The command that tells it, from where `spec` looks: kubectl cannot look into a dump.
pub(super) fn call(name: &ObjectName, way: Way, spec: &SourceSpec) -> String {
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
    let mut words = match way {
        Way::Tree => own("tree", &[]),
        Way::Status => own("status", &[]),
        Way::Events => own("events", &[]),
        Way::Around => own("tree", &["--around"]),
        _ if spec.from.is_some() => own("tree", &["--around"]),
        // Whichever container it was: the others have nothing to say.
        Way::PreviousLogs => {
            ["kubectl", "logs", &name.name, "--all-containers", "--previous"].map(str::to_owned).to_vec()
        }
        Way::Describe => ["kubectl", "describe", &kind, &name.name].map(str::to_owned).to_vec(),
    };
    if let Some(namespace) = &name.namespace {
        words.extend(["-n".to_owned(), namespace.clone()]);
    }
    words.extend(if spec.from.is_some() { source_flags(spec) } else { context_flags(&spec.target) });
    // Standard input has to be piped in again.
    match &spec.from {
        Some(From::Dump(inputs)) if inputs.contains(&DumpInput::Stdin) => {
            format!("cat DUMP | {}", line(&words))
        }
        _ => line(&words),
    }
}
