//! Quoting for a shell, so that printed commands can be pasted whatever characters the names contain.

use std::borrow::Cow;

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

/// Joins words to a command line, quoted where needed.
pub(super) fn join_words(words: &[String]) -> String {
    words.iter().map(|word| quote(word)).collect::<Vec<_>>().join(" ")
}

/// The flags that select the same cluster in a kubectl command.
pub(super) fn context_flags(target: &Target) -> Vec<String> {
    let context = target.context.iter().flat_map(|context| ["--context".to_owned(), context.clone()]);
    let file =
        target.kubeconfig.iter().flat_map(|file| ["--kubeconfig".to_owned(), file.display().to_string()]);
    context.chain(file).collect()
}

/// Quotes a word for a POSIX shell, if needed.
pub(super) fn quote(word: &str) -> Cow<'_, str> {
    let harmless = |c: char| c.is_ascii_alphanumeric() || "-_./:=@%+,".contains(c);
    if !word.is_empty() && word.chars().all(harmless) {
        Cow::Borrowed(word)
    } else {
        Cow::Owned(format!("'{}'", word.replace('\'', r"'\''")))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn odd_words_are_quoted() {
        for (word, quoted) in
            [("shop-1", "shop-1"), ("", "''"), ("a b", "'a b'"), ("it's", r"'it'\''s'"), ("$(x)", "'$(x)'")]
        {
            assert_eq!(quote(word), quoted);
        }
    }
}
