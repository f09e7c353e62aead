//! How the user invokes this program, so that commands in help and hints can be pasted.

use std::ffi::OsStr;
use std::path::Path;

/// Derives the command from the file name: `kubectl-foo_bar` is invoked as `kubectl foo-bar`.
pub(super) fn name(argv0: Option<&OsStr>) -> String {
    let file =
        argv0.and_then(|path| Path::new(path).file_name()).unwrap_or(OsStr::new(env!("CARGO_PKG_NAME")));
    let file = file.to_string_lossy();
    // The name is printed unescaped, so one with control characters is not used.
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "-_.+".contains(c);
    let file = if file.chars().all(is_plain) { file } else { env!("CARGO_PKG_NAME").into() };
    let file = file.strip_suffix(".exe").unwrap_or(&file);
    match file.strip_prefix("kubectl-") {
        Some(words) if !words.is_empty() => format!("kubectl {}", words.replace('-', " ").replace('_', "-")),
        _ => file.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plugins_are_called_through_kubectl() {
        for (file, words) in [
            ("kubectl-op", "kubectl op"),
            ("/usr/local/bin/kubectl-op", "kubectl op"),
            ("kubectl-op.exe", "kubectl op"),
            ("kubectl-foo_bar", "kubectl foo-bar"),
            ("kubectl-foo-bar", "kubectl foo bar"),
            ("op", "op"),
            ("my_op", "my_op"),
            ("kubectl-", "kubectl-"),
            ("kubectl-\x1b[31m", "kubectl op"),
        ] {
            assert_eq!(name(Some(OsStr::new(file))), words);
        }
        assert_eq!(name(None), "kubectl op");
        assert_eq!(name(Some(OsStr::new(""))), "kubectl op");
    }
}
