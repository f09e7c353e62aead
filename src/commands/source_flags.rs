//! The flags with which a printed command reads the same source.

use crate::connection::Target;
use crate::source::{DumpInput, From, SourceSpec};

/// The flags that select the same source in another command of this program.
pub(super) fn source_flags(spec: &SourceSpec) -> Vec<String> {
    match &spec.from {
        None => context_flags(&spec.target),
        Some(From::Demo) => vec!["--demo".to_owned()],
        Some(From::Dump(inputs)) => {
            inputs.iter().flat_map(|input| ["--from".to_owned(), from_value(input)]).collect()
        }
    }
}

/// The value of `--from` for an input.
fn from_value(input: &DumpInput) -> String {
    match input {
        DumpInput::Path(path) => path.display().to_string(),
        DumpInput::Stdin => "-".to_owned(),
    }
}

/// The flags that select the same cluster in a kubectl command.
pub(super) fn context_flags(target: &Target) -> Vec<String> {
    let context = target.context.iter().flat_map(|context| ["--context".to_owned(), context.clone()]);
    let file =
        target.kubeconfig.iter().flat_map(|file| ["--kubeconfig".to_owned(), file.display().to_string()]);
    context.chain(file).collect()
}
