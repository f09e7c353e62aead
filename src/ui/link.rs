//! Whether URLs are printed as hyperlinks (OSC 8), decided once. A terminal without support may print the escape
//! sequence, so links are used only if the environment names a terminal that supports them.

use std::ffi::{OsStr, OsString};

/// The value of `--hyperlinks`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Hyperlinks {
    /// Decide by the environment and the terminal.
    #[default]
    Auto,
    /// Print hyperlinks, even in a pipe.
    Always,
    /// Never print hyperlinks.
    Never,
}

/// What the environment says about hyperlink support.
#[derive(Clone, Debug, Default)]
pub struct LinkSupport {
    /// `FORCE_HYPERLINK`: `0` disables hyperlinks, anything else forces them, even in a pipe.
    force: Option<OsString>,
    /// Whether a variable is set that only terminals with support set.
    named: bool,
    vte_version: Option<OsString>,
    term_program: Option<OsString>,
    colorterm: Option<OsString>,
}

/// Set by Windows Terminal, Konsole, `DomTerm` and kitty.
const NAMED: [&str; 4] = ["DOMTERM", "KITTY_WINDOW_ID", "KONSOLE_VERSION", "WT_SESSION"];
/// Values of `TERM_PROGRAM` with support.
const PROGRAMS: [&str; 9] =
    ["Hyper", "WarpTerminal", "WezTerm", "ghostty", "iTerm.app", "rio", "terminology", "vscode", "zed"];
/// Values of `TERM` with support.
const TERMS: [&str; 5] = ["alacritty", "alacritty-direct", "foot", "xterm-ghostty", "xterm-kitty"];
/// The first version of GNOME's terminal widget whose links do not crash it.
const VTE: u32 = 5000;

impl LinkSupport {
    /// Reads the variables.
    pub(super) fn read(variable: impl Fn(&str) -> Option<OsString>) -> Self {
        let set = |name| variable(name).filter(|value| !value.is_empty());
        Self {
            force: set("FORCE_HYPERLINK"),
            named: NAMED.iter().any(|name| set(name).is_some()),
            vte_version: set("VTE_VERSION"),
            term_program: set("TERM_PROGRAM"),
            colorterm: set("COLORTERM"),
        }
    }

    fn has_links(&self, term: &OsStr) -> bool {
        let is = |value: &Option<OsString>, known: &[&str]| {
            value.as_deref().and_then(OsStr::to_str).is_some_and(|value| known.contains(&value))
        };
        let vte =
            self.vte_version.as_deref().and_then(OsStr::to_str).and_then(|text| text.parse::<u32>().ok());
        self.named
            || vte.is_some_and(|version| version >= VTE)
            || is(&self.term_program, &PROGRAMS)
            || is(&self.colorterm, &["xfce4-terminal"])
            || term.to_str().is_some_and(|term| TERMS.contains(&term))
    }
}

impl Hyperlinks {
    /// Whether to print hyperlinks: the flag takes precedence, then `FORCE_HYPERLINK`, then a terminal with support.
    pub(super) fn is_on(self, support: &LinkSupport, term: Option<&OsStr>, terminal: bool) -> bool {
        let term = term.unwrap_or_default();
        match (self, support.force.as_deref()) {
            (Self::Always, _) => true,
            (Self::Never, _) => false,
            (Self::Auto, Some(force)) => force != "0",
            (Self::Auto, None) => terminal && term != "dumb" && support.has_links(term),
        }
    }
}

/// A URL as a hyperlink to itself; `None` for one that could end the escape sequence early.
pub(super) fn link(address: &str) -> Option<String> {
    let plain = address.starts_with("https://") && address.bytes().all(|byte| byte.is_ascii_graphic());
    plain.then(|| format!("\x1b]8;;{address}\x1b\\{address}\x1b]8;;\x1b\\"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_are_sorted_and_have_no_doubles() {
        for table in [&NAMED[..], &PROGRAMS, &TERMS] {
            assert!(table.windows(2).all(|pair| pair[0] < pair[1]), "{table:?}");
        }
    }

    #[test]
    fn flag_then_force_then_a_terminal_with_a_sign() {
        use Hyperlinks::{Always, Auto, Never};
        let on = |flag: Hyperlinks, variables: &[(&str, &str)], term: &str, terminal: bool| {
            let variable = |name: &str| {
                variables.iter().find(|(known, _)| *known == name).map(|(_, value)| OsString::from(value))
            };
            flag.is_on(&LinkSupport::read(variable), Some(term.as_ref()), terminal)
        };
        for sign in [
            ("WT_SESSION", "x"),
            ("VTE_VERSION", "5000"),
            ("VTE_VERSION", "7600"),
            ("TERM_PROGRAM", "WezTerm"),
            ("KITTY_WINDOW_ID", "1"),
            ("KONSOLE_VERSION", "230804"),
            ("COLORTERM", "xfce4-terminal"),
        ] {
            assert!(on(Auto, &[sign], "xterm", true), "{sign:?}");
            assert!(!on(Auto, &[sign], "xterm", false), "{sign:?} in a pipe");
            assert!(!on(Auto, &[sign], "dumb", true), "{sign:?}");
            assert!(!on(Auto, &[sign, ("FORCE_HYPERLINK", "0")], "xterm", true), "{sign:?}");
            assert!(!on(Never, &[sign], "xterm", true), "{sign:?}");
        }
        for sign in [
            ("VTE_VERSION", "4999"),
            ("VTE_VERSION", "new"),
            ("TERM_PROGRAM", "Apple_Terminal"),
            ("COLORTERM", "truecolor"),
            ("WT_SESSION", ""),
        ] {
            assert!(!on(Auto, &[sign], "xterm-256color", true), "{sign:?}");
        }
        assert!(on(Auto, &[], "xterm-kitty", true) && !on(Auto, &[], "xterm", true));
        assert!(on(Auto, &[("FORCE_HYPERLINK", "1")], "dumb", false));
        assert!(on(Always, &[("FORCE_HYPERLINK", "0")], "dumb", false));
    }

    #[test]
    fn only_a_harmless_address_is_a_link() {
        assert_eq!(link("https://a/b").unwrap(), "\x1b]8;;https://a/b\x1b\\https://a/b\x1b]8;;\x1b\\");
        for odd in ["https://a/\x1b\\", "https://a b", "javascript:x", "https://\u{fc}", "https://a\x07"] {
            assert_eq!(link(odd), None, "{odd}");
        }
    }
}
