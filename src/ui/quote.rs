//! Quoting for the shell of the platform, so that printed commands can be pasted whatever characters the names contain.

use std::borrow::Cow;

/// Joins words to a command line, quoted where needed.
pub fn join_words(words: &[String]) -> String {
    words.iter().map(|word| quote(word)).collect::<Vec<_>>().join(" ")
}

/// Quotes a word for the usual shell of this platform, if needed.
pub fn quote(word: &str) -> Cow<'_, str> {
    ShellSyntax::OF_THIS_PLATFORM.quote(word)
}

/// A shell that printed commands are pasted into.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum ShellSyntax {
    /// sh, bash, zsh and fish.
    Posix,
    /// The usual one on Windows. `cmd.exe` has no quoting that holds for every character; what needs none works
    /// there too.
    PowerShell,
}

impl ShellSyntax {
    const OF_THIS_PLATFORM: Self = if cfg!(windows) { Self::PowerShell } else { Self::Posix };

    fn quote(self, word: &str) -> Cow<'_, str> {
        if !word.is_empty() && word.chars().all(|c| self.is_harmless(c)) && !self.is_special(word) {
            return Cow::Borrowed(word);
        }
        // Both take everything between single quotes as it is.
        let quotes_escaped = match self {
            Self::Posix => word.replace('\'', r"'\''"),
            // These typographic quotes are single quotes, too.
            Self::PowerShell => word
                .chars()
                .flat_map(|c| {
                    let quote = matches!(c, '\'' | '\u{2018}'..='\u{201b}');
                    std::iter::repeat_n(c, if quote { 2 } else { 1 })
                })
                .collect(),
        };
        Cow::Owned(format!("'{quotes_escaped}'"))
    }

    fn is_harmless(self, c: char) -> bool {
        let marks = match self {
            Self::Posix => "-_./:=@%+,",
            // A comma makes a list, `@` an array, and `%` a variable of cmd.exe.
            Self::PowerShell => "-_./:=+\\",
        };
        c.is_ascii_alphanumeric() || marks.contains(c)
    }

    /// Whether a word of harmless characters means something else.
    fn is_special(self, word: &str) -> bool {
        // PowerShell splits `-a.b` and `-a:b` in two.
        self == Self::PowerShell && word.starts_with('-') && word.contains(['.', ':'])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn odd_words_are_quoted() {
        for (word, posix, power_shell) in [
            ("shop-1", "shop-1", "shop-1"),
            ("voteconfig/demo", "voteconfig/demo", "voteconfig/demo"),
            ("--context=a", "--context=a", "--context=a"),
            ("-l=a.b/c", "-l=a.b/c", "'-l=a.b/c'"),
            (r"C:\Users\me\config", r"'C:\Users\me\config'", r"C:\Users\me\config"),
            ("", "''", "''"),
            ("a b", "'a b'", "'a b'"),
            ("it's", r"'it'\''s'", "'it''s'"),
            ("it\u{2019}s", "'it\u{2019}s'", "'it\u{2019}\u{2019}s'"),
            ("$(x)", "'$(x)'", "'$(x)'"),
            ("%PATH%", "%PATH%", "'%PATH%'"),
            ("a`b", "'a`b'", "'a`b'"),
            ("a^b", "'a^b'", "'a^b'"),
            ("a&b|c;d", "'a&b|c;d'", "'a&b|c;d'"),
            ("a!b", "'a!b'", "'a!b'"),
            ("@a", "@a", "'@a'"),
            ("a,b", "a,b", "'a,b'"),
            ("\"a\"", "'\"a\"'", "'\"a\"'"),
            ("{x}", "'{x}'", "'{x}'"),
            ("*", "'*'", "'*'"),
            ("~", "'~'", "'~'"),
            ("#a", "'#a'", "'#a'"),
        ] {
            assert_eq!(ShellSyntax::Posix.quote(word), posix);
            assert_eq!(ShellSyntax::PowerShell.quote(word), power_shell);
        }
    }
}
