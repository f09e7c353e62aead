//! The person's settings file: where it is, what it may say, and in whose words it is wrong.

mod node;

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use node::{Entry, Node, Value};

use crate::error::{Failure, Kind};
use crate::model::code::Code;
use crate::model::health::ConditionMeaning;
use crate::model::rulebook::{Override, Rulebook};

/// What the environment says about the settings; read in `main`, handed on as a value.
#[derive(Clone, Debug, Default)]
pub struct Env {
    /// `KUBECTL_OP_CONFIG`: the file, which must exist then.
    pub file: Option<PathBuf>,
    /// `XDG_CONFIG_HOME`, else `.config` in the home folder.
    pub folder: Option<PathBuf>,
}

impl Env {
    /// Picks this room's variables out of the environment.
    pub fn read(variable: impl Fn(&str) -> Option<OsString>) -> Self {
        let path = |name| variable(name).filter(|value| !value.is_empty()).map(PathBuf::from);
        let home = || path("HOME").or_else(|| path("USERPROFILE"));
        // The XDG rules say to leave a relative path alone.
        let folder = path("XDG_CONFIG_HOME").filter(|path| path.is_absolute());
        Self {
            file: path("KUBECTL_OP_CONFIG"),
            folder: folder.or_else(|| home().map(|home| home.join(".config"))),
        }
    }
}

/// The commands, and the long flags of each: what `defaults` may name.
pub type Flags = BTreeMap<String, Vec<String>>;

/// Reads the settings. No file is no trouble, unless one was named.
pub fn load(env: &Env, flags: &Flags) -> Result<Rulebook, Failure> {
    let usual = || Some(env.folder.as_ref()?.join("kubectl-op").join("config.yaml"));
    let Some(file) = env.file.clone().or_else(usual) else { return Ok(Rulebook::default()) };
    match fs::read_to_string(&file) {
        Ok(text) => parse(&text, flags).map_err(|wrong| wrong.failure(&file)),
        Err(error) if error.kind() == ErrorKind::NotFound && env.file.is_none() => Ok(Rulebook::default()),
        Err(error) if error.kind() == ErrorKind::NotFound => {
            let message = format!("settings file {} does not exist", file.display());
            Err(Failure::new(Kind::Configuration, message)
                .hint("KUBECTL_OP_CONFIG names it; unset, ~/.config/kubectl-op/config.yaml is read"))
        }
        Err(error) => {
            let message = format!("settings file {} cannot be read: {}", file.display(), error.kind());
            Err(Failure::new(Kind::Configuration, message))
        }
    }
}

/// What is wrong, and where.
#[derive(Debug, PartialEq, Eq)]
struct Wrong {
    line: u64,
    message: String,
    expected: String,
}

impl Wrong {
    fn new(line: u64, message: impl Into<String>, expected: impl Into<String>) -> Self {
        Self { line, message: message.into(), expected: expected.into() }
    }

    fn failure(self, file: &Path) -> Failure {
        let message = format!("settings file {}:{}: {}", file.display(), self.line, self.message);
        Failure::new(Kind::Configuration, message).hint(format!("expected {}", self.expected))
    }
}

/// Words of the file for what a condition means.
const MEANINGS: [(&str, ConditionMeaning); 5] = [
    ("good", ConditionMeaning::Good),
    ("bad", ConditionMeaning::Bad),
    ("moving", ConditionMeaning::Progressing),
    ("paused", ConditionMeaning::Paused),
    ("neutral", ConditionMeaning::Neutral),
];

const SECTIONS: &str = "conditions, skip, defaults";

fn parse(text: &str, flags: &Flags) -> Result<Rulebook, Wrong> {
    // Comments alone are a file without settings.
    let is_blank = |line: &str| line.trim().is_empty() || line.trim_start().starts_with('#');
    if text.lines().all(is_blank) {
        return Ok(Rulebook::default());
    }
    let root: Node = serde_saphyr::from_str(text).map_err(|error| {
        let line = error.location().map_or(1, |place| place.line());
        Wrong::new(
            line,
            "this is not YAML, or it names a key twice",
            format!("a map with the keys {SECTIONS}"),
        )
    })?;
    let mut book = Rulebook::default();
    for Entry { key, line, node } in map(root, "the file", &format!("a map with the keys {SECTIONS}"))? {
        match key.as_str() {
            "conditions" => book.conditions = conditions(node)?,
            "skip" => book.skip = skip(node)?,
            "defaults" => book.defaults = defaults(node, flags)?,
            _ => return Err(Wrong::new(line, format!("unknown key {key:?}"), SECTIONS)),
        }
    }
    Ok(book)
}

