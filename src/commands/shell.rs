//! Words for a shell: a printed command can be pasted whatever the names in it hold.

use std::borrow::Cow;

use crate::connection::Target;
use crate::source::{DumpInput, From, SourceSpec};

/// The flags that lead another call of this program to the same place.
pub(super) fn source_flags(spec: &SourceSpec) -> Vec<String> {
    match &spec.from {
        None => context_flags(&spec.target),
        Some(From::Demo) => vec!["--demo".to_owned()],
        Some(From::Dump(inputs)) => {
            inputs.iter().flat_map(|input| ["--from".to_owned(), from_value(input)]).collect()
        }
    }
}

/// The value of `--from` that names an input.
fn from_value(input: &DumpInput) -> String {
    match input {
        DumpInput::Path(path) => path.display().to_string(),
        DumpInput::Stdin => "-".to_owned(),
    }
}

/// A command in words that can be pasted.
pub(super) fn line(words: &[String]) -> String {
    words.iter().map(|word| quote(word)).collect::<Vec<_>>().join(" ")
}

/// The flags that lead another command to the same cluster.
pub(super) fn context_flags(target: &Target) -> Vec<String> {
    let context = target.context.iter().flat_map(|context| ["--context".to_owned(), context.clone()]);
    let file =
        target.kubeconfig.iter().flat_map(|file| ["--kubeconfig".to_owned(), file.display().to_string()]);
    context.chain(file).collect()
}

/// A word that a POSIX shell reads as just that word.
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