fn conditions(node: Node) -> Result<Vec<Override>, Wrong> {
    let mut lines: Vec<Override> = Vec::new();
    for (place, item) in list(node, "conditions", "a list of conditions")?.into_iter().enumerate() {
        let at = format!("conditions[{place}]");
        let line = item.line;
        let one = condition(item, &at)?;
        let same =
            |other: &Override| (&other.group, &other.kind, &other.name) == (&one.group, &one.kind, &one.name);
        if lines.iter().any(same) {
            return Err(Wrong::new(
                line,
                format!("{at} is about {:?} again", one.name),
                "each type once for a group and kind",
            ));
        }
        lines.push(one);
    }
    Ok(lines)
}

fn condition(node: Node, at: &str) -> Result<Override, Wrong> {
    const KEYS: &str = "type, group, kind, meaning";
    let (line, mut name, mut polarity) = (node.line, None, None);
    let (mut group, mut kind) = (None, None);
    for Entry { key, line, node } in map(node, at, &format!("a map with the keys {KEYS}"))? {
        let path = format!("{at}.{key}");
        match key.as_str() {
            "type" => name = Some(word(node, &path, "a condition's type")?),
            "group" => group = Some(word(node, &path, "an API group, or \"\" for the core group")?),
            "kind" => kind = Some(word(node, &path, "a kind")?),
            "meaning" => polarity = Some(meaning(node, &path)?),
            _ => return Err(Wrong::new(line, format!("unknown key {key:?} in {at}"), KEYS)),
        }
    }
    let missing = |key: &str| Wrong::new(line, format!("{at} has no {key}"), "a type and a meaning");
    Ok(Override {
        group,
        kind,
        name: name.filter(|name| !name.is_empty()).ok_or_else(|| missing("type"))?,
        polarity: polarity.ok_or_else(|| missing("meaning"))?,
    })
}

fn meaning(node: Node, path: &str) -> Result<ConditionMeaning, Wrong> {
    let words = MEANINGS.map(|(word, _)| word).join(", ");
    let expected = format!("what the condition means when it is True: {words}");
    let line = node.line;
    let said = word(node, path, &expected)?;
    let found = MEANINGS.iter().find(|(word, _)| *word == said).map(|(_, meaning)| *meaning);
    found.ok_or_else(|| Wrong::new(line, format!("{path} is {said:?}"), expected))
}

fn skip(node: Node) -> Result<Vec<Code>, Wrong> {
    const EXPECTED: &str = "codes such as OP-T004";
    let mut codes = Vec::new();
    for (place, item) in list(node, "skip", &format!("a list of {EXPECTED}"))?.into_iter().enumerate() {
        let (line, path) = (item.line, format!("skip[{place}]"));
        let code = word(item, &path, EXPECTED)?;
        let code = code.parse().map_err(|_| Wrong::new(line, format!("{path} is {code:?}"), EXPECTED))?;
        codes.push(code);
    }
    Ok(codes)
}

fn defaults(node: Node, flags: &Flags) -> Result<BTreeMap<String, BTreeMap<String, String>>, Wrong> {
    let commands = || flags.keys().map(String::as_str).collect::<Vec<_>>().join(", ");
    let mut found = BTreeMap::new();
    for Entry { key: command, line, node } in map(node, "defaults", &format!("a map of {}", commands()))? {
        let Some(known) = flags.get(&command) else {
            return Err(Wrong::new(line, format!("unknown command {command:?} in defaults"), commands()));
        };
        let at = format!("defaults.{command}");
        let expected = format!("flags of {command}: {}", known.join(", "));
        let mut set = BTreeMap::new();
        for Entry { key: flag, line, node } in map(node, &at, &expected)? {
            if !known.contains(&flag) {
                return Err(Wrong::new(line, format!("unknown flag {flag:?} in {at}"), expected));
            }
            let value = word(node, &format!("{at}.{flag}"), "a word")?;
            set.insert(flag, value);
        }
        found.insert(command, set);
    }
    Ok(found)
}

fn map(node: Node, what: &str, expected: &str) -> Result<Vec<Entry>, Wrong> {
    match node.value {
        Value::Map(entries) => Ok(entries),
        Value::Nothing => Ok(Vec::new()),
        other => Err(Wrong::new(node.line, format!("{what} is {}", other.name()), expected)),
    }
}

fn list(node: Node, what: &str, expected: &str) -> Result<Vec<Node>, Wrong> {
    match node.value {
        Value::List(items) => Ok(items),
        Value::Nothing => Ok(Vec::new()),
        other => Err(Wrong::new(node.line, format!("{what} is {}", other.name()), expected)),
    }
}

fn word(node: Node, what: &str, expected: &str) -> Result<String, Wrong> {
    match node.value {
        Value::Word(word) => Ok(word),
        other => Err(Wrong::new(node.line, format!("{what} is {}", other.name()), expected)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn flags() -> Flags {
        let own = |words: &[&str]| words.iter().map(|word| (*word).to_owned()).collect();
        BTreeMap::from([("tree".to_owned(), own(&["depth", "output"])), ("version".to_owned(), own(&[]))])
    }

    fn wrong(text: &str) -> String {
        let Wrong { line, message, expected } = parse(text, &flags()).unwrap_err();
        format!("{line}: {message}; expected {expected}")
    }

    #[test]
    fn everything_that_may_be_said_is_read() {
        let text = "\
# mine
conditions:
  - type: Drained
    group: example.com
    kind: Thing
    meaning: paused
  - {type: \"True\", meaning: bad}
skip: [OP-T004]
defaults:
  tree: {output: wide, depth: 3}
";
        let book = parse(text, &flags()).unwrap();
        let drained = Override {
            group: Some("example.com".to_owned()),
            kind: Some("Thing".to_owned()),
            name: "Drained".to_owned(),
            polarity: ConditionMeaning::Paused,
        };
        let odd =
            Override { group: None, kind: None, name: "True".to_owned(), polarity: ConditionMeaning::Bad };
        assert_eq!(book.conditions, [drained, odd]);
        assert_eq!(book.skip, [Code::OwnerMismatch]);
        assert_eq!(book.defaults["tree"]["output"], "wide");
        assert_eq!(book.defaults["tree"]["depth"], "3");
    }

    #[test]
    fn a_file_without_settings_settles_nothing() {
        for text in ["", "\n\n", "# later\n", "conditions:\nskip:\ndefaults:\n", "{}", "---\n"] {
            assert_eq!(parse(text, &flags()), Ok(Rulebook::default()), "{text:?}");
        }
    }

    #[test]
    fn what_is_wrong_is_named_with_its_line() {
        let cases = [
            ("skip: []\ncolour: red\n", "2: unknown key \"colour\"; expected conditions, skip, defaults"),
            ("- a\n", "1: the file is a list; expected a map with the keys conditions, skip, defaults"),
            ("\nconditions: Ready\n", "2: conditions is a word; expected a list of conditions"),
            (
                "conditions:\n  - type: A\n    meaning: god\n",
                "3: conditions[0].meaning is \"god\"; expected what the condition means when it is True: \
                 good, bad, moving, paused, neutral",
            ),
            (
                "conditions:\n  - type: A\n    status: good\n",
                "3: unknown key \"status\" in conditions[0]; expected type, group, kind, meaning",
            ),
            (
                "conditions:\n  - meaning: good\n",
                "2: conditions[0] has no type; expected a type and a meaning",
            ),
            ("conditions:\n  - type: A\n", "2: conditions[0] has no meaning; expected a type and a meaning"),
            (
                "conditions:\n  - {type: A, meaning: good}\n  - {type: A, meaning: bad}\n",
                "3: conditions[1] is about \"A\" again; expected each type once for a group and kind",
            ),
            (
                "conditions:\n  - type: [A]\n    meaning: good\n",
                "2: conditions[0].type is a list; expected a condition's type",
            ),
            ("skip:\n- OP-T004\n- T005\n", "3: skip[1] is \"T005\"; expected codes such as OP-T004"),
            ("skip: {a: b}\n", "1: skip is a map; expected a list of codes such as OP-T004"),
            ("defaults:\n  shrub: {}\n", "2: unknown command \"shrub\" in defaults; expected tree, version"),
            (
                "defaults:\n  tree:\n    width: 3\n",
                "3: unknown flag \"width\" in defaults.tree; expected flags of tree: depth, output",
            ),
            ("defaults:\n  tree:\n    depth: [3]\n", "3: defaults.tree.depth is a list; expected a word"),
        ];
        for (text, expected) in cases {
            assert_eq!(wrong(text), expected, "{text}");
        }
    }

    #[test]
    fn what_is_no_yaml_has_a_line_too() {
        for text in ["skip: [\n", "a: b: c\n", "skip: []\nskip: []\n", "skip: \"\n"] {
            assert!(parse(text, &flags()).is_err(), "{text:?}");
            assert!(wrong(text).contains("not YAML"), "{text:?}: {}", wrong(text));
        }
    }

    #[test]
    fn the_folder_follows_the_environment() {
        let read = |set: &[(&str, &str)]| {
            Env::read(|name| set.iter().find(|(key, _)| *key == name).map(|(_, value)| value.into()))
        };
        let folder = |set: &[(&str, &str)]| read(set).folder;
        assert_eq!(folder(&[("HOME", "/h")]), Some("/h/.config".into()));
        assert_eq!(folder(&[("HOME", "/h"), ("XDG_CONFIG_HOME", "/x")]), Some("/x".into()));
        assert_eq!(folder(&[("HOME", "/h"), ("XDG_CONFIG_HOME", "x")]), Some("/h/.config".into()));
        assert_eq!(folder(&[]), None);
        assert_eq!(read(&[("KUBECTL_OP_CONFIG", "")]).file, None);
        assert_eq!(load(&Env::default(), &flags()).unwrap(), Rulebook::default());
    }
}
